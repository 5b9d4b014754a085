"""What a user may choose about a URDF file."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import msgspec

from swgrm.settings.units import AnyAcceleration, AnyEffort, AnyPosition, AnyVelocity
from swgrm_exporters.defaults import EFFORT, VELOCITY
from swgrm_exporters.lowering import TINY, Choices, Merge
from swgrm_exporters.numbers import PRECISION


class MeshPaths(StrEnum):
    """How mesh files are named; names with a scheme (`package://`, `file://`) always stay as they are."""

    KEEP = "keep"
    PACKAGE = "package"  # package://NAME/…
    RELATIVE = "relative"  # from the URDF file's folder
    ABSOLUTE = "absolute"  # file:///…


class NameStyle(StrEnum):
    """Which names the file may have."""

    ROS = "ros"  # letters, digits and `_-./`, which every reader takes
    KEEP = "keep"  # any script; only characters that XML cannot hold are replaced


class UrdfOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename="camel"):
    """The options of the URDF writer, with their defaults."""

    merge: Merge = Merge.COMPONENTS  # which rigid frames are merged into their body
    drop_unused_frames: bool = False  # leave out pure frames that nothing refers to
    reference_geometry: bool = False  # planes, axes and points become links; else they are in the GRM file only
    virtual_inertia: bool = True  # moving links without mass get 1e-6 kg, 1e-9 kg m²
    dummy_root: str | None = (
        None  # the name of an empty link above the root; none in a URDF file, base_link in a package
    )
    effort: AnyEffort = EFFORT  # [N m or N] where the model has none
    velocity: AnyVelocity = VELOCITY  # [rad/s or m/s] where the model has none
    acceleration: AnyAcceleration | None = None  # [rad/s² or m/s²] where the model has none; none: not written
    unlimited: AnyPosition = 1000.0  # [rad or m] the bound where URDF must have one and the model has none
    mesh_paths: MeshPaths = MeshPaths.KEEP
    package: str = ""  # the name in package://; default: the robot's
    precision: Annotated[int, msgspec.Meta(ge=6, le=17)] = PRECISION  # [significant digits]
    names: NameStyle = NameStyle.ROS
    simulators: bool = True  # write the elements that MuJoCo and Drake need
    annotate: bool = True  # keep what URDF cannot hold in one <swgrm> element

    @property
    def choices(self) -> Choices:
        """The part that lowering decides."""
        inertia = TINY if self.virtual_inertia else None
        return Choices(self.merge, self.drop_unused_frames, inertia, self.reference_geometry)
