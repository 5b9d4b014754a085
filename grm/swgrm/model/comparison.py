"""The differences between two robots, regardless of order and rounding."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import replace

from swgrm.model import Actuator, CutLoop, Frame, Inertial, JointType, LoopJoint, Quat, Relation, Robot, Tensor
from swgrm.transforms import rotated_tensor


class Difference(NamedTuple):
    """A place where two robots differ, with the value of each; None where one has no value."""

    where: str
    left: object
    right: object

    def __str__(self) -> str:
        return f"{self.where}: {_text(self.left)} against {_text(self.right)}"


class Comparison(NamedTuple):
    """The differences between two robots, and the robots."""

    differences: tuple[Difference, ...]
    old: Robot | None = None
    new: Robot | None = None

    @property
    def is_same(self) -> bool:
        """Whether there are none."""
        return not self.differences

    def __str__(self) -> str:
        return "\n".join(map(str, self.differences)) or "the same"


def compare(left: Robot, right: Robot, tolerance: float = 1e-9) -> Comparison:
    """What differs: numbers by more than the tolerance (relative above one, masses and tensors always relative)."""
    a, b = dict(_leaves(left, "robot")), dict(_leaves(right, "robot"))
    places = [*a, *(place for place in b if place not in a)]
    return Comparison(
        tuple(
            Difference(place, a.get(place), b.get(place))
            for place in places
            if not _alike(a.get(place), b.get(place), tolerance)
        ),
        left,
        right,
    )


_QUATERNIONS = {"rot", "axes"}
_RELATIVE = {"mass"}


class _Turn(NamedTuple):
    """A quaternion: its sign does not matter."""

    q: Quat


class _Relative(NamedTuple):
    """Numbers that are compared with the largest among them."""

    numbers: tuple[float, ...]


def _leaves(value: Any, where: str) -> Iterator[tuple[str, Any]]:  # noqa: ANN401 - any part of a robot
    """Every single value of a robot, by its place; objects with names by their names instead of their order."""
    if isinstance(value, Tensor):
        yield where, _Relative(msgspec.structs.astuple(value))
    elif isinstance(value, msgspec.Struct):
        yield from _struct_leaves(_normal(value), where)
    elif isinstance(value, Mapping):
        for key, inner in value.items():
            leaf = not isinstance(inner, Mapping) or not inner  # a sensor's parameters may nest
            yield from [(f"{where}[{key}]", inner)] if leaf else _leaves(inner, f"{where}[{key}]")
    elif isinstance(value, tuple) and value and isinstance(value[0], msgspec.Struct):
        for key, item in zip(_keys(value), value, strict=True):
            yield from _leaves(item, f"{where}[{key}]")
    elif value is not None and value != ():
        yield where, value


def _struct_leaves(value: msgspec.Struct, where: str) -> Iterator[tuple[str, Any]]:
    if tag := value.__struct_config__.tag:
        yield f"{where}.type", tag
    for name in value.__struct_fields__:
        inner = getattr(value, name)
        if name in _QUATERNIONS:
            yield f"{where}.{name}", _Turn(inner)
        elif name in _RELATIVE:
            yield f"{where}.{name}", _Relative((inner,))
        else:
            yield from _leaves(inner, f"{where}.{name}")


def _normal(value: Any) -> Any:  # noqa: ANN401 - a field of the model, of any type
    """The same value in one of its equivalent forms.

    Names that default to ids are given, fixed joints without an axis have the default one, tensors are in the frame's
    axes, and a relation has 1 as its first coefficient.
    """
    if isinstance(value, Frame):
        joint = value.joint and replace(value.joint, name=value.joint_name)
        if joint is not None and joint.type is JointType.FIXED and not any(joint.axis):
            joint = replace(joint, axis=(0.0, 0.0, 1.0))
        return replace(value, name=value.name or value.id, joint=joint)
    if isinstance(value, Inertial) and value.tensor is not None:
        tensor = Tensor(*rotated_tensor(msgspec.structs.astuple(value.tensor), value.axes))
        return replace(value, tensor=tensor, axes=(0.0, 0.0, 0.0, 1.0))
    if isinstance(value, Relation) and (first := value.terms.get(min(value.terms, default=""))):
        terms = {name: coefficient / first for name, coefficient in value.terms.items()}
        return Relation(terms, value.offset / first)
    return value


def _keys(items: tuple[Any, ...]) -> list[str]:
    """What distinguishes the items: their ids or names if those are unique, else their order."""
    names = [item_name(item) for item in items]
    return names if all(names) and len(set(names)) == len(names) else [str(index) for index in range(len(items))]


def item_name(item: Any) -> str:  # noqa: ANN401 - an item of the model, of any type
    """What distinguishes an item of the model from the others of its kind; empty if it has no name."""
    if isinstance(item, CutLoop):
        item = item.loop
    if isinstance(item, LoopJoint):
        return item.joint.name
    if isinstance(item, Relation):
        return ", ".join(sorted(item.terms))
    joint = item.joint if isinstance(item, Actuator) else ""
    return getattr(item, "id", "") or getattr(item, "name", "") or joint


def _alike(a: Any, b: Any, tolerance: float) -> bool:  # noqa: ANN401 - fields of the model, of any type
    if isinstance(a, _Turn) and isinstance(b, _Turn):
        return _close(a.q, b.q, tolerance, 1.0) or _close(a.q, tuple(-v for v in b.q), tolerance, 1.0)
    if isinstance(a, _Relative) and isinstance(b, _Relative):
        return _close(a.numbers, b.numbers, tolerance, 0.0)
    if _is_numbers(a) and _is_numbers(b):
        return _close(a, b, tolerance, 1.0)
    if isinstance(a, int | float) and isinstance(b, int | float):
        return _close((a,), (b,), tolerance, 1.0)
    return bool(a == b)


def _is_numbers(value: object) -> bool:
    return isinstance(value, tuple) and all(isinstance(item, float | int) for item in value)


def _close(a: tuple[float, ...], b: tuple[float, ...], tolerance: float, least: float) -> bool:
    scale = max(least, *(abs(v) for v in (*a, *b)))
    return len(a) == len(b) and all(
        x == y or math.isclose(x, y, rel_tol=0, abs_tol=tolerance * scale) for x, y in zip(a, b, strict=True)
    )


def plain_value(value: object) -> object:
    """A value of a difference as the model has it."""
    if isinstance(value, _Turn | _Relative):
        return value[0] if len(value[0]) > 1 else value[0][0]
    return value


def _text(value: object) -> str:
    return "nothing" if value is None else str(plain_value(value))
