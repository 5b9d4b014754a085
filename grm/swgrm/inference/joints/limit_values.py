"""What a limit mate measures as its second entity moves relative to its first, and the range that it allows.

A distance to a plane or along a line continues through zero. An angle about an axis that stays perpendicular to both
directions is signed and unwrapped; any other angle is between 0 and 180°.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from swgrm.inference.geometry.equations import EquationForm, PlacedEquations, measure
from swgrm.inference.geometry.relations import EntityStack
from swgrm.inference.geometry.twists import Array, cross, move_directions, move_points, unit
from swgrm.inference.joints.scalar_joints import ScalarJoint
from swgrm.inference.mates.entity_pairs import DISTANCE, look_up
from swgrm.inference.mates.types import MateNotUnderstood, MateType, PlacedEntity, PlacedMate
from swgrm.model import JointType
from swgrm.transforms import inverse

SAME = 1e-7  # [m or rad] a value that changes less than this does not depend on the joint
FLAT = 1e-5  # [rad or m] nearer than this to a turning point, a value has no side
ACROSS = 1e-6  # cosine of the angle between an axis and a direction that is perpendicular to it
HALF_TURNS = 4  # how far an angle is followed to each side
GRID = 721
FINER = 65  # points of each finer grid in an interval that contains a bound
RESOLUTION = 2e-16  # of a bound, relative beyond 1


@dataclass(frozen=True, slots=True)
class JointRange:
    """The positions that a limit mate allows a joint."""

    lower: float | None
    upper: float | None
    is_assumed: bool = False  # the side was not settled by geometry
    is_outside: bool = False  # the assembled pose is out of range

    def scaled(self, factor: float) -> JointRange:
        """The range of a joint that is `factor` times this one."""
        bounds = [bound if bound is None else bound * factor for bound in (self.lower, self.upper)]
        lower, upper = bounds if factor > 0 else bounds[::-1]
        return JointRange(lower, upper, self.is_assumed)

    def narrowed(self, other: JointRange) -> JointRange:
        """What two limits allow together."""
        lowers = [bound for bound in (self.lower, other.lower) if bound is not None]
        uppers = [bound for bound in (self.upper, other.upper) if bound is not None]
        return JointRange(max(lowers, default=None), min(uppers, default=None), self.is_assumed or other.is_assumed)


Value = Callable[[Array], Array]
Steps = Sequence[tuple[ScalarJoint, float]]  # joints from the first body to the second, each with its rate


def motion(steps: Steps, q: Array) -> Array:
    """The motions of the second body relative to the first, at many positions of what the rates refer to.

    They are in the assembly's space, at the assembled pose.  # (n,) → (n, 4, 4).
    """
    T = np.broadcast_to(np.eye(4), (len(q), 4, 4))
    for scalar, rate in steps:
        T = T @ scalar.motion(q, rate)
    return T


def measured_entities(mate: PlacedMate, *, as_filed: bool = False) -> tuple[PlacedEntity, PlacedEntity]:
    """The two entities that a limit measures between: a hinge's last two, else the first two."""
    entities = mate.as_filed if as_filed and mate.as_filed else mate.entities
    if mate.type is MateType.HINGE:
        if len(entities) < 6:
            raise MateNotUnderstood("it limits its angle, but its angle entities are missing")
        return entities[4], entities[5]
    if len(entities) < 2:
        raise MateNotUnderstood(f"it has {len(entities)} of the two entities that it measures between")
    return entities[0], entities[1]


def range_of(mate: PlacedMate, steps: Steps) -> JointRange | None:
    """The range of q under a limit mate, if what the mate measures depends on it."""
    if mate.type is MateType.DISTANCE:
        gauge = DistanceGauge(mate)
        reach = 4 * (abs(mate.maximum or 0.0) + abs(gauge.start)) + 1.0
        return _solve(mate, lambda q: gauge.values(motion(steps, q)), reach, is_assumed=gauge.is_assumed)
    return _angle_range(mate, steps)


