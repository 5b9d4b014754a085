"""Opens the document to read: the active one, or a file, which is closed again afterwards."""

from __future__ import annotations

import ntpath
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from traceback import format_tb
from typing import Any

from swgrm.errors import CallError, FileError, LostError, SolidWorksError, SwgrmError
from swgrm.findings import Findings
from swgrm.solidworks.api_slice import ComError
from swgrm.solidworks.swconst import swDocumentTypes_e
from swgrm.solidworks.swconst_calls import (
    swFileLoadError_e,
    swFileLoadWarning_e,
    swOpenDocOptions_e,
    swRebuildOnActivation_e,
)
from swgrm.typevars import T
from swgrm_addin.reader.guard import RestoreResult, retried
from swgrm_addin.reader.walk import active_configuration, active_document

TYPES = {".sldprt": swDocumentTypes_e.swDocPART, ".sldasm": swDocumentTypes_e.swDocASSEMBLY}
READABLE = frozenset(TYPES.values())

# Resolved, not lightweight, whatever the user's settings are; read-only, so that nothing can be overwritten.
OPTIONS = (
    swOpenDocOptions_e.swOpenDocOptions_Silent
    | swOpenDocOptions_e.swOpenDocOptions_ReadOnly
    | swOpenDocOptions_e.swOpenDocOptions_OverrideDefaultLoadLightweight
)

WRITABLE = int(OPTIONS & ~swOpenDocOptions_e.swOpenDocOptions_ReadOnly)

REASONS = {  # the most informative first, since several bits may be set
    swFileLoadError_e.swFileNotFoundError: ("the file does not exist", "Check the path"),
    swFileLoadError_e.swFutureVersion: (
        "it was saved by a newer release of SolidWorks",
        "Use that release, or have the file saved for this one",
    ),
    swFileLoadError_e.swFileWithSameTitleAlreadyOpen: (
        "another document with the same name is open in SolidWorks",
        "Close that document first",
    ),
    swFileLoadError_e.swFileRequiresRepairError: (
        "the file needs repair",
        "Open it in SolidWorks once, let it repair the file, and save it",
    ),
    swFileLoadError_e.swFileCriticalDataRepairError: (
        "the file is damaged",
        "Open it in SolidWorks once, let it repair the file, and save it",
    ),
    swFileLoadError_e.swInvalidFileTypeError: ("the content does not match the file's ending", "Check the file"),
    swFileLoadError_e.swIdMatchError: ("it is not the file that the assembly refers to", "Check the references"),
    swFileLoadError_e.swApplicationBusy: ("SolidWorks is busy", "Finish the running command and try again"),
    swFileLoadError_e.swLowResourcesError: ("SolidWorks is out of memory", "Close documents or restart SolidWorks"),
    swFileLoadError_e.swLiquidMachineDoc: ("it is protected", "Ask its owner for an unprotected copy"),
    swFileLoadError_e.swConnectedIsOffline: ("it is in a vault that is offline", "Connect to the vault"),
    swFileLoadError_e.swAddinInteruptError: (
        "an add-in prevented SolidWorks from opening it",
        "Unload that add-in",
    ),
    swFileLoadError_e.swNoDisplayData: ("it contains no model", "Open it in SolidWorks and save it"),
}


OPENED_ERRORS = {
    swFileLoadError_e.swFileNotFoundError: "a file that it refers to was not found",
    swFileLoadError_e.swIdMatchError: "a file is not the one that the assembly refers to",
}
OPENED_WARNINGS = {
    swFileLoadWarning_e.swFileLoadWarning_IdMismatch: "a file is not the one that the assembly refers to",
    swFileLoadWarning_e.swFileLoadWarning_NeedsRegen: "it needs a rebuild",
    swFileLoadWarning_e.swFileLoadWarning_BasePartNotLoaded: "the base of a derived part is not loaded",
    swFileLoadWarning_e.swFileLoadWarning_ViewOnlyRestrictions: "it is open for viewing only",
    swFileLoadWarning_e.swFileLoadWarning_ModelOutOfDate: "it is out of date with the files that it refers to",
    swFileLoadWarning_e.swFileLoadWarning_ComponentMissingReferencedConfig: "a configuration of a component is missing",
    swFileLoadWarning_e.swFileLoadWarning_AutomaticRepair: "SolidWorks repaired it",
    swFileLoadWarning_e.swFileLoadWarning_CriticalDataRepair: "SolidWorks repaired damaged data in it",
    swFileLoadWarning_e.swFileLoadWarning_MissingExternalReferences: "files of its external references are missing",
}


