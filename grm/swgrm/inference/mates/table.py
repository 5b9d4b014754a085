"""The table of mate types: SolidWorks' number of each, and what it means for its entities.

A mate type has either a table of relations for its two entities (`mates.entity_pairs`), or in addition a function that
relates more entities (`mates.compound`), or neither: then it is a coupling between joints, or SolidWorks' API does not
give enough geometry to use it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import NamedTuple

from swgrm.inference.geometry import relations as rel
from swgrm.inference.geometry.relations import Relation
from swgrm.inference.mates import compound, guides
from swgrm.inference.mates.entity_pairs import (
    ANGLE,
    CAM,
    COINCIDENT,
    CONCENTRIC,
    DISTANCE,
    PARALLEL,
    PATH,
    PERPENDICULAR,
    PROFILE_CENTER,
    RIGID,
    SLOT,
    SYMMETRIC,
    TANGENT,
    UNIVERSAL,
    WIDTH,
    RelatedEntities,
    RelationTable,
    look_up,
)
from swgrm.inference.mates.types import COUPLINGS, MateNotUnderstood, MateType, PlacedMate, check_geometry
from swgrm.solidworks.swconst import swMateType_e as Sw


class MateSpec(NamedTuple):
    """A mate type."""

    number: Sw | None  # in SolidWorks; None: in-place mates have no number
    relations: RelationTable = MappingProxyType({})  # by the kinds of its two entities
    relate: Callable[[PlacedMate], list[RelatedEntities]] | None = None  # instead of looking up the first two entities


MATES: Mapping[MateType, MateSpec] = {
    MateType.COINCIDENT: MateSpec(Sw.swMateCOINCIDENT, COINCIDENT),
    MateType.CONCENTRIC: MateSpec(Sw.swMateCONCENTRIC, CONCENTRIC),
    MateType.PARALLEL: MateSpec(Sw.swMatePARALLEL, PARALLEL, compound.oriented),
    MateType.PERPENDICULAR: MateSpec(Sw.swMatePERPENDICULAR, PERPENDICULAR, compound.oriented),
    MateType.TANGENT: MateSpec(Sw.swMateTANGENT, TANGENT),
    MateType.DISTANCE: MateSpec(Sw.swMateDISTANCE, DISTANCE),
    MateType.ANGLE: MateSpec(Sw.swMateANGLE, ANGLE),
    MateType.SYMMETRIC: MateSpec(Sw.swMateSYMMETRIC, SYMMETRIC, compound.symmetric),
    MateType.WIDTH: MateSpec(Sw.swMateWIDTH, WIDTH, compound.width),
    MateType.SLOT: MateSpec(Sw.swMateSLOT, SLOT, guides.slot),
    MateType.CAM_FOLLOWER: MateSpec(Sw.swMateCAMFOLLOWER, CAM, guides.cam_follower),
    MateType.PATH: MateSpec(Sw.swMatePATH, PATH, guides.path),
    MateType.HINGE: MateSpec(Sw.swMateHINGE, CONCENTRIC, compound.hinge),
    MateType.UNIVERSAL: MateSpec(Sw.swMateUNIVERSALJOINT, UNIVERSAL, compound.universal_joint),
    MateType.PROFILE_CENTER: MateSpec(Sw.swMatePROFILECENTER, PROFILE_CENTER, compound.profile_center),
    MateType.LOCK: MateSpec(Sw.swMateLOCK, RIGID, compound.rigid),
    MateType.COORDINATE: MateSpec(Sw.swMateCOORDINATE, RIGID, compound.rigid),
    MateType.IN_PLACE: MateSpec(None, RIGID, compound.rigid),
    # Couplings between joints, see `joints.couplings`.
    MateType.GEAR: MateSpec(Sw.swMateGEAR),
    MateType.RACK_PINION: MateSpec(Sw.swMateRACKPINION),
    MateType.SCREW: MateSpec(Sw.swMateSCREW),
    MateType.LINEAR_COUPLER: MateSpec(Sw.swMateLINEARCOUPLER),
    # Without usable geometry in SolidWorks' API.
    MateType.LOCK_TO_SKETCH: MateSpec(Sw.swMateLOCKTOSKETCH),
    MateType.MAGNETIC: MateSpec(Sw.swMateMAGNETIC),
    MateType.SLIDER: MateSpec(Sw.swMateSLIDER),
    MateType.UNKNOWN: MateSpec(Sw.swMateUNKNOWN),
}
WITHOUT_GEOMETRY = frozenset(kind for kind, spec in MATES.items() if not spec.relations) - COUPLINGS

# What a limit mate still holds: all but what it measures.
UNDER_LIMIT: Mapping[Relation, Relation] = {
    rel.planes_apart: rel.parallel,
    rel.line_over_plane: rel.perpendicular,
    rel.lines_apart: rel.parallel,
}


def relations_of(mate: PlacedMate) -> list[RelatedEntities]:
    """The relations that a mate puts its entities in, without regard to limits; else `MateNotUnderstood`."""
    spec = MATES[mate.type]
    if mate.obstacle:
        raise MateNotUnderstood(mate.obstacle)
    if not spec.relations:
        raise MateNotUnderstood(f"SolidWorks' API has no usable geometry of mates of the type `{mate.type}`")
    if spec.relate is not compound.rigid:
        check_geometry(mate)
    return spec.relate(mate) if spec.relate else _of_two_entities(mate, spec.relations)


def _of_two_entities(mate: PlacedMate, table: RelationTable) -> list[RelatedEntities]:
    related = look_up(table, mate.type, *compound.first_two(mate))
    if mate.lock_rotation and related.relation is rel.line_on_line:
        return [related, RelatedEntities(rel.clocked, related.first, related.second)]
    return [related]


def held_relations(mate: PlacedMate) -> list[RelatedEntities]:
    """What a mate holds; of a limit mate, what it holds besides the value that it limits."""
    if not mate.is_limit or mate.type is MateType.HINGE:
        return relations_of(mate)
    rest = ((UNDER_LIMIT.get(related.relation), related) for related in relations_of(mate))
    return [RelatedEntities(relation, related.first, related.second) for relation, related in rest if relation]


class Assumption(NamedTuple):
    """Something that SolidWorks' API does not report about a mate: the finding's code, and a note for the joint."""

    code: str
    note: str


def assumption(mate: PlacedMate) -> Assumption | None:
    """What is assumed of a mate, if anything."""
    if mate.type is MateType.UNIVERSAL:
        note = "its cross is assumed to be perpendicular to both shafts as assembled"
        return Assumption("universal-assumed", note)
    if guides.is_slot_direction_unknown(mate):
        note = "only the direction of its axes is held, because SolidWorks does not report where the slot runs"
        return Assumption("slot-direction", note)
    if guides.is_slot_side_assumed(mate):
        return Assumption("slot-assumed", "its first entity is assumed to be the slot, its second one the pin")
    if mate.type is MateType.CAM_FOLLOWER:
        return Assumption("cam-assumed", "its follower is assumed to stay on the first face of the cam")
    if mate.type is MateType.PATH:
        return Assumption("path-assumed", "its point is assumed to move along the whole path and to rotate freely")
    return None
