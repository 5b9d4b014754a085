"""How a robot moves: what is computed about it once, and asked of the robot.

    robot.mechanism.bodies        which frames move as one                           swgrm.kinematics.bodies
    robot.mechanism.kinematics    the poses of frames for positions of joints        swgrm.kinematics.forward
    robot.mechanism.assembled     those with every independent joint at zero
    robot.mechanism.zero_poses    those with every joint at zero, followers too
    robot.mechanism.ranges        the positions that each joint takes                swgrm.kinematics.joint_ranges
    robot.mechanism.loops         closed configurations, Jacobian and mobility       swgrm.kinematics.closed_loops
    robot.mechanism.motion        pairs of bodies as their joints move               swgrm.kinematics.body_motion

An export makes some ten robots from one: with meshes, with other URIs, lowered for each format. Most
of them differ in shapes and masses and move alike, and robots that move alike share one mechanism. It
is found by everything that motion depends on, so that a changed robot never has that of the robot
which it was made from. A mechanism is kept as long as a robot that has it; the latest few are kept
longer, because formats lower the same robot one after the other, and each forgets its own.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from functools import cached_property
from operator import attrgetter
from typing import TYPE_CHECKING
from weakref import WeakValueDictionary

import msgspec

from swgrm.model import Frame, Joint, Link, LoopJoint, Pose, Robot

if TYPE_CHECKING:
    from swgrm.kinematics.bodies import Bodies
    from swgrm.kinematics.body_motion import BodyMotion
    from swgrm.kinematics.closed_loops import ClosedLoops
    from swgrm.kinematics.forward import Kinematics, Poses
    from swgrm.kinematics.joint_ranges import JointSpan

# The fields of a joint that its motion depends on.
JOINT_FIELDS = ("name", "type", "axis", "pitch", "limits", "coupling")
LATEST = 8  # mechanisms that are kept though no robot has them
_SOME_LINK = (Link(name=""),)  # for the links of a frame: neighbours are found by whether there are any
_joint_facts = attrgetter(*JOINT_FIELDS)


class RobotMechanism:
    """How robots move that move alike. All is computed when it is first asked for, and is not to be changed."""

    def __init__(self, robot: Robot) -> None:
        self.robot = _bare(robot)
        vars(self.robot)["mechanism"] = self  # what is computed below asks the bare robot in turn

    @cached_property
    def bodies(self) -> Bodies:
        """The frames by what moves as one."""
        from swgrm.kinematics.bodies import Bodies

        return Bodies(self.robot)

    @cached_property
    def kinematics(self) -> Kinematics:
        """The poses of frames for positions of joints; a ModelError if axes, couplings or relations are wrong."""
        from swgrm.kinematics.forward import Kinematics

        return Kinematics(self.robot)

    @cached_property
    def assembled(self) -> Poses:
        """The pose of every frame with every independent joint at zero."""
        poses = self.kinematics.poses()
        poses.T.setflags(write=False)  # many share it
        return poses

    @cached_property
    def zero_poses(self) -> Mapping[str, Pose]:
        """The pose of every frame with every joint at zero, those with a coupling or relation too."""
        from swgrm.kinematics.pose_math import compose

        poses: dict[str, Pose] = {}
        for frame in self.robot.walk():
            above = Pose() if frame.parent is None else poses[frame.parent]
            poses[frame.id] = compose(above, frame.transform)
        return poses

    @cached_property
    def ranges(self) -> Mapping[str, JointSpan]:
        """The ranges of all moving joints of one number, by name."""
        from swgrm.kinematics.joint_ranges import joint_spans

        return joint_spans(self.robot)

    @cached_property
    def loops(self) -> ClosedLoops:
        """The loops, over the independent joints."""
        from swgrm.kinematics.closed_loops import ClosedLoops

        return ClosedLoops(self.robot)

    @cached_property
    def motion(self) -> BodyMotion:
        """The pairs of bodies, and their relative poses as joints move."""
        from swgrm.kinematics.body_motion import BodyMotion

        return BodyMotion(self.robot)


_MECHANISMS: WeakValueDictionary[tuple[str, bytes], RobotMechanism] = WeakValueDictionary()
_LATEST: deque[RobotMechanism] = deque(maxlen=LATEST)


def mechanism_of(robot: Robot) -> RobotMechanism:
    """The mechanism of a robot, which robots of the same name that move alike share: messages have the name."""
    try:
        content = robot.name, motion_content(robot)
    except (TypeError, ValueError, OverflowError):
        # Numbers of numpy, for example, have no bytes to compare. Such a robot has a mechanism of its own.
        return RobotMechanism(robot)
    mechanism = _MECHANISMS.get(content)
    if mechanism is None:
        mechanism = _MECHANISMS[content] = RobotMechanism(robot)
        _LATEST.append(mechanism)
    return mechanism


def motion_content(robot: Robot) -> bytes:
    """Everything that the motion of a robot's bodies depends on, as bytes, also for the names of cached results."""
    frames = []
    for frame in robot.frames:
        joint = () if frame.joint is None else _joint_facts(frame.joint)
        frames.append((frame.id, frame.parent, frame.transform, joint, bool(frame.links)))
    loops = [(loop.parent, loop.child, loop.transform, _joint_facts(loop.joint)) for loop in robot.loop_joints]
    return msgspec.msgpack.encode((frames, loops, robot.relations))


def _bare(robot: Robot) -> Robot:
    """The robot with what is in its `motion_content` alone, so that nothing can be read that is not shared."""
    frames = []
    for frame in robot.frames:
        joint = None if frame.joint is None else _bare_joint(frame.joint)
        links = _SOME_LINK if frame.links else ()
        frames.append(Frame(id=frame.id, parent=frame.parent, transform=frame.transform, joint=joint, links=links))
    loops = []
    for loop in robot.loop_joints:
        joint = _bare_joint(loop.joint)
        loops.append(LoopJoint(parent=loop.parent, child=loop.child, transform=loop.transform, joint=joint))
    return Robot(name=robot.name, frames=tuple(frames), loop_joints=tuple(loops), relations=robot.relations)


def _bare_joint(joint: Joint) -> Joint:
    return Joint(**dict(zip(JOINT_FIELDS, _joint_facts(joint), strict=True)))
