"""The whole mechanism: bodies merged to a fixed point, pairs, and what the loops leave of them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Sequence
from itertools import combinations

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from swgrm.inference.geometry.equations import NOBODY, MateEquations
from swgrm.inference.geometry.twists import Array, Ints, Mask
from swgrm.inference.mechanism.body_pairs import BodyPair, find_pairs, with_chains
from swgrm.inference.mechanism.graph import DisjointSets, Edge, blocks, is_forest
from swgrm.inference.mechanism.loop_solver import BlockSolution, solve_blocks
from swgrm.inference.mechanism.twist_space import NEARLY


class KinematicLoop(Struct, frozen=True, eq=False):
    """A block of pairs that constrain each other."""

    edges: tuple[Edge, ...]
    mobility: int
    is_infinitesimal: bool
    extra: Ints  # its equations between three bodies
    displaced: tuple[dict[int, Array], ...]  # motions of its bodies to where it was solved, by label
    is_irreducible: bool = False  # it is known that none of its pairs can be left out


class BodyMerger(Struct, frozen=True, eq=False):
    """Why bodies were joined: the pair, or the loop, that leaves them no degree of freedom."""

    nodes: Edge  # one node of each body, as they were then
    mates: tuple[int, ...]
    through_loop: bool
    pair: BodyPair


class DoubtfulLoop(Struct, frozen=True, eq=False):
    """A loop that is rigid only because its geometry is nearly, but not exactly, aligned."""

    nodes: tuple[int, ...]  # one of each body, as they were then
    tightest: float  # the least violation by a direction that is held, in tolerances


class Mechanism(Struct, frozen=True, eq=False):
    """Bodies (groups of nodes), the pairs that move, the loops among them, and the mergers of bodies."""

    labels: Ints  # (nodes,) the lowest node of each node's body
    pairs: dict[Edge, BodyPair]
    loops: tuple[KinematicLoop, ...]
    mergers: tuple[BodyMerger, ...]
    equations: MateEquations
    joined: tuple[Edge, ...]  # nodes that were rigid from the start
    doubtful: tuple[DoubtfulLoop, ...]

    @property
    def mobility(self) -> int:
        """The degrees of freedom of the whole mechanism."""
        in_loops = {edge for loop in self.loops for edge in loop.edges}
        trees = sum(len(pair.twist_space.basis.T) for edge, pair in self.pairs.items() if edge not in in_loops)
        return trees + sum(loop.mobility for loop in self.loops)


def solve(
    count: int,
    equations: MateEquations,
    joined: Iterable[Edge],
    orientation: Callable[[int], Array],
    refine: Callable[[BodyPair, Ints], BodyPair] = lambda pair, _: pair,
) -> Mechanism:
    """The mechanism of `count` nodes; `joined` are rigid from the start, `orientation(node)` is a node's rotation.

    `refine` adds to a pair what its rows do not contain (a screw's pitch); it gets the bodies of all nodes too.
    """
    groups = DisjointSets(count)
    joined = tuple(joined)
    for a, b in joined:
        groups.join(a, b)
    state = _FixedPoint(groups, equations, orientation, refine)
    while state.merge_pairs() or state.merge_loops():
        pass  # merging changes which mates act between which bodies
    return Mechanism(
        state.labels,
        state.narrowed(),
        tuple(state.loops()),
        tuple(state.mergers),
        equations,
        joined,
        tuple(state.doubtful),
    )


def parts_without(
    mechanism: Mechanism, nodes: Sequence[int], mates: Collection[int], parted: Collection[Edge] = ()
) -> list[int]:
    """The bodies that the nodes of one body would be without some mates, as a label for each node."""
    labels: list[int] = solve_without(mechanism, nodes, mates, parted).labels.tolist()
    return labels


def solve_without(
    mechanism: Mechanism, nodes: Sequence[int], mates: Collection[int], parted: Collection[Edge] = ()
) -> Mechanism:
    """The mechanism of some nodes alone, numbered by their places, without some mates.

    The edges that are `parted` are not rigid from the start.
    """
    place = {node: k for k, node in enumerate(nodes)}
    inside = np.zeros(len(mechanism.labels) + 1, dtype=bool)  # the last one: NOBODY
    inside[[*nodes, NOBODY]] = True
    own = mechanism.equations
    kept = own[inside[own.first] & inside[own.second] & inside[own.mirror] & ~np.isin(own.mate, list(mates))]
    to = np.full(len(mechanism.labels) + 1, NOBODY, dtype=np.intp)
    to[list(place)] = list(place.values())
    local = replace(kept, first=to[kept.first], second=to[kept.second], mirror=to[kept.mirror])
    left = [edge for edge in mechanism.joined if edge not in parted]
    joined = [(place[a], place[b]) for a, b in left if a in place and b in place]
    return solve(len(nodes), local, joined, lambda _: np.eye(3))


class _FixedPoint:
    """The bodies and pairs while bodies are merged; merging two costs only what they touch."""

    def __init__(
        self,
        groups: DisjointSets,
        equations: MateEquations,
        orientation: Callable[[int], Array],
        refine: Callable[[BodyPair, Ints], BodyPair],
    ) -> None:
        self.equations, self.orientation, self.refine = equations, orientation, refine
        self.members = {group[0]: group for group in groups.members()}  # of each body, by its lowest node
        label_of = {node: label for label, nodes in self.members.items() for node in nodes}
        self.labels: Ints = np.array([label_of[node] for node in range(len(label_of))], dtype=np.intp)
        self.pairs: dict[Edge, BodyPair] = {}
        self.without_chain: set[Edge] = set()
        self.neighbours: dict[int, set[int]] = defaultdict(set)
        self.solutions: dict[tuple[tuple[BodyPair | Edge, ...], tuple[int, ...]], BlockSolution] = {}
        self.mergers: list[BodyMerger] = []
        self.doubtful: list[DoubtfulLoop] = []
        self.blocks: list[tuple[tuple[Edge, ...], BlockSolution]] = []
        self.changed: Ints = np.arange(len(equations))  # equations whose pairs must be found again
        self.triples: Ints = self.changed[:0]  # equations between three bodies

    def _ends(self, numbers: Ints) -> tuple[Ints, Ints, Mask]:
        """The lowest and the highest body of each equation, and whether there are just these two.  # (m,) each."""
        first, second = (self.labels.take(side.take(numbers)) for side in (self.equations.first, self.equations.second))
        mirror = self.equations.mirror.take(numbers)
        if (mirror == NOBODY).all():
            low, high = np.minimum(first, second), np.maximum(first, second)
            return low, high, low != high
        stack = np.stack([first, second, np.where(mirror == NOBODY, first, self.labels.take(mirror))])
        low, high = stack.min(axis=0), stack.max(axis=0)
        return low, high, (low != high) & ((stack == low) | (stack == high)).all(axis=0)

    def _triple_bodies(self) -> list[tuple[int, int, int]]:
        """The bodies of the equations between three bodies, in order."""
        eq, numbers = self.equations, self.triples
        sides = (self.labels[side[numbers]].tolist() for side in (eq.first, eq.second, eq.mirror))
        return [(a, b, c) for a, b, c in map(sorted, zip(*sides, strict=True))] if len(numbers) else []

    def merge_pairs(self) -> bool:
        """Find the pairs that changed; merge those without a degree of freedom. Whether any were merged."""
        numbers = np.concatenate([self.changed, self.triples])
        low, high, two = self._ends(numbers)
        if self.pairs or self.mergers:  # else these are all equations, in order
            edges = {*zip(low[two].tolist(), high[two].tolist(), strict=True)} & self.pairs.keys()
            numbers = np.unique(np.concatenate([numbers, *map(self._drop, edges)]))
            low, high, two = self._ends(numbers)
        self.changed = numbers[:0]
        self.triples = numbers[(low != high) & ~two]
        if not two.all():
            numbers, low, high = numbers[two], low[two], high[two]
        rigid = []
        for pair in find_pairs(self.equations, numbers, low, high, self.labels):
            self.pairs[pair.edge] = pair
            if not pair.has_chain:
                self.without_chain.add(pair.edge)
            for node, other in (pair.edge, pair.edge[::-1]):
                self.neighbours[node].add(other)
            if pair.twist_space.dimension == 0:
                rigid.append((pair, False))
        return self._join(rigid)

    def _drop(self, edge: Edge) -> Ints:
        """Remove a pair; returns its equations."""
        for node, other in (edge, edge[::-1]):
            self.neighbours[node].discard(other)
        return self.pairs.pop(edge).numbers

    def merge_loops(self) -> bool:
        """Solve the blocks that changed; merge the pairs that they hold. Whether any were merged."""
        left = [self.pairs[edge] for edge in sorted(self.without_chain & self.pairs.keys())]
        for pair in with_chains(left, self.orientation) if left else ():
            self.pairs[pair.edge] = self.refine(pair, self.labels)
        self.without_chain.clear()
        self.blocks = self._solve_blocks(self._find_blocks())
        self.doubtful += [
            DoubtfulLoop(tuple(sorted({node for edge in edges for node in edge})), solution.tightest)
            for edges, solution in self.blocks
            if solution.tightest < NEARLY
        ]
        rigid = [
            (self.pairs[edge], True)
            for edges, solution in self.blocks
            for edge in edges
            if edge in self.pairs and solution.chains.get(edge) == ()
        ]
        return self._join(rigid)

    def _join(self, rigid: Sequence[tuple[BodyPair, bool]]) -> bool:
        again = []
        for pair, through_loop in rigid:
            mates = tuple(sorted(set(self.equations.mate[pair.numbers].tolist())))
            self.mergers.append(BodyMerger(pair.edge, mates, through_loop, pair))
            low, high = sorted(int(self.labels[node]) for node in pair.edge)
            if low == high:
                continue
            again += [self._drop((min(high, n), max(high, n))) for n in sorted(self.neighbours[high])]
            nodes = self.members.pop(high)
            self.labels[nodes] = low
            self.members[low] += nodes
        self.changed = np.concatenate([self.changed, *again])
        return bool(rigid)

    def _find_blocks(self) -> list[tuple[Edge, ...]]:
        """The blocks of more than one pair; equations between three bodies connect each of these to the others."""
        connected = {edge for bodies in self._triple_bodies() for edge in combinations(bodies, 2)}
        if not connected and is_forest(self.pairs):
            return []
        found = (tuple(block) for block in blocks([*self.pairs, *connected]) if len(block) > 1)
        return [block for block in found if any(edge in self.pairs for edge in block)]

    def _solve_blocks(self, found: Sequence[tuple[Edge, ...]]) -> list[tuple[tuple[Edge, ...], BlockSolution]]:
        """The blocks with their solutions; blocks whose pairs did not change are not solved again."""
        if not found:
            return []
        extra = self._extra(found)
        keys = [
            (tuple(self.pairs.get(edge) or edge for edge in edges), tuple(inside))
            for edges, inside in zip(found, extra, strict=True)
        ]
        new = [k for k, key in enumerate(keys) if key not in self.solutions]
        jobs = [
            (found[k], [item for item in keys[k][0] if isinstance(item, BodyPair)], np.array(extra[k], dtype=np.intp))
            for k in new
        ]
        solved = solve_blocks(jobs, self.equations, self.labels, self.orientation)
        self.solutions.update(zip((keys[k] for k in new), solved, strict=True))
        return [(edges, self.solutions[key]) for edges, key in zip(found, keys, strict=True)]

    def _extra(self, found: Sequence[tuple[Edge, ...]]) -> list[list[int]]:
        """The equations between three bodies of each block."""
        result: list[list[int]] = [[] for _ in found]
        home = {edge: number for number, edges in enumerate(found) for edge in edges}
        for number, (low, high, _) in zip(self.triples.tolist(), self._triple_bodies(), strict=True):
            if (low, high) in home:
                result[home[low, high]].append(number)
        return result

    def narrowed(self) -> dict[Edge, BodyPair]:
        """The pairs with the chains that the loops leave."""
        result = dict(sorted(self.pairs.items()))
        for _, solution in self.blocks:
            for edge, chain in solution.chains.items():
                result[edge] = replace(result[edge], chain=chain, narrowed_from=result[edge].chain)
        return result

    def loops(self) -> list[KinematicLoop]:
        """The blocks at the end."""
        extra = self._extra([edges for edges, _ in self.blocks])
        return [
            KinematicLoop(
                edges, solution.mobility, solution.is_infinitesimal, np.array(own, dtype=np.intp), solution.displaced
            )
            for (edges, solution), own in zip(self.blocks, extra, strict=True)
        ]
