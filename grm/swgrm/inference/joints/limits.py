"""Ranges of joints from limit mates: where the value that the mate measures meets its minimum and its maximum.

Let value(q) be what the mate measures as one joint moves from the assembled pose. The range is the interval around
q = 0 on which minimum ≤ value(q) ≤ maximum. An angle about the joint's own axis is taken signed and unwrapped; a
distance to a plane or along a slide goes on through zero.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from swgrm.inference.joints.scalar_joints import Coordinate
from swgrm.inference.geometry.equations import Form, Placed, measure
from swgrm.inference.geometry.twists import Array, cross, move_directions, move_points, unit
from swgrm.inference.mates.types import Feature, Mate, MateType, NotUnderstood
from swgrm.inference.mates.table import look_up
from swgrm.inference.geometry.relations import Features
from swgrm.model import JointType

SAME = 1e-7  # [m or rad] a value that changes less than this does not depend on the joint
FLAT = 1e-5  # [rad or m] nearer than this to a turning point, a value has no side
HALF_TURNS = 4  # how far an angle is followed to each side
GRID = 721


@dataclass(frozen=True, slots=True)
class Range:
    """What a limit mate allows a joint."""

    lower: float | None
    upper: float | None
    is_assumed: bool = False  # the side was not settled by geometry
    is_outside: bool = False  # the assembled pose is out of range

    def narrowed(self, other: Range) -> Range:
        """What two limits allow together."""
        lowers = [bound for bound in (self.lower, other.lower) if bound is not None]
        uppers = [bound for bound in (self.upper, other.upper) if bound is not None]
        return Range(max(lowers, default=None), min(uppers, default=None), self.is_assumed or other.is_assumed)


Value = Callable[[Array], Array]


def measured_features(mate: Mate, *, as_filed: bool = False) -> tuple[Feature, Feature]:
    """The two features that a limit measures between: a hinge's last two, else the first two."""
    features = mate.as_filed if as_filed and mate.as_filed else mate.features
    if mate.type is MateType.HINGE:
        if len(features) < 6:
            raise NotUnderstood("it limits its angle, but its angle entities are missing")
        return features[4], features[5]
    if len(features) < 2:
        raise NotUnderstood(f"it has {len(features)} of the two entities that it measures between")
    return features[0], features[1]


def range_of(mate: Mate, coordinate: Coordinate, sign: float) -> Range | None:
    """The range of a joint under a limit mate, if what the mate measures depends on it.

    `sign` says how the joint moves the second feature relative to the first.
    """
    first, second = measured_features(mate)
    if mate.type is MateType.DISTANCE:
        return _distance_range(mate, first, second, coordinate, sign)
    return _angle_range(mate, first, second, coordinate, sign)


def _moved(second: Feature, coordinate: Coordinate, sign: float, q: Array) -> tuple[Array, Array]:
    T = coordinate.motion(q, sign)
    direction = unit(np.array(second.direction, float))
    return move_points(T, np.broadcast_to(second.point, (len(q), 3))), move_directions(
        T, np.broadcast_to(direction, (len(q), 3))
    )


def _distance_range(mate: Mate, first: Feature, second: Feature, coordinate: Coordinate, sign: float) -> Range | None:
    tie = look_up(MateType.DISTANCE, first, second)
    if tie.first is not first:
        sign = -sign
    stack = [
        Features(np.zeros(1, np.intp), np.array([f.point]), unit(np.array([f.direction])))
        for f in (tie.first, tie.second)
    ]
    measured = [term for term in tie.relation(*stack) if term.form is not Form.ALIGN]
    term = measured[-1]
    a = term.a[0]

    def raw(q: Array) -> Array:
        x, b = _moved(tie.second, coordinate, sign, q)
        form = np.full(len(q), int(term.form))
        wide = [np.broadcast_to(v, (len(q), 3)) for v in (tie.first.point, a)]
        return measure(form, Placed(wide[0], wide[1], x, b, np.zeros_like(x), np.zeros(len(q))))

    start = float(raw(np.zeros(1))[0])
    side = -1.0 if start < 0 else 1.0
    shift = 0.0 if mate.value is None else abs(mate.value) - _measured(mate, term.form)
    is_assumed = term.form is Form.OFFSET and abs(start) < FLAT
    reach = 4 * (abs(mate.maximum or 0.0) + abs(start)) + 1.0
    return _solve(mate, lambda q: side * raw(q) + shift, reach, is_assumed=is_assumed)


