"""Couplings between joints: gear, rack and pinion, screw and linear coupler mates, and symmetry of two bodies.

A coupling mate relates the motions of two bodies, each relative to a reference body: Σ coefficient · q = 0 over the
scalar joints between them. A relation of two joints becomes a joint that follows another; others stay relations.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from msgspec import Struct

from swgrm.findings import Findings
from swgrm.inference.geometry.twists import Ints
from swgrm.inference.joints.coupled_loops import taken_in_loops
from swgrm.inference.joints.joint_motions import JointMotions, NoCoupling, Terms, share_of
from swgrm.inference.joints.joint_tree import TreeJoint
from swgrm.inference.joints.scalar_joints import JointKey, MateUse, ScalarJoints
from swgrm.inference.joints.symmetric_ties import SymmetricTie, find_symmetric_ties
from swgrm.inference.mates.coupling_numbers import rack_and_pinion
from swgrm.inference.mates.types import (
    COUPLINGS,
    MateNotUnderstood,
    MateType,
    PlacedEntity,
    PlacedMate,
    check_geometry,
)
from swgrm.inference.mechanism.graph import Edge
from swgrm.inference.mechanism.joint_chain import JointChain
from swgrm.inference.mechanism.solver import Mechanism
from swgrm.model import JointType
from swgrm.ties import first_largest

CANCELLED = 1e-9  # relative: a coefficient below this is rounding


class JointCoupling(Struct, frozen=True):
    """A joint that follows another: q_follower = ratio · q_leader."""

    follower: JointKey
    leader: JointKey
    ratio: float


class JointRelation(Struct, frozen=True):
    """Joints that a mate relates: Σ coefficient · q = 0; the last one is preferred as a follower."""

    terms: Terms
    mate: int


class CoupledJoints(NamedTuple):
    """Couplings by the joint that follows, relations of more joints, the mates that they come from, and their rank."""

    couplings: dict[JointKey, JointCoupling]
    relations: tuple[JointRelation, ...]
    uses: list[MateUse]
    rank: int  # degrees of freedom that the coupling mates take away; symmetric mates are in the mechanism's equations


def find_couplings(
    mates: Sequence[PlacedMate],
    mechanism: Mechanism,
    joints: Sequence[TreeJoint],
    scalar_joints: ScalarJoints,
    findings: Findings,
) -> CoupledJoints:
    """The couplings and relations of a tree's joints; mates that add nothing, or would block a joint, are findings."""
    system = _System()
    uses: list[MateUse] = []
    taking: list[JointRelation] = []  # the independent relations of coupling mates
    for relation in _coupling_relations(mates, mechanism, scalar_joints, findings):
        mate = mates[relation.mate]
        keys = system.add(relation)
        if not keys:
            code = "coupling-duplicate" if system.reduced(relation.terms) else "coupling-redundant"
            if not mate.copied_to or code == "coupling-duplicate":  # of three planets, two add nothing
                findings.add(code, f"mate {mate.name}")
            continue
        taking.append(relation)
        _report_conventions(mate, findings)
        note = f"assumed {'; '.join(each.text for each in mate.conventions)}" if mate.conventions else ""
        uses += [MateUse(key, relation.mate, note) for key in keys]
    ties = {tie.mate: tie for tie in find_symmetric_ties(mechanism, joints)}
    for number in _symmetric_triples(mechanism):
        tie = ties.get(number, SymmetricTie(number, (), is_complete=False))
        if not tie.is_complete or not tie.relations:
            code = "coupling-redundant" if tie.is_complete else "symmetry-unused"
            findings.add(code, f"mate {mates[number].name}")
        uses += [MateUse(key, number) for terms in tie.relations for key in system.add(JointRelation(terms, number))]
    system.simplify()
    taken = taken_in_loops([relation.terms for relation in taking], mechanism, joints)
    for relation in taking:
        if len(taken.blocked.intersection(relation.terms)) > 1:
            findings.add("coupling-blocks", f"mate {mates[relation.mate].name}")
    return CoupledJoints(system.couplings, tuple(system.relations), uses, taken.rank)


def _coupling_relations(
    mates: Sequence[PlacedMate], mechanism: Mechanism, scalar_joints: ScalarJoints, findings: Findings
) -> Iterator[JointRelation]:
    for number, mate in enumerate(mates):
        if mate.type not in COUPLINGS or mate.is_limit:
            continue
        try:
            check_geometry(mate)
            if mate.type is MateType.SCREW and is_screw_pair(mate, mechanism):
                _report_conventions(mate, findings)
                continue
            yield JointRelation(relate(mate, scalar_joints, mechanism.labels), number)
        except (NoCoupling, MateNotUnderstood) as reason:
            findings.add("coupling-unused", f"mate {mate.name}", reason=reason)


