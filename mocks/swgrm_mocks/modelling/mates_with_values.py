"""Mates with a value that can be driven or limited: distance, angle and hinge."""

from __future__ import annotations

import numpy as np
from msgspec.structs import replace

from swgrm.inference.geometry import relations as rel
from swgrm.inference.geometry.twists import cross, unit
from swgrm.inference.mates import entity_pairs as pairs
from swgrm.inference.mates.types import PlacedEntity
from swgrm_mocks.modelling.mate_terms import DrivenValue, MateTerms
from swgrm_mocks.modelling.mates_of_surfaces import are_parallel
from swgrm_mocks.modelling.new_mate import NewMate


def distance(mate: NewMate) -> MateTerms:
    """A distance that can be driven, or that has limits."""
    related = mate.related(pairs.DISTANCE)
    if related.relation is rel.lines_crossing and are_parallel(related.first, related.second):
        related = replace(related, relation=rel.lines_apart)
    found = mate.held(related.relation, related.first, related.second)
    value = DrivenValue(found[-1:])
    now = value.measured(mate.poses)
    side = -1.0 if now < -1e-9 else 1.0
    if abs(now) < 1e-9 and _is_reversed(mate):
        side = -1.0
    if mate.values.get("side_by_flip") and not mate.values["is_advanced_mate"]:
        side = -1.0 if mate.values["flip_dimension"] else 1.0
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
    """The angle of two directions: the signed one, if their bodies only turn about an axis across both."""
    value = DrivenValue(mate.held(rel.inclined, first, second))
    a, b = unit(np.array([first.direction, second.direction], float))
    turns = mate.turns(mate.components[first.node], mate.components[second.node])
    if len(turns) != 1 or max(abs(turns[0] @ a), abs(turns[0] @ b)) > 1e-6:
        return value
    normal = turns[0] * np.sign(turns[0][int(np.argmax(np.abs(turns[0])))])
    side = float(normal @ cross(a, b))
    if abs(side) > 1e-6:
        is_far = mate.values["angle"] > np.pi  # it is measured the long way round
        normal = normal * np.sign(side) * (-1.0 if is_far else 1.0)
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
