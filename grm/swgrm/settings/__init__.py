"""Settings: what a user decides about a robot, as data, and their translation to edits."""

from __future__ import annotations

from swgrm.settings.apply import apply
from swgrm.settings.document_properties import apply_document_properties
from swgrm.settings.materials import with_materials
from swgrm.settings.schema import (
    ActuatorSettings,
    BaseSettings,
    CalibrationSettings,
    ContactSettings,
    ConventionSettings,
    FastenerChoice,
    FollowSettings,
    FrameSettings,
    JointPoseSettings,
    JointSettings,
    LinkSettings,
    MaterialSettings,
    MateSettings,
    MirrorMotion,
    Opening,
    PoseSettings,
    PropsSettings,
    RobotSettings,
    SafetySettings,
    Section,
    SensorSettings,
    Settings,
    TransmissionSettings,
    converted,
    settings_from,
)
from swgrm.settings.units import UNITS, Quantity, quantity

__all__ = [
    "UNITS",
    "ActuatorSettings",
    "BaseSettings",
    "CalibrationSettings",
    "ContactSettings",
    "ConventionSettings",
    "FastenerChoice",
    "FollowSettings",
    "FrameSettings",
    "JointPoseSettings",
    "JointSettings",
    "LinkSettings",
    "MateSettings",
    "MaterialSettings",
    "MirrorMotion",
    "Opening",
    "PoseSettings",
    "PropsSettings",
    "Quantity",
    "RobotSettings",
    "SafetySettings",
    "Section",
    "SensorSettings",
    "Settings",
    "TransmissionSettings",
    "apply",
    "apply_document_properties",
    "converted",
    "quantity",
    "settings_from",
    "with_materials",
]
