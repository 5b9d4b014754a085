"""The mass matrix and the gravity torque of a robot, computed from its poses: what simulators are compared with.

For a body of mass m and inertia I about its centre c, with Jacobians J_v of c and J_w of its rotation,
M = Σ m J_vᵀ J_v + J_wᵀ R I Rᵀ J_w and g = Σ m · 9.81 · (row z of J_v). A ball joint has three velocities: its angular
velocity in the axes of the child.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from msgspec.structs import replace

from swgrm.mass.inertia import tensor_matrix
from swgrm.model import Frame, JointType, Quat, Robot
from swgrm.transforms import Array, axis_angle_matrix, homogeneous, quaternion_matrix

GRAVITY = 9.81  # [m/s²] downwards
Positions = Mapping[str, float | Quat]


class Dof(NamedTuple):
    """A velocity: of which joint, and which of its three for a ball joint."""

    joint: str
    number: int = 0


class RobotDynamics(NamedTuple):
    """Poses by frame, the velocities in their order, the mass matrix over them and the gravity torque."""

    poses: Mapping[str, Array]
    dofs: tuple[Dof, ...]
    M: Array
    g: Array


class _Motion(NamedTuple):
    """The velocity of a joint in the world: angular and linear at a point, per unit."""

    dof: Dof
    angular: Array
    linear: Array
    point: Array


def dynamics(robot: Robot, q: Positions) -> RobotDynamics:
    """The dynamics of the tree, couplings and loops left aside: every joint has the position that is given, or zero."""
    poses: dict[str, Array] = {}
    above: dict[str, tuple[_Motion, ...]] = {}
    for frame in robot.walk():
        start = poses[frame.parent] if frame.parent is not None else np.eye(4)
        before = above[frame.parent] if frame.parent is not None else ()
        poses[frame.id] = start @ frame.transform.matrix @ _motion(frame, q)
        above[frame.id] = (*before, *_motions(frame, poses[frame.id]))
    dofs = tuple(motion.dof for frame in robot.walk() for motion in _motions(frame, poses[frame.id]))
    column = {dof: index for index, dof in enumerate(dofs)}
    M, g = np.zeros((len(dofs), len(dofs))), np.zeros(len(dofs))
    for frame, link in robot.links():
        if link.inertial is None:
            continue
        T, mass = poses[frame.id], link.inertial.mass
        centre = T[:3, :3] @ link.inertial.origin + T[:3, 3]
        I = T[:3, :3] @ tensor_matrix(link.inertial) @ T[:3, :3].T  # noqa: E741 - its usual symbol
        Jw, Jv = np.zeros((3, len(dofs))), np.zeros((3, len(dofs)))
        for motion in above[frame.id]:
            Jw[:, column[motion.dof]] = motion.angular
            Jv[:, column[motion.dof]] = motion.linear + np.cross(motion.angular, centre - motion.point)
        M += mass * Jv.T @ Jv + Jw.T @ I @ Jw
        g += mass * GRAVITY * Jv[2]
    return RobotDynamics(poses, dofs, M, g)


def _motion(frame: Frame, q: Positions) -> Array:
    """The motion of a joint.  # (4, 4)."""
    joint, at = frame.joint, q.get(frame.joint_name)
    if joint is None or at is None or frame.is_rigid:
        return np.eye(4)
    if isinstance(at, tuple):
        return homogeneous(quaternion_matrix(at), np.zeros(3))
    axis = np.array(joint.axis) / np.linalg.norm(joint.axis)
    turn = at if joint.type is not JointType.PRISMATIC else 0.0
    slide = {JointType.PRISMATIC: 1.0, JointType.SCREW: joint.pitch / (2 * math.pi)}.get(joint.type, 0.0) * at
    return homogeneous(axis_angle_matrix(axis, turn), slide * axis)


def _motions(frame: Frame, T: Array) -> tuple[_Motion, ...]:
    joint, name, R, point = frame.joint, frame.joint_name, T[:3, :3], T[:3, 3]
    if joint is None or frame.is_rigid:
        return ()
    if joint.type is JointType.BALL:
        return tuple(_Motion(Dof(name, n), R[:, n], np.zeros(3), point) for n in range(3))
    axis = R @ np.array(joint.axis) / np.linalg.norm(joint.axis)
    turns, slides = {
        JointType.REVOLUTE: (1.0, 0.0),
        JointType.PRISMATIC: (0.0, 1.0),
        JointType.SCREW: (1.0, joint.pitch / (2 * math.pi)),
    }[joint.type]
    return (_Motion(Dof(name), turns * axis, slides * axis, point),)


def coupling_matrix(robot: Robot, dofs: tuple[Dof, ...]) -> tuple[tuple[Dof, ...], Array]:
    """The independent velocities z, and S with v = S z: a follower's rate is its ratio times its leader's."""
    ratio: dict[str, tuple[str, float]] = {}
    for frame in robot.frames:
        if frame.joint and frame.joint.coupling and not frame.is_rigid:
            ratio[frame.joint_name] = frame.joint.coupling.joint, frame.joint.coupling.ratio
    free = tuple(dof for dof in dofs if dof.joint not in ratio)
    S = np.zeros((len(dofs), len(free)))
    for row, dof in enumerate(dofs):
        name, factor = dof.joint, 1.0
        while name in ratio:
            factor *= ratio[name][1]
            name = ratio[name][0]
        if Dof(name, dof.number) in free:
            S[row, free.index(Dof(name, dof.number))] = factor
    return free, S


def without_mass(robot: Robot, kept: frozenset[str]) -> Robot:
    """The robot in which only those links have mass."""
    return replace(
        robot,
        frames=tuple(
            replace(f, links=tuple(link if link.name in kept else replace(link, inertial=None) for link in f.links))
            for f in robot.frames
        ),
    )
