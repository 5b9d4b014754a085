"""From the definition of a new mate to what it requires: one function per mate type, by the inference's tables."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import msgspec
import numpy as np

from swgrm.inference.geometry import relations as rel
from swgrm.inference.geometry.equations import EquationForm, MateEquations, measure, place
from swgrm.inference.geometry.twists import Array, cross, unit
from swgrm.inference.mates import compound
from swgrm.inference.mates import entity_pairs as pairs
from swgrm.inference.mates.entity_pairs import RelatedEntities, RelationTable
from swgrm.inference.mates.types import GeometryKind, MateNotUnderstood, MateType, PlacedEntity, PlacedMate
from swgrm.swconst import swMateType_e as Sw
from swgrm.swconst import swMateWidthOptions_e as WidthOption
from swgrm.swconst import swSlotMateConstraintOptions_e as SlotOption
from swgrm_mocks.modelling.mate_couplings import gear, linear_coupler, rack_pinion, screw
from swgrm_mocks.modelling.mate_terms import DrivenValue, MateTerms, equations
from swgrm_mocks.modelling.new_mate import IN_PLACE, PARALLEL, ROUND, NewMate, WrongSelection


def _sided(mate: NewMate, related: RelatedEntities, size: float) -> MateEquations:
    """Returns a relation whose last equation has a size, on the side where its entities are."""
    now = mate.held(related.relation, related.first, related.second)
    at = now[-1:]
    value = float(measure(at.form, place(at, mate.poses))[0])
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
    """Returns the function of parallel and perpendicular mates."""

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
    if related.relation is rel.lines_crossing and _are_parallel(first, second):
        related = msgspec.structs.replace(related, relation=rel.lines_apart)
    now = mate.held(related.relation, first, second)[-1:]
    apart = abs(float(measure(now.form, place(now, mate.poses))[0]))
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


def _are_parallel(first: PlacedEntity, second: PlacedEntity) -> bool:
    a, b = unit(np.array([first.direction, second.direction], float))
    return bool(np.linalg.norm(cross(a, b)) < PARALLEL)


def distance(mate: NewMate) -> MateTerms:
    """A distance that can be driven, or that has limits."""
    related = mate.related(pairs.DISTANCE)
    if related.relation is rel.lines_crossing and _are_parallel(related.first, related.second):
        related = msgspec.structs.replace(related, relation=rel.lines_apart)
    found = mate.held(related.relation, related.first, related.second)
    value = DrivenValue(found[-1:])
    now = value.measured(mate.poses)
    side = -1.0 if now < -1e-9 else 1.0
    if abs(now) < 1e-9 and _is_reversed(mate):
        side = -1.0
    low, high = mate.values["minimum_distance"], mate.values["maximum_distance"]
    return mate.terms(
        *([found[:-1]] if len(found) > 1 else []),
        value=replace(value, side=side),
        target=mate.values["distance"],
        limits=(low, high) if mate.values["is_advanced_mate"] else None,
    )


def _is_reversed(mate: NewMate) -> bool:
    """Whether a dimension without a side goes the other way."""
    flips = bool(mate.values["flip_dimension"])
    return flips and (not mate.values["is_advanced_mate"] or mate.conventions.limit_flip == "reversed")


def angle(mate: NewMate) -> MateTerms:
    """An angle that can be driven, or that has limits."""
    mate.related(pairs.ANGLE)  # raises if its entities have no directions
    low, high = mate.values["minimum_angle"], mate.values["maximum_angle"]
    return mate.terms(
        value=_angle_value(mate, mate.placed(0), mate.placed(1), is_reversed=_is_reversed(mate)),
        target=mate.values["angle"],
        limits=(low, high) if mate.values["is_advanced_mate"] else None,
    )


def _angle_value(mate: NewMate, first: PlacedEntity, second: PlacedEntity, *, is_reversed: bool) -> DrivenValue:
    """Returns the angle of two directions: the signed one, if their bodies only turn about an axis across both."""
    value = DrivenValue(mate.held(rel.inclined, first, second))
    a, b = unit(np.array([first.direction, second.direction], float))
    turns = mate.turns(mate.components[first.node], mate.components[second.node])
    if len(turns) != 1 or max(abs(turns[0] @ a), abs(turns[0] @ b)) > 1e-6:
        return value
    normal = turns[0] * np.sign(turns[0][int(np.argmax(np.abs(turns[0])))])
    side = float(normal @ cross(a, b))
    if abs(side) > 1e-6:
        normal = normal * np.sign(side)
    elif is_reversed:
        normal = -normal
    return replace(value, normal=mate.poses[first.node][:3, :3].T @ normal)


def hinge(mate: NewMate) -> MateTerms:
    """Two axes and two faces, and the angle between two more faces if it is limited."""
    axes, faces = mate.related(pairs.CONCENTRIC), mate.related(pairs.COINCIDENT, 2, 3)
    held = [mate.held(each.relation, each.first, each.second) for each in (axes, faces)]
    if not mate.values["angle_selection"] or len(mate.picks) < 6:
        return mate.terms(*held)
    first, second = mate.placed(4), mate.placed(5)
    value = DrivenValue(mate.held(rel.inclined, first, second))
    axis, a, b = (unit(np.array(e.direction, float)) for e in (axes.first, first, second))
    if max(abs(axis @ a), abs(axis @ b)) < 1e-6:
        side = float(axis @ cross(a, b))
        axis = axis * (np.sign(side) if abs(side) > 1e-6 else 1.0)
        value = replace(value, normal=mate.poses[first.node][:3, :3].T @ axis)
    limits = (mate.values["min_val"], mate.values["max_val"])
    return mate.terms(*held, value=value, target=mate.values["angle"], limits=limits)


def width(mate: NewMate) -> MateTerms:
    """The tab in the middle of the groove, parallel to it, or at a distance from its first face."""
    entities = tuple(mate.placed(k) for k in range(len(mate.picks)))
    free = mate.values["constraint_type"] == WidthOption.swMateWidth_Free
    try:
        (related,) = compound.width(PlacedMate("", MateType.WIDTH, entities, free=free))
    except MateNotUnderstood as reason:
        raise WrongSelection(str(reason)) from reason
    if free:
        return mate.terms(mate.held(related.relation, related.first, related.second))
    return mate.terms(mate.held(related.relation, related.first, related.second, last=_tab_offset(mate, entities)))


def _tab_offset(mate: NewMate, entities: Sequence[PlacedEntity]) -> float:
    """Returns where the tab's middle is along the groove's normal; it is measured from the groove's first face."""
    option = mate.values["constraint_type"]
    if option == WidthOption.swMateWidth_Centered or len(entities) < 4:
        return 0.0
    normal = unit(np.array(entities[0].direction, float))
    points = [np.array(entity.point) for entity in entities]
    inner = unit(np.array(entities[2].direction, float))  # the tab need not be parallel to the groove yet
    groove, tab = (abs(float(n @ (points[k] - points[k + 1]))) for n, k in ((normal, 0), (inner, 2)))
    room = groove - tab
    gone = mate.values["distance_from_end"]
    if option == WidthOption.swMateWidth_Percent:
        gone = room * mate.values["percent_distance_from_end"] / 100
    outward = 1.0 if float(normal @ (points[0] - points[1])) > 0 else -1.0
    end = -1.0 if mate.values["flip_dimension"] else 1.0
    return float(end * outward * (room / 2 - gone))


