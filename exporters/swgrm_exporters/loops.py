"""Loops in a format without loops: cut into two frames each, and closed again."""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from swgrm.model import CutLoop, Frame, LoopJoint, Robot


def cut(robot: Robot, fresh: Callable[[str], str]) -> Robot:
    """The robot with each loop joint as a cut loop: a virtual frame on either side, in the place of the joint.

    A loop joint without a name gets one; `fresh` makes the ids of the frames unique.
    """
    cuts: list[CutLoop] = []
    added: list[Frame] = []
    for index, loop in enumerate(robot.loop_joints):
        name = loop.joint.name or f"loop_{index + 1}"
        ids = fresh(f"{name}_parent_side"), fresh(f"{name}_child_side")
        added.append(Frame(id=ids[0], parent=loop.parent, transform=loop.transform, virtual=True))
        added.append(Frame(id=ids[1], parent=loop.child, virtual=True))
        named = replace(loop, joint=replace(loop.joint, name=name))
        cuts.append(CutLoop(loop=named, parent_frame=ids[0], child_frame=ids[1]))
    return replace(robot, frames=(*robot.frames, *added), loop_joints=(), cut_loops=(*robot.cut_loops, *cuts))


def closed(robot: Robot) -> Robot:
    """The robot with its cut loops as loop joints, where both frames exist and carry nothing."""
    loops: dict[str, LoopJoint] = {}
    gone: set[str] = set()
    for each in robot.cut_loops:
        parent, child = robot.by_id.get(each.parent_frame), robot.by_id.get(each.child_frame)
        if parent is None or child is None or robot.children(parent.id) or robot.children(child.id):
            continue
        ends = {"parent": parent.parent or "", "child": child.parent or ""}
        loops[each.parent_frame] = replace(each.loop, transform=parent.transform, **ends)
        gone |= {parent.id, child.id}
    return replace(
        robot,
        frames=tuple(frame for frame in robot.frames if frame.id not in gone),
        loop_joints=(*robot.loop_joints, *loops.values()),
        cut_loops=tuple(each for each in robot.cut_loops if each.parent_frame not in loops),
    )


def loop_path(robot: Robot, cut: CutLoop) -> dict[str, float]:
    """The moving joints between the two sides of a cut loop: 1 on the child's side, −1 on the parent's."""
    sides = [[f.joint_name for f in robot.path(end) if not f.is_rigid] for end in (cut.child_frame, cut.parent_frame)]
    shared = set(sides[0]) & set(sides[1])
    return {name: sign for names, sign in zip(sides, (1.0, -1.0), strict=True) for name in names if name not in shared}
