"""Gives orders to the add-in of a running SolidWorks from another process, and waits until they have ended."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import msgspec

from swgrm.errors import BusyError, CallError, Cancelled, LostError, SolidWorksError
from swgrm.findings import Finding
from swgrm.solidworks.api_slice import ComError
from swgrm_addin.inside.identity import CLSID, PROGID
from swgrm_addin.inside.orders import ENDED, OrderState

FIRST_PAUSE, LONGEST_PAUSE = 0.05, 1.0  # [s] between two questions for the state of an order

Report = Callable[[OrderState], object]


def capture(
    application: Any, document: str, file: str, configuration: str = "", report: Report = bool, tolerance: float = 0.0
) -> tuple[Finding, ...] | None:
    """Have the add-in capture a document ("" is the active one) into a file; returns the findings.

    Returns None if the add-in is not loaded in that SolidWorks. `report` gets the state of the order while it runs.
    `tolerance` [m] is that of the meshes; 0 takes the triangles that SolidWorks displays.
    """
    arguments: tuple[str | float, ...] = (document, file, configuration)
    if tolerance:  # which an add-in of version 0.2 does not take
        arguments += (tolerance,)
    state = _ordered(application, "QueueCapture", arguments, report)
    return None if state is None else tuple(map(Finding.from_plain, state.findings))


def export(application: Any, document: str, folder: str, configuration: str = "", report: Report = bool) -> str | None:
    """Have the add-in export a document into a folder; returns the summary, or None if the add-in is not loaded."""
    state = _ordered(application, "QueueExport", (document, folder, configuration), report)
    return None if state is None else state.summary


def load(application: Any) -> bool:
    """Load the add-in, if it is registered on this machine; returns whether SolidWorks has it now.

    A SolidWorks that a program started does not load the add-ins that its user has chosen. The name is that of the
    library or the CLSID; which of them SolidWorks takes for an add-in of Python has not been tested.
    """
    for name in registered_names():
        with suppress(CallError):
            application.LoadAddIn(name)
            if _add_in(application) is not None:
                return True
    return False


def registered_names() -> tuple[str, ...]:
    """The names by which the add-in may be loaded; none if it is not registered."""
    if sys.platform == "win32":
        from swgrm_addin.installation.registry import registered_library

        if library := registered_library():
            return CLSID, library
    return ()


def _ordered(application: Any, method: str, arguments: tuple[str | float, ...], report: Report) -> OrderState | None:
    """Give an order and wait for its end; if this program is interrupted meanwhile, the order is cancelled."""
    add_in = _add_in(application)
    if add_in is None:
        return None
    ticket = _call(application, add_in, method, *arguments)
    pause = FIRST_PAUSE
    try:
        while (state := _state(application, add_in, ticket)).state in ("queued", "running"):
            report(state)
            time.sleep(pause)
            pause = min(2 * pause, LONGEST_PAUSE)
    except (BusyError, LostError):
        raise
    except BaseException:
        with suppress(SolidWorksError):
            _call(application, add_in, "Cancel", ticket)
        raise
    if state.state == "cancelled":
        raise Cancelled(state.message)
    if state.state not in ENDED or state.message:
        raise SolidWorksError(f"swgrm's add-in in SolidWorks: {state.message}")
    return state


def _add_in(application: Any) -> Any:
    """The add-in's object, by its CLSID or else by its ProgID; None if it is not loaded."""
    for name in (CLSID, PROGID):
        with suppress(CallError):  # a release may accept only one of them
            if (found := application.GetAddInObject(name)) is not None:
                return found
    return None


def _state(application: Any, add_in: Any, ticket: str) -> OrderState:
    return msgspec.json.decode(_call(application, add_in, "State", ticket), type=OrderState)


def _call(application: Any, add_in: Any, method: str, *arguments: str | float) -> str:
    def invoke() -> str:
        return str(application.port.transport.automate(add_in.raw, method, arguments))

    try:
        answer: str = application.port.with_retries(invoke, f"swgrm's {method}")
    except (BusyError, LostError):
        raise
    except SolidWorksError as error:
        cause = error.__cause__
        description = cause.description if isinstance(cause, ComError) else ""
        raise SolidWorksError(f"swgrm's add-in in SolidWorks: {description or cause}") from error
    return answer
