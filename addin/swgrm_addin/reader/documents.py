"""Reads model documents: each once per configuration, through one of its components."""

from __future__ import annotations

import ntpath
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from msgspec.structs import replace

from swgrm.capture import Component, CustomProperty, Document, Placement, document_groups, name_order
from swgrm.capture.index import DocumentKey
from swgrm.errors import CallError
from swgrm.solidworks.swconst import swDocumentTypes_e
from swgrm.solidworks.swconst_calls import swUserPreferenceIntegerValue_e, swUserPreferenceOption_e
from swgrm_addin.reader.features import DocumentFeatures, read_features, read_listed_features
from swgrm_addin.reader.tree import ReadComponent, placement, top_components, transform_of
from swgrm_addin.reader.walk import Walk, active_configuration, appearance

NO_PROPERTIES = "its custom properties are left out, and the settings in them"
THROUGH_COMPONENT = "its material, its properties and the mates in it are left out"
ACTIVE_UNKNOWN = "its active configuration is taken as the one that is used"

LINEAR_UNIT = int(swUserPreferenceIntegerValue_e.swUnitsLinear)
NO_OPTION = int(swUserPreferenceOption_e.swDetailingNoOptionSpecified)


def components_by_key(
    components: list[ReadComponent], chosen: dict[DocumentKey, Component]
) -> dict[DocumentKey, ReadComponent]:
    """For each key, the component that was chosen to read from, with its SolidWorks object."""
    by_name = {component.record.name: component for component in components}
    return {key: by_name[component.name] for key, component in chosen.items()}


def model_of(walk: Walk, component: ReadComponent) -> Any:
    """The model document of a component, which is resolved until the end if that is needed.

    None and a finding if SolidWorks does not load it, whatever the state of the component is.
    """
    record = component.record
    key = record.path, record.configuration
    if key in walk.not_loaded:
        return None
    try:
        document = component.proxy.GetModelDoc2()
        if document is None:
            result = walk.guard.resolve(component.proxy, record)
            document = component.proxy.GetModelDoc2()
            if document is None:
                problem = {"state": record.suppression, "result": result}
                walk.findings.add("document-not-loaded", f"component {record.name}", path=record.path, **problem)
    except CallError as error:
        document = None
        walk.not_read(error, THROUGH_COMPONENT)
    if document is None:
        walk.not_loaded.add(key)
    return document


def read_documents(walk: Walk, components: list[ReadComponent]) -> list[Document]:
    """Read every document that the components refer to; one that is not loaded, through the component."""
    unique = components_by_key(components, document_groups(component.record for component in components))
    found = []
    for done, (key, component) in enumerate(unique.items()):
        record = component.record
        with walk.item(f"document {record.path}"):
            model = model_of(walk, component)
            if model is not None:
                found.append(_loaded(walk, component, model, key))
            elif not record.is_assembly:
                found += _through_component(walk, component, key)
        walk.progress(0.3 + 0.3 * (done + 1) / len(unique), record.path)
    return found


def _loaded(walk: Walk, component: ReadComponent, model: Any, key: DocumentKey) -> Document:
    """The document of a component, which is loaded."""
    record = component.record
    _compare_paths(walk, model, record)
    if record.is_assembly and model.IsExploded():
        walk.findings.add("exploded-inside", f"component {record.name}")
    colours = component.proxy.GetModelMaterialPropertyValues(record.configuration)
    colours = colours or model.MaterialPropertyValues  # the first is for lightweight components
    return read_document(walk, model, key, colours, _placements(walk, model) if record.is_assembly else ())


def _through_component(walk: Walk, component: ReadComponent, key: DocumentKey) -> list[Document]:
    """The document of a part that is not loaded, with its reference geometry; empty if SolidWorks returns none.

    The mates of a sub-assembly are not read in this way: SolidWorks returns them without their components.
    """
    features = read_features(walk, walk.guard.document, key, component.proxy)
    path, configuration = key
    if not features.geometry:
        return []
    colours = appearance(component.proxy.GetModelMaterialPropertyValues(configuration))
    part = int(swDocumentTypes_e.swDocPART)
    return [Document(path, configuration, part, configuration, appearance=colours, geometry=features.geometry)]


def _compare_paths(walk: Walk, model: Any, record: Component) -> None:
    """Report a document that is another file than the one that the component refers to."""
    loaded = walk.attempt(lambda: str(model.GetPathName()), record.path, "it is taken as the right file")
    if record.path != record.name and ntpath.normcase(loaded) != ntpath.normcase(record.path) and not record.virtual:
        walk.findings.add("other-file", f"component {record.name}", path=record.path, loaded=loaded)


