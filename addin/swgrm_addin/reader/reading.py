"""Reads one document, from the request to the capture."""

from __future__ import annotations

import ntpath
from collections import Counter
from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec.structs import replace

from swgrm.capture import VERSION, CallFailure, Capture, CaptureSource, Document, PartShape
from swgrm.errors import CallError, SolidWorksError
from swgrm.findings import Findings, Result
from swgrm.solidworks.swconst import swDocumentTypes_e, swMateType_e
from swgrm.solidworks.swconst_calls import (
    swUserPreferenceIntegerValue_e,
    swUserPreferenceOption_e,
    swUserPreferenceToggle_e,
)
from swgrm_addin.reader.documents import read_document, read_documents, with_listed_features
from swgrm_addin.reader.guard import Guard
from swgrm_addin.reader.mate_names import MateKey, NamedMates, left_out, name_mates
from swgrm_addin.reader.opening import in_document, type_of
from swgrm_addin.reader.shapes import read_own_shape, read_shapes
from swgrm_addin.reader.tree import ComponentTree, read_tree
from swgrm_addin.reader.walk import Keep, ProgressCallback, Walk, active_configuration

UNITS = int(swUserPreferenceIntegerValue_e.swUnitSystem)
SIGN = int(swUserPreferenceToggle_e.swUsePositiveInertiaTensorNotation)
NO_OPTION = int(swUserPreferenceOption_e.swDetailingNoOptionSpecified)
MOST_OBJECTS, OTHERS = 20, "others"  # objects that the capture lists for each member and problem


class Request(msgspec.Struct, frozen=True):
    """What to read: the active document or a file, in its active or in a named configuration."""

    path: str = ""
    configuration: str = ""
    out_of_process: bool = False
    tolerance: float = 0.0  # [m] of the meshes; 0: the triangles that SolidWorks displays
    reuses_mass_object: bool = False  # one object of mass properties with new selections, see `MassReader`


def read(
    application: Any, request: Request | None = None, report: ProgressCallback | None = None, keep: Keep | None = None
) -> Result[Capture]:
    """Read a document into a capture, through the application object of a port.

    The progress is shown in SolidWorks' own bar, whose Cancel raises Cancelled, and passed to `report(fraction, what)`,
    which may raise it, too. The document, the states of its components and the selection are not changed. `keep` gets
    the triangles of each shape as soon as they are read; by default they are kept in the capture.
    """
    request = request or Request()
    findings = Findings()
    port = application.port
    port.failures.clear()
    port.defaults.clear()
    port.release = _release(application)

    def action(document: Any) -> Capture:
        return _guarded(application, document, request, report, findings, keep)

    capture = in_document(application, request.path, request.configuration, findings, action)
    return Result(capture, tuple(findings))


def _guarded(
    application: Any, document: Any, request: Request, report: ProgressCallback | None, findings: Findings,
    keep: Keep | None,
) -> Capture:  # fmt: skip
    """Read the document, and restore the state of SolidWorks."""
    port = application.port
    with Guard(application, document, findings, out_of_process=request.out_of_process, path=request.path) as guard:
        walk = Walk(port, _both(guard.report, report), guard, findings, request.tolerance, keep)
        walk.reuses_mass_object = request.reuses_mass_object
        capture = replace(_capture(walk, document), failures=failures(port.failures))
        for (member, problem), count in sorted(port.defaults.items()):
            findings.add("default-used", member, count=count, problem=problem)
    return capture


def _release(application: Any) -> str:
    """The version of SolidWorks; "" if it does not return it."""
    try:
        return str(application.RevisionNumber())
    except CallError as error:
        application.port.note_default(error)
        return ""


def failures(counts: Mapping[tuple[str, str, str], int]) -> tuple[CallFailure, ...]:
    """The failed calls as records; of each member and problem, the first objects by name, and the others together."""
    objects: Counter[tuple[str, str]] = Counter()
    found: Counter[tuple[str, str, str]] = Counter()
    for (member, of, problem), count in sorted(counts.items()):
        objects[member, problem] += 1
        found[member, of if objects[member, problem] <= MOST_OBJECTS else OTHERS, problem] += count
    return tuple(CallFailure(member, of, problem, count) for (member, of, problem), count in found.items())


def _both(first: ProgressCallback, second: ProgressCallback | None) -> ProgressCallback:
    def report(fraction: float, what: str) -> None:
        first(fraction, what)
        if second is not None:
            second(fraction, what)

    return report


