"""The pose of every frame for given joint positions: one configuration or a batch; couplings and relations hold.

The convention, everywhere: T_parent_child(q) = transform · motion(q), the axis in the child frame, with

    fixed      motion = I
    revolute   motion = R(axis, q)                                    q [rad]
    prismatic  motion = shift along axis by q                         q [m]
    screw      motion = R(axis, q), shift along axis by pitch·q/2π    q [rad]
    ball       motion = R(q)                                          q a quaternion x, y, z, w

So the four scalar types are one: R(axis, ω·q), shift by ν·q, with (ω, ν) from a table.

Relations among joints determine positions that are not given: each relation is solved for a joint without a given
position, the one that is named first in the relation. Positions that remain free are zero.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping
from typing import TYPE_CHECKING

import numpy as np
from msgspec import Struct

from swgrm.errors import ModelError, nearest
from swgrm.kinematics.joint_relations import Solution, relation_text, solve, with_leaders
from swgrm.model import Coupling, Frame, Joint, JointType, Relation, Robot
from swgrm.transforms import cross_matrix, homogeneous, pose_matrix, quaternion_matrix

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from swgrm.transforms import Array

    Positions = Mapping[str, ArrayLike]


class Poses(Struct, frozen=True):
    """T_world_frame of every frame, in the order of `ids`; `poses["tool0"]` is one frame's."""

    ids: Mapping[str, int]
    T: Array  # (..., frames, 4, 4)

    def __getitem__(self, frame_id: str) -> Array:
        if frame_id not in self.ids:
            raise ModelError(f"There is no frame `{frame_id}`.{nearest(frame_id, list(self.ids))}")
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
        self._relations = _relations(robot, self._couplings)
        self._related = _related(robot, self._couplings)
        self._solutions: dict[frozenset[str], Solution] = {}
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
        """Joints whose positions determine all others: they move, follow no other, and no relation is solved for them.

        A joint that a relation is solved for can be given instead of another one in that relation.
        """
        solved = self.solution().followers
        return tuple(name for name in self._columns if name not in self._couplings and name not in solved)

    @property
    def followers(self) -> dict[str, Relation]:
        """Every joint that others determine: position = offset + Σ coefficient · position of an independent joint."""
        found = dict(self.solution().followers)
        for name, coupling in self._couplings.items():
            leader = found.get(coupling.joint, Relation({coupling.joint: 1.0}))
            terms = {each: coupling.ratio * factor for each, factor in leader.terms.items()}
            found[name] = Relation(terms, coupling.ratio * leader.offset + coupling.offset)
        return found

    def poses(self, positions: Positions | None = None, of: Collection[str] | None = None) -> Poses:
        """The pose of every frame; joints that are not given are at zero or follow from couplings and relations.

        A position is a number (a quaternion for a ball), or an array of them along leading axes for a batch. Positions
        that contradict a relation are a ModelError. With `of`, only these frames and those that carry them have poses.
        """
        q, turns = self._read(positions or {})
        needed = np.ones(len(self.ids), bool) if of is None else self._carrying(of)
        place = np.cumsum(needed) - 1  # of a frame among those that are needed
        T = np.empty((*q.shape[:-1], int(needed.sum()), 4, 4))
        for level in filter(len, (each[needed[each]] for each in self._levels)):
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
            T[..., place[level], :, :] = local if parents[0] < 0 else T[..., place[parents], :, :] @ local
        return Poses({name: int(place[at]) for name, at in self.ids.items() if needed[at]}, T)

    def _carrying(self, frames: Iterable[str]) -> NDArray[np.bool_]:
        """Which frames are among some frames or carry one of them."""
        needed = np.zeros(len(self.ids), bool)
        for name in frames:
            at = self.ids[name]
            while at >= 0 and not needed[at]:
                needed[at], at = True, int(self._parents[at])
        return needed

    def positions(self, positions: Positions) -> dict[str, Array]:
        """The positions of all scalar joints, with those that follow from couplings and relations."""
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
        self._relate(q, scalars)
        for name, coupling in self._couplings.items():
            q[..., self._columns[name]] = coupling.ratio * q[..., self._columns[coupling.joint]] + coupling.offset
        return q, turns

    def _relate(self, q: Array, given: Mapping[str, Array]) -> None:
        """Set the joints that relations determine.  # q: (..., n)."""
        if not self._relations:
            return
        solution = self.solution(frozenset(given).intersection(self._related))
        for left in solution.conditions.values():
            self._must_hold(left, q)
        for name, solved in solution.followers.items():
            others = (c * q[..., self._columns[each]] for each, c in solved.terms.items())
            q[..., self._columns[name]] = sum(others, start=solved.offset)

    def solution(self, given: frozenset[str] = frozenset()) -> Solution:
        """The relations solved for joints that are not given; those that the relations name first are preferred."""
        if given not in self._solutions:
            self._solutions[given] = solve(self._relations, [name for name in self._related if name not in given])
        return self._solutions[given]

    def _must_hold(self, relation: Relation, q: Array) -> None:
        parts = [c * q[..., self._columns[name]] for name, c in relation.terms.items()]
        scale = abs(relation.offset) + sum(np.abs(part) for part in parts)
        if np.all(np.abs(sum(parts) - relation.offset) <= _AGREE * scale):
            return
        if not relation.terms:
            raise ModelError(f"The relations and couplings of robot `{self.robot.name}` contradict each other.")
        name = next(name for name in self._related if name in relation.terms)
        raise ModelError(f"The position of joint `{name}` contradicts a relation: {relation_text(relation)}.")

    def _must_be_settable(self, name: str) -> None:
        if name in self._couplings:
            raise ModelError(f"Joint `{name}` follows `{self._couplings[name].joint}`: set that one.")
        if name not in self._columns:
            hint = nearest(name, list(self.independent))
            raise ModelError(f"Robot `{self.robot.name}` has no moving joint `{name}`.{hint}")


