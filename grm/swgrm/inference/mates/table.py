"""What each mate type means for each pair of entities: the table from mates to relations.

`MEANINGS[mate type][(kind of the first, kind of the second)]` names the relation; the pair is looked up in both
orders. What is not in the table carries no usable geometry, and says so by raising `NotUnderstood`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np

from swgrm.findings import Severity
from swgrm.inference.geometry import relations as rel
from swgrm.inference.geometry.equations import Equations
from swgrm.inference.geometry.twists import Array, unit
from swgrm.inference.mates.types import COUPLINGS, Feature, Kind, Mate, MateType, NotUnderstood, check_geometry
from swgrm.inference.geometry.relations import Features, Relation, equations_of


@dataclass(frozen=True, slots=True)
class Tie:
    """A relation between two features (the first perhaps seen in a mirror plane)."""

    relation: Relation
    first: Feature
    second: Feature
    mirror: Feature | None = None


Meaning = Mapping[tuple[Kind, Kind], Relation]
AXES = (Kind.LINE, Kind.CYLINDER, Kind.CONE, Kind.CIRCLE)
BALLS = (Kind.POINT, Kind.SPHERE)
P, L, C, E, Y, S, N = Kind.POINT, Kind.LINE, Kind.CIRCLE, Kind.PLANE, Kind.CYLINDER, Kind.SPHERE, Kind.CONE


def _every(firsts: Sequence[Kind], seconds: Sequence[Kind], relation: Relation) -> dict[tuple[Kind, Kind], Relation]:
    return dict.fromkeys(product(firsts, seconds), relation)


COINCIDENT: Meaning = {
    (P, P): rel.point_on_point,
    (L, P): rel.point_on_line,
    (E, P): rel.point_on_plane,
    (C, P): rel.point_on_circle,
    (Y, P): rel.held_from_line,
    (S, P): rel.held_from_point,
    (L, L): rel.line_on_line,
    (E, L): rel.line_in_plane,
    (Y, L): rel.lines_apart,
    (E, E): rel.plane_on_plane,
    (E, C): rel.plane_on_plane,
    (C, C): rel.circle_on_circle,
    (Y, C): rel.line_on_line,
    (N, C): rel.circle_on_circle,
    (S, C): rel.point_on_point,
    (Y, Y): rel.line_on_line,
    (N, N): rel.circle_on_circle,
    (S, S): rel.point_on_point,
}
CONCENTRIC: Meaning = (
    _every(AXES, AXES, rel.line_on_line)
    | _every(AXES, BALLS, rel.point_on_line)
    | _every(BALLS, BALLS, rel.point_on_point)
)
PARALLEL: Meaning = _every(AXES, AXES, rel.parallel) | _every((E,), AXES, rel.perpendicular) | {(E, E): rel.parallel}
PERPENDICULAR: Meaning = (
    _every(AXES, AXES, rel.perpendicular) | _every((E,), AXES, rel.parallel) | {(E, E): rel.perpendicular}
)
TANGENT: Meaning = {
    (E, Y): rel.line_over_plane,
    (E, L): rel.line_over_plane,
    (E, S): rel.held_from_plane,
    (E, N): rel.cone_on_plane,
    (Y, Y): rel.lines_crossing,
    (Y, L): rel.lines_crossing,
    (Y, S): rel.held_from_line,
    (L, S): rel.held_from_line,
    (S, S): rel.held_from_point,
}
DISTANCE: Meaning = (
    _every(BALLS, (*BALLS, C), rel.held_from_point)
    | {(C, C): rel.held_from_point}
    | _every((L, Y), (*BALLS, C), rel.held_from_line)
    | _every((E,), (*BALLS, C), rel.held_from_plane)
    | _every((L, Y), (L, Y), rel.lines_crossing)
    | _every((E,), (L, Y), rel.line_over_plane)
    | {(E, E): rel.planes_apart, (N, N): rel.circle_on_circle}
)
ANGLE: Meaning = _every((*AXES, E), (*AXES, E), rel.inclined)
SYMMETRIC: Meaning = {
    (P, P): rel.point_on_point,
    (S, S): rel.point_on_point,
    (L, L): rel.line_on_line,
    (Y, Y): rel.line_on_line,
    (N, N): rel.circle_on_circle,
    (C, C): rel.circle_on_circle,
    (E, E): rel.plane_on_plane,
}
MEANINGS: Mapping[MateType, Meaning] = {
    MateType.COINCIDENT: COINCIDENT,
    MateType.CONCENTRIC: CONCENTRIC,
    MateType.PARALLEL: PARALLEL,
    MateType.PERPENDICULAR: PERPENDICULAR,
    MateType.TANGENT: TANGENT,
    MateType.DISTANCE: DISTANCE,
    MateType.ANGLE: ANGLE,
    MateType.SYMMETRIC: SYMMETRIC,
    MateType.WIDTH: {(E, E): rel.plane_on_plane, (E, L): rel.line_in_plane, (E, P): rel.point_on_plane},
    MateType.SLOT: _every((E,), AXES, rel.line_keeps_plane) | _every(AXES, AXES, rel.line_on_line),
    MateType.HINGE: _every(AXES, AXES, rel.line_on_line),
    MateType.UNIVERSAL: _every(AXES, AXES, rel.cross_joint),
    MateType.PROFILE_CENTER: {(C, C): rel.circle_on_circle, (E, E): rel.rigid},
    MateType.LOCK: _every(tuple(Kind), tuple(Kind), rel.rigid),
    MateType.IN_PLACE: _every(tuple(Kind), tuple(Kind), rel.rigid),
}
SILENT = frozenset(MateType) - frozenset(MEANINGS) - COUPLINGS  # no usable geometry in the API

# Relations that lose a direction at special poses become another one there.
AT_PARALLEL: Mapping[Relation, Relation] = {
    rel.inclined: rel.parallel,
    rel.lines_crossing: rel.lines_apart,
}
AT_CONTACT: Mapping[Relation, Relation] = {
    rel.held_from_point: rel.point_on_point,
    rel.held_from_line: rel.point_on_line,
    rel.lines_apart: rel.line_on_line,
}
# What a limit mate still holds: all but what it measures.
UNDER_LIMIT: Mapping[Relation, Relation | None] = {
    rel.planes_apart: rel.parallel,
    rel.line_over_plane: rel.perpendicular,
    rel.lines_apart: rel.parallel,
}
PARALLEL_TOLERANCE = 1e-5  # [rad]
CONTACT_TOLERANCE = 1e-6  # [m]


def ties(mate: Mate) -> list[Tie]:
    """The relations that a mate puts its features in; `NotUnderstood` says why there are none."""
    if mate.type in SILENT:
        raise NotUnderstood(f"a {mate.type} mate carries no usable geometry in SolidWorks' API")
    if mate.type in (MateType.LOCK, MateType.IN_PLACE):
        return _rigid(mate)
    check_geometry(mate)
    builder = {
        MateType.HINGE: _hinge,
        MateType.WIDTH: _width,
        MateType.SYMMETRIC: _symmetric,
        MateType.SLOT: _slot,
        MateType.UNIVERSAL: _universal,
    }.get(mate.type, _plain)
    return builder(mate)


def assumption(mate: Mate) -> tuple[Severity, str] | None:
    """What is assumed of a mate because the API does not say it, and how much that matters."""
    if mate.type is MateType.UNIVERSAL:
        return Severity.NOTE, "assumed that its cross stands perpendicular to both shafts as assembled"
    if mate.type is MateType.SLOT and mate.free and all(feature.kind in AXES for feature in mate.features[:2]):
        return Severity.WARNING, "does not say along which line its slot runs: only the direction of the axes is held"
    return None


def _pair(mate: Mate) -> tuple[Feature, Feature]:
    if len(mate.features) < 2:
        raise NotUnderstood(f"it has {len(mate.features)} of the two entities that it needs")
    return mate.features[0], mate.features[1]


def look_up(mate_type: MateType, first: Feature, second: Feature, mirror: Feature | None = None) -> Tie:
    """The relation of a mate type for two features, in the order that the relation wants."""
    meaning = MEANINGS[mate_type]
    if relation := meaning.get((first.kind, second.kind)):
        return _at_this_pose(Tie(relation, first, second, mirror))
    if relation := meaning.get((second.kind, first.kind)):
        return _at_this_pose(Tie(relation, second, first, mirror))
    raise NotUnderstood(f"what {mate_type} means between a {first.kind} and a {second.kind} is not known")


def _at_this_pose(tie: Tie) -> Tie:
    """The relation that holds at the assembled pose, where its own would lose rows (parallel lines, contact)."""
    relation = tie.relation
    if relation not in AT_PARALLEL and relation not in AT_CONTACT:
        return tie
    a, b = unit(np.array([tie.first.direction, tie.second.direction]))
    if relation in AT_PARALLEL and np.linalg.norm(np.cross(a, b)) < PARALLEL_TOLERANCE:
        relation = AT_PARALLEL[relation]
    if relation in AT_CONTACT:
        gap = np.subtract(tie.second.point, tie.first.point)
        distance = gap if relation is rel.held_from_point else np.cross(gap, a)
        if np.linalg.norm(distance) < CONTACT_TOLERANCE:
            relation = AT_CONTACT[relation]
    return Tie(relation, tie.first, tie.second, tie.mirror)


def _plain(mate: Mate) -> list[Tie]:
    first, second = _pair(mate)
    tie = look_up(mate.type, first, second)
    if mate.lock_rotation and tie.relation in (rel.line_on_line, rel.circle_on_circle):
        clock = Tie(rel.clocked, tie.first, tie.second)
        return [tie, clock]
    return [tie]


def _rigid(mate: Mate) -> list[Tie]:
    """All is held, wherever the entities are."""
    first, second = _pair(mate)
    try:
        check_geometry(mate)
    except NotUnderstood:
        first, second = (Feature(Kind.POINT, feature.body, (0.0, 0.0, 0.0)) for feature in (first, second))
    return [look_up(mate.type, first, second)]


def _hinge(mate: Mate) -> list[Tie]:
    if len(mate.features) < 4:
        raise NotUnderstood(f"it has {len(mate.features)} of the four entities that a hinge needs")
    return [
        look_up(MateType.CONCENTRIC, mate.features[0], mate.features[1]),
        look_up(MateType.COINCIDENT, mate.features[2], mate.features[3]),
    ]


def _universal(mate: Mate) -> list[Tie]:
    """The shafts meet at the joint's point: where their lines come nearest."""
    first, second = _pair(mate)
    p, x = np.array(first.point), np.array(second.point)
    a, b = unit(np.array([first.direction, second.direction]))
    normal = np.cross(a, b)
    if np.linalg.norm(normal) < PARALLEL_TOLERANCE:
        meet = x
    else:
        gap = x - p
        meet = x + b * (np.cross(gap, a) @ normal) / (normal @ normal)
    at = (float(meet[0]), float(meet[1]), float(meet[2]))
    moved = [Feature(f.kind, f.body, at, f.direction, f.radius) for f in (first, second)]
    return [look_up(mate.type, moved[0], moved[1])]


