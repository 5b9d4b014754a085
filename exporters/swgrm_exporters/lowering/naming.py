"""Names as a format wants them: legal, unique, and one for frame and link where those are one."""

from __future__ import annotations

from collections import Counter

from msgspec.structs import replace

from swgrm.edit import rename
from swgrm.findings import Findings
from swgrm.model import (
    CutLoop,
    EntityKind,
    Joint,
    JointType,
    Link,
    Robot,
)
from swgrm.model.references import Names, followed, names, references
from swgrm_exporters.lowering.state import Capabilities, Choices, Lowered
from swgrm_exporters.names import Pool, Renamed, legalize


def shorten_names(
    state: Lowered,
    capabilities: Capabilities,
    _: Choices,
    findings: Findings,  # noqa: ARG001 - a step's signature
) -> Lowered:
    """Frames of reference geometry get the name that they have in SolidWorks, where no other frame or link has it."""
    if not capabilities.has_bodies:
        return state
    robot = state.robot
    drawn = [
        frame
        for frame in robot.frames
        if frame.entity and frame.entity.kind is not EntityKind.COMPONENT and frame.id.endswith(f"/{frame.name}")
    ]
    counts = Counter([*robot.by_id, *(link.name for _, link in robot.links()), *(frame.name for frame in drawn)])
    short = {frame.id: frame.name for frame in drawn if counts[frame.name] == 1}
    if not short:
        return state
    renamed = tuple(Renamed("frame", old, new) for old, new in short.items())
    return state._replace(robot=rename(robot, frames=short), renamed=after(state.renamed, renamed))


def make_names_legal(state: Lowered, capabilities: Capabilities, _: Choices, findings: Findings) -> Lowered:
    """Every name legal and unique among its kind, all references following."""
    if capabilities.legal is None:
        return state
    robot, renamed = legalize(state.robot, capabilities.legal)
    ids = {each.old: each.new for each in renamed if each.kind == "frame"}
    halves = {ids.get(half, half): ids.get(other, other) for half, other in state.halves.items()}
    for kind, old, new in renamed:
        findings.add("renamed", f"{kind} {old}", kind=kind, old=old, name=new)
    return state._replace(robot=robot, renamed=after(state.renamed, renamed), halves=halves)


def after(earlier: tuple[Renamed, ...], later: tuple[Renamed, ...]) -> tuple[Renamed, ...]:
    """Two renamings, one after the other."""
    new = {(each.kind, each.old): each.new for each in later}
    first = [each._replace(new=new.pop((each.kind, each.new), each.new)) for each in earlier]
    return (*first, *(each for each in later if (each.kind, each.old) in new))


def make_frames_links(
    state: Lowered,
    capabilities: Capabilities,
    _: Choices,
    findings: Findings,  # noqa: ARG001 - a step's signature
) -> Lowered:
    """Frame and link become one thing: a link on every frame, one name for both, a joint to every parent."""
    if not capabilities.frames_are_links:
        return state
    robot = state.robot
    pool, joint_pool = Pool(), Pool(robot.joints)
    ids = {f.id: pool.fresh(f.links[0].name) for f in robot.frames if f.links}
    ids |= {f.id: pool.fresh(f.id) for f in robot.frames if not f.links}
    robot = followed(robot, frames=ids)
    frames, joints, empty = [], [], []
    for frame in robot.frames:
        link = frame.links[0] if frame.links else Link(name=ids[frame.id])
        joint = frame.joint
        if joint is None and frame.parent is not None:
            joint = Joint(type=JointType.FIXED, name=joint_pool.fresh(f"{ids[frame.id]}_fixed"))
            joints.append(joint.name)
        elif joint is not None:
            joint = replace(joint, name=frame.joint_name)
        if not frame.links:
            empty.append(ids[frame.id])
        link = replace(link, name=ids[frame.id])
        parent = None if frame.parent is None else ids[frame.parent]
        frames.append(replace(frame, id=ids[frame.id], parent=parent, links=(link,), joint=joint))
    renamed = tuple(Renamed("frame", old, new) for old, new in ids.items() if old != new)
    changed = replace(robot, frames=tuple(frames), cut_loops=tuple(_cut_loop(cut, ids) for cut in robot.cut_loops))
    return state._replace(
        robot=changed,
        renamed=after(state.renamed, renamed),
        implied_joints=frozenset(joints),
        implied_links=frozenset(empty),
    )


def name_bodies(
    state: Lowered,
    capabilities: Capabilities,
    _: Choices,
    findings: Findings,  # noqa: ARG001 - a step's signature
) -> Lowered:
    """A frame with a link has its name, so that bodies are called as in a format where frames are links."""
    if not capabilities.moving_frames_are_bodies:
        return state
    pool = Pool()
    ids = {f.id: pool.fresh(f.links[0].name) for f in state.robot.frames if f.links}
    ids |= {f.id: pool.fresh(f.id) for f in state.robot.frames if not f.links}
    changed = {old: new for old, new in ids.items() if old != new}
    joints = {f.id: f.joint_name for f in state.robot.frames if f.joint}
    named = tuple(replace(f, joint=replace(f.joint, name=joints[f.id])) if f.joint else f for f in state.robot.frames)
    robot = rename(replace(state.robot, frames=named), frames=changed) if changed else state.robot
    renamed = tuple(Renamed("frame", old, new) for old, new in changed.items())
    halves = {ids.get(half, half): ids.get(other, other) for half, other in state.halves.items()}
    return state._replace(robot=robot, renamed=after(state.renamed, renamed), halves=halves)


def _cut_loop(cut: CutLoop, ids: Names) -> CutLoop:
    """The cut loop with other ids of frames."""
    loop = replace(cut.loop, parent=ids.get(cut.loop.parent, ""), child=ids.get(cut.loop.child, ""))
    return replace(cut, loop=loop, parent_frame=ids[cut.parent_frame], child_frame=ids[cut.child_frame])


def report_lost_references(lowered: Robot, robot: Robot, findings: Findings) -> None:
    """Report the props that refer to something that the robot had and that was lost in lowering."""
    gone = names(robot) - names(lowered)
    if not gone:
        return
    for where, key, name in references(lowered, of=robot):
        if name in gone:
            findings.add("reference-lost", where, key=key, name=name)
