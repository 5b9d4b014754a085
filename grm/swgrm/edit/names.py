"""Renaming of frames, joints and links."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from swgrm.errors import ModelError
from swgrm.model import CompositeJoint, CutLoop, Frame, Joint, LoopJoint, NamedPose, Relation, Robot, Transmission
from swgrm.model.references import Names, followed, joint_names, link_names


def rename(
    robot: Robot, *, frames: Names | None = None, joints: Names | None = None, links: Names | None = None
) -> Robot:
    """The robot with other names (old → new), and everything that refers to them changed accordingly.

    A joint that has its frame's name is renamed with it. Composite joints and joints of cut loops can be renamed, too.
    """
    frames, joints, links = frames or {}, joints or {}, links or {}
    _check(robot, "frame", frames, robot.by_id)
    _check(robot, "joint", joints, joint_names(robot), _names_of_composites_and_cuts(robot))
    _check(robot, "link", links, link_names(robot))
    after_frame = {f.id: frames[f.id] for f in robot.frames if f.joint and not f.joint.name and f.id in frames}
    robot = followed(robot, frames=frames, links=links, joints=after_frame | dict(joints))
    return _Renaming(frames, joints, links, after_frame | dict(joints)).robot(robot)


def _names_of_composites_and_cuts(robot: Robot) -> list[str]:
    return [each.name for each in robot.composite_joints] + [cut.loop.joint.name for cut in robot.cut_loops]


def _check(robot: Robot, kind: str, new: Names, names: Iterable[str], more: Iterable[str] = ()) -> None:
    """Raise a ModelError for unknown old names, and where two names would become one; more names may be alike."""
    known = dict.fromkeys(names)
    if missing := new.keys() - known.keys() - set(more):
        raise ModelError(f"Robot `{robot.name}` has no {kind} `{min(missing)}` to rename.")
    taken: set[str] = set()
    for name in (new.get(old, old) for old in known) if new else ():
        if name in taken:
            raise ModelError(f"Robot `{robot.name}` cannot be renamed: two {kind}s would be called `{name}`.")
        taken.add(name)


class _Renaming:
    """The new names; `joints` are those that were asked for, `all_joints` also those that follow from frames."""

    def __init__(self, frames: Names, joints: Names, links: Names, all_joints: Names) -> None:
        self.frames, self.joints, self.links, self.all_joints = frames, joints, links, all_joints

    def robot(self, robot: Robot) -> Robot:
        return replace(
            robot,
            frames=tuple(map(self.frame, robot.frames)),
            transmissions=tuple(map(self.transmission, robot.transmissions)),
            loop_joints=tuple(map(self.loop, robot.loop_joints)),
            relations=tuple(map(self.relation, robot.relations)),
            composite_joints=tuple(map(self.composite, robot.composite_joints)),
            cut_loops=tuple(map(self.cut_loop, robot.cut_loops)),
            poses=tuple(map(self.pose, robot.poses)),
            actuators=tuple(replace(each, joint=self.joint_name(each.joint)) for each in robot.actuators),
        )

    def frame(self, frame: Frame) -> Frame:
        return replace(
            frame,
            id=self.frame_id(frame.id),
            parent=None if frame.parent is None else self.frame_id(frame.parent),
            joint=frame.joint and self.joint(frame.joint, frame.id),
            links=tuple(replace(link, name=self.links.get(link.name, link.name)) for link in frame.links),
        )

    def frame_id(self, old: str) -> str:
        return self.frames.get(old, old)

    def joint(self, joint: Joint, frame_id: str = "") -> Joint:
        coupling = joint.coupling and replace(joint.coupling, joint=self.joint_name(joint.coupling.joint))
        return replace(joint, name=self.joints.get(joint.name or frame_id, joint.name), coupling=coupling)

    def joint_name(self, old: str) -> str:
        return self.all_joints.get(old, old)

    def pose(self, pose: NamedPose) -> NamedPose:
        return replace(pose, positions={self.joint_name(name): at for name, at in pose.positions.items()})

    def transmission(self, transmission: Transmission) -> Transmission:
        ends = tuple(replace(end, name=self.joint_name(end.name)) for end in transmission.joints)
        return replace(transmission, joints=ends)

    def loop(self, loop: LoopJoint) -> LoopJoint:
        parent, child = self.frame_id(loop.parent), self.frame_id(loop.child)
        return replace(loop, parent=parent, child=child, joint=self.joint(loop.joint))

    def relation(self, relation: Relation) -> Relation:
        return replace(relation, terms={self.joint_name(name): factor for name, factor in relation.terms.items()})

    def composite(self, composite: CompositeJoint) -> CompositeJoint:
        members = tuple(map(self.joint_name, composite.joints))
        return replace(composite, name=self.joint_name(composite.name), joints=members)

    def cut_loop(self, cut: CutLoop) -> CutLoop:
        parent, child = self.frame_id(cut.parent_frame), self.frame_id(cut.child_frame)
        return replace(cut, loop=self.loop(cut.loop), parent_frame=parent, child_frame=child)
