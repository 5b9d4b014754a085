"""What a format with a note gives back of a robot: the lowered robot, without what lowering added, under its names."""

from __future__ import annotations

from msgspec.structs import replace

from swgrm.edit import rename
from swgrm.model import CompositeType, Frame, Link, Robot
from swgrm.model.composites import collapsed
from swgrm_exporters.loops import closed
from swgrm_exporters.lowering import Lowered
from swgrm_exporters.notes import without_provenance


def given_back(lowered: Lowered) -> Robot:
    """The robot that reading must give, without provenance; it has no halves of bodies."""
    assert not lowered.halves
    lowered = lowered._replace(robot=without_provenance(lowered.robot))
    robot = replace(lowered.robot, frames=tuple(_frame(frame, lowered) for frame in lowered.robot.frames))
    robot = closed(collapsed(robot, {CompositeType.BALL, CompositeType.SCREW}))
    old: dict[str, dict[str, str]] = {}
    for kind, before, after in lowered.renamed:
        old.setdefault(kind, {})[after] = before
    links = {link.name for _, link in robot.links()}
    joints = {*robot.joints, *(loop.joint.name for loop in robot.loop_joints)}
    robot = rename(
        robot,
        frames={after: before for after, before in old.get("frame", {}).items() if after in robot.by_id},
        links={after: before for after, before in old.get("link", {}).items() if after in links},
        joints={after: before for after, before in old.get("joint", {}).items() if after in joints},
    )
    return replace(robot, name=old.get("robot", {}).get(robot.name, robot.name))


def _frame(frame: Frame, lowered: Lowered) -> Frame:
    links = tuple(_link(link, frame, lowered) for link in frame.links if not _is_implied(link, frame, lowered))
    joint = None if frame.joint_name in lowered.implied_joints else frame.joint
    return replace(frame, links=links, joint=joint)


def _is_implied(link: Link, frame: Frame, lowered: Lowered) -> bool:
    return frame.id in lowered.implied_links and not (link.visuals or link.collisions)


def _link(link: Link, frame: Frame, lowered: Lowered) -> Link:
    inertial = None if frame.id in lowered.implied_inertials else link.inertial
    was = next((each.old for each in lowered.renamed if each.kind == "link" and each.new == link.name), link.name)
    if inertial is not None and was in lowered.implied_tensors:
        inertial = replace(inertial, tensor=None, axes=(0.0, 0.0, 0.0, 1.0))
    return replace(link, inertial=inertial)
