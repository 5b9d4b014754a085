"""Settings: what a user decides about a robot, as data, and their translation to edits."""

from __future__ import annotations

from swgrm.settings.apply import apply
from swgrm.settings.schema import (
    BaseSettings,
    ConventionSettings,
    FollowSettings,
    FrameSettings,
    JointSettings,
    LinkSettings,
    MateSettings,
    Opening,
    PropsSettings,
    RobotSettings,
    Section,
    SensorSettings,
    Settings,
    converted,
    settings_from,
)
from swgrm.settings.units import UNITS, Quantity, quantity

__all__ = [
    "UNITS",
    "BaseSettings",
    "ConventionSettings",
    "FollowSettings",
    "FrameSettings",
    "JointSettings",
    "LinkSettings",
    "MateSettings",
    "Opening",
    "PropsSettings",
    "Quantity",
    "RobotSettings",
    "Section",
    "SensorSettings",
    "Settings",
    "apply",
    "converted",
    "quantity",
    "settings_from",
]
