"""Vectors as three plain numbers: single ones are computed many times faster so than as arrays."""

from __future__ import annotations

import math
from collections.abc import Sequence

Vector = tuple[float, float, float]
Three = Sequence[float]


def cross(a: Three, b: Three) -> Vector:
    """The cross product a × b."""
    (a0, a1, a2), (b0, b1, b2) = a, b
    return a1 * b2 - a2 * b1, a2 * b0 - a0 * b2, a0 * b1 - a1 * b0


def dot(a: Three, b: Three) -> float:
    """The product a · b; the last digit may differ from the one that arrays give."""
    (a0, a1, a2), (b0, b1, b2) = a, b
    return a0 * b0 + a1 * b1 + a2 * b2


def unit(a: Three) -> Vector:
    """The vector with length one, to the same digits as of arrays; a zero vector stays zero."""
    x, y, z = a
    length = math.sqrt(x * x + y * y + z * z)
    return (x / length, y / length, z / length) if length > 0 else (0.0, 0.0, 0.0)


def difference(a: Three, b: Three) -> Vector:
    """The vector a - b."""
    (a0, a1, a2), (b0, b1, b2) = a, b
    return a0 - b0, a1 - b1, a2 - b2


def angle_between(a: Three, b: Three) -> float:
    """The angle between two vectors [rad], 0 if one of them is zero."""
    return math.atan2(math.hypot(*cross(a, b)), dot(a, b))
