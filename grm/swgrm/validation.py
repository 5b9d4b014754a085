"""What is wrong with a robot: every check, as findings with stable codes."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from swgrm.findings import Finding, Severity
from swgrm.meshes.places import resolve
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
    Robot,
    Sphere,
    Tensor,
    Vec3,
)

ERROR, WARNING, NOTE = Severity.ERROR, Severity.WARNING, Severity.NOTE
UNIT = 1e-6  # how far a unit vector's length may be off


class Code(NamedTuple):
    """A kind of finding: how bad it is, and what it means in general."""

    severity: Severity
    meaning: str


CODES: Mapping[str, Code] = {
    "axis-not-unit": Code(WARNING, "a joint's axis does not have length one; it is used normalised"),
    "axis-zero": Code(ERROR, "a joint's axis has no direction"),
    "coupling-circle": Code(ERROR, "joints follow each other in a circle"),
    "coupling-missing": Code(ERROR, "a joint follows one that is not there"),
    "coupling-ratio": Code(WARNING, "a coupled joint's ratio is zero: it does not move"),
    "coupling-self": Code(ERROR, "a joint follows itself"),
    "coupling-type": Code(ERROR, "a joint that has no position of one number follows or leads"),
    "dynamics-negative": Code(ERROR, "damping or friction is negative"),
    "frame-duplicate": Code(ERROR, "two frames have the same id"),
    "frame-unreachable": Code(ERROR, "a frame is not connected to the root"),
    "joint-duplicate": Code(ERROR, "two joints have the same name"),
    "joint-on-root": Code(ERROR, "the root has a joint, but no parent to move in"),
    "limit-negative": Code(ERROR, "a bound on velocity, effort or acceleration is negative"),
    "limits-ignored": Code(NOTE, "a fixed joint or a ball has position limits, which mean nothing there"),
    "limits-reversed": Code(ERROR, "the lower limit is above the upper one"),
    "limits-without-zero": Code(NOTE, "the zero position is outside the limits"),
    "link-duplicate": Code(ERROR, "two links have the same name"),
    "loop-frame-missing": Code(ERROR, "a loop joint ends at a frame that is not there"),
    "loop-open": Code(WARNING, "a loop joint does not close at the zero position"),
    "mass-missing": Code(NOTE, "a moving body has no mass: simulators refuse it"),
    "mass-negative": Code(ERROR, "a mass is negative"),
    "mass-zero": Code(WARNING, "a mass is zero"),
    "material-duplicate": Code(ERROR, "two materials have the same name"),
    "material-unknown": Code(ERROR, "a shape names a material that the robot does not have"),
    "mesh-missing": Code(ERROR, "a mesh file is not there"),
    "name-empty": Code(ERROR, "something that is referred to by name has none"),
    "name-illegal": Code(ERROR, "a name has control characters, or blanks at its ends"),
    "not-finite": Code(ERROR, "a number is NaN or infinite"),
    "pitch-ignored": Code(WARNING, "a joint that is no screw has a pitch"),
    "quaternion-not-unit": Code(WARNING, "a quaternion does not have length one; it is used normalised"),
    "quaternion-zero": Code(ERROR, "a quaternion is zero: it is no rotation"),
    "rgba-range": Code(WARNING, "a colour is outside 0 to 1"),
    "root-missing": Code(ERROR, "every frame has a parent: there is no root"),
    "root-several": Code(ERROR, "several frames have no parent"),
    "safety-reversed": Code(WARNING, "the lower soft limit is above the upper one"),
    "screw-without-pitch": Code(WARNING, "a screw's pitch is zero: it only turns"),
    "sensor-duplicate": Code(ERROR, "two sensors have the same name"),
    "sensor-rate": Code(ERROR, "a sensor's update rate is not positive"),
    "sensor-type": Code(NOTE, "a sensor's type is not one of the usual ones"),
    "size-not-positive": Code(ERROR, "a size, radius, length or scale is not positive"),
    "tensor-missing": Code(NOTE, "a body has mass but no inertia tensor"),
    "tensor-not-positive": Code(ERROR, "an inertia tensor is not positive definite"),
    "tensor-triangle": Code(ERROR, "principal moments violate the triangle inequality: no body has them"),
    "transmission-duplicate": Code(ERROR, "two transmissions have the same name"),
    "transmission-joint": Code(ERROR, "a transmission drives a joint that is not there"),
}


def check(robot: Robot, folder: Path | None = None) -> list[Finding]:
    """Everything that is wrong with a robot, worst first; with a folder, also whether its mesh files are there."""
    checker = _Checker(robot, folder)
    checker.run()
    return sorted(checker.found, key=lambda f: (-f.severity, f.code, f.where))


class _Checker:
    """One pass over a robot; each method looks at one kind of thing."""

    def __init__(self, robot: Robot, folder: Path | None) -> None:
        self.robot, self.folder = robot, folder
        self.found: list[Finding] = []
        self.materials = {material.name for material in robot.materials}
        self.meshes: dict[str, bool] = {}

    def say(self, code: str, where: str, message: str) -> None:
        self.found.append(Finding(CODES[code].severity, code, where, message))

    def run(self) -> None:
        robot = self.robot
        self.names("frame-duplicate", "frame", [f.id for f in robot.frames])
        joints = [f.joint_name for f in robot.frames if f.joint] + [loop.joint.name for loop in robot.loop_joints]
        self.names("joint-duplicate", "joint", joints)
        self.names("link-duplicate", "link", [link.name for _, link in robot.links()])
        self.names("sensor-duplicate", "sensor", [sensor.name for f in robot.frames for sensor in f.sensors])
        self.names("material-duplicate", "material", [m.name for m in robot.materials])
        self.names("transmission-duplicate", "transmission", [t.name for t in robot.transmissions])
        connected = self.tree()
        for frame in robot.frames:
            self.frame(frame)
        self.couplings()
        self.extras(set(joints))
        if connected and robot.loop_joints and not any(f.code == "not-finite" for f in self.found):
            self.loops()

    def names(self, code: str, kind: str, names: list[str]) -> None:
        if len(set(names)) != len(names):
            for name, count in Counter(names).items():
                if count > 1 and name:
                    self.say(code, f"{kind} {name}", f"{count} {kind}s have this name; names are unique.")
        for name in names:
            if not name:
                self.say("name-empty", kind, f"A {kind} has no name.")
            elif not name.isprintable() or name != name.strip():
                self.say(
                    "name-illegal",
                    f"{kind} {name!r}",
                    "The name has control characters, or blanks at its ends.",
                )

    def tree(self) -> bool:
        """Whether the frames are one tree."""
        robot = self.robot
        roots = [f.id for f in robot.frames if f.parent is None]
        if not roots:
            self.say("root-missing", f"robot {robot.name}", "Every frame has a parent: one must be the root.")
        elif len(roots) > 1:
            self.say(
                "root-several",
                f"robot {robot.name}",
                f"{len(roots)} frames have no parent: {', '.join(roots[:5])}.",
            )
        reached = _reached(robot, roots)
        for frame in robot.frames:
            if frame.id not in reached:
                why = "is not there" if frame.parent not in robot.by_id else "does not lead to the root either"
                self.say("frame-unreachable", f"frame {frame.id}", f"Its parent `{frame.parent}` {why}.")
        return len(roots) == 1 and len(reached) == len(robot.frames)

    # ---- frames and what they carry

    def frame(self, frame: Frame) -> None:
        where = f"frame {frame.id}"
        self.finite(where, "position", frame.transform.pos)
        self.quaternion(where, frame.transform.rot)
        if frame.joint is not None:
            if frame.parent is None:
                self.say("joint-on-root", where, "The root has no parent: its joint is meaningless. Remove it.")
            self.joint(f"joint {frame.joint_name}", frame.joint)
            if not frame.is_rigid and not frame.links and not self.robot.children(frame.id):
                self.say("mass-missing", where, "The frame moves, but carries nothing.")
        for link in frame.links:
            self.link(frame, link)
        for sensor in frame.sensors:
            if sensor.update_rate is not None and not sensor.update_rate > 0:
                self.say("sensor-rate", f"sensor {sensor.name}", f"The update rate is {sensor.update_rate} Hz.")
            if sensor.type not in SENSOR_TYPES:
                usual = ", ".join(sorted(SENSOR_TYPES))
                self.say("sensor-type", f"sensor {sensor.name}", f"`{sensor.type}` is not a usual type ({usual}).")

    def finite(self, where: str, what: str, numbers: Iterable[float | None]) -> bool:
        # A sum is NaN or infinite as soon as one number is (∞ − ∞ is NaN): one test for all.
        if math.isfinite(sum(number for number in numbers if number is not None)):
            return True
        self.say("not-finite", where, f"The {what} is not finite: {numbers}.")
        return False

    def quaternion(self, where: str, q: Quat) -> None:
        if q == (0.0, 0.0, 0.0, 1.0) or not self.finite(where, "rotation", q):
            return
        length = math.hypot(*q)
        if length < UNIT:
            self.say("quaternion-zero", where, f"The quaternion {q} is no rotation.")
        elif abs(length - 1) > UNIT:
            self.say("quaternion-not-unit", where, f"The quaternion {q} has length {length:.9g}.")

    def joint(self, where: str, joint: Joint) -> None:
        kind = joint.type
        turns_or_slides = kind not in (JointType.FIXED, JointType.BALL)
        if turns_or_slides:
            self.axis(where, joint.axis)
        if joint.pitch != 0 and kind is not JointType.SCREW:
            self.say("pitch-ignored", where, f"A {kind} joint has the pitch {joint.pitch} m; only screws have one.")
        if kind is JointType.SCREW and self.finite(where, "pitch", (joint.pitch,)) and joint.pitch == 0:
            self.say("screw-without-pitch", where, "The pitch is zero: this screw only turns.")
        self.limits(where, joint, turns_or_slides)
        if joint.dynamics:
            losses = (joint.dynamics.damping, joint.dynamics.friction)
            if self.finite(where, "dynamics", losses) and min(losses) < 0:
                self.say("dynamics-negative", where, "Damping and friction take energy: they cannot be negative.")
        if joint.safety and joint.safety.soft_lower_limit > joint.safety.soft_upper_limit:
            self.say("safety-reversed", where, "The lower soft limit is above the upper one.")

    def axis(self, where: str, axis: Vec3) -> None:
        if not self.finite(where, "axis", axis):
            return
        length = math.hypot(*axis)
        if length < UNIT:
            self.say("axis-zero", where, f"The axis {axis} has no direction.")
        elif abs(length - 1) > UNIT:
            self.say("axis-not-unit", where, f"The axis {axis} has length {length:.9g}.")

    def limits(self, where: str, joint: Joint, has_position: bool) -> None:
        limits = joint.limits
        lower, upper = limits.lower, limits.upper
        bounds = {"velocity": limits.velocity, "effort": limits.effort, "acceleration": limits.acceleration}
        if not self.finite(where, "range", (lower, upper, *bounds.values())):
            return
        if not has_position and (lower is not None or upper is not None):
            self.say("limits-ignored", where, f"A {joint.type} joint has no position of one number to limit.")
        if lower is not None and upper is not None and lower > upper:
            self.say("limits-reversed", where, f"The lower limit {lower} is above the upper limit {upper}.")
        elif (lower is not None and lower > 0) or (upper is not None and upper < 0):
            self.say("limits-without-zero", where, f"The zero position is outside {lower} to {upper}.")
        for name, value in bounds.items():
            if value is not None and value < 0:
                self.say("limit-negative", where, f"The bound on {name} is negative ({value}).")

    def link(self, frame: Frame, link: Link) -> None:
        where = f"link {link.name}"
        if link.inertial is not None:
            self.inertial(where, link.inertial)
        elif not frame.is_rigid and all(each.inertial is None for each in frame.links):
            self.say("mass-missing", where, "It moves and has no mass: simulators refuse it.")
        for shape in (*link.visuals, *link.collisions):
            self.shape(where, shape)

    def inertial(self, where: str, inertial: Inertial) -> None:
        if not self.finite(where, "mass or its centre", (inertial.mass, *inertial.origin)):
            return
        if inertial.mass < 0:
            self.say("mass-negative", where, f"The mass is {inertial.mass} kg.")
        elif inertial.mass == 0:
            self.say("mass-zero", where, "The mass is zero.")
        self.quaternion(where, inertial.axes)
        if inertial.tensor is None:
            self.say("tensor-missing", where, f"It weighs {inertial.mass} kg and has no inertia tensor.")
        else:
            self.tensor(where, inertial.tensor)

    def tensor(self, where: str, t: Tensor) -> None:
        if not self.finite(where, "inertia tensor", (t.ixx, t.ixy, t.ixz, t.iyy, t.iyz, t.izz)):
            return
        low, middle, high = principal_moments(t)
        said = f"{low:.6g}, {middle:.6g}, {high:.6g} kg m²"
        if low <= 0:
            self.say("tensor-not-positive", where, f"The principal moments are {said}: all must be positive.")
        elif low + middle < high * (1 - 1e-6):
            self.say(
                "tensor-triangle",
                where,
                f"The principal moments are {said}: the two smaller do not reach the third.",
            )

    def shape(self, where: str, shape: Geometry) -> None:
        self.finite(where, "shape's position", shape.origin.pos)
        self.quaternion(where, shape.origin.rot)
        if shape.material and shape.material not in self.materials:
            self.say("material-unknown", where, f"The robot has no material `{shape.material}`.")
        if not self.finite(where, "size", sizes := _SIZES[type(shape)](shape)):
            return
        if isinstance(shape, Mesh):
            if 0 in shape.scale:
                self.say("size-not-positive", where, f"The mesh's scale is {shape.scale}.")
            self.mesh(where, shape.uri)
        elif min(sizes) <= 0:
            self.say("size-not-positive", where, f"The {type(shape).__name__.lower()}'s size is {sizes}.")

    def mesh(self, where: str, uri: str) -> None:
        if not uri:
            self.say("mesh-missing", where, "The mesh has no file name.")
        elif self.folder is not None and "://" not in uri:
            if uri not in self.meshes:
                self.meshes[uri] = resolve(uri, self.folder) is not None
            if not self.meshes[uri]:
                self.say("mesh-missing", where, f"There is no mesh file `{uri[:120]}` in {self.folder}.")

    # ---- what refers to what

    def couplings(self) -> None:
        joints = self.robot.joints
        leaders = {n: f.joint.coupling for n, f in joints.items() if f.joint and f.joint.coupling}
        follows = {name: coupling.joint for name, coupling in leaders.items()}
        for name, coupling in leaders.items():
            where = f"joint {name}"
            self.finite(where, "coupling", (coupling.ratio, coupling.offset))
            if coupling.ratio == 0:
                self.say(
                    "coupling-ratio",
                    where,
                    f"It follows `{coupling.joint}` with the ratio 0: it does not move.",
                )
            if coupling.joint == name:
                self.say("coupling-self", where, "It follows itself.")
            elif coupling.joint not in joints:
                self.say("coupling-missing", where, f"It follows `{coupling.joint}`, which is not there.")
            elif name in _chain(name, follows):
                self.say("coupling-circle", where, "Following it leads back to it.")
            for each in (name, coupling.joint):
                joint = joints[each].joint if each in joints else None
                if joint is not None and joint.type in (JointType.FIXED, JointType.BALL):
                    self.say("coupling-type", where, f"`{each}` is {joint.type}: it has no position of one number.")

    def extras(self, joints: set[str]) -> None:
        for material in self.robot.materials:
            if material.rgba and not all(0 <= value <= 1 for value in material.rgba):
                self.say(
                    "rgba-range",
                    f"material {material.name}",
                    f"The colour {material.rgba} is outside 0 to 1.",
                )
        for transmission in self.robot.transmissions:
            for end in transmission.joints:
                if end.name not in joints:
                    self.say(
                        "transmission-joint",
                        f"transmission {transmission.name}",
                        f"There is no joint `{end.name}`.",
                    )
        for loop in self.robot.loop_joints:
            self.joint(f"joint {loop.joint.name}", loop.joint)
            for frame_id in (loop.parent, loop.child):
                if frame_id not in self.robot.by_id:
                    self.say("loop-frame-missing", f"joint {loop.joint.name}", f"There is no frame `{frame_id}`.")

    def loops(self) -> None:
        import numpy as np

        from swgrm.errors import ModelError
        from swgrm.kinematics import poses
        from swgrm.transforms import inverse

        try:
            at_zero = poses(self.robot)
        except ModelError:
            return  # said already, by the check of axes or couplings
        for loop in self.robot.loop_joints:
            if loop.parent in at_zero.ids and loop.child in at_zero.ids:
                gap = inverse(at_zero[loop.parent] @ loop.transform.matrix) @ at_zero[loop.child] - np.eye(4)
                if (off := float(np.abs(gap).max())) > UNIT:
                    self.say("loop-open", f"joint {loop.joint.name}", f"At zero its two sides are {off:.3g} apart.")


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