def _report_conventions(mate: PlacedMate, findings: Findings) -> None:
    for each in mate.conventions:
        findings.add("coupling-assumed", f"mate {mate.name}", assumption=each.text)


class _System:
    """Couplings and relations, independent of each other."""

    def __init__(self) -> None:
        self.couplings: dict[JointKey, JointCoupling] = {}
        self.relations: list[JointRelation] = []
        self._rows: dict[JointKey, Terms] = {}  # reduced, by the joint that each one is solved for

    def add(self, relation: JointRelation) -> tuple[JointKey, ...]:
        """Add a relation; returns the joint that follows by it, or all of its joints.

        A relation that follows from the others, or would hold a joint still, is not added: none.
        """
        rest = self.reduced(relation.terms)
        if len(rest) < 2:
            return ()
        # Coefficients of equal gears are equal but for rounding: then it is solved for the first joint.
        keys = list(rest)
        pivot = keys[first_largest([abs(rest[key]) for key in keys])]
        self._rows[pivot] = {key: value / rest[pivot] for key, value in rest.items()}
        if len(relation.terms) == 2:
            coupling = self._as_coupling(*relation.terms.items())
            self.couplings[coupling.follower] = coupling
            return (coupling.follower,)
        self.relations.append(relation)
        return tuple(relation.terms)

    def simplify(self) -> None:
        """Make couplings of the relations that relate two joints once followers are replaced by their leaders."""
        found = True
        while found:
            found = False
            for relation in list(self.relations):
                terms: Terms = {}
                for root, value in (self._root(*term) for term in relation.terms.items()):
                    terms[root] = terms.pop(root, 0.0) + value
                size = max(map(abs, terms.values()))
                terms = {key: value for key, value in terms.items() if abs(value) > CANCELLED * size}
                if len(terms) == 2:
                    coupling = self._as_coupling(*terms.items())
                    self.couplings[coupling.follower] = coupling
                    self.relations.remove(relation)
                    found = True

    def reduced(self, terms: Terms) -> dict[JointKey, float]:
        """The terms without the joints that earlier relations are solved for."""
        rest = dict(terms)
        for pivot, row in self._rows.items():  # each row may have pivots of later rows, never of earlier ones
            if factor := rest.pop(pivot, 0.0):
                for key, value in row.items():
                    if key != pivot:
                        rest[key] = rest.get(key, 0.0) - factor * value
        size = max(map(abs, terms.values()))
        return {key: value for key, value in rest.items() if abs(value) > CANCELLED * size}

    def _as_coupling(self, leader: tuple[JointKey, float], follower: tuple[JointKey, float]) -> JointCoupling:
        """The relation of two joints, turned so that no joint follows two."""
        sides = [(follower, leader), (leader, follower)]
        for own, other in sides:
            if own[0] not in self.couplings and self._root(*other)[0] != own[0]:
                return JointCoupling(own[0], other[0], -other[1] / own[1])
        key, value = self._root(*follower)
        return JointCoupling(key, leader[0], -leader[1] / value)

    def _root(self, key: JointKey, value: float) -> tuple[JointKey, float]:
        """The joint that a joint follows in the end, and the coefficient in its terms."""
        leading = leading_joint(self.couplings, key)
        return leading.joint, value * leading.ratio


class LeadingJoint(NamedTuple):
    """The joint that a joint follows in the end, and how far it moves per unit of that joint."""

    joint: JointKey
    ratio: float


def leading_joint(couplings: Mapping[JointKey, JointCoupling], key: JointKey) -> LeadingJoint:
    """The joint that a joint follows in the end: itself, if it follows none."""
    ratio = 1.0
    while key in couplings:
        key, ratio = couplings[key].leader, ratio * couplings[key].ratio
    return LeadingJoint(key, ratio)


def is_screw_pair(mate: PlacedMate, mechanism: Mechanism) -> bool:
    """Whether the two bodies of a screw mate are a pair that is a screw joint already."""
    bodies = sorted(int(mechanism.labels[entity.node]) for entity in mate.entities[:2])
    pair = mechanism.pairs.get((bodies[0], bodies[-1])) if bodies else None
    return pair is not None and any(simple.type is JointType.SCREW for simple in pair.chain)


