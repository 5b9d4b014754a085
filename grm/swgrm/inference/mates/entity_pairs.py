"""What two mated entities mean: the relation that each mate type puts them in, by their kinds.

A table is looked up in both orders of the two kinds. A pair of kinds that is not in the table has no known meaning.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import product

import msgspec

from swgrm.inference.geometry import relations as rel
from swgrm.inference.geometry.plain_vectors import Vector, cross, difference
from swgrm.inference.geometry.relations import Relation
from swgrm.inference.mates.types import GeometryKind, MateNotUnderstood, MateType, PlacedEntity


class RelatedEntities(msgspec.Struct, frozen=True, gc=False):
    """A relation between two entities; with a mirror, the first is reflected in that plane."""

    relation: Relation
    first: PlacedEntity
    second: PlacedEntity
    mirror: PlacedEntity | None = None


RelationTable = Mapping[tuple[GeometryKind, GeometryKind], Relation]
AXES = (GeometryKind.LINE, GeometryKind.CYLINDER, GeometryKind.CONE, GeometryKind.CIRCLE)
BALLS = (GeometryKind.POINT, GeometryKind.SPHERE)
P, L, C, E, Y, S, N = (
    GeometryKind.POINT,
    GeometryKind.LINE,
    GeometryKind.CIRCLE,
    GeometryKind.PLANE,
    GeometryKind.CYLINDER,
    GeometryKind.SPHERE,
    GeometryKind.CONE,
)


def _every(
    firsts: Sequence[GeometryKind], seconds: Sequence[GeometryKind], relation: Relation
) -> dict[tuple[GeometryKind, GeometryKind], Relation]:
    return dict.fromkeys(product(firsts, seconds), relation)


COINCIDENT: RelationTable = {
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
    (N, C): rel.cone_on_cone,
    (S, C): rel.point_on_point,
    (Y, Y): rel.line_on_line,
    (N, N): rel.cone_on_cone,
    (S, S): rel.point_on_point,
}
CONCENTRIC: RelationTable = (
    _every(AXES, AXES, rel.line_on_line)
    | _every(AXES, BALLS, rel.point_on_line)
    | _every(BALLS, BALLS, rel.point_on_point)
)
PARALLEL: RelationTable = (
    _every(AXES, AXES, rel.parallel) | _every((E,), AXES, rel.perpendicular) | {(E, E): rel.parallel}
)
PERPENDICULAR: RelationTable = (
    _every(AXES, AXES, rel.perpendicular) | _every((E,), AXES, rel.parallel) | {(E, E): rel.perpendicular}
)
TANGENT: RelationTable = {
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
DISTANCE: RelationTable = (
    _every(BALLS, (*BALLS, C), rel.held_from_point)
    | {(C, C): rel.held_from_point}
    | _every((L, Y), (*BALLS, C), rel.held_from_line)
    | _every((E,), (*BALLS, C), rel.held_from_plane)
    | _every((L, Y), (L, Y), rel.lines_crossing)
    | _every((E,), (L, Y), rel.line_over_plane)
    | {(E, E): rel.planes_apart, (N, N): rel.cone_on_cone}
)
ANGLE: RelationTable = _every((*AXES, E), (*AXES, E), rel.inclined)
SYMMETRIC: RelationTable = {
    (P, P): rel.point_on_point,
    (S, S): rel.point_on_point,
    (L, L): rel.line_on_line,
    (Y, Y): rel.line_on_line,
    (N, N): rel.cone_on_cone,
    (C, C): rel.circle_on_circle,
    (E, E): rel.plane_on_plane,
    (GeometryKind.COMPONENT, GeometryKind.COMPONENT): rel.rigid,
}
WIDTH: RelationTable = {(E, E): rel.planes_apart, (E, L): rel.line_over_plane, (E, P): rel.held_from_plane}
SLOT: RelationTable = _every((E,), AXES, rel.line_keeps_plane)
CAM: RelationTable = {
    (E, P): rel.point_on_plane,
    (Y, P): rel.held_from_line,
    (E, Y): rel.line_over_plane,
    (E, L): rel.line_over_plane,
    (E, S): rel.held_from_plane,
    (Y, Y): rel.lines_crossing,
    (Y, L): rel.lines_crossing,
    (Y, S): rel.held_from_line,
}
PATH: RelationTable = {(L, P): rel.point_on_line, (C, P): rel.point_on_circle}
UNIVERSAL: RelationTable = _every(AXES, AXES, rel.cross_joint)
PROFILE_CENTER: RelationTable = _every((C, E), (C, E), rel.circle_on_circle)
RIGID: RelationTable = _every(tuple(GeometryKind), tuple(GeometryKind), rel.rigid)

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
PARALLEL_TOLERANCE = 1e-5  # [rad]
CONTACT_TOLERANCE = 1e-6  # [m]


def look_up(
    table: RelationTable,
    mate_type: MateType,
    first: PlacedEntity,
    second: PlacedEntity,
    mirror: PlacedEntity | None = None,
) -> RelatedEntities:
    """The relation of a table for two entities, in the order of the relation; `mate_type` is for the error."""
    if relation := table.get((first.kind, second.kind)):
        return _at_this_pose(RelatedEntities(relation, first, second, mirror))
    if relation := table.get((second.kind, first.kind)):
        return _at_this_pose(RelatedEntities(relation, second, first, mirror))
    raise MateNotUnderstood(f"{mate_type} mates between a {first.name} and a {second.name} are not supported")


def _at_this_pose(related: RelatedEntities) -> RelatedEntities:
    """The relation that holds at the assembled pose, where its own would lose rows (parallel lines, contact)."""
    relation = related.relation
    if relation not in AT_PARALLEL and relation not in AT_CONTACT:
        return related
    first, second = related.first, related.second
    if relation in AT_PARALLEL and _sine(first.direction, second.direction) < PARALLEL_TOLERANCE:
        relation = AT_PARALLEL[relation]
    if relation in AT_CONTACT:
        distance = math.dist(first.point, second.point)
        if relation is not rel.held_from_point:
            distance *= _sine(difference(second.point, first.point), first.direction)
        if distance < CONTACT_TOLERANCE:
            relation = AT_CONTACT[relation]
    return RelatedEntities(relation, first, second, related.mirror)


def _sine(a: Vector, b: Vector) -> float:
    """The sine of the angle between two vectors, 0 if one of them is zero."""
    scale = math.hypot(*a) * math.hypot(*b)
    return math.hypot(*cross(a, b)) / scale if scale else 0.0
