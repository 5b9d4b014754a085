"""Closed loops of a robot: closed configurations, the loops' Jacobian, and the mobility.

A twist is (ω, v at the world's origin). With S_i the twist of the tree's joint i and q the
independent joints, the motion between the two sides of a loop joint is

    J_loop q̇ = J_child q̇ − J_parent q̇,   J_side = Σ S_i ∂q_i/∂q over the joints that carry the side.

A loop joint forbids some components F of it, in its own axes: a closed loop stays closed where
F J_loop q̇ = 0. The gap is the same components of the displacement between the two sides, and F J_loop
is its derivative where the loop is closed (R. Featherstone, "Rigid Body Dynamics Algorithms", 2008,
chapter 8). All equations take one configuration, or a batch of them along leading axes.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from swgrm.model import Frame, Joint, JointType, LoopJoint, Robot
from swgrm.ties import first_smallest
from swgrm.transforms import (
    axis_angle_matrix,
    cross_matrix,
    inverse,
    matrix_quaternions,
    quaternion_matrix,
    rotation_vectors,
)

if TYPE_CHECKING:
    from swgrm.kinematics.forward import Poses
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
        self.kinematics = robot.mechanism.kinematics
        self._balls = {name for name, frame in robot.joints.items() if _type(frame) is JointType.BALL}
        self.columns: dict[str, slice] = {}
        self.size = 0
        for name in self.kinematics.independent:
            width = 3 if name in self._balls else 1
            self.columns[name] = slice(self.size, self.size + width)
            self.size += width
        self._followers = self.kinematics.followers
        self._paths = {side: robot.path(side) for loop in robot.loop_joints for side in (loop.parent, loop.child)}

    # ---- joints

    def terms(self, frame: Frame) -> Mapping[str, float]:
        """∂q_i/∂q of a frame's joint i: the independent joints that it follows; itself if it follows none."""
        name = frame.joint_name
        return self._followers[name].terms if name in self._followers else {name: 1.0}

    @cached_property
    def joints(self) -> tuple[str, ...]:
        """The independent joints that loops restrict."""
        restricted: set[str] = set()
        for path in self._paths.values():
            for frame in path:
                if not frame.is_rigid:
                    restricted.update(self.terms(frame))
        return tuple(name for name in self.columns if name in restricted)

    # ---- configurations

    def start(self) -> dict[str, Array]:
        """The assembled pose: every independent joint at zero."""
        return {name: np.array([0.0, 0.0, 0.0, 1.0]) if name in self._balls else np.array(0.0) for name in self.columns}

    def moved(self, q: Mapping[str, Array], step: Array) -> dict[str, Array]:
        """The configurations after a step; a ball joint turns about axes that move with it.  # step: (..., n)."""
        moved: dict[str, Array] = {}
        for name, columns in self.columns.items():
            if name in self._balls:
                turn = step[..., columns]
                angle = np.linalg.norm(turn, axis=-1, keepdims=True)
                # A joint that does not turn has no axis. Any axis of length zero gives R = I.
                axis = np.divide(turn, angle, out=np.zeros_like(turn), where=angle > 0)
                R = axis_angle_matrix(axis, angle[..., 0])
                moved[name] = matrix_quaternions(quaternion_matrix(q[name]) @ R)
            else:
                moved[name] = np.asarray(q[name] + step[..., columns.start])
        return moved

    def closed(self, q: Mapping[str, Array]) -> dict[str, Array] | None:
        """The nearest closed configuration by Newton's method; None if none is found."""
        configuration = dict(q)
        for _ in range(STEPS):
            poses = self.kinematics.poses(configuration)
            gap = self.gaps(poses)
            if float(np.abs(gap).max(initial=0.0)) < TIGHT:
                return configuration
            # Loops have redundant equations, so that J has no inverse: the least step is taken.
            step = np.asarray(-np.linalg.lstsq(self.jacobian(poses), gap, rcond=RANK)[0], float)
            # Far from a solution J is not that of the way there. A short step leads to the nearest one.
            longest = float(np.abs(step).max(initial=0.0))
            if longest > 0:
                step *= min(1.0, 0.5 / longest)
            configuration = self.moved(configuration, step)
        return None

    def samples(self) -> list[Poses]:
        """Poses at closed configurations: about the assembled one, and some steps away from it."""
        random = np.random.default_rng(SEED)
        scale = np.ones(self.size)
        for name, columns in self.columns.items():
            if _type(self.robot.joints[name]) is JointType.PRISMATIC:
                scale[columns] = 0.1
        samples: list[Poses] = []
        for number in range(POSES + 1):
            shift = SHIFT * scale * random.normal(size=self.size) * (1.0 if number else 1e-3)
            closed = self.closed(self.moved(self.start(), shift))
            if closed is not None:
                samples.append(self.kinematics.poses(closed))
        return samples

    # ---- equations

    def gaps(self, poses: Poses) -> Array:
        """What is missing to close each loop, one after the other [m and rad].  # (..., rows)."""
        none = np.zeros((*poses.T.shape[:-3], 0))
        return np.concatenate([none, *(loop_gap(loop, poses) for loop in self.robot.loop_joints)], axis=-1)

    def jacobian(self, poses: Poses, kinds: Mapping[int, JointType] | None = None) -> Array:
        """F J_loop of all loops; `kinds` replaces types of loop joints, by index.  # (..., rows, n)."""
        rows = [np.zeros((*poses.T.shape[:-3], 0, self.size))]
        for index, loop in enumerate(self.robot.loop_joints):
            kind = (kinds or {}).get(index, loop.joint.type)
            rows.append(forbidden(loop, kind, poses) @ self._between(loop, poses))
        return np.concatenate(rows, axis=-2)

    def _between(self, loop: LoopJoint, poses: Poses) -> Array:
        """J_loop: the twist of the child relative to the parent.  # (..., 6, n)."""
        J = np.zeros((*poses.T.shape[:-3], 6, self.size))
        for side, sign in ((loop.child, 1.0), (loop.parent, -1.0)):
            for frame in self._paths[side]:
                if frame.joint is None or frame.is_rigid:
                    continue
                twists = sign * joint_twists(frame.joint, poses[frame.id])
                for name, factor in self.terms(frame).items():
                    J[..., self.columns[name]] += factor * twists
        return J

    # ---- results

    def rank(self, poses: Sequence[Poses], kinds: Mapping[int, JointType] | None = None) -> int:
        """The largest rank of the loops' Jacobian at some poses."""
        return max((_rank(self.jacobian(sample, kinds)) for sample in poses), default=0)

    def mobility(self) -> int:
        """The degrees of freedom that the loops leave."""
        return self.size - self.rank(self.samples())


