"""Reads the component tree: every component at every level, with a constant number of calls each."""

from __future__ import annotations

from typing import Any, NamedTuple

from swgrm.capture import Component, Placement, name_order
from swgrm.capture.index import RESOLVED, SUPPRESSED
from swgrm.errors import CallError
from swgrm.solidworks.swconst_calls import swBodyInfo_e, swBodyType_e
from swgrm_addin.reader.walk import Walk, appearance, root_component
from swgrm_addin.reader.ways import NothingReturned, ask, ask_otherwise

MODIFIED = int(swBodyInfo_e.swUserBody_e)
CONFIGURATION_UNKNOWN = "its configuration is unknown"
SOLID, PART = int(swBodyType_e.swSolidBody), -1


class ReadComponent(NamedTuple):
    """A component's record, and the SolidWorks object that it was read from."""

    record: Component
    proxy: Any


class ComponentTree(NamedTuple):
    """All components of all levels, sorted; and the placements of those on the top level."""

    components: list[ReadComponent]
    placements: tuple[Placement, ...]


def top_components(document: Any) -> tuple[Any, ...]:
    """The components on the top level of an assembly document, in one of two ways."""
    try:
        return _children_of_root(document)
    except CallError as error:
        return _listed(document, error, top_level=True)


def component_named(document: Any, name: str) -> Any:
    """The component with a name such as "gripper-1/finger-2"; None if the document does not have it."""
    components = top_components(document)
    while True:
        component = next((item for item in components if f"{name}/".startswith(f"{item.Name2}/")), None)
        if component is None or component.Name2 == name:
            return component
        components = component.GetChildren()


def _children_of_root(document: Any) -> tuple[Any, ...]:
    root = root_component(document)
    children: tuple[Any, ...] = () if root is None else root.GetChildren()
    if not children:
        raise NothingReturned("IComponent2.GetChildren", "no components were returned")
    return children


def _listed(document: Any, error: CallError, *, top_level: bool) -> tuple[Any, ...]:
    """The components that an assembly document lists, after the first way to them failed."""
    assembly = document.port.cast(document, "IAssemblyDoc")
    return ask_otherwise(document.port, error, [lambda: assembly.GetComponents(top_level)]) or ()


def read_tree(walk: Walk, document: Any) -> ComponentTree:
    """Read all components of an assembly document."""
    extension, has_all_levels = document.Extension, False
    try:
        waiting = list(_children_of_root(document))
    except CallError as error:
        waiting, has_all_levels = list(_listed(document, error, top_level=False)), True
    components: list[ReadComponent] = []
    placements: list[Placement] = []
    top = len(waiting)
    while waiting:
        proxy = waiting.pop()
        record = _component(walk, proxy, extension)
        if record is None:
            continue
        components.append(ReadComponent(record, proxy))
        if not record.parent:
            placements.append(placement(walk, proxy, record.name, record.transform))
        if record.is_assembly and record.suppression != SUPPRESSED and not has_all_levels:
            with walk.item(f"component {record.name}", "its components are left out"):
                waiting += proxy.GetChildren()
        walk.progress(0.3 * len(placements) / top, record.name)
    components.sort(key=lambda component: name_order(component.record.name))
    placements.sort(key=lambda placement: name_order(placement.name))
    return ComponentTree(components, tuple(placements))


def _component(walk: Walk, proxy: Any, extension: Any) -> Component | None:
    """The record of a component; None and a finding if it cannot be read."""
    record = None
    with walk.item("a component"):
        name = proxy.Name2
        with walk.item(f"component {name}"):
            path = walk.attempt(lambda: proxy.GetPathName(), "", "its file is unknown")
            solving = walk.attempt(lambda: proxy.Solving, None, "a sub-assembly is taken as rigid")
            suppression = walk.attempt(lambda: proxy.GetSuppression2(), RESOLVED, "it is taken as resolved")
            transform = transform_of(proxy, is_loaded=suppression != SUPPRESSED)
            if transform is None and suppression == RESOLVED:
                raise CallError("", "IComponent2.Transform2", "no object was returned")
            record = Component(
                name=name,
                path=path or name,  # a name that no other component has, so that nothing is shared with others
                configuration=walk.attempt(lambda: _configuration(proxy, suppression), "", CONFIGURATION_UNKNOWN),
                id=proxy.GetID(),
                persistent_id=extension.GetPersistReference3(proxy),
                suppression=suppression,
                visible=proxy.Visible,
                solving=_solving_of(path) if solving is None else solving,
                transform=transform,
                envelope=walk.attempt(lambda: proxy.IsEnvelope(), False, "it is taken as a part of the robot"),
                virtual=proxy.IsVirtual,
                pattern_instance=proxy.IsPatternInstance(),
                mirrored=proxy.IsMirrored(),
                assembly_features=_is_cut(walk, proxy, suppression, solving),
                speed_pak=solving not in (None, PART) and proxy.IsSpeedPak,
                appearance=appearance(proxy.MaterialPropertyValues),
            )
    return record


def _configuration(proxy: Any, suppression: int) -> str:
    name: str = proxy.ReferencedConfiguration
    if not name and suppression != SUPPRESSED:
        raise CallError("", "IComponent2.ReferencedConfiguration", "no text was returned where a name was expected")
    return name


def _is_cut(walk: Walk, proxy: Any, suppression: int, solving: int | None) -> bool:
    """Whether a feature of an assembly cuts this component: one of its bodies is modified in an assembly."""
    if suppression == SUPPRESSED or solving != PART:
        return False
    return walk.attempt(lambda: MODIFIED in _marks(proxy), False, "it is taken as not cut in the assembly")


def _marks(proxy: Any) -> tuple[int, ...]:
    """The marks of a component's solid bodies (swBodyInfo_e)."""
    bodies, marks = proxy.GetBodies3(SOLID)
    if len(marks) < len(bodies):
        raise CallError("", "IComponent2.GetBodies3", f"{len(marks)} marks were returned for {len(bodies)} bodies")
    found: tuple[int, ...] = marks
    return found


def _solving_of(path: str) -> int:
    """The value of Solving that a file's ending suggests: a rigid sub-assembly, or a part."""
    return 0 if path.lower().endswith(".sldasm") else -1


def placement(walk: Walk, proxy: Any, name: str, transform: tuple[float, ...] | None) -> Placement:
    """The placement of a component on the top level of a document."""
    with walk.port.reading(f"component {name}"):
        return Placement(name, transform, walk.attempt(lambda: proxy.IsFixed(), False, "it is taken as not fixed"))


def transform_of(proxy: Any, *, is_loaded: bool = True) -> tuple[float, ...] | None:
    """The 16 numbers of Transform2, unchanged; None if the component has no transform."""
    return numbers_of(ask("transform of a component", proxy, is_loaded))


def numbers_of(transform: Any) -> tuple[float, ...] | None:
    """The 16 numbers of a transform; None if there is none."""
    return None if transform is None else transform.ArrayData
