"""The seed of each instance of a component pattern, and what suppressed seeds would be mated to."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence

import numpy as np

from swgrm.capture import ComponentPattern, Index
from swgrm.inference.geometry.twists import Array
from swgrm.inference.problem import GROUND, AssemblyNode, InferenceProblem
from swgrm.transforms import column_matrix, inverse

SAME_SHIFT = 1e-6  # of the elements of a transform [m for lengths]


def find_pattern_seeds(problem: InferenceProblem, index: Index) -> dict[int, str]:
    """The name of the seed of each node that is an instance of a pattern, as far as the capture has patterns."""
    numbers = problem.index
    seeds: dict[int, str] = {}
    for node in problem.nodes:
        document = node.document if node.is_assembly else None
        for pattern in document.patterns if document else ():
            if not pattern.suppressed:
                seeds |= _seeds_of_pattern(problem.nodes, numbers, index, node, pattern)
    return seeds


def _seeds_of_pattern(
    nodes: Sequence[AssemblyNode], numbers: Mapping[str, int], index: Index, owner: AssemblyNode,
    pattern: ComponentPattern,
) -> dict[int, str]:  # fmt: skip
    """The name of the seed of each instance of one pattern: a component of the same part.

    If several seeds are of that part, it is the one that a transform of the pattern carries to the instance.
    """
    prefix = f"{owner.name}/" if owner.name else ""
    shifts = [column_matrix(transform) for transform in pattern.transforms]
    seed_names = [prefix + name for name in pattern.seeds]
    seeds: dict[int, str] = {}
    for place, name in enumerate(pattern.instances):
        instance = numbers.get(prefix + name)
        if instance is None:
            continue
        alike = [seed for seed in seed_names if _path_of(index, seed) == nodes[instance].part[0]]
        options = [seed for seed in alike if seed in numbers]
        if len(options) > 1:
            carried = [seed for seed in options if _is_carried(owner, nodes[numbers[seed]], nodes[instance], shifts)]
            options = carried or [options[place % len(options)]]
        if options or alike:
            seeds[instance] = (options or alike)[0]
    return seeds


def _path_of(index: Index, name: str) -> str:
    """The file of a component, which may be suppressed."""
    component = index.components.get(name)
    return component.path if component else ""


def _is_carried(owner: AssemblyNode, seed: AssemblyNode, instance: AssemblyNode, shifts: Sequence[Array]) -> bool:
    """Whether one of the shifts in the owner's space carries the seed to the instance."""
    T_owner_root = inverse(owner.T)
    shift = T_owner_root @ instance.T @ inverse(T_owner_root @ seed.T)
    return any(np.abs(shift - expected).max() < SAME_SHIFT for expected in shifts)


class SuppressedSeeds:
    """Components that are suppressed, and the partners of the mates that they would have."""

    def __init__(self, problem: InferenceProblem, index: Index) -> None:
        self._partners: dict[str, Counter[int]] = defaultdict(Counter)
        self._names: dict[tuple[int, tuple[str, str]], list[str]] = defaultdict(list)  # by holder and part
        numbers = problem.index
        for owner, node in enumerate(problem.nodes):
            document = node.document if node.is_assembly else None
            prefix = f"{node.name}/" if node.name else ""
            for mate in document.mates if document else ():
                names = [prefix + entity.component for entity in mate.entities if entity.component]
                partners = {numbers[name] for name in names if name in numbers} or {owner}
                for name in names:
                    if name not in numbers:
                        self._partners[name].update(partners)
        for name in self._partners:
            component = index.components.get(name)
            if component is not None:
                holder = numbers.get(component.parent, GROUND)
                self._names[holder, (component.path, component.configuration)].append(name)

    def partner_of(self, name: str) -> int | None:
        """The node that most mates of a suppressed component refer to; None if it has no mates."""
        counts = self._partners.get(name)
        return min(counts, key=lambda node: (-counts[node], node)) if counts else None

    def of_part(self, holder: int, part: tuple[str, str]) -> list[str]:
        """The suppressed components of a part in a document that have mates."""
        return self._names[holder, part]
