"""The same robot with another frame as its root: joints on the path are inverted, relative poses stay the same."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
from msgspec.structs import replace

from swgrm.kinematics.pose_math import compose, invert
from swgrm.model import Frame, Joint, JointType, Pose, Robot
from swgrm.model.composites import is_bare
from swgrm.transforms import quaternion_matrix

if TYPE_CHECKING:
    from swgrm.transforms import Array


def reroot(robot: Robot, frame_id: str) -> Robot:
    """The robot with another root; frames keep their poses to each other, at every joint position.

    Inverting T(q) = X · M(q) gives M(q)⁻¹ · X⁻¹. A scalar joint's axis is reversed, so that its position keeps its
    meaning and its limits: M(q)⁻¹ is the motion of the joint with the opposite axis. A ball's position becomes its
    inverse. Where the motion does not commute with X⁻¹, a virtual frame between the two keeps the old parent's pose;
    re-rooting back removes it. At zero, every frame also keeps its pose in the world.
    """
    way = robot.path(frame_id)
    if len(way) == 1:
        return robot
    changed: dict[str, tuple[Frame, ...]] = {}
    T_world_root = Pose.from_matrix(robot.mechanism.assembled[frame_id])
    changed[frame_id] = (replace(way[-1], parent=None, joint=None, transform=T_world_root),)
    for parent, child in pairwise(way):
        changed[parent.id] = tuple(_hung_below(parent, child))
    frames = tuple(new for frame in robot.frames for new in changed.get(frame.id, (frame,)))
    before_rigid = {parent.id for parent, child in pairwise(way) if child.is_rigid}
    return _without_needless(replace(robot, frames=frames), before_rigid)


def _hung_below(parent: Frame, child: Frame) -> Iterator[Frame]:
    """The old parent as a frame below its old child."""
    X_inverse = invert(child.transform)
    joint = child.joint and _inverted(child.joint, child.joint_name)
    if joint is None or child.is_rigid:
        yield replace(parent, parent=child.id, transform=X_inverse, joint=joint)
    elif _commutes(joint, child.transform):
        R = quaternion_matrix(child.transform.rot)
        yield replace(parent, parent=child.id, transform=X_inverse, joint=_turned(joint, R))
    else:
        between = f"{joint.name}~"
        yield Frame(id=between, parent=child.id, joint=joint, virtual=True)
        yield replace(parent, parent=between, transform=X_inverse, joint=None)


def _inverted(joint: Joint, name: str) -> Joint:
    """The joint whose motion at q is the inverse of this one's."""
    x, y, z = joint.axis
    scalar = joint.type not in (JointType.FIXED, JointType.BALL)
    return replace(joint, name=name, axis=(0.0 - x, 0.0 - y, 0.0 - z) if scalar else joint.axis)


def _turned(joint: Joint, R: Array) -> Joint:
    x, y, z = (R @ np.array(joint.axis)).tolist()
    return joint if joint.type is JointType.BALL else replace(joint, axis=(x, y, z))


def _commutes(joint: Joint, X: Pose) -> bool:
    """Whether M(q) · X⁻¹ = X⁻¹ · M'(q) for a joint M' at the parent's own origin: exactly, or the frame is kept."""
    if joint.type is JointType.PRISMATIC or not any(X.pos):
        return joint.type is not JointType.BALL or X.rot == Pose().rot
    return False


def _without_needless(robot: Robot, candidates: set[str]) -> Robot:
    """The robot without the frames of earlier re-rootings that are rigid now: their children take their place."""
    loops = (*robot.loop_joints, *(cut.loop for cut in robot.cut_loops))
    ends = {end for loop in loops for end in (loop.parent, loop.child)}
    virtual = [f for f in robot.frames if f.id in candidates - ends and f.virtual and f.is_rigid and f.parent]
    needless = {frame.id: frame for frame in virtual if is_bare(frame)}
    frames = []
    for frame in robot.frames:
        if frame.id in needless:
            continue
        if (above := needless.get(frame.parent or "")) is not None:
            frame = replace(frame, parent=above.parent, transform=compose(above.transform, frame.transform))
        frames.append(frame)
    return replace(robot, frames=tuple(frames))