def in_document(application: Any, path: str, configuration: str, findings: Findings, action: Callable[[Any], T]) -> T:
    """The result of the action on the document to read: the active one, or a file, which is closed afterwards.

    SolidWorks may crash later if a document is closed while something refers to its objects. Therefore the references
    are released before, also those of an error's traceback.
    """
    document, former = (_active(application), None) if not path else _open(application, path, configuration, findings)
    title = ntpath.basename(path)
    try:
        title = _title(document) or title if former is not None else ""
        if former is not None and _is_hollow(document, path):
            document = None  # nothing must refer to a document that is closed
            document = _reopen(application, path, title, configuration, findings)
        _check(document, path, configuration)
        result = action(document)
    except BaseException as error:
        del document
        release_objects(application, error)
        is_gone = isinstance(error, LostError) and not application.port.answers()
        if not is_gone and not _closed(application, title, path, former):
            error.add_note(f"{path} could not be closed after reading.")
        raise
    del document
    release_objects(application)
    if not _closed(application, title, path, former):
        findings.add("document-left-open", path)
    return result


def release_objects(application: Any, error: BaseException | None = None) -> None:
    """Release the objects of SolidWorks that nothing uses any more, also those of an error's traceback.

    Each is released on the thread of the caller, which inside SolidWorks is its own thread. The frames of a traceback
    and the functions that they run refer to objects, so it is dropped; that of an unexpected error becomes a note.
    """
    seen: list[BaseException] = []
    todo = [error]
    while todo:
        one = todo.pop()
        if one is not None and not any(one is other for other in seen):
            seen.append(one)
            if not isinstance(one, SwgrmError | ComError):
                one.add_note("".join(format_tb(one.__traceback__)))
            one.__traceback__ = None
            todo += [one.__cause__, one.__context__]
    application.port.forget_renewals()
    application.port.transport.release()


def _active(application: Any) -> Any:
    document = active_document(application)
    if document is None:
        raise SolidWorksError("No document is open in SolidWorks. Open an assembly or a part, or name a file.")
    return document


def _open(application: Any, path: str, configuration: str, findings: Findings) -> tuple[Any, str | None]:
    """The document, and the title of the formerly active document ("" if none); None if it was open already."""
    kind = TYPES.get(ntpath.splitext(path)[1].lower())
    if kind is None:
        raise FileError(
            path, "the file is neither an assembly nor a part", remedy="Name a file that ends in .SLDASM or .SLDPRT"
        )
    already = application.GetOpenDocumentByName(path)
    if already is not None and already.Visible:  # otherwise it is loaded only as a component of another document
        return already, None
    active = active_document(application)
    former = name_of(active) if active is not None else ""
    with _working_directory(application, ntpath.dirname(path), findings):
        document, errors, warnings = _opened(application, path, int(kind), configuration)
    if document is None:
        problem, remedy = reason(errors)
        raise FileError(path, f"SolidWorks cannot open it: {problem}", remedy=remedy)
    for problem in problems(errors, warnings):
        findings.add("opened-with-problem", path, problem=problem)
    return document, former


def _reopen(application: Any, path: str, title: str, configuration: str, findings: Findings) -> Any:
    """The document again, opened for writing; nothing is saved."""
    findings.add("opened-for-writing", path)
    release_objects(application)
    _close(application, title, path, is_last=False)
    with _working_directory(application, ntpath.dirname(path), findings):
        kind = int(TYPES[ntpath.splitext(path)[1].lower()])
        document, errors, _ = _opened(application, path, kind, configuration, WRITABLE)
    if document is None:
        problem, remedy = reason(errors)
        raise FileError(path, f"SolidWorks cannot open it: {problem}", remedy=remedy)
    return document


def _is_hollow(document: Any, path: str) -> bool:
    """Whether an assembly was opened for display only, without an error: its feature tree has one feature.

    Live SolidWorks 2024 did this with files that it opened read-only in a hidden instance.
    """
    if not path.lower().endswith(".sldasm"):
        return False
    try:
        return document.FirstFeature().GetNextFeature() is None
    except CallError as error:
        document.port.note_default(error)
        return False


