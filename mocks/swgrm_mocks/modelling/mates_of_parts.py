"""Mates between whole parts and their profiles: width, symmetric, slot, profile centre, lock, universal joint."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from swgrm.inference.geometry import relations as rel
from swgrm.inference.geometry.twists import Array, cross, unit
from swgrm.inference.mates import compound
from swgrm.inference.mates import entity_pairs as pairs
from swgrm.inference.mates.entity_pairs import RelatedEntities
from swgrm.inference.mates.types import GeometryKind, MateNotUnderstood, MateType, PlacedEntity, PlacedMate
from swgrm.solidworks.swconst import swMateWidthOptions_e as WidthOption
from swgrm.solidworks.swconst import swSlotMateConstraintOptions_e as SlotOption
from swgrm_mocks.modelling.mate_terms import MateTerms, equations
from swgrm_mocks.modelling.mates_of_surfaces import are_parallel
from swgrm_mocks.modelling.new_mate import NewMate, WrongSelection


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
    """Where the tab's middle is along the groove's normal; it is measured from the groove's first face."""
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
    relation = rel.line_on_line if are_parallel(related.first, related.second) else rel.lines_crossing
    if relation is rel.line_on_line:
        return mate.terms(mate.held(relation, related.first, related.second))
    return mate.terms(mate.held(relation, related.first, related.second, last=0.0))


def crossed(mate: NewMate, terms: MateTerms) -> None:
    """Puts a cross between two shafts, where they meet now."""
    placed = PlacedMate("", MateType.UNIVERSAL, (mate.placed(0), mate.placed(1)))
    (related,) = compound.universal_joint(placed)
    terms.held[:] = [equations(related, mate.poses)]
