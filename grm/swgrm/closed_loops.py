"""Closed loops of a robot: closed configurations, the loops' Jacobian, and the mobility.

Twists are (ω, v at the world's origin). A joint of the tree contributes the twist of its motion; J_loop = J_child −
J_parent is the motion between the two sides of a loop joint, and each type of loop joint forbids some of it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from swgrm.kinematics import Kinematics
from swgrm.model import Frame, JointType, LoopJoint, Robot
from swgrm.transforms import axis_angle_matrix, cross_matrix, inverse, matrix_quaternion, quaternion_matrix

if TYPE_CHECKING:
    from swgrm.kinematics import Poses
    from swgrm.transforms import Array

TIGHT = 1e-10  # [m and rad] a loop with smaller gaps is closed
STEPS = 60  # of Newton's method
RANK = 1e-7  # relative: a singular value below it is zero
SHIFT = 0.15  # [rad, and tenths of it m] from the assembled pose, where ranks are taken
POSES = 3  # closed poses, beside the assembled one, at which ranks are taken
SEED = 7


class ClosedLoops:
    """The loops of a robot, over its independent joints; a ball joint has three columns, its rotation vector."""

    def __init__(self, robot: Robot) -> None:
        self.robot = robot
        self.kinematics = Kinematics(robot)
        self._balls = {name for name, frame in robot.joints.items() if _type(frame) is JointType.BALL}
        self.columns: dict[str, slice] = {}
        at = 0
        for name in self.kinematics.independent:
            size = 3 if name in self._balls else 1
            self.columns[name] = slice(at, at + size)
            at += size
        self.size = at
        self._followers = self.kinematics.followers
        self._paths = {frame.id: robot.path(frame.id) for frame in _ends(robot)}

    # ---- configurations

    def start(self) -> dict[str, Array]:
        """The assembled pose: every independent joint at zero."""
        return {name: np.array([0.0, 0.0, 0.0, 1.0]) if name in self._balls else np.array(0.0) for name in self.columns}

    def moved(self, q: Mapping[str, Array], step: Array) -> dict[str, Array]:
        """The configuration after a small step.  # step: (n,)."""
        found = {}
        for name, columns in self.columns.items():
            if name in self._balls:
                turn = np.array(step[columns])
                angle = float(np.linalg.norm(turn))
                R = axis_angle_matrix(turn / angle, angle) if angle > 0 else np.eye(3)
                found[name] = np.array(matrix_quaternion(quaternion_matrix(q[name]) @ R))
            else:
                found[name] = np.asarray(q[name] + step[columns][0])
        return found

    def closed(self, q: Mapping[str, Array]) -> dict[str, Array] | None:
        """The nearest closed configuration by Newton's method; None if none is found."""
        here = dict(q)
        for _ in range(STEPS):
            poses = self.kinematics.poses(here)
            gap = np.concatenate([np.zeros(0), *(self.gap(loop, poses) for loop in self.robot.loop_joints)])
            if gap.size == 0 or float(np.abs(gap).max()) < TIGHT:
                return here
            J = self.jacobian(poses)
            step = -np.linalg.lstsq(J, gap, rcond=RANK)[0]
            size = float(np.abs(step).max(initial=0.0))
            here = self.moved(here, step * min(1.0, 0.5 / size) if size else step)
        return None

    def samples(self) -> list[Poses]:
        """Poses at closed configurations: about the assembled one, and some steps away from it."""
        random, found = np.random.default_rng(SEED), []
        scale = np.ones(self.size)
        for name, columns in self.columns.items():
            if _type(self.robot.joints[name]) is JointType.PRISMATIC:
                scale[columns] = 0.1
        for number in range(POSES + 1):
            shift = SHIFT * scale * random.normal(size=self.size) * (1.0 if number else 1e-3)
            if (q := self.closed(self.moved(self.start(), shift))) is not None:
                found.append(self.kinematics.poses(q))
        return found

    # ---- equations

    def gap(self, loop: LoopJoint, poses: Poses) -> Array:
        """What is missing to close a loop, in the axes of its joint [m and rad]; as many numbers as `forbidden`."""
        T = inverse(poses[loop.parent] @ loop.transform.matrix) @ poses[loop.child]
        R, p = T[:3, :3], T[:3, 3]
        turn = _rotation_vector(R)
        if loop.joint.type is JointType.BALL:
            return np.asarray(p)
        if loop.joint.type is JointType.FIXED:
            return np.concatenate([turn, p])
        a, u, v = axis_triple(loop.joint.axis)
        if loop.joint.type is JointType.PRISMATIC:
            return np.concatenate([turn, [u @ p, v @ p]])
        tilt = np.cross(a, R @ a)
        rows = [u @ tilt, v @ tilt, u @ p, v @ p]
        h = loop.joint.pitch / (2 * math.pi) if loop.joint.type is JointType.SCREW else 0.0
        return np.array([*rows, a @ p - h * (a @ turn)])

    def jacobian(self, poses: Poses, kinds: Mapping[int, JointType] | None = None) -> Array:
        """The forbidden motion of all loops by the independent joints; `kinds` replaces types of joints, by index."""
        rows = [np.zeros((0, self.size))]
        for index, loop in enumerate(self.robot.loop_joints):
            kind = (kinds or {}).get(index, loop.joint.type)
            rows.append(forbidden(loop, kind, poses) @ self._between(loop, poses))
        return np.vstack(rows)

    def _between(self, loop: LoopJoint, poses: Poses) -> Array:
        """The twist of the child relative to the parent, by the independent joints.  # (6, n)."""
        followers = self._followers
        J = np.zeros((6, self.size))
        for end, sign in ((loop.child, 1.0), (loop.parent, -1.0)):
            for frame in self._paths[end]:
                if frame.is_rigid:
                    continue
                twist = sign * joint_twists(frame, poses[frame.id])
                terms = followers[frame.joint_name].terms if frame.joint_name in followers else {frame.joint_name: 1.0}
                for name, factor in terms.items():
                    J[:, self.columns[name]] += factor * twist
        return J

    # ---- results

    def rank(self, poses: Sequence[Poses], kinds: Mapping[int, JointType] | None = None) -> int:
        """The largest rank of the loops' Jacobian at some poses."""
        return max((_rank(self.jacobian(each, kinds)) for each in poses), default=0)

    def mobility(self) -> int:
        """The degrees of freedom that the loops leave."""
        return self.size - self.rank(self.samples())


