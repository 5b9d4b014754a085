"""Features of an assembly that make or cut components: linear patterns, mirror images, and cuts."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from swgrm.solidworks.swconst_calls import swFeatureNameID_e
from swgrm.transforms import Array, inverse
from swgrm_mocks.builder import AssemblyComponent
from swgrm_mocks.modelling.part_model import PartModel, Sketch
from swgrm_mocks.modelling.topology import picked
from swgrm_mocks.solidworks.dispatch import MockObject

if TYPE_CHECKING:
    from swgrm_mocks.modelling.live_assemblies import LiveAssembly


class PatternData(MockObject):
    """ILocalLinearPatternFeatureData in one direction."""

    interfaces: ClassVar = ("ILocalLinearPatternFeatureData",)
    kind, name = "LocalLPattern", "LocalLPattern"

    def __init__(self) -> None:
        self.seeds: tuple[Any, ...] = ()
        self.axis: Any = None
        self.spacing, self.total = 0.0, 1

    def put_SeedComponentArray(self, seeds: tuple[Any, ...]) -> None:
        self.seeds = seeds

    def put_D1Axis(self, axis: Any) -> None:
        self.axis = axis

    def put_D1Spacing(self, spacing: float) -> None:
        self.spacing = spacing

    def put_D1TotalInstances(self, total: int) -> None:
        self.total = total

    def make(self, document: LiveAssembly) -> bool:
        """Adds the instances; whether there is something to add, along a direction."""
        pick = picked(self.axis) if self.axis is not None else None
        if pick is None or not pick.entity.direction or not self.seeds or self.total < 2:
            return False
        along = document.model.pose_of(pick.component)[:3, :3] @ np.array(pick.entity.direction)
        seeds = [document.child(each.name) for each in self.seeds]
        shifts, instances = [], []
        for k in range(1, self.total):
            M = np.eye(4)
            M[:3, 3] = k * self.spacing * along
            shifts.append(M)
            for seed in seeds:
                instances.append(copied(document, seed, M @ seed.T_assembly_self).state(pattern_instance=True))
        document.model.pattern_of(seeds, instances, shifts, self.kind)
        return True


class MirrorData(MockObject):
    """IMirrorComponentFeatureData of copies: their x and y are the mirrored ones, about their origins."""

    interfaces: ClassVar = ("IMirrorComponentFeatureData",)
    kind, name = "MirrorCompFeat", "MirrorComponent"

    def __init__(self) -> None:
        self.plane: Any = None
        self.copied: tuple[Any, ...] = ()

    def put_MirrorPlane(self, plane: Any) -> None:
        self.plane = plane

    def put_ComponentsToInstanceAlignToComponentOrigin(self, components: tuple[Any, ...]) -> None:
        self.copied = components

    def put_ComponentOrientationsAlignToComponentOrigin(self, orientations: tuple[int, ...]) -> None:
        """The mock only has the first orientation: x and y are mirrored."""

    def make(self, document: LiveAssembly) -> bool:
        """Adds the images; whether there is something to mirror in a plane."""
        pick = picked(self.plane) if self.plane is not None else None
        if pick is None or not pick.entity.direction or not self.copied:
            return False
        T = document.model.pose_of(pick.component)
        normal = T[:3, :3] @ np.array(pick.entity.direction)
        point = T[:3, :3] @ np.array(pick.entity.point) + T[:3, 3]
        seeds = [document.child(each.name) for each in self.copied]
        document.model.mirror(_frame(point, normal), *seeds)
        for seed in seeds:
            copied(document, seed, _image(seed.T_assembly_self, point, normal)).state(mirrored=True)
        return True


DEFINITIONS: dict[int, type[PatternData | MirrorData]] = {
    int(swFeatureNameID_e.swFmLocalLPattern): PatternData,
    int(swFeatureNameID_e.swFmMirrorComponent): MirrorData,
}


def copied(document: LiveAssembly, seed: AssemblyComponent, T: Array) -> AssemblyComponent:
    """Adds an instance of a component's file at a pose."""
    added = document.model.part(seed.file, T)  # type: ignore[arg-type] # an assembly is inserted as well
    added.configuration = seed.configuration
    return added


def _frame(point: Array, normal: Array) -> Array:
    side = np.cross(normal, np.eye(3)[int(np.argmin(np.abs(normal)))])
    side /= np.linalg.norm(side)
    T = np.eye(4)
    T[:3, :3], T[:3, 3] = np.column_stack([side, np.cross(normal, side), normal]), point
    return T


def _image(T: Array, point: Array, normal: Array) -> Array:
    """The pose of a copy: its origin is the image of the origin, its x and y those of x and y."""
    mirror = np.eye(3) - 2 * np.outer(normal, normal)
    x, y = (mirror @ T[:3, k] for k in range(2))
    found = np.eye(4)
    found[:3, :3] = np.column_stack([x, y, np.cross(x, y)])
    found[:3, 3] = point + mirror @ (T[:3, 3] - point)
    return found


def cut_components(sketch: Sketch, span: tuple[float, float], components: Sequence[AssemblyComponent]) -> None:
    """Cuts components of an assembly, not their files; raises NotModelled if one of them cannot be cut."""
    for component in components:
        part = component.cut or component.file
        assert isinstance(part, PartModel)  # noqa: S101 - of a modelled assembly
        own = copy(part)
        T = inverse(component.T_assembly_self) @ sketch.T_part_sketch
        own.extrude(Sketch(T, sketch.segments, sketch.axes), *span, is_cut=True)
        component.cut = own
        component.state(assembly_features=True)
