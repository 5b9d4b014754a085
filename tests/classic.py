"""Robots of the classic exporter as assemblies of the mock: a part for each component, mates for each joint.

There is no assembly behind the fixtures, so that this one stands for it: the components are called as in the exporter's
table, the parts have the masses of its URDF, and the coordinate systems are those that the exporter makes.
"""

from __future__ import annotations

import random
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from swgrm.capture import MassProperties
from swgrm.inference.joints.frames import UP
from swgrm.mass.inertia import moved, tensor_matrix
from swgrm.model import Inertial, JointType
from swgrm.ties import principal_axes
from swgrm.transforms import axis_angle_matrix, homogeneous, inverse
from swgrm_addin.migration.old_robot import TYPES, OldLink, OldRobot
from swgrm_mocks.builder import Assembly, Part, pose
from swgrm_mocks.realisations import REALISATIONS, JointPlacement
from swgrm_mocks.solids import Solid, SolidFace

T_LINK_PART = pose(0.01, -0.02, 0.03, 10, 20, 30)  # parts are drawn in frames of their own


class WeighedPart(Part):
    """A part with given mass properties, in its own frame."""

    def __init__(self, name: str, inertial: Inertial | None, solid: Solid | None = None) -> None:
        super().__init__(name, solid, ("Plain Carbon Steel", 1000.0))
        self.inertial = inertial

    def mass(self, configuration: str, T_root_part: Any) -> MassProperties | None:  # noqa: ARG002 - all are alike
        if self.inertial is None:
            return None
        here = moved(self.inertial, T_root_part)
        tensor = tensor_matrix(here)
        moments, axes = principal_axes(tensor)  # whose signs do not depend on the processor
        first, second, third = (tuple(map(float, np.ravel(each))) for each in (moments, axes.T, tensor))
        return MassProperties(here.mass, here.mass / self.density, 1.0, self.density, here.origin, first, second, third)


@dataclass
class Options:
    """How a robot is realised."""

    T_assembly_base: Any = field(default_factory=lambda: homogeneous(UP["y"], np.zeros(3)))
    positions: Mapping[str, float] = field(default_factory=dict)  # by joint: the pose of the assembly
    coordinate_systems: bool = True
    meshes: Path | None = None  # the folder of the exporter's STL files
    names: Mapping[str, str] = field(default_factory=dict)  # other names of components
    seed: int = 0


def assembly_of(old: OldRobot, name: str = "arm", options: Options | None = None) -> Assembly:
    """The robot as an assembly; the poses are those that its file gives, with the joints at `positions`."""
    options = options or Options()
    assembly = Assembly(name)
    T = poses(old, options)
    parts = {link.name: _component(link) for link in old.links if link.components}
    for link in sorted(old.links, key=lambda each: (parts.get(each.name, "").rpartition("-"), each.name)):
        if not link.components:
            continue
        bare, _, _ = parts[link.name].rpartition("-")
        T_part = T[link.name] @ T_LINK_PART
        inertial = link.inertial and moved(link.inertial, inverse(T_LINK_PART))
        part = WeighedPart(f"{bare}_{link.name}", inertial, _solid(link, T_part, T[link.name], options))
        component = assembly.part(part, T_part, name=options.names.get(link.name, bare))
        parts[link.name] = (component.fixed() if not link.parent else component).name
        _draw(assembly, part, link, T[link.name], options)
    rng = random.Random(options.seed)  # noqa: S311 - not for secrets
    for link in old.links:
        if link.joint is not None and link.name in parts and link.parent in parts:
            axis = T[link.name][:3, :3] @ np.array(link.joint.axis or (0.0, 0.0, 1.0))
            place = JointPlacement(
                parts[link.parent],
                parts[link.name],
                T[link.name][:3, 3],
                axis / np.linalg.norm(axis),
                rng,
                0.0,
                assembly,
            )
            kinds = REALISATIONS[TYPES[link.joint.type]]
            kinds[rng.choice(sorted(kinds))](place)
    return assembly


def poses(old: OldRobot, options: Options) -> dict[str, Any]:
    """T_assembly_link of every link."""
    T = {old.root.name: options.T_assembly_base}
    for link in old.links[1:]:
        assert link.joint is not None
        assert link.joint.origin is not None
        T[link.name] = T[link.parent] @ link.joint.origin.matrix
        q = options.positions.get(link.joint.name, 0.0)
        if link.joint.axis is not None:
            axis = np.array(link.joint.axis) / np.linalg.norm(link.joint.axis)
            slides = TYPES[link.joint.type] is JointType.PRISMATIC
            R = np.eye(3) if slides else axis_angle_matrix(axis, q)
            T[link.name] = T[link.name] @ homogeneous(R, axis * q if slides else np.zeros(3))
    return T


def _component(link: OldLink) -> str:
    return link.components[0] if re.search(r"-\d+$", link.components[0]) else f"{link.components[0]}-1"


def _draw(assembly: Assembly, part: Part, link: OldLink, T: Any, options: Options) -> None:
    """Draw the coordinate system and the axis of a link where its names have them."""
    if not options.coordinate_systems:
        return
    inside = re.fullmatch(r"(.*\S)\s*<(.+)>", link.coordinate_system)
    if inside:
        part.coordinate_system(inside[1], inverse(T_LINK_PART))
    elif link.coordinate_system:
        assembly.coordinate_system(link.coordinate_system, T)
    if (
        link.joint is not None
        and link.joint.axis is not None
        and link.joint.axis_name
        and "<" not in link.joint.axis_name
    ):
        along = T[:3, :3] @ np.array(link.joint.axis)
        assembly.axis(link.joint.axis_name, T[:3, 3] + 0.05 * along, T[:3, 3] - 0.05 * along)


def _solid(link: OldLink, T_part: Any, T_link: Any, options: Options) -> Solid | None:
    """The exporter's mesh of a link in the frame of its part; none where the mesh is in another frame by mistake."""
    if options.meshes is None:
        return None
    import trimesh

    mesh: Any = trimesh.load(options.meshes / f"{link.name}.STL", force="mesh")
    triangles = np.asarray(mesh.triangles)
    assert link.inertial is not None
    if np.linalg.norm(mesh.center_mass - link.inertial.origin) > 1e-3:
        return None
    T = inverse(T_part) @ T_link
    return Solid((SolidFace(triangles @ T[:3, :3].T + T[:3, 3]),))
