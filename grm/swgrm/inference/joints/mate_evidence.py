"""Which of several pairs the designer mated as a joint, where redundant mates leave a choice.

Redundant mates make pairs parallel: a fine stage that slides on a coarse one, and is also square to the bed, could be a
joint of either. Which mates are redundant depends on their order: those of joints that the settings define, of mates
that are joints by themselves, and of joints with limits come first, then those that were made first. Identifiers of
mates grow in SolidWorks as mates are added, and mates of a sub-assembly were there before its assembly mated it.

Where pairs remain of which any could be the joint, the one whose mates hold more is it (`JointEvidence`).
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from enum import IntEnum
from functools import cache

import numpy as np

from swgrm.inference.geometry.twists import Array
from swgrm.inference.joints.limit_values import measured_entities
from swgrm.inference.mates.types import GeometryKind, MateNotUnderstood, MateType
from swgrm.inference.mechanism.body_pairs import BodyPair
from swgrm.inference.mechanism.graph import Edge, spanning_tree
from swgrm.inference.mechanism.solver import KinematicLoop, Mechanism
from swgrm.inference.mechanism.twist_space import twist_spaces
from swgrm.inference.problem import GROUND, InferenceProblem


class JointEvidence(IntEnum):
    """How strongly the mates of a pair show that it is a joint, the strongest first."""

    DEFINED = 0  # by the settings, or a screw
    JOINT = 1  # a hinge or another mate that is a joint by itself, or a whole joint with a limit of its own
    GUIDE = 2  # a shaft in a bore or the like, or mates that leave only the motion that the pair has
    CONTACT = 3  # a face on a face, or at a distance from it
    ALIGNMENT = 4  # directions only: parallel, at an angle, or within a limit distance


JOINT_MATES = frozenset({MateType.HINGE, MateType.UNIVERSAL, MateType.SLOT, MateType.PATH, MateType.CAM_FOLLOWER})
GUIDING_MATES = frozenset({MateType.CONCENTRIC, MateType.PROFILE_CENTER}) | JOINT_MATES


def mate_ages(problem: InferenceProblem) -> list[int]:
    """The rank of each mate by its age: mates of deeper sub-assemblies first, copies last in their document."""
    depths = {GROUND: 0}
    keys = []
    for number, mate in enumerate(problem.mates):
        if mate.owner not in depths:
            depths[mate.owner] = problem.nodes[mate.owner].name.count("/") + 1
        identifier = mate.source.id if mate.source else 0
        keys.append((-depths[mate.owner], mate.owner, mate.source is None, identifier, mate.name, number))
    ages = [0] * len(keys)
    for age, key in enumerate(sorted(keys)):
        ages[key[-1]] = age
    return ages


class MateEvidence:
    """The evidence of the pairs of a mechanism, and the order in which their mates count."""

    def __init__(self, problem: InferenceProblem, ages: Sequence[int], mechanism: Mechanism) -> None:
        """`ages` are those of `mate_ages`."""
        self._problem, self._ages, self._mechanism = problem, ages, mechanism
        labels = mechanism.labels
        self._defined = {_edge(int(labels[joint.parent]), int(labels[joint.child])) for joint in problem.defined}
        self._limited = self._find_limited()
        self._of_pair = cache(lambda edge: self.without(edge, ()))

    def _find_limited(self) -> dict[Edge, int]:
        """The pairs of bodies that a limit mate measures between, each with the last such mate."""
        limits: dict[Edge, int] = {}
        for number, mate in enumerate(self._problem.mates):
            if mate.is_limit:
                try:
                    first, second = measured_entities(mate)
                except MateNotUnderstood:
                    continue
                edge = _edge(*(int(self._mechanism.labels[entity.node]) for entity in (first, second)))
                limits[edge] = max(number, limits.get(edge, number), key=self._ages.__getitem__)
        return limits

    def _is_limited_joint(self, pair: BodyPair) -> bool:
        """Whether a pair was a whole joint when it got its limit: mates that were added later do not make it one."""
        if pair.edge not in self._limited:
            return False
        last = self._ages[self._limited[pair.edge]]
        local = pair.local
        mates = local.mate.tolist()
        older = np.array([self._ages[number] <= last for number in mates], dtype=bool)
        if not older.any():
            return False
        kept = local[older]
        (space,) = twist_spaces(kept, np.zeros(len(kept), dtype=np.intp), 1)
        return space.dimension == pair.twist_space.dimension

    def without(self, edge: Edge, implied: Collection[int]) -> JointEvidence:
        """The evidence of a pair, without mates that others imply."""
        pair = self._mechanism.pairs[edge]
        if edge in self._defined or pair.is_refined:
            return JointEvidence.DEFINED
        mates = self._mechanism.equations.mate[pair.numbers].tolist()
        numbers = set(mates).difference(implied)
        types = {self._problem.mates[number].type for number in numbers}
        # A pair whose motion no loop narrows was mated as the joint that it is.
        is_whole = pair.narrowed_from is None and numbers.issuperset(mates)
        if not types.isdisjoint(JOINT_MATES) or (is_whole and self._is_limited_joint(pair)):
            return JointEvidence.JOINT
        if is_whole or any(self._is_guide(number) for number in numbers):
            return JointEvidence.GUIDE
        is_angular = self._mechanism.equations.is_angular[pair.numbers].tolist()
        holds_place = any(n in numbers and not angular for n, angular in zip(mates, is_angular, strict=True))
        return JointEvidence.CONTACT if holds_place else JointEvidence.ALIGNMENT

    def _is_guide(self, number: int) -> bool:
        """Whether a mate holds an axis or a point, not only a face."""
        mate = self._problem.mates[number]
        is_edge = mate.type is MateType.COINCIDENT and all(e.kind is not GeometryKind.PLANE for e in mate.entities)
        return mate.type in GUIDING_MATES or is_edge

    def order(self, number: int, edge: Edge) -> tuple[object, ...]:
        """The place of a mate of a pair: those of evident joints first, then those that were made first."""
        return self._of_pair(edge) > JointEvidence.JOINT, self._ages[number]

    def rank(self, edge: Edge, implied: Collection[int]) -> int:
        """The rank of a pair among equally simple ones: by the mates that no others imply, then by all of its mates."""
        return len(JointEvidence) * self.without(edge, implied) + self._of_pair(edge)

    def places(self) -> dict[Edge, Array]:
        """Where each pair is: the middle of the points of its oldest mate, which mates made later do not move."""
        pairs = list(self._mechanism.pairs.values())
        if not pairs:
            return {}
        counts = np.array([len(pair.numbers) for pair in pairs])
        starts = counts.cumsum() - counts
        numbers = np.concatenate([pair.numbers for pair in pairs])
        equations = self._mechanism.equations
        age = np.array(self._ages)[equations.mate[numbers]]
        is_oldest = age == np.minimum.reduceat(age, starts).repeat(counts)
        middles = np.where(is_oldest[:, None], (equations.p[numbers] + equations.x[numbers]) / 2, 0.0)
        sums = np.add.reduceat(middles, starts) / np.add.reduceat(is_oldest.astype(float), starts)[:, None]
        return {pair.edge: place for pair, place in zip(pairs, sums, strict=True)}

    def is_serial(self, loop: KinematicLoop) -> bool:
        """Whether joints of a tree alone can keep a block closed: then it is an open chain that is mated more often.

        So it is if the least joints that connect its bodies have no more degrees of freedom than the block.
        """
        pairs = self._mechanism.pairs
        edges = [edge for edge in loop.edges if edge in pairs]
        if len(loop.extra) or all(pairs[edge].narrowed_from is None for edge in edges):
            return False
        sizes = {edge: sum(simple.size for simple in pairs[edge].chain) for edge in edges}
        steps = spanning_tree(edges[0][0], edges, lambda edge: (sizes[edge], edge))
        return sum(sizes[_edge(step.node, step.parent)] for step in steps) == loop.mobility


def _edge(one: int, other: int) -> Edge:
    return min(one, other), max(one, other)
