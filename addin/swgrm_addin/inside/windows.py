"""The user interface on Windows: a timer on the host's message loop, the shell, and the limits of child processes."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Callable
from ctypes import wintypes
from pathlib import Path
from typing import Any

import pythoncom
import win32event

from swgrm.processes.limits import ChildLimits
from swgrm.processes.windows import installed_memory

MOMENT = 50  # [ms] to wait for messages
SHARE_OF_MEMORY = 0.75  # of the machine's memory, which a child process may use

_user32 = ctypes.WinDLL("user32", use_last_error=True)
_TIMER = ctypes.WINFUNCTYPE(None, wintypes.HWND, wintypes.UINT, ctypes.c_size_t, wintypes.DWORD)
_user32.SetTimer.argtypes = (wintypes.HWND, ctypes.c_size_t, wintypes.UINT, _TIMER)
_user32.SetTimer.restype = ctypes.c_size_t
_user32.KillTimer.argtypes = (wintypes.HWND, ctypes.c_size_t)


class WindowsUserInterface:
    """Implements `subprocess_runner.UserInterface`."""

    def start_timer(self, milliseconds: int, action: Callable[[], object]) -> Callable[[], object]:
        """Start a timer on the message loop. Threads of Python rarely run inside a foreign host."""
        actions = [action]

        def tick(*_: object) -> None:
            for now in tuple(actions):
                now()

        called = _TIMER(tick)
        timer = _user32.SetTimer(None, 0, milliseconds, called)
        if not timer:
            raise ctypes.WinError(ctypes.get_last_error())

        def stop() -> None:
            _user32.KillTimer(None, timer)
            actions.clear()  # the action holds a reference to SolidWorks' application, which must be released
            _stopped.append(called)  # kept alive, since it may be running at this moment
            del _stopped[:-8]

        return stop

    def wait(self) -> None:
        """Handle messages for a moment."""
        win32event.MsgWaitForMultipleObjects((), False, MOMENT, win32event.QS_ALLINPUT)
        pythoncom.PumpWaitingMessages()

    def open(self, path: Path | str) -> None:
        """Open a file, a folder or a web address as a double click does."""
        os.startfile(path)  # noqa: S606 - what the user asked to see

    @property
    def limits(self) -> ChildLimits:
        """What a child process may use: most of the machine's memory, so that SolidWorks keeps the rest."""
        return ChildLimits(memory=int(SHARE_OF_MEMORY * installed_memory()))


_stopped: list[Any] = []
