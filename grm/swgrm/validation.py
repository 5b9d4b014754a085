"""What is wrong with a robot: every check, as findings with stable codes."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from swgrm.composites import chain
from swgrm.findings import Finding, Findings
from swgrm.mesh_uris import resolve
from swgrm.model import (
    SENSOR_TYPES,
    Box,
    Capsule,
    Cylinder,
    Frame,
    Geometry,
    Inertial,
    Joint,
    JointType,
    Link,
    Mesh,
    Quat,
    Relation,
    Robot,
    Sphere,
    Tensor,
    Vec3,
)

UNIT = 1e-6  # how far a unit vector's length may be off


def check(robot: Robot, folder: Path | None = None) -> list[Finding]:
    """Everything that is wrong with a robot, worst first; with a folder, also whether its mesh files are there."""
    checker = _Checker(robot, folder)
    checker.run()
    return sorted(checker.findings, key=lambda f: (-f.severity, f.code, f.where))


class _Checker:
    """One pass over a robot; each method looks at one kind of thing."""

    def __init__(self, robot: Robot, folder: Path | None) -> None:
        self.robot, self.folder = robot, folder
        self.findings = Findings()
        self.add = self.findings.add
        self.materials = {material.name for material in robot.materials}
        self.meshes: dict[str, bool] = {}

    def run(self) -> None:
        robot = self.robot
        self.names("frame-duplicate", "frame", [f.id for f in robot.frames])
        joints = [f.joint_name for f in robot.frames if f.joint] + [loop.joint.name for loop in robot.loop_joints]
        self.names("joint-duplicate", "joint", joints)
        self.names("link-duplicate", "link", [link.name for _, link in robot.links()])
        self.names("sensor-duplicate", "sensor", [sensor.name for f in robot.frames for sensor in f.sensors])
        self.names("material-duplicate", "material", [m.name for m in robot.materials])
        self.names("transmission-duplicate", "transmission", [t.name for t in robot.transmissions])
        self.names("composite-duplicate", "composite joint", [each.name for each in robot.composite_joints])
        connected = self.tree()
        for frame in robot.frames:
            self.frame(frame)
        self.couplings()
        self.relations(connected)
        self.composites()
        self.extras(set(joints))
        if connected and robot.loop_joints and not any(f.code == "not-finite" for f in self.findings):
            self.loops()

    def names(self, code: str, kind: str, names: list[str]) -> None:
        if len(set(names)) != len(names):
            for name, count in Counter(names).items():
                if count > 1 and name:
                    self.add(code, f"{kind} {name}", count=count)
        for name in names:
            if not name:
                self.add("name-empty", kind, kind=kind)
            elif not name.isprintable() or name != name.strip():
                self.add("name-illegal", f"{kind} {name!r}")

    def tree(self) -> bool:
        """Whether the frames are one tree."""
        robot = self.robot
        roots = [f.id for f in robot.frames if f.parent is None]
        if not roots:
            self.add("root-missing", f"robot {robot.name}")
        elif len(roots) > 1:
            self.add("root-several", f"robot {robot.name}", count=len(roots), frames=", ".join(roots[:5]))
        reached = _reached(robot, roots)
        for frame in robot.frames:
            if frame.id not in reached:
                why = "does not exist" if frame.parent not in robot.by_id else "is not connected either"
                self.add("frame-unreachable", f"frame {frame.id}", parent=frame.parent, reason=why)
        return len(roots) == 1 and len(reached) == len(robot.frames)

    # ---- frames and what they carry

    def frame(self, frame: Frame) -> None:
        where = f"frame {frame.id}"
        self.finite(where, "position", frame.transform.pos)
        self.quaternion(where, frame.transform.rot)
        if frame.joint is not None:
            if frame.parent is None:
                self.add("joint-on-root", where)
            self.joint(f"joint {frame.joint_name}", frame.joint)
            if not frame.is_rigid and not frame.links and not self.robot.children(frame.id):
                self.add("mass-missing", where)
        for link in frame.links:
            self.link(frame, link)
        for sensor in frame.sensors:
            if sensor.update_rate is not None and not sensor.update_rate > 0:
                self.add("sensor-rate", f"sensor {sensor.name}", rate=sensor.update_rate)
            if sensor.type not in SENSOR_TYPES:
                usual = ", ".join(sorted(SENSOR_TYPES))
                self.add("sensor-type", f"sensor {sensor.name}", type=sensor.type, usual=usual)

    def finite(self, where: str, what: str, numbers: Iterable[float | None]) -> bool:
        # A sum is NaN or infinite as soon as one number is (∞ − ∞ is NaN): one test for all.
        if math.isfinite(sum(number for number in numbers if number is not None)):
            return True
        self.add("not-finite", where, quantity=what, values=numbers)
        return False

    def quaternion(self, where: str, q: Quat) -> None:
        if q == (0.0, 0.0, 0.0, 1.0) or not self.finite(where, "rotation", q):
            return
        length = math.hypot(*q)
        if length < UNIT:
            self.add("quaternion-zero", where, quaternion=q)
        elif abs(length - 1) > UNIT:
            self.add("quaternion-not-unit", where, quaternion=q, length=length)

    def joint(self, where: str, joint: Joint) -> None:
        kind = joint.type
        turns_or_slides = kind not in (JointType.FIXED, JointType.BALL)
        if turns_or_slides:
            self.axis(where, joint.axis)
        if joint.pitch != 0 and kind is not JointType.SCREW:
            self.add("pitch-ignored", where, type=kind, pitch=joint.pitch)
        if kind is JointType.SCREW and self.finite(where, "pitch", (joint.pitch,)) and joint.pitch == 0:
            self.add("screw-without-pitch", where)
        self.limits(where, joint, turns_or_slides)
        if joint.dynamics:
            losses = (joint.dynamics.damping, joint.dynamics.friction)
            if self.finite(where, "dynamics", losses) and min(losses) < 0:
                self.add("dynamics-negative", where)
        if joint.safety and joint.safety.soft_lower_limit > joint.safety.soft_upper_limit:
            self.add("safety-reversed", where)

    def axis(self, where: str, axis: Vec3) -> None:
        if not self.finite(where, "axis", axis):
            return
        length = math.hypot(*axis)
        if length < UNIT:
            self.add("axis-zero", where, axis=axis)
        elif abs(length - 1) > UNIT:
            self.add("axis-not-unit", where, axis=axis, length=length)

    def limits(self, where: str, joint: Joint, has_position: bool) -> None:
        limits = joint.limits
        lower, upper = limits.lower, limits.upper
        bounds = {"velocity": limits.velocity, "effort": limits.effort, "acceleration": limits.acceleration}
        if not self.finite(where, "range", (lower, upper, *bounds.values())):
            return
        if not has_position and (lower is not None or upper is not None):
            self.add("limits-ignored", where, type=joint.type)
        if lower is not None and upper is not None and lower > upper:
            self.add("limits-reversed", where, lower=lower, upper=upper)
        elif (lower is not None and lower > 0) or (upper is not None and upper < 0):
            self.add("limits-without-zero", where, lower=lower, upper=upper)
        for name, value in bounds.items():
            if value is not None and value < 0:
                self.add("limit-negative", where, quantity=name, value=value)

    def link(self, frame: Frame, link: Link) -> None:
        where = f"link {link.name}"
        if link.inertial is not None:
            self.inertial(where, link.inertial)
        elif not frame.is_rigid and all(each.inertial is None for each in frame.links):
            self.add("mass-missing", where)
        for shape in (*link.visuals, *link.collisions):
            self.shape(where, shape)

    def inertial(self, where: str, inertial: Inertial) -> None:
        if not self.finite(where, "mass or its centre", (inertial.mass, *inertial.origin)):
            return
        if inertial.mass < 0:
            self.add("mass-negative", where, mass=inertial.mass)
        elif inertial.mass == 0:
            self.add("mass-zero", where)
        self.quaternion(where, inertial.axes)
        if inertial.tensor is None:
            self.add("tensor-missing", where, mass=inertial.mass)
        else:
            self.tensor(where, inertial.tensor)

    def tensor(self, where: str, t: Tensor) -> None:
        if not self.finite(where, "inertia tensor", (t.ixx, t.ixy, t.ixz, t.iyy, t.iyz, t.izz)):
            return
        low, middle, high = principal_moments(t)
        moments = f"{low:.6g}, {middle:.6g}, {high:.6g}"
        if low <= 0:
            self.add("tensor-not-positive", where, moments=moments)
        elif low + middle < high * (1 - 1e-6):
            self.add("tensor-triangle", where, moments=moments)

    def shape(self, where: str, shape: Geometry) -> None:
        self.finite(where, "shape's position", shape.origin.pos)
        self.quaternion(where, shape.origin.rot)
        if shape.material and shape.material not in self.materials:
            self.add("material-unknown", where, material=shape.material)
        if not self.finite(where, "size", sizes := _SIZES[type(shape)](shape)):
            return
        if isinstance(shape, Mesh):
            if 0 in shape.scale:
                self.add("size-not-positive", where, shape="mesh", size=shape.scale)
            self.mesh(where, shape.uri)
        elif min(sizes) <= 0:
            self.add("size-not-positive", where, shape=type(shape).__name__.lower(), size=sizes)

    def mesh(self, where: str, uri: str) -> None:
        if not uri:
            self.add("mesh-unnamed", where)
        elif self.folder is not None and "://" not in uri:
            if uri not in self.meshes:
                self.meshes[uri] = resolve(uri, self.folder) is not None
            if not self.meshes[uri]:
                self.add("mesh-file-missing", where, uri=uri[:120], folder=self.folder)

    # ---- what refers to what

    def couplings(self) -> None:
        joints = self.robot.joints
        leaders = {n: f.joint.coupling for n, f in joints.items() if f.joint and f.joint.coupling}
        follows = {name: coupling.joint for name, coupling in leaders.items()}
        for name, coupling in leaders.items():
            where = f"joint {name}"
            self.finite(where, "coupling", (coupling.ratio, coupling.offset))
            if coupling.ratio == 0:
                self.add("coupling-ratio", where, leader=coupling.joint)
            if coupling.joint == name:
                self.add("coupling-self", where)
            elif coupling.joint not in joints:
                self.add("coupling-missing", where, leader=coupling.joint)
            elif name in _chain(name, follows):
                self.add("coupling-circle", where)
            for each in (name, coupling.joint):
                joint = joints[each].joint if each in joints else None
                if joint is not None and joint.type in (JointType.FIXED, JointType.BALL):
                    self.add("coupling-type", where, joint=each, type=joint.type)

    def relations(self, connected: bool) -> None:
        """Each relation by itself; if all are sound, whether they agree."""
        before = len(self.findings)
        for relation in self.robot.relations:
            where = _relation_name(relation)
            if not relation.terms:
                self.add("relation-empty", where)
            if not self.finite(where, "relation", (*relation.terms.values(), relation.offset)):
                continue
            for name, coefficient in relation.terms.items():
                joint = self.robot.joints[name].joint if name in self.robot.joints else None
                if joint is None:
                    self.add("relation-joint", where, joint=name)
                elif joint.type in (JointType.FIXED, JointType.BALL):
                    self.add("relation-type", where, joint=name, type=joint.type)
                if coefficient == 0:
                    self.add("relation-zero", where, joint=name)
        if self.robot.relations and connected and len(self.findings) == before:
            self.agreement()

    def agreement(self) -> None:
        from swgrm.errors import ModelError
        from swgrm.kinematics import Kinematics

        try:
            solution = Kinematics(self.robot).solution()
        except ModelError:
            return  # reported by the checks of axes and couplings
        for code, numbers in (
            ("relation-redundant", solution.redundant),
            ("relation-contradictory", solution.contradictory),
        ):
            for number in numbers:
                self.add(code, _relation_name(self.robot.relations[number]))

    def composites(self) -> None:
        for composite in self.robot.composite_joints:
            where = f"composite joint {composite.name}"
            missing = [name for name in composite.joints if name not in self.robot.joints]
            for name in missing:
                self.add("composite-joint", where, joint=name)
            if not missing and not chain(self.robot, composite):
                joints = ", ".join(f"`{name}`" for name in composite.joints)
                self.add("composite-broken", where, joints=joints, type=composite.type)

    def extras(self, joints: set[str]) -> None:
        for material in self.robot.materials:
            if material.rgba and not all(0 <= value <= 1 for value in material.rgba):
                self.add("rgba-range", f"material {material.name}", rgba=material.rgba)
        for transmission in self.robot.transmissions:
            for end in transmission.joints:
                if end.name not in joints:
                    self.add("transmission-joint", f"transmission {transmission.name}", joint=end.name)
        for loop in self.robot.loop_joints:
            self.joint(f"joint {loop.joint.name}", loop.joint)
            for frame_id in (loop.parent, loop.child):
                if frame_id not in self.robot.by_id:
                    self.add("loop-frame-missing", f"joint {loop.joint.name}", frame=frame_id)
        for cut in self.robot.cut_loops:
            for frame_id in (cut.parent_frame, cut.child_frame):
                if frame_id not in self.robot.by_id:
                    self.add("cut-loop-frame", f"joint {cut.loop.joint.name}", frame=frame_id)

    def loops(self) -> None:
        import numpy as np

        from swgrm.errors import ModelError
        from swgrm.kinematics import poses
        from swgrm.transforms import inverse

        try:
            at_zero = poses(self.robot)
        except ModelError:
            return  # reported by the checks of axes, couplings and relations
        for loop in self.robot.loop_joints:
            if loop.parent in at_zero.ids and loop.child in at_zero.ids:
                gap = inverse(at_zero[loop.parent] @ loop.transform.matrix) @ at_zero[loop.child] - np.eye(4)
                if (off := float(np.abs(gap).max())) > UNIT:
                    self.add("loop-open", f"joint {loop.joint.name}", gap=off)


_SIZES: Mapping[type, Callable[[Any], tuple[float, ...]]] = {
    Mesh: lambda shape: shape.scale,
    Box: lambda shape: shape.size,
    Sphere: lambda shape: (shape.radius,),
    Cylinder: lambda shape: (shape.radius, shape.length),
    Capsule: lambda shape: (shape.radius, shape.length),
}


def principal_moments(t: Tensor) -> tuple[float, float, float]:
    """The eigenvalues of a symmetric 3×3 matrix, ascending, in closed form (Smith 1961)."""
    p1 = t.ixy**2 + t.ixz**2 + t.iyz**2
    if p1 == 0:
        low, middle, high = sorted((t.ixx, t.iyy, t.izz))
        return low, middle, high
    mean = (t.ixx + t.iyy + t.izz) / 3
    a, b, c = t.ixx - mean, t.iyy - mean, t.izz - mean
    p = math.sqrt((a * a + b * b + c * c + 2 * p1) / 6)
    determinant = a * (b * c - t.iyz**2) - t.ixy * (t.ixy * c - t.iyz * t.ixz) + t.ixz * (t.ixy * t.iyz - b * t.ixz)
    angle = math.acos(max(-1.0, min(1.0, determinant / (2 * p**3)))) / 3
    high = mean + 2 * p * math.cos(angle)
    low = mean + 2 * p * math.cos(angle + 2 * math.pi / 3)
    return low, 3 * mean - high - low, high


def _relation_name(relation: Relation) -> str:
    return f"relation of {', '.join(relation.terms)}"


def _reached(robot: Robot, roots: Iterable[str]) -> set[str]:
    reached = set(roots)
    stack = list(reached)
    while stack:
        fresh = [child.id for child in robot.children(stack.pop()) if child.id not in reached]
        reached.update(fresh)
        stack += fresh
    return reached


def _chain(name: str, leaders: Mapping[str, str]) -> Iterator[str]:
    seen: set[str] = set()
    while (name := leaders.get(name, "")) and name not in seen:
        seen.add(name)
        yield name
