"""Suspicious mates and fasteners, which may hold a joint that should move, and joints that may be structure."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from swgrm.findings import Findings
from swgrm.inference.joints.joint_tree import JointTree, TreeJoint
from swgrm.inference.mates.types import GeometryKind, MateType, PlacedMate
from swgrm.inference.mechanism.chain_search import find_chain
from swgrm.inference.mechanism.joint_chain import name_of
from swgrm.inference.mechanism.rigid_groups import ClampedParts, RigidGroups
from swgrm.inference.mechanism.solver import BodyMerger, Mechanism, parts_without
from swgrm.inference.mechanism.twist_space import twist_spaces
from swgrm.inference.problem import GROUND, InferenceProblem
from swgrm.model import JointType

POSING = frozenset({MateType.PARALLEL, MateType.ANGLE, MateType.PERPENDICULAR})
MOST_NODES = 300  # of a body that is solved again without a suspicious mate
THIN_PIN = 0.003  # [m] the radius below which a pin inside a sub-assembly is more likely structure than a bearing


def report_suspicious_mates(
    problem: InferenceProblem, mechanism: Mechanism, tree: JointTree, findings: Findings
) -> None:
    """Report what looks like a joint that mates hold by mistake, or like a joint that is structure."""
    _report_posing(problem, mechanism, tree, findings)
    for merger in mechanism.mergers:
        _report_contacts(problem, merger, findings)
    _report_thin_pins(problem, mechanism, tree, findings)


def _bodies(problem: InferenceProblem, merger: BodyMerger) -> str:
    return " and ".join(problem.nodes[n].quoted for n in merger.nodes)


def _report_posing(problem: InferenceProblem, mechanism: Mechanism, tree: JointTree, findings: Findings) -> None:
    """Report parallel, angle and perpendicular mates that hold a joint or a loop; not those that change nothing."""
    for merger in mechanism.mergers:
        posing = _posing(problem, merger.mates)
        is_alone = len(posing) == len(merger.mates)
        if not posing or is_alone != merger.through_loop:
            continue
        joint = "" if is_alone else _joint_without(merger, posing)
        if not is_alone and joint not in ("revolute", "prismatic"):
            continue
        count = _freed_bodies(mechanism, tree, merger, posing)
        names = [problem.mates[n].name for n in posing]
        if count > 2 or (count and is_alone):
            for name in names:
                findings.add("clocking-loop", f"mate {name}", bodies=_bodies(problem, merger))
        elif count:
            mates = ", ".join(f"`{name}`" for name in names)
            findings.add("clocking", f"mate {names[0]}", mates=mates, joint=joint, bodies=_bodies(problem, merger))
    guided = {joint.child for joint in tree.joints if _is_guided(joint)}
    for loop in tree.loops:
        numbers = sorted(set(mechanism.equations.mate[loop.pair.numbers].tolist()))
        if len(posing := _posing(problem, numbers)) == len(numbers) and guided.isdisjoint((loop.parent, loop.child)):
            bodies = " and ".join(problem.nodes[tree.bodies[label].main].quoted for label in (loop.parent, loop.child))
            for number in posing:
                findings.add("clocking-loop", f"mate {problem.mates[number].name}", bodies=bodies)


def _is_guided(joint: TreeJoint) -> bool:
    """Whether the mechanism only keeps a part from spinning on its axis: such a mate is a guide, as of a valve."""
    before = joint.pair.narrowed_from
    return before is not None and name_of(before) == "cylindrical" and name_of(joint.chain) == "prismatic"


def _posing(problem: InferenceProblem, numbers: Iterable[int]) -> list[int]:
    return [n for n in numbers if problem.mates[n].type in POSING and not problem.mates[n].is_limit]


def _freed_bodies(mechanism: Mechanism, tree: JointTree, merger: BodyMerger, mates: Sequence[int]) -> int:
    """How many bodies a body would be without some mates, 0 if the two of the merger would still be one.

    A body too large to try is assumed to be two.
    """
    nodes = tree.bodies[int(mechanism.labels[merger.nodes[0]])].nodes
    if len(nodes) > MOST_NODES:
        return 2
    labels = parts_without(mechanism, nodes, mates)
    first, second = (labels[nodes.index(node)] for node in merger.nodes)
    return len(set(labels)) if first != second else 0


def _report_contacts(problem: InferenceProblem, merger: BodyMerger, findings: Findings) -> None:
    """Report contacts of planes between sub-assemblies that hold a hinge or a loop: they may only rest there."""
    touching = [n for n in merger.mates if _is_contact_of_units(problem, problem.mates[n])]
    if merger.through_loop:
        holding = touching if len(touching) == len(merger.mates) else []
    else:
        holding = [n for n in touching if len(merger.mates) > 1 and _joint_without(merger, [n]) == "revolute"]
    held = "the loop that they close" if merger.through_loop else "a revolute joint"
    for number in holding:
        findings.add("resting", f"mate {problem.mates[number].name}", held=held, bodies=_bodies(problem, merger))


def _is_contact_of_units(problem: InferenceProblem, mate: PlacedMate) -> bool:
    is_contact = mate.type is MateType.COINCIDENT and all(e.kind is GeometryKind.PLANE for e in mate.entities)
    return is_contact and len({_unit(problem, entity.node) for entity in mate.entities}) > 1


def _unit(problem: InferenceProblem, number: int) -> int:
    """The sub-assembly that a node is or is in; the assembly itself for components at the top."""
    node = problem.nodes[number]
    return number if node.is_assembly else node.holder


def _report_thin_pins(problem: InferenceProblem, mechanism: Mechanism, tree: JointTree, findings: Findings) -> None:
    """Report joints inside a sub-assembly that rotate only on thin pins."""
    for joint in (*tree.joints, *tree.loops):
        if not any(simple.type is JointType.REVOLUTE for simple in joint.chain):
            continue
        mates = (problem.mates[n] for n in set(mechanism.equations.mate[joint.pair.numbers].tolist()))
        round_ones = [e for mate in mates if mate.type is MateType.CONCENTRIC for e in mate.entities]
        units = {_unit(problem, entity.node) for entity in round_ones}
        thickest = max((entity.radius for entity in round_ones), default=0.0)
        if 0 < thickest < THIN_PIN and len(units) == 1 and GROUND not in units:
            where = problem.nodes[tree.bodies[joint.child].main].where
            findings.add("thin-pin", where, diameter=thickest * 2000, unit=problem.nodes[units.pop()].name)


def _joint_without(merger: BodyMerger, mates: Iterable[int]) -> str:
    """The joint that a rigid pair would be without some of its mates; "" if it is not one joint."""
    local = merger.pair.local
    kept = local[~np.isin(local.mate, list(mates))]
    if len(kept) == 0:
        return ""
    space = twist_spaces(kept, np.zeros(len(kept), dtype=np.intp), 1)[0]
    return name_of(find_chain(space, kept, np.eye(3)).chain) if space.dimension == 1 else ""


def report_clamped(
    problem: InferenceProblem,
    fasteners: Mapping[int, str],
    decided: frozenset[int],
    rigid: RigidGroups,
    mechanism: Mechanism,
    findings: Findings,
) -> None:
    """Report parts that are one body only because a fastener is taken to clamp them; not where the settings decide."""
    joined = {edge for edge, _ in rigid.joined}
    by_body: dict[int, list[ClampedParts]] = defaultdict(list)
    for parts in rigid.clamped:
        if parts.fastener in fasteners and parts.fastener not in decided and parts.edge in joined:
            by_body[int(mechanism.labels[parts.edge[0]])].append(parts)
    for label, clamped in sorted(by_body.items()):
        nodes = [number for number, body in enumerate(mechanism.labels.tolist()) if body == label]
        place = {node: position for position, node in enumerate(nodes)}
        # Without the rule, the mates between the parts and the fastener, which is rigid with one of them, still hold.
        labels = parts_without(mechanism, nodes, (), {parts.edge for parts in clamped})
        for parts in clamped:
            first, second = parts.edge
            if labels[place[first]] != labels[place[second]]:
                bodies = f"{problem.nodes[first].quoted} and {problem.nodes[second].quoted}"
                findings.add("fastener-holds", problem.nodes[parts.fastener].where, bodies=bodies)