def symmetric(mate: NewMate) -> MateTerms:
    """Two entities that are images of each other in the plane, which is picked last."""
    first, second, mirror = (mate.placed(k) for k in range(3))
    relation = pairs.SYMMETRIC.get((first.kind, second.kind))
    if relation is None or mirror.kind is not GeometryKind.PLANE:
        raise WrongSelection(f"a {first.kind} and a {second.kind} about a {mirror.kind}")
    return mate.terms(equations(RelatedEntities(relation, first, second, mirror), mate.poses))


def slot(mate: NewMate) -> MateTerms:
    """A pin in a straight slot: its direction, the slot's middle plane, and its place along the slot unless free."""
    number = next((k for k, pick in enumerate(mate.picks) if pick.slot), None)
    if number is None or len(mate.picks) != 2 or mate.placed(1 - number).kind is not GeometryKind.CYLINDER:
        raise WrongSelection("it needs a face of a straight slot and a cylinder")
    path, pin = mate.picks[number].slot, mate.placed(1 - number)
    T = mate.pose_of(mate.picks[number].component)
    node = mate.components.index(mate.picks[number].component)
    start, end = (T[:3, :3] @ np.array(p) + T[:3, 3] for p in (path.start, path.end))  # type: ignore[union-attr]
    axis = T[:3, :3] @ np.array(path.axis)  # type: ignore[union-attr]
    along = unit(end - start)
    length = float(np.linalg.norm(end - start))

    def across(direction: Array) -> PlacedEntity:
        return PlacedEntity(GeometryKind.PLANE, node, tuple(start.tolist()), tuple(direction.tolist()))

    held = [
        mate.held(rel.parallel, across(axis), pin),
        mate.held(rel.held_from_plane, across(cross(axis, along)), pin, last=0.0),
    ]
    option = mate.values["constraint"]
    if option != SlotOption.swSlotMateConstraintOption_Free:
        places = {
            int(SlotOption.swSlotMateConstraintOption_Centered): length / 2,
            int(SlotOption.swSlotMateConstraintOption_Distance): mate.values["distance"],
            int(SlotOption.swSlotMateConstraintOption_Percent): length * mate.values["percent"] / 100,
        }
        at = length - places[option] if mate.values["flip_direction"] else places[option]
        held.append(mate.held(rel.held_from_plane, across(along), pin, last=at))
    return mate.terms(*held)


