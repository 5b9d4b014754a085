"""Values of USD as typed ones: numbers, vectors, quaternions, paths."""

from __future__ import annotations

import math
from typing import Any

from swgrm.model import Quat, Vec3
from swgrm_exporters.usd.parsing import PrimPath, PrimSpec, UsdProblem


def number(value: Any) -> float | None:  # noqa: ANN401 - a value of USD
    """A number, or nothing."""
    is_number = isinstance(value, int | float) and not isinstance(value, bool) and not math.isnan(value)
    return float(value) if is_number else None


def text(value: Any) -> str:  # noqa: ANN401 - a value of USD
    """A text; empty if it is none."""
    return value if isinstance(value, str) else ""


def target(value: Any) -> str:  # noqa: ANN401 - a value of USD
    """The path that a relationship has as its only target; empty if it has none."""
    if isinstance(value, list) and len(value) == 1:
        value = value[0]
    return str(value) if isinstance(value, PrimPath) else ""


def vector(spec: PrimSpec, name: str, default: Vec3 = (0.0, 0.0, 0.0)) -> Vec3:
    """Three numbers."""
    values = _numbers(spec, name, 3)
    return default if values is None else (values[0], values[1], values[2])


def quaternion(spec: PrimSpec, name: str) -> Quat:
    """A rotation, scalar last; none where it is absent."""
    values = _numbers(spec, name, 4)
    if values is None:
        return (0.0, 0.0, 0.0, 1.0)
    w, x, y, z = values
    length = math.hypot(x, y, z, w)
    if not 0.5 < length < 2:
        raise UsdProblem(f"the quaternion {name} of {spec.path} has a length that is not one")
    return (x / length, y / length, z / length, w / length)


def _numbers(spec: PrimSpec, name: str, count: int) -> list[float] | None:
    value = spec.attributes.get(name)
    if value is None:
        return None
    found = [each for each in map(number, value) if each is not None] if isinstance(value, tuple) else []
    if len(found) != count or not all(map(math.isfinite, found)):
        raise UsdProblem(f"{name} of {spec.path} is not a tuple of {count} finite numbers")
    return found
