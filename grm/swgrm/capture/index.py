"""Lookup tables of a capture, and the sort order that the reader and the mock share."""

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

SUPPRESSED, RESOLVED = 0, 2  # swComponentSuppressed, swComponentFullyResolved
DocumentKey = tuple[str, ...]
LIGHTWEIGHT = frozenset((1, 4))  # swComponentLightweight, swComponentFullyLightweight


class Index:
    """The lookup tables of a capture."""

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
        """The root document in the configuration that was read."""
        return self._documents.get((self.capture.source.path, self.capture.source.configuration))

    def document(self, component: Component) -> Document | None:
        """The document of a component in its configuration; None if it was not loaded."""
        return self._documents.get((component.path, component.configuration))

    def owner(self, component: Component) -> Document | None:
        """The document of the assembly that contains a component."""
        return self.document(self.components[component.parent]) if component.parent else self.root

    def placement(self, component: Component) -> Placement | None:
        """The placement of a component in the document of its parent assembly."""
        owner = self.owner(component)
        return next((p for p in owner.placements if p.name == component.leaf), None) if owner else None

    def shape(self, component: Component) -> PartShape | None:
        """The mass and bodies of a component: its variant, or the shape that the part's components share."""
        key = component.path, component.configuration
        return self._shapes.get((*key, component.name)) or self._shapes.get((*key, ""))

    def children(self, name: str = "") -> list[Component]:
        """The child components of a sub-assembly, or those at the top level."""
        return self._children[name]


def name_order(name: str) -> list[str]:
    """The sort key of a component's name: its levels."""
    return name.split("/")


def document_groups(components: Iterable[Component]) -> dict[DocumentKey, Component]:
    """The component through which each loaded document is read, by path and configuration."""
    return _representatives(((c.path, c.configuration), c) for c in components)


def shape_groups(components: Iterable[Component], overriding: Set[str] = frozenset()) -> dict[DocumentKey, Component]:
    """The component through which each part's shape is read, by path, configuration and variant.

    A component is a variant if an assembly feature cuts it, or if it is below one of the `overriding` sub-assemblies,
    whose mass is overridden.
    """
    parts = [c for c in components if not c.is_assembly]
    return _representatives(((c.path, c.configuration, _variant(c, overriding)), c) for c in parts)


def _variant(component: Component, overriding: Set[str]) -> str:
    levels = component.name.split("/")
    above = {"/".join(levels[:depth]) for depth in range(1, len(levels))}
    return component.name if component.assembly_features or above & overriding else ""


def _representatives(keyed: Iterable[tuple[DocumentKey, Component]]) -> dict[DocumentKey, Component]:
    """One component for each key: resolved before lightweight, then by name; sorted by key."""
    groups: dict[DocumentKey, list[Component]] = defaultdict(list)
    for key, component in keyed:
        if component.suppression != SUPPRESSED:
            groups[key].append(component)
    return {
        key: min(groups[key], key=lambda c: (c.suppression in LIGHTWEIGHT, name_order(c.name)))
        for key in sorted(groups)
    }


def triangles_by_face(shape: PartShape) -> Iterator[tuple[PartBody, Face, memoryview]]:
    """Yields each face with its triangles (32-bit floats, 36 bytes per triangle)."""
    start, data = 0, memoryview(shape.triangles)
    for body in shape.bodies:
        for face in body.faces:
            end = start + face.triangles * BYTES_PER_TRIANGLE
            yield body, face, data[start:end]
            start = end
