"""What is rigid before any mate is solved: fixed components, locked ones, fasteners, what sub-assemblies hold."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal

from swgrm.findings import Severity
from swgrm.inference.mechanism.graph import Edge, Groups
from swgrm.inference.mates.types import Mate
from swgrm.inference.problem import GROUND, Problem

Opening = Literal["auto", "always", "never"]


@dataclass(slots=True)
class Rigid:
    """Pairs of nodes that are one body from the start, with the reason, and the mates that are thereby used up."""

    joined: list[tuple[Edge, str]] = field(default_factory=list)
    used: set[int] = field(default_factory=set)

    def join(self, a: int, b: int, reason: str) -> None:
        """Make two nodes one body."""
        self.joined.append(((min(a, b), max(a, b)), reason))


def find_rigid(problem: Problem, fasteners: Mapping[int, str], opening: Mapping[str, Opening]) -> Rigid:
    """What is rigid from the start; `opening` says how sub-assemblies open, by name, "" for all others."""
    rigid = Rigid()
    for number, node in enumerate(problem.nodes):
        if node.is_fixed and number != GROUND:
            rigid.join(node.holder, number, f"`{node.name}` is fixed")
    _clamp_fasteners(problem, fasteners, rigid)
    _hold_parts(problem, opening, rigid)
    return rigid


def _partners(problem: Problem, of: Collection[int]) -> dict[int, dict[int, list[int]]]:
    """For each of the nodes, the nodes that it is mated to, with the mates."""
    result: dict[int, dict[int, list[int]]] = {number: defaultdict(list) for number in of}
    for index, mate in enumerate(problem.mates):
        bodies = sorted({feature.body for feature in mate.features})
        for number in bodies:
            if number in result:
                for other in bodies:
                    if other != number:
                        result[number][other].append(index)
    return result


def _clamp_fasteners(problem: Problem, fasteners: Mapping[int, str], rigid: Rigid) -> None:
    """Fasteners stick to one partner; partners that nothing but fasteners ties are clamped to each other."""
    groups = Groups(len(problem.nodes))
    for (a, b), _ in rigid.joined:
        groups.join(a, b)
    for mate in problem.mates:
        bodies = [feature.body for feature in mate.features]
        if not fasteners.keys() & set(bodies):
            for other in bodies[1:]:
                groups.join(bodies[0], other)
    for number, partners in sorted(_partners(problem, fasteners).items()):
        rigid.used.update(index for mates in partners.values() for index in mates)
        parts = sorted((p for p in partners if p not in fasteners), key=lambda p: (-len(partners[p]), p))
        if not parts:
            parts = sorted(partners)
        if not parts:
            continue
        name = problem.nodes[number].name
        rigid.join(parts[0], number, f"`{name}` is a fastener in `{problem.nodes[parts[0]].name}`")
        for other in parts[1:]:
            if groups.join(parts[0], other):
                rigid.join(parts[0], other, f"only the fastener `{name}` ties them")


def _hold_parts(problem: Problem, opening: Mapping[str, Opening], rigid: Rigid) -> None:
    """What a sub-assembly holds sticks to it where its own mates leave no say, or where it must not open."""
    default = opening.get("", "auto")
    everything = _held(problem)
    mates: dict[int, list[Mate]] = defaultdict(list)
    for mate, owner in zip(problem.mates, problem.owners, strict=True):
        mates[owner].append(mate)
    for number, held in everything.items():
        node = problem.nodes[number]
        way = opening.get(node.name, default)
        is_flexible = (node.component is not None and node.component.solving == 1) or way == "always"
        if way == "never" and not is_flexible:
            for child in held:
                rigid.join(number, child, f"`{node.name}` is kept closed")
            continue
        clusters = _clusters(number, everything, mates[number], rigid.joined)
        loose = [cluster for cluster in clusters if number not in cluster]
        if is_flexible and way != "never":
            loose = loose[:1] if not any(number in cluster and len(cluster) > 1 for cluster in clusters) else []
        for cluster in loose:
            rigid.join(number, cluster[0], f"`{node.name}` holds `{problem.nodes[cluster[0]].name}`")


def _held(problem: Problem) -> dict[int, list[int]]:
    """The sub-assemblies with what they hold directly; the assembly itself is not one of them."""
    held: dict[int, list[int]] = defaultdict(list)
    for number, node in enumerate(problem.nodes):
        if node.holder != GROUND:
            held[node.holder].append(number)
    return held


def _clusters(
    number: int, everything: Mapping[int, list[int]], mates: Iterable[Mate], joined: Iterable[tuple[Edge, str]]
) -> list[list[int]]:
    """The nodes of a sub-assembly that its own mates tie together, largest first."""
    held = everything[number]
    places = {node: place for place, node in enumerate([number, *held])}
    for child in held:  # what is held deeper moves with what is held here, until it is opened itself
        stack = list(everything.get(child, ()))
        while stack:
            node = stack.pop()
            places[node] = places[child]
            stack.extend(everything.get(node, ()))
    groups = Groups(len(held) + 1)
    ties = [edge for edge, _ in joined] + [tuple(feature.body for feature in mate.features) for mate in mates]
    for nodes in ties:
        inside = [places[node] for node in nodes if node in places]
        for other in inside[1:]:
            groups.join(inside[0], other)
    clusters = [[[number, *held][place] for place in cluster] for cluster in groups.members()]
    return sorted(clusters, key=lambda cluster: (-len(cluster), cluster))


def report_fasteners(problem: Problem, fasteners: Mapping[int, str]) -> None:
    """List what was judged a fastener, so that it can be overruled."""
    for number, signs in sorted(fasteners.items()):
        problem.find(
            Severity.NOTE, "fastener", problem.nodes[number].name,
            f"is taken for a fastener ({signs}) and rigid; the setting `fasteners` overrules this",
        )  # fmt: skip
