"""A COM local server that serves the mock SolidWorks under a ProgID, as SldWorks.exe serves the real one.

    python -m swgrm_mocks.testing.com_server PROGID SOURCE        # CAPTURE.swcap or mock:SAMPLE

Started from a command line it runs until its standard input ends; started by COM, until no client is left.
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

import pythoncom
import pywintypes
import win32api
import win32con
import win32event

from swgrm.processes.watchdog import wait_for_end
from swgrm_addin.com.reach import PID_MONIKER
from swgrm_mocks.testing.com_objects import ApplicationPolicy, applications
from swgrm_mocks.testing.com_registration import id_of


@contextmanager
def announced(progid: str, make: Callable[[], Any]) -> Iterator[None]:
    """Register the application by its ProgID, as the active object, and under this process's id."""
    clsid = pywintypes.IID(id_of(progid))
    ApplicationPolicy.made[clsid] = make
    factory = pythoncom.MakePyFactory(clsid)
    with ExitStack() as stack:
        how = pythoncom.CLSCTX_LOCAL_SERVER, pythoncom.REGCLS_MULTIPLEUSE
        stack.callback(pythoncom.CoRevokeClassObject, pythoncom.CoRegisterClassObject(clsid, factory, *how))
        application = make()
        active = pythoncom.RegisterActiveObject(application, clsid, 0)
        stack.callback(pythoncom.RevokeActiveObject, active)
        table = pythoncom.GetRunningObjectTable()
        moniker = pythoncom.CreateItemMoniker("", PID_MONIKER.format(os.getpid()))
        stack.callback(table.Revoke, table.Register(0, application, moniker))
        yield


def pump_until_input_ends() -> None:
    """Handle COM's calls until standard input ends: closed by the parent process, or by its end."""
    thread = win32api.GetCurrentThreadId()

    def watch() -> None:
        wait_for_end()
        win32api.PostThreadMessage(thread, win32con.WM_QUIT, 0, 0)

    threading.Thread(target=watch, daemon=True).start()
    while not pythoncom.PumpWaitingMessages():
        win32event.MsgWaitForMultipleObjects((), False, 1000, win32event.QS_ALLINPUT)


def pump_until_unused() -> None:
    """Handle COM's calls until at least one client has connected and all have released their pointers."""
    count_pointers = pythoncom._GetGatewayCount  # noqa: SLF001 - pywin32 has no public name for it
    ours = most = count_pointers()
    while most == ours or count_pointers() > ours:
        most = max(most, count_pointers())
        win32event.MsgWaitForMultipleObjects((), False, 1000, win32event.QS_ALLINPUT)
        pythoncom.PumpWaitingMessages()


def serve(progid: str, make: Callable[[], Any]) -> None:
    """Serve until standard input ends; a line on standard output tells when clients can connect."""
    with announced(progid, make):
        sys.stdout.write(f"serving {progid} as process {os.getpid()}\n")
        sys.stdout.flush()
        pump_until_input_ends()


def main(progid: str, source: str, *started_by: str) -> None:
    """Serve a capture."""
    make = applications(source)
    if "-Embedding" not in started_by:
        serve(progid, make)
        return
    with announced(progid, make):
        pump_until_unused()


if __name__ == "__main__":
    main(*sys.argv[1:])
