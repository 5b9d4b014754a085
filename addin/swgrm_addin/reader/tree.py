"""Reads the component tree: every component at every level, with a constant number of calls each."""

from __future__ import annotations

from typing import Any, NamedTuple

from swgrm.capture import Component, Placement, name_order
from swgrm.capture.index import SUPPRESSED
from swgrm_addin.reader.walk import Walk, appearance


class ReadComponent(NamedTuple):
    """A component's record, and the SolidWorks object that it was read from."""

    record: Component
    proxy: Any


class ComponentTree(NamedTuple):
    """All components of all levels, sorted; and the placements of those on the top level."""

    components: list[ReadComponent]
    placements: tuple[Placement, ...]


def read_tree(walk: Walk, root: Any, extension: Any) -> ComponentTree:
    """Read all components below a document's root component."""
    waiting = list(root.GetChildren())
    components: list[ReadComponent] = []
    placements: list[Placement] = []
    top = len(waiting)
    while waiting:
        proxy = waiting.pop()
        record = _component(walk, proxy, extension)
        components.append(ReadComponent(record, proxy))
        if not record.parent:
            placements.append(Placement(record.name, record.transform, proxy.IsFixed()))
        if record.is_assembly and record.suppression != SUPPRESSED:
            waiting += proxy.GetChildren()
        walk.progress(0.3 * len(placements) / top, record.name)
    components.sort(key=lambda component: name_order(component.record.name))
    placements.sort(key=lambda placement: name_order(placement.name))
    return ComponentTree(components, tuple(placements))


def _component(walk: Walk, proxy: Any, extension: Any) -> Component:
    name = proxy.Name2
    with walk.port.reading(f"component {name}"):
        cut, _ = proxy.HasAssemblyFeatures()
        return Component(
            name=name,
            path=proxy.GetPathName(),
            configuration=proxy.ReferencedConfiguration,
            id=proxy.GetID(),
            persistent_id=extension.GetPersistReference3(proxy),
            suppression=proxy.GetSuppression2(),
            visible=proxy.Visible,
            solving=proxy.Solving,
            transform=transform_of(walk, proxy, name),
            envelope=proxy.IsEnvelope(),
            virtual=proxy.IsVirtual,
            pattern_instance=proxy.IsPatternInstance(),
            mirrored=proxy.IsMirrored(),
            assembly_features=cut,
            appearance=appearance(proxy.MaterialPropertyValues),
            mates=_mate_names(walk, proxy),
        )


def transform_of(walk: Walk, proxy: Any, name: str) -> tuple[float, ...] | None:
    """The 16 numbers of Transform2, unchanged; None if the component has no transform."""
    transform = proxy.Transform2
    return walk.optional(transform.ArrayData, name, 16) if transform is not None else None


def _mate_names(walk: Walk, proxy: Any) -> tuple[str, ...]:
    """The names of a component's mates. Names, because two pointers to one mate do not compare equal."""
    return tuple(sorted({walk.port.cast(mate, "IFeature").Name for mate in proxy.GetMates()}))
