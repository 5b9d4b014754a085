"""Ranges of joints from limit mates: where the value that the mate measures meets its minimum and its maximum.

Let value(q) be what the mate measures as one joint moves from the assembled pose. The range is the interval around
q = 0 on which minimum ≤ value(q) ≤ maximum. An angle about the joint's own axis is taken signed and unwrapped; a
distance to a plane or along a prismatic joint continues through zero. A mate between the two bodies of a loop joint
limits that loop joint. Any other mate whose value depends on several joints, or on none, is not used and becomes a
finding.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from swgrm.findings import Findings
from swgrm.inference.geometry.equations import EquationForm, PlacedEquations, measure
from swgrm.inference.geometry.relations import EntityStack
from swgrm.inference.geometry.twists import Array, Ints, cross, move_directions, move_points, unit
from swgrm.inference.joints.joint_tree import JointTree, TreeJoint
from swgrm.inference.joints.scalar_joints import JointKey, MateUse, ScalarJoint, ScalarJoints
from swgrm.inference.mates.entity_pairs import DISTANCE, look_up
from swgrm.inference.mates.types import FARTHEST, MateNotUnderstood, MateType, PlacedEntity, PlacedMate, check_geometry
from swgrm.inference.mechanism.graph import Edge
from swgrm.model import JointType

SAME = 1e-7  # [m or rad] a value that changes less than this does not depend on the joint
FLAT = 1e-5  # [rad or m] nearer than this to a turning point, a value has no side
HALF_TURNS = 4  # how far an angle is followed to each side
GRID = 721


@dataclass(frozen=True, slots=True)
class JointRange:
    """The positions that a limit mate allows a joint."""

    lower: float | None
    upper: float | None
    is_assumed: bool = False  # the side was not settled by geometry
    is_outside: bool = False  # the assembled pose is out of range

    def narrowed(self, other: JointRange) -> JointRange:
        """What two limits allow together."""
        lowers = [bound for bound in (self.lower, other.lower) if bound is not None]
        uppers = [bound for bound in (self.upper, other.upper) if bound is not None]
        return JointRange(max(lowers, default=None), min(uppers, default=None), self.is_assumed or other.is_assumed)


class LoopKey(NamedTuple):
    """A simple joint of a loop joint."""

    edge: Edge
    number: int


class LoopMateUse(NamedTuple):
    """A limit mate that acts on a loop joint, and a note on what was assumed of it."""

    joint: LoopKey
    mate: int
    note: str


Value = Callable[[Array], Array]


class FoundLimits(NamedTuple):
    """The ranges of joints and of loop joints, and the mates that they come from."""

    ranges: dict[JointKey, JointRange]
    loop_ranges: dict[LoopKey, JointRange]
    uses: list[MateUse]  # on joints of the tree
    loop_uses: list[LoopMateUse]


def find_limits(
    mates: Sequence[PlacedMate], labels: Ints, tree: JointTree, scalar_joints: ScalarJoints, findings: Findings
) -> FoundLimits:
    """The limits that the limit mates give joints; `labels` are the bodies of all nodes."""
    found = FoundLimits({}, {}, [], [])
    loops = {frozenset((joint.parent, joint.child)): joint for joint in tree.loops}
    for number, mate in enumerate(mates):
        if not mate.is_limit:
            continue
        try:
            limited = _limited_joint(mate, labels, scalar_joints, loops, findings)
        except MateNotUnderstood as reason:
            findings.add("mate-not-understood", f"mate {mate.name}", reason=reason)
            continue
        if limited is None:
            continue
        key, span = limited
        note = ""
        if span.is_assumed:
            findings.add("limit-side", f"mate {mate.name}")
            note = "the direction of its range is assumed"
        if isinstance(key, LoopKey):
            found.loop_uses.append(LoopMateUse(key, number, note))
            found.loop_ranges[key] = _narrowed(found.loop_ranges.get(key), span)
        else:
            found.uses.append(MateUse(key, number, note))
            found.ranges[key] = _narrowed(found.ranges.get(key), span)
    return found


def _narrowed(before: JointRange | None, span: JointRange) -> JointRange:
    return before.narrowed(span) if before else span


def _limited_joint(
    mate: PlacedMate,
    labels: Ints,
    scalar_joints: ScalarJoints,
    loops: Mapping[frozenset[int], TreeJoint],
    findings: Findings,
) -> tuple[JointKey | LoopKey, JointRange] | None:
    """The one joint or loop joint that a limit mate limits, with its range; None, with a finding, if there is none."""
    check_geometry(mate)
    if not (np.abs([mate.value or 0.0, mate.minimum or 0.0, mate.maximum or 0.0]) <= FARTHEST).all():
        raise MateNotUnderstood("its limits are not numbers")
    first, second = (int(labels[entity.node]) for entity in measured_entities(mate))
    if first == second:
        findings.add("limit-rigid", f"mate {mate.name}")
        return None
    loop = loops.get(frozenset((first, second)))
    between = _loop_scalars(loop, second) if loop else scalar_joints.between(first, second)
    spans = ((key, range_of(mate, scalar, sign)) for key, scalar, sign in _with_keys(loop, between))
    found = [(key, span) for key, span in spans if span is not None]
    if len(found) != 1 or found[0][1].is_outside:
        code = "limit-outside" if len(found) == 1 else "limit-several" if found else "limit-unused"
        findings.add(code, f"mate {mate.name}")
        return None
    return found[0]


def _loop_scalars(loop: TreeJoint, second: int) -> list[tuple[ScalarJoint, float]]:
    """The scalar joints of a loop joint, with the sign of the motion that they give the body `second`."""
    sign = 1.0 if second == loop.child else -1.0
    return [
        (ScalarJoint((loop.child, k), simple), sign)
        for k, simple in enumerate(loop.chain)
        if simple.type is not JointType.BALL
    ]


def _with_keys(
    loop: TreeJoint | None, scalars: Sequence[tuple[ScalarJoint, float]]
) -> Iterator[tuple[JointKey | LoopKey, ScalarJoint, float]]:
    for scalar, sign in scalars:
        yield LoopKey(loop.pair.edge, scalar.key[1]) if loop else scalar.key, scalar, sign


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


def range_of(mate: PlacedMate, scalar: ScalarJoint, sign: float) -> JointRange | None:
    """The range of a joint under a limit mate, if what the mate measures depends on it.

    `sign` is +1 if the joint moves the second entity relative to the first, −1 if the first.
    """
    first, second = measured_entities(mate)
    if mate.type is MateType.DISTANCE:
        return _distance_range(mate, first, second, scalar, sign)
    return _angle_range(mate, first, second, scalar, sign)


def _moved(second: PlacedEntity, scalar: ScalarJoint, sign: float, q: Array) -> tuple[Array, Array]:
    T = scalar.motion(q, sign)
    direction = unit(np.array(second.direction, float))
    return move_points(T, np.broadcast_to(second.point, (len(q), 3))), move_directions(
        T, np.broadcast_to(direction, (len(q), 3))
    )


def _distance_range(
    mate: PlacedMate, first: PlacedEntity, second: PlacedEntity, scalar: ScalarJoint, sign: float
) -> JointRange | None:
    related = look_up(DISTANCE, MateType.DISTANCE, first, second)
    if related.first is not first:
        sign = -sign
    stack = [
        EntityStack(np.zeros(1, np.intp), np.array([f.point]), unit(np.array([f.direction])))
        for f in (related.first, related.second)
    ]
    measured = [term for term in related.relation(*stack) if term.form is not EquationForm.ALIGN]
    term = measured[-1]
    a = term.a[0]

    def raw(q: Array) -> Array:
        x, b = _moved(related.second, scalar, sign, q)
        form = np.full(len(q), int(term.form))
        wide = [np.broadcast_to(v, (len(q), 3)) for v in (related.first.point, a)]
        return measure(form, PlacedEquations(wide[0], wide[1], x, b, np.zeros_like(x), np.zeros(len(q))))

    start = float(raw(np.zeros(1))[0])
    side = -1.0 if start < 0 else 1.0
    shift = 0.0 if mate.value is None else abs(mate.value) - _measured(mate, term.form)
    is_assumed = term.form is EquationForm.OFFSET and abs(start) < FLAT
    reach = 4 * (abs(mate.maximum or 0.0) + abs(start)) + 1.0
    return _solve(mate, lambda q: side * raw(q) + shift, reach, is_assumed=is_assumed)


def _measured(mate: PlacedMate, form: EquationForm) -> float:
    """The distance between the entities where the mate's value was read."""
    related = look_up(DISTANCE, MateType.DISTANCE, *measured_entities(mate, as_filed=True))
    p, x = np.array([related.first.point]), np.array([related.second.point])
    a, b = (unit(np.array([f.direction], float)) for f in (related.first, related.second))
    return abs(float(measure(np.array([int(form)]), PlacedEquations(p, a, x, b, p, np.zeros(1)))[0]))


def _angle_between(first: PlacedEntity, second: PlacedEntity) -> float:
    a, b = unit(np.array([first.direction, second.direction], float))
    return float(np.arctan2(np.linalg.norm(cross(a, b)), a @ b))


def _angle_range(
    mate: PlacedMate, first: PlacedEntity, second: PlacedEntity, scalar: ScalarJoint, sign: float
) -> JointRange | None:
    a = unit(np.array(first.direction, float))
    axis = scalar.joint.axis
    if scalar.joint.type is JointType.PRISMATIC:
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
        _, moved = _moved(second, scalar, sign, q)
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

    def gap(q: float) -> float:
        return float(value(np.array([q]))[0]) - bound

    a, b = float(grid[max(k - 1, 0)]), float(grid[k])
    from scipy.optimize import brentq  # half a second to load, and few assemblies come here

    return a if gap(a) * gap(b) > 0 else float(brentq(gap, a, b, xtol=1e-15, rtol=1e-14))
