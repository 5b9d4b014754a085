"""Writes SDF: links with mass for bodies, frames for everything rigid, joints of all five types, and sensors."""

from __future__ import annotations

import math
import os
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

import msgspec
from msgspec.structs import replace

from swgrm.files import write_bytes
from swgrm.findings import Findings
from swgrm.model import Frame, Geometry, Joint, JointType, Link, LoopJoint, Mesh, Mount, Pose, Robot, Sensor
from swgrm.pose_math import compose
from swgrm.precision import numbers_of
from swgrm_exporters.format import Target
from swgrm_exporters.ignored_pairs import ignored_pairs
from swgrm_exporters.left_out import report_left_out
from swgrm_exporters.lowering import TINY, Lowered, lower
from swgrm_exporters.numbers import Numbers
from swgrm_exporters.sdf import SUFFIX, loops
from swgrm_exporters.sdf.capabilities import CAPABILITIES, DRAKE_CAPABILITIES
from swgrm_exporters.sdf.elements import (
    DRAKE,
    OWN,
    WITH_AXIS,
    SdfStyle,
    add_axis,
    add_geometry,
    add_inertial,
    add_look,
    add_pose,
    add_text,
)
from swgrm_exporters.sdf.naming import OriginalNames, SdfNames
from swgrm_exporters.sdf.options import Dialect, SdfLoops, SdfMeshPaths, SdfOptions, SdfVersion
from swgrm_exporters.sdf.sensors import ON_JOINT, add_sensor, assume
from swgrm_exporters.xmlwriting import Node, add_node, written

if TYPE_CHECKING:
    from swgrm.meshes.store import MeshFiles


def write(robot: Robot, target: Target, options: SdfOptions, findings: Findings) -> list[Path]:
    """Write the robot as an SDF file, and the manifest that makes its folder a model of Gazebo."""
    path, manifest = target.file(SUFFIX), target.folder / "model.config"
    write_bytes(path, rendered(robot, options, findings, target.meshes))
    write_bytes(manifest, _manifest(robot.name, path.name, options))
    return [path, manifest]


def dumps(robot: Robot, options: SdfOptions | None = None, findings: Findings | None = None) -> bytes:
    """The text of the robot's SDF file."""
    return rendered(robot, options or SdfOptions(), Findings() if findings is None else findings)


def rendered(robot: Robot, options: SdfOptions, findings: Findings, meshes: MeshFiles | None = None) -> bytes:
    """The text; `meshes` are the mesh files where they are now, from which overlapping shapes are found."""
    lowered = fitted(robot, options, findings)
    writer = _SdfWriter(lowered, options, findings)
    root = writer.document()
    if options.dialect is Dialect.DRAKE and meshes is not None:
        writer.filter_groups([*lowered.robot.ignored_contacts, *ignored_pairs(robot, lowered, meshes, findings)])
    return written(root)


def fitted(robot: Robot, options: SdfOptions, findings: Findings) -> Lowered:
    """The robot as this file can hold it."""
    form = options.loop_form
    robot = loops.holdable(robot, form, findings) if form is not SdfLoops.CUT else robot
    capabilities = DRAKE_CAPABILITIES if options.dialect is Dialect.DRAKE else CAPABILITIES
    lowered = lower(robot, capabilities._replace(loops=form is not SdfLoops.CUT), options.choices, findings)
    report_left_out(lowered.robot, capabilities, findings)
    return lowered


def _manifest(name: str, file: str, options: SdfOptions) -> bytes:
    root = Node("model")
    add_text(root, "name", name)
    add_text(root, "version", "1.0")
    add_node(root, "sdf", {"version": str(options.version)}).text = file
    add_text(root, "description", f"The robot {name}")
    return written(root)


