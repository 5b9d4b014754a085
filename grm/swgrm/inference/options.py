"""What a user may decide about inference, as plain data."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import msgspec

from swgrm.settings import Settings

Opening = Literal["auto", "always", "never"]
GEOMETRY_KINDS = ("coordinateSystem", "plane", "axis", "point")


class Options(msgspec.Struct, frozen=True, kw_only=True):
    """Decisions that change what is inferred; the defaults are what an unwritten settings file means."""

    name: str = ""  # of the robot; default: the document's
    root: str = ""  # a component: its body is the base
    base_frame: str = ""  # a coordinate system of the assembly: the base's frame
    up: Literal["y", "z"] = "y"  # the assembly's axis that points up
    left_out: frozenset[str] = frozenset()  # components
    joined: tuple[tuple[str, ...], ...] = ()  # groups of components that are one body
    fasteners: Mapping[str, bool] = {}  # by component, over the judgement of signs
    ignored_mates: frozenset[str] = frozenset()
    opening: Mapping[str, Opening] = {}  # by sub-assembly, "" for all others
    geometry: frozenset[str] = frozenset(GEOMETRY_KINDS)  # which reference geometry becomes frames
    default_geometry: bool = False  # SolidWorks' own planes and origins too
    joint_frames: Mapping[str, str] = {}  # by joint: the coordinate system to place it by


def options_of(settings: Settings) -> Options:
    """What of the settings decides inference itself."""
    wanted = zip(GEOMETRY_KINDS, msgspec.structs.astuple(settings.frames)[:4], strict=True)
    return Options(
        name=settings.robot.name,
        root=settings.base.root,
        base_frame=settings.base.frame,
        up=settings.base.up,
        left_out=frozenset(settings.links.leave_out),
        joined=settings.links.join,
        fasteners=settings.fasteners,
        ignored_mates=frozenset(settings.mates.ignore),
        opening={"" if name == "all" else name: way for name, way in settings.sub_assemblies.items()},
        geometry=frozenset(kind for kind, is_wanted in wanted if is_wanted),
        default_geometry=settings.frames.default_geometry,
        joint_frames={name: joint.frame for name, joint in settings.joints.items() if joint.frame},
    )
