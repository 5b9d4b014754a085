"""Ranges of joints from limit mates: where the value that the mate measures meets its minimum and its maximum.

Let value(q) be what the mate measures as one joint moves from the assembled pose, and those that follow it. The range
is the interval around q = 0 on which minimum ≤ value(q) ≤ maximum. A mate between the two bodies of a loop joint limits
that loop joint. A mate whose value depends on several joints of a loop with one degree of freedom limits all of them
(`loop_ranges`). Any other mate whose value depends on several joints, or on none, is not used and becomes a finding.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from swgrm.findings import Findings
from swgrm.inference.joints.couplings import JointCoupling, leading_joint
from swgrm.inference.joints.joint_tree import JointTree, TreeJoint
from swgrm.inference.joints.limit_values import measured_entities, range_of
from swgrm.inference.joints.range_solving import JointRange
from swgrm.inference.joints.scalar_joints import JointKey, MateUse, ScalarJoint, ScalarJoints
from swgrm.inference.joints.symmetric_ties import loop_rates
from swgrm.inference.mates.types import FARTHEST, MateNotUnderstood, MateType, PlacedMate, check_geometry
from swgrm.inference.mechanism.graph import Edge
from swgrm.inference.mechanism.solver import KinematicLoop, Mechanism
from swgrm.inference.problem import InferenceProblem
from swgrm.model import JointType

MOST_BODIES = 4  # named in one sentence
PARALLEL = 1 - 1e-9  # cosine of the angle between axes that are parallel
RELATED = 1e-5  # relative: rates that differ by less are equal


class LoopKey(NamedTuple):
    """A simple joint of a loop joint."""

    edge: Edge
    number: int


class LoopMateUse(NamedTuple):
    """A limit mate that acts on a loop joint, and a note on what was assumed of it."""

    joint: LoopKey
    mate: int
    note: str


class LoopLimit(NamedTuple):
    """A limit mate between two bodies of a loop with one degree of freedom that share no joint."""

    mate: int
    loop: KinematicLoop
    bodies: tuple[int, int]  # of its first and second entity


class FoundLimits(NamedTuple):
    """The ranges of joints and of loop joints, the mates that they come from, and limits of whole loops."""

    ranges: dict[JointKey, JointRange]
    loop_ranges: dict[LoopKey, JointRange]
    uses: list[MateUse]  # on joints of the tree
    loop_uses: list[LoopMateUse]
    of_loops: list[LoopLimit]


class LimitFinder:
    """The joints that limit mates limit."""

    def __init__(
        self,
        problem: InferenceProblem,
        mechanism: Mechanism,
        tree: JointTree,
        couplings: Mapping[JointKey, JointCoupling],
        findings: Findings,
    ) -> None:
        self._problem, self._mechanism, self._tree, self._findings = problem, mechanism, tree, findings
        self._couplings, self._scalars = couplings, ScalarJoints(tree)
        self._closing = {frozenset((joint.parent, joint.child)): joint for joint in tree.loops}
        self._found = FoundLimits({}, {}, [], [], [])

    def find(self) -> FoundLimits:
        """The ranges that the limit mates give joints."""
        for number, mate in enumerate(self._problem.mates):
            if not mate.is_limit:
                continue
            try:
                limited = self._limited(number, mate)
            except MateNotUnderstood as reason:
                self._findings.add("mate-not-understood", f"mate {mate.name}", reason=reason)
                continue
            if limited is not None:
                self._add(number, mate, *limited)
        return self._found

    def _add(self, number: int, mate: PlacedMate, key: JointKey | LoopKey, span: JointRange) -> None:
        note = ""
        if span.is_assumed:
            span = span.scaled(-1.0) if mate.is_flipped else span
            self._findings.add("limit-side", f"mate {mate.name}")
            note = "the direction of its range is assumed"
        if isinstance(key, LoopKey):
            self._found.loop_uses.append(LoopMateUse(key, number, note))
            self._found.loop_ranges[key] = narrowed(self._found.loop_ranges.get(key), span)
        else:
            self._found.uses.append(MateUse(key, number, note))
            self._found.ranges[key] = narrowed(self._found.ranges.get(key), span)

    def _limited(self, number: int, mate: PlacedMate) -> tuple[JointKey | LoopKey, JointRange] | None:
        """The one joint or loop joint that a limit mate limits, with its range; else None, maybe with a finding."""
        check_geometry(mate)
        if not all(abs(number or 0.0) <= FARTHEST for number in (mate.value, mate.minimum, mate.maximum)):
            raise MateNotUnderstood("its limits are not numbers")
        first, second = (int(self._mechanism.labels[entity.node]) for entity in measured_entities(mate))
        where = f"mate {mate.name}"
        if first == second:
            self._findings.add("limit-rigid", where)
            return None
        loop = self._loop((first, second))
        if loop and loop.mobility == 1 and (min(first, second), max(first, second)) not in self._mechanism.pairs:
            self._found.of_loops.append(LoopLimit(number, loop, (first, second)))
            return None
        closing = self._closing.get(frozenset((first, second)))
        steps = _loop_scalars(closing, second) if closing else self._scalars.chain(first, second)
        spans = ((key, range_of(mate, [(scalar, sign)])) for key, scalar, sign in _with_keys(closing, steps))
        found = [(key, span) for key, span in spans if span is not None]
        if len(found) > 1 and not closing and (together := self._led(mate, steps, [key for key, _ in found])):
            found = [together]
        if len(found) > 1 and not closing and loop and (deciding := self._decided(mate, loop, steps)):
            found = [deciding]
        if len(found) == 1 and found[0][1].is_outside:
            self._findings.add("limit-outside", where)
            return None
        if len(found) == 1:
            return found[0]
        moved = [key[0] for key, _ in found if not isinstance(key, LoopKey)]
        self._report(number, (first, second), [closing.child] if closing else moved)
        return None

    def _led(
        self, mate: PlacedMate, steps: Sequence[tuple[ScalarJoint, float]], keys: Sequence[JointKey | LoopKey]
    ) -> tuple[JointKey, JointRange] | None:
        """The joint that all joints which change the mate's value follow, with its range; None if there is none."""
        led = {scalar.key: leading_joint(self._couplings, scalar.key) for scalar, _ in steps}
        leaders = {led[key].joint for key in keys if not isinstance(key, LoopKey)}
        if len(leaders) != 1:
            return None
        (leader,) = leaders
        own = [(scalar, sign * led[scalar.key].ratio) for scalar, sign in steps if led[scalar.key].joint == leader]
        span = range_of(mate, own)
        return (leader, span) if span is not None else None

    def _decided(
        self, mate: PlacedMate, loop: KinematicLoop, steps: Sequence[tuple[ScalarJoint, float]]
    ) -> tuple[JointKey, JointRange] | None:
        """The one joint of a loop that an angle across it follows, with its range; None if several decide.

        With the rates q̇ of the joints under every free motion, the angle changes by Σ ±q̇ over the joints between its
        bodies, whose axes are parallel. In a parallelogram that is r q̇ of one other joint, at every displacement.
        """
        turning = [(scalar, sign) for scalar, sign in steps if scalar.joint.type is not JointType.PRISMATIC]
        joints = [j for j in self._tree.joints if j.pair.edge in loop.edges and len(j.chain) == 1]
        joints = [j for j in joints if j.chain[0].type is JointType.REVOLUTE]
        places = {(joint.child, 0): k for k, joint in enumerate(joints)}
        if mate.type is MateType.DISTANCE or any(scalar.key not in places for scalar, _ in turning):
            return None
        axis = turning[0][0].joint.axis
        senses = {key: float(joints[k].chain[0].axis @ axis) for key, k in places.items()}
        if any(abs(senses[scalar.key]) < PARALLEL for scalar, _ in turning):
            return None
        rates = np.concatenate(loop_rates(self._mechanism, loop, joints), axis=1)  # (joints, displacements · mobility)
        turn = np.zeros(rates.shape[1])
        for scalar, sign in turning:
            turn += sign * senses[scalar.key] * rates[places[scalar.key]]
        for key, k in places.items():
            size = float(rates[k] @ rates[k])
            if abs(senses[key]) < PARALLEL or not size > 0:
                continue
            ratio = float(turn @ rates[k]) / size
            if abs(ratio) > RELATED and np.abs(turn - ratio * rates[k]).max() < RELATED * np.abs(turn).max():
                span = range_of(mate, [(ScalarJoint(key, joints[k].chain[0]), ratio * senses[key])])
                return (key, span) if span is not None else None
        return None

    def _loop(self, bodies: tuple[int, int]) -> KinematicLoop | None:
        """The loop that two bodies are in."""
        loops = ((each, {label for edge in each.edges for label in edge}) for each in self._mechanism.loops)
        return next((each for each, labels in loops if labels.issuperset(bodies)), None)

    def _report(self, number: int, bodies: tuple[int, int], moved: Sequence[int]) -> None:
        """Report that no one joint has the limit; `moved` are the bodies of the joints that change its value."""
        where = f"mate {self._problem.mates[number].name}"
        if loop := self._loop(bodies):
            labels = sorted({label for edge in loop.edges for label in edge})
            facts = {"bodies": self._listed(labels), "mobility": loop.mobility}
            self._findings.add("limit-loop", where, **facts, deciding=self._listed(sorted(set(moved))))
        elif moved:
            self._findings.add("limit-several", where, bodies=self._listed(sorted(set(moved))))
        else:
            self._findings.add("limit-unused", where)

    def _listed(self, labels: Sequence[int]) -> str:
        names = [self._problem.nodes[self._tree.bodies[label].main].quoted for label in labels]
        more = f" and {len(names) - MOST_BODIES} more" if len(names) > MOST_BODIES else ""
        return ", ".join(names[:MOST_BODIES]) + more


def narrowed(before: JointRange | None, span: JointRange) -> JointRange:
    """What a limit leaves of a range, if there is one."""
    return before.narrowed(span) if before else span


def _loop_scalars(loop: TreeJoint, second: int) -> list[tuple[ScalarJoint, float]]:
    """The scalar joints of a loop joint, with the sign of the motion that they give the body `second`."""
    sign = 1.0 if second == loop.child else -1.0
    return [
        (ScalarJoint((loop.child, k), simple), sign)
        for k, simple in enumerate(loop.chain)
        if simple.type is not JointType.BALL
    ]


def _with_keys(
    loop: TreeJoint | None, scalars: Sequence[tuple[ScalarJoint, float]]
) -> Iterator[tuple[JointKey | LoopKey, ScalarJoint, float]]:
    for scalar, sign in scalars:
        yield LoopKey(loop.pair.edge, scalar.key[1]) if loop else scalar.key, scalar, sign
