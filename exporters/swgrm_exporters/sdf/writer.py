"""Writes SDF: links with mass for bodies, frames for everything rigid, joints of all five types, and sensors."""

from __future__ import annotations

import math
import os
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from swgrm.findings import Findings
from swgrm.kinematics.pose_math import compose
from swgrm.model import Frame, Geometry, Joint, JointType, LoopJoint, Mesh, Mount, Pose, Robot, Sensor
from swgrm.precision import numbers_of
from swgrm.storage.files import write_bytes
from swgrm_exporters.format import Target
from swgrm_exporters.ignored_pairs import ignored_pairs
from swgrm_exporters.left_out import report_left_out
from swgrm_exporters.lowering import TINY, Lowered, lower
from swgrm_exporters.notes import note_of, note_text
from swgrm_exporters.numbers import Numbers
from swgrm_exporters.sdf import SUFFIX, loops
from swgrm_exporters.sdf.capabilities import CAPABILITIES, DRAKE_CAPABILITIES, HELD
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
    unnamed_shape,
)
from swgrm_exporters.sdf.naming import carriers, share_names, used_names
from swgrm_exporters.sdf.options import Dialect, SdfLoops, SdfMeshPaths, SdfOptions, SdfVersion
from swgrm_exporters.sdf.sensors import add_sensor, assume, is_on_joint
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
    return share_names(lowered, findings)


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
        self.names, self.helpers = used_names(self.robot), list[str]()
        numbers = Numbers(options.precision, numbers_of(self.robot))
        self.style = SdfStyle(numbers, options.version, options.dialect)
        self.materials = {material.name: material for material in self.robot.materials}
        self.carriers = carriers(self.robot)

    def _in_carrier(self, frame: Frame) -> tuple[str, Pose]:
        """The frame whose link carries a frame, and the frame's pose in that one."""
        pose = Pose()
        while frame.id != self.carriers[frame.id] and frame.parent is not None:
            frame, pose = self.robot.by_id[frame.parent], compose(frame.transform, pose)
        return frame.id, pose

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
        for loop in self.robot.loop_joints:
            self.loop(loop)
        for frame in frames:
            for sensor in frame.sensors:
                self.sensor(frame, sensor)
        if self.options.annotate:
            self.note()
        return root

    def note(self) -> None:
        """Add the note; loops are in it as a whole where the file has no joint for them."""
        held, closing = HELD, [loop.joint.name for loop in self.robot.loop_joints]
        if self.options.loop_form is not SdfLoops.JOINT:
            held, closing = held._replace(robot=held.robot - {"loopJoints"}, has_whole_loops=True), []
        if not self.has_mimic:
            held = held._replace(joint=held.joint - {"coupling"})
        note = note_of(self.lowered, held, helpers=self.helpers, closing=closing)
        if note:
            add_text(self.model, "swgrm:note", note_text(note))

    @property
    def has_mimic(self) -> bool:
        """Whether the file has elements for joints that follow others."""
        return self.options.version is SdfVersion.NEW or self.options.dialect is Dialect.DRAKE

    # ---- links and frames

    def link(self, frame: Frame) -> None:
        (link,) = frame.links
        node = self.links[frame.id] = add_node(self.model, "link", {"name": frame.id})
        add_pose(node, frame.transform, self.style, frame.parent or "")
        if link.inertial is not None:
            add_inertial(node, link.inertial, self.style)
        for tag, shapes in (("visual", link.visuals), ("collision", link.collisions)):
            taken: set[str] = set()
            for number, shape in enumerate(shapes, 1):
                self.shape(node, tag, shape, unnamed_shape(frame.id, tag, number), taken)

    def frame(self, frame: Frame) -> None:
        node = add_node(self.model, "frame", {"name": frame.id, "attached_to": frame.parent or ""})
        add_pose(node, frame.transform, self.style)

    def shape(self, parent: Node, tag: str, shape: Geometry, default: str, taken: set[str]) -> None:
        name = shape.name if shape.name and shape.name not in taken else default
        taken.add(name)
        node = add_node(parent, tag, {"name": name})
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
        node = add_node(self.model, "joint", {"name": self.names.fresh("world_joint"), "type": "fixed"})
        add_text(node, "parent", "world")
        add_text(node, "child", self.robot.root.id)

    def joint(self, frame: Frame) -> None:
        if frame.joint is not None and frame.parent is not None:
            self.joints[frame.id] = self.connect(frame.joint, frame.joint_name, frame.parent, frame.id)

    def connect(self, joint: Joint, name: str, parent: str, child: str) -> Node:
        """A joint between two links or frames."""
        node = add_node(self.model, "joint", {"name": name, "type": str(joint.type)})
        add_text(node, "parent", parent)
        add_text(node, "child", child)
        leader = joint.coupling.joint if joint.coupling else ""
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

    def loop(self, loop: LoopJoint) -> None:
        name, form = loop.joint.name, self.options.loop_form
        if form is SdfLoops.JOINT:
            self.connect(loop.joint, name, loop.parent, loop.child)
        elif form is SdfLoops.DETACHABLE:
            small = self.names.fresh(f"{name}_closing")
            node = add_node(self.model, "link", {"name": small})
            add_pose(node, Pose(), self.style, loop.child)
            add_inertial(node, TINY, self.style)
            self.connect(loop.joint, name, loop.parent, small)
            self.helpers += [small, name]
            loops.add_weld(self.model, small, self.carriers[loop.child], self.options.version)
        else:
            parent, child = (self._in_carrier(self.robot.by_id[end]) for end in (loop.parent, loop.child))
            loops.add_constraints(self.model, loops.SdfEnds(loop, parent, child), self.style)

    # ---- sensors and contacts

    def sensor(self, frame: Frame, sensor: Sensor) -> None:
        """A sensor on the link that carries its frame, or on that link's joint if it measures the joint's force."""
        carrier = self.carriers[frame.id]
        parent = self.joints.get(carrier, self.links[carrier]) if is_on_joint(sensor) else self.links[carrier]
        node = add_sensor(parent, sensor, sensor.name, self.style)
        if values := assume(node, sensor):
            self.findings.add("sdf-sensor-assumed", f"sensor {sensor.name}", values=values)
        if sensor.type == "contact":
            collision = self.links[carrier].find("collision")
            if collision is not None:
                add_text(add_node(node, "contact"), "collision", collision.get("name", ""))
        if frame.id != carrier or parent is not self.links[carrier]:
            holder = Node("holder")
            add_pose(holder, Pose(), self.style, frame.id)
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
