"""The explanation of one joint, line by line."""

from __future__ import annotations

from collections.abc import Iterator

from swgrm.findings import by_kind, more_like_it
from swgrm.inference.explain.joint_reasons import describe, describe_dof
from swgrm.inference.mates.types import MateType, PlacedMate
from swgrm.inference.mechanism.joint_chain import name_of
from swgrm.inference.result import Inference
from swgrm.model import Joint, JointType
from swgrm.words import coupling_text, position_text, range_text


def explain_joint(inference: Inference, name: str) -> Iterator[str]:
    """The bodies of a joint and why each is one body, the mates, the motion that they leave, and the decisions."""
    joint = inference.joint(name)
    parent, child = (_body(inference, label) for label in (joint.parent, joint.child))
    yield f"{name}: {name_of(joint.chain)}, from {parent} to {child}"
    for label in (joint.parent, joint.child):
        yield from _why_one_body(inference, label)
    yield "mates between them:"
    yield from (f"  {_mate(inference, mate)}" for mate in inference.mates_of(joint))
    own = joint.pair.narrowed_from if joint.pair.narrowed_from is not None else joint.chain
    yield describe_dof(own)
    if joint.pair.narrowed_from is not None:
        yield f"with the rest of the mechanism {describe_dof(joint.chain)}, at every position that was tried"
    if len(joint.chain) > 1:
        yield from (f"  {describe(simple)}" for simple in joint.chain)
    if joint.pair.is_exact:
        yield "it was moved, and the mates still hold"
    else:
        yield "no chain of joints moves exactly as the mates allow"
    for loop in inference.loops_of(joint):
        bodies = sorted({_body(inference, n) for edge in loop.edges for n in edge})
        yield f"it is in a loop of mobility {loop.mobility}: {', '.join(bodies)}"
    frame = inference.robot.joints[name]
    if frame.joint is not None:
        followed = inference.robot.joints.get(frame.joint.coupling.joint) if frame.joint.coupling else None
        yield from _decided(frame.joint, followed.joint.type if followed and followed.joint else None)
    components = {c for label in (joint.parent, joint.child) for c in inference.components_of(label)}
    mates = frame.joint.why.mates if frame.joint and frame.joint.why else ()
    about = {f"joint {name}", *(f"component {c}" for c in components), *(f"mate {m}" for m in mates)}
    for first, *others in by_kind(finding for finding in inference.findings if finding.where in about):
        yield f"{first.severity.name.lower()}: {first.where}: {first.message}"
        yield from [f"  {more_like_it(others)}"] if others else []


def _body(inference: Inference, label: int) -> str:
    others = len(inference.components_of(label)) - 1
    name = inference.body_name(label)
    return (f"`{name}`" if name else "the assembly") + (f" (and {others} more)" if others else "")


def _why_one_body(inference: Inference, label: int) -> Iterator[str]:
    """How the components of a body came to be one."""
    if len(inference.components_of(label)) > 1:
        yield f"{_body(inference, label)} is one body:"
        yield from (f"  {reason}" for reason in inference.reasons_for_body(label))


def _mate(inference: Inference, mate: PlacedMate) -> str:
    entities = ", ".join(f"{e.kind} of {inference.node_name(e.node)}" for e in mate.entities)
    kind = JointType.REVOLUTE if mate.type is MateType.ANGLE else JointType.PRISMATIC
    span = f", {position_text(kind, mate.minimum)} to {position_text(kind, mate.maximum)}" if mate.is_limit else ""
    return f"{mate.name}: {mate.type}{span} ({entities})"


def _decided(joint: Joint, leader: JointType | None) -> Iterator[str]:
    if span := range_text(joint):
        yield f"range {span}, from its limit mates; 0 is the assembled pose"
    if joint.coupling:
        yield f"it {coupling_text(joint.coupling, joint.type, leader)}"
    if joint.why:
        yield f"reason: {joint.why.reason}"
        yield "check this joint" if joint.why.needs_check else "nothing about it needs checking"
