"""Which components are fasteners (bolts, nuts, washers): rigid, never parents, never joints.

No sign is trusted alone but SolidWorks' own Toolbox flag: a name that reads like a fastener's counts only if the
part is small beside what it is mated to and if its mates are those of a part in a hole.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping

import numpy as np

from swgrm.capture import Index
from swgrm.fasteners import is_named_like_fastener
from swgrm.inference.mates.types import COUPLINGS, Mate, MateType
from swgrm.inference.problem import GROUND, Node, Problem

SMALL = 0.6  # of the largest neighbour's size
HOLE_MATES = frozenset(
    {MateType.CONCENTRIC, MateType.COINCIDENT, MateType.PARALLEL, MateType.DISTANCE, MateType.TANGENT, MateType.LOCK}
)


def find_fasteners(problem: Problem, index: Index, decided: Mapping[str, bool]) -> dict[int, str]:
    """The nodes that are fasteners, and by which signs; `decided` is the user's word, by component name."""
    mates: dict[int, list[Mate]] = defaultdict(list)
    for mate in problem.mates:
        for body in {feature.body for feature in mate.features}:
            mates[body].append(mate)
    found = {}
    for number, node in enumerate(problem.nodes):
        if node.component is None or node.is_assembly or decided.get(node.name) is False:
            continue
        signs = ["the settings say so"] if decided.get(node.name) else _signs(problem, index, number, mates[number])
        if signs:
            found[number] = ", ".join(signs)
    return found


def _signs(problem: Problem, index: Index, number: int, mates: list[Mate]) -> list[str]:
    node = problem.nodes[number]
    if any(mate.type not in HOLE_MATES or mate.type in COUPLINGS or mate.is_limit for mate in mates):
        return []
    signs = []
    if node.document is not None and node.document.toolbox in (1, 2):
        signs.append("a Toolbox part")
    named = node.component.named_like_fastener if node.component else None
    if is_named_like_fastener(node.name.rpartition("/")[2]) if named is None else named:
        signs.append("named like one")
    size = _size(index, node)
    neighbours = {f.body for mate in mates for f in mate.features} - {number, GROUND}
    beside = max((_size(index, problem.nodes[n]) or 0.0 for n in neighbours), default=0.0)
    if signs and size and beside:
        if size > SMALL * beside and signs == ["named like one"]:
            return []
        if size <= SMALL * beside:
            signs.append("small beside its neighbours")
    return signs


def _size(index: Index, node: Node) -> float | None:
    """The diagonal of the boxes of a component's bodies [m]."""
    shape = index.shape(node.component) if node.component else None
    boxes = [body.box for body in shape.bodies if body.box] if shape else []
    if not boxes:
        return None
    corners = np.array(boxes).reshape(-1, 2, 3)
    return float(np.linalg.norm(corners[:, 1].max(axis=0) - corners[:, 0].min(axis=0)))
