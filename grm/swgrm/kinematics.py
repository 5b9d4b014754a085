"""Where every frame is for given joint positions: one configuration or a batch, all joint types, couplings included.

The convention, everywhere: T_parent_child(q) = transform · motion(q), the axis in the child frame, with

    fixed      motion = I
    revolute   motion = R(axis, q)                                    q [rad]
    prismatic  motion = shift along axis by q                         q [m]
    screw      motion = R(axis, q), shift along axis by pitch·q/2π    q [rad]
    ball       motion = R(q)                                          q a quaternion x, y, z, w

So the four scalar types are one: R(axis, ω·q), shift by ν·q, with (ω, ν) from a table.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from swgrm.errors import ModelError, nearest
from swgrm.model import Frame, Joint, JointType, Robot
from swgrm.transforms import cross_matrix, homogeneous, pose_matrix, quaternion_matrix

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    Array = NDArray[np.float64]
    Positions = Mapping[str, ArrayLike]


@dataclass(frozen=True)
class Poses:
    """T_world_frame of every frame, in the order of `ids`; `poses["tool0"]` is one frame's."""

    ids: Mapping[str, int]
    T: Array  # (..., frames, 4, 4)

    def __getitem__(self, frame_id: str) -> Array:
        return self.T[..., self.ids[frame_id], :, :]


class Kinematics:
    """A robot made ready for computing poses: compile once, call often."""

    def __init__(self, robot: Robot) -> None:
        frames = list(robot.walk())
        self.robot = robot
        self.ids: Mapping[str, int] = {frame.id: index for index, frame in enumerate(frames)}
        self._parents = np.array([self.ids.get(frame.parent or "", -1) for frame in frames])
        self._levels = _levels(self._parents)
        self._columns = {frame.joint_name: index for index, frame in enumerate(frames) if not frame.is_rigid}
        self._couplings = _coupling_order(robot)
        self._is_ball = np.array([_type(frame) is JointType.BALL for frame in frames])
        rates = np.array([_rates(frame.joint) for frame in frames])  # (n, 2): ω, ν
        self._angular, self._linear = rates.T
        # Rodrigues with the constants multiplied out: T_parent_frame(q) = A + sin(ω q) B + (1 − cos(ω q)) C + ν q D.
        self._A = pose_matrix([f.transform.pos for f in frames], [f.transform.rot for f in frames])
        axes = np.array([_axis(frame) for frame in frames])
        K = np.zeros_like(self._A)
        K[:, :3, :3] = cross_matrix(axes)
        D = np.zeros_like(self._A)
        D[:, :3, 3] = axes
        self._B, self._C, self._D = self._A @ K, self._A @ K @ K, self._A @ D

    @property
    def independent(self) -> tuple[str, ...]:
        """The joints that can be set: those that move and follow no other."""
        return tuple(name for name in self._columns if name not in self._couplings)

    def poses(self, positions: Positions | None = None) -> Poses:
        """The pose of every frame; joints that are not named are at zero.

        A position is a number (a quaternion for a ball), or an array of them along leading axes for a batch.
        """
        q, turns = self._read(positions or {})
        batch = q.shape[:-1]
        T = np.empty((*batch, len(self.ids), 4, 4))
        for level in self._levels:
            angle = (self._angular[level] * q[..., level])[..., None, None]
            slide = (self._linear[level] * q[..., level])[..., None, None]
            local = self._A[level] + np.sin(angle) * self._B[level]
            local += (1 - np.cos(angle)) * self._C[level] + slide * self._D[level]
            for column in level[self._is_ball[level]]:
                if (turn := turns.get(int(column))) is not None:
                    local[..., np.searchsorted(level, column), :, :] @= homogeneous(
                        quaternion_matrix(turn), np.zeros(3)
                    )
            parents = self._parents[level]
            T[..., level, :, :] = local if parents[0] < 0 else T[..., parents, :, :] @ local
        return Poses(self.ids, T)

    def positions(self, positions: Positions) -> dict[str, Array]:
        """The positions of all scalar joints, the coupled ones included."""
        q, _ = self._read(positions)
        return {name: q[..., column] for name, column in self._columns.items() if not self._is_ball[column]}

    def _read(self, positions: Positions) -> tuple[Array, dict[int, Array]]:
        """The scalar positions over all frames, and the balls' quaternions by frame.  # (..., n), {n: (..., 4)}."""
        scalars: dict[str, Array] = {}
        turns: dict[int, Array] = {}
        for name, value in positions.items():
            self._must_be_settable(name)
            given = np.asarray(value, float)
            if self._is_ball[self._columns[name]]:
                if given.shape[-1:] != (4,):
                    raise ModelError(f"Joint `{name}` is a ball: its position is a quaternion x, y, z, w.")
                turns[self._columns[name]] = given
            else:
                scalars[name] = given
        shapes = [value.shape for value in scalars.values()] + [turn.shape[:-1] for turn in turns.values()]
        q = np.zeros((*np.broadcast_shapes(*shapes), len(self.ids)))
        for name, value in scalars.items():
            q[..., self._columns[name]] = value
        for name, (leader, ratio, offset) in self._couplings.items():
            q[..., self._columns[name]] = ratio * q[..., self._columns[leader]] + offset
        return q, turns

    def _must_be_settable(self, name: str) -> None:
        if name in self._couplings:
            raise ModelError(f"Joint `{name}` follows `{self._couplings[name].leader}`: set that one.")
        if name not in self._columns:
            hint = nearest(name, list(self.independent))
            raise ModelError(f"Robot `{self.robot.name}` has no moving joint `{name}`.{hint}")


