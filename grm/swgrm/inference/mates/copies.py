"""Copies without mates (patterned, mirrored): they move as their mated twin does.

A copy c of a twin t is mated as t is, with everything carried by M = T_c T_t⁻¹; each partner becomes the instance
of the partner's part that is nearest to where M carries it, so that whole limbs follow.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from swgrm.findings import Severity
from swgrm.inference.geometry.twists import Array
from swgrm.inference.mates.types import COUPLINGS, Feature, Mate
from swgrm.inference.problem import GROUND, Node, Problem
from swgrm.transforms import inverse


def mate_copies(problem: Problem) -> None:
    """Give copies without mates the mates of their twins, and say so."""
    numbers = problem.index
    outer = _outer_mates(problem)
    instances: dict[tuple[str, str], list[int]] = defaultdict(list)
    for number, node in enumerate(problem.nodes):
        if number != GROUND:
            instances[node.part].append(number)
    added: list[tuple[Mate, int]] = []
    for number, node in enumerate(problem.nodes):
        if number == GROUND or node.is_fixed or outer[number] or not node.part[0]:
            continue
        twins = [t for t in instances[node.part] if outer[t] and problem.nodes[t].holder == node.holder]
        if not twins:
            continue
        if len({_signature(problem, twin, outer[twin]) for twin in twins}) > 1:
            problem.find(
                Severity.WARNING, "copy-undecided", node.name,
                "has no mates, and the mated instances of its part are mated in different ways",
            )  # fmt: skip
            continue
        twin = min(twins, key=lambda t: (np.linalg.norm(problem.nodes[t].T[:3, 3] - node.T[:3, 3]).round(9), t))
        added += _carried(problem, numbers, instances, number, twin, outer[twin])
        problem.find(Severity.NOTE, "copy", node.name, f"has no mates: it is mated as `{problem.nodes[twin].name}` is")
    for mate, owner in added:
        problem.mates.append(mate)
        problem.owners.append(owner)


def _outer_mates(problem: Problem) -> dict[int, list[int]]:
    """The mates that tie each node, or what it holds, to something outside it."""
    result: dict[int, list[int]] = defaultdict(list)
    for index, mate in enumerate(problem.mates):
        lines = [_line(problem.nodes, feature.body) for feature in mate.features]
        for node in set().union(*lines) - {GROUND}:
            if not all(node in line for line in lines):
                result[node].append(index)
    return result


def _line(nodes: Sequence[Node], number: int) -> set[int]:
    """A node and all that hold it."""
    line = {number}
    while number != GROUND:
        number = nodes[number].holder
        line.add(number)
    return line


def _signature(problem: Problem, twin: int, mates: Sequence[int]) -> tuple[object, ...]:
    """How a twin is mated, seen from itself."""
    T = inverse(problem.nodes[twin].T)
    result = []
    for index in mates:
        mate = problem.mates[index]
        own = [f for f in mate.features if twin in _line(problem.nodes, f.body)]
        others = sorted(problem.nodes[f.body].part for f in mate.features if f not in own)
        places = sorted(
            (
                f.kind,
                *np.round(T[:3, :3] @ f.point + T[:3, 3], 6).tolist(),
                *np.round(T[:3, :3] @ f.direction, 6).tolist(),
            )
            for f in own
        )
        result.append((mate.type, tuple(others), repr(places)))
    return tuple(sorted(set(result)))


def _carried(
    problem: Problem,
    numbers: dict[str, int],
    instances: dict[tuple[str, str], list[int]],
    copy: int,
    twin: int,
    mates: Sequence[int],
) -> list[tuple[Mate, int]]:
    nodes = problem.nodes
    M = nodes[copy].T @ inverse(nodes[twin].T)
    result = []
    for index in mates:
        mate = problem.mates[index]
        if mate.type in COUPLINGS:
            continue
        features = []
        for feature in mate.features:
            if twin in _line(nodes, feature.body):
                body = numbers.get(nodes[copy].name + nodes[feature.body].name[len(nodes[twin].name) :], copy)
            else:
                body = _nearest(nodes, instances, feature.body, M)
            features.append(_move(feature, M, body))
        if len({feature.body for feature in features}) > 1:
            name = f"{mate.name} (for {nodes[copy].name})"
            result.append((replace(mate, name=name, features=tuple(features)), problem.owners[index]))
    return result


def _nearest(nodes: Sequence[Node], instances: dict[tuple[str, str], list[int]], partner: int, M: Array) -> int:
    """The instance of the partner's part that is nearest to where M carries the partner."""
    if partner == GROUND:
        return GROUND
    expected = (M @ nodes[partner].T)[:3, 3]
    alike = instances[nodes[partner].part] or [partner]
    return min(alike, key=lambda n: (np.linalg.norm(nodes[n].T[:3, 3] - expected).round(9), n))


def _move(feature: Feature, M: Array, body: int) -> Feature:
    x, y, z = (M[:3, :3] @ feature.point + M[:3, 3]).tolist()
    i, j, k = (M[:3, :3] @ feature.direction).tolist()
    return replace(feature, body=body, point=(x, y, z), direction=(i, j, k))
