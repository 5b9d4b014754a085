"""Checks of frames and what they carry: poses, joints, links, masses, shapes and sensors."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from swgrm.findings import Findings
from swgrm.meshes.uris import resolve
from swgrm.model import (
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
    Sensor,
    Sphere,
    Tensor,
    Vec3,
)
from swgrm.validation.checks import TOLERANCE, Checks


def check_bodies(robot: Robot, folder: Path | None, findings: Findings) -> None:
    """Check every frame, the joints of loops and the materials; with a folder, also whether mesh files exist."""
    checks = _BodyChecks(robot, folder, findings)
    for frame in robot.frames:
        checks.frame(frame)
    for loop in (*robot.loop_joints, *(cut.loop for cut in robot.cut_loops)):
        checks.joint(f"joint {loop.joint.name}", loop.joint)
    checks.appearances()


class _BodyChecks(Checks):
    """Each method checks one kind of object."""

    def __init__(self, robot: Robot, folder: Path | None, findings: Findings) -> None:
        super().__init__(robot, findings)
        self.folder = folder
        self.materials = {material.name for material in robot.materials}
        self.meshes: dict[str, bool] = {}

    def frame(self, frame: Frame) -> None:
        where = f"frame {frame.id}"
        self.computable(where, "position", frame.transform.pos)
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
            self.sensor_type(sensor)

    def sensor_type(self, sensor: Sensor) -> None:
        from swgrm.model.sensor_types import SENSORS  # most robots have no sensors

        if sensor.type not in SENSORS:
            self.add("sensor-type", f"sensor {sensor.name}", type=sensor.type, usual=", ".join(sorted(SENSORS)))

    def appearances(self) -> None:
        for material in self.robot.materials:
            if material.rgba and not all(0 <= value <= 1 for value in material.rgba):
                self.add("rgba-range", f"material {material.name}", rgba=material.rgba)

    def quaternion(self, where: str, q: Quat) -> None:
        if q == (0.0, 0.0, 0.0, 1.0) or not self.finite(where, "rotation", q):
            return
        length = math.hypot(*q)
        if length < TOLERANCE:
            self.add("quaternion-zero", where, quaternion=q)
        elif abs(length - 1) > TOLERANCE:
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
        if length < TOLERANCE:
            self.add("axis-zero", where, axis=axis)
        elif abs(length - 1) > TOLERANCE:
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
            if frame.is_rigid and link.inertial.mass == 0 and link.inertial.tensor in (None, Tensor()):
                self.add("mass-zero-rigid", where)
            else:
                self.inertial(where, link.inertial)
        elif not frame.is_rigid and all(each.inertial is None for each in frame.links):
            self.add("mass-missing", where)
        for shape in (*link.visuals, *link.collisions):
            self.shape(where, shape)

    def inertial(self, where: str, inertial: Inertial) -> None:
        if not self.computable(where, "mass or its centre", (inertial.mass, *inertial.origin)):
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
        if not self.computable(where, "inertia tensor", (t.ixx, t.ixy, t.ixz, t.iyy, t.iyz, t.izz)):
            return
        low, middle, high = principal_moments(t)
        moments = f"{low:.6g}, {middle:.6g}, {high:.6g}"
        if low <= 0:
            self.add("tensor-not-positive", where, moments=moments)
        elif low + middle < high * (1 - 1e-6):
            self.add("tensor-triangle", where, moments=moments)

    def shape(self, where: str, shape: Geometry) -> None:
        self.computable(where, "shape's position", shape.origin.pos)
        self.quaternion(where, shape.origin.rot)
        if shape.material and shape.material not in self.materials:
            self.add("material-unknown", where, material=shape.material)
        if not self.computable(where, "size", sizes := _SIZES[type(shape)](shape)):
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
                self.add("mesh-file-missing", where, uri=uri[:120])


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
