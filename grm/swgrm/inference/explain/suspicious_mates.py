"""Suspicious mates: mates that may hold a joint which should move, and joints that may be structure."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from swgrm.findings import Findings
from swgrm.inference.joints.joint_tree import JointTree
from swgrm.inference.mates.types import GeometryKind, MateType, PlacedMate
from swgrm.inference.mechanism.chain_search import find_chain
from swgrm.inference.mechanism.joint_chain import name_of
from swgrm.inference.mechanism.solver import BodyMerger, Mechanism
from swgrm.inference.mechanism.twist_space import twist_spaces
from swgrm.inference.problem import GROUND, InferenceProblem
from swgrm.model import JointType

POSING = frozenset({MateType.PARALLEL, MateType.ANGLE, MateType.PERPENDICULAR})
THIN_PIN = 0.003  # [m] the radius below which a pin inside a sub-assembly is more likely structure than a bearing


def report_suspicious_mates(
    problem: InferenceProblem, mechanism: Mechanism, tree: JointTree, findings: Findings
) -> None:
    """Report what looks like a joint that mates hold by mistake, or like a joint that is structure."""
    for merger in mechanism.mergers:
        _report_posing(problem, merger, findings)
        _report_contacts(problem, merger, findings)
    _report_thin_pins(problem, mechanism, tree, findings)


def _bodies(problem: InferenceProblem, merger: BodyMerger) -> str:
    return " and ".join(problem.nodes[n].quoted for n in merger.nodes)


def _report_posing(problem: InferenceProblem, merger: BodyMerger, findings: Findings) -> None:
    """Report parallel, angle and perpendicular mates without which two bodies would be joined by one joint."""
    posing = [n for n in merger.mates if problem.mates[n].type in POSING and not problem.mates[n].is_limit]
    if merger.through_loop or not posing or len(posing) == len(merger.mates):
        return
    joint = _joint_without(merger, posing)
    if joint in ("revolute", "prismatic"):
        names = [problem.mates[n].name for n in posing]
        mates = ", ".join(f"`{name}`" for name in names)
        findings.add("clocking", f"mate {names[0]}", mates=mates, joint=joint, bodies=_bodies(problem, merger))


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
        mates = (problem.mates[n] for n in np.unique(mechanism.equations.mate[joint.pair.numbers]))
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
