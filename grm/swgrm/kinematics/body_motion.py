"""Pairs of a robot's bodies: which of them a joint connects, and their poses as joints move through their ranges."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from functools import cached_property
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from swgrm.kinematics.joint_ranges import joint_span
from swgrm.model import Joint, JointType, Robot
from swgrm.transforms import axis_angle_matrix, homogeneous, quaternion_matrix

if TYPE_CHECKING:
    from swgrm.transforms import Array

POSITIONS = 12  # of a joint through its range
STILL = 1e-9  # [rad or m] a joint that moves by less, per unit of another one, does not follow it
BALL = math.radians(15)  # the tilt of a ball joint that is looked at
Pair = tuple[str, str]  # two bodies, in the order of the frames


class PlacedPair(NamedTuple):
    """Two bodies and a pose of the second relative to the first."""

    pair: Pair
    T: Array  # T_first_second
    is_certain: bool = True  # whether the joint goes there; a prismatic joint without limits has to end somewhere


class BodyMotion:
    """How the bodies of a robot move."""

    def __init__(self, robot: Robot) -> None:
        self.robot, self.kinematics = robot, robot.mechanism.kinematics
        self._bodies = robot.mechanism.bodies
        self.bodies, self.body_of = self._bodies.names, self._bodies.body_of
        self.order = {name: number for number, name in enumerate(self.bodies)}
        self.assembled = robot.mechanism.assembled

    def pair(self, one: str, other: str) -> Pair:
        """The pair of two bodies in its order."""
        return (one, other) if self.order[one] < self.order[other] else (other, one)

    def in_body(self, frame: str) -> Array:
        """The pose of a frame in its body."""
        return self._bodies.pose_in_body(frame).matrix

    def relative(self, pair: Pair) -> Array:
        """T_first_second as assembled."""
        return _relative(self.assembled[pair[0]], self.assembled[pair[1]])

    @cached_property
    def neighbours(self) -> frozenset[Pair]:
        """The pairs that a joint connects: one of the tree, one that closes a loop, or one that follows another.

        Bodies without a link, between the joints of a cylindrical pair for example, are passed.
        """
        full = {self.body_of[frame.id] for frame, _ in self.robot.links()}
        found = set()
        for body in full:
            above = self._bodies.above(body)
            while above is not None and above not in full:
                above = self._bodies.above(above)
            if above is not None:
                found.add(self.pair(above, body))
        return frozenset(pair for pair in found | self.coupled | self.looped if pair[0] != pair[1])

    @cached_property
    def looped(self) -> set[Pair]:
        """The pairs at joints that close loops."""
        return {self.pair(self.body_of[loop.parent], self.body_of[loop.child]) for loop in self.robot.loop_joints}

    @cached_property
    def coupled(self) -> set[Pair]:
        """The pairs whose joints follow each other, as a rack and its pinion."""
        joints = self.robot.joints
        groups = [
            {name, frame.joint.coupling.joint} for name, frame in joints.items() if frame.joint and frame.joint.coupling
        ]
        groups += [set(relation.terms) for relation in self.robot.relations]
        pairs = (combinations(sorted(group & joints.keys()), 2) for group in groups)
        bodies = {name: self.body_of[frame.id] for name, frame in joints.items()}
        return {self.pair(bodies[a], bodies[b]) for each in pairs for a, b in each}

    def moved(self) -> Iterator[PlacedPair]:
        """Yields the neighbours at positions of the joints between them; couplings and relations hold.

        Each independent joint moves alone. The two bodies at a joint that closes a loop move about that joint.
        """
        at_rest = self.kinematics.positions({})
        pairs = {pair: self._between(pair) for pair in sorted(self.neighbours - self.looped)}
        for name in self.kinematics.independent:
            frame = self.robot.joints[name]
            joint = frame.joint
            if joint is None:
                continue
            moving = {name} | (self._followers(name, at_rest) if joint.type is not JointType.BALL else set())
            touched = [pair for pair, between in pairs.items() if between & moving]
            if len(moving) == 1:
                for pair in touched:
                    yield from self._about(joint, frame.id, pair)
            elif touched:
                poses = self.kinematics.poses({name: positions(joint)})
                for pair in touched:
                    for T in np.linalg.solve(poses[pair[0]], poses[pair[1]]):
                        yield PlacedPair(pair, T, _has_range(joint))
        for loop in self.robot.loop_joints:
            pair = self.pair(self.body_of[loop.parent], self.body_of[loop.child])
            yield from self._about(loop.joint, loop.child, pair)

    def _between(self, pair: Pair) -> frozenset[str]:
        """The names of the joints on the path between two bodies."""
        paths: list[set[str]] = []
        for body in pair:
            above: str | None = body
            paths.append(set())
            while above is not None:
                paths[-1].add(self.robot.frame(above).joint_name)
                above = self._bodies.above(above)
        return frozenset(paths[0] ^ paths[1])

    def _followers(self, name: str, at_rest: Mapping[str, Array]) -> set[str]:
        """The joints that move with a joint."""
        moved = self.kinematics.positions({name: 1.0})
        return {each for each, q in moved.items() if abs(float(q) - float(at_rest[each])) > STILL}

    def _about(self, joint: Joint, frame: str, pair: Pair) -> Iterator[PlacedPair]:
        """Yields a pair as the body that carries a frame moves about a joint in that frame."""
        T_frame = np.linalg.solve(self.assembled[pair[0]], self.assembled[frame])
        side = 1.0 if self.body_of[frame] != pair[0] else -1.0
        for q in positions(joint):
            T = T_frame @ _motion(joint, side * q) @ np.linalg.solve(T_frame, self.relative(pair))
            yield PlacedPair(pair, T, _has_range(joint))


def _relative(one: Array, other: Array) -> Array:
    return np.asarray(np.linalg.inv(one) @ other, float)


def positions(joint: Joint) -> Array:
    """Positions of a joint through its range; of a ball, quaternions."""
    if joint.type is JointType.BALL:
        tilts = np.concatenate([np.eye(3), -np.eye(3)]) * math.sin(BALL / 2)
        return np.column_stack([tilts, np.full(len(tilts), math.cos(BALL / 2))])
    span = joint_span(joint)
    return np.linspace(span.low, span.high, POSITIONS)


def _has_range(joint: Joint) -> bool:
    return joint.type is not JointType.PRISMATIC or None not in (joint.limits.lower, joint.limits.upper)


def _motion(joint: Joint, q: float | Array) -> Array:
    """The motion of a joint in its own frame; balls turn by a quaternion."""
    if joint.type is JointType.BALL:
        return homogeneous(quaternion_matrix(np.asarray(q)), np.zeros(3))
    if joint.type is JointType.PRISMATIC:
        return homogeneous(np.eye(3), np.asarray(joint.axis) * q)
    return homogeneous(axis_angle_matrix(joint.axis, float(q)), np.zeros(3))
