"""Joints that a format lacks: loops cut, ball and screw split, relations and chains of couplings resolved."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from swgrm.errors import ModelError
from swgrm.findings import Findings
from swgrm.kinematics.joint_relations import as_coupling, relation_name, relation_text
from swgrm.model import (
    CompositeJoint,
    CompositeType,
    Coupling,
    Frame,
    JointType,
    Relation,
    Robot,
    Transmission,
)
from swgrm.model.composites import expand, whole_composites
from swgrm_exporters.loops import cut
from swgrm_exporters.lowering.state import Capabilities, Choices, Lowered
from swgrm_exporters.names import Pool


def cut_loops(state: Lowered, capabilities: Capabilities, _: Choices, findings: Findings) -> Lowered:
    """Loops are cut: the two sides of each closure stay as frames that must coincide but for the joint's motion."""
    robot = state.robot
    if capabilities.loops or not robot.loop_joints:
        return state
    changed = cut(robot, Pool(robot.by_id).fresh)
    for each in changed.cut_loops[len(robot.cut_loops) :]:
        loop = each.loop
        findings.add(
            "loop-cut",
            f"joint {loop.joint.name}",
            type=loop.joint.type,
            parent=loop.parent,
            child=loop.child,
            parent_side=each.parent_frame,
            child_side=each.child_frame,
        )
    return state._replace(robot=changed)


_COMPOSITE = {JointType.BALL: CompositeType.BALL, JointType.SCREW: CompositeType.SCREW}


def split_joints(state: Lowered, capabilities: Capabilities, _: Choices, findings: Findings) -> Lowered:
    """Joint types that the format lacks become composite joints."""
    robot = state.robot
    whole = [each for each in whole_composites(robot).values() if each.joint.type in capabilities.composites]
    kept = {frame.id for each in whole for frame in each.frames}
    lacking = _COMPOSITE.keys() - capabilities.joints
    composite = {f.id for f in robot.frames if f.joint and f.joint.type in lacking and f.id not in kept}
    if not composite:
        return state
    pool = Pool([*robot.by_id, *robot.joints])
    frames: list[Frame] = []
    composites: list[CompositeJoint] = []
    for frame in robot.frames:
        if frame.id not in composite or frame.joint is None:
            frames.append(frame)
            continue
        expansion = expand(frame, _COMPOSITE[frame.joint.type], pool.fresh, frame.joint.axis)
        frames.extend(expansion.frames)
        composites.append(expansion.joint)
        names = ", ".join(f"`{name}`" for name in expansion.joint.joints)
        code = "ball-split" if frame.joint.type is JointType.BALL else "screw-split"
        findings.add(code, f"joint {frame.joint_name}", joints=names)
    return state._replace(robot=_with_composites(replace(robot, frames=tuple(frames)), composites))


def _with_composites(robot: Robot, added: list[CompositeJoint]) -> Robot:
    """The robot with joints that were split: what referred to a ball refers to its parts."""
    parts = {each.name: each.joints for each in added if each.type is CompositeType.BALL}
    outer = tuple(
        replace(each, joints=tuple(part for name in each.joints for part in parts.get(name, (name,))))
        for each in robot.composite_joints
    )
    transmissions = tuple(_driving(each, parts) for each in robot.transmissions)
    return replace(robot, composite_joints=(*outer, *added), transmissions=transmissions)


def _driving(transmission: Transmission, parts: Mapping[str, tuple[str, ...]]) -> Transmission:
    """The transmission with each end that named a split joint naming its parts."""
    ends = tuple(replace(end, name=name) for end in transmission.joints for name in parts.get(end.name, (end.name,)))
    return replace(transmission, joints=ends)


def resolve_relations(state: Lowered, capabilities: Capabilities, _: Choices, findings: Findings) -> Lowered:
    """A relation of two joints becomes a coupling if one of them is free to follow; others are dropped."""
    if capabilities.relations or not state.robot.relations:
        return state
    robot = state.robot
    order = {frame.joint_name: index for index, frame in enumerate(robot.walk())}
    for relation in robot.relations:
        pair = sorted(relation.terms, key=lambda name: order.get(name, 0), reverse=True)
        follower = next((name for name in pair if _can_follow(robot, relation, name)), None)
        if follower is None:
            findings.add("relation-dropped", relation_name(relation), relation=relation_text(relation))
            continue
        coupling = as_coupling(relation, follower)
        robot = _with_joints(robot, {follower: {"coupling": coupling}})
        findings.add("relation-coupled", relation_name(relation), follower=follower, leader=coupling.joint)
    return state._replace(robot=replace(robot, relations=()))


def _can_follow(robot: Robot, relation: Relation, follower: str) -> bool:
    """Whether a joint of a relation can follow the other one: it follows none yet, and the other does not follow it."""
    couplings = {name: f.joint.coupling.joint for name, f in robot.joints.items() if f.joint and f.joint.coupling}
    if len(relation.terms) != 2 or 0 in relation.terms.values() or follower in couplings:
        return False
    (leader,) = relation.terms.keys() - {follower}
    while leader in couplings and leader != follower:
        leader = couplings[leader]
    return leader != follower and follower in robot.joints


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
