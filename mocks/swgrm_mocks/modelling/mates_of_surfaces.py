"""Mates that hold two surfaces, axes or points together: coincident, concentric, parallel, perpendicular, tangent."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
import numpy as np

from swgrm.inference.geometry import relations as rel
from swgrm.inference.geometry.equations import EquationForm, MateEquations, measure, place
from swgrm.inference.geometry.twists import cross, unit
from swgrm.inference.mates import entity_pairs as pairs
from swgrm.inference.mates.entity_pairs import RelatedEntities, RelationTable
from swgrm.inference.mates.types import GeometryKind, PlacedEntity
from swgrm.solidworks.swconst import swMateType_e as Sw
from swgrm_mocks.modelling.mate_terms import MateTerms, equations
from swgrm_mocks.modelling.new_mate import PARALLEL, ROUND, NewMate


def _sided(mate: NewMate, related: RelatedEntities, size: float) -> MateEquations:
    """A relation whose last equation has a size, on the side where its entities are."""
    now = mate.held(related.relation, related.first, related.second)
    at = now[-1:]
    value = float(measure(at, place(at, mate.poses))[0])
    is_signed = at.form[0] in (EquationForm.OFFSET, EquationForm.SKEW)
    return mate.held(related.relation, related.first, related.second, last=-size if is_signed and value < 0 else size)


def coincident(mate: NewMate) -> MateTerms:
    """Two entities meet; points lie on curved faces at their radius."""
    if all(pick.frame is not None for pick in mate.picks[:2]) and mate.type == Sw.swMateCOORDINATE:
        return coordinate(mate)
    related = mate.related(pairs.COINCIDENT)
    if related.relation in (rel.held_from_line, rel.held_from_point, rel.lines_apart):
        return mate.terms(_sided(mate, related, related.first.radius))
    if related.relation is rel.point_on_circle:
        return mate.terms(mate.held(related.relation, related.first, related.second, last=related.first.radius))
    return mate.terms(mate.held(related.relation, related.first, related.second))


def coordinate(mate: NewMate) -> MateTerms:
    """Two frames coincide: their origins, and x ⟂ y′, y ⟂ z′, z ⟂ x′."""
    if mate.conventions.coordinate_mate == "ignored":
        return mate.terms()
    frames = [mate.pose_of(pick.component) @ pick.frame for pick in mate.picks[:2]]
    nodes = [mate.components.index(pick.component) for pick in mate.picks[:2]]
    points = [PlacedEntity(GeometryKind.POINT, n, tuple(T[:3, 3])) for n, T in zip(nodes, frames, strict=True)]
    held = [mate.held(rel.point_on_point, *points)]
    for k in range(3):
        one, other = frames[0][:3, k], frames[1][:3, (k + 1) % 3]
        ends = [
            PlacedEntity(GeometryKind.LINE, node, tuple(T[:3, 3]), tuple(axis))
            for node, T, axis in zip(nodes, frames, (one, other), strict=True)
        ]
        held.append(mate.held(rel.perpendicular, *ends))
    return mate.terms(*held)


def concentric(mate: NewMate) -> MateTerms:
    """Two axes coincide."""
    related = mate.related(pairs.CONCENTRIC)
    return mate.terms(mate.held(related.relation, related.first, related.second))


def clocked(mate: NewMate, terms: MateTerms) -> None:
    """Holds the rotation about a common axis as it is, if the mate locks it."""
    locks = mate.values.get("lock_rotation", False)
    if mate.type == Sw.swMatePROFILECENTER:
        are_faces = all(mate.placed(k).kind is GeometryKind.PLANE for k in range(2))
        locks |= are_faces and mate.conventions.profile_centre == "locked"
    if locks:
        terms.held.append(mate.held(rel.clocked, mate.placed(0), mate.placed(1)))


def oriented(table: RelationTable) -> Callable[[NewMate], MateTerms]:
    """The function of parallel and perpendicular mates."""

    def build(mate: NewMate) -> MateTerms:
        related = mate.related(table)
        return mate.terms(mate.held(related.relation, related.first, related.second))

    return build


def tangent(mate: NewMate) -> MateTerms:
    """Two faces touch, on the side where they are."""
    related = mate.related(pairs.CAM if mate.type == Sw.swMateCAMFOLLOWER else pairs.TANGENT)
    first, second = related.first, related.second
    if related.relation is rel.cone_on_plane:
        return _cone_on_plane(mate, first, second)
    sizes = [entity.radius if entity.kind in ROUND else 0.0 for entity in (first, second)]
    if first.kind is GeometryKind.PLANE:
        return mate.terms(_sided(mate, related, sizes[1]))
    if related.relation is rel.lines_crossing and are_parallel(first, second):
        related = msgspec.structs.replace(related, relation=rel.lines_apart)
    now = mate.held(related.relation, first, second)[-1:]
    apart = abs(float(measure(now, place(now, mate.poses))[0]))
    size = min((sizes[0] + sizes[1], abs(sizes[0] - sizes[1])), key=lambda option: abs(option - apart))
    return mate.terms(_sided(mate, related, size))


def _cone_on_plane(mate: NewMate, plane: PlacedEntity, cone: PlacedEntity) -> MateTerms:
    """A generator of the cone lies in the plane: |n · axis| = sin α, and the base's centre is r cos α above it."""
    half_angle, radius = next(pick.entity.radii for pick in mate.picks if pick.entity.type == 7)
    n = unit(np.array(plane.direction))
    side = 1.0 if n @ np.subtract(cone.point, plane.point) >= 0 else -1.0
    # The apex is lower than the base's centre: the axis points down towards the plane.
    found = equations(
        RelatedEntities(rel.cone_on_plane, plane, cone), mate.poses,
        targets={0: -side * np.sin(half_angle), 1: side * radius * np.cos(half_angle)},
    )  # fmt: skip
    return mate.terms(found)


def are_parallel(first: PlacedEntity, second: PlacedEntity) -> bool:
    """Whether two directions are taken for parallel."""
    a, b = unit(np.array([first.direction, second.direction], float))
    return bool(np.linalg.norm(cross(a, b)) < PARALLEL)
