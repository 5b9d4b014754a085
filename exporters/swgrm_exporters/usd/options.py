"""What a user may choose about USD."""

from __future__ import annotations

from enum import StrEnum

import msgspec

from swgrm_exporters.lowering import TINY, Choices, Merge


class UsdMeshes(StrEnum):
    """How the layer with the meshes is written."""

    AUTO = "auto"  # binary where usd-core is installed
    TEXT = "text"
    BINARY = "binary"  # an error without usd-core


class Approximation(StrEnum):
    """What a simulator makes of a collision mesh."""

    CONVEX_HULL = "convexHull"
    CONVEX_DECOMPOSITION = "convexDecomposition"
    BOUNDING_CUBE = "boundingCube"
    BOUNDING_SPHERE = "boundingSphere"
    MESH_SIMPLIFICATION = "meshSimplification"
    NONE = "none"


class UsdOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename="camel"):
    """The options of the USD writer, with their defaults."""

    merge: Merge = Merge.COMPONENTS  # which rigid frames are merged into their body
    drop_unused_frames: bool = False  # leave out pure frames that nothing refers to
    reference_geometry: bool = False  # planes, axes and points become prims; else they are in the GRM file only
    meshes: UsdMeshes = UsdMeshes.AUTO
    approximation: Approximation = Approximation.CONVEX_HULL
    physx_mimic: bool = False  # followers also in the schema of Isaac Sim up to 5.1

    @property
    def choices(self) -> Choices:
        """The part that lowering decides."""
        return Choices(self.merge, self.drop_unused_frames, TINY, self.reference_geometry)
