"""Mates that are more than one relation between two entities: hinge, width, symmetric, universal joint, lock."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from swgrm.inference.geometry import plain_vectors as plain
from swgrm.inference.geometry import relations as rel
from swgrm.inference.geometry.relations import EntityStack, Relation
from swgrm.inference.geometry.twists import unit
from swgrm.inference.mates.entity_pairs import (
    AXES,
    COINCIDENT,
    CONCENTRIC,
    PARALLEL,
    PARALLEL_TOLERANCE,
    PERPENDICULAR,
    PROFILE_CENTER,
    RIGID,
    SYMMETRIC,
    UNIVERSAL,
    WIDTH,
    RelatedEntities,
    look_up,
)
from swgrm.inference.mates.types import (
    GeometryKind,
    MateNotUnderstood,
    MateType,
    PlacedEntity,
    PlacedMate,
    check_geometry,
)

FACE_AS_LINE = 0.999  # cosine of the angle up to which directions are taken for parallel


def first_two(mate: PlacedMate) -> tuple[PlacedEntity, PlacedEntity]:
    """The two entities of a mate."""
    if len(mate.entities) < 2:
        raise MateNotUnderstood(f"it has {len(mate.entities)} of the two entities that it needs")
    return mate.entities[0], mate.entities[1]


def rigid(mate: PlacedMate) -> list[RelatedEntities]:
    """A lock or in-place mate: nothing moves, whatever the geometry of the entities."""
    first, second = first_two(mate)
    try:
        check_geometry(mate)
    except MateNotUnderstood:
        first, second = (PlacedEntity(GeometryKind.POINT, entity.node, (0.0, 0.0, 0.0)) for entity in (first, second))
    return [look_up(RIGID, mate.type, first, second)]


def oriented(mate: PlacedMate) -> list[RelatedEntities]:
    """Two directions that are parallel or perpendicular.

    A face may arrive as a line along its normal: if one entity is a line, the assembled pose decides between the two.
    """
    first, second = first_two(mate)
    table, other = (PARALLEL, PERPENDICULAR) if mate.type is MateType.PARALLEL else (PERPENDICULAR, PARALLEL)
    related = look_up(table, mate.type, first, second)
    if GeometryKind.LINE in (first.kind, second.kind):
        a, b = unit(np.array([first.direction, second.direction]))
        along = abs(float(a @ b))
        fits: dict[Relation, bool] = {
            rel.parallel: along > FACE_AS_LINE,
            rel.perpendicular: along < 1 - FACE_AS_LINE,
        }
        swapped = look_up(other, mate.type, first, second)
        if not fits[related.relation] and fits[swapped.relation]:
            return [swapped]
    return [related]


def profile_center(mate: PlacedMate) -> list[RelatedEntities]:
    """Two centres on one axis, at their offset; the rotation about it is locked or free."""
    related = look_up(PROFILE_CENTER, mate.type, *first_two(mate))
    ends = related.first, related.second
    found = [related]
    if mate.value:
        found = [RelatedEntities(relation, *ends) for relation in (rel.line_on_line, rel.held_from_plane)]
    return [*found, RelatedEntities(rel.clocked, *ends)] if mate.lock_rotation else found


def screw_axis(mate: PlacedMate) -> RelatedEntities:
    """The common axis of a screw mate."""
    check_geometry(mate)
    return look_up(CONCENTRIC, MateType.CONCENTRIC, *first_two(mate))


def hinge(mate: PlacedMate) -> list[RelatedEntities]:
    """Two concentric axes and two coincident faces."""
    if len(mate.entities) < 4:
        raise MateNotUnderstood(f"it has {len(mate.entities)} of the four entities that a hinge needs")
    return [
        look_up(CONCENTRIC, MateType.CONCENTRIC, mate.entities[0], mate.entities[1]),
        look_up(COINCIDENT, MateType.COINCIDENT, mate.entities[2], mate.entities[3]),
    ]


def universal_joint(mate: PlacedMate) -> list[RelatedEntities]:
    """Two shafts that share a point: the one where their lines are nearest to each other."""
    first, second = first_two(mate)
    p, x = np.array(first.point), np.array(second.point)
    a, b = unit(np.array([first.direction, second.direction]))
    normal = np.cross(a, b)
    if np.linalg.norm(normal) < PARALLEL_TOLERANCE:
        meet = x
    else:
        gap = x - p
        meet = x + b * (np.cross(gap, a) @ normal) / (normal @ normal)
    at = (float(meet[0]), float(meet[1]), float(meet[2]))
    moved = [PlacedEntity(e.kind, e.node, at, e.direction, e.radius) for e in (first, second)]
    return [look_up(UNIVERSAL, mate.type, moved[0], moved[1])]


def symmetric(mate: PlacedMate) -> list[RelatedEntities]:
    """Two entities of one kind that are images of each other in a plane."""
    planes = [e for e in mate.entities if e.kind is GeometryKind.PLANE]
    others = [e for e in mate.entities if e.kind is not GeometryKind.PLANE]
    if len(mate.entities) != 3 or not planes or len(others) not in (0, 2):
        raise MateNotUnderstood("it needs two like entities and a plane of symmetry")
    first, second, mirror = (*others, planes[0]) if others else _find_mirror(planes)
    if first.kind is not second.kind:
        raise MateNotUnderstood(f"a {first.kind} cannot be symmetric to a {second.kind}")
    return [look_up(SYMMETRIC, mate.type, first, second, mirror)]


def _find_mirror(planes: Sequence[PlacedEntity]) -> tuple[PlacedEntity, PlacedEntity, PlacedEntity]:
    """Of three planes, two that are images of each other, and the one that they are mirrored in."""
    for index in (2, 0, 1):
        mirror = planes[index]
        first, second = [plane for k, plane in enumerate(planes) if k != index]
        seen = rel.reflect(stacked([first]), stacked([mirror]))
        n = unit(np.array(second.direction))
        flat = np.linalg.norm(np.cross(seen.direction[0], n)) < 1e-4
        if flat and abs(n @ (seen.point[0] - np.array(second.point))) < 1e-4:
            return first, second, mirror
    raise MateNotUnderstood("none of its three planes has the other two as images of each other")


def width(mate: PlacedMate) -> list[RelatedEntities]:
    """The tab's middle plane (or axis) in the groove's middle plane; a free one only stays parallel to it.

    Two faces of the groove, or of the tab, may be on parts that move against each other, such as the jaws of a gripper:
    then they are images of each other in the middle plane of the other two. For parts that are rigid together that is
    the same.
    """
    if len(mate.entities) not in (3, 4):
        raise MateNotUnderstood(
            f"it has {len(mate.entities)} entities instead of a groove's two and a tab's one or two"
        )
    for faces, centre in ((mate.entities[:2], mate.entities[2:]), (mate.entities[2:], mate.entities[:2])):
        if len(faces) == len(centre) == 2 and faces[0].node != faces[1].node and not mate.free:
            _middle(*faces)  # raises if they are not planes
            return [look_up(SYMMETRIC, MateType.SYMMETRIC, faces[0], faces[1], _middle(*centre))]
    # A tab of one entity may be picked first; the groove is two planes in any case.
    entities = sorted(
        mate.entities, key=lambda entity: entity.kind is not GeometryKind.PLANE and len(mate.entities) == 3
    )
    groove = _middle(entities[0], entities[1])
    tab = entities[2] if len(entities) == 3 else _middle(entities[2], entities[3])
    if tab.kind in AXES:
        tab = PlacedEntity(GeometryKind.LINE, tab.node, tab.point, tab.direction)
    if mate.free:
        return [look_up(PARALLEL, MateType.PARALLEL, groove, tab)]
    return [look_up(WIDTH, mate.type, groove, tab)]


def _middle(first: PlacedEntity, second: PlacedEntity) -> PlacedEntity:
    """The plane half-way between two planes, of one part or of two that are rigid together."""
    if first.kind is not GeometryKind.PLANE or second.kind is not GeometryKind.PLANE:
        raise MateNotUnderstood("its faces are not two planes")
    a, b = plain.unit(first.direction), plain.unit(second.direction)
    if plain.dot(a, b) < 0:
        b = (-b[0], -b[1], -b[2])
    normal = plain.unit((a[0] + b[0], a[1] + b[1], a[2] + b[2]))
    x, y, z = ((p + q) / 2 for p, q in zip(first.point, second.point, strict=True))
    ridge = plain.cross(a, b)
    if math.hypot(*ridge) > PARALLEL_TOLERANCE:
        # Faces that meet in a line: the bisecting plane goes through it.
        A = np.array([a, b, np.array(ridge) / np.linalg.norm(ridge)])
        heights = [A[0] @ first.point, A[1] @ second.point, A[2] @ np.array([x, y, z])]
        x, y, z = np.linalg.solve(A, heights).tolist()
    return PlacedEntity(GeometryKind.PLANE, first.node, (x, y, z), normal)


def stacked(entities: Sequence[PlacedEntity]) -> EntityStack:
    """Entities as arrays."""
    return EntityStack(
        np.array([e.node for e in entities], dtype=np.intp),
        np.array([e.point for e in entities], float),
        unit(np.array([e.direction for e in entities], float)),
    )
