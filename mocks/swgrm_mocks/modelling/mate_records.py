"""The records that a reader sees of the mates of a modelled assembly."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from swgrm.capture import FEATURE_DATA, Mate, MateEntity
from swgrm.solidworks.swconst import swMateType_e as Sw
from swgrm.transforms import Array
from swgrm_mocks.builder import make_persistent_id
from swgrm_mocks.modelling.model_mates import ALIGNED, ANTI_ALIGNED, CLOSEST, DRIVEN, TYPE_NAMES, ModelMate
from swgrm_mocks.modelling.new_mate import IN_PLACE, Pick

if TYPE_CHECKING:
    from swgrm_mocks.modelling.assembly_model import AssemblyModel


def mate_record(assembly: AssemblyModel, mate: ModelMate, configuration: str) -> Mate:
    """The record of a mate."""
    kind = FEATURE_DATA.get(mate.type)
    data = kind(**{name: mate.values[name] for name in kind.__struct_fields__}) if kind else None
    name = TYPE_NAMES[mate.type]
    limits = mate.terms.limits
    if limits and mate.type in (Sw.swMateDISTANCE, Sw.swMateANGLE):
        name = name.replace("Mate", "MateLimit")
    value = mate.terms.target
    if limits and mate.type in (Sw.swMateDISTANCE, Sw.swMateANGLE):
        limits = mate.values[f"minimum_{DRIVEN[mate.type]}"], mate.values[f"maximum_{DRIVEN[mate.type]}"]
    low, high = limits or (value, value)
    varies = mate.terms.value is not None and mate.type in (Sw.swMateDISTANCE, Sw.swMateANGLE)
    ends = directions(assembly, mate)
    alignment = mate.values.get("mate_alignment", CLOSEST)
    if len(ends) == 2 and alignment == CLOSEST:
        alignment = ALIGNED if float(ends[0] @ ends[1]) >= 0 else ANTI_ALIGNED
    return Mate(
        mate.name, name, mate.id, make_persistent_id(mate.id, mate.name),
        None if mate.type == IN_PLACE else int(mate.type), alignment,
        bool(mate.values.get("flip_dimension", False)),
        suppressed=mate.id in assembly.suppressed_in.get(configuration, ()),
        entities=tuple(_entity(assembly, pick, mate.type) for pick in mate.picks), data=data,
        minimum_variation=low - value if varies else None, maximum_variation=high - value if varies else None,
        folder=mate.folder, references=mate.references, error=mate.error,
    )  # fmt: skip


def directions(assembly: AssemblyModel, mate: ModelMate) -> list[Array]:
    """The directions of the first two entities of a mate that have one, in the assembly."""
    ends = [pick for pick in mate.picks[:2] if pick.entity.direction]
    return [assembly.pose_of(pick.component)[:3, :3] @ np.array(pick.entity.direction) for pick in ends]


def _entity(assembly: AssemblyModel, pick: Pick, kind: int) -> MateEntity:
    """An entity where it is; of a cone only its half-angle is reported, of an in-place mate nothing."""
    entity = pick.entity
    if kind == IN_PLACE:
        return MateEntity(13, entity.selection, pick.component)
    if entity.type == 7:
        entity = entity._replace(radii=(entity.radii[0], 0.0))
    return entity.of(pick.component, assembly.pose_of(pick.component))
