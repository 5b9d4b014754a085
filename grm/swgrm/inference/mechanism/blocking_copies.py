"""Copied mates must not take a degree of freedom between bodies that other joints connect.

A copy that is mated to one body only moves with that body. A copy that is mated to two may block the joint between
them: the pin in the first joint of an arm, copied to the second joint, would pin the first two links together there.
Where the mechanism moves less with the copies than without them, such copies keep only the mates to one of the bodies.

Bolts that clamp two parts are copied with all mates: nothing but the bolt and a contact connects these parts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import NamedTuple

import numpy as np
from msgspec.structs import replace

from swgrm.findings import Findings, join_places
from swgrm.inference.mates.equation_system import build_equations
from swgrm.inference.mates.types import COUPLINGS, PlacedMate
from swgrm.inference.mechanism.fasteners import FastenerDecisions, find_fasteners
from swgrm.inference.mechanism.graph import DisjointSets, Edge
from swgrm.inference.mechanism.rigid_groups import find_rigid_groups
from swgrm.inference.mechanism.solver import Mechanism, solve
from swgrm.inference.mechanism.turned_shape import PartMeasures
from swgrm.inference.problem import GROUND, InferenceProblem
from swgrm.settings import Settings

MOST_DOF = 2  # of a joint: cylindrical or universal; a plane on a plane leaves three
MOST_NAMES = 4  # of components in one sentence


class _CopyGroup(NamedTuple):
    """Copies that copied mates connect, and the nodes that are not copies to which these mates hold them."""

    copies: set[int]
    mates: list[int]
    anchors: Counter[int]  # with the number of mates to each


def without_blocking_copies(
    problem: InferenceProblem, measures: PartMeasures, settings: Settings, findings: Findings
) -> InferenceProblem:
    """The problem without the copied mates that would block joints between other bodies."""
    shared = [group for group in _group_copies(problem) if len(group.anchors) > 1]
    if not shared:
        return problem
    own_mates = tuple(mate for mate in problem.mates if not mate.copied_to)
    before = _solve(replace(problem, mates=own_mates), measures, settings)
    bridges = [group for group in shared if len({int(before.labels[node]) for node in group.anchors}) > 1]
    if not bridges:
        return problem
    after = _solve(problem, measures, settings)
    blocked_edges = set(_blocked_edges(before, after))
    if not blocked_edges:
        return problem
    seeds = {mate.copied_from for mate in problem.mates if mate.copied_to}
    without_seeds = _solve(replace(problem, mates=_mates_without(own_mates, seeds)), measures, settings)
    clusters = _clusters(before)
    blocked = {clusters.find(edge[0]) for edge in blocked_edges if _is_joint(without_seeds, edge)}
    left_out: set[int] = set()
    for group in bridges:
        left_out |= _leave_out(problem, before, clusters, blocked, group, findings)
    mates = tuple(mate for number, mate in enumerate(problem.mates) if number not in left_out)
    return replace(problem, mates=mates) if left_out else problem


def _group_copies(problem: InferenceProblem) -> list[_CopyGroup]:
    """The copies, those that hold each other together."""
    copies = {mate.copied_to for mate in problem.mates if mate.copied_to}
    copy_of = _copies_by_node(problem, copies)
    groups = DisjointSets(len(problem.nodes))
    for mate in problem.mates:
        if mate.copied_to and mate.type not in COUPLINGS:
            for entity in mate.entities:
                if entity.node in copy_of:
                    groups.join(mate.copied_to, copy_of[entity.node])
    by_root: dict[int, _CopyGroup] = {}
    for number, mate in enumerate(problem.mates):
        if mate.copied_to and mate.type not in COUPLINGS:
            group = by_root.setdefault(groups.find(mate.copied_to), _CopyGroup(set(), [], Counter()))
            group.copies.add(mate.copied_to)
            group.mates.append(number)
            group.anchors.update({entity.node for entity in mate.entities if entity.node not in copy_of})
    return list(by_root.values())


def _copies_by_node(problem: InferenceProblem, copies: set[int]) -> dict[int, int]:
    """The copy that each node is, or that holds it."""
    copy_of: dict[int, int] = {}
    for number, node in enumerate(problem.nodes):  # what holds a node comes before it
        if number in copies:
            copy_of[number] = number
        elif number != GROUND and node.holder in copy_of:
            copy_of[number] = copy_of[node.holder]
    return copy_of


def _solve(problem: InferenceProblem, measures: PartMeasures, settings: Settings) -> Mechanism:
    """The mechanism of a problem, without findings."""
    fasteners = find_fasteners(problem, measures, FastenerDecisions(settings.fasteners), Findings())
    rigid = find_rigid_groups(problem, fasteners, settings, Findings())
    equations = build_equations(problem.mates, rigid.used_mates, (), Findings())
    return solve(len(problem.nodes), equations, [edge for edge, _ in rigid.joined], lambda _: np.eye(3))


def _mates_without(mates: Iterable[PlacedMate], nodes: set[int]) -> tuple[PlacedMate, ...]:
    """The mates that none of the nodes is in."""
    return tuple(mate for mate in mates if nodes.isdisjoint(entity.node for entity in mate.entities))


def _is_joint(mechanism: Mechanism, edge: Edge) -> bool:
    """Whether two bodies are connected by a joint, and not only by a contact that leaves them more freedom."""
    low, high = sorted(int(mechanism.labels[label]) for label in edge)
    pair = mechanism.pairs.get((low, high))
    return pair is not None and len(pair.twist_space.basis.T) <= MOST_DOF


def _clusters(mechanism: Mechanism) -> DisjointSets:
    """Bodies that joints connect, by their labels."""
    clusters = DisjointSets(len(mechanism.labels))
    for first, second in mechanism.pairs:
        clusters.join(first, second)
    return clusters


def _blocked_edges(before: Mechanism, after: Mechanism) -> Iterable[Edge]:
    """The pairs of bodies that can move less than before."""
    dof = {edge: len(pair.twist_space.basis.T) for edge, pair in before.pairs.items()}
    # Labels are the lowest nodes of bodies, so those of before are nodes whose body of afterwards can be looked up.
    edges_after: dict[Edge, list[Edge]] = {}
    for edge, freedom in dof.items():
        low, high = sorted(int(after.labels[label]) for label in edge)
        if low == high or len(after.pairs[low, high].twist_space.basis.T) < freedom:
            yield edge
        edges_after.setdefault((low, high), []).append(edge)
    # A loop through joints that were in none, or in a smaller one, couples them.
    for loop in after.loops:
        edges = [edge for edge_after in loop.edges for edge in edges_after.get(edge_after, ())]
        if edges and loop.mobility < _mobility_of(before, dof, set(edges)):
            yield from edges


def _mobility_of(mechanism: Mechanism, dof: Mapping[Edge, int], edges: set[Edge]) -> int:
    """The degrees of freedom of some pairs with the loops among them."""
    mobility = 0
    for loop in mechanism.loops:
        if edges.issuperset(loop.edges):
            mobility += loop.mobility
            edges = edges.difference(loop.edges)
    return mobility + sum(dof[edge] for edge in edges)


def _leave_out(
    problem: InferenceProblem, before: Mechanism, clusters: DisjointSets, blocked: set[int], group: _CopyGroup,
    findings: Findings,
) -> set[int]:  # fmt: skip
    """The mates of a group to other bodies than the one that most of them refer to, if they block a joint."""
    bodies: Counter[int] = Counter()
    for node, count in group.anchors.items():
        label = int(before.labels[node])
        if clusters.find(label) in blocked:
            bodies[label] += count
    if len(bodies) < 2:
        return set()
    kept = min(bodies, key=lambda label: (-bodies[label], label))
    anchors = sorted(node for node in group.anchors if int(before.labels[node]) in bodies)
    refused = [node for node in anchors if int(before.labels[node]) != kept]
    where = join_places(problem.nodes[copy].where for copy in sorted(group.copies))
    findings.add("copy-blocks", where, bodies=_names(problem, anchors), left_out=_names(problem, refused))
    nodes_of = {number: {entity.node for entity in problem.mates[number].entities} for number in group.mates}
    return {number for number, nodes in nodes_of.items() if not nodes.isdisjoint(refused)}


def _names(problem: InferenceProblem, nodes: list[int]) -> str:
    """The names of nodes in a sentence, the first few of many."""
    names = [problem.nodes[node].quoted for node in nodes[:MOST_NAMES]]
    if len(nodes) > MOST_NAMES:
        names.append(f"{len(nodes) - MOST_NAMES} more")
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))
