"""Finding the document to read: the active one, or a file that is opened for reading and closed again."""

from __future__ import annotations

import ntpath
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from swgrm.errors import FileError, LostError, SolidWorksError
from swgrm.findings import Findings
from swgrm.swconst import swDocumentTypes_e, swFileLoadError_e, swOpenDocOptions_e, swRebuildOnActivation_e
from swgrm_addin.reader.guard import Outcome, tried

TYPES = {".sldprt": swDocumentTypes_e.swDocPART, ".sldasm": swDocumentTypes_e.swDocASSEMBLY}
READABLE = frozenset(TYPES.values())

# Resolved, not lightweight, whatever the user's settings say; read-only, so that nothing can be saved over.
OPTIONS = (
    swOpenDocOptions_e.swOpenDocOptions_Silent
    | swOpenDocOptions_e.swOpenDocOptions_ReadOnly
    | swOpenDocOptions_e.swOpenDocOptions_OverrideDefaultLoadLightweight
)

REASONS = {  # in the order in which they explain most
    swFileLoadError_e.swFileNotFoundError: ("the file is not there", "Check the path"),
    swFileLoadError_e.swFutureVersion: (
        "it was saved by a newer SolidWorks",
        "Open it with that release, or have it saved for this one",
    ),
    swFileLoadError_e.swFileWithSameTitleAlreadyOpen: (
        "another document of the same name is open in SolidWorks",
        "Close that one first",
    ),
    swFileLoadError_e.swFileRequiresRepairError: (
        "SolidWorks says that the file needs repair",
        "Open it in SolidWorks once, let it repair the file, and save it",
    ),
    swFileLoadError_e.swFileCriticalDataRepairError: (
        "SolidWorks says that the file's data is damaged",
        "Open it in SolidWorks once, let it repair the file, and save it",
    ),
    swFileLoadError_e.swInvalidFileTypeError: ("it is not the kind of file its name says", "Check the file"),
    swFileLoadError_e.swIdMatchError: ("it is not the file that the assembly knows", "Check its references"),
    swFileLoadError_e.swApplicationBusy: ("SolidWorks is busy", "End its running command and try again"),
    swFileLoadError_e.swLowResourcesError: ("SolidWorks is out of memory", "Close documents or restart it"),
    swFileLoadError_e.swLiquidMachineDoc: ("it is protected", "Ask its owner for an open copy"),
    swFileLoadError_e.swConnectedIsOffline: ("it lies in a vault that is offline", "Connect to the vault"),
    swFileLoadError_e.swAddinInteruptError: (
        "an add-in kept SolidWorks from opening it",
        "Unload that add-in",
    ),
    swFileLoadError_e.swNoDisplayData: ("it holds no model", "Open it in SolidWorks and save it"),
}


@contextmanager
def opened(application: Any, path: str, configuration: str, findings: Findings) -> Iterator[Any]:
    """The document to read; if it was opened for that, it is closed and the former one is active again."""
    document, former = (_active(application), None) if not path else _open(application, path, configuration)
    try:
        _check(document, path, configuration)
        yield document
    except LostError:
        raise
    except BaseException as error:
        if not _closed(application, document, path, former):
            error.add_note(f"{path} could not be closed again.")
        raise
    if not _closed(application, document, path, former):
        findings.add("document-left-open", path)


def _active(application: Any) -> Any:
    document = application.ActiveDoc
    if document is None:
        raise SolidWorksError("No document is open in SolidWorks. Open an assembly or a part, or name a file.")
    return document


def _open(application: Any, path: str, configuration: str) -> tuple[Any, str | None]:
    """The document, and the title of the one that was active before it was opened, None if it was open."""
    kind = TYPES.get(ntpath.splitext(path)[1].lower())
    if kind is None:
        raise FileError(
            path, "it is neither an assembly nor a part", remedy="Name a file that ends in .SLDASM or .SLDPRT"
        )
    already = application.GetOpenDocumentByName(path)
    if already is not None:
        return already, None
    active = application.ActiveDoc
    former = active.GetTitle() if active is not None else ""
    document, errors, _ = application.OpenDoc6(path, int(kind), int(OPTIONS), configuration, 0, 0)
    if document is None:
        problem, remedy = reason(errors)
        raise FileError(path, f"SolidWorks cannot open it: {problem}", remedy=remedy)
    return document, former


def reason(errors: int) -> tuple[str, str]:
    """What a bit mask of swFileLoadError_e means, and the remedy."""
    for error, explained in REASONS.items():
        if errors & error:
            return explained
    return f"it gave error {errors}", "Open it in SolidWorks by hand and see what it says"


def _check(document: Any, path: str, configuration: str) -> None:
    name = path or document.GetTitle()
    if document.GetType() not in READABLE:
        raise FileError(
            name, "it is a drawing", remedy="Open the assembly or part that it shows, and read that instead"
        )
    active = document.ConfigurationManager.ActiveConfiguration.Name
    if configuration not in ("", active):
        known = document.GetConfigurationNames()
        remedy = "Activate it in SolidWorks, or close the document" if configuration in known else "Name one of these"
        raise FileError(
            name,
            f"configuration `{configuration}` is not the active one (`{active}`); it has {', '.join(known)}",
            remedy=remedy,
        )


def _closed(application: Any, document: Any, path: str, former: str | None) -> bool:
    """Close what was opened; whether that, and going back to the former document, succeeded."""
    if former is None:
        return True
    option = int(swRebuildOnActivation_e.swDontRebuildActiveDoc)
    outcomes = [tried(lambda: _close(application, document, path))]
    if former:
        outcomes.append(tried(lambda: application.ActivateDoc3(former, False, option, 0)))
    return outcomes == [Outcome.DONE] * len(outcomes)


def _close(application: Any, document: Any, path: str) -> None:
    application.CloseDoc(document.GetTitle())
    if application.GetOpenDocumentByName(path) is not None:
        raise SolidWorksError(f"{path} is still open.")
