"""The few graph algorithms that inference needs, all iterative and near-linear."""

from __future__ import annotations

import heapq
from collections import defaultdict
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from typing import NamedTuple

Edge = tuple[int, int]  # two nodes, the lower first


class DisjointSets:
    """Disjoint sets of nodes (union-find with path halving and union by size)."""

    def __init__(self, count: int) -> None:
        self._parent = list(range(count))
        self._size = [1] * count

    def find(self, node: int) -> int:
        """The node that represents the group."""
        parent = self._parent
        while parent[node] != node:
            parent[node] = parent[parent[node]]
            node = parent[node]
        return node

    def join(self, a: int, b: int) -> bool:
        """Make one group of two; false if they were one."""
        a, b = self.find(a), self.find(b)
        if a == b:
            return False
        if self._size[a] < self._size[b]:
            a, b = b, a
        self._parent[b] = a
        self._size[a] += self._size[b]
        return True

    def members(self) -> list[list[int]]:
        """The groups, each sorted, in the order of their first members."""
        lists: dict[int, list[int]] = defaultdict(list)
        for node in range(len(self._parent)):
            lists[self.find(node)].append(node)
        return list(lists.values())


def is_forest(edges: Collection[Edge]) -> bool:
    """Whether no edges make a loop."""
    groups = DisjointSets(1 + max((high for _, high in edges), default=0))
    return all(groups.join(a, b) for a, b in edges)


def blocks(edges: Iterable[Edge]) -> list[list[Edge]]:
    """The biconnected blocks of a graph, each as its sorted edges (Hopcroft & Tarjan 1973, without recursion)."""
    neighbours: dict[int, list[int]] = defaultdict(list)
    for a, b in sorted(set(edges)):
        neighbours[a].append(b)
        neighbours[b].append(a)
    number: dict[int, int] = {}
    low: dict[int, int] = {}
    found: list[list[Edge]] = []
    for start in sorted(neighbours):
        if start not in number:
            _search(start, neighbours, number, low, found)
    return sorted(found)


def _search(
    start: int,
    neighbours: Mapping[int, list[int]],
    number: dict[int, int],
    low: dict[int, int],
    found: list[list[Edge]],
) -> None:
    number[start] = low[start] = len(number)
    pending: list[Edge] = []
    stack = [(start, -1, iter(neighbours[start]))]
    while stack:
        node, parent, rest = stack[-1]
        following = next(rest, None)
        if following is None:
            stack.pop()
            if stack:
                low[parent] = min(low[parent], low[node])
                if low[node] >= number[parent]:
                    found.append(_take_block(pending, (parent, node)))
        elif following not in number:
            number[following] = low[following] = len(number)
            pending.append((node, following))
            stack.append((following, node, iter(neighbours[following])))
        elif following != parent and number[following] < number[node]:
            pending.append((node, following))
            low[node] = min(low[node], number[following])


def _take_block(pending: list[Edge], last: Edge) -> list[Edge]:
    taken: list[Edge] = []
    while not taken or taken[-1] != last:
        taken.append(pending.pop())
    return sorted((min(edge), max(edge)) for edge in taken)


class TreeStep(NamedTuple):
    """A node reached in a spanning tree, from where, how deep."""

    node: int
    parent: int
    depth: int


def spanning_tree(root: int, edges: Sequence[Edge], rank: Callable[[Edge], tuple[int, Hashable]]) -> list[TreeStep]:
    """A minimum spanning tree grown from the root (Prim).

    `rank` gives (how complicated, tie): the simplest edge first, then the nearest to the root, then by the tie.
    """
    neighbours: dict[int, list[int]] = defaultdict(list)
    for a, b in edges:
        neighbours[a].append(b)
        neighbours[b].append(a)
    ranks = {edge: rank(edge) for edge in edges}
    reached = {root}
    steps: list[TreeStep] = []
    frontier: list[tuple[int, int, Hashable, int, int]] = []

    def push(node: int, depth: int) -> None:
        for other in neighbours[node]:
            if other not in reached:
                complicated, tie = ranks[min(node, other), max(node, other)]
                heapq.heappush(frontier, (complicated, depth, tie, other, node))

    push(root, 1)
    while frontier:
        _, depth, _, node, parent = heapq.heappop(frontier)
        if node not in reached:
            reached.add(node)
            steps.append(TreeStep(node, parent, depth))
            push(node, depth + 1)
    return steps
