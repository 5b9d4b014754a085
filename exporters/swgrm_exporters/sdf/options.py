"""What a user may choose about an SDF file."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import msgspec

from swgrm_exporters.lowering import TINY, Choices, Merge
from swgrm_exporters.numbers import PRECISION


class SdfVersion(StrEnum):
    """The version of the specification."""

    NEW = "1.11"  # Gazebo Harmonic and newer, Drake
    FORTRESS = "1.9"  # Gazebo Fortress, Debian 12: without mimic joints


class Dialect(StrEnum):
    """Whose extensions are written."""

    GAZEBO = "gazebo"
    DRAKE = "drake"  # couplings, loops, armatures and ignored contacts in Drake's own elements


class SdfLoops(StrEnum):
    """How a joint that closes a loop is written."""

    JOINT = "joint"  # as any other joint, which the specification allows and several engines refuse
    DETACHABLE = "detachable"  # a joint to a small link that Gazebo's DetachableJoint system welds to the body
    DRAKE = "drake"  # Drake's constraints
    CUT = "cut"  # not at all; frames mark its two sides


class SdfMeshPaths(StrEnum):
    """How mesh files are named; names with a scheme always stay as they are."""

    RELATIVE = "relative"  # from the SDF file's folder
    MODEL = "model"  # model://NAME/…


class SdfOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename="camel"):
    """The options of the SDF writer, with their defaults."""

    version: SdfVersion = SdfVersion.NEW
    dialect: Dialect = Dialect.GAZEBO
    loops: SdfLoops | None = None  # default: `joint`, and `drake` in Drake's dialect
    merge: Merge = Merge.COMPONENTS  # which rigid frames are merged into their body
    drop_unused_frames: bool = False  # leave out pure frames that nothing refers to
    reference_geometry: bool = False  # planes, axes and points become frames; else they are in the GRM file only
    mesh_paths: SdfMeshPaths = SdfMeshPaths.RELATIVE
    precision: Annotated[int, msgspec.Meta(ge=6, le=17)] = PRECISION  # [significant digits]
    annotate: bool = True  # keep what SDF cannot hold in one <swgrm:note> element

    @property
    def choices(self) -> Choices:
        """The part that lowering decides."""
        return Choices(self.merge, self.drop_unused_frames, TINY, self.reference_geometry)

    @property
    def loop_form(self) -> SdfLoops:
        """How loop joints are written."""
        return self.loops or (SdfLoops.DRAKE if self.dialect is Dialect.DRAKE else SdfLoops.JOINT)