def _opened(
    application: Any, path: str, kind: int, configuration: str, options: int = int(OPTIONS)
) -> tuple[Any, int, int]:
    """What OpenDoc6 returns; if its results cannot be used although it opened the file, the document and no errors."""
    try:
        document, errors, warnings = application.OpenDoc6(path, kind, options, configuration, 0, 0)
    except CallError as error:
        document, errors, warnings = application.GetOpenDocumentByName(path), 0, 0
        if document is None or not document.Visible:
            raise
        application.port.note_default(error)
    return document, errors, warnings


@contextmanager
def _working_directory(application: Any, folder: str, findings: Findings) -> Iterator[None]:
    """A context in which SolidWorks looks for referenced files in this folder before the one of another document."""
    before = application.GetCurrentWorkingDirectory()
    if not before:  # it could not be restored
        yield
        return
    retried(lambda: _change_folder(application, folder))
    try:
        yield
    finally:
        if retried(lambda: _change_folder(application, before)) is not RestoreResult.DONE:
            findings.add("document-changed", folder, problem="the working directory could not be restored.")


def _change_folder(application: Any, folder: str) -> None:
    try:
        application.SetCurrentWorkingDirectory(folder)
    except CallError as error:
        application.port.note_default(error)
        raise


def problems(errors: int, warnings: int) -> list[str]:
    """The meaning of the bits that SolidWorks sets although it opened the document."""
    found = [text for bit, text in OPENED_ERRORS.items() if errors & bit]
    found += [REASONS[bit][0] for bit in REASONS if errors & bit and bit not in OPENED_ERRORS]
    return found + [text for bit, text in OPENED_WARNINGS.items() if warnings & bit]


def reason(errors: int) -> tuple[str, str]:
    """The meaning of a bit mask of swFileLoadError_e, and the remedy."""
    for error, explained in REASONS.items():
        if errors & error:
            return explained
    return f"error {errors}", "Open it in SolidWorks by hand and check its messages"


def name_of(document: Any) -> str:
    """The title of a document; if SolidWorks does not return it, its path."""
    try:
        title: str = document.GetTitle()
    except CallError as error:
        document.port.note_default(error)
        title = ""
    return title or str(document.GetPathName())


def type_of(document: Any) -> int:
    """The type of a document; if SolidWorks does not return it, the one of its file name."""
    try:
        return int(document.GetType())
    except CallError as error:
        document.port.note_default(error)
        kind = TYPES.get(ntpath.splitext(document.GetPathName())[1].lower())
        if kind is None:
            raise
        return int(kind)


def _check(document: Any, path: str, configuration: str) -> None:
    if type_of(document) not in READABLE:
        name = path or name_of(document)
        raise FileError(name, "the document is a drawing", remedy="Open the assembly or part that it shows")
    if document.IsOpenedViewOnly():
        raise FileError(
            path or name_of(document),
            "it is open for viewing only (Large Design Review, or still loading), so that SolidWorks returns no mates",
            remedy="Open it resolved, and wait until it is loaded",
        )
    if not configuration:
        return
    active = active_configuration(document).Name
    if configuration != active:
        known = document.GetConfigurationNames()
        remedy = "Activate it in SolidWorks, or close the document" if configuration in known else "Name one of these"
        raise FileError(
            path or name_of(document),
            f"configuration `{configuration}` is not the active one (`{active}`); "
            f"the document's configurations are {', '.join(known)}",
            remedy=remedy,
        )


def _title(document: Any) -> str:
    """The title, by which a document is closed; "" if SolidWorks does not return it."""
    try:
        return name_of(document)
    except CallError as error:
        document.port.note_default(error)
        return ""


def _closed(application: Any, title: str, path: str, former: str | None) -> bool:
    """Close a document that was opened, and activate the former one; returns whether both succeeded."""
    if former is None:
        return True
    option = int(swRebuildOnActivation_e.swDontRebuildActiveDoc)
    results = [retried(lambda: _close(application, title, path, is_last=not former))]
    if former:
        results.append(retried(lambda: application.ActivateDoc3(former, False, option, 0)))
    return results == [RestoreResult.DONE] * len(results)


def _close(application: Any, title: str, path: str, *, is_last: bool) -> None:
    try:
        application.CloseDoc(title)
        still = application.GetOpenDocumentByName(path)
        is_open = still is not None and still.Visible  # an invisible one is a component of another open document
    except LostError:
        if not is_last:
            raise
        return  # a SolidWorks that runs in the background ends with its last document
    if is_open:
        raise SolidWorksError(f"{path} is still open.")