def profile_center(mate: NewMate) -> MateTerms:
    """Two centres on one axis at the offset; the pick's centre takes the place of its point."""
    mate.picks = [
        pick if pick.center is None else pick._replace(entity=pick.entity._replace(point=pick.center))
        for pick in mate.picks
    ]
    related = mate.related(pairs.PROFILE_CENTER)
    offset = mate.values["offset_distance"] * (-1.0 if mate.values["flip_dimension"] else 1.0)
    return mate.terms(
        mate.held(rel.line_on_line, related.first, related.second),
        mate.held(rel.held_from_plane, related.first, related.second, last=offset),
    )


def locked(mate: NewMate, terms: MateTerms) -> None:
    """Holds two components as they are."""
    first, second = (
        PlacedEntity(GeometryKind.POINT, mate.components.index(pick.component), (0.0, 0.0, 0.0))
        for pick in mate.picks[:2]
    )
    terms.held.append(mate.held(rel.rigid, first, second))


def universal(mate: NewMate) -> MateTerms:
    """The axes of two shafts meet."""
    related = mate.related(pairs.UNIVERSAL)
    relation = rel.line_on_line if _are_parallel(related.first, related.second) else rel.lines_crossing
    if relation is rel.line_on_line:
        return mate.terms(mate.held(relation, related.first, related.second))
    return mate.terms(mate.held(relation, related.first, related.second, last=0.0))


def crossed(mate: NewMate, terms: MateTerms) -> None:
    """Puts a cross between two shafts, where they meet now."""
    placed = PlacedMate("", MateType.UNIVERSAL, (mate.placed(0), mate.placed(1)))
    (related,) = compound.universal_joint(placed)
    terms.held[:] = [equations(related, mate.poses)]


BUILDERS: Mapping[int, Callable[[NewMate], MateTerms]] = {
    Sw.swMateCOINCIDENT: coincident,
    Sw.swMateCONCENTRIC: concentric,
    Sw.swMatePERPENDICULAR: oriented(pairs.PERPENDICULAR),
    Sw.swMatePARALLEL: oriented(pairs.PARALLEL),
    Sw.swMateTANGENT: tangent,
    Sw.swMateDISTANCE: distance,
    Sw.swMateANGLE: angle,
    Sw.swMateSYMMETRIC: symmetric,
    Sw.swMateCAMFOLLOWER: tangent,
    Sw.swMateGEAR: gear,
    Sw.swMateWIDTH: width,
    Sw.swMateRACKPINION: rack_pinion,
    Sw.swMateLOCK: lambda mate: mate.terms(),
    IN_PLACE: lambda mate: mate.terms(),
    Sw.swMateSCREW: screw,
    Sw.swMateLINEARCOUPLER: linear_coupler,
    Sw.swMateUNIVERSALJOINT: universal,
    Sw.swMateCOORDINATE: coordinate,
    Sw.swMateSLOT: slot,
    Sw.swMateHINGE: hinge,
    Sw.swMatePROFILECENTER: profile_center,
}
# What is held as it is once the rest of the mate holds.
FINISHERS: Mapping[int, Callable[[NewMate, MateTerms], None]] = {
    Sw.swMateCONCENTRIC: clocked,
    Sw.swMatePROFILECENTER: clocked,
    Sw.swMateLOCK: locked,
    IN_PLACE: locked,
    Sw.swMateUNIVERSALJOINT: crossed,
}
