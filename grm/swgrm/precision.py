"""The precision of computed numbers: a table of quantities, and the one function that rounds to it.

Rounding errors of double precision end below 1e-13 of what is computed, and differ between processors and libraries.
SolidWorks itself works to 1e-8 m. Computed numbers are rounded far from both, so that they neither show noise nor lose
what was measured. Numbers that were given, in a file or in settings, are not computed and stay as they are.
"""

from __future__ import annotations

import math
import re
from bisect import bisect_left
from collections.abc import Callable, Collection, Iterator, Mapping
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import msgspec

from swgrm import model

if TYPE_CHECKING:
    from swgrm.transforms import Array

T = TypeVar("T", bound=msgspec.Struct)
V = TypeVar("V", bound=tuple[float, ...])
LARGE = 1e300  # beyond it rounding might overflow
RETRACED = 1e-14  # a given number that passed through a product of poses differs by less, relative to at least 1


class Precision(NamedTuple):
    """To how many digits a quantity is rounded, and why."""

    digits: int  # after the decimal point, or significant ones
    is_relative: bool
    reason: str


LENGTH = Precision(10, False, "a hundredth of SolidWorks' own 1e-8 m")
DIRECTION = Precision(12, False, "moves a point that is 100 m away by one step of a length")
ANGLE = Precision(11, False, "angles of a rounded quaternion are uncertain by two of its steps")
POSITION = Precision(12, False, "as directions: a joint turns what is far away")
CLOSING = Precision(9, False, "the poses around a loop are rounded, so that it is closed to no more than this")
RATIO = Precision(12, True, "a joint that turns a hundred times is within a few steps of a position")
AMOUNT = Precision(12, True, "far more than anything about a mass or a drive is known to")
TENSOR = Precision(11, True, "digits of its largest entry; entries far below it are differences of large numbers")
VERTEX = Precision(9, False, "a tenth of SolidWorks' own 1e-8 m, and what OBJ files have")

# The quantities in the table of the documentation, with the unit of their steps.
QUANTITIES: Mapping[str, tuple[Precision, str]] = {
    "lengths: positions, centres of mass, sizes": (LENGTH, "m"),
    "directions: quaternions, axes": (DIRECTION, ""),
    "angles that are computed from quaternions: roll, pitch and yaw": (ANGLE, "rad"),
    "positions of joints: limits, offsets of couplings, named poses": (POSITION, "rad or m"),
    "positions of joints that close loops": (CLOSING, "rad or m"),
    "ratios: couplings, relations, gears, pitches, scales": (RATIO, ""),
    "amounts: masses, velocities, efforts, accelerations, dynamics, gains": (AMOUNT, ""),
    "inertia tensors": (TENSOR, ""),
    "vertices of collision meshes": (VERTEX, "m"),
}

# What each field of the model is. Fields with other values are walked: they are parts of the model, or have no numbers.
FIELDS: Mapping[type, Mapping[str, Precision]] = {
    model.Pose: {"pos": LENGTH, "rot": DIRECTION},
    model.Patch: {"size": LENGTH},
    model.Segment: {"length": LENGTH},
    model.Mesh: {"scale": RATIO},
    model.Box: {"size": LENGTH},
    model.Cylinder: {"radius": LENGTH, "length": LENGTH},
    model.Sphere: {"radius": LENGTH},
    model.Capsule: {"radius": LENGTH, "length": LENGTH},
    model.Inertial: {"mass": AMOUNT, "origin": LENGTH, "axes": DIRECTION},
    model.Limits: {
        "lower": POSITION, "upper": POSITION, "velocity": AMOUNT, "effort": AMOUNT, "acceleration": AMOUNT,
    },
    model.Dynamics: {"damping": AMOUNT, "friction": AMOUNT, "armature": AMOUNT},
    model.Coupling: {"ratio": RATIO, "offset": POSITION},
    model.Safety: {
        "k_velocity": AMOUNT, "k_position": AMOUNT, "soft_lower_limit": POSITION, "soft_upper_limit": POSITION,
    },
    model.Calibration: {"rising": POSITION, "falling": POSITION},
    model.Joint: {"axis": DIRECTION, "pitch": RATIO},
    model.CompositeJoint: {"pitch": RATIO},
    model.Relation: {"terms": RATIO, "offset": POSITION},
    model.TransmissionEnd: {"mechanical_reduction": RATIO},
    model.Actuator: {"stiffness": AMOUNT, "damping": AMOUNT, "effort": AMOUNT, "gear": RATIO},
    model.NamedPose: {"positions": POSITION},
}  # fmt: skip
# Fields with numbers that are never computed: colours have four decimals where they are read.
GIVEN_FIELDS = {(model.Material, "rgba"), (model.Sensor, "update_rate"), (model.Sensor, "params")}

