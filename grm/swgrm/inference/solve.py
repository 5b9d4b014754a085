"""The whole mechanism: bodies merged to a fixed point, pairs, and what the loops leave of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np

from swgrm.inference.blocks import Verdict, solve_block
from swgrm.inference.equations import NOBODY, Equations
from swgrm.inference.geometry import Array, Ints
from swgrm.inference.graph import Edge, Groups, blocks
from swgrm.inference.pairs import Pair, find_pairs


@dataclass(frozen=True, slots=True, eq=False)
class Loop:
    """A block of pairs that constrain each other."""

    edges: tuple[Edge, ...]
    mobility: int
    is_shaky: bool


@dataclass(frozen=True, slots=True, eq=False)
class Merger:
    """Why bodies were joined: the pair, or the loop, that leaves them nothing."""

    nodes: Edge  # one node of each body, as they were then
    mates: tuple[int, ...]
    through_loop: bool
    pair: Pair


@dataclass(frozen=True, slots=True, eq=False)
class Mechanism:
    """Bodies (groups of nodes), the pairs that move, the loops among them, and how bodies came to be joined."""

    labels: Ints  # (nodes,) the lowest node of each node's body
    pairs: dict[Edge, Pair]
    loops: tuple[Loop, ...]
    mergers: tuple[Merger, ...]
    equations: Equations

    @property
    def mobility(self) -> int:
        """The number of independent motions of the whole."""
        in_loops = {edge for loop in self.loops for edge in loop.edges}
        trees = sum(len(pair.freedom.basis.T) for edge, pair in self.pairs.items() if edge not in in_loops)
        return trees + sum(loop.mobility for loop in self.loops)


def solve(
    count: int,
    equations: Equations,
    joined: Iterable[Edge],
    orientation: Callable[[int], Array],
    refine: Callable[[Pair, Ints], Pair] = lambda pair, _: pair,
) -> Mechanism:
    """The mechanism of `count` nodes; `joined` are rigid from the start, `orientation(node)` is a node's rotation.

    `refine` may know more of a pair than its rows (a screw's pitch); it gets the bodies of all nodes too.
    """
    groups = Groups(count)
    for a, b in joined:
        groups.join(a, b)
    state = _State(groups, equations, orientation, refine)
    while state.merge_pairs() or state.merge_loops():
        pass  # merging changes which mates act between which bodies: look again
    return Mechanism(state.labels, state.narrowed(), tuple(state.loops()), tuple(state.mergers), equations)


class _State:
    """The fixed point in the making: what is known of the pairs and blocks that did not change is kept."""

    def __init__(
        self,
        groups: Groups,
        equations: Equations,
        orientation: Callable[[int], Array],
        refine: Callable[[Pair, Ints], Pair],
    ) -> None:
        self.groups, self.equations, self.orientation, self.refine = groups, equations, orientation, refine
        self.pairs: dict[Edge, Pair] = {}
        self.verdicts: dict[tuple[Edge, ...], Verdict] = {}
        self.mergers: list[Merger] = []
        self.blocks: list[tuple[Edge, ...]] = []
        self.triples: list[tuple[int, set[int]]] = []
        self.labels = self._labels()

    def _labels(self) -> Ints:
        labels = np.empty(sum(map(len, members := self.groups.members())), dtype=np.intp)
        for group in members:
            labels[group] = group[0]
        return labels

    def _ends(self) -> tuple[Ints, Ints]:
        """The lowest and the highest body of each equation, and whether there are just these two.  # (m, 2), (m,)."""
        labels, eq = self.labels, self.equations
        first, second = labels[eq.first], labels[eq.second]
        mirror = np.where(eq.mirror == NOBODY, first, labels[eq.mirror])
        stack = np.stack([first, second, mirror])
        low, high = stack.min(axis=0), stack.max(axis=0)
        two = (low != high) & ((stack == low) | (stack == high)).all(axis=0)
        return np.column_stack([low, high]), two

    def merge_pairs(self) -> bool:
        """Find the pairs that changed; join those that are left nothing."""
        ends, two = self._ends()
        known = np.array([(a, b) not in self.pairs for a, b in ends.tolist()], dtype=bool).reshape(-1)
        numbers = np.flatnonzero(two & known)
        references = {int(node): self.orientation(int(node)) for node in np.unique(ends[numbers, 0])}
        for pair in find_pairs(self.equations, numbers, ends[numbers], self.labels, references):
            self.pairs[pair.edge] = self.refine(pair, self.labels)
        rigid = [pair for pair in self.pairs.values() if pair.freedom.dimension == 0]
        return self._join([(pair, False) for pair in rigid])

    def merge_loops(self) -> bool:
        """Solve the blocks that changed; join the pairs that they leave nothing."""
        self.blocks = self._find_blocks()
        rigid = []
        for edges in self.blocks:
            verdict = self._verdict(edges)
            rigid += [(self.pairs[e], True) for e in edges if e in self.pairs and verdict.chains.get(e, None) == ()]
        return self._join(rigid)

    def _join(self, rigid: Sequence[tuple[Pair, bool]]) -> bool:
        touched: set[int] = set()
        for pair, through_loop in rigid:
            mates = tuple(sorted(set(self.equations.mate[pair.numbers].tolist())))
            self.mergers.append(Merger(pair.edge, mates, through_loop, pair))
            self.groups.join(*pair.edge)
            touched.update(pair.edge)
        if touched:
            self.labels = self._labels()
            self.pairs = {edge: pair for edge, pair in self.pairs.items() if not touched.intersection(edge)}
        return bool(touched)

    def _find_blocks(self) -> list[tuple[Edge, ...]]:
        """The blocks of more than one pair; equations between three bodies tie each of these to the others."""
        ends, two = self._ends()
        eq = self.equations
        numbers = np.flatnonzero((ends[:, 0] != ends[:, 1]) & ~two)
        bodies = self.labels[np.column_stack([eq.first, eq.second, eq.mirror])[numbers]]
        self.triples = [(number, set(three)) for number, three in zip(numbers.tolist(), bodies.tolist(), strict=True)]
        ties = {(min(e), max(e)) for _, three in self.triples for e in combinations(sorted(three), 2)}
        return [tuple(block) for block in blocks([*self.pairs, *ties]) if len(block) > 1]

    def _verdict(self, edges: tuple[Edge, ...]) -> Verdict:
        if edges not in self.verdicts:
            nodes = {node for edge in edges for node in edge}
            inside = np.array([number for number, three in self.triples if three <= nodes], dtype=np.intp)
            extra = self.equations[inside]
            extra = replace(
                extra,
                first=self.labels[extra.first],
                second=self.labels[extra.second],
                mirror=self.labels[extra.mirror],
            )
            pairs = [self.pairs[edge] for edge in edges if edge in self.pairs]
            references = {pair.edge[0]: self.orientation(pair.edge[0]) for pair in pairs}
            self.verdicts[edges] = solve_block(pairs, extra, references)
        return self.verdicts[edges]

    def narrowed(self) -> dict[Edge, Pair]:
        """The pairs with what the loops leave of them."""
        result = dict(sorted(self.pairs.items()))
        for edges in self.blocks:
            for edge, chain in self._verdict(edges).chains.items():
                result[edge] = replace(result[edge], chain=chain, narrowed_from=result[edge].chain)
        return result

    def loops(self) -> list[Loop]:
        """The blocks as they ended."""
        verdicts = ((edges, self._verdict(edges)) for edges in self.blocks)
        return [Loop(edges, verdict.mobility, verdict.is_shaky) for edges, verdict in verdicts]
