"""The feature data of mates beyond their entities: one record per mate type that has such data.

The names are those of the SolidWorks API: `Gear.gear_ratio_numerator` is IGearMateFeatureData.GearRatioNumerator.
"""

from __future__ import annotations

from collections.abc import Mapping

from swgrm.capture.record import Record
from swgrm.solidworks.swconst import swMateType_e


class FeatureData(Record, frozen=True, tag_field="mate"):
    """The feature data of a mate; the fields are named after the members of its SolidWorks interface."""


class Angle(FeatureData, frozen=True, tag="angle"):
    """IAngleMateFeatureData, in rad."""

    angle: float
    maximum_angle: float
    minimum_angle: float
    is_advanced_mate: bool  # a limit mate
    flip_dimension: bool
    mate_alignment: int


class Concentric(FeatureData, frozen=True, tag="concentric"):
    """IConcentricMateFeatureData."""

    lock_rotation: bool
    mate_alignment: int


class Distance(FeatureData, frozen=True, tag="distance"):
    """IDistanceMateFeatureData, in m."""

    distance: float
    maximum_distance: float
    minimum_distance: float
    is_advanced_mate: bool  # a limit mate
    flip_dimension: bool
    mate_alignment: int


class Gear(FeatureData, frozen=True, tag="gear"):
    """IGearMateFeatureData."""

    gear_ratio_numerator: float
    gear_ratio_denominator: float
    reverse: bool


class Hinge(FeatureData, frozen=True, tag="hinge"):
    """IHingeMateFeatureData, in rad."""

    angle: float
    max_val: float
    min_val: float
    angle_selection: bool  # the angle is limited
    mate_alignment: int


class LinearCoupler(FeatureData, frozen=True, tag="linearCoupler"):
    """ILinearCouplerMateFeatureData; its reference components are in `Mate.references`."""

    coupler_ratio_numerator: float
    coupler_ratio_denominator: float
    reverse: bool


class ProfileCenter(FeatureData, frozen=True, tag="profileCenter"):
    """IProfileCenterMateFeatureData, in m."""

    offset_distance: float
    lock_rotation: bool
    flip_dimension: bool
    mate_alignment: int


class RackPinion(FeatureData, frozen=True, tag="rackPinion"):
    """IRackPinionMateFeatureData, in m."""

    diameter_type: int  # swRackPinionMateDistanceOptions_e: 0 pitch diameter, 1 travel per revolution
    diameter_val: float
    reverse: bool


class Screw(FeatureData, frozen=True, tag="screw"):
    """IScrewMateFeatureData."""

    revolution_type: int  # swScrewMateDistanceOptions_e: 0 revolutions per unit of length, 1 metres per revolution
    revolution_val: float
    reverse: bool
    mate_alignment: int


class Slot(FeatureData, frozen=True, tag="slot"):
    """ISlotMateFeatureData, in m."""

    constraint: int  # swSlotMateConstraintOptions_e: 0 free, 1 centred, 2 distance, 3 percent
    distance: float
    percent: float
    flip_direction: bool
    mate_alignment: int


class UniversalJoint(FeatureData, frozen=True, tag="universalJoint"):
    """IUniversalJointMateFeatureData."""

    define_joint_point: bool


class Width(FeatureData, frozen=True, tag="width"):
    """IWidthMateFeatureData, in m."""

    constraint_type: int  # swMateWidthOptions_e: 0 centred, 1 free, 2 dimension, 3 percent
    distance_from_end: float
    percent_distance_from_end: float
    flip_dimension: bool


AnyFeatureData = (
    Angle | Concentric | Distance | Gear | Hinge | LinearCoupler | ProfileCenter | RackPinion | Screw | Slot
    | UniversalJoint | Width
)  # fmt: skip

FEATURE_DATA: Mapping[int, type[AnyFeatureData]] = {
    swMateType_e.swMateANGLE: Angle,
    swMateType_e.swMateCONCENTRIC: Concentric,
    swMateType_e.swMateDISTANCE: Distance,
    swMateType_e.swMateGEAR: Gear,
    swMateType_e.swMateHINGE: Hinge,
    swMateType_e.swMateLINEARCOUPLER: LinearCoupler,
    swMateType_e.swMatePROFILECENTER: ProfileCenter,
    swMateType_e.swMateRACKPINION: RackPinion,
    swMateType_e.swMateSCREW: Screw,
    swMateType_e.swMateSLOT: Slot,
    swMateType_e.swMateUNIVERSALJOINT: UniversalJoint,
    swMateType_e.swMateWIDTH: Width,
}
