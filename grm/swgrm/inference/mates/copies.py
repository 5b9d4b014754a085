"""Components without mates (patterned, mirrored) get the mates of another instance of their part, the twin.

A copy c of a twin t is mated as t is, with everything carried by M = T_c T_t⁻¹; each partner becomes the instance
of the partner's part that is nearest to where M carries it, so that whole limbs follow.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

import numpy as np
from msgspec.structs import replace

from swgrm.findings import Findings
from swgrm.inference.geometry.twists import Array
from swgrm.inference.mates.types import COUPLINGS, PlacedEntity, PlacedMate
from swgrm.inference.problem import GROUND, AssemblyNode, InferenceProblem
from swgrm.transforms import inverse


def with_copied_mates(problem: InferenceProblem, findings: Findings) -> InferenceProblem:
    """The problem with mates for the components that have none, copied from their twins."""
    nodes, numbers = problem.nodes, problem.index
    ends = [{entity.node for entity in mate.entities} for mate in problem.mates]
    mated = set[int]().union(*[each for each in ends if len(each) > 1])
    if all(node.is_fixed or (number in mated and not node.is_assembly) for number, node in enumerate(nodes)):
        return problem  # every part has mates of its own
    outer = _outer_mates(problem)
    instances: dict[tuple[str, str], list[int]] = defaultdict(list)
    for number, node in enumerate(nodes):
        if number != GROUND:
            instances[node.part].append(number)
    added: list[PlacedMate] = []
    for number, node in enumerate(nodes):
        if number == GROUND or node.is_fixed or outer[number] or not node.part[0]:
            continue
        twins = [t for t in instances[node.part] if outer[t] and nodes[t].holder == node.holder]
        if not twins:
            continue
        if len({_signature(problem, twin, outer[twin]) for twin in twins}) > 1:
            findings.add("copy-undecided", node.where)
            continue
        twin = min(twins, key=lambda t: (np.linalg.norm(nodes[t].T[:3, 3] - node.T[:3, 3]).round(9), t))
        added += _carried(problem, numbers, instances, number, twin, outer[twin])
        findings.add("copy", node.where, twin=nodes[twin].name)
    return InferenceProblem(nodes, (*problem.mates, *added)) if added else problem


def _outer_mates(problem: InferenceProblem) -> dict[int, list[int]]:
    """The mates that connect each node, or a node that it holds, to something outside it."""
    result: dict[int, list[int]] = defaultdict(list)
    for index, mate in enumerate(problem.mates):
        lines = [_line(problem.nodes, entity.node) for entity in mate.entities]
        for node in set().union(*lines) - {GROUND}:
            if not all(node in line for line in lines):
                result[node].append(index)
    return result


def _line(nodes: Sequence[AssemblyNode], number: int) -> set[int]:
    """A node and all that hold it."""
    line = {number}
    while number != GROUND:
        number = nodes[number].holder
        line.add(number)
    return line


def _signature(problem: InferenceProblem, twin: int, mates: Sequence[int]) -> tuple[object, ...]:
    """How a twin is mated, in its own frame."""
    T = inverse(problem.nodes[twin].T)
    result = []
    for index in mates:
        mate = problem.mates[index]
        own = [f for f in mate.entities if twin in _line(problem.nodes, f.node)]
        others = sorted(problem.nodes[f.node].part for f in mate.entities if f not in own)
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
    problem: InferenceProblem,
    numbers: dict[str, int],
    instances: dict[tuple[str, str], list[int]],
    copy: int,
    twin: int,
    mates: Sequence[int],
) -> list[PlacedMate]:
    """The mates of the twin, moved to the copy."""
    nodes = problem.nodes
    M = nodes[copy].T @ inverse(nodes[twin].T)
    result = []
    for index in mates:
        mate = problem.mates[index]
        if mate.type in COUPLINGS:
            continue
        entities = []
        for entity in mate.entities:
            if twin in _line(nodes, entity.node):
                node = numbers.get(nodes[copy].name + nodes[entity.node].name[len(nodes[twin].name) :], copy)
            else:
                node = _nearest(nodes, instances, entity.node, M)
            entities.append(_moved(entity, M, node))
        if len({entity.node for entity in entities}) > 1:
            name = f"{mate.name} (for {nodes[copy].name})"
            result.append(replace(mate, name=name, entities=tuple(entities), source=None))
    return result


def _nearest(nodes: Sequence[AssemblyNode], instances: dict[tuple[str, str], list[int]], partner: int, M: Array) -> int:
    """The instance of the partner's part that is nearest to where M carries the partner."""
    if partner == GROUND:
        return GROUND
    expected = (M @ nodes[partner].T)[:3, 3]
    alike = instances[nodes[partner].part] or [partner]
    return min(alike, key=lambda n: (np.linalg.norm(nodes[n].T[:3, 3] - expected).round(9), n))


def _moved(entity: PlacedEntity, M: Array, node: int) -> PlacedEntity:
    x, y, z = (M[:3, :3] @ entity.point + M[:3, 3]).tolist()
    i, j, k = (M[:3, :3] @ entity.direction).tolist()
    return replace(entity, node=node, point=(x, y, z), direction=(i, j, k))