class DistanceGauge:
    """The distance that a limit mate measures, as a function of motions of its second entity relative to its first."""

    def __init__(self, mate: PlacedMate) -> None:
        first, second = measured_entities(mate)
        self._related = look_up(DISTANCE, MateType.DISTANCE, first, second)
        self._is_swapped = self._related.first is not first
        stack = [
            EntityStack(np.zeros(1, np.intp), np.array([f.point]), unit(np.array([f.direction])))
            for f in (self._related.first, self._related.second)
        ]
        terms = self._related.relation(*stack)
        self._term = [term for term in terms if term.form is not EquationForm.ALIGN][-1]
        start = float(self._raw(np.eye(4)[None])[0])
        self._side = -1.0 if start < -FLAT else 1.0
        self._shift = 0.0 if mate.value is None else abs(mate.value) - _measured(mate, self._term.form)
        self.start = abs(start) + self._shift
        self.is_assumed = self._term.form is EquationForm.OFFSET and abs(start) < FLAT

    def _raw(self, T: Array) -> Array:
        count = len(T)
        T = inverse(T) if self._is_swapped else T
        second = self._related.second
        direction = unit(np.array(second.direction, float))
        x = move_points(T, np.broadcast_to(second.point, (count, 3)))
        b = move_directions(T, np.broadcast_to(direction, (count, 3)))
        p, a = (np.broadcast_to(v, (count, 3)) for v in (self._related.first.point, self._term.a[0]))
        placed = PlacedEquations(p, a, x, b, np.zeros_like(x), np.zeros(count))
        return measure(np.full(count, int(self._term.form)), placed)

    def values(self, T: Array) -> Array:
        """The distances after motions.  # (n, 4, 4) → (n,) [m]."""
        values: Array = self._side * self._raw(T) + self._shift
        return values

    def after(self, T: Array, _last: float) -> float:
        """The distance after a motion.  # (4, 4) → [m]."""
        return float(self.values(T[None])[0])


class AngleGauge:
    """The angle that a limit mate measures, along a motion of its second entity relative to its first."""

    def __init__(self, mate: PlacedMate, axes: Sequence[Array]) -> None:
        """`axes` are those that the bodies may rotate about: one of them gives the sense where no geometry does."""
        first, second = measured_entities(mate)
        self._a, self._b = (unit(np.array(entity.direction, float)) for entity in (first, second))
        angle = _angle_between(first, second)
        self._way, off = _way_of_measuring(mate)
        self.start = self._way.base + self._way.grows * angle
        is_flat = min(angle, np.pi - angle) < FLAT
        self.is_assumed = is_flat or off > 1e-4
        across = [axis for axis in axes if abs(axis @ self._a) < ACROSS]
        normal: Array = unit(cross(self._a, self._b))
        if is_flat:
            normal = across[0] if across else np.zeros(3)
        self._normal = -normal if mate.is_flipped and is_flat else normal

    def after(self, T: Array, last: float) -> float:
        """The angle after a motion, `last` being the angle shortly before.  # (4, 4) → [rad]."""
        moved: Array = T[:3, :3] @ self._b
        sideways = cross(self._a, moved)
        if self._normal.any() and abs(self._normal @ moved) < ACROSS:
            angle = float(np.arctan2(self._normal @ sideways, self._a @ moved))
            before = (last - self._way.base) / self._way.grows
            angle += 2 * np.pi * float(np.round((before - angle) / (2 * np.pi)))
        else:
            angle = float(np.arctan2(np.linalg.norm(sideways), self._a @ moved))
        return self._way.base + self._way.grows * angle


def gauge_of(mate: PlacedMate, axes: Sequence[Array]) -> DistanceGauge | AngleGauge:
    """What a limit mate measures, see `AngleGauge` for the axes."""
    return DistanceGauge(mate) if mate.type is MateType.DISTANCE else AngleGauge(mate, axes)


