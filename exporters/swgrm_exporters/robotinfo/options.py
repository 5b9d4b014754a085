"""The options of the RobotInfo writer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from swgrm.settings.units import AnyAcceleration, AnyEffort, AnyVelocity
from swgrm_exporters.defaults import ACCELERATION, EFFORT, VELOCITY


class ChainOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A chain that the user names: its tip (and its root), and RobotInfo's own fields for it."""

    tip: str
    root: str = ""
    info: Mapping[str, Any] = {}


class RobotInfoOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The options with their defaults; `info` and `joints` contain RobotInfo's own fields."""

    root: str = ""
    tip: str = ""
    chains: tuple[ChainOptions, ...] = ()
    split: bool = False  # one file per chain
    effort: AnyEffort = EFFORT  # [N m or N] where the model has none
    velocity: AnyVelocity = VELOCITY  # [rad/s or m/s] where the model has none
    acceleration: AnyAcceleration = ACCELERATION  # [rad/s² or m/s²] where the model has none
    info: Mapping[str, Any] = {}
    joints: Mapping[str, Mapping[str, Any]] = {}