def read_document(
    walk: Walk, model: Any, key: DocumentKey, colours: tuple[float, ...], placements: tuple[Placement, ...]
) -> Document:
    """Read one document in one configuration."""
    path, configuration = key
    kind = walk.attempt(lambda: model.GetType(), type_of(path), "its type is taken from its file name")
    material, database = "", ""
    if kind == swDocumentTypes_e.swDocPART:
        material, database = walk.attempt(
            lambda: material_of(walk.port.cast(model, "IPartDoc").GetMaterialPropertyName2, configuration),
            ("", ""),
            "its material is unknown",
        )
    features = read_features(walk, model, key)
    return Document(
        path=path,
        configuration=configuration,
        type=kind,
        read_in=walk.attempt(lambda: active_configuration(model).Name, configuration, ACTIVE_UNKNOWN),
        toolbox=model.Extension.ToolboxPartType,
        material=material,
        material_database=database,
        appearance=appearance(colours),
        properties=walk.attempt(lambda: _properties(walk, model.Extension, configuration), (), NO_PROPERTIES),
        geometry=features.geometry,
        placements=_joined((*features.placements, *placements)),
        mates=features.mates,
        mirrors=features.mirrors,
        saved_configurations=features.saved_configurations,
        mirror_of=features.mirror_of,
        patterns=features.patterns,
        linear_unit=0 if kind == swDocumentTypes_e.swDocPART else _linear_unit(walk, model.Extension),
    )


def _joined(placements: Iterable[Placement]) -> tuple[Placement, ...]:
    """The placements by name, each once: the last one."""
    by_name = {placement.name: placement for placement in placements}
    return tuple(by_name[name] for name in sorted(by_name, key=name_order))


def with_listed_features(
    walk: Walk, document: Any, read: list[Document], components: list[ReadComponent]
) -> list[Document]:
    """The documents, of which the first is that of the assembly; assemblies with the features that are listed."""
    unique = components_by_key(components, document_groups(component.record for component in components))
    models: list[Any] = [document]
    for record in read[1:]:
        component = unique.get((record.path, record.configuration))
        is_assembly = record.type == swDocumentTypes_e.swDocASSEMBLY
        models.append(model_of(walk, component) if is_assembly and component is not None else None)
    return [_with_listed(walk, model, record) for model, record in zip(models, read, strict=True)]


def _with_listed(walk: Walk, model: Any, record: Document) -> Document:
    """The document with the features that are listed for it, if it has more mates then."""
    if model is None:
        return record
    key, effect = (record.path, record.configuration), "only features that SolidWorks returned in turn are used"
    nothing: DocumentFeatures | None = None
    with walk.port.reading(f"document {record.path}"):
        listed = walk.attempt(lambda: read_listed_features(walk, model, key), nothing, effect)
    if listed is None or len(listed.mates) <= len(record.mates):
        return record
    error = CallError("", "IFeature.GetNextFeature", "the features ended before the mates that components return")
    walk.port.note_default(error)
    return replace(
        record,
        geometry=listed.geometry,
        mates=listed.mates,
        mirrors=listed.mirrors,
        saved_configurations=listed.saved_configurations,
        placements=_joined((*listed.placements, *record.placements)),
    )


def material_of(getter: Callable[[str], tuple[str, str]], configuration: str) -> tuple[str, str]:
    """The material and its database; "" names the only configuration where SolidWorks wants that."""
    found = getter(configuration)
    return found if found[0] or not configuration else getter("")


def _linear_unit(walk: Walk, extension: Any) -> int:
    """The unit of length of an assembly (swLengthUnit_e)."""
    return walk.attempt(
        lambda: int(extension.GetUserPreferenceInteger(LINEAR_UNIT, NO_OPTION)), 0, "its unit is taken as millimetres"
    )


def type_of(path: str) -> int:
    """The type of a document that its file name suggests."""
    return int(swDocumentTypes_e.swDocASSEMBLY if path.lower().endswith(".sldasm") else swDocumentTypes_e.swDocPART)


def _placements(walk: Walk, model: Any) -> tuple[Placement, ...]:
    found: list[Placement] = []
    with walk.item(walk.port.subject, "the poses of its components are those of the assembly"):
        for child in top_components(model):
            name = child.Name2
            with walk.item(f"component {name}", "its pose is that of the assembly"):
                found.append(placement(walk, child, name, transform_of(child)))
    return tuple(found)


def _properties(walk: Walk, extension: Any, configuration: str) -> tuple[CustomProperty, ...]:
    """The custom properties of the document, then those of the configuration."""
    return tuple(
        _property(walk, manager, found, bool(of))
        for of in ("", configuration)
        for manager in (extension.CustomPropertyManager(of),)
        for found in _listed(manager)
    )


class _Listed(NamedTuple):
    """A custom property as SolidWorks lists it with the others."""

    name: str
    type: int
    value: str


def _listed(manager: Any) -> Iterable[_Listed]:
    """The custom properties; without a type or value where SolidWorks returns fewer of them than names."""
    _, names, types, values, _, _ = manager.GetAll3(None, None, None, None, None)
    return map(_Listed, names, (*types, *[0] * len(names)), (*values, *[""] * len(names)))


def _property(walk: Walk, manager: Any, listed: _Listed, of_configuration: bool) -> CustomProperty:
    """The property with its value as written and as evaluated; if that fails, with the value in the list."""
    _, value, resolved, _, _ = walk.attempt(
        lambda: manager.Get6(listed.name, True),
        (0, listed.value, listed.value, False, False),
        f"the value of the custom property {listed.name} may not be the evaluated one",
    )
    return CustomProperty(listed.name, value, resolved, listed.type, of_configuration)
