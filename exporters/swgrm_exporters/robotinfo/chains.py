"""Chains as products of exponentials: a robot's moving tips, and H, P and inertias from the base to each.

All frames are parallel to the base at q = 0; with O_i the origin of joint i and h_i its axis, both at q = 0 and in
the base's axes,

    T_base_flange(q) = [Π_i  shift(P_i) · motion(h_i, q_i)] · shift(P_n) · R_flange,   P_i = O_{i+1} − O_i,

where a motion is a rotation about h_i or a shift along it. Rigid frames fold into the P.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import NamedTuple

from swgrm.errors import ModelError, nearest
from swgrm.kinematics.pose_math import compose, invert
from swgrm.mass.inertia import combine, moved
from swgrm.model import Frame, Inertial, Pose, Quat, Robot, Vec3
from swgrm.ties import first_largest

FLANGE_NAMES = ("tool0", "flange", "tcp")
ARM_JOINTS = 3  # a chain with fewer joints of its own is a finger, not an arm


class BodyPiece(NamedTuple):
    """A frame of a body, and where it is in the body's first frame."""

    frame: Frame
    T_head_frame: Pose


class MovingBody(NamedTuple):
    """What moves as one: a frame that moves in its parent (or the root), and all that is rigid with it."""

    head: Frame
    pieces: tuple[BodyPiece, ...]

    @property
    def name(self) -> str:
        """The name of its main link, which is the heaviest, else of its frame."""
        links = [link for piece in self.pieces for link in piece.frame.links]
        if not links:
            return self.head.name or self.head.id
        masses = [link.inertial.mass if link.inertial else 0.0 for link in links]
        return links[first_largest(masses)].name  # of two equal ones the first

    def inertial(self, T: Pose) -> Inertial | None:
        """Mass, centre and tensor of all its links, its first frame standing at T."""
        parts = [
            (link.inertial, compose(T, piece.T_head_frame))
            for piece in self.pieces
            for link in piece.frame.links
            if link.inertial is not None
        ]
        seen = [inertial if pose == Pose() else moved(inertial, pose.matrix) for inertial, pose in parts]
        return combine(seen) if seen else None


class ExponentialChain(NamedTuple):
    """The way from a base to a flange, as a product of exponentials."""

    base: Frame
    flange: Frame
    joints: tuple[Frame, ...]
    H: tuple[Vec3, ...]  # n unit axes
    P: tuple[Vec3, ...]  # n + 1 steps [m]
    flange_rotation: Quat  # R_base_flange at q = 0
    bodies: tuple[MovingBody, ...]  # n + 1, the base's first
    inertials: tuple[Inertial | None, ...]  # n + 1, each about its joint's origin, in the base's axes


class MovingBodies:
    """A robot's bodies with their frames and links, and the chains through them."""

    def __init__(self, robot: Robot) -> None:
        self.robot, self._bodies = robot, robot.mechanism.bodies
        self.head_of = self._bodies.body_of
        self.by_head: dict[str, MovingBody] = {}
        for head in self._bodies.names:
            pieces = []
            for frame_id in self._bodies.frames(head):
                pieces.append(BodyPiece(robot.by_id[frame_id], self._bodies.pose_in_body(frame_id)))
            self.by_head[head] = MovingBody(robot.by_id[head], tuple(pieces))

    @cached_property
    def tips(self) -> tuple[MovingBody, ...]:
        """The moving bodies that carry no other moving body."""
        bodies = self._bodies
        return tuple(self.by_head[name] for name in bodies.names if name != bodies.base and not bodies.carried_by(name))

    def of(self, frame: Frame) -> MovingBody:
        """The body that a frame belongs to."""
        return self.by_head[self.head_of[frame.id]]

    def pose_in_body(self, frame: Frame) -> Pose:
        """Where a frame is in its body's first frame."""
        return self._bodies.pose_in_body(frame.id)

    def chain(self, base: Frame, flange: Frame) -> ExponentialChain:
        """The chain from a frame to one below it."""
        path = self.robot.path(flange.id)
        if base not in path:
            raise ModelError(f"There is no chain from `{base.id}` to `{flange.id}`: the tip is not below the root.")
        below = path[path.index(base) + 1 :]
        joints = tuple(frame for frame in below if not frame.is_rigid)
        if not joints:
            raise ModelError(f"The chain from `{base.id}` to `{flange.id}` has no joint that moves.")
        steps = list(_steps(below))
        turns = [Pose(rot=step.rot) for step in steps]
        T_base_head = invert(self.pose_in_body(base)) if self.pose_in_body(base) != Pose() else Pose()
        bodies = (self.of(base), *(self.of(joint) for joint in joints))
        return ExponentialChain(
            base,
            flange,
            joints,
            H=tuple(_turned_axis(turn, joint) for turn, joint in zip(turns, joints, strict=False)),
            P=tuple(step.pos for step in steps),
            flange_rotation=steps[-1].rot,
            bodies=bodies,
            inertials=tuple(b.inertial(T) for b, T in zip(bodies, [T_base_head, *turns], strict=False)),
        )


