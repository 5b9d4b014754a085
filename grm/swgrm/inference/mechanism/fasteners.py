"""Which components are fasteners (bolts, nuts, washers): rigid, never parents, never joints.

A fastener has only the mates of a part in a hole, and is a Toolbox part or named like a fastener. Without the Toolbox
flag it must also be smaller than the parts that it is mated to, where sizes are known, and be smaller than 0.2 m.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping

from swgrm.capture import Index
from swgrm.fasteners import is_named_like_fastener
from swgrm.findings import Findings
from swgrm.inference.mates.types import COUPLINGS, MateType, PlacedMate
from swgrm.inference.problem import GROUND, AssemblyNode, InferenceProblem
from swgrm.swconst import swToolBoxPartType_e

NAMED = "named like a fastener"
SMALL = 0.6  # of the largest neighbour's size
LARGE = 0.2  # [m] a part of this size is not a fastener by its name alone
TOOLBOX = (swToolBoxPartType_e.swToolboxStandardPart, swToolBoxPartType_e.swToolboxCopiedPart)
HOLE_MATES = frozenset(
    {MateType.CONCENTRIC, MateType.COINCIDENT, MateType.PARALLEL, MateType.DISTANCE, MateType.TANGENT, MateType.LOCK}
)


def find_fasteners(
    problem: InferenceProblem, index: Index, decided: Mapping[str, bool], findings: Findings
) -> dict[int, str]:
    """The nodes that are fasteners, with the signs of it; `decided` are the user's decisions by component name."""
    mates: dict[int, list[PlacedMate]] = defaultdict(list)
    for mate in problem.mates:
        for number in {entity.node for entity in mate.entities}:
            mates[number].append(mate)
    found = {}
    for number, node in enumerate(problem.nodes):
        if node.component is None or node.is_assembly or decided.get(node.name) is False:
            continue
        signs = ["as the settings decide"] if decided.get(node.name) else _signs(problem, index, number, mates[number])
        if signs:
            found[number] = ", ".join(signs)
            findings.add("fastener", node.where, signs=found[number])
    return found


def _signs(problem: InferenceProblem, index: Index, number: int, mates: list[PlacedMate]) -> list[str]:
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
    size = _size(index, node)
    neighbours = {f.node for mate in mates for f in mate.entities} - {number, GROUND}
    beside = max((_size(index, problem.nodes[n]) or 0.0 for n in neighbours), default=0.0)
    if signs == [NAMED] and size and size > LARGE:
        return []
    if size and beside:
        if size > SMALL * beside and signs == [NAMED]:
            return []
        if size <= SMALL * beside:
            signs.append("smaller than the parts around it")
    return signs


def _size(index: Index, node: AssemblyNode) -> float | None:
    """The diagonal of the boxes of a component's bodies [m]."""
    shape = index.shape(node.component) if node.component else None
    boxes = [body.box for body in shape.bodies if body.box] if shape else []
    if not boxes:
        return None
    lowest = [min(each) for each in zip(*[box[:3] for box in boxes], strict=True)]
    highest = [max(each) for each in zip(*[box[3:] for box in boxes], strict=True)]
    return math.dist(lowest, highest)