def _symmetric(mate: Mate) -> list[Tie]:
    planes = [f for f in mate.features if f.kind is Kind.PLANE]
    others = [f for f in mate.features if f.kind is not Kind.PLANE]
    if len(mate.features) != 3 or not planes or len(others) not in (0, 2):
        raise NotUnderstood("it needs two like entities and a plane of symmetry")
    first, second, mirror = (*others, planes[0]) if others else _find_mirror(planes)
    if first.kind is not second.kind:
        raise NotUnderstood(f"a {first.kind} cannot be symmetric to a {second.kind}")
    return [look_up(mate.type, first, second, mirror)]


def _find_mirror(planes: Sequence[Feature]) -> tuple[Feature, Feature, Feature]:
    """Of three planes, the one in which the other two are images of each other."""
    for index in (2, 0, 1):
        mirror = planes[index]
        first, second = [plane for k, plane in enumerate(planes) if k != index]
        seen = rel.reflect(_features([first]), _features([mirror]))
        n = unit(np.array(second.direction))
        flat = np.linalg.norm(np.cross(seen.direction[0], n)) < 1e-4
        if flat and abs(n @ (seen.point[0] - np.array(second.point))) < 1e-4:
            return first, second, mirror
    raise NotUnderstood("none of its three planes has the other two as images of each other")


