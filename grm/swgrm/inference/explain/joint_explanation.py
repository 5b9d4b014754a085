"""The explanation of one joint or one component, line by line."""

from __future__ import annotations

from collections.abc import Iterator, Set

from swgrm.errors import ModelError, nearest_or_all
from swgrm.findings import by_kind, more_like_it
from swgrm.inference.explain.joint_reasons import describe, describe_dof
from swgrm.inference.mates.types import MateType, PlacedMate
from swgrm.inference.mechanism.joint_chain import name_of
from swgrm.inference.result import Inference
from swgrm.model import Joint, JointType
from swgrm.model.words import coupling_text, position_text, range_text

MOST_REASONS = 12  # of a body in the explanation of one of its components


def explanation(inference: Inference, name: str) -> Iterator[str]:
    """The explanation of a joint or, if there is none of that name, of a component."""
    number = inference.problem.find(name)
    if name not in inference.robot.joints and number is not None:
        return explain_component(inference, name)
    if name not in inference.robot.joints:
        known = [*inference.robot.joints, *(node.name for node in inference.problem.nodes if node.name)]
        raise ModelError(f"There is no joint or component `{name}`.{nearest_or_all(name, known)}")
    return explain_joint(inference, name)


def explain_component(inference: Inference, name: str) -> Iterator[str]:
    """The body that a component is in, what moves or holds it, and the mates of the component."""
    number = inference.problem.node_of(name)
    label = int(inference.mechanism.labels[number])
    body = f"`{name}` is in the body {_body(inference, label)}"
    moving = [joint for joint in inference.tree.joints if joint.child == label]
    if label == inference.tree.root:
        yield f"{body}, the base of the robot: {inference.root_reason}"
    elif moving:
        names = ", ".join(f"`{joint}`" for joint in inference.joint_names[moving[0].pair.edge])
        yield f"{body}, which {names} moves ({name_of(moving[0].chain)})"
    else:
        yield f"{body}, which nothing connects to the base: it is fixed where it is"
    if inference.problem.nodes[number].is_fixed:
        yield "it is fixed in SolidWorks"
    yield from _why_held(inference, label, number)
    mates = [mate for mate in inference.problem.mates if any(entity.node == number for entity in mate.entities)]
    if mates:
        yield "its mates:"
        yield from (f"  {_mate(inference, mate)}" for mate in mates)
    else:
        yield "it has no mates"
    yield from _findings_about(inference, {f"component {name}", *(f"mate {mate.name}" for mate in mates)})


def _why_held(inference: Inference, label: int, number: int) -> Iterator[str]:
    """What holds a component in its body, then the other connections of the body, up to a number of them."""
    connections = inference.connections_of_body(label)
    if not connections:
        return
    of_component = [connection.reason for connection in connections if number in connection.nodes]
    others = [connection.reason for connection in connections if number not in connection.nodes]
    if of_component:
        yield "what holds it there:"
        yield from (f"  {reason}" for reason in of_component)
    if others:
        yield "what else holds the body together:"
        yield from (f"  {reason}" for reason in others[:MOST_REASONS])
        if len(others) > MOST_REASONS:
            yield f"  and {len(others) - MOST_REASONS} more connections"


def _findings_about(inference: Inference, about: Set[str]) -> Iterator[str]:
    for first, *others in by_kind(finding for finding in inference.findings if finding.where in about):
        yield f"{first.severity.name.lower()}: {first.where}: {first.message}"
        yield from [f"  {more_like_it(others)}"] if others else []


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
    yield from _findings_about(inference, about)


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