def _measured(mate: Mate, form: Form) -> float:
    """The distance between the features where the mate's value was read."""
    tie = look_up(MateType.DISTANCE, *measured_features(mate, as_filed=True))
    p, x = np.array([tie.first.point]), np.array([tie.second.point])
    a, b = (unit(np.array([f.direction], float)) for f in (tie.first, tie.second))
    return abs(float(measure(np.array([int(form)]), Placed(p, a, x, b, p, np.zeros(1)))[0]))


def _angle_between(first: Feature, second: Feature) -> float:
    a, b = unit(np.array([first.direction, second.direction], float))
    return float(np.arctan2(np.linalg.norm(cross(a, b)), a @ b))


def _angle_range(mate: Mate, first: Feature, second: Feature, coordinate: Coordinate, sign: float) -> Range | None:
    a = unit(np.array(first.direction, float))
    axis = coordinate.move.axis
    if coordinate.move.type is JointType.PRISMATIC:
        return None
    b = unit(np.array(second.direction, float))
    geometric = _angle_between(first, second)
    way, off = _way_of_measuring(mate)
    if max(abs(a @ axis), abs(b @ axis)) < 1e-6:
        side = 1.0 if float(axis @ cross(a, b)) * sign >= 0 else -1.0
        is_assumed = min(geometric, np.pi - geometric) < FLAT or off > 1e-4
        start, slope = way.base + way.grows * geometric, side * way.grows
        reach = HALF_TURNS * np.pi
        return _solve(mate, lambda q: start + slope * q, reach, is_assumed=is_assumed)

    def unsigned(q: Array) -> Array:
        _, moved = _moved(second, coordinate, sign, q)
        wide = np.broadcast_to(a, moved.shape)
        angles: Array = np.arctan2(np.linalg.norm(cross(wide, moved), axis=1), moved @ a)
        return angles

    return _solve(mate, lambda q: way.base + way.grows * unsigned(q), HALF_TURNS * np.pi, is_assumed=off > 1e-4)


@dataclass(frozen=True, slots=True)
class _Way:
    """How a mate's angle comes from the angle between its directions: base + grows · angle."""

    base: float
    grows: float


_WAYS = (_Way(0.0, 1.0), _Way(np.pi, -1.0), _Way(2 * np.pi, -1.0), _Way(np.pi, 1.0))


def _way_of_measuring(mate: Mate) -> tuple[_Way, float]:
    """The way of measuring that gives the mate's value (the angle, its supplement, or either past half a turn)."""
    if mate.value is None:
        return _WAYS[0], 0.0
    angle = _angle_between(*measured_features(mate, as_filed=True))
    offs = [abs(mate.value - way.base - way.grows * angle) for way in _WAYS]
    best = int(np.argmin(np.round(offs, 9)))
    return _WAYS[best], offs[best]


def _solve(mate: Mate, value: Value, reach: float, *, is_assumed: bool) -> Range | None:
    """The interval around zero on which the value stays within the mate's bounds."""
    if mate.minimum is None or mate.maximum is None:
        return None
    step = reach / GRID
    sides = []
    start = float(value(np.zeros(1))[0])
    grid: Array = np.arange(GRID + 1.0) * step
    both = [value(grid), value(-grid)]
    if max(np.abs(side - start).max() for side in both) < SAME:
        return None
    if not mate.minimum - FLAT <= start <= mate.maximum + FLAT:
        return Range(None, None, is_outside=True)
    for direction, values in zip((1.0, -1.0), both, strict=True):
        sides.append(_leave(value, grid * direction, values, (mate.minimum, mate.maximum)))
    return Range(sides[1], sides[0], is_assumed)


def _leave(value: Value, grid: Array, values: Array, bounds: Sequence[float]) -> float | None:
    """The first place along the grid where the value leaves the bounds."""
    low, high = bounds
    inside = (values >= low - SAME) & (values <= high + SAME)
    outside = np.flatnonzero(~inside)
    if len(outside) == 0:
        return None
    k = int(outside[0])
    bound = high if values[k] > high else low

    def gap(q: float) -> float:
        return float(value(np.array([q]))[0]) - bound

    a, b = float(grid[max(k - 1, 0)]), float(grid[k])
    from scipy.optimize import brentq  # half a second to load, and few assemblies come here

    return a if gap(a) * gap(b) > 0 else float(brentq(gap, a, b, xtol=1e-15, rtol=1e-14))