def poses(robot: Robot, positions: Positions | None = None) -> Poses:
    """The pose of every frame, for one configuration or a batch: see `Kinematics.poses`."""
    return Kinematics(robot).poses(positions)


class _Follow(NamedTuple):
    leader: str
    ratio: float
    offset: float


def _coupling_order(robot: Robot) -> dict[str, _Follow]:
    """The coupled joints, leaders before followers."""
    follows = {
        name: _Follow(frame.joint.coupling.joint, frame.joint.coupling.ratio, frame.joint.coupling.offset)
        for name, frame in robot.joints.items()
        if frame.joint and frame.joint.coupling and not frame.is_rigid
    }
    ordered: dict[str, _Follow] = {}
    for name in follows:
        chain: list[str] = []
        while name in follows and name not in ordered:
            if name in chain:
                raise ModelError(f"Joint `{name}` follows itself, through {' → '.join([*chain, name])}.")
            chain.append(name)
            name = follows[name].leader
        ordered.update((each, follows[each]) for each in reversed(chain))
    for name, follow in ordered.items():
        for each in (name, follow.leader):
            if each not in robot.joints or _type(robot.joints[each]) not in _SCALAR:
                raise ModelError(
                    f"Joint `{name}` cannot follow `{follow.leader}`: `{each}` has no position of one number."
                )
    return ordered


_SCALAR = (JointType.REVOLUTE, JointType.PRISMATIC, JointType.SCREW)


def _type(frame: Frame) -> JointType:
    return frame.joint.type if frame.joint else JointType.FIXED


def _rates(joint: Joint | None) -> tuple[float, float]:
    """(ω, ν): how fast the joint turns about, and slides along, its axis."""
    kind = joint.type if joint else JointType.FIXED
    pitch = joint.pitch / (2 * math.pi) if joint else 0.0
    return {
        JointType.REVOLUTE: (1.0, 0.0),
        JointType.PRISMATIC: (0.0, 1.0),
        JointType.SCREW: (1.0, pitch),
    }.get(kind, (0.0, 0.0))


def _axis(frame: Frame) -> tuple[float, float, float]:
    if _type(frame) not in _SCALAR or frame.joint is None:
        return (0.0, 0.0, 0.0)
    x, y, z = frame.joint.axis
    length = math.hypot(x, y, z)
    if not length > 0 or not math.isfinite(length):
        raise ModelError(f"Joint `{frame.joint_name}` has the axis ({x}, {y}, {z}), which has no direction.")
    return (x / length, y / length, z / length)


def _levels(parents: NDArray[np.int_]) -> list[NDArray[np.int_]]:
    """The frames by their depth: each level needs only the one before."""
    depth = np.zeros(len(parents), int)
    for index, parent in enumerate(parents):
        if parent >= 0:
            depth[index] = depth[parent] + 1
    order = np.argsort(depth, kind="stable")
    return np.split(order, np.flatnonzero(np.diff(depth[order])) + 1)
