"""What is rigid before any mate is solved: fixed components, fasteners, and what sub-assemblies hold."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import NamedTuple

from msgspec import Struct

from swgrm.errors import SettingsError, nearest
from swgrm.findings import Findings
from swgrm.inference.mates.types import COUPLINGS, MateType, PlacedMate
from swgrm.inference.mechanism.graph import DisjointSets, Edge
from swgrm.inference.problem import GROUND, InferenceProblem, held_nodes
from swgrm.settings import MateSettings, Settings
from swgrm.solidworks.swconst import swComponentSolvingOption_e as Solving

Joined = tuple[Edge, str]  # two nodes that are one body, and why
BY_SETTINGS = "the settings join them"
DOF_FOLDER = "dof"  # accepted like the folder that the settings name
ALL = "all"  # in the settings: every sub-assembly that is not named


class ClampedParts(NamedTuple):
    """Two parts that are one body because only a fastener connects them."""

    edge: Edge
    fastener: int


class RigidGroups(Struct, frozen=True):
    """Pairs of nodes that are one body from the start, with the reason, and the mates that are thereby used up.

    Of a fastener's mates only those to its host are used up: the others hold what the fastener connects to the host.
    """

    joined: tuple[Joined, ...]
    used_mates: frozenset[int]
    clamped: tuple[ClampedParts, ...] = ()


def find_rigid_groups(
    problem: InferenceProblem, fasteners: Mapping[int, str], settings: Settings, findings: Findings
) -> RigidGroups:
    """What is rigid from the start; every component that the settings name must exist."""
    partners = _partners(problem, fasteners)
    hosts = {number: _candidates(problem, others, fasteners)[0] for number, others in partners.items() if others}
    used = frozenset(mate for number, host in hosts.items() for mate in partners[number][host])
    joined = list(_fixed(problem))
    clamped = _find_clamped(problem, fasteners, partners, joined)
    for number, host in sorted(hosts.items()):
        reason = f"{problem.nodes[number].quoted} is a fastener in {problem.nodes[host].quoted}"
        joined.append(_join(host, number, reason))
    for parts in clamped:
        joined.append((parts.edge, f"only the fastener {problem.nodes[parts.fastener].quoted} ties them"))
    joined += _held(problem, settings.sub_assemblies, joined)
    joined += _joined_by_settings(problem, settings.links.join)
    if folder := _joint_folder(problem, settings):
        joined += _outside_folder(problem, folder, findings)
    for name in settings.sub_assemblies:
        if name != ALL:
            problem.node_of(name, ("subAssemblies", name))
    return RigidGroups(tuple(joined), used, tuple(clamped))


def _joint_folder(problem: InferenceProblem, settings: Settings) -> str:
    """The mate folder whose mates alone make joints, in lower case; "" if there is none."""
    wanted = settings.mates.folder
    present = {name for mate in problem.mates for name in mate.folders}
    for name in (wanted.casefold(), DOF_FOLDER) if wanted else ():
        if name in present:
            return name
    if wanted not in ("", MateSettings().folder):
        known = nearest(wanted, sorted(present))
        raise SettingsError(f"There is no mate folder `{wanted}`.{known}", ("mates", "folder"))
    return ""


def _outside_folder(problem: InferenceProblem, folder: str, findings: Findings) -> Iterator[Joined]:
    """Everything that mates connect is rigid, but for the pairs of components of the mates in the folder."""
    makes_joint = [folder in mate.folders for mate in problem.mates]
    pairs = {
        pair
        for mate, is_inside in zip(problem.mates, makes_joint, strict=True)
        for pair in combinations(sorted({entity.node for entity in mate.entities}), 2)
        if is_inside and mate.type not in COUPLINGS
    }
    findings.add("joint-folder", "assembly", folder=folder, count=len(pairs))
    for mate in problem.mates:
        if mate.type in COUPLINGS or mate.is_limit:
            continue
        for pair in combinations(sorted({entity.node for entity in mate.entities}), 2):
            if pair not in pairs:
                yield _join(*pair, f"`{mate.name}` is not in the mate folder `{folder}`")


def _join(a: int, b: int, reason: str) -> Joined:
    return (min(a, b), max(a, b)), reason


def _fixed(problem: InferenceProblem) -> Iterator[Joined]:
    for number, node in enumerate(problem.nodes):
        if node.is_fixed and number != GROUND:
            yield _join(node.holder, number, f"`{node.name}` is fixed")


def _joined_by_settings(problem: InferenceProblem, groups: Sequence[Sequence[str]]) -> Iterator[Joined]:
    for group in filter(None, groups):
        first, *others = (problem.node_of(name, ("links", "join")) for name in group)
        yield from (_join(first, other, BY_SETTINGS) for other in others)


def _partners(problem: InferenceProblem, of: Collection[int]) -> dict[int, dict[int, list[int]]]:
    """For each of the nodes, the nodes that it is mated to, with the mates."""
    result: dict[int, dict[int, list[int]]] = {number: defaultdict(list) for number in of}
    for index, mate in enumerate(problem.mates):
        nodes = sorted({entity.node for entity in mate.entities})
        for number in nodes:
            if number in result:
                for other in nodes:
                    if other != number:
                        result[number][other].append(index)
    return result


def _candidates(
    problem: InferenceProblem, others: Mapping[int, Sequence[int]], fasteners: Collection[int]
) -> list[int]:
    """The parts that a fastener is mated to, its host first; other fasteners only if there is no part.

    The host is the part with most mates. A part with a slot for the fastener comes last: it may be shifted along it.
    """
    slotted = set()
    for part, mates in others.items():
        if any(problem.mates[number].type is MateType.SLOT for number in mates):
            slotted.add(part)
    parts = (part for part in others if part not in fasteners)
    return sorted(parts, key=lambda part: (part in slotted, -len(others[part]), part)) or sorted(others)


def _find_clamped(
    problem: InferenceProblem,
    fasteners: Mapping[int, str],
    partners: Mapping[int, Mapping[int, Sequence[int]]],
    joined: Iterable[Joined],
) -> list[ClampedParts]:
    """The parts that only fasteners connect, each with its fastener and the host of that."""
    if not partners:
        return []
    groups = DisjointSets(len(problem.nodes))
    for (a, b), _ in joined:
        groups.join(a, b)
    for mate in problem.mates:
        nodes = [entity.node for entity in mate.entities]
        if not fasteners.keys() & set(nodes):
            for other in nodes[1:]:
                groups.join(nodes[0], other)
    clamped = []
    for number, others in sorted(partners.items()):
        parts = _candidates(problem, others, fasteners)
        for part in parts[1:]:
            if groups.join(parts[0], part):
                clamped.append(ClampedParts((min(parts[0], part), max(parts[0], part)), number))
    return clamped


def _held(problem: InferenceProblem, opening: Mapping[str, str], joined: Iterable[Joined]) -> list[Joined]:
    """Parts of sub-assemblies joined to them, where their own mates do not move them or they must not open."""
    everything = held_nodes(problem.nodes)
    mates: dict[int, list[PlacedMate]] = defaultdict(list)
    for mate in problem.mates:
        mates[mate.owner].append(mate)
    # By the lower node of each edge, so that a sub-assembly looks at the edges of its own nodes alone.
    edges: dict[int, list[Edge]] = defaultdict(list)
    for edge, _ in joined:
        edges[edge[0]].append(edge)
    result: list[Joined] = []

    def join(number: int, child: int, reason: str) -> None:
        joined_nodes = _join(number, child, reason)
        result.append(joined_nodes)
        edges[joined_nodes[0][0]].append(joined_nodes[0])

    for number, held in everything.items():
        if number == GROUND:
            continue
        node = problem.nodes[number]
        way = opening.get(node.name, opening.get(ALL, "auto"))
        if way == "never" or (way == "asSolved" and _is_solved_rigid(problem, number)):
            for child in held:
                join(number, child, f"`{node.name}` is kept closed")
            continue
        clusters = _clusters(number, everything, mates[number], edges)
        loose = [cluster for cluster in clusters if number not in cluster]
        if node.solving == Solving.swComponentFlexibleSolving or way == "always":
            loose = loose[:1] if not any(number in cluster and len(cluster) > 1 for cluster in clusters) else []
        for cluster in loose:
            join(number, cluster[0], f"`{node.name}` holds `{problem.nodes[cluster[0]].name}`")
    return result


def _is_solved_rigid(problem: InferenceProblem, number: int) -> bool:
    """Whether SolidWorks solves a sub-assembly, or one that holds it, as rigid."""
    while number != GROUND:
        if problem.nodes[number].solving == Solving.swComponentRigidSolving:
            return True
        number = problem.nodes[number].holder
    return False


def _clusters(
    number: int,
    everything: Mapping[int, list[int]],
    mates: Iterable[PlacedMate],
    edges: Mapping[int, list[Edge]],
) -> list[list[int]]:
    """The nodes of a sub-assembly that its own mates and the edges connect, largest group first."""
    held = everything[number]
    places = {node: place for place, node in enumerate([number, *held])}
    for child in held:  # deeper nodes move with the child that holds them, until that is opened itself
        stack = list(everything.get(child, ()))
        while stack:
            node = stack.pop()
            places[node] = places[child]
            stack.extend(everything.get(node, ()))
    groups = DisjointSets(len(held) + 1)
    ties: list[tuple[int, ...]] = [edge for node in places for edge in edges.get(node, ())]
    ties += [tuple(entity.node for entity in mate.entities) for mate in mates]
    for nodes in ties:
        inside = [places[node] for node in nodes if node in places]
        for other in inside[1:]:
            groups.join(inside[0], other)
    clusters = [[[number, *held][place] for place in cluster] for cluster in groups.members()]
    return sorted(clusters, key=lambda cluster: (-len(cluster), cluster))