def _width(mate: Mate) -> list[Tie]:
    """The tab's middle plane (or axis) lies in the groove's middle plane; a free one only stays parallel to it."""
    if len(mate.features) not in (3, 4):
        raise NotUnderstood(f"it has {len(mate.features)} entities instead of a groove's two and a tab's one or two")
    groove = _middle(mate.features[0], mate.features[1])
    tab = mate.features[2] if len(mate.features) == 3 else _middle(mate.features[2], mate.features[3])
    if tab.kind in AXES:
        tab = Feature(Kind.LINE, tab.body, tab.point, tab.direction)
    if mate.free:
        return [look_up(MateType.PARALLEL, groove, tab)]
    tie = look_up(MateType.WIDTH, groove, tab)
    held: dict[Relation, Relation] = {
        rel.plane_on_plane: rel.planes_apart,
        rel.line_in_plane: rel.line_over_plane,
        rel.point_on_plane: rel.held_from_plane,
    }
    return [Tie(held[tie.relation], tie.first, tie.second)]


def _middle(first: Feature, second: Feature) -> Feature:
    """The plane half-way between two planes of one body."""
    if first.kind is not Kind.PLANE or second.kind is not Kind.PLANE or first.body != second.body:
        raise NotUnderstood("its faces are not two planes of one part")
    a, b = unit(np.array([first.direction, second.direction]))
    if a @ b < 0:
        b = -b
    normal = unit(a + b)
    point = np.add(first.point, second.point) / 2
    if (tilt := np.linalg.norm(np.cross(a, b))) > PARALLEL_TOLERANCE:
        # Faces that meet in a line: the bisecting plane goes through it.
        ridge = np.cross(a, b) / tilt
        A = np.array([a, b, ridge])
        point = np.linalg.solve(A, [a @ first.point, b @ second.point, ridge @ point])
    return Feature(Kind.PLANE, first.body, tuple(point.tolist()), tuple(normal.tolist()))


