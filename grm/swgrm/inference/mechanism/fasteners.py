"""Which components are fasteners (bolts, nuts, washers): rigid, never parents, never joints.

A fastener has only the mates of a part in a hole, and at least one sign of it: it is a Toolbox part, it is named like a
fastener, or it is small and turned. Toolbox has other parts, too, such as gears and bearings, and a fastener may carry
what it is mated to. So one sign is enough for a part that is in one other part. A part that is mated to two others
must have two signs, because parts that only a fastener connects become one body.

Pins, shoulder screws and bearings are not fasteners in this sense, because other parts turn on them. They only lose the
rotation about their own axis, if nothing else notices it (`mechanism.turned_parts`).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from fnmatch import fnmatchcase
from pathlib import PureWindowsPath

import numpy as np

from swgrm.capture import Component
from swgrm.findings import Findings
from swgrm.inference.mates.types import COUPLINGS, GeometryKind, MateType, PlacedMate
from swgrm.inference.mechanism.turned_shape import PartMeasures, PlacedPart, TurnedShape
from swgrm.inference.problem import GROUND, AssemblyNode, InferenceProblem
from swgrm.settings import FastenerChoice
from swgrm.solidworks.fasteners import NameHint, find_name_hint, is_named_like_fastener
from swgrm.solidworks.swconst import swToolBoxPartType_e
from swgrm.ties import EQUAL

NAMED = "named like a fastener"
FROM_TOOLBOX = "Toolbox part"
TURNED = "small turned part"
SMALL = 0.6  # of the largest neighbour's size
SMALL_VOLUME = 0.05  # of the largest neighbour's volume
LARGE = 0.2  # [m] a part of this size is not a fastener by one sign alone
TOOLBOX = (swToolBoxPartType_e.swToolboxStandardPart, swToolBoxPartType_e.swToolboxCopiedPart)
HOLE_MATES = frozenset(
    {
        MateType.CONCENTRIC,
        MateType.COINCIDENT,
        MateType.PARALLEL,
        MateType.DISTANCE,
        MateType.TANGENT,
        MateType.LOCK,
        MateType.PROFILE_CENTER,
        MateType.SLOT,
        MateType.WIDTH,
    }
)  # that hold a part in its place
AXIAL = (GeometryKind.CYLINDER, GeometryKind.CIRCLE, GeometryKind.LINE, GeometryKind.CONE)
BY_SHAPE = "byShape"  # in the settings: whether small turned parts are rigid by their shape
PIVOT = "pivot"


class FastenerDecisions:
    """What the settings decide about fasteners: by component or file name, also as patterns, and about all."""

    def __init__(self, decided: Mapping[str, FastenerChoice]) -> None:
        self.by_shape = decided.get(BY_SHAPE, True) is True
        self._decided = {name: is_fastener for name, is_fastener in decided.items() if name != BY_SHAPE}

    def decide(self, node: AssemblyNode) -> FastenerChoice | None:
        """The decision about a component: under its own name, else the first whose pattern it matches; or None."""
        if node.name in self._decided:
            return self._decided[node.name]
        for pattern, is_fastener in self._decided.items():
            if _matches(node, pattern):
                return is_fastener
        return None

    def decided_nodes(self, problem: InferenceProblem) -> frozenset[int]:
        """The components about which the settings decide."""
        if not self._decided:
            return frozenset()
        return frozenset(number for number, node in enumerate(problem.nodes) if self.decide(node) is not None)

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
    """The nodes that are fasteners by the signs of it or by the settings, with the signs."""
    mates: dict[int, list[PlacedMate]] = defaultdict(list)
    for mate in problem.mates:
        for number in {entity.node for entity in mate.entities}:
            mates[number].append(mate)
    possible: dict[int, list[str]] = {}
    for number, node in enumerate(problem.nodes):
        if node.component is None or node.is_assembly:
            continue
        decision = decisions.decide(node)
        if decision is True:
            possible[number] = ["as the settings decide"]
        elif decision is None and (signs := _signs(problem, measures, number, mates[number])):
            possible[number] = signs
    fasteners = {}
    for number, signs in possible.items():
        node = problem.nodes[number]
        if decisions.decide(node) is None and not _is_proven(problem, measures, number, mates[number], signs, possible):
            continue
        fasteners[number] = ", ".join(signs)
        findings.add("fastener", node.where, signs=fasteners[number])
    return fasteners


def name_hint_of(node: AssemblyNode) -> NameHint:
    """What the name of a component suggests; a capture without names has it."""
    hint = node.component.name_hint if node.component else None
    return find_name_hint(node.name) if hint is None else NameHint(hint)


def is_pivot(node: AssemblyNode, measures: PartMeasures, decisions: FastenerDecisions) -> bool:
    """Whether a part is a pin, a shoulder screw or a bearing, whatever its shape.

    A name such as pin or bearing is not enough. The Toolbox, or the standard in a name, must agree; a standard only
    where the size does not contradict.
    """
    if node.is_assembly or node.component is None:
        return False
    decision = decisions.decide(node)
    if decision is not None:
        return decision == PIVOT
    hint = name_hint_of(node)
    if hint is NameHint.PIVOT and _is_named(node):
        return (measures.size(node.component) or 0.0) <= LARGE
    return hint in (NameHint.PIVOT, NameHint.ELEMENT) and _is_from_toolbox(node)


def _is_from_toolbox(node: AssemblyNode) -> bool:
    return node.document is not None and node.document.toolbox in TOOLBOX


def _is_named(node: AssemblyNode) -> bool:
    """Whether a component is named like a fastener; a capture without names has it."""
    named = node.component.named_like_fastener if node.component else None
    return is_named_like_fastener(node.name.rpartition("/")[2]) if named is None else named


def _signs(problem: InferenceProblem, measures: PartMeasures, number: int, mates: Sequence[PlacedMate]) -> list[str]:
    """The signs that a node is a fastener; none if it is not."""
    node = problem.nodes[number]
    if any(mate.type not in HOLE_MATES or mate.type in COUPLINGS or mate.is_limit for mate in mates):
        return []
    is_named, is_from_toolbox = _is_named(node), _is_from_toolbox(node)
    if not is_named and not is_from_toolbox:
        return []
    hint = name_hint_of(node)
    # A flange bolt and a wheel nut are fasteners; a gear, a bearing and a pin are not, also from the Toolbox.
    if hint in (NameHint.PIVOT, NameHint.ELEMENT) or (hint is NameHint.MOVING and not is_named):
        return []
    signs = [FROM_TOOLBOX] if is_from_toolbox else []
    signs += [NAMED] if is_named else []
    size = measures.size(node.component) if node.component else None
    if len(signs) == 2 or not size:
        return signs
    if size > LARGE:
        return []
    beside = max((measures.size(component) or 0.0 for component in _neighbours(problem, number, mates)), default=0.0)
    if not beside:
        return signs
    is_small = size <= SMALL * beside * (1 + EQUAL)  # just that share, which somebody may have designed, is small
    return [*signs, "smaller than the parts around it"] if is_small else []


def _neighbours(problem: InferenceProblem, number: int, mates: Sequence[PlacedMate]) -> list[Component]:
    """The components that a node is mated to."""
    nodes = {entity.node for mate in mates for entity in mate.entities} - {number, GROUND}
    return [component for node in sorted(nodes) if (component := problem.nodes[node].component) is not None]


def _is_proven(
    problem: InferenceProblem,
    measures: PartMeasures,
    number: int,
    mates: Sequence[PlacedMate],
    signs: list[str],
    possible: Collection[int],
) -> bool:
    """Whether a part is a fastener although it is mated to several others; a third sign is added to its signs.

    Two of three signs prove it: from the Toolbox, named like a fastener, turned and small like a bolt.
    """
    partners = {entity.node for mate in mates for entity in mate.entities} - {number, GROUND, *possible}
    if len(partners) < 2 or {FROM_TOOLBOX, NAMED}.issubset(signs):
        return True
    if not _is_turned(problem, measures, number, mates, is_named=NAMED in signs):
        return False
    signs.append(TURNED)
    return True


def _is_turned(
    problem: InferenceProblem, measures: PartMeasures, number: int, mates: Sequence[PlacedMate], *, is_named: bool
) -> bool:
    """Whether a part is turned about the axis of its hole, small, and long like a bolt unless its name tells."""
    component = problem.nodes[number].component
    axes = [
        entity for mate in mates for entity in mate.entities if entity.node == number and entity.kind in AXIAL
    ]  # fmt: skip
    if component is None or not axes:
        return False
    placed = [PlacedPart(component, problem.nodes[number].T)]
    outline = measures.find_outline(placed, np.array(axes[0].direction), np.array(axes[0].point))
    if outline is None or (outline.shape is not TurnedShape.PIN and not is_named):
        return False
    beside = max(measures.volume(neighbour) for neighbour in _neighbours(problem, number, mates))
    return measures.volume(component) <= SMALL_VOLUME * beside