GivenNumbers = Callable[[], frozenset[float]]  # the numbers that are not computed; asked for only if one is in question


def nothing_given() -> frozenset[float]:
    """For values that are computed as a whole."""
    return frozenset()


def rounded(value: T, given: GivenNumbers = nothing_given) -> T:
    """A part of the model, or a robot, with its numbers rounded; those that were given stay to the last digit.

    A number that was given as part of a pose may have passed through products of poses. What differs from a given
    number by rounding errors only is that number. Rounding is idempotent. What needs no rounding is returned itself,
    not as a copy.
    """
    return _Rounding(given, retraces=True).part(value)


def rounded_since(robot: model.Robot, before: model.Robot) -> model.Robot:
    """A robot that was made of another one, with the numbers rounded that the other one does not have."""
    if robot is before:
        return robot
    return _Rounding(numbers_of(before), _unchanged_parts(before)).part(robot)


def numbers_of(*values: Any) -> GivenNumbers:  # noqa: ANN401 - structs, maps, lists and plain values
    """All numbers in some values, collected when they are asked for."""
    return cache(lambda: frozenset(numbers_in(values)))


def _unchanged_parts(before: model.Robot) -> set[int]:
    """The identities of the larger parts of a robot: what is still the same object needs no look at its numbers."""
    parts: list[object] = []
    for frame in before.frames:
        parts += (frame, frame.transform, frame.transform.pos, frame.transform.rot, frame.links, *frame.links)
        if (joint := frame.joint) is not None:
            parts += (joint, joint.axis, joint.pitch, joint.limits, joint.dynamics, joint.coupling)
        for link in frame.links:
            parts += (link.inertial, link.visuals, link.collisions, *link.visuals, *link.collisions)
    return set(map(id, parts))


def rounded_numbers(values: V, precision: Precision, given: GivenNumbers = nothing_given) -> V:
    """Several numbers of one quantity, rounded."""
    numbers: V = _Rounding(given).value(values, precision)
    return numbers


def is_rounded(values: tuple[float, ...], precision: Precision) -> bool:
    """Whether rounding would change none of these numbers."""
    return all(round_number(value, precision) == value for value in values)


def rounded_points(points: Array) -> Array:
    """Vertices on the grid that mesh files in text have, so that all that is decided about them is decided there."""
    import numpy as np

    grid: Array = np.round(points, VERTEX.digits) + 0.0  # which makes 0 of −0
    return grid


def round_number(value: float, precision: Precision) -> float:
    """One number, rounded; never −0."""
    if not abs(value) < LARGE:
        return value
    decimals = _decimals_of(value, precision.digits) if precision.is_relative else precision.digits
    return round(value, decimals) + 0.0


def _decimals_of(largest: float, digits: int) -> int:
    """The decimals that give a number so many significant digits.

    The exponent is that of the rounded number: 9.99…9 becomes 10, and must not be rounded to fewer decimals again.
    """
    if largest == 0:
        return digits
    exponent = int(f"{largest:.{digits - 1}e}".partition("e")[2])
    return digits - 1 - exponent