def between_sides(loop: LoopJoint, poses: Poses) -> Array:
    """The pose of a loop joint's child in its parent's side: the motion of the joint.  # (..., 4, 4)."""
    return inverse(poses[loop.parent] @ loop.transform.matrix) @ poses[loop.child]


def loop_gap(loop: LoopJoint, poses: Poses) -> Array:
    """What is missing to close a loop, in the axes of its joint [m and rad]; as many numbers as `forbidden`."""
    T = between_sides(loop, poses)
    R, p = T[..., :3, :3], T[..., :3, 3]
    kind = loop.joint.type
    if kind is JointType.BALL:
        return np.asarray(p)
    if kind is JointType.FIXED:
        return np.concatenate([rotation_vectors(R), p], axis=-1)
    a, u, v = axis_triple(loop.joint.axis)
    across = np.stack([u, v], axis=1)
    if kind is JointType.PRISMATIC:
        return np.concatenate([rotation_vectors(R), p @ across], axis=-1)
    along = np.asarray(p @ a)
    if kind is JointType.SCREW:
        along = along - lead(loop.joint) * (rotation_vectors(R) @ a)
    tilt = np.cross(a, R @ a)
    return np.concatenate([tilt @ across, p @ across, along[..., None]], axis=-1)


def forbidden(loop: LoopJoint, kind: JointType, poses: Poses) -> Array:
    """F: the components of a twist that a loop joint of that kind forbids, in its axes.  # (..., rows, 6)."""
    T = poses[loop.parent] @ loop.transform.matrix
    Rt, p = np.swapaxes(T[..., :3, :3], -1, -2), poses[loop.child][..., :3, 3]
    turn = np.concatenate([Rt, np.zeros_like(Rt)], axis=-1)
    # The velocity of the child's origin: v + ω × p = v − [p]× ω.
    shift = np.concatenate([-Rt @ cross_matrix(p), Rt], axis=-1)
    if kind is JointType.BALL:
        return np.asarray(shift)
    if kind is JointType.FIXED:
        return np.concatenate([turn, shift], axis=-2)
    a, u, v = axis_triple(loop.joint.axis)
    across = np.stack([u, v])
    if kind is JointType.PRISMATIC:
        return np.concatenate([turn, across @ shift], axis=-2)
    along = a[None] @ shift
    if kind is JointType.SCREW:
        along = along - lead(loop.joint) * (a[None] @ turn)
    return np.concatenate([across @ turn, across @ shift, along], axis=-2)


def joint_twists(joint: Joint, T: Array) -> Array:
    """S: the twists of a joint that moves, one per degree of freedom, at its pose T.  # (..., 6, 1 or 3)."""
    R, p = T[..., :3, :3], T[..., :3, 3]
    if joint.type is JointType.BALL:
        return np.concatenate([R, cross_matrix(p) @ R], axis=-2)
    a = R @ (np.array(joint.axis) / math.hypot(*joint.axis))
    if joint.type is JointType.PRISMATIC:
        return np.concatenate([np.zeros_like(a), a], axis=-1)[..., None]
    return np.concatenate([a, np.cross(p, a) + lead(joint) * a], axis=-1)[..., None]


def lead(joint: Joint) -> float:
    """How far a joint advances along its axis as it turns [m/rad]; only screws do, others may have a pitch too."""
    return joint.pitch / (2 * math.pi) if joint.type is JointType.SCREW else 0.0


def axis_triple(axis: Sequence[float]) -> tuple[Array, Array, Array]:
    """The unit axis and two unit vectors across it."""
    a = np.array(axis) / math.hypot(*axis)
    u = np.cross(a, np.eye(3)[first_smallest(np.abs(a))])
    u /= np.linalg.norm(u)
    return a, u, np.cross(a, u)


def _rank(J: Array) -> int:
    values = np.linalg.svd(J, compute_uv=False) if J.size else np.zeros(0)
    return int(np.sum(values > RANK * max(1.0, values.max(initial=0.0))))


def _type(frame: Frame) -> JointType:
    return frame.joint.type if frame.joint else JointType.FIXED
