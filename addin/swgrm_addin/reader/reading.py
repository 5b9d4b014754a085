"""Reads one document, from the request to the capture."""

from __future__ import annotations

from typing import Any

import msgspec

from swgrm.capture import VERSION, Capture, CaptureSource, Document, PartShape
from swgrm.errors import SolidWorksError
from swgrm.findings import Findings, Result
from swgrm.swconst import (
    swDocumentTypes_e,
    swUserPreferenceIntegerValue_e,
    swUserPreferenceOption_e,
    swUserPreferenceToggle_e,
)
from swgrm_addin.reader.documents import read_document, read_documents
from swgrm_addin.reader.guard import Guard
from swgrm_addin.reader.opening import opened
from swgrm_addin.reader.shapes import read_own_shape, read_shapes
from swgrm_addin.reader.tree import ComponentTree, read_tree
from swgrm_addin.reader.walk import ProgressCallback, Walk

UNITS = int(swUserPreferenceIntegerValue_e.swUnitSystem)
SIGN = int(swUserPreferenceToggle_e.swUsePositiveInertiaTensorNotation)
NO_OPTION = int(swUserPreferenceOption_e.swDetailingNoOptionSpecified)


class Request(msgspec.Struct, frozen=True):
    """What to read: the active document or a file, in its active or in a named configuration."""

    path: str = ""
    configuration: str = ""
    out_of_process: bool = False


def read(application: Any, request: Request | None = None, report: ProgressCallback | None = None) -> Result[Capture]:
    """Read a document into a capture, through the application object of a port.

    The progress is shown in SolidWorks' own bar, whose Cancel raises Cancelled, and passed to `report(fraction, what)`,
    which may raise it, too. The document, the states of its components and the selection are not changed.
    """
    request = request or Request()
    findings = Findings()
    application.port.release = application.RevisionNumber()
    with opened(application, request.path, request.configuration, findings) as document:
        guard = Guard(application, document, findings, out_of_process=request.out_of_process)
        with guard:
            walk = Walk(application.port, _both(guard.report, report), guard, findings)
            capture = _capture(walk, application, document)
    return Result(capture, tuple(findings))


def _both(first: ProgressCallback, second: ProgressCallback | None) -> ProgressCallback:
    def report(fraction: float, what: str) -> None:
        first(fraction, what)
        if second is not None:
            second(fraction, what)

    return report


def _capture(walk: Walk, application: Any, document: Any) -> Capture:
    source = _source(application, document)
    key = source.path, source.configuration
    colours = document.MaterialPropertyValues
    if source.type == swDocumentTypes_e.swDocPART:
        own = read_document(walk, document, key, colours, ())
        return _assembled(source, ComponentTree([], ()), [own], [read_own_shape(walk, document, key)])
    tree = _tree(walk, document, source.title)
    own = read_document(walk, document, key, colours, tree.placements)
    documents = read_documents(walk, tree.components)
    shapes = read_shapes(walk, document.Extension, tree.components)
    return _assembled(source, tree, [own, *documents], shapes)


def _tree(walk: Walk, document: Any, title: str) -> ComponentTree:
    root = document.ConfigurationManager.ActiveConfiguration.GetRootComponent3(False)
    tree = read_tree(walk, root, document.Extension) if root is not None else ComponentTree([], ())
    if not tree.components:
        raise SolidWorksError(f"{title} is an assembly without components. Insert parts, or open another assembly.")
    return tree


def _source(application: Any, document: Any) -> CaptureSource:
    extension = document.Extension
    return CaptureSource(
        path=document.GetPathName(),
        title=document.GetTitle(),
        configuration=document.ConfigurationManager.ActiveConfiguration.Name,
        type=document.GetType(),
        solidworks=application.port.release,
        unit_system=extension.GetUserPreferenceInteger(UNITS, NO_OPTION),
        positive_inertia_notation=extension.GetUserPreferenceToggle(SIGN, NO_OPTION),
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
