"""Gear, rack and pinion, screw and linear coupler mates: one motion that follows another."""

from __future__ import annotations

from typing import Any

import numpy as np

from swgrm.capture import Gear, LinearCoupler, RackPinion, Screw
from swgrm.inference.geometry.twists import unit
from swgrm.inference.mates import coupling_numbers
from swgrm.inference.mates import entity_pairs as pairs
from swgrm.inference.mates.types import PlacedEntity
from swgrm.transforms import inverse
from swgrm_mocks.modelling.mate_terms import MateTerms, MotionCoupling, Track
from swgrm_mocks.modelling.new_mate import NewMate, WrongSelection


def gear(mate: NewMate) -> MateTerms:
    """Two axes whose rotations are coupled; without numbers the radii of its entities decide."""
    first, second = mate.placed(0), mate.placed(1)
    if not mate.values["gear_ratio_numerator"]:
        radii = [max(entity.radius, 1e-9) for entity in (first, second)]
        if mate.conventions.gear_ratio != "numerator":
            radii.reverse()
        mate.values["gear_ratio_numerator"], mate.values["gear_ratio_denominator"] = (2 * r for r in radii)
    found = coupling_numbers.gear(Gear(**_fields(Gear, mate)), _reading(mate, (first, second)))
    tracks = [_track(mate, number, "turn", _common(mate)) for number in range(2)]
    return mate.terms(coupling=MotionCoupling(tracks[0], tracks[1], found.numbers["ratio"]))


def rack_pinion(mate: NewMate) -> MateTerms:
    """The rack's translation follows the pinion's rotation."""
    entities = mate.placed(0), mate.placed(1)
    if not mate.values["diameter_val"]:
        mate.values["diameter_val"] = 2 * entities[1].radius
    found = coupling_numbers.rack_pinion(RackPinion(**_fields(RackPinion, mate)), _reading(mate, entities))
    rack, pinion = (0, 1) if coupling_numbers.rack_and_pinion(entities)[0] is entities[0] else (1, 0)
    common = _common(mate)
    tracks = _track(mate, pinion, "turn", common), _track(mate, rack, "slide", common)
    return mate.terms(coupling=MotionCoupling(*tracks, found.numbers["travel"]))


def screw(mate: NewMate) -> MateTerms:
    """Two axes coincide, and the translation along them follows the rotation."""
    axes = mate.related(pairs.CONCENTRIC)
    found = coupling_numbers.screw(Screw(**_fields(Screw, mate)), _reading(mate, (mate.placed(0), mate.placed(1))))
    reference = mate.picks[0].component
    tracks = [_track(mate, 1, kind, reference) for kind in ("turn", "slide")]
    held = mate.held(axes.relation, axes.first, axes.second)
    return mate.terms(held, coupling=MotionCoupling(tracks[0], tracks[1], found.numbers["travel"]))


def linear_coupler(mate: NewMate) -> MateTerms:
    """Two translations that are coupled, each relative to its reference."""
    data = LinearCoupler(**_fields(LinearCoupler, mate))
    found = coupling_numbers.linear_coupler(data, _reading(mate, (mate.placed(0), mate.placed(1))))
    references = mate.references or ("", "")
    if found.numbers.get("parent"):
        references = tuple(mate.carriers.get(pick.component, "") for pick in mate.picks[:2])
    tracks = [_track(mate, number, "slide", references[number]) for number in range(2)]
    return mate.terms(coupling=MotionCoupling(tracks[0], tracks[1], found.numbers["ratio"]))


def _fields(kind: Any, mate: NewMate) -> dict[str, Any]:
    return {name: mate.values[name] for name in kind.__struct_fields__}


def _reading(mate: NewMate, entities: tuple[PlacedEntity, ...]) -> coupling_numbers.MateReading:
    numbers = tuple(mate.components.index(name) for name in mate.references)
    return coupling_numbers.MateReading(mate.conventions, mate.unit, entities, numbers)


def _common(mate: NewMate) -> str:
    """The component that carries both entities' components, or the assembly."""
    carriers = {mate.carriers.get(pick.component, "") for pick in mate.picks[:2]}
    return carriers.pop() if len(carriers) == 1 else ""


def _track(mate: NewMate, number: int, kind: Any, reference: str) -> Track:
    entity, T = mate.placed(number), mate.pose_of(mate.picks[number].component)
    local = inverse(T)
    point = local[:3, :3] @ np.array(entity.point) + local[:3, 3]
    direction = local[:3, :3] @ unit(np.array(entity.direction, float))
    if not direction.any():
        raise WrongSelection(f"a {entity.kind} has no direction")
    return Track(entity.node, mate.components.index(reference), kind, point, direction)
