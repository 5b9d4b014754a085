"""Processes on Windows: their state, and the job object that ends them together and limits them."""

from __future__ import annotations

import contextlib
import ctypes
import subprocess
from ctypes import wintypes

import pywintypes
import win32api
import win32con
import win32job
import win32process

from swgrm.processes.limits import ChildLimits, job_object_limits
from swgrm.processes.process_state import ProcessState

STILL_ACTIVE = 259
QUERY = 0x1000  # PROCESS_QUERY_LIMITED_INFORMATION
CREATION_FLAGS = 0x08000000  # CREATE_NO_WINDOW; Ctrl-C in the parent's window does not reach it


def process_state(identity: int) -> ProcessState | None:
    """The state of the process that has this id now; None if there is none."""
    try:
        handle = win32api.OpenProcess(QUERY, False, identity)
        created = win32process.GetProcessTimes(handle)["CreationTime"]
        runs = win32process.GetExitCodeProcess(handle) == STILL_ACTIVE
        return ProcessState(created.timestamp(), runs)
    except pywintypes.error:
        return None


def kill(identity: int) -> None:
    """End a process. The processes that it started are in its job object, which ends them."""
    with contextlib.suppress(pywintypes.error):
        handle = win32api.OpenProcess(win32con.PROCESS_TERMINATE, False, identity)
        win32api.TerminateProcess(handle, 1)


class JobObject:
    """A process that was just started, and all that it starts, in a job object with its limits.

    Windows ends them when this process ends, even if it is killed.
    """

    def __init__(self, popen: subprocess.Popen[bytes], limits: ChildLimits) -> None:
        self._job = win32job.CreateJobObject(None, "")
        wanted = job_object_limits(limits)
        kind = win32job.JobObjectExtendedLimitInformation
        information = win32job.QueryInformationJobObject(self._job, kind)
        information["BasicLimitInformation"]["LimitFlags"] |= wanted.flags
        information["BasicLimitInformation"]["PerJobUserTimeLimit"] = wanted.time
        information["JobMemoryLimit"] = wanted.memory
        win32job.SetInformationJobObject(self._job, kind, information)
        try:
            access = win32con.PROCESS_SET_QUOTA | win32con.PROCESS_TERMINATE
            handle = win32api.OpenProcess(access, False, popen.pid)
            win32job.AssignProcessToJobObject(self._job, handle)
        except pywintypes.error as error:
            # Without limits the watchdog of the child is enough; and it may have ended already.
            if limits != ChildLimits() and popen.poll() is None:
                raise OSError(f"its limits cannot be set: {error.strerror}") from error

    def end(self) -> None:
        """End all of them."""
        with contextlib.suppress(pywintypes.error):
            win32job.TerminateJobObject(self._job, 1)


class _MemoryStatus(ctypes.Structure):
    _fields_ = (("length", wintypes.DWORD), ("load", wintypes.DWORD), ("total", ctypes.c_ulonglong),
                ("rest", ctypes.c_ulonglong * 6))  # fmt: skip


def installed_memory() -> int:
    """The machine's memory, in bytes."""
    status = _MemoryStatus(ctypes.sizeof(_MemoryStatus))
    ctypes.WinDLL("kernel32").GlobalMemoryStatusEx(ctypes.byref(status))
    return int(status.total)
