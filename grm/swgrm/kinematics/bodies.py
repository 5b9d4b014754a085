"""Which frames of a robot move as one, and where each of them is in its body.

A body is the frames that are rigid to each other. Its head is the frame that moves it, or the root;
the body is named by it. The pose of a frame in its body is a constant,

    T_head_frame = Π T_parent_child   over the frames from the head, which is not included, to the frame.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property

from swgrm.kinematics.pose_math import compose
from swgrm.model import Frame, Pose, Robot


class Bodies:
    """The bodies of a robot, each named by its head; a tree, as its frames are."""

    def __init__(self, robot: Robot) -> None:
        self.robot = robot
        self.body_of = carriers(robot, lambda frame: not frame.is_rigid)  # by frame
        members: dict[str, list[str]] = {}
        for frame_id, body in self.body_of.items():
            members.setdefault(body, []).append(frame_id)
        self._frames = {body: tuple(frame_ids) for body, frame_ids in members.items()}
        self.names = tuple(self._frames)  # a body is after the one that carries it

    @property
    def base(self) -> str:
        """The body of the root, which no joint of the robot moves."""
        return self.names[0]

    def frames(self, body: str) -> tuple[str, ...]:
        """The frames of a body, its head first, parents before children."""
        return self._frames[body]

    def frames_with(self, frame_id: str) -> tuple[str, ...]:
        """The frames of the body that a frame belongs to."""
        return self._frames[self.body_of[frame_id]]

    def above(self, body: str) -> str | None:
        """The body that carries the joint of a body; None for the base."""
        parent = self.robot.by_id[body].parent
        return None if parent is None else self.body_of[parent]

    def carried_by(self, body: str) -> tuple[str, ...]:
        """The bodies whose joints a body carries."""
        return self._carried.get(body, ())

    @cached_property
    def _carried(self) -> Mapping[str, tuple[str, ...]]:
        carried: dict[str, list[str]] = {}
        for body in self.names:
            above = self.above(body)
            if above is not None:
                carried.setdefault(above, []).append(body)
        return {above: tuple(bodies) for above, bodies in carried.items()}

    def pose_in_body(self, frame_id: str) -> Pose:
        """T_head_frame."""
        return self._poses[frame_id]

    @cached_property
    def _poses(self) -> Mapping[str, Pose]:
        return poses_in_carriers(self.robot, self.body_of)


def carriers(robot: Robot, is_carrier: Callable[[Frame], bool]) -> dict[str, str]:
    """By frame, parents first: the nearest frame at or above it that is a carrier. The root is one."""
    carrier_of: dict[str, str] = {}
    for frame in robot.walk():
        is_own = frame.parent is None or is_carrier(frame)
        carrier_of[frame.id] = frame.id if is_own else carrier_of[frame.parent or ""]
    return carrier_of


def poses_in_carriers(robot: Robot, carrier_of: Mapping[str, str]) -> dict[str, Pose]:
    """T_carrier_frame of every frame, with the joints between them at zero."""
    poses: dict[str, Pose] = {}
    for frame in robot.walk():
        is_carrier = carrier_of[frame.id] == frame.id
        poses[frame.id] = Pose() if is_carrier else compose(poses[frame.parent or ""], frame.transform)
    return poses