def _capture(walk: Walk, document: Any) -> Capture:
    source = _source(walk, document)
    key = source.path, source.configuration
    colours = document.MaterialPropertyValues
    if source.type == swDocumentTypes_e.swDocPART:
        own = read_document(walk, document, key, colours, ())
        return _assembled(source, ComponentTree([], ()), [own], [read_own_shape(walk, document, key)])
    walk.guard.collapse()
    tree = _tree(walk, document, source.title)
    for component in tree.components:
        if component.record.speed_pak:
            walk.findings.add("speed-pak", f"component {component.record.name}")
    own = read_document(walk, document, key, colours, tree.placements)
    documents = read_documents(walk, tree.components)
    read = [own, *documents]
    named = name_mates(walk, tree, read)
    if _missing_mates(walk, named):
        read = with_listed_features(walk, document, read, tree.components)
        named = name_mates(walk, tree, read)
    shapes = read_shapes(walk, document, tree.components, read[1:], reuses_object=walk.reuses_mass_object)
    _check_mates(walk, named, read)
    return _assembled(source, named.tree, read, shapes)


def _tree(walk: Walk, document: Any, title: str) -> ComponentTree:
    tree = read_tree(walk, document)
    if walk.findings and all(component.record.transform is None for component in tree.components):
        raise SolidWorksError(f"No component of {title} could be read. {walk.findings[0].message}")
    if not tree.components:
        raise SolidWorksError(f"{title} is an assembly without components. Insert parts, or open another assembly.")
    return tree


def _check_mates(walk: Walk, named_mates: NamedMates, documents: list[Document]) -> None:
    """Report the mates that components return and that are in the feature tree of no document."""
    returned = {mate for component in named_mates.tree.components for mate in component.record.mates}
    mates = [mate for document in documents for mate in document.mates if mate.type is not None]
    entities = [entity for mate in mates for entity in mate.entities]
    named = any(entity.component for entity in entities)
    if named_mates.are_expected and not returned:
        error = CallError("", "IComponent2.GetMates", "no mates were returned")
        walk.not_read(error, "entities without a component are taken as the assembly's own")
    if entities and not named and returned & {mate.name for mate in mates}:
        error = CallError("", "IMateEntity2.ReferenceComponent", "no object was returned for any entity")
        walk.not_read(error, "it is unknown which components the mates relate")
    if missing := _missing_mates(walk, named_mates):
        walk.findings.add("mates-missing", "the document", count=len(missing), mates=", ".join(missing[:MOST_OBJECTS]))


def _missing_mates(walk: Walk, named_mates: NamedMates) -> list[str]:
    """The mates that components return, and that are in the feature tree of no document."""
    if len(named_mates.unmatched) <= len(left_out(walk)):
        return []
    return sorted(_described(key, components) for key, components in named_mates.unmatched.items())


def _described(key: MateKey, components: list[str]) -> str:
    """A mate without a name: its type and its components."""
    kinds: dict[int, str] = {int(kind): kind.name.removeprefix("swMate").lower() for kind in swMateType_e}
    kind = "in-place" if key.type is None else kinds.get(key.type, f"type {key.type}")
    return f"{kind} of {' and '.join(components)}"


def _source(walk: Walk, document: Any) -> CaptureSource:
    extension = document.Extension
    path = walk.attempt(lambda: document.GetPathName(), "", "its file is unknown")
    title = walk.attempt(lambda: document.GetTitle(), "", "it is named by its file")
    return CaptureSource(
        path=path,
        title=title or ntpath.basename(path) or "robot",
        configuration=walk.attempt(lambda: active_configuration(document).Name, "", "its configuration is unknown"),
        type=type_of(document),
        solidworks=walk.port.release,
        unit_system=walk.attempt(
            lambda: extension.GetUserPreferenceInteger(UNITS, NO_OPTION), 0, "its system of units is unknown"
        ),
        positive_inertia_notation=walk.attempt(
            lambda: extension.GetUserPreferenceToggle(SIGN, NO_OPTION),
            False,
            "products of inertia are taken in negative notation",
        ),
    )


def _assembled(
    source: CaptureSource, tree: ComponentTree, documents: list[Document], shapes: list[PartShape]
) -> Capture:
    unique = {(document.path, document.configuration): document for document in documents}
    return Capture(
        version=VERSION,
        source=source,
        components=tuple(component.record for component in tree.components),
        documents=tuple(unique[key] for key in sorted(unique)),
        shapes=tuple(shapes),
    )
