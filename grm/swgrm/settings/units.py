"""Numbers with units in settings (`90 deg`, `120 mm`, `12.5 kg`), converted to SI."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from decimal import Decimal
from typing import Annotated

from msgspec import Meta

from swgrm.errors import SettingsError, nearest

Quantity = float | str  # what it measures depends on the joint: converted where that is known
Mass = Annotated[float, Meta(extra={"quantity": "mass"}, ge=0)]
Density = Annotated[float, Meta(extra={"quantity": "density"}, gt=0)]
Frequency = Annotated[float, Meta(extra={"quantity": "frequency"})]
AnyEffort = Annotated[float, Meta(extra={"quantity": "torque or force"}, ge=0)]
AnyVelocity = Annotated[float, Meta(extra={"quantity": "angular velocity or velocity"}, ge=0)]
AnyAcceleration = Annotated[float, Meta(extra={"quantity": "angular acceleration or acceleration"}, ge=0)]
AnyPosition = Annotated[float, Meta(extra={"quantity": "angle or length"})]

_DEGREE = math.pi / 180
UNITS: Mapping[str, tuple[str, float]] = {  # unit → the quantity that it measures, and its size in SI
    "rad": ("angle", 1.0), "deg": ("angle", _DEGREE), "°": ("angle", _DEGREE), "rev": ("angle", 2 * math.pi),
    "m": ("length", 1.0), "cm": ("length", 0.01), "mm": ("length", 0.001), "in": ("length", 0.0254),
    "rad/s": ("angular velocity", 1.0), "deg/s": ("angular velocity", _DEGREE), "°/s": ("angular velocity", _DEGREE),
    "rpm": ("angular velocity", math.pi / 30),
    "m/s": ("velocity", 1.0), "mm/s": ("velocity", 0.001),
    "rad/s²": ("angular acceleration", 1.0), "rad/s^2": ("angular acceleration", 1.0),
    "deg/s²": ("angular acceleration", _DEGREE), "deg/s^2": ("angular acceleration", _DEGREE),
    "m/s²": ("acceleration", 1.0), "m/s^2": ("acceleration", 1.0), "mm/s²": ("acceleration", 0.001),
    "N": ("force", 1.0), "kN": ("force", 1000.0),
    "Nm": ("torque", 1.0), "N m": ("torque", 1.0), "Nmm": ("torque", 0.001),
    "Nms": ("rotational damping", 1.0), "Nms/rad": ("rotational damping", 1.0),
    "Ns/m": ("linear damping", 1.0),
    "Nm/rad": ("rotational stiffness", 1.0), "N/m": ("linear stiffness", 1.0), "N/mm": ("linear stiffness", 1000.0),
    "kg m²": ("moment of inertia", 1.0), "kg m^2": ("moment of inertia", 1.0), "kgm2": ("moment of inertia", 1.0),
    "kg cm²": ("moment of inertia", 1e-4), "g cm²": ("moment of inertia", 1e-7),
    "kg": ("mass", 1.0), "g": ("mass", 0.001), "t": ("mass", 1000.0), "lb": ("mass", 0.45359237),
    "kg/m³": ("density", 1.0), "kg/m3": ("density", 1.0), "g/cm³": ("density", 1000.0), "g/cm3": ("density", 1000.0),
    "Hz": ("frequency", 1.0), "kHz": ("frequency", 1000.0),
}  # fmt: skip
_NUMBER = re.compile(r"\s*([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)\s*(\S.*?)?\s*")
_COMMA = re.compile(r"\s*[-+]?\d+,\d+\b.*")


def has_unit(value: Quantity) -> bool:
    """Whether a quantity is written with a unit: `90 deg`, and neither `90` nor `'90'`."""
    matching = _NUMBER.fullmatch(value) if isinstance(value, str) else None
    return matching is not None and bool(matching[2])


def quantity(value: Quantity, kind: str, at: Iterable[str]) -> float:
    """A number in SI; a unit must measure that kind of quantity: `90 deg` is an angle, `5 N` a `torque or force`."""
    place = tuple(at)
    where = f"{', '.join(place)}: " if place else ""

    def refused(problem: str) -> SettingsError:
        return SettingsError(f"{where}{problem}", place)

    if isinstance(value, str):
        if _COMMA.fullmatch(value):
            raise refused(f"`{value}` has a decimal comma. Write {value.strip().replace(',', '.', 1)}.")
        found = _NUMBER.fullmatch(value)
        if found is None:
            example = next(f"2.5 {unit}" for unit, (measured, _) in UNITS.items() if measured in kind.split(" or "))
            raise refused(f"`{value}` is not a number. Write 2.5 or, with a unit, {example}.")
        number, unit = float(found[1]), found[2] or ""
        if unit and unit not in UNITS:
            own = [each for each, (measured, _) in UNITS.items() if measured in kind.split(" or ")]
            hint = nearest(unit, own) or f" Units of {kind}: {', '.join(own)}."
            raise refused(f"unknown unit `{unit}` in `{value}`.{hint}")
        if unit and UNITS[unit][0] not in kind.split(" or "):
            article = "an" if kind.startswith("a") else "a"
            raise refused(f"`{value}` is not {article} {kind}; `{unit}` is a unit of {UNITS[unit][0]}.")
        # In decimals, because 1.1 × 0.001 is not 0.0011 in binary numbers.
        value = float(Decimal(found[1]) * Decimal(repr(UNITS[unit][1]))) if unit else number
    if not math.isfinite(value):
        raise refused(f"`{value}` must be a finite number.")
    return float(value)
