"""A mate of a modelled assembly, and what the types of mates are called."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from swgrm.solidworks.swconst import swMateType_e as Sw
from swgrm_mocks.modelling.mate_terms import MateTerms
from swgrm_mocks.modelling.new_mate import IN_PLACE, Pick

TYPE_NAMES: dict[int, str] = {
    Sw.swMateCOINCIDENT: "MateCoincident",
    Sw.swMateCONCENTRIC: "MateConcentric",
    Sw.swMatePERPENDICULAR: "MatePerpendicular",
    Sw.swMatePARALLEL: "MateParallel",
    Sw.swMateTANGENT: "MateTangent",
    Sw.swMateDISTANCE: "MateDistanceDim",
    Sw.swMateANGLE: "MatePlanarAngleDim",
    Sw.swMateSYMMETRIC: "MateSymmetric",
    Sw.swMateCAMFOLLOWER: "MateCamTangent",
    Sw.swMateGEAR: "MateGearDim",
    Sw.swMateWIDTH: "MateWidth",
    Sw.swMateRACKPINION: "MateRackPinionDim",
    Sw.swMateLOCK: "MateLock",
    Sw.swMateSCREW: "MateScrew",
    Sw.swMateLINEARCOUPLER: "MateLinearCoupler",
    Sw.swMateUNIVERSALJOINT: "MateUniversalJoint",
    Sw.swMateCOORDINATE: "MateCoordinate",
    Sw.swMateSLOT: "MateSlot",
    Sw.swMateHINGE: "MateHinge",
    Sw.swMatePROFILECENTER: "MateProfileCenter",
    IN_PLACE: "MateInPlace",
}
ALIGNED, ANTI_ALIGNED, CLOSEST = range(3)
DRIVEN = {int(Sw.swMateDISTANCE): "distance", int(Sw.swMateANGLE): "angle", int(Sw.swMateHINGE): "angle"}


@dataclass
class ModelMate:
    """A mate of the assembly: its definition, and what it requires."""

    type: int
    values: dict[str, Any]
    picks: list[Pick]
    references: tuple[str, ...] = ()
    id: int = 0
    name: str = ""
    folder: str = ""
    is_suppressed: bool = False
    error: int = 0
    terms: MateTerms = field(default_factory=lambda: MateTerms(("",)))
    off: dict[str, float] = field(default_factory=dict)  # of its coupling, by the prefix of the assembly's instance