class _SdfWriter:
    """Writes one lowered robot."""

    def __init__(self, lowered: Lowered, options: SdfOptions, findings: Findings) -> None:
        self.lowered, self.options, self.findings = lowered, options, findings
        self.robot = lowered.robot
        self.names, self.originals = SdfNames.of(self.robot), OriginalNames.of(lowered)
        numbers = Numbers(options.precision, numbers_of(self.robot))
        self.style = SdfStyle(numbers, options.version, options.dialect, options.annotate)
        self.materials = {material.name: material for material in self.robot.materials}
        self.carriers = self._carriers()
        for kind, table in (("frame", self.names.frames), ("joint", self.names.joints)):
            links = {frame.id for frame in self.robot.frames if frame.links}
            for old, new in table.items():
                if old != new and not (kind == "frame" and old in links):
                    findings.add("renamed", f"{kind} {old}", kind=kind, old=old, name=new)

    def _carriers(self) -> dict[str, tuple[str, Pose]]:
        """By frame: the frame whose link carries it, and its pose in that one."""
        found: dict[str, tuple[str, Pose]] = {}
        for frame in self.robot.walk():
            if frame.links or frame.parent is None:
                found[frame.id] = frame.id, Pose()
            else:
                above, pose = found[frame.parent]
                found[frame.id] = above, compose(pose, frame.transform)
        return found

    def document(self) -> Node:
        """The whole document."""
        root = Node("sdf", {"version": str(self.options.version)})
        if self.options.annotate:
            root.set("xmlns:swgrm", OWN)
        if self.options.dialect is Dialect.DRAKE or self.options.loop_form is SdfLoops.DRAKE:
            root.set("xmlns:drake", DRAKE)
        self.model = add_node(root, "model", {"name": self.robot.name})
        frames = list(self.robot.walk())
        self.links: dict[str, Node] = {}
        self.joints: dict[str, Node] = {}
        for frame in frames:
            self.link(frame) if frame.links else self.frame(frame)
        self.mount()
        for frame in frames:
            if frame.links and frame.parent is not None:
                self.joint(frame)
        for loop, name in zip(self.robot.loop_joints, self.names.loops, strict=True):
            self.loop(loop, name)
        for frame in frames:
            for sensor in frame.sensors:
                self.sensor(frame, sensor)
        return root

    # ---- links and frames

    def link(self, frame: Frame) -> None:
        (link,) = frame.links
        node = self.links[frame.id] = add_node(self.model, "link", {"name": self.names.frames[frame.id]})
        self.mark_link(node, frame, link)
        add_pose(node, frame.transform, self.style, self.names.frames.get(frame.parent or "", ""))
        if link.inertial is not None:
            inertial = add_inertial(node, link.inertial, self.style)
            is_implied = link.name in self.lowered.implied_inertials
            self.style.mark(inertial, implied="true" if is_implied else None)
            has_tensor = self.originals.links.get(link.name, link.name) not in self.lowered.implied_tensors
            self.style.mark(inertial, tensor=None if has_tensor else "implied")
        for tag, shapes in (("visual", link.visuals), ("collision", link.collisions)):
            taken: set[str] = set()
            for number, shape in enumerate(shapes, 1):
                self.shape(node, tag, shape, f"{self.names.frames[frame.id]}_{tag}_{number}", taken)

    def mark_link(self, node: Node, frame: Frame, link: Link) -> None:
        name = self.names.frames[frame.id]
        old = self.originals.links.get(link.name, link.name)
        frame_id = self.originals.frames.get(frame.id, frame.id)
        self.style.mark(
            node,
            frame=frame_id if frame_id != name else None,
            name=old if old != name else None,
            label=frame.name if frame.name not in ("", frame_id) else None,
            implied="true" if link.name in self.lowered.implied_links else None,
            virtual="true" if frame.virtual else None,
        )

    def frame(self, frame: Frame) -> None:
        name = self.names.frames[frame.id]
        node = add_node(self.model, "frame", {"name": name, "attached_to": self.names.frames[frame.parent or ""]})
        old = self.originals.frames.get(frame.id, frame.id)
        joint = None if frame.joint is None else self.originals.joints.get(frame.joint_name, frame.joint_name)
        self.style.mark(
            node,
            frame=old if old != name else None,
            label=frame.name if frame.name not in ("", old) else None,
            joint=joint,
            virtual="true" if frame.virtual else None,
        )
        add_pose(node, frame.transform, self.style)

    def shape(self, parent: Node, tag: str, shape: Geometry, default: str, taken: set[str]) -> None:
        name = shape.name if shape.name and shape.name not in taken else default
        taken.add(name)
        node = add_node(parent, tag, {"name": name})
        self.style.mark(node, name=(shape.name or None) if shape.name != name else None)
        self.style.mark(node, unnamed=None if shape.name else "true")
        add_pose(node, shape.origin, self.style)
        add_geometry(node, shape, self.uri(shape.uri) if isinstance(shape, Mesh) else "", self.style)
        if tag == "visual" and shape.material in self.materials:
            add_look(node, self.materials[shape.material], self.style)

    def uri(self, uri: str) -> str:
        """The name of a mesh file, as the options want it."""
        if "://" in uri or self.options.mesh_paths is SdfMeshPaths.RELATIVE:
            return uri
        return f"model://{self.robot.name}/{PurePosixPath(uri.replace(os.sep, '/'))}"

    # ---- joints

    def mount(self) -> None:
        """The base fixed to the world, unless it floats."""
        if self.robot.mount is Mount.FLOATING:
            return
        name = self.names.pool.fresh("world_joint")
        node = add_node(self.model, "joint", {"name": name, "type": "fixed"})
        add_text(node, "parent", "world")
        add_text(node, "child", self.names.frames[self.robot.root.id])

    def joint(self, frame: Frame) -> None:
        joint = frame.joint or Joint(type=JointType.FIXED)
        name = self.names.joints.get(frame.joint_name) or self.names.pool.fresh(f"{self.names.frames[frame.id]}_fixed")
        node = self.connect(joint, name, self.names.frames[frame.parent or ""], self.names.frames[frame.id])
        self.joints[frame.id] = node
        old = self.originals.joints.get(frame.joint_name, frame.joint_name)
        self.style.mark(node, name=old if frame.joint and old != name else None)
        self.style.mark(node, implied=None if frame.joint else "true")

    def connect(self, joint: Joint, name: str, parent: str, child: str) -> Node:
        """A joint between two links or frames."""
        node = add_node(self.model, "joint", {"name": name, "type": str(joint.type)})
        add_text(node, "parent", parent)
        add_text(node, "child", child)
        leader = self.names.joint(self.robot, joint.coupling.joint) if joint.coupling else ""
        if joint.type is JointType.SCREW:
            self.pitch(node, joint)
        if joint.type in WITH_AXIS:
            add_axis(node, joint, leader, self.style)
        if self.options.dialect is Dialect.DRAKE and joint.coupling is not None:
            text = self.style.numbers.text
            ratio, offset = text(joint.coupling.ratio), text(joint.coupling.offset)
            add_node(node, "drake:mimic", {"joint": leader, "multiplier": ratio, "offset": offset})
        armature = joint.dynamics.armature if joint.dynamics else 0.0
        if armature and self.options.dialect is Dialect.DRAKE:
            add_text(node, "drake:rotor_inertia", self.style.numbers.text(armature))
            add_text(node, "drake:gear_ratio", "1")
        if joint.coupling is not None and self.options.version is not SdfVersion.NEW:
            self.findings.add("sdf-mimic", f"joint {name}", version=str(self.options.version), leader=leader)
        return node

    def pitch(self, node: Node, joint: Joint) -> None:
        """The pitch: metres per revolution, right-handed; up to 1.9 radians per metre, left-handed."""
        text = self.style.numbers.text
        if self.options.version is not SdfVersion.NEW:
            add_text(node, "thread_pitch", text(-2 * math.pi / joint.pitch if joint.pitch else 0.0))
        else:
            add_text(node, "screw_thread_pitch", text(joint.pitch))

    def loop(self, loop: LoopJoint, name: str) -> None:
        parent, child = self.names.frames[loop.parent], self.names.frames[loop.child]
        form = self.options.loop_form
        if form is SdfLoops.JOINT:
            node = self.connect(loop.joint, name, parent, child)
            old = self.originals.joints.get(loop.joint.name, loop.joint.name)
            self.style.mark(node, name=old if old != name else None, loop="true")
            return
        if form is SdfLoops.DETACHABLE:
            small = self.names.pool.fresh(f"{name}_closing")
            node = add_node(self.model, "link", {"name": small})
            self.style.mark(node, helper="true")
            add_pose(node, Pose(), self.style, child)
            add_inertial(node, TINY, self.style)
            self.style.mark(self.connect(loop.joint, name, parent, small), helper="true")
            body = self.names.frames[self.carriers[loop.child][0]]
            self.style.mark(loops.add_weld(self.model, small, body, self.options.version), helper="true")
        else:
            ends = (self.carriers[end] for end in (loop.parent, loop.child))
            one, other = ((self.names.frames[carrier], pose) for carrier, pose in ends)
            loops.add_constraints(self.model, loops.SdfEnds(loop, one, other), self.style)
        if self.options.annotate:
            kept = replace(loop, parent=parent, child=child, joint=replace(loop.joint, name=name, why=None))
            add_text(self.model, "swgrm:loop", msgspec.json.encode(kept).decode())

    # ---- sensors and contacts

    def sensor(self, frame: Frame, sensor: Sensor) -> None:
        """A sensor on the link that carries its frame, or on that link's joint if it measures the joint's force."""
        carrier, _ = self.carriers[frame.id]
        parent = self.joints.get(carrier, self.links[carrier]) if sensor.type == ON_JOINT else self.links[carrier]
        taken = {each.get("name") for each in parent.findall("sensor")}
        name = sensor.name if sensor.name not in taken else f"{sensor.name}_{len(taken) + 1}"
        node = add_sensor(parent, sensor, name, self.style)
        if values := assume(node, sensor, self.style):
            self.findings.add("sdf-sensor-assumed", f"sensor {sensor.name}", values=values)
        if sensor.type == "contact":
            collision = self.links[carrier].find("collision")
            if collision is not None:
                add_text(add_node(node, "contact"), "collision", collision.get("name", ""))
        if frame.id != carrier or parent is not self.links[carrier]:
            holder = Node("holder")
            add_pose(holder, Pose(), self.style, self.names.frames[frame.id])
            node.insert(0, holder[0])

    def filter_groups(self, pairs: list[tuple[str, str]]) -> None:
        """Add Drake's collision filter groups for pairs of links that ignore each other: one group per link."""
        ignored: dict[str, list[str]] = {}
        for one, other in pairs:
            ignored.setdefault(one, []).append(other)
            ignored.setdefault(other, [])
        for link, others in ignored.items():
            group = add_node(self.model, "drake:collision_filter_group", {"name": f"swgrm_{link}"})
            add_text(group, "drake:member", link)
            for other in others:
                add_text(group, "drake:ignored_collision_filter_group", f"swgrm_{other}")
