"""Edits of one joint: its direction, zero, type, limits, dynamics and the joint that it follows.

The joint may be one of the tree, one that closes a loop, or that of a cut loop.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

import numpy as np
from msgspec.structs import replace

from swgrm.edit.positions import PositionMap, remap_positions
from swgrm.edit.tree import without_joints
from swgrm.errors import ModelError, nearest
from swgrm.model import Calibration, Coupling, Dynamics, Frame, Joint, JointType, Limits, LoopJoint, Pose, Robot, Safety
from swgrm.model.references import joint_names
from swgrm.model.words import position_text
from swgrm.transforms import axis_angle_matrix, homogeneous

if TYPE_CHECKING:
    from swgrm.transforms import Array


POSITION_UNITS = {JointType.REVOLUTE: "rad", JointType.SCREW: "rad", JointType.PRISMATIC: "m"}
SCALAR = frozenset(POSITION_UNITS)  # the position is one number

Moved = TypeVar("Moved", Frame, LoopJoint)  # what has a transform and a joint


def flip(robot: Robot, joint: str) -> Robot:
    """The robot with a joint that counts the same motion in the opposite direction: q' = −q.

    The axis is reversed. Lower and upper limits change places, as do rising and falling calibration edges; a
    transmission's mechanical reduction changes its sign.
    """
    _scalar_joint(robot, joint)

    def reversed_axis(old: Joint) -> Joint:
        x, y, z = old.axis
        return replace(old, axis=(0.0 - x, 0.0 - y, 0.0 - z))

    return remap_positions(_with_joint(robot, joint, reversed_axis), {joint: PositionMap(scale=-1.0)})


def rezero(robot: Robot, joint: str, zero: float) -> Robot:
    """The robot with a joint that counts from another position [rad or m]: q' = q − zero.

    The transform is the pose at the new zero: transform' = transform · motion(zero). Offsets between an actuator and
    the joint are not part of the model: a transmission stays as it is.
    """
    T = _motion(_scalar_joint(robot, joint), zero)
    sides = {cut.parent_frame for cut in robot.cut_loops if cut.loop.joint.name == joint}

    def moved(old: Moved) -> Moved:
        return replace(old, transform=Pose.from_matrix(old.transform.matrix @ T))

    robot = _with_holder(robot, joint, moved, moved)
    robot = replace(robot, frames=tuple(moved(frame) if frame.id in sides else frame for frame in robot.frames))
    return remap_positions(robot, {joint: PositionMap(shift=-zero)})


def set_type(robot: Robot, joint: str, type: JointType) -> Robot:  # noqa: A002 - the field's name
    """The robot with a joint of another type; numbers whose unit the new type does not have are dropped.

    A pitch stays with a screw; limits, dynamics, couplings, soft limits and calibration between revolute and screw.
    """
    found = find_joint(robot, joint)
    if found.type is type:
        return robot
    changed = replace(found, type=type, pitch=found.pitch if type is JointType.SCREW else 0.0)
    if POSITION_UNITS.get(found.type) != POSITION_UNITS.get(type):
        changed = replace(changed, limits=Limits(), dynamics=None, coupling=None, safety=None, calibration=None)
        robot = replace(
            robot,
            poses=tuple(without_joints(pose, {joint}) for pose in robot.poses),
            actuators=tuple(each for each in robot.actuators if each.joint != joint),
        )
    return _with_joint(robot, joint, lambda _: changed)


def limit(
    robot: Robot,
    joint: str,
    *,
    lower: float | None = None,
    upper: float | None = None,
    velocity: float | None = None,
    effort: float | None = None,
    acceleration: float | None = None,
) -> Robot:
    """The robot with other bounds on a joint [rad or m, s, N m or N]; those that are not given stay."""
    given = {
        "lower": lower, "upper": upper, "velocity": velocity, "effort": effort, "acceleration": acceleration,
    }  # fmt: skip
    changes = {name: value for name, value in given.items() if value is not None}
    found = find_joint(robot, joint)
    kind, limits = found.type, replace(found.limits, **changes)
    if limits.lower is not None and limits.upper is not None and limits.lower > limits.upper:
        raise ModelError(
            f"Joint `{joint}` cannot have a lower limit of {position_text(kind, limits.lower)} that is above its upper "
            f"limit of {position_text(kind, limits.upper)}."
        )
    return _with_joint(robot, joint, lambda old: replace(old, limits=limits))


def set_dynamics(
    robot: Robot,
    joint: str,
    *,
    damping: float | None = None,
    friction: float | None = None,
    armature: float | None = None,
) -> Robot:
    """The robot with other damping, friction or armature of a joint; what is not given stays."""
    given = {"damping": damping, "friction": friction, "armature": armature}
    changes = {name: value for name, value in given.items() if value is not None}
    new = replace(find_joint(robot, joint).dynamics or Dynamics(), **changes)
    return _with_joint(robot, joint, lambda each: replace(each, dynamics=new))


def set_safety(robot: Robot, joint: str, safety: Safety | None) -> Robot:
    """The robot with another safety controller of a joint."""
    find_joint(robot, joint)
    return _with_joint(robot, joint, lambda each: replace(each, safety=safety))


def set_calibration(robot: Robot, joint: str, calibration: Calibration | None) -> Robot:
    """The robot with other reference positions of a joint."""
    find_joint(robot, joint)
    return _with_joint(robot, joint, lambda each: replace(each, calibration=calibration))


def follow(robot: Robot, joint: str, leader: str, ratio: float = 1.0, offset: float = 0.0) -> Robot:
    """The robot with a joint that follows another: q = ratio · leader + offset."""
    for name in (joint, leader):
        find_joint(robot, name)
    return _with_joint(robot, joint, lambda old: replace(old, coupling=Coupling(leader, ratio, offset)))


def find_joint(robot: Robot, name: str) -> Joint:
    """The joint of that name, in the tree or in a loop."""
    if name in robot.joints and (joint := robot.joints[name].joint) is not None:
        return joint
    for loop in (*robot.loop_joints, *(cut.loop for cut in robot.cut_loops)):
        if loop.joint.name == name:
            return loop.joint
    raise ModelError(f"Robot `{robot.name}` has no joint `{name}`.{nearest(name, list(joint_names(robot)))}")


def _scalar_joint(robot: Robot, name: str) -> Joint:
    joint = find_joint(robot, name)
    if joint.type not in SCALAR:
        raise ModelError(f"Joint `{name}` is {joint.type}: its position is not one number.")
    return joint


def _motion(joint: Joint, q: float) -> Array:
    """The motion of a scalar joint, as in `swgrm.kinematics.forward`.  # (4, 4)."""
    axis = np.array(joint.axis) / math.hypot(*joint.axis)
    if joint.type is JointType.PRISMATIC:
        return homogeneous(np.eye(3), axis * q)
    return homogeneous(axis_angle_matrix(axis, q), axis * joint.pitch * q / (2 * math.pi))


def _with_joint(robot: Robot, name: str, change: Callable[[Joint], Joint]) -> Robot:
    def frame(old: Frame) -> Frame:
        return replace(old, joint=old.joint and change(old.joint))

    def loop(old: LoopJoint) -> LoopJoint:
        return replace(old, joint=change(old.joint))

    return _with_holder(robot, name, frame, loop)


def _with_holder(
    robot: Robot, name: str, frame: Callable[[Frame], Frame], loop: Callable[[LoopJoint], LoopJoint]
) -> Robot:
    """The robot with the frame or loop changed that has the joint of that name."""

    def changed(old: LoopJoint) -> LoopJoint:
        return loop(old) if old.joint.name == name else old

    return replace(
        robot,
        frames=tuple(frame(old) if old.joint and old.joint_name == name else old for old in robot.frames),
        loop_joints=tuple(map(changed, robot.loop_joints)),
        cut_loops=tuple(replace(cut, loop=changed(cut.loop)) for cut in robot.cut_loops),
    )
