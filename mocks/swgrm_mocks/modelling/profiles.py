"""Closed profiles of lines and arcs in a sketch plane: outlines for meshes, and exact moments by Green's theorem."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from swgrm.transforms import Array
from swgrm_mocks.modelling.triangulation import SAME, is_inside

STEPS = 96  # edges of a mesh around a full circle
NODES, WEIGHTS = np.polynomial.legendre.leggauss(24)  # exact to rounding for the moments of an arc


class ProfileSegment(NamedTuple):
    """A line from start to end, or an arc about a centre by an angle [rad], counter-clockwise if it is positive."""

    start: tuple[float, float]
    end: tuple[float, float]
    center: tuple[float, float] | None = None
    angle: float = 0.0

    @property
    def radius(self) -> float:
        """Of an arc; 0 for a line."""
        return math.dist(self.start, self.center) if self.center else 0.0

    def reversed(self) -> ProfileSegment:
        """The segment run through from its end to its start."""
        return ProfileSegment(self.end, self.start, self.center, -self.angle)

    def at(self, t: Array) -> Array:
        """Its points at parameters between 0 and 1.  # (n,) → (n, 2)."""
        start, end = np.array(self.start), np.array(self.end)
        if self.center is None:
            line: Array = start + np.asarray(t)[:, None] * (end - start)
            return line
        first = math.atan2(*(start - self.center)[::-1])
        angles = first + np.asarray(t) * self.angle
        return np.array(self.center) + self.radius * np.stack([np.cos(angles), np.sin(angles)], axis=1)

    def rate(self, t: Array) -> Array:
        """The derivative of its points by the parameter.  # (n,) → (n, 2)."""
        if self.center is None:
            return np.broadcast_to(np.subtract(self.end, self.start), (len(t), 2)).astype(float)
        x, y = (self.at(t) - np.array(self.center)).T
        return self.angle * np.stack([-y, x], axis=1)

    def outline(self, corners: Array | None = None) -> Array:
        """The corners of its polygon for a mesh, without the last one; a line also has those that it meets.

        # (n, 2).
        """
        if self.center is None:
            return self.at(np.array([0.0, *self._meets(corners)]))
        count = max(1, math.ceil(STEPS * abs(self.angle) / (2 * math.pi)))
        return self.at(np.arange(count) / count)

    def _meets(self, corners: Array | None) -> list[float]:
        """The parameters of the corners that are on a line, between its ends."""
        if corners is None:
            return []
        start, along = np.array(self.start), np.subtract(self.end, self.start)
        length = float(np.linalg.norm(along))
        offsets = corners - start
        t = offsets @ along / length**2
        beside = np.abs(offsets[:, 0] * along[1] - offsets[:, 1] * along[0]) / length
        found = t[(beside < SAME) & (t * length > SAME) & ((1 - t) * length > SAME)]
        return sorted({round(float(each), 9): float(each) for each in found}.values())


class Loop(NamedTuple):
    """A closed chain of segments, counter-clockwise; a circle is one segment."""

    segments: tuple[ProfileSegment, ...]

    def polygon(self, corners: Array | None = None) -> Array:
        """Its polygon for a mesh, with those corners of other loops that it meets.  # (n, 2)."""
        return np.concatenate([segment.outline(corners) for segment in self.segments])

    def moment(self, i: int, j: int) -> float:
        """∫∫ xⁱ yʲ dA over its inside, as the boundary integral ∮ xⁱ⁺¹ yʲ / (i + 1) dy."""
        total = 0.0
        for segment in self.segments:
            t = (NODES + 1) / 2
            x, y = segment.at(t).T
            total += float((WEIGHTS / 2) @ (x ** (i + 1) * y**j * segment.rate(t)[:, 1])) / (i + 1)
        return total

    def contains(self, point: Sequence[float], *, with_edge: bool) -> bool:
        """Whether a point is inside its polygon, or on its edge."""
        corners = self.polygon()
        if _edge_distance(corners, np.asarray(point)) < SAME:
            return with_edge
        return is_inside(corners, np.asarray(point))

    def is_inside(self, other: Loop) -> bool:
        """Whether it is inside another loop; it may touch it."""
        return all(other.contains(corner, with_edge=True) for corner in self.polygon())

    def crosses(self, other: Loop) -> bool:
        """Whether the two outlines meet, so that neither contains the other and they are not apart."""
        ends = [self.is_inside(other), other.is_inside(self)]
        apart = not any(other.contains(corner, with_edge=False) for corner in self.polygon())
        apart &= not any(self.contains(corner, with_edge=False) for corner in other.polygon())
        return not (any(ends) or apart)


