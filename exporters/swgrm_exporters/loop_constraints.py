"""Loop joints as the constraints that physics engines have: two points coincide, or two bodies are welded.

A ball joint is one pair of points, a fixed joint a weld. A revolute joint is two pairs of points on its axis; one is
enough where the rest of the loop keeps the axis, as in a planar linkage: where it leaves the same mobility. A second
pair would over-constrain such a loop, which engines solve less accurately.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from swgrm.errors import ModelError
from swgrm.kinematics.pose_math import compose
from swgrm.model import JointType, LoopJoint, Pose, Robot
from swgrm.transforms import inverse

CLOSED = 1e-7  # [m and rad] the gap below which a loop is closed at zero
LEAST_ARM = 0.01  # [m] between the two points on an axis


class LoopConstraint(NamedTuple):
    """A place on each of two frames: the points coincide, or the whole poses if it is a weld."""

    name: str
    loop: str  # the name of the loop joint
    is_weld: bool
    parent: str
    child: str
    parent_pose: Pose  # in the parent's frame
    child_pose: Pose  # in the child's frame
    is_closed: bool  # with every joint of the tree at zero


def loop_constraints(robot: Robot) -> tuple[LoopConstraint, ...]:
    """The constraints of the fixed, ball and revolute joints that close loops; other types are a ModelError."""
    if not robot.loop_joints:
        return ()
    zero_poses = robot.mechanism.zero_poses
    single = one_point_loops(robot)
    found = []
    for index, loop in enumerate(robot.loop_joints):
        name = loop.joint.name or f"loop_{index + 1}"
        places = _places(loop, index in single, _arm(robot, loop))
        for number, (parent_pose, child_pose) in enumerate(places):
            is_weld = loop.joint.type is JointType.FIXED
            parent_side = zero_poses[loop.parent].matrix @ parent_pose.matrix
            child_side = zero_poses[loop.child].matrix @ child_pose.matrix
            gap = inverse(parent_side) @ child_side - np.eye(4)
            is_closed = float(np.abs(gap if is_weld else gap[:3, 3]).max()) < CLOSED
            own = name if number == 0 else f"{name}_{number + 1}"
            found.append(
                LoopConstraint(own, name, is_weld, loop.parent, loop.child, parent_pose, child_pose, is_closed)
            )
    return tuple(found)


def one_point_loops(robot: Robot) -> set[int]:
    """The indices of revolute loop joints that one pair of points replaces: the rank of the equations is the same."""
    turning = [index for index, loop in enumerate(robot.loop_joints) if loop.joint.type is JointType.REVOLUTE]
    if not turning:
        return set()
    loops = robot.mechanism.loops
    poses = loops.samples()
    if not poses:  # it cannot be closed, so nothing is known about it
        return set()
    single: dict[int, JointType] = {}
    full = [loops.rank([each]) for each in poses]
    for index in turning:
        trial = {**single, index: JointType.BALL}
        if [loops.rank([each], trial) for each in poses] == full:
            single = trial
    return set(single)


def _places(loop: LoopJoint, is_single: bool, arm: float) -> Sequence[tuple[Pose, Pose]]:
    """The constrained places of a loop joint, each in the parent and in the child."""
    kind, own = loop.joint.type, (loop.transform, Pose())
    if kind in (JointType.FIXED, JointType.BALL) or (kind is JointType.REVOLUTE and is_single):
        return [own]
    if kind is not JointType.REVOLUTE:
        raise ModelError(f"The {kind} joint `{loop.joint.name}` closes a loop: lowering must split its body.")
    length = math.hypot(*loop.joint.axis)
    x, y, z = (arm * value / length for value in loop.joint.axis)
    along = Pose((x, y, z))
    return [own, (compose(loop.transform, along), along)]


def _arm(robot: Robot, loop: LoopJoint) -> float:
    """A distance of the size of the loop's bodies, so that both points are equally stiff [m]."""
    distances = [math.hypot(*robot.frame(end).transform.pos) for end in (loop.parent, loop.child)]
    return max(LEAST_ARM, *distances) if distances else LEAST_ARM