def _steps(below: tuple[Frame, ...]) -> Iterator[Pose]:
    """For each joint, then the flange: the step from the last origin in the base's axes, and the rotation so far."""
    turn, rigid = Pose(), list[Pose]()
    for frame in below:
        rigid.append(frame.transform)
        if not frame.is_rigid:
            step = compose(turn, *rigid)
            yield step
            turn, rigid = Pose(rot=step.rot), []
    yield compose(turn, *rigid)


def _turned_axis(turn: Pose, frame: Frame) -> Vec3:
    """The axis in the base: h = R_base_joint · axis, of length 1."""
    x, y, z = frame.joint.axis if frame.joint else (0.0, 0.0, 0.0)
    length = math.hypot(x, y, z)
    if not length > 0 or not math.isfinite(length):
        raise ModelError(f"Joint `{frame.joint_name}` has the axis ({x}, {y}, {z}), which has no direction.")
    return compose(turn, Pose(pos=(x / length, y / length, z / length))).pos


def find_frame(robot: Robot, name: str) -> Frame:
    """The frame of that id or name, else the frame of the link of that name."""
    if name in robot.by_id:
        return robot.by_id[name]
    found = [frame for frame in robot.frames if frame.name == name]
    found += [frame for frame, link in robot.links() if link.name == name]
    if not found:
        known = [*robot.by_id, *(link.name for _, link in robot.links())]
        raise ModelError(f"Robot `{robot.name}` has no frame or link `{name}`.{nearest(name, known)}")
    return found[0]


def flange_of(body: MovingBody) -> Frame:
    """The frame named tool0, flange or tcp on a body, else the body's own."""
    return next(named_flanges(body), body.head)


def named_flanges(body: MovingBody) -> Iterator[Frame]:
    """The frames on a body that are called tool0, flange or tcp, in this order, also below the name of a component."""
    names = [
        (piece.frame, {text.lower().rpartition("/")[2] for text in (piece.frame.id, piece.frame.name)})
        for piece in body.pieces
    ]
    return (frame for wanted in FLANGE_NAMES for frame, own in names if wanted in own)


def driven_joints(frames: Iterable[Frame]) -> set[str]:
    """The ids of frames that move by a joint of their own: one that follows no other."""
    return {frame.id for frame in frames if not frame.is_rigid and frame.joint and frame.joint.coupling is None}


def arm_flange(bodies: MovingBodies, tips: Iterable[Frame]) -> Frame | None:
    """The flange of an arm that carries a gripper: where its fingers begin; None if the robot is not of that kind.

    It is a frame that is called tool0, flange or tcp below which the tips are, else the last body that all tips share.
    Up to there an arm has at least ARM_JOINTS driven joints, and each finger fewer of its own.
    """
    paths = [bodies.robot.path(tip.id) for tip in tips]
    if len(paths) < 2:
        return None
    shared = [frame for frame, *others in zip(*paths, strict=False) if all(frame is each for each in others)]
    own = [driven_joints(path[len(shared) :]) for path in paths]
    if len(driven_joints(shared)) < ARM_JOINTS or max(map(len, own)) >= ARM_JOINTS:
        return None
    last = next(frame for frame in reversed(shared) if not frame.is_rigid)
    carriers = [bodies.of(frame) for frame in reversed(shared) if not frame.is_rigid]
    marked = (frame for body in carriers for frame in named_flanges(body))
    return next(marked, None) or bodies.of(last).head
