"""Numbers with units in settings (`90 deg`, `120 mm`), converted to SI."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping

from swgrm.errors import SettingsError, nearest

Quantity = float | str

_DEGREE = math.pi / 180
UNITS: Mapping[str, tuple[str, float]] = {  # unit → the quantity that it measures, and its size in SI
    "rad": ("angle", 1.0), "deg": ("angle", _DEGREE), "°": ("angle", _DEGREE), "rev": ("angle", 2 * math.pi),
    "m": ("length", 1.0), "cm": ("length", 0.01), "mm": ("length", 0.001), "in": ("length", 0.0254),
    "rad/s": ("angular velocity", 1.0), "deg/s": ("angular velocity", _DEGREE), "°/s": ("angular velocity", _DEGREE),
    "rpm": ("angular velocity", math.pi / 30),
    "m/s": ("velocity", 1.0), "mm/s": ("velocity", 0.001),
    "N": ("force", 1.0), "kN": ("force", 1000.0),
    "Nm": ("torque", 1.0), "N m": ("torque", 1.0), "Nmm": ("torque", 0.001),
}  # fmt: skip
_NUMBER = re.compile(r"\s*([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)\s*(\S.*?)?\s*")


def quantity(value: Quantity, kind: str, where: str) -> float:
    """A number in SI; a unit must measure that kind of quantity: `90 deg` is an angle."""
    if isinstance(value, str):
        found = _NUMBER.fullmatch(value)
        if found is None:
            raise SettingsError(f"{where}: `{value}` is not a number. Write 1.57 or, with a unit, 90 deg.")
        number, unit = float(found[1]), found[2] or ""
        if unit and unit not in UNITS:
            raise SettingsError(f"{where}: unknown unit `{unit}` in `{value}`.{nearest(unit, list(UNITS))}")
        if unit and UNITS[unit][0] != kind:
            article = "an" if kind.startswith("a") else "a"
            raise SettingsError(f"{where}: `{value}` is not {article} {kind}; `{unit}` is a unit of {UNITS[unit][0]}.")
        value = number * (UNITS[unit][1] if unit else 1.0)
    if not math.isfinite(value):
        raise SettingsError(f"{where}: `{value}` must be a finite number.")
    return float(value)