def forbidden(loop: LoopJoint, kind: JointType, poses: Poses) -> Array:
    """The components of a twist that a loop joint of that kind forbids, in the axes of its joint.  # (rows, 6)."""
    T = poses[loop.parent] @ loop.transform.matrix
    R, p = T[:3, :3], poses[loop.child][:3, 3]
    turn = np.hstack([R.T, np.zeros((3, 3))])
    shift = R.T @ np.hstack([-cross_matrix(p), np.eye(3)])
    if kind is JointType.BALL:
        return np.asarray(shift)
    if kind is JointType.FIXED:
        return np.vstack([turn, shift])
    a, u, v = axis_triple(loop.joint.axis)
    if kind is JointType.PRISMATIC:
        return np.vstack([turn, u @ shift, v @ shift])
    h = loop.joint.pitch / (2 * math.pi) if kind is JointType.SCREW else 0.0
    return np.vstack([u @ turn, v @ turn, u @ shift, v @ shift, a @ shift - h * (a @ turn)])


def joint_twists(frame: Frame, T: Array) -> Array:
    """The twists of a frame's own joint about the world's origin, at its pose T.  # (6, 1), (6, 3) of a ball."""
    R, p = T[:3, :3], T[:3, 3]
    assert frame.joint is not None  # noqa: S101 - it is not rigid
    if frame.joint.type is JointType.BALL:
        return np.vstack([R, cross_matrix(p) @ R])
    a = R @ np.array(frame.joint.axis) / math.hypot(*frame.joint.axis)
    if frame.joint.type is JointType.PRISMATIC:
        return np.concatenate([np.zeros(3), a])[:, None]
    h = frame.joint.pitch / (2 * math.pi)
    return np.concatenate([a, np.cross(p, a) + h * a])[:, None]


def _ends(robot: Robot) -> list[Frame]:
    return [robot.frame(end) for loop in robot.loop_joints for end in (loop.parent, loop.child)]


def axis_triple(axis: Sequence[float]) -> tuple[Array, Array, Array]:
    """The unit axis and two unit vectors across it."""
    a = np.array(axis) / math.hypot(*axis)
    u = np.cross(a, np.eye(3)[int(np.argmin(np.abs(a)))])
    u /= np.linalg.norm(u)
    return a, u, np.cross(a, u)


def _rotation_vector(R: Array) -> Array:
    x, y, z, w = matrix_quaternion(R)
    s = math.hypot(x, y, z)
    return np.array([x, y, z]) * (2 * math.atan2(s, w) / s if s > 0 else 2.0)


def _rank(J: Array) -> int:
    values = np.linalg.svd(J, compute_uv=False) if J.size else np.zeros(0)
    return int(np.sum(values > RANK * max(1.0, values.max(initial=0.0))))


def _type(frame: Frame) -> JointType:
    return frame.joint.type if frame.joint else JointType.FIXED
