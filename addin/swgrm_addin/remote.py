"""Calls the add-in of a running SolidWorks from another process: one call per document instead of thousands."""

from __future__ import annotations

from typing import Any

import msgspec
import pythoncom

from swgrm.api import ComError
from swgrm.errors import BusyError, LostError, SolidWorksError
from swgrm.findings import Finding
from swgrm_addin.com.transport import com_errors
from swgrm_addin.inside.identity import PROGID


def capture(application: Any, document: str, file: str, configuration: str = "") -> tuple[Finding, ...] | None:
    """Have the add-in capture a document ("" is the active one) into a file; returns the findings.

    Returns None if the add-in is not loaded in that SolidWorks.
    """
    answer = _call(application, "Capture", document, file, configuration)
    return None if answer is None else tuple(map(Finding.from_plain, msgspec.json.decode(answer)))


def export(application: Any, document: str, folder: str, configuration: str = "") -> str | None:
    """Have the add-in export a document into a folder; returns the summary, or None if the add-in is not loaded."""
    return _call(application, "Export", document, folder, configuration)


def _call(application: Any, method: str, *arguments: str) -> str | None:
    add_in = application.GetAddInObject(PROGID)
    if add_in is None:
        return None

    def invoke() -> str:
        with com_errors:
            number = add_in.raw.GetIDsOfNames(0, method)
            return str(add_in.raw.Invoke(number, 0, pythoncom.DISPATCH_METHOD, True, *arguments))

    try:
        answer: str = application.port.with_retries(invoke, f"swgrm's {method}")
    except (BusyError, LostError):
        raise
    except SolidWorksError as error:
        cause = error.__cause__
        description = cause.description if isinstance(cause, ComError) else ""
        raise SolidWorksError(f"swgrm's add-in in SolidWorks: {description or cause}") from error
    return answer
