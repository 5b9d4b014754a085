"""Which components are fasteners (bolts, nuts, washers): rigid, never parents, never joints.

A fastener has only the mates of a part in a hole, and is a Toolbox part or named like a fastener. Without the Toolbox
flag it must also be smaller than the parts that it is mated to, where sizes are known, and be smaller than 0.2 m.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from fnmatch import fnmatchcase
from pathlib import PureWindowsPath

from swgrm.fasteners import is_named_like_fastener
from swgrm.findings import Findings
from swgrm.inference.mates.types import COUPLINGS, MateType, PlacedMate
from swgrm.inference.mechanism.turned_shape import PartMeasures
from swgrm.inference.problem import GROUND, AssemblyNode, InferenceProblem
from swgrm.swconst import swToolBoxPartType_e
from swgrm.ties import EQUAL

NAMED = "named like a fastener"
SMALL = 0.6  # of the largest neighbour's size
LARGE = 0.2  # [m] a part of this size is not a fastener by its name alone
TOOLBOX = (swToolBoxPartType_e.swToolboxStandardPart, swToolBoxPartType_e.swToolboxCopiedPart)
HOLE_MATES = frozenset(
    {MateType.CONCENTRIC, MateType.COINCIDENT, MateType.PARALLEL, MateType.DISTANCE, MateType.TANGENT, MateType.LOCK}
)
BY_SHAPE = "byShape"  # in the settings: whether small turned parts are rigid by their shape


class FastenerDecisions:
    """What the settings decide about fasteners: by component or file name, also as patterns, and about all."""

    def __init__(self, decided: Mapping[str, bool]) -> None:
        self.by_shape = decided.get(BY_SHAPE, True)
        self._decided = {name: is_fastener for name, is_fastener in decided.items() if name != BY_SHAPE}

    def decide(self, node: AssemblyNode) -> bool | None:
        """The decision about a component: under its own name, else the first whose pattern it matches; or None."""
        if node.name in self._decided:
            return self._decided[node.name]
        for pattern, is_fastener in self._decided.items():
            if _matches(node, pattern):
                return is_fastener
        return None

    def check(self, problem: InferenceProblem) -> None:
        """Raise an error if no component matches one of the names."""
        for pattern in self._decided:
            if not any(_matches(node, pattern) for node in problem.nodes):
                problem.node_of(pattern, ("fasteners", pattern))


def _matches(node: AssemblyNode, pattern: str) -> bool:
    """Whether a pattern is for a component: by its name from the root, its name in its assembly, or its file."""
    if node.component is None:
        return False
    file = PureWindowsPath(node.component.path)
    names = (node.name, node.component.leaf, file.name, file.stem)
    return pattern in names or any(fnmatchcase(name, pattern) for name in names)


def find_fasteners(
    problem: InferenceProblem, measures: PartMeasures, decisions: FastenerDecisions, findings: Findings
) -> dict[int, str]:
    """The nodes that are fasteners by their names or by the settings, with the signs of it."""
    mates: dict[int, list[PlacedMate]] = defaultdict(list)
    for mate in problem.mates:
        for number in {entity.node for entity in mate.entities}:
            mates[number].append(mate)
    found = {}
    for number, node in enumerate(problem.nodes):
        if node.component is None or node.is_assembly:
            continue
        decision = decisions.decide(node)
        if decision is False:
            continue
        signs = ["as the settings decide"] if decision else _signs(problem, measures, number, mates[number])
        if signs:
            found[number] = ", ".join(signs)
            findings.add("fastener", node.where, signs=found[number])
    return found


def _signs(problem: InferenceProblem, measures: PartMeasures, number: int, mates: list[PlacedMate]) -> list[str]:
    """The signs that a node is a fastener; none if it is not."""
    node = problem.nodes[number]
    if any(mate.type not in HOLE_MATES or mate.type in COUPLINGS or mate.is_limit for mate in mates):
        return []
    signs = []
    if node.document is not None and node.document.toolbox in TOOLBOX:
        signs.append("Toolbox part")
    named = node.component.named_like_fastener if node.component else None
    if is_named_like_fastener(node.name.rpartition("/")[2]) if named is None else named:
        signs.append(NAMED)
    if not signs:
        return []
    size = measures.size(node.component) if node.component else None
    neighbours = {entity.node for mate in mates for entity in mate.entities} - {number, GROUND}
    components = (problem.nodes[n].component for n in neighbours)
    beside = max((measures.size(component) or 0.0 for component in components if component), default=0.0)
    if signs == [NAMED] and size and size > LARGE:
        return []
    if size and beside:
        is_small = size <= SMALL * beside * (1 + EQUAL)  # just that share, which somebody may have designed, is small
        if not is_small and signs == [NAMED]:
            return []
        if is_small:
            signs.append("smaller than the parts around it")
    return signs
