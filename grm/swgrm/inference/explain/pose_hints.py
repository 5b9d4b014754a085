"""Hints why the assembled pose contradicts a mate: another space, kind or configuration under which it would hold."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import chain

from msgspec.structs import replace

from swgrm.inference.mates.placed_entities import IN_PLACE, KINDS, EntityFrames, place_entity
from swgrm.inference.mates.types import PlacedEntity, PlacedMate
from swgrm.inference.problem import InferenceProblem

MOST_HINTS = 20  # contradicted mates that are looked into; their number has no bound


def hint(problem: InferenceProblem, mate: PlacedMate, holds: Callable[[PlacedMate], bool]) -> str:
    """A sentence with what may be wrong about a contradicted mate."""
    for text, entities in chain(_in_other_spaces(problem, mate), _of_other_kinds(mate)):
        if holds(replace(mate, entities=entities, as_filed=None)):
            return f"It would hold if {text}."
    return _other_configuration(problem, mate) or "No other space or kind of its entities makes it hold."


Entities = tuple[PlacedEntity, ...]


def _in_other_spaces(problem: InferenceProblem, mate: PlacedMate) -> Iterator[tuple[str, Entities]]:
    """The entities in other spaces than that of the mate's document."""
    raw = mate.source.entities if mate.source else ()
    nodes = [entity.node for entity in mate.entities]
    own = tuple(
        place_entity(each, EntityFrames(node, problem.nodes[node].T, problem.nodes[node].T))
        for each, node in zip(raw, nodes, strict=True)
    )
    if mate.as_filed:
        filed = tuple(replace(each, node=node) for each, node in zip(mate.as_filed, nodes, strict=True))
        yield "the components were where the mate's own document has them", filed
    yield "its entities were in the coordinates of their components", own
    for index, node in enumerate(nodes):
        mixed = (*mate.entities[:index], own[index], *mate.entities[index + 1 :])
        yield f"its entity on {problem.nodes[node].quoted} were in the coordinates of that component", mixed


def _of_other_kinds(mate: PlacedMate) -> Iterator[tuple[str, Entities]]:
    """The entities with one of them of another kind."""
    for index, (entity, raw) in enumerate(zip(mate.entities, mate.source.entities if mate.source else (), strict=True)):
        for number, kind in KINDS.items():
            if kind is entity.kind:
                continue
            frames = EntityFrames(entity.node, IN_PLACE, IN_PLACE)
            plain = place_entity(replace(raw, type=number), frames)
            direction = entity.direction if any(entity.direction) else plain.direction
            other = replace(plain, point=entity.point, direction=direction)
            text = f"its {entity.kind} (type {raw.type}) were a {kind} (type {int(number)})"
            yield text, (*mate.entities[:index], other, *mate.entities[index + 1 :])


def _other_configuration(problem: InferenceProblem, mate: PlacedMate) -> str:
    for number in (mate.owner, *(entity.node for entity in mate.entities)):
        node = problem.nodes[number]
        document = node.document
        if document is not None and document.read_in != document.configuration:
            return (
                f"The document of {node.quoted} was read in its configuration `{document.read_in}`, "
                f"but the assembly uses `{document.configuration}`."
            )
    return ""
