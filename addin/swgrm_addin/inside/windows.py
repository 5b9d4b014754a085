"""The user interface on Windows: a timer on the host's message loop, the shell, and a job object for subprocesses."""

from __future__ import annotations

import ctypes
import os
import subprocess
from collections.abc import Callable
from ctypes import wintypes
from pathlib import Path
from typing import Any

import pythoncom
import win32event
import win32job

MOMENT = 50  # [ms] to wait for messages
SHARE_OF_MEMORY = 0.75  # of the machine's memory, which the subprocess may use

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

    def end_with_parent(self, process: subprocess.Popen[bytes]) -> object:
        """A job object with the process in it. Windows ends the process when the last handle to the job is closed."""
        job = win32job.CreateJobObject(None, "")
        kind = win32job.JobObjectExtendedLimitInformation
        limits = win32job.QueryInformationJobObject(job, kind)
        basic = limits["BasicLimitInformation"]
        basic["LimitFlags"] = win32job.JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE | win32job.JOB_OBJECT_LIMIT_JOB_MEMORY
        limits["JobMemoryLimit"] = int(SHARE_OF_MEMORY * installed_memory())
        win32job.SetInformationJobObject(job, kind, limits)
        win32job.AssignProcessToJobObject(job, int(vars(process)["_handle"]))  # it has no public name
        return job


_stopped: list[Any] = []


class _MemoryStatus(ctypes.Structure):
    _fields_ = (("length", wintypes.DWORD), ("load", wintypes.DWORD), ("total", ctypes.c_ulonglong),
                ("rest", ctypes.c_ulonglong * 6))  # fmt: skip


def installed_memory() -> int:
    """The machine's memory, in bytes."""
    status = _MemoryStatus(ctypes.sizeof(_MemoryStatus))
    ctypes.WinDLL("kernel32").GlobalMemoryStatusEx(ctypes.byref(status))
    return int(status.total)
