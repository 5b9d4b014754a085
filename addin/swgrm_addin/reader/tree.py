"""Reading the component tree: every instance, at every depth, with a constant number of calls each."""

from __future__ import annotations

from typing import Any, NamedTuple

from swgrm.capture import Component, Placement, name_order
from swgrm.capture.index import SUPPRESSED
from swgrm_addin.reader.walk import Walk, appearance


class Instance(NamedTuple):
    """A component as read, and the object that answers for it."""

    record: Component
    proxy: Any


class Tree(NamedTuple):
    """Every instance, sorted; and where the root document has those at its top."""

    instances: list[Instance]
    placements: tuple[Placement, ...]


def read_tree(walk: Walk, root: Any, extension: Any) -> Tree:
    """Walk all levels below a document's root component."""
    waiting = list(root.GetChildren())
    instances: list[Instance] = []
    placements: list[Placement] = []
    top = len(waiting)
    while waiting:
        proxy = waiting.pop()
        record = _component(walk, proxy, extension)
        instances.append(Instance(record, proxy))
        if not record.parent:
            placements.append(Placement(record.name, record.transform, proxy.IsFixed()))
        if record.is_assembly and record.suppression != SUPPRESSED:
            waiting += proxy.GetChildren()
        walk.progress(0.3 * len(placements) / top, record.name)
    instances.sort(key=lambda instance: name_order(instance.record.name))
    placements.sort(key=lambda placement: name_order(placement.name))
    return Tree(instances, tuple(placements))


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
    """Transform2 as received; None where there is none."""
    transform = proxy.Transform2
    return walk.optional(transform.ArrayData, name, 16) if transform is not None else None


def _mate_names(walk: Walk, proxy: Any) -> tuple[str, ...]:
    """Names of the mates it takes part in: pointers are no identity, and a mate comes once per component."""
    return tuple(sorted({walk.port.cast(mate, "IFeature").Name for mate in proxy.GetMates()}))