def poses(robot: Robot, positions: Positions | None = None) -> Poses:
    """The pose of every frame, for one configuration or a batch: see `Kinematics.poses`."""
    return robot.mechanism.kinematics.poses(positions)


def resolved(robot: Robot, positions: Positions | None = None) -> dict[str, Array]:
    """The positions of all scalar joints: given ones, and those that follow from couplings and relations."""
    return robot.mechanism.kinematics.positions(positions or {})


def _related(robot: Robot, couplings: Mapping[str, Coupling]) -> list[str]:
    """The joints in relations, or their leaders, in the order in which they are named: edits of the tree keep it."""

    def leader(name: str) -> str:
        return leader(couplings[name].joint) if name in couplings else name

    return list(dict.fromkeys(leader(name) for relation in robot.relations for name in relation.terms))


def _relations(robot: Robot, couplings: Mapping[str, Coupling]) -> list[Relation]:
    """The relations in terms of joints that follow no other."""
    for relation in robot.relations:
        for name in relation.terms:
            if name not in robot.joints or _type(robot.joints[name]) not in _SCALAR:
                raise ModelError(f"A relation has the joint `{name}`, which has no position of one number.")
    return [with_leaders(relation, couplings) for relation in robot.relations]


def _coupling_order(robot: Robot) -> dict[str, Coupling]:
    """The couplings by their followers, leaders before followers."""
    follows = {
        name: frame.joint.coupling
        for name, frame in robot.joints.items()
        if frame.joint and frame.joint.coupling and not frame.is_rigid
    }
    ordered: dict[str, Coupling] = {}
    for name in follows:
        chain: list[str] = []
        while name in follows and name not in ordered:
            if name in chain:
                raise ModelError(f"Joint `{name}` follows itself, through {' → '.join([*chain, name])}.")
            chain.append(name)
            name = follows[name].joint
        ordered.update((each, follows[each]) for each in reversed(chain))
    for name, follow in ordered.items():
        for each in (name, follow.joint):
            if each not in robot.joints or _type(robot.joints[each]) not in _SCALAR:
                raise ModelError(
                    f"Joint `{name}` cannot follow `{follow.joint}`: `{each}` has no position of one number."
                )
    return ordered


_AGREE = 1e-9  # relative to the largest term: how far given positions may be from a relation
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