def _symmetric_triples(mechanism: Mechanism) -> list[int]:
    """The symmetric mates whose two entities and plane are on three bodies."""
    eq, labels = mechanism.equations, mechanism.labels
    three = (eq.mirror >= 0) & (labels[eq.first] != labels[eq.second])
    three &= (labels[eq.mirror] != labels[eq.first]) & (labels[eq.mirror] != labels[eq.second])
    found: list[int] = sorted(set(eq.mate[three].tolist()))
    return found


class CouplingSpec(NamedTuple):
    """A coupling mate: the types of the motions that it couples, and the number that defines it."""

    leader: JointType
    follower: JointType
    number: str  # "ratio", or "travel" [m/rad]


COUPLING_SPECS: Mapping[MateType, CouplingSpec] = {
    MateType.GEAR: CouplingSpec(JointType.REVOLUTE, JointType.REVOLUTE, "ratio"),
    MateType.LINEAR_COUPLER: CouplingSpec(JointType.PRISMATIC, JointType.PRISMATIC, "ratio"),
    MateType.RACK_PINION: CouplingSpec(JointType.REVOLUTE, JointType.PRISMATIC, "travel"),
    MateType.SCREW: CouplingSpec(JointType.REVOLUTE, JointType.PRISMATIC, "travel"),
}


def relate(mate: PlacedMate, scalar_joints: ScalarJoints, labels: Ints) -> Terms:
    """The terms of a coupling mate, those of its follower last."""
    if len(mate.entities) < 2:
        raise NoCoupling(f"it has {len(mate.entities)} of the two entities that it needs")
    spec = COUPLING_SPECS[mate.type]
    if spec.number not in mate.numbers:
        raise NoCoupling("its definition could not be read, so its ratio is not known")
    ratio = mate.numbers[spec.number]
    if not np.isfinite(ratio) or ratio == 0:
        raise NoCoupling("its ratio is not a number")
    ends = _coupled_ends(mate)
    motions = JointMotions(scalar_joints, labels)
    if mate.type is MateType.SCREW:
        leading, following = motions.along_screw(ends[0][0], ends[1][0])
    else:
        leading, following = motions.against_common_body(ends, mate) or motions.of_own_joints(ends)
    terms = {key: -ratio * value for key, value in leading.items()}
    for key, value in reversed(following.items()):  # its own joint last
        terms[key] = terms.pop(key, 0.0) + value
    size = max(map(abs, terms.values()), default=0.0)
    found = {key: value for key, value in terms.items() if abs(value) > CANCELLED * size}
    if len(found) < 2:
        raise NoCoupling("it relates no two joints")
    return found


def _coupled_ends(mate: PlacedMate) -> list[tuple[PlacedEntity, JointType]]:
    """The entity that leads and the one that follows, each with the type of its motion."""
    spec = COUPLING_SPECS[mate.type]
    first, second = mate.entities[:2]
    if mate.type is MateType.RACK_PINION:
        second, first = rack_and_pinion(mate.entities)
    return [(first, spec.leader), (second, spec.follower)]


def coupled_pairs(mates: Sequence[PlacedMate], mechanism: Mechanism) -> set[Edge]:
    """The pairs of bodies in loops whose joints coupling mates relate: they should be joints of the tree.

    That are the pairs of the two coupled bodies with one that carries both, or with the mate's reference components.
    """
    in_loops = {edge for loop in mechanism.loops for edge in loop.edges}
    partners: dict[int, set[int]] = defaultdict(set)
    for a, b in mechanism.pairs if in_loops else ():
        partners[a].add(b)
        partners[b].add(a)
    found: set[Edge] = set()
    for mate in mates if in_loops else ():
        if mate.type not in COUPLINGS or len(mate.entities) < 2:
            continue
        ends = _coupled_ends(mate)
        bodies = [int(mechanism.labels[entity.node]) for entity, _ in ends]
        references = tuple(int(mechanism.labels[node]) for node in mate.references)
        carriers = (
            [references]
            if len(references) == 2
            else [(c, c) for c in sorted(partners[bodies[0]] & partners[bodies[1]])]
        )
        for pair in carriers:
            edges = [(min(edge), max(edge)) for edge in zip(pair, bodies, strict=True)]
            if all(edge in mechanism.pairs for edge in edges) and all(
                _moves_along(mechanism.pairs[edge].chain, *end) for edge, end in zip(edges, ends, strict=True)
            ):
                found |= in_loops.intersection(edges)
                break
    return found


def _moves_along(chain: JointChain, entity: PlacedEntity, kind: JointType) -> bool:
    """Whether a chain of joints moves an entity about or along itself."""
    return any(share_of(simple, entity, kind) for simple in chain if simple.type is not JointType.BALL)
