"""Names the mates of each component by the features of the tree.

A mate that a component returns is not the feature that has the name, and it is not certain that it can be called as
one: SolidWorks may call the member of the mate that has the same number. So a component's mates are those of the tree
with an entity of this component. Only where SolidWorks returns more mates than these, they are compared with the mates
of the tree by their types and the numbers of their entities.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from msgspec.structs import replace

from swgrm.capture import Component, Document, Mate
from swgrm.capture.index import DocumentKey
from swgrm.errors import CallError
from swgrm_addin.reader.tree import ComponentTree, ReadComponent
from swgrm_addin.reader.walk import Walk

UNKNOWN = "the mates that it returns are not used"
ONE_UNKNOWN = "one of the mates that it returns is not used"


class MateKey(NamedTuple):
    """What a mate of a component and its feature in the tree have in common."""

    type: int | None
    entities: tuple[Any, ...]  # the numbers of each; of an in-place mate, the names of its components


class NamedMates(NamedTuple):
    """The components with the names of their mates; and the mates that are not in any tree, with their components."""

    tree: ComponentTree
    unmatched: dict[MateKey, list[str]]
    are_expected: bool  # whether a component has an entity of a mate, so that it must return that mate


def name_mates(walk: Walk, tree: ComponentTree, read: list[Document]) -> NamedMates:
    """Name the mates of all components by the documents, of which the first is that of the assembly."""
    own, *others = read
    documents: dict[DocumentKey, Document] = {}
    for document in others:
        documents[document.path, document.configuration] = document
    records = {component.record.name: component.record for component in tree.components}
    components: list[ReadComponent] = []
    unmatched: dict[MateKey, list[str]] = {}
    are_expected = False
    for component in tree.components:
        record = component.record
        related = list(_related(record, records, documents, own))
        are_expected |= any(is_own and mate.type is not None for mate, is_own in related)
        with walk.port.reading(f"component {record.name}"):
            mates, unknown = _mates_of(walk, component, related)
        for key in unknown:
            unmatched.setdefault(key, []).append(record.name)
        names = tuple(sorted({mate.name for mate in mates}))
        components.append(component._replace(record=replace(record, mates=names)))
    return NamedMates(tree._replace(components=components), unmatched, are_expected)


def _related(
    record: Component, records: Mapping[str, Component], documents: Mapping[DocumentKey, Document], own: Document
) -> Iterator[tuple[Mate, bool]]:
    """The mates of the assemblies that a component is in, and whether an entity of each belongs to the component."""
    parent = record.parent
    while True:
        above = records.get(parent)
        document = own if above is None else documents.get((above.path, above.configuration))
        name = record.name.removeprefix(f"{parent}/") if parent else record.name
        for mate in document.mates if document is not None else ():
            yield mate, any(entity.component == name for entity in mate.entities)
        if not parent:
            return
        parent = parent.rpartition("/")[0]


def _mates_of(
    walk: Walk, component: ReadComponent, related: list[tuple[Mate, bool]]
) -> tuple[list[Mate], list[MateKey]]:
    """The mates of a component, and those that it returns and that are in no tree."""
    mates = [mate for mate, is_own in related if is_own]
    nothing: tuple[Any, ...] = ()
    returned = walk.attempt(lambda: component.proxy.GetMates(), nothing, UNKNOWN)
    if not returned:
        return [], []
    if len(returned) <= len(mates):
        return mates, []
    # Some of them have an entity whose component is unknown. The component's own mates come first, so that of two mates
    # with the same key, the one that is known to be its own is taken.
    remaining: dict[MateKey, list[Mate]] = {}
    for mate, _ in sorted(related, key=lambda pair: not pair[1]):
        remaining.setdefault(key_of(mate), []).append(mate)
    unknown: list[MateKey] = []
    for pointer in returned:
        try:
            key = _read_key(walk, pointer)
        except CallError as error:
            _report_unknown(walk, error, [mate for mate, _ in related])
            continue
        if not remaining.get(key):
            unknown.append(key)
            continue
        mate = remaining[key].pop(0)
        if mate not in mates:
            mates.append(mate)
    return mates, unknown


def _report_unknown(walk: Walk, error: CallError, mates: list[Mate]) -> None:
    """Report that a mate which a component returns cannot be compared: it may be one with an unknown component."""
    for mate in mates:
        is_open = mate.type is not None and any(entity.component is None for entity in mate.entities)
        if is_open and f"mate {mate.name}" not in left_out(walk):
            with walk.port.reading(f"mate {mate.name}"):
                walk.not_read(error, "the component of one of its entities is unknown")
    if not left_out(walk):  # otherwise it may be a mate that has a finding
        walk.not_read(error, ONE_UNKNOWN)


def left_out(walk: Walk) -> set[str]:
    """The mates that have a finding. Which of the mates that components return they are is not known."""
    return {finding.where for finding in walk.findings if finding.where.startswith("mate ")}


def key_of(mate: Mate) -> MateKey:
    """The key of a mate of the tree."""
    if mate.type is None:
        return MateKey(None, tuple(entity.component for entity in mate.entities))
    return MateKey(mate.type, tuple(entity.params for entity in mate.entities))


def _read_key(walk: Walk, pointer: Any) -> MateKey:
    """The key of a mate that a component returned, which may be an in-place mate."""
    mate = walk.port.cast_or_none(pointer, "IMate2")
    if mate is None:
        mate = walk.port.cast(pointer, "IMateInPlace")
        return MateKey(None, tuple(mate.MateComponentName(number) for number in range(mate.GetMateEntityCount())))
    count = mate.GetMateEntityCount()
    return MateKey(mate.Type, tuple(mate.MateEntity(number).EntityParams for number in range(count)))
