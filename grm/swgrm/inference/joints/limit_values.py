"""What a limit mate measures as its second entity moves relative to its first, and the range that it allows.

A distance to a plane or along a line continues through zero. An angle about an axis that stays perpendicular to both
directions is signed and unwrapped; any other angle is between 0 and 180°.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from msgspec import Struct

from swgrm.inference.geometry import plain_vectors
from swgrm.inference.geometry.equations import MEASURES, EquationForm
from swgrm.inference.geometry.relations import EntityStack
from swgrm.inference.geometry.twists import Array, cross, move_directions, move_points, unit
from swgrm.inference.joints.range_solving import FLAT, JointRange, solve_linear_range, solve_range
from swgrm.inference.joints.scalar_joints import ScalarJoint
from swgrm.inference.mates.entity_pairs import DISTANCE, look_up
from swgrm.inference.mates.types import MateNotUnderstood, MateType, PlacedEntity, PlacedMate
from swgrm.model import JointType
from swgrm.transforms import inverse

ACROSS = 1e-6  # cosine of the angle between an axis and a direction that is perpendicular to it
CONTRADICTED = 1e-4  # [rad] a value that is farther from every way of measuring contradicts the directions
SUPPLEMENTS = {0: False, 1: True}  # by swMateAlign_e: anti-aligned mates measure the supplement
HALF_TURNS = 4  # how far an angle is followed to each side


Steps = Sequence[tuple[ScalarJoint, float]]  # joints from the first body to the second, each with its rate


def motion(steps: Steps, q: Array) -> Array:
    """The motions of the second body relative to the first, at many positions of what the rates refer to.

    They are in the assembly's space, at the assembled pose.  # (n,) → (n, 4, 4).
    """
    if not steps:
        return np.broadcast_to(np.eye(4), (len(q), 4, 4))
    (first, rate), *others = steps
    T = first.motion(q, rate)
    for scalar, rate in others:
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


def _bounds(mate: PlacedMate) -> tuple[float, float] | None:
    """The minimum and the maximum of a limit mate."""
    return (mate.minimum, mate.maximum) if mate.minimum is not None and mate.maximum is not None else None


def range_of(mate: PlacedMate, steps: Steps) -> JointRange | None:
    """The range of q under a limit mate, if what the mate measures depends on it."""
    if mate.type is MateType.DISTANCE:
        gauge = DistanceGauge(mate)
        reach = 4 * (abs(mate.maximum or 0.0) + abs(gauge.start)) + 1.0
        return solve_range(_bounds(mate), lambda q: gauge.values(motion(steps, q)), reach, is_assumed=gauge.is_assumed)
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
        self._p, self._a = np.array(self._related.first.point), self._term.a[0]
        self._x, self._b = np.array(self._related.second.point), unit(np.array(self._related.second.direction, float))
        start = float(self._raw(np.eye(4)[None])[0])
        self._side = -1.0 if start < -FLAT else 1.0
        self._shift = 0.0 if mate.value is None else abs(mate.value) - _measured(mate, self._term.form)
        self.start = abs(start) + self._shift
        self.is_assumed = self._term.form is EquationForm.OFFSET and abs(start) < FLAT

    def _raw(self, T: Array) -> Array:
        T = inverse(T) if self._is_swapped else T
        b = move_directions(T, self._b) if self._term.form is EquationForm.SKEW else self._b  # the others have none
        return MEASURES[self._term.form](self._a, b, move_points(T, self._x) - self._p)

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
        self._a, self._b = _directions(first, second)
        angle = _angle(self._a, self._b)
        self._way, is_known = _way_of_measuring(mate, angle)
        self.start = self._way.base + self._way.grows * angle
        is_flat = min(angle, np.pi - angle) < FLAT
        self.is_assumed = is_flat or not is_known
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
    return abs(float(MEASURES[form](a, b, x - p)[0]))


def _directions(first: PlacedEntity, second: PlacedEntity) -> Array:
    """The unit directions of two entities.  # (2, 3)."""
    return np.array([plain_vectors.unit(entity.direction) for entity in (first, second)])


def _angle(a: Array, b: Array) -> float:
    return float(np.arctan2(np.linalg.norm(cross(a, b)), a @ b))


def _angle_range(mate: PlacedMate, steps: Steps) -> JointRange | None:
    turning = [(scalar.joint.axis, rate) for scalar, rate in steps if scalar.joint.type is not JointType.PRISMATIC]
    if not turning:
        return None
    axis = turning[0][0]
    a, b = _directions(*measured_entities(mate))
    geometric = _angle(a, b)
    way, is_known = _way_of_measuring(mate, geometric)
    is_planar = all(np.linalg.norm(cross(axis, other)) < ACROSS for other, _ in turning[1:])
    if is_planar and max(abs(a @ axis), abs(b @ axis)) < ACROSS:
        rate = sum(rate * float(other @ axis) for other, rate in turning)
        is_flat = min(geometric, np.pi - geometric) < FLAT
        side = 1.0 if is_flat or float(axis @ cross(a, b)) * rate >= 0 else -1.0
        is_assumed = is_flat or not is_known
        start, slope = way.base + way.grows * geometric, side * way.grows * abs(rate)
        reach = HALF_TURNS * np.pi / (abs(rate) or 1.0)
        return solve_linear_range(_bounds(mate), (start, slope), reach, is_assumed=is_assumed)

    def unsigned(q: Array) -> Array:
        moved = move_directions(motion(steps, q), b)
        angles: Array = np.arctan2(np.linalg.norm(cross(a, moved), axis=1), moved @ a)
        return angles

    return solve_range(
        _bounds(mate), lambda q: way.base + way.grows * unsigned(q), HALF_TURNS * np.pi, is_assumed=not is_known
    )


class _Way(Struct, frozen=True):
    """How a mate's angle comes from the angle between its directions: base + grows · angle."""

    base: float
    grows: float


# Those in `_SUPPLEMENT_WAYS` measure the supplement of the angle between the directions.
_SUPPLEMENT_WAYS = (1, 3)
_WAYS = (_Way(0.0, 1.0), _Way(np.pi, -1.0), _Way(2 * np.pi, -1.0), _Way(np.pi, 1.0))


def _way_of_measuring(mate: PlacedMate, angle: float) -> tuple[_Way, bool]:
    """The way of measuring that gives the mate's value (the angle, its supplement, or either beyond 180°).

    And whether that is known; `angle` is between the directions as they are now. At 90° and 270° an angle is its own
    supplement: there the alignment of the mate decides, anti-aligned being the supplement.
    """
    if mate.is_from_pose:
        return _Way(-angle, 1.0), True  # zero at the assembled pose
    if mate.value is None:
        return _WAYS[0], True
    if mate.as_filed:
        angle = _angle(*_directions(*measured_entities(mate, as_filed=True)))
    offs = [abs(mate.value - way.base - way.grows * angle) for way in _WAYS]
    fitting = [k for k, off in enumerate(offs) if off < min(offs) + FLAT]
    is_square = abs(angle - np.pi / 2) < FLAT
    if is_square and mate.alignment in SUPPLEMENTS:
        fitting = [k for k in fitting if (k in _SUPPLEMENT_WAYS) == SUPPLEMENTS[mate.alignment]] or fitting
    is_known = offs[fitting[0]] <= CONTRADICTED and not (is_square and len(fitting) > 1)
    return _WAYS[fitting[0]], is_known
