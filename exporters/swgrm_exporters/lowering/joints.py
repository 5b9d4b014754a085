"""Joints that a format lacks: loops cut, ball and screw split, followers of followers resolved."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from swgrm.chains import chains, expand
from swgrm.errors import ModelError
from swgrm.findings import Findings
from swgrm.model import (
    Coupling,
    Frame,
    JointType,
    Robot,
    Transmission,
)
from swgrm_exporters.loops import sides
from swgrm_exporters.lowering.state import Capabilities, Choices, Lowered
from swgrm_exporters.names import Pool


def cut_loops(state: Lowered, capabilities: Capabilities, _: Choices, findings: Findings) -> Lowered:
    """Loops are cut: the two sides of each closure stay as frames that must coincide but for the joint's motion."""
    robot = state.robot
    if capabilities.loops or not robot.loop_joints:
        return state
    pool = Pool(robot.by_id)
    added: list[Frame] = []
    for index, loop in enumerate(robot.loop_joints):
        name = loop.joint.name or f"loop_{index + 1}"
        added += sides(loop, name, (pool.fresh(f"{name}_parent_side"), pool.fresh(f"{name}_child_side")))
        findings.add(
            "loop-cut",
            f"joint {name}",
            type=loop.joint.type,
            parent=loop.parent,
            child=loop.child,
            parent_side=added[-2].id,
            child_side=added[-1].id,
        )
    changed = replace(robot, frames=(*robot.frames, *added), loop_joints=())
    return state._replace(robot=changed)


_COMPOSITE = frozenset({JointType.BALL, JointType.SCREW})


def split_joints(state: Lowered, capabilities: Capabilities, _: Choices, findings: Findings) -> Lowered:
    """Joint types that the format lacks become marked chains through virtual frames."""
    robot = state.robot
    kept = {f.id for c in chains(robot).values() if c.kind in capabilities.chains for f in c.frames}
    lacking = _COMPOSITE - capabilities.joints
    composite = {f.id for f in robot.frames if f.joint and f.joint.type in lacking and f.id not in kept}
    if not composite:
        return state
    pool = Pool([*robot.by_id, *robot.joints])
    frames: list[Frame] = []
    parts: dict[str, tuple[str, ...]] = {}  # the joints that a ball became, for what names it
    for frame in robot.frames:
        if frame.id not in composite or frame.joint is None:
            frames.append(frame)
            continue
        chain = expand(frame, str(frame.joint.type), pool.fresh, frame.joint.axis)
        frames.extend(chain)
        where, names = f"joint {frame.joint_name}", ", ".join(f"`{member.joint_name}`" for member in chain)
        if frame.joint.type is JointType.BALL:
            parts[frame.joint_name] = tuple(member.joint_name for member in chain)
            findings.add("ball-split", where, joints=names)
        else:
            findings.add("screw-split", where, joints=names)
    transmissions = tuple(_driving(each, parts) for each in robot.transmissions)
    return state._replace(robot=replace(robot, frames=tuple(frames), transmissions=transmissions))


def _driving(transmission: Transmission, parts: Mapping[str, tuple[str, ...]]) -> Transmission:
    """The transmission with each end that named a split joint naming its parts."""
    ends = tuple(replace(end, name=name) for end in transmission.joints for name in parts.get(end.name, (end.name,)))
    return replace(transmission, joints=ends)


def resolve_coupling_chains(state: Lowered, capabilities: Capabilities, _: Choices, findings: Findings) -> Lowered:
    """A joint that follows a follower follows that one's leader: q = r₁(r₂ q₀ + o₂) + o₁."""
    if capabilities.coupling_chains:
        return state
    couplings = {name: f.joint.coupling for name, f in state.robot.joints.items() if f.joint and f.joint.coupling}
    changed = {name: new for name, new in _resolved(couplings).items() if new != couplings[name]}
    for name, new in changed.items():
        findings.add("coupling-resolved", f"joint {name}", follower=couplings[name].joint, leader=new.joint)
    return state._replace(robot=_with_joints(state.robot, {n: {"coupling": c} for n, c in changed.items()}))


def _resolved(couplings: Mapping[str, Coupling]) -> dict[str, Coupling]:
    """Each coupling to the leader that follows nobody; every link of a chain is looked at once."""
    done: dict[str, Coupling] = {}
    for name in couplings:
        chain: dict[str, None] = {}
        while name in couplings and name not in done:
            if name in chain:
                raise ModelError(f"Joint `{name}` follows itself, through `{couplings[name].joint}`.")
            chain[name] = None
            name = couplings[name].joint
        for each in reversed(chain):
            own = couplings[each]
            above = done.get(own.joint)
            done[each] = own
            if above is not None:
                done[each] = Coupling(above.joint, own.ratio * above.ratio, own.ratio * above.offset + own.offset)
    return done


def _with_joints(robot: Robot, changes: Mapping[str, Mapping[str, object]]) -> Robot:
    frames = tuple(
        replace(f, joint=replace(f.joint, **changes[f.joint_name])) if f.joint and f.joint_name in changes else f
        for f in robot.frames
    )
    return replace(robot, frames=frames)