class _Rounding:
    """Rounds parts of the model, but for the numbers that were given."""

    def __init__(self, given: GivenNumbers, unchanged: Collection[int] = (), *, retraces: bool = False) -> None:
        self.given, self.unchanged = given, unchanged  # the identities of structs that have no computed numbers
        self.retraces = retraces

    def part(self, part: T) -> T:
        """A struct with its numbers rounded, and those of the structs in it."""
        if id(part) in self.unchanged:
            return part
        kind = type(part)
        if kind is model.Tensor:
            tensor: T = self.tensor(part)
            return tensor
        precisions = FIELDS.get(kind, {})
        changes: dict[str, Any] = {}
        for name in _fields_to_walk(kind):
            before = getattr(part, name)
            if before is None or id(before) in self.unchanged:
                continue
            after = self.value(before, precisions[name]) if name in precisions else self.parts(before)
            if after is not before:
                changes[name] = after
        return msgspec.structs.replace(part, **changes) if changes else part

    def parts(self, value: Any) -> Any:  # noqa: ANN401 - any field of the model
        """A struct, or a tuple of structs; anything else is returned itself."""
        if isinstance(value, msgspec.Struct):
            return self.part(value)
        if type(value) is not tuple or not value:
            return value
        after = tuple([self.parts(member) for member in value])
        return after if any(new is not old for new, old in zip(after, value, strict=True)) else value

    def value(self, value: Any, precision: Precision) -> Any:  # noqa: ANN401 - numbers in a field of the model
        """A number, a tuple of numbers or a map of them, rounded; None stays."""
        if isinstance(value, float):
            return self.number(value, precision)
        if isinstance(value, tuple):
            after = tuple([self.number(member, precision) for member in value])
            return after if any(new is not old for new, old in zip(after, value, strict=True)) else value
        if isinstance(value, Mapping):
            changed = {key: self.value(member, precision) for key, member in value.items()}
            return changed if any(changed[key] is not value[key] for key in value) else value
        return value

    def number(self, value: float, precision: Precision) -> float:
        if value == 0:
            return value + 0.0 if math.copysign(1.0, value) < 0 else value
        return self.kept(value, round_number(value, precision))

    def kept(self, before: float, after: float) -> float:
        """The number after rounding, unless it is the same or was given; −0 is not the same as 0."""
        if after == before and (before or not math.copysign(1.0, before) < 0):
            return before
        if before and before in self.given():
            return before
        return self.retraced(before, after) if self.retraces else after

    @cached_property
    def sorted_given(self) -> list[float]:
        return sorted(self.given())

    def retraced(self, before: float, after: float) -> float:
        """The given number that a number differs from by rounding errors only; else the number after rounding."""
        tolerance = RETRACED * max(1.0, abs(before))
        index = bisect_left(self.sorted_given, before - tolerance)
        nearest = self.sorted_given[index : index + 1]
        return nearest[0] if nearest and nearest[0] and nearest[0] <= before + tolerance else after

    def tensor(self, tensor: Any) -> Any:  # noqa: ANN401 - a Tensor, which is also the T of `part`
        """A tensor, all of whose entries have the decimals of the largest one."""
        entries = msgspec.structs.astuple(tensor)
        largest = max(map(abs, entries))
        if not largest < LARGE:
            return tensor
        decimals = _decimals_of(largest, TENSOR.digits)
        after = [self.kept(entry, round(entry, decimals) + 0.0) for entry in entries]
        is_same = all(new is old for new, old in zip(after, entries, strict=True))
        return tensor if is_same else model.Tensor(*after)


_WALKED: dict[type, tuple[str, ...]] = {}


def _fields_to_walk(kind: type) -> tuple[str, ...]:
    """The fields of a struct that may have numbers to round: those of the table, and those that contain structs."""
    if kind not in _WALKED:
        names = []
        for field in msgspec.structs.fields(kind):
            if field.name in FIELDS.get(kind, {}) or _has_structs(field.type):
                names.append(field.name)
        _WALKED[kind] = tuple(names)
    return _WALKED[kind]


def _has_structs(annotation: Any) -> bool:  # noqa: ANN401 - a type, or a union or tuple of types
    if isinstance(annotation, type) and issubclass(annotation, msgspec.Struct):
        return annotation is not model.Entity and annotation is not model.Why
    return any(map(_has_structs, getattr(annotation, "__args__", ())))


# ---- the numbers that were given


_NUMERAL = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")


def numbers_in(value: Any) -> Iterator[float]:  # noqa: ANN401 - structs, maps, lists and plain values
    """All numbers in a value; a text such as `12.5 mm` has the number in SI, which is what it is read as."""
    if isinstance(value, float):
        yield value
    elif isinstance(value, str):
        yield from _numbers_in_text(value)
    elif isinstance(value, model.Data):
        numbers: set[float] = set()
        _collect(value, numbers)
        yield from numbers
    elif isinstance(value, msgspec.Struct):
        for name in value.__struct_fields__:
            yield from numbers_in(getattr(value, name))
    elif isinstance(value, Mapping):
        for member in value.values():
            yield from numbers_in(member)
    elif isinstance(value, tuple | list):
        for member in value:
            yield from numbers_in(member)


def _collect(part: Any, numbers: set[float]) -> None:  # noqa: ANN401 - any part of the model
    """Add the numbers of a part of the model that can be rounded, to a set because a large robot has many."""
    kind = type(part)
    if kind is model.Tensor:
        numbers.update(msgspec.structs.astuple(part))
        return
    precisions = FIELDS.get(kind, {})
    for name in _fields_to_walk(kind):
        value = getattr(part, name)
        if name not in precisions:
            for member in value if type(value) is tuple else (value,):
                if member is not None:
                    _collect(member, numbers)
        elif type(value) is float:
            numbers.add(value)
        elif type(value) is tuple:
            numbers.update(value)
        elif isinstance(value, Mapping):
            numbers.update(numbers_in(value))


def _numbers_in_text(text: str) -> Iterator[float]:
    from swgrm.errors import SettingsError
    from swgrm.settings.units import UNITS, quantity

    if not _NUMERAL.match(text.lstrip()):
        return
    kinds = " or ".join({measured: None for measured, _ in UNITS.values()})
    try:
        yield quantity(text, kinds, ())
    except SettingsError:
        return
