"""Frames added to a robot and removed from it."""

from __future__ import annotations

from collections.abc import Collection

from msgspec.structs import replace

from swgrm.errors import ModelError
from swgrm.model import CutLoop, Frame, NamedPose, Robot
from swgrm.model.references import body_names, joint_names, joints_in_use, without_dangling


def add(robot: Robot, *frames: Frame) -> Robot:
    """The robot with more frames; the parent of each is in the robot or among the frames before it."""
    known = set(robot.by_id)
    for frame in frames:
        if frame.id in known:
            raise ModelError(f"Robot `{robot.name}` has a frame `{frame.id}` already.")
        if frame.parent not in known:
            raise ModelError(f"Frame `{frame.id}` cannot be added: robot `{robot.name}` has no frame `{frame.parent}`.")
        known.add(frame.id)
    return replace(robot, frames=(*robot.frames, *frames))


def remove(robot: Robot, frame_id: str) -> Robot:
    """The robot without a frame and all below it, and without what belongs to them alone.

    These are the loops and transmissions that end there, composite joints that lose a part, and relations among joints
    that are all gone. Props that name something removed stay, as plain text.
    """
    if robot.frame(frame_id).parent is None:
        raise ModelError(f"Frame `{frame_id}` is the root of robot `{robot.name}`: it cannot be removed.")
    gone = {frame.id for frame in robot.walk(frame_id)}
    less = replace(
        robot,
        frames=tuple(frame for frame in robot.frames if frame.id not in gone),
        loop_joints=tuple(loop for loop in robot.loop_joints if gone.isdisjoint((loop.parent, loop.child))),
        cut_loops=tuple(cut for cut in robot.cut_loops if gone.isdisjoint(_ends(cut))),
    )
    lost = {*joint_names(robot)} - {*joint_names(less)}
    less = replace(
        less,
        transmissions=tuple(t for t in robot.transmissions if lost.isdisjoint(end.name for end in t.joints)),
        composite_joints=tuple(each for each in robot.composite_joints if lost.isdisjoint(each.joints)),
        relations=tuple(each for each in robot.relations if not lost.issuperset(each.terms)),
        poses=tuple(without_joints(each, lost) for each in robot.poses),
        actuators=tuple(each for each in robot.actuators if each.joint not in lost),
        ignored_contacts=tuple(pair for pair in robot.ignored_contacts if {*pair} <= body_names(less)),
    )
    for name, user in joints_in_use(less):
        if name in lost:
            raise ModelError(f"Joint `{name}` cannot be removed from robot `{robot.name}`: {user} depends on it.")
    return without_dangling(less)


def without_joints(pose: NamedPose, gone: Collection[str]) -> NamedPose:
    """The named pose without the positions of some joints."""
    return replace(pose, positions={name: at for name, at in pose.positions.items() if name not in gone})


def _ends(cut: CutLoop) -> tuple[str, ...]:
    return (cut.parent_frame, cut.child_frame, cut.loop.parent, cut.loop.child)
