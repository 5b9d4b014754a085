"""What each mate type requires: a table of functions from the definition of a new mate."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from swgrm.inference.mates import entity_pairs as pairs
from swgrm.solidworks.swconst import swMateType_e as Sw
from swgrm_mocks.modelling.mate_couplings import gear, linear_coupler, rack_pinion, screw
from swgrm_mocks.modelling.mate_terms import MateTerms
from swgrm_mocks.modelling.mates_of_parts import crossed, locked, profile_center, slot, symmetric, universal, width
from swgrm_mocks.modelling.mates_of_surfaces import clocked, coincident, concentric, coordinate, oriented, tangent
from swgrm_mocks.modelling.mates_with_values import angle, distance, hinge
from swgrm_mocks.modelling.new_mate import IN_PLACE, NewMate

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
