"""The mechanism and its tree of joints, solved with screw mates.

A screw mate holds the common axis of its two bodies, and couples their rotation about it to their translation along it.
Where the tree has joints about and along that axis, the screw mate is a relation between them; else it is a pair.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from swgrm.findings import Findings
from swgrm.inference.joints.couplings import coupled_pairs, is_screw_pair
from swgrm.inference.joints.joint_motions import JointMotions
from swgrm.inference.joints.joint_tree import JointTree, PairPreference, grow_tree
from swgrm.inference.joints.mate_evidence import MateEvidence, mate_ages
from swgrm.inference.joints.scalar_joints import ScalarJoints
from swgrm.inference.mates.equation_system import build_equations
from swgrm.inference.mates.types import MateNotUnderstood, MateType, PlacedMate, check_geometry
from swgrm.inference.mechanism.body_pairs import BodyPair
from swgrm.inference.mechanism.graph import Edge
from swgrm.inference.mechanism.redundancy import without_implied_pairs
from swgrm.inference.mechanism.rigid_groups import BY_SETTINGS, RigidGroups
from swgrm.inference.mechanism.screw_pairs import ScrewMates, screw_pitch
from swgrm.inference.mechanism.solver import Mechanism, solve
from swgrm.inference.problem import InferenceProblem
from swgrm.model import JointType


class SolvedMechanism(NamedTuple):
    """A mechanism without the pairs that its mates imply, its tree, and these pairs."""

    mechanism: Mechanism
    tree: JointTree
    left_out: tuple[BodyPair, ...] = ()

    def on_axis(self, screws: Mapping[int, PlacedMate]) -> set[int]:
        """The screw mates whose two bodies the joints of the tree move only about and along their axis."""
        motions = JointMotions(ScalarJoints(self.tree), self.mechanism.labels)
        found = set()
        for number, mate in screws.items():
            first, second = mate.entities[:2]
            if motions.motion(motions.body(first), motions.body(second), first, JointType.REVOLUTE) is not None:
                found.add(number)
        return found

    def is_joint(self, mate: PlacedMate) -> bool:
        """Whether the two bodies of a screw mate are the two bodies of a joint of the tree."""
        low, high = sorted(int(self.mechanism.labels[entity.node]) for entity in mate.entities[:2])
        return any(joint.pair.edge == (low, high) for joint in self.tree.joints)

    def mates_in_loop(self, mate: PlacedMate) -> frozenset[int]:
        """The mates that hold the axis of a screw mate whose two bodies are a screw pair inside a loop, else none."""
        low, high = sorted(int(self.mechanism.labels[entity.node]) for entity in mate.entities[:2])
        in_loop = any((low, high) in loop.edges for loop in self.mechanism.loops)
        if not in_loop or not is_screw_pair(mate, self.mechanism):
            return frozenset()
        return frozenset(self.mechanism.equations.mate[self.mechanism.pairs[low, high].numbers].tolist())


def solve_mechanism(
    problem: InferenceProblem, fasteners: Mapping[int, str], rigid: RigidGroups, wanted_root: str, findings: Findings
) -> SolvedMechanism:
    """The mechanism of the mates, and its tree; `wanted_root` names the component of the root, "" to choose it."""

    def solved(related: Mapping[int, Collection[int]], axes: Collection[int]) -> SolvedMechanism:
        used = rigid.used_mates.union(*related.values())
        equations = build_equations(problem.mates, used, axes, findings)
        screws = ScrewMates(mate for number, mate in enumerate(problem.mates) if number not in related)
        mechanism = solve(
            len(problem.nodes),
            equations,
            [edge for edge, _ in rigid.joined],
            lambda node: problem.nodes[node].T[:3, :3],
            screws.refine,
        )
        return _grown(problem, ages, mechanism, fasteners, rigid, wanted_root)

    ages = mate_ages(problem)
    screws = {number: mate for number, mate in enumerate(problem.mates) if _is_screw(mate)}
    result = solved({}, ())
    in_loops = {number: mates for number, mate in screws.items() if (mates := result.mates_in_loop(mate))}
    axes = screws.keys() - result.on_axis(screws) - in_loops.keys() if screws else set()
    if not in_loops and not axes:
        return result
    result = solved(in_loops, axes)
    held = result.on_axis(screws)
    related: dict[int, Collection[int]] = {number: mates for number, mates in in_loops.items() if number in held}
    result = result if related == in_loops else solved(related, axes)
    # A nut that its screw holds in line: the loop is solved with their axis alone.
    left = {number: () for number, mate in screws.items() if number not in related and result.mates_in_loop(mate)}
    if not left:
        return result
    tried = solved(related | left, axes)
    carried = {number: () for number in left if number in tried.on_axis(screws) and not tried.is_joint(screws[number])}
    if carried == left:
        return tried
    return solved(related | carried, axes) if carried else result


def _grown(
    problem: InferenceProblem,
    ages: Sequence[int],
    mechanism: Mechanism,
    fasteners: Mapping[int, str],
    rigid: RigidGroups,
    wanted_root: str,
) -> SolvedMechanism:
    """The mechanism without implied pairs, and its tree."""
    evidence = MateEvidence(problem, ages, mechanism)
    serial = [loop for loop in mechanism.loops if evidence.is_serial(loop)]
    reduced = without_implied_pairs(mechanism, evidence.order, lambda loop: loop in serial)
    # In an open chain that is mated more often, mates that others imply must not decide between its pairs.
    ranks: dict[Edge, int] = {}
    for loop in serial:
        for edge in loop.edges:
            ranks[edge] = evidence.rank(edge, reduced.implied)
    coupled = coupled_pairs(problem.mates, reduced.mechanism)
    preference = PairPreference(coupled, ranks, evidence.places())
    joined = {node for edge, reason in rigid.joined if reason == BY_SETTINGS for node in edge}
    tree = grow_tree(problem, reduced.mechanism, fasteners, wanted_root, joined, preference)
    return SolvedMechanism(reduced.mechanism, tree, reduced.left_out)


def _is_screw(mate: PlacedMate) -> bool:
    """Whether it is a screw mate with geometry and a pitch."""
    if mate.type is not MateType.SCREW or len(mate.entities) < 2 or not np.isfinite(screw_pitch(mate)):
        return False
    try:
        check_geometry(mate)
    except MateNotUnderstood:
        return False
    return True