def _slot(mate: Mate) -> list[Tie]:
    first, second = _pair(mate)
    if mate.free and first.kind in AXES and second.kind in AXES:
        return [look_up(MateType.PARALLEL, first, second)]
    return [look_up(mate.type, first, second)]


def _features(stack: Sequence[Feature]) -> Features:
    return Features(
        np.array([f.body for f in stack], dtype=np.intp),
        np.array([f.point for f in stack], float),
        unit(np.array([f.direction for f in stack], float)),
    )


def assemble(tied: Sequence[tuple[int, Tie]]) -> Equations:
    """The equations of all ties (mate number, tie), one stack; ties of one relation are built together."""
    groups: dict[tuple[Relation, bool], list[tuple[int, Tie]]] = defaultdict(list)
    for number, tie in tied:
        groups[tie.relation, tie.mirror is not None].append((number, tie))
    parts = []
    for (relation, mirrored), members in groups.items():
        parts.append(
            equations_of(
                relation,
                _features([tie.first for _, tie in members]),
                _features([tie.second for _, tie in members]),
                np.array([number for number, _ in members], dtype=np.intp),
                _features([tie.mirror for _, tie in members if tie.mirror]) if mirrored else None,
            )
        )
    return Equations.stack(parts) if parts else NO_EQUATIONS


_EMPTY: Array = np.zeros((0, 3))
_NONE = Features(np.zeros(0, dtype=np.intp), _EMPTY, _EMPTY)
NO_EQUATIONS = equations_of(rel.point_on_plane, _NONE, _NONE, np.zeros(0, dtype=np.intp))