def _measured(mate: PlacedMate, form: EquationForm) -> float:
    """The distance between the entities where the mate's value was read."""
    related = look_up(DISTANCE, MateType.DISTANCE, *measured_entities(mate, as_filed=True))
    p, x = np.array([related.first.point]), np.array([related.second.point])
    a, b = (unit(np.array([f.direction], float)) for f in (related.first, related.second))
    return abs(float(measure(np.array([int(form)]), PlacedEquations(p, a, x, b, p, np.zeros(1)))[0]))


def _angle_between(first: PlacedEntity, second: PlacedEntity) -> float:
    a, b = unit(np.array([first.direction, second.direction], float))
    return float(np.arctan2(np.linalg.norm(cross(a, b)), a @ b))


def _angle_range(mate: PlacedMate, steps: Steps) -> JointRange | None:
    first, second = measured_entities(mate)
    a, b = (unit(np.array(entity.direction, float)) for entity in (first, second))
    turning = [(scalar.joint.axis, rate) for scalar, rate in steps if scalar.joint.type is not JointType.PRISMATIC]
    if not turning:
        return None
    axis = turning[0][0]
    geometric = _angle_between(first, second)
    way, off = _way_of_measuring(mate)
    is_planar = all(np.linalg.norm(cross(axis, other)) < ACROSS for other, _ in turning)
    if is_planar and max(abs(a @ axis), abs(b @ axis)) < ACROSS:
        rate = sum(rate * float(other @ axis) for other, rate in turning)
        is_flat = min(geometric, np.pi - geometric) < FLAT
        side = 1.0 if is_flat or float(axis @ cross(a, b)) * rate >= 0 else -1.0
        is_assumed = is_flat or off > 1e-4
        start, slope = way.base + way.grows * geometric, side * way.grows * abs(rate)
        reach = HALF_TURNS * np.pi / (abs(rate) or 1.0)
        return _solve(mate, lambda q: start + slope * q, reach, is_assumed=is_assumed)

    def unsigned(q: Array) -> Array:
        moved = move_directions(motion(steps, q), np.broadcast_to(b, (len(q), 3)))
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


def _way_of_measuring(mate: PlacedMate) -> tuple[_Way, float]:
    """The way of measuring that gives the mate's value (the angle, its supplement, or either beyond 180°)."""
    if mate.value is None:
        return _WAYS[0], 0.0
    angle = _angle_between(*measured_entities(mate, as_filed=True))
    offs = [abs(mate.value - way.base - way.grows * angle) for way in _WAYS]
    best = int(np.argmin(np.round(offs, 9)))
    return _WAYS[best], offs[best]


def _solve(mate: PlacedMate, value: Value, reach: float, *, is_assumed: bool) -> JointRange | None:
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
        return JointRange(None, None, is_outside=True)
    for direction, values in zip((1.0, -1.0), both, strict=True):
        sides.append(_leave(value, grid * direction, values, (mate.minimum, mate.maximum)))
    return JointRange(sides[1], sides[0], is_assumed)


def _leave(value: Value, grid: Array, values: Array, bounds: Sequence[float]) -> float | None:
    """The first place along the grid where the value leaves the bounds."""
    low, high = bounds
    inside = (values >= low - SAME) & (values <= high + SAME)
    outside = np.flatnonzero(~inside)
    if len(outside) == 0:
        return None
    k = int(outside[0])
    bound = high if values[k] > high else low

    return _crossing(lambda q: value(q) - bound, float(grid[max(k - 1, 0)]), float(grid[k]))


def _crossing(gap: Value, a: float, b: float) -> float:
    """Where a continuous function crosses zero between a and b; a where it does not change its sign.

    Each round evaluates a finer grid at once, and keeps the first interval whose ends differ in sign.
    """
    while True:
        q = np.linspace(a, b, FINER)
        values = gap(q)
        changes = np.flatnonzero(values[:-1] * values[1:] <= 0)
        if len(changes) == 0:
            return a
        k = int(changes[0])
        ends = float(q[k]), float(q[k + 1])
        if ends == (a, b) or abs(ends[1] - ends[0]) <= RESOLUTION * max(1.0, abs(ends[0])):
            return ends[int(abs(values[k + 1]) < abs(values[k]))]
        a, b = ends
