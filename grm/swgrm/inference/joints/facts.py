"""Facts about joints beside their motion: ranges, couplings, the mates behind them, and what was assumed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from msgspec import Struct

from swgrm.findings import Findings
from swgrm.inference.joints.couplings import CoupledJoints, JointCoupling, find_couplings
from swgrm.inference.joints.joint_tree import JointTree
from swgrm.inference.joints.limits import LimitFinder, LoopKey, LoopMateUse
from swgrm.inference.joints.loop_ranges import translate_limits, translate_ranges
from swgrm.inference.joints.range_solving import JointRange
from swgrm.inference.joints.scalar_joints import JointKey, ScalarJoints
from swgrm.inference.mates.table import Assumption, assumption
from swgrm.inference.mechanism.solver import Mechanism
from swgrm.inference.problem import InferenceProblem


class JointFacts(Struct, frozen=True):
    """Ranges, couplings and relations of joints, and for each joint the limit and coupling mates and notes on it."""

    ranges: Mapping[JointKey, JointRange]
    coupled: CoupledJoints
    mates: Mapping[JointKey, Sequence[int]]
    notes: Mapping[JointKey, Sequence[str]]
    loop_ranges: Mapping[LoopKey, JointRange]
    loop_uses: Sequence[LoopMateUse]


def find_joint_facts(
    problem: InferenceProblem, mechanism: Mechanism, tree: JointTree, findings: Findings
) -> JointFacts:
    """The ranges and couplings of the joints of a tree."""
    scalar_joints = ScalarJoints(tree)
    coupled = find_couplings(problem.mates, mechanism, tree.joints, scalar_joints, findings)
    limits = LimitFinder(problem, mechanism, tree, coupled.couplings, findings).find()
    translate_ranges(limits, mechanism, tree)
    translate_limits(problem.mates, limits, mechanism, tree, findings)
    ranges = limits.ranges
    assumed = _find_assumptions(problem, mechanism, tree, findings)
    mates: dict[JointKey, list[int]] = {}
    notes: dict[JointKey, list[str]] = {}
    for use in sorted([*limits.uses, *coupled.uses], key=lambda use: use.mate):
        mates.setdefault(use.joint, []).append(use.mate)
        if use.note and use.note not in notes.setdefault(use.joint, []):
            notes[use.joint].append(use.note)
    limited = _with_followers(ranges, coupled.couplings)
    for key in limited:
        if limited[key] != ranges.get(key):
            notes.setdefault(key, []).append("its limits are what the joints that follow it allow")
    for note in assumed:
        notes.setdefault(note.joint, []).append(note.text)
    return JointFacts(limited, coupled, mates, notes, limits.loop_ranges, limits.loop_uses)


def _with_followers(
    ranges: Mapping[JointKey, JointRange], couplings: Mapping[JointKey, JointCoupling]
) -> dict[JointKey, JointRange]:
    """The ranges, those of leaders narrowed by what their followers allow."""
    result = dict(ranges)

    def depth(key: JointKey) -> int:
        return 1 + depth(couplings[key].leader) if key in couplings else 0

    for follower in sorted(couplings, key=lambda key: (-depth(key), key)):
        if span := result.get(follower):
            leader, ratio = couplings[follower].leader, couplings[follower].ratio
            allowed = span.scaled(1 / ratio)
            result[leader] = result[leader].narrowed(allowed) if leader in result else allowed
    return result


class _JointNote(NamedTuple):
    joint: JointKey
    text: str


def _find_assumptions(
    problem: InferenceProblem, mechanism: Mechanism, tree: JointTree, findings: Findings
) -> list[_JointNote]:
    """What was assumed of mates, as findings, and as notes on the joints that they make."""
    used = sorted(set(mechanism.equations.mate.tolist()))
    assumed: dict[int, Assumption] = {n: found for n in used if (found := assumption(problem.mates[n]))}
    for number, found in assumed.items():
        findings.add(found.code, f"mate {problem.mates[number].name}")
    notes = []
    for joint in tree.joints if assumed else ():
        for number in sorted({*mechanism.equations.mate[joint.pair.numbers].tolist()} & assumed.keys()):
            text = f"{problem.mates[number].name}: {assumed[number].note}"
            notes += [_JointNote((joint.child, k), text) for k in range(len(joint.chain))]
    return notes
