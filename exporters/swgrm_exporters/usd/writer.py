"""Writes USD: an interface layer, and beside it the layers of its geometry, physics and materials and a mesh library.

NAME.usda                       the default prim with a payload, units, and the physics scene
NAME_usd/Contents.usda          Physics over Materials over Geometry
NAME_usd/GeometryLibrary.usda   every mesh file once (.usdc where usd-core is installed)
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import msgspec

from swgrm.findings import Findings
from swgrm.kinematics.pose_math import compose
from swgrm.meshes.store import MeshFiles
from swgrm.model import Frame, Geometry, Joint, JointType, Link, LoopJoint, Mesh, Mount, Pose, Robot, Sphere
from swgrm.precision import numbers_of, rounded
from swgrm.storage.files import write_bytes
from swgrm_exporters.format import Target
from swgrm_exporters.left_out import report_left_out
from swgrm_exporters.lowering import Lowered, lower
from swgrm_exporters.names import Pool
from swgrm_exporters.notes import note_of, note_text
from swgrm_exporters.usd import SUFFIX
from swgrm_exporters.usd.binary import library_file
from swgrm_exporters.usd.cameras import add_camera
from swgrm_exporters.usd.capabilities import CAPABILITIES, HELD, usd_legal
from swgrm_exporters.usd.geometry import (
    LIBRARY,
    MeshLibrary,
    add_material,
    add_primitive,
    add_reference,
)
from swgrm_exporters.usd.options import UsdOptions
from swgrm_exporters.usd.physics import TYPES, UsdEnd, put_coupling, put_drive, put_joint, put_mass, put_state
from swgrm_exporters.usd.text import STAGE, UsdPrim, layer, path, paths, string

SITE = "IsaacSiteAPI"
HOME = "home"  # the named pose that simulators start at
SITE_RADIUS = 0.001  # [m] of the sphere that shows a frame where Newton and MuJoCo have sites


def write(robot: Robot, target: Target, options: UsdOptions, findings: Findings) -> list[Path]:
    """Write the robot and return the files."""
    main = target.file(SUFFIX)
    folder = f"{target.stem}_usd"
    files = rendered(robot, options, findings, target.meshes, folder)
    placed = {main if name == "" else target.folder / folder / name: data for name, data in files.items()}
    for file, data in placed.items():
        write_bytes(file, data)
    return list(placed)


def rendered(
    robot: Robot, options: UsdOptions, findings: Findings, meshes: MeshFiles, folder: str = "robot_usd"
) -> dict[str, bytes]:
    """The layers by file name, the interface under the empty name."""
    lowered = fitted(robot, options, findings)
    return _UsdWriter(lowered, options, findings, meshes).layers(folder)


def fitted(robot: Robot, options: UsdOptions, findings: Findings) -> Lowered:
    """The robot as USD can hold it."""
    lowered = lower(_with_real_loops(robot, findings), CAPABILITIES, options.choices, findings)
    report_left_out(lowered.robot, CAPABILITIES, findings)
    return lowered._replace(robot=_with_named_loops(lowered.robot))


def _with_named_loops(robot: Robot) -> Robot:
    loops = []
    for number, loop in enumerate(robot.loop_joints, 1):
        name = loop.joint.name or f"loop_{number}"
        loops.append(msgspec.structs.replace(loop, joint=msgspec.structs.replace(loop.joint, name=name)))
    return msgspec.structs.replace(robot, loop_joints=tuple(loops))


def _with_real_loops(robot: Robot, findings: Findings) -> Robot:
    """The robot without loop joints between two frames of one body, which hold nothing and which readers refuse."""
    if not robot.loop_joints:
        return robot
    body_of = robot.mechanism.bodies.body_of
    real_loops = []
    for loop in robot.loop_joints:
        if body_of[loop.parent] == body_of[loop.child]:
            findings.add("usd-loop-in-body", f"joint {loop.joint.name}", body=body_of[loop.parent])
        else:
            real_loops.append(loop)
    return msgspec.structs.replace(robot, loop_joints=tuple(real_loops))


class _UsdWriter:
    """Writes one lowered robot."""

    def __init__(self, lowered: Lowered, options: UsdOptions, findings: Findings, meshes: MeshFiles) -> None:
        self.lowered, self.robot, self.options = lowered, lowered.robot, options
        self.given = numbers_of(self.robot)
        self.library = MeshLibrary(meshes, findings)
        self.old = {
            kind: {each.new: each.old for each in lowered.renamed if each.kind == kind}
            for kind in ("robot", "frame", "link", "joint", "material")
        }
        self.home = f"/{self.robot.name}"
        self.paths: dict[str, str] = {}  # of frames
        self.bodies: dict[str, UsdEnd] = {}  # by frame: the body that carries it, and its pose in that one
        self.world = self.robot.mechanism.zero_poses
        self.prims: dict[str, UsdPrim] = {}
        self.written_names: dict[str, str] = {}  # by path: frames and joints that are not called as their prims
        self.pools: dict[str, Pool] = {}  # the names below each prim
        looks = {shape.material for _, link in self.robot.links() for shape in link.visuals}
        self.materials = {m.name: m for m in self.robot.materials if m.rgba is not None and m.name in looks}
        self.joint_paths = self._joint_paths()

    def _joint_paths(self) -> dict[str, str]:
        pool = Pool(["root_joint"])
        moving = [frame.joint_name for frame in self.robot.frames if not frame.is_rigid]
        loops = [loop.joint.name for loop in self.robot.loop_joints]
        return {name: self._path("Physics", pool.fresh(usd_legal(name)), name) for name in (*moving, *loops)}

    def _path(self, above: str, prim: str, name: str) -> str:
        """The path of the prim of a frame or joint, whose name is noted if the prim is called otherwise."""
        path = f"{self.home}/{above}/{prim}" if "/" not in above else f"{above}/{prim}"
        if prim != name:
            self.written_names[path] = name
        return path

    def layers(self, folder: str) -> dict[str, bytes]:
        """All layers by their file names."""
        geometry, physics, materials = (UsdPrim(self.robot.name, "Xform", kind) for kind in ("def", "over", "over"))
        self.geometry = geometry.child("Geometry", "Scope")
        self.masses = physics.child("Geometry", "", "over")
        for frame in self.robot.walk():
            self.frame(frame)
        self.joints(physics)
        self.marks(physics)
        self.looks(materials)
        library = library_file(self.library.root, STAGE | {"defaultPrim": f'"{LIBRARY}"'}, self.options.meshes)
        self.replace_library(geometry, library.name)
        own = STAGE | {"defaultPrim": f'"{self.robot.name}"'}
        parts = {"Physics.usda": physics, "Materials.usda": materials, "Geometry.usda": geometry}
        order = f"[{', '.join(f'@./{name}@' for name in parts)}]"
        found = {"": self.interface(folder, own), "Contents.usda": layer([], own | {"subLayers": order})}
        found |= {name: layer([prim], own) for name, prim in parts.items()}
        return found | ({library.name: library.data} if self.library.root.children else {})

    def interface(self, folder: str, own: Mapping[str, str]) -> bytes:
        """The layer that users open."""
        root = UsdPrim(self.robot.name, "Xform")
        root.metadata |= {"kind": '"component"', "prepend payload": f"@./{folder}/Contents.usda@"}
        root.display(self.old["robot"].get(self.robot.name, self.robot.name))
        return layer([root, UsdPrim("PhysicsScene", "PhysicsScene")], own)

    def end(self, carrier: UsdEnd, pose: Pose) -> UsdEnd:
        """A side of a joint, or a frame, at a pose in what carries it."""
        return UsdEnd(carrier.body, rounded(compose(carrier.pose, pose), self.given))

    # ---- bodies, frames and shapes

    def frame(self, frame: Frame) -> None:
        if frame.links:
            prim = self.geometry.child(frame.id, "Xform")
            self.paths[frame.id] = f"{self.home}/Geometry/{frame.id}"
            self.pools[frame.id] = Pool()
            self.bodies[frame.id] = UsdEnd(self.paths[frame.id], Pose())
            self.prims[frame.id] = prim
            prim.place(rounded(self.world[frame.id], self.given))
            self.body(frame, frame.links[0], prim)
        else:
            parent = frame.parent or ""
            name = self.pools[parent].fresh(frame.id)
            prim = self.prims[parent].child(name, "Xform")
            self.prims[frame.id] = prim
            self.pools[frame.id] = Pool()
            self.paths[frame.id] = self._path(self.paths[parent], name, frame.id)
            carrier = self.bodies[parent]
            self.bodies[frame.id] = self.end(carrier, frame.transform)
            prim.schemas.append(SITE)
            prim.place(frame.transform)
            mark = add_primitive(prim, self.pools[frame.id].fresh("site"), Sphere(radius=SITE_RADIUS))
            mark.schemas.append("NewtonSiteAPI")
            mark.put("uniform token purpose", '"guide"')
        self.mark(frame, prim)

    def mark(self, frame: Frame, prim: UsdPrim) -> None:
        """Show the model's own name, and the cameras."""
        frame_id = self.old["frame"].get(frame.id, frame.id)
        prim.display(self.old["link"].get(frame.links[0].name, frame.links[0].name) if frame.links else frame_id)
        for sensor in frame.sensors:
            if sensor.type == "camera":
                add_camera(prim, self.pools[frame.id].fresh(usd_legal(sensor.name)), sensor)

    def body(self, frame: Frame, link: Link, prim: UsdPrim) -> None:
        mass = self.masses.child(frame.id, "", "over")
        mass.schemas.append("PhysicsRigidBodyAPI")
        if frame.parent is None:
            mass.schemas += ["PhysicsArticulationRootAPI", "NewtonArticulationRootAPI", "PhysxArticulationAPI"]
            mass.put("bool newton:selfCollisionEnabled", "false")
            mass.put("bool physxArticulation:enabledSelfCollisions", "false")
        if link.inertial is not None:
            put_mass(mass, link.inertial)
        mass.schemas.append("IsaacLinkAPI")
        pairs = [b for a, b in self.robot.ignored_contacts if a == link.name]
        others = [f.id for f, other in self.robot.links() if other.name in pairs]
        if others:
            mass.schemas.append("PhysicsFilteredPairsAPI")
            mass.put("rel physics:filteredPairs", paths(f"{self.home}/Geometry/{other}" for other in others))
        for number, shape in enumerate(link.visuals, 1):
            self.shape(frame, prim, shape, f"visual_{number}", is_collision=False)
        for number, shape in enumerate(link.collisions, 1):
            self.shape(frame, prim, shape, f"collision_{number}", is_collision=True)

    def shape(self, frame: Frame, body: UsdPrim, shape: Geometry, name: str, *, is_collision: bool) -> None:
        name = self.pools[frame.id].fresh(name)
        prim = self.solid(body, shape, name, is_collision=is_collision)
        prim.put("custom token swgrm:shape", '"collision"' if is_collision else '"visual"')
        if is_collision:
            prim.put("uniform token purpose", '"guide"')
        elif shape.material in self.materials:
            prim.schemas.append("MaterialBindingAPI")
            prim.put("rel material:binding", path(f"{self.home}/Materials/{shape.material}"))

    def solid(self, body: UsdPrim, shape: Geometry, name: str, *, is_collision: bool) -> UsdPrim:
        """The prim of a shape, with what makes it collide."""
        if not isinstance(shape, Mesh):
            prim = add_primitive(body, name, shape)
            prim.schemas += ["PhysicsCollisionAPI"] if is_collision else []
            return prim
        found = self.library.path(shape.uri)
        if found is None:
            prim = body.child(name, "Xform")
            prim.place(shape.origin, shape.scale)
            prim.put("custom string swgrm:mesh", string(shape.uri))
            return prim
        if not is_collision:
            return add_reference(body, name, shape, f"@./{_ANY}@<{found}>", instanceable=True)
        prim = add_reference(body, name, shape, f"@./{_ANY}@<{found}/mesh>", instanceable=False)
        prim.schemas += ["PhysicsCollisionAPI", "PhysicsMeshCollisionAPI"]
        prim.put("uniform token physics:approximation", f'"{self.options.approximation}"')
        return prim

    def replace_library(self, prim: UsdPrim, file: str) -> None:
        """Name the library's file, whose ending is known last."""
        if (target := prim.metadata.get("prepend references")) is not None:
            prim.metadata["prepend references"] = target.replace(_ANY, file)
        for child in prim.children:
            self.replace_library(child, file)

    def looks(self, root: UsdPrim) -> None:
        scope = root.child("Materials", "Scope")
        for name, material in self.materials.items():
            true = msgspec.structs.replace(material, name=self.old["material"].get(name, name))
            add_material(scope, true, name, f"{self.home}/Materials/{name}")

    # ---- joints

    def joints(self, root: UsdPrim) -> None:
        scope = root.child("Physics", "Scope")
        if self.robot.mount is Mount.FIXED:
            mount = scope.child("root_joint", "PhysicsFixedJoint")
            place = UsdEnd(self.home, rounded(self.world[self.robot.root.id], self.given))
            put_joint(mount, Joint(type=JointType.FIXED), place, self.bodies[self.robot.root.id])
        for frame in self.robot.walk():
            if frame.joint is not None and not frame.is_rigid and frame.parent is not None:
                above = self.bodies[frame.parent]
                one = self.end(above, frame.transform)
                self.joint(scope, frame.joint, frame.joint_name, one, self.bodies[frame.id])
        for loop in self.robot.loop_joints:
            self.loop(scope, loop)

    def joint(self, scope: UsdPrim, joint: Joint, name: str, one: UsdEnd, other: UsdEnd) -> UsdPrim:
        prim = scope.child(self.joint_paths[name].rpartition("/")[2], TYPES[joint.type])
        prim.display(self.old["joint"].get(name, name))
        put_joint(prim, joint, one, other)
        prim.schemas.append("IsaacJointAPI")
        if joint.coupling is not None and joint.coupling.joint in self.joint_paths:
            leader = self.joint_paths[joint.coupling.joint]
            put_coupling(prim, joint, joint.coupling, leader, physx=self.options.physx_mimic)
        for actuator in self.robot.actuators:
            if actuator.joint == name:
                put_drive(prim, joint, actuator)
        home = next((pose.positions for pose in self.robot.poses if pose.name == HOME), {})
        if isinstance(position := home.get(name), float | int):
            put_state(prim, joint, position)
        return prim

    def loop(self, scope: UsdPrim, loop: LoopJoint) -> None:
        """A joint beside the articulation's tree."""
        above = self.bodies[loop.parent]
        one = self.end(above, loop.transform)
        prim = self.joint(scope, loop.joint, loop.joint.name, one, self.bodies[loop.child])
        prim.put("bool physics:excludeFromArticulation", "true")

    def marks(self, root: UsdPrim) -> None:
        """The lists that Isaac reads, and the note."""
        root.schemas.append("IsaacRobotAPI")
        links = [self.paths[frame.id] for frame in self.robot.walk() if frame.links]
        root.put("rel isaac:physics:robotLinks", paths(links))
        root.put("rel isaac:physics:robotJoints", paths(self.joint_paths.values()) if self.joint_paths else None)
        note = note_of(
            self.lowered,
            HELD,
            parents=self.noted_parents(),
            ends={loop.joint.name: [loop.parent, loop.child] for loop in self.robot.loop_joints},
            prims=self.written_names,
        )
        root.put("custom string swgrm:note", string(note_text(note)) if note else None)

    def noted_parents(self) -> dict[str, str]:
        """The parents of bodies whose joints are on a frame of another body, which USD has on that body."""
        parents: dict[str, str] = {}
        for frame in self.robot.frames:
            if frame.links and frame.parent is not None and not self.robot.by_id[frame.parent].links:
                parents[frame.id] = frame.parent
        return parents


_ANY = f"{LIBRARY}.usda"
