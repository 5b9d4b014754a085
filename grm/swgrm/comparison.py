"""Whether two robots are the same, whatever the order and the rounding; if not, what differs."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import replace

from swgrm.inertia import matrix_tensor, tensor_matrix
from swgrm.model import Frame, Inertial, LoopJoint, Quat, Robot, Tensor


class Difference(NamedTuple):
    """A place where two robots differ, and what each has there; None where one has nothing."""

    where: str
    left: object
    right: object

    def __str__(self) -> str:
        return f"{self.where}: {_said(self.left)} against {_said(self.right)}"


class Comparison(NamedTuple):
    """The differences between two robots; true if there are none."""

    differences: tuple[Difference, ...]

    def __bool__(self) -> bool:
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
        )
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
    """Every single thing that a robot says, by its place; things with names by their names, not their order."""
    if isinstance(value, Tensor):
        yield where, _Relative(msgspec.structs.astuple(value))
    elif isinstance(value, msgspec.Struct):
        yield from _struct_leaves(_normal(value), where)
    elif isinstance(value, Mapping):
        yield from ((f"{where}[{key}]", inner) for key, inner in value.items())
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
    """The same with its defaults said: names that follow from ids, tensors in the frame's axes."""
    if isinstance(value, Frame):
        joint = value.joint and replace(value.joint, name=value.joint_name)
        return replace(value, name=value.name or value.id, joint=joint)
    if isinstance(value, Inertial) and value.tensor is not None:
        return replace(value, tensor=matrix_tensor(tensor_matrix(value)), axes=(0.0, 0.0, 0.0, 1.0))
    return value


def _keys(items: tuple[Any, ...]) -> list[str]:
    """What tells the items apart: their ids or names if those are unique, else their order."""
    names = [
        item.joint.name if isinstance(item, LoopJoint) else getattr(item, "id", "") or getattr(item, "name", "")
        for item in items
    ]
    return names if all(names) and len(set(names)) == len(names) else [str(index) for index in range(len(items))]


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


def _said(value: object) -> str:
    if isinstance(value, _Turn | _Relative):
        value = value[0] if len(value[0]) > 1 else value[0][0]
    return "nothing" if value is None else str(value)
