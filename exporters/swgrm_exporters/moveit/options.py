"""What a user may choose about the MoveIt configuration package."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

import msgspec

from swgrm.settings.units import AnyAcceleration


class GroupOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A planning group: the chain of joints from a base to a tip, or joints, or other groups."""

    base: str = ""  # a link; default: the root
    tip: str = ""  # a link
    joints: tuple[str, ...] = ()
    groups: tuple[str, ...] = ()


class EndEffectorOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename="camel"):
    """An end effector: its group, and the link and group that carry it."""

    group: str
    parent: str  # a link
    parent_group: str = ""


class MoveitOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename="camel"):
    """The options with their defaults; groups and end effectors that are given replace all that are inferred."""

    samples: Annotated[int, msgspec.Meta(ge=0, le=1_000_000)] = 16384  # states; 0: neighbouring links only
    seed: Annotated[int, msgspec.Meta(ge=0)] = 1
    groups: Mapping[str, GroupOptions] = {}
    end_effectors: Mapping[str, EndEffectorOptions] = {}
    acceleration: AnyAcceleration | None = None  # [rad/s² or m/s²] where a joint has none; none: full speed in 0.5 s
    world: str = "world"  # the frame that the base is fixed to
