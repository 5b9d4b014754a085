"""Access to SolidWorks over COM: by the pointer that an add-in gets, the running one, by process id, or a new one."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pythoncom

from swgrm.errors import SolidWorksError
from swgrm.solidworks.api_slice import ComError
from swgrm_addin.com.transport import ComTransport, com_errors
from swgrm_addin.editions import CANNOT_START
from swgrm_addin.port import Port
from swgrm_addin.starting import START, wait_until_started

# The ProgID selects one of several installed releases: "SldWorks.Application.33" is SolidWorks 2025.
PROGID = os.environ.get("SWGRM_SOLIDWORKS", "SldWorks.Application")
NOT_INSTALLED = (0x800401F3, 0x80040154)  # CO_E_CLASSSTRING, REGDB_E_CLASSNOTREG
PID_MONIKER = "SolidWorks_PID_{}"  # the name of each SolidWorks in the running object table


def in_process(pointer: Any) -> Any:
    """ISldWorks for the IDispatch pointer that SolidWorks passes to its add-in."""
    return Port(ComTransport()).wrap(pointer, "ISldWorks")


def running(progid: str = PROGID) -> Any:
    """ISldWorks of the running SolidWorks."""
    with _reaching(f"No running SolidWorks was found ({progid}: {{}}). Start it and open the document."):
        return in_process(pythoncom.GetActiveObject(progid).QueryInterface(pythoncom.IID_IDispatch))


def by_process(process: int) -> Any:
    """ISldWorks of the SolidWorks with that process id."""
    missing = f"No SolidWorks with process id {process} was found ({{}}). Is it still starting, or run by another user?"
    with _reaching(missing):
        context, table = pythoncom.CreateBindCtx(0), pythoncom.GetRunningObjectTable()
        for moniker in table:
            if moniker.GetDisplayName(context, None).lstrip("!") == PID_MONIKER.format(process):
                return in_process(table.GetObject(moniker).QueryInterface(pythoncom.IID_IDispatch))
    raise SolidWorksError(missing.format("it is not in the running object table"))


def started(progid: str = PROGID, report: Callable[[str], object] = bool, limit: float = START) -> Any:
    """ISldWorks of the SolidWorks that COM finds or starts for the ProgID, when its start is complete.

    `report` gets a sentence if that takes a while, at most `limit` seconds.
    """
    try:
        with com_errors:
            pointer = pythoncom.CoCreateInstance(progid, None, pythoncom.CLSCTX_LOCAL_SERVER, pythoncom.IID_IDispatch)
            application = in_process(pointer)
    except ComError as error:
        if error.hresult in NOT_INSTALLED:
            problem = f"SolidWorks could not be started ({progid}: {error}). Is it installed on this machine?"
            raise SolidWorksError(problem) from error
        application = _running_instead(progid, error)
    wait_until_started(application, report, limit)
    return application


def _running_instead(progid: str, error: ComError) -> Any:
    """The running SolidWorks, if COM could not start one."""
    try:
        return running(progid)
    except SolidWorksError:
        raise SolidWorksError(
            f"SolidWorks could not be started by another program ({progid}: {error}). {CANNOT_START}, then try "
            "again; a licence must be free."
        ) from error


@contextmanager
def _reaching(problem: str) -> Iterator[None]:
    """A context that turns COM errors into a SolidWorksError with this sentence."""
    try:
        with com_errors:
            yield
    except ComError as error:
        raise SolidWorksError(problem.format(error)) from error