def _edge_distance(corners: Array, point: Array) -> float:
    """The distance of a point from the edges of a polygon."""
    along = np.roll(corners, -1, axis=0) - corners
    t = np.einsum("ij,ij->i", point - corners, along) / np.einsum("ij,ij->i", along, along)
    foot = corners + np.clip(t, 0.0, 1.0)[:, None] * along
    return float(np.linalg.norm(foot - point, axis=1).min())


def circle(x: float, y: float, radius: float) -> Loop:
    """A circle."""
    return Loop((ProfileSegment((x + radius, y), (x + radius, y), (x, y), 2 * math.pi),))


def rectangle(x1: float, y1: float, x2: float, y2: float) -> list[ProfileSegment]:
    """The four sides of a rectangle between two corners."""
    corners = [(x1, y1), (x2, y1), (x2, y2), (x1, y2)]
    return [ProfileSegment(a, b) for a, b in zip(corners, corners[1:] + corners[:1], strict=True)]


def slot(x1: float, y1: float, x2: float, y2: float, width: float) -> list[ProfileSegment]:
    """The outline of a straight slot between the centres of its two ends."""
    along = np.subtract((x2, y2), (x1, y1)) / math.dist((x1, y1), (x2, y2))
    side = width / 2 * np.array([along[1], -along[0]])
    one, two = np.array([x1, y1]), np.array([x2, y2])
    a, b, c, d = (_point(p) for p in (one + side, two + side, two - side, one - side))
    return [
        ProfileSegment(a, b),
        ProfileSegment(b, c, (x2, y2), math.pi),
        ProfileSegment(c, d),
        ProfileSegment(d, a, (x1, y1), math.pi),
    ]


def arc(center: Sequence[float], start: Sequence[float], end: Sequence[float], direction: int) -> ProfileSegment:
    """An arc between two points, counter-clockwise if the direction is positive; a circle if they are one."""
    first, last = (math.atan2(p[1] - center[1], p[0] - center[0]) for p in (start, end))
    angle = (last - first) % (2 * math.pi) if direction > 0 else -((first - last) % (2 * math.pi))
    if math.dist(start, end) < SAME:
        angle = math.copysign(2 * math.pi, direction)
    return ProfileSegment(_point(start), _point(end), _point(center), angle)


def loops(segments: Iterable[ProfileSegment]) -> list[Loop]:
    """The closed loops that segments in any order form; an open chain is a ValueError."""
    rest = list(segments)
    found = []
    while rest:
        chain = [rest.pop(0)]
        while math.dist(chain[-1].end, chain[0].start) > SAME:
            chain.append(_next(chain[-1].end, rest))
        found.append(_counter_clockwise(chain))
    return found


def _next(end: tuple[float, float], rest: list[ProfileSegment]) -> ProfileSegment:
    for number, segment in enumerate(rest):
        if math.dist(segment.start, end) < SAME:
            return rest.pop(number)
        if math.dist(segment.end, end) < SAME:
            return rest.pop(number).reversed()
    raise ValueError("The profile is open.")


def _counter_clockwise(chain: list[ProfileSegment]) -> Loop:
    loop = Loop(tuple(chain))
    if loop.moment(0, 0) < 0:
        return Loop(tuple(segment.reversed() for segment in reversed(chain)))
    return loop


def _point(numbers: Iterable[float]) -> tuple[float, float]:
    x, y = (float(number) for number in numbers)
    return x, y
