"""SDF into a robot: links and frames as frames, joints of the tree and of loops, and what swgrm itself has written."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
from msgspec.structs import replace

from swgrm.findings import Findings
from swgrm.model import (
    IDENTITY,
    Coupling,
    Dynamics,
    Frame,
    Joint,
    JointType,
    Limits,
    LoopJoint,
    Mount,
    Pose,
    Robot,
    Vec3,
)
from swgrm.transforms import inverse
from swgrm_exporters.names import Pool
from swgrm_exporters.notes import restored
from swgrm_exporters.sdf.document import MODEL, WORLD, SdfDocument, SdfEntity
from swgrm_exporters.sdf.elements import DRAKE
from swgrm_exporters.sdf.fields import bound, named, number, numbers, pose_of
from swgrm_exporters.sdf.link_reader import SdfLinks
from swgrm_exporters.sdf.sensors import params_as_read, read_sensor
from swgrm_exporters.sdf.tree import JointEnds, SdfTree
from swgrm_exporters.xmltext import Element, XmlProblem, parse, read_xml

TYPES = {str(kind): kind for kind in JointType} | {"continuous": JointType.REVOLUTE}


def read(path: Path, findings: Findings) -> Robot:
    """The robot in an SDF file."""
    try:
        return loads(read_xml(path), findings, path.parent)
    except XmlProblem as problem:
        raise problem.at(path) from None


def loads(data: bytes | str, findings: Findings | None = None, folder: Path | None = None) -> Robot:
    """The robot in an SDF text; raises an XmlProblem where it is not SDF. The folder is where it includes from."""
    findings = Findings() if findings is None else findings
    root = parse(data.encode() if isinstance(data, str) else data)
    document = SdfDocument(root, folder, findings)
    robot = _SdfReader(document, findings).robot()
    document.report()
    return robot


class _SdfReader:
    """Reads one document."""

    def __init__(self, document: SdfDocument, findings: Findings) -> None:
        self.document, self.findings = document, findings
        self.tree = SdfTree(document)
        self.links = SdfLinks(findings, has_note=bool(document.note))
        self.pool = Pool([*document.entities])
        self.frames: dict[str, Frame] = {}
        self.loops: list[LoopJoint] = []

    def robot(self) -> Robot:
        root = self.tree.root
        place = Pose() if root == WORLD else Pose.from_matrix(self.document.world_pose(root))
        self.frames[root] = Frame(id=root) if root == WORLD else replace(self.link(root), transform=place)
        for ends in self.tree.joints:
            self.hang(ends)
        for name in self.tree.frames:
            self.frames[name] = self.frame(name)
        for ends in self.tree.loops:
            self.loop(ends)
        self.sensors()
        robot = Robot(
            name=named(self.document.model),
            frames=tuple(self.frames.values()),
            materials=tuple(self.links.materials.values()),
            loop_joints=tuple(self.loops),
            mount=Mount.FIXED if self.tree.is_mounted else Mount.FLOATING,
        )
        return restored(robot, self.document.note, self.findings, params_as_read)

    # ---- the tree

    def link(self, name: str) -> Frame:
        element = self.document.entities[name].element
        return Frame(id=name, links=(self.links.read(element, name),))

    def hang(self, ends: JointEnds) -> None:
        """A link on its parent; a joint whose frame is not the link's gets a frame of its own."""
        document, child = self.document, ends.link
        joint, frame = self.joint(ends), self.link(child)
        if ends.is_at_link:
            T_parent_child = _pose(document, child, ends.parent)
            self.frames[child] = replace(frame, parent=ends.parent, transform=T_parent_child, joint=joint)
            return
        T_parent_joint = Pose.from_matrix(inverse(document.world_pose(ends.parent)) @ ends.world_pose)
        if joint.type is JointType.FIXED:
            transform = _pose(document, child, ends.parent)
            self.frames[child] = replace(frame, parent=ends.parent, transform=transform, joint=joint)
            return
        self.frames[ends.name] = Frame(id=ends.name, parent=ends.parent, transform=T_parent_joint, joint=joint)
        transform = Pose.from_matrix(inverse(ends.world_pose) @ document.world_pose(child))
        self.frames[child] = replace(frame, parent=ends.name, transform=transform)

    def frame(self, name: str) -> Frame:
        parent = self.tree.frames[name]
        return Frame(id=name, parent=parent, transform=_pose(self.document, name, parent))

    def loop(self, ends: JointEnds) -> None:
        """A joint beside the tree; its own frame is added where it is not the link's."""
        child = ends.child if ends.is_at_child else self.pool.fresh(f"{ends.name}_child_side")
        if not ends.is_at_child:
            transform = Pose.from_matrix(inverse(self.document.world_pose(ends.link)) @ ends.world_pose)
            self.frames[child] = Frame(id=child, parent=ends.link, transform=transform, virtual=True)
        T_parent_child = Pose.from_matrix(inverse(self.document.world_pose(ends.parent)) @ ends.world_pose)
        self.loops.append(LoopJoint(parent=ends.parent, child=child, joint=self.joint(ends), transform=T_parent_child))

    # ---- joints

    def joint(self, ends: JointEnds) -> Joint:
        element = ends.element
        kind = (element.get("type") or "").strip()
        if kind not in TYPES:
            known = ", ".join(TYPES)
            raise XmlProblem(f'<joint name="{ends.name}"> has the type `{kind}`; read are {known}', element)
        joint = Joint(type=TYPES[kind], name=ends.name)
        if joint.type in (JointType.FIXED, JointType.BALL):
            return joint
        axis = element.find("axis")
        limit, dynamics = (None, None) if axis is None else (axis.find("limit"), axis.find("dynamics"))
        effort, velocity = (bound(limit, tag) for tag in ("effort", "velocity"))
        return replace(
            joint,
            axis=self.axis(axis, ends),
            pitch=_pitch(element) if joint.type is JointType.SCREW else 0.0,
            limits=Limits(
                lower=bound(limit, "lower") if kind != "continuous" else None,
                upper=bound(limit, "upper") if kind != "continuous" else None,
                effort=None if effort is None or effort < 0 else effort,
                velocity=None if velocity is None or velocity < 0 else velocity,
            ),
            dynamics=_dynamics(element, dynamics),
            coupling=self.coupling(element, axis, ends.entity),
        )

    def axis(self, axis: Element | None, ends: JointEnds) -> Vec3:
        """The axis in the joint's frame."""
        found = None if axis is None else axis.find("xyz")
        if axis is None or found is None:
            return (0.0, 0.0, 1.0)
        xyz = np.array(numbers(found, 3))
        in_model = (axis.findtext("use_parent_model_frame") or "").strip().lower() in ("true", "1")
        frame = found.get("expressed_in") or (MODEL if in_model else "")
        if frame:
            other = self.document.world_pose(self.document.resolve(ends.entity.scope, frame, found))
            xyz = ends.world_pose[:3, :3].T @ other[:3, :3] @ xyz
        length = float(np.linalg.norm(xyz))
        if not length > 0:
            raise XmlProblem(f'The axis of <joint name="{ends.name}"> has length zero', found)
        if abs(length - 1) > 1e-9:
            xyz = xyz / length
        x, y, z = (xyz + 0.0).tolist()
        return (x, y, z)

    def coupling(self, joint: Element, axis: Element | None, entity: SdfEntity) -> Coupling | None:
        """What the joint follows: multiplier · (leader − reference) + offset, or Drake's element for it."""
        mimic = None if axis is None else axis.find("mimic")
        if mimic is not None:
            leader = f"{entity.scope}{mimic.get('joint', '')}"
            ratio, offset = number(mimic, "multiplier", 1.0), number(mimic, "offset", 0.0)
            return Coupling(leader, ratio, offset - ratio * number(mimic, "reference", 0.0))
        drake = joint.find(f"{{{DRAKE}}}mimic")
        if drake is None:
            return None
        try:
            ratio, offset = (float(drake.get(key, value)) for key, value in (("multiplier", "1"), ("offset", "0")))
        except ValueError:
            raise XmlProblem("A <drake:mimic> has a multiplier or offset that is not a number", drake) from None
        return Coupling(f"{entity.scope}{drake.get('joint', '')}", ratio, offset)

    # ---- sensors

    def sensors(self) -> None:
        for name, entity in [*self.document.of_kind("link").items()]:
            for element in entity.element.findall("sensor"):
                self.sensor(element, name, entity.scope)
        for name, entity in [*self.document.of_kind("joint").items()]:
            for element in entity.element.findall("sensor"):
                self.sensor(element, self.tree.child_of(name), entity.scope)

    def sensor(self, element: Element, holder: str, scope: str) -> None:
        """A sensor on the frame that its pose is relative to, else on a frame of its own."""
        sensor = read_sensor(element, named(element))
        pose = element.find("pose")
        given = "" if pose is None else pose.get("relative_to", "")
        base = self.document.resolve(scope, given, element) if given else holder
        base, place = (base, pose_of(pose)) if base in self.frames else (holder, pose_of(pose))
        if place == IDENTITY:
            self.frames[base] = replace(self.frames[base], sensors=(*self.frames[base].sensors, sensor))
            return
        frame = self.pool.fresh(sensor.name)
        self.frames[frame] = Frame(id=frame, parent=base, transform=place, sensors=(sensor,), virtual=True)


def _pose(document: SdfDocument, name: str, other: str) -> Pose:
    if other == WORLD:
        return Pose.from_matrix(document.world_pose(name))
    return document.pose_in(name, other)


def _dynamics(joint: Element, dynamics: Element | None) -> Dynamics | None:
    """Damping and friction, and the armature that Drake's elements make: gear ratio squared times rotor inertia."""
    rotor = number(joint, f"{{{DRAKE}}}rotor_inertia", 0.0) * number(joint, f"{{{DRAKE}}}gear_ratio", 1.0) ** 2
    if dynamics is None and not rotor:
        return None
    return Dynamics(number(dynamics, "damping", 0.0), number(dynamics, "friction", 0.0), rotor)


def _pitch(element: Element) -> float:
    """Metres per revolution; the older element has radians per metre, left-handed."""
    if element.find("screw_thread_pitch") is not None:
        return number(element, "screw_thread_pitch", 0.0)
    old = number(element, "thread_pitch", 0.0)
    return -2 * math.pi / old if old else 0.0
