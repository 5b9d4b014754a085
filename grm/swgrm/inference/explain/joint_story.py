"""The whole story of one joint, for a person who asks why."""

from __future__ import annotations

from collections.abc import Iterator

from swgrm.errors import ModelError, nearest
from swgrm.inference.mechanism.joint_chain import name_of
from swgrm.inference.infer import Inference, node_name
from swgrm.inference.mates.types import Mate
from swgrm.inference.explain.joint_reasons import describe, freedom_of
from swgrm.inference.joints.joint_tree import TreeJoint
from swgrm.model import Frame, JointType


def story(seen: Inference, name: str) -> Iterator[str]:
    """Line by line: what the joint ties, why each side is one body, the mates, what they leave, what was decided."""
    frame, joint = _find(seen, name)
    yield f"{name}: {name_of(joint.chain)}, from {_body(seen, joint.parent)} to {_body(seen, joint.child)}"
    for label in (joint.parent, joint.child):
        yield from _why_one_body(seen, label)
    yield "mates between them:"
    for number in sorted(set(seen.mechanism.equations.mate[joint.pair.numbers].tolist())):
        yield f"  {_mate(seen, seen.problem.mates[number])}"
    own = joint.pair.narrowed_from if joint.pair.narrowed_from is not None else joint.chain
    yield f"they leave {freedom_of(own)}"
    if joint.pair.narrowed_from is not None:
        yield f"the rest of the mechanism leaves {freedom_of(joint.chain)}, the same wherever it was moved to"
    if len(joint.chain) > 1:
        yield from (f"  {describe(move)}" for move in joint.chain)
    yield (
        "finite motion along it keeps the mates" if joint.pair.is_exact else "no chain of joints moves as the mates do"
    )
    for loop in seen.mechanism.loops:
        if joint.pair.edge in loop.edges:
            bodies = sorted({_body(seen, n) for edge in loop.edges for n in edge})
            yield f"it is in a loop of mobility {loop.mobility}: {', '.join(bodies)}"
    yield from _decided(frame)
    sides = {seen.problem.nodes[n].name for label in (joint.parent, joint.child) for n in seen.tree.bodies[label].nodes}
    why = frame.joint.why if frame.joint else None
    about = {name, *sides, *(why.mates if why else ())}
    for finding in seen.findings:
        if finding.where in about and finding.where:
            yield f"{finding.severity.name.lower()}: {finding.where} {finding.message}"


def _find(seen: Inference, name: str) -> tuple[Frame, TreeJoint]:
    """The frame of a joint, and the joint of the tree behind it."""
    if name not in seen.robot.joints:
        raise ModelError(f"There is no joint `{name}`.{nearest(name, list(seen.robot.joints))}")
    frame = seen.robot.joints[name]
    for joint in (*seen.tree.joints, *seen.tree.loops):
        if name in seen.joint_names.get(joint.pair.edge, ()):
            return frame, joint
    raise ModelError(f"The joint `{name}` was not inferred from mates.")


def _body(seen: Inference, label: int) -> str:
    body = seen.tree.bodies[label]
    others = len(body.nodes) - 1
    return node_name(seen.problem, body.main) + (f" (and {others} more)" if others else "")


def _why_one_body(seen: Inference, label: int) -> Iterator[str]:
    """How the nodes of a body came to be one."""
    inside = set(seen.tree.bodies[label].nodes)
    if len(inside) == 1:
        return
    yield f"{_body(seen, label)} is one body:"
    for edge, reason in seen.rigid.joined:
        if edge[0] in inside:
            yield f"  {reason}"
    for merger in seen.mechanism.mergers:
        if merger.nodes[0] in inside:
            ends = " and ".join(node_name(seen.problem, n) for n in merger.nodes)
            mates = ", ".join(seen.problem.mates[n].name for n in merger.mates)
            what = "the loop that they close leaves" if merger.through_loop else f"{mates} leave"
            yield f"  {what} {ends} no freedom"


def _mate(seen: Inference, mate: Mate) -> str:
    entities = ", ".join(f"{f.kind} of {node_name(seen.problem, f.body)}" for f in mate.features)
    span = f", {mate.minimum:g} to {mate.maximum:g}" if mate.is_limit else ""
    return f"{mate.name}: {mate.type}{span} ({entities})"


def _decided(frame: Frame) -> Iterator[str]:
    joint = frame.joint
    if joint is None:
        return
    lower, upper = joint.limits.lower, joint.limits.upper
    if lower is not None or upper is not None:
        ends = ("no end" if end is None else f"{end:.6g}" for end in (lower, upper))
        unit = "m" if joint.type is JointType.PRISMATIC else "rad"
        yield f"range {' to '.join(ends)} {unit}, from its limit mates; 0 is the assembled pose"
    if joint.coupling:
        yield f"it follows {joint.coupling.joint}: q = {joint.coupling.ratio:g} · q of that"
    if joint.why:
        yield f"so: {joint.why.reason}"
        yield "a person should look at it" if joint.why.needs_check else "nothing about it needs a second look"
