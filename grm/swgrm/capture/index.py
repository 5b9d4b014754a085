"""Looking things up in a capture, and the rules of order that the reader and the mock share."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Set

from swgrm.capture.records import (
    BYTES_PER_TRIANGLE,
    Capture,
    Component,
    Document,
    Face,
    PartBody,
    PartShape,
    Placement,
)

SUPPRESSED = 0  # swComponentSuppressed
DocumentKey = tuple[str, ...]
LIGHTWEIGHT = frozenset((1, 4))  # swComponentLightweight, swComponentFullyLightweight


class Index:
    """A capture's tables, built once."""

    def __init__(self, capture: Capture) -> None:
        self.capture = capture
        self.components = {component.name: component for component in capture.components}
        self._documents = {(document.path, document.configuration): document for document in capture.documents}
        self._shapes = {(shape.path, shape.configuration, shape.variant): shape for shape in capture.shapes}
        self._children: dict[str, list[Component]] = defaultdict(list)
        for component in capture.components:
            self._children[component.parent].append(component)

    @property
    def root(self) -> Document | None:
        """The document that was read itself."""
        return self._documents.get((self.capture.source.path, self.capture.source.configuration))

    def document(self, component: Component) -> Document | None:
        """The document of a component in its configuration; None if it was not loaded."""
        return self._documents.get((component.path, component.configuration))

    def owner(self, component: Component) -> Document | None:
        """The document of the assembly that holds a component."""
        return self.document(self.components[component.parent]) if component.parent else self.root

    def placement(self, component: Component) -> Placement | None:
        """Where the assembly that holds a component has it by itself, and whether it is fixed there."""
        owner = self.owner(component)
        return next((p for p in owner.placements if p.name == component.leaf), None) if owner else None

    def shape(self, component: Component) -> PartShape | None:
        """The mass and bodies of a component: its own, or those that it shares."""
        key = component.path, component.configuration
        return self._shapes.get((*key, component.name)) or self._shapes.get((*key, ""))

    def children(self, name: str = "") -> list[Component]:
        """The components that a sub-assembly instance holds, or those at the top."""
        return self._children[name]


def name_order(name: str) -> list[str]:
    """Sort key of a component's name: level by level."""
    return name.split("/")


def document_groups(components: Iterable[Component]) -> dict[DocumentKey, Component]:
    """The instance that answers for each loaded document, by path and configuration."""
    return _answering(((c.path, c.configuration), c) for c in components)


def shape_groups(components: Iterable[Component], overriding: Set[str] = frozenset()) -> dict[DocumentKey, Component]:
    """The instance that answers for each part's shape, by path, configuration and variant.

    A variant is an instance that an assembly feature cuts, or that lies in one of the `overriding`
    sub-assembly instances, whose mass somebody typed in.
    """
    parts = [c for c in components if not c.is_assembly]
    return _answering(((c.path, c.configuration, _variant(c, overriding)), c) for c in parts)


def _variant(component: Component, overriding: Set[str]) -> str:
    levels = component.name.split("/")
    above = {"/".join(levels[:depth]) for depth in range(1, len(levels))}
    return component.name if component.assembly_features or above & overriding else ""


def _answering(keyed: Iterable[tuple[DocumentKey, Component]]) -> dict[DocumentKey, Component]:
    """For each key the instance to ask: loaded before lightweight, then by name; sorted by key."""
    groups: dict[DocumentKey, list[Component]] = defaultdict(list)
    for key, component in keyed:
        if component.suppression != SUPPRESSED:
            groups[key].append(component)
    return {
        key: min(groups[key], key=lambda c: (c.suppression in LIGHTWEIGHT, name_order(c.name)))
        for key in sorted(groups)
    }


def triangles_by_face(shape: PartShape) -> Iterator[tuple[PartBody, Face, memoryview]]:
    """Each face with its own triangles (32-bit floats, 36 bytes per triangle)."""
    start, data = 0, memoryview(shape.triangles)
    for body in shape.bodies:
        for face in body.faces:
            end = start + face.triangles * BYTES_PER_TRIANGLE
            yield body, face, data[start:end]
            start = end
