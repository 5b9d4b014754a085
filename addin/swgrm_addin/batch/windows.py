"""Processes on Windows: their state, job objects that end together, and file locks."""

from __future__ import annotations

import contextlib
import subprocess

import pywintypes
import win32api
import win32con
import win32job
import win32process

from swgrm_addin.batch.process_state import ProcessState

STILL_ACTIVE = 259
QUERY = 0x1000  # PROCESS_QUERY_LIMITED_INFORMATION


def process_state(identity: int) -> ProcessState | None:
    """The state of the process that has this id now; None if there is none."""
    try:
        handle = win32api.OpenProcess(QUERY, False, identity)
        created = win32process.GetProcessTimes(handle)["CreationTime"]
        return ProcessState(created.timestamp(), win32process.GetExitCodeProcess(handle) == STILL_ACTIVE)
    except pywintypes.error:
        return None


def kill(identity: int) -> None:
    """End a process. The processes that it started are in its job object, which ends them."""
    with contextlib.suppress(pywintypes.error):
        win32api.TerminateProcess(win32api.OpenProcess(win32con.PROCESS_TERMINATE, False, identity), 1)


class JobObject:
    """A process that was just started, and all processes that it starts, in a job object.

    Windows ends them when this process ends, even if it is killed.
    """

    def __init__(self, popen: subprocess.Popen[bytes]) -> None:
        self._job = win32job.CreateJobObject(None, "")
        limits = win32job.QueryInformationJobObject(self._job, win32job.JobObjectExtendedLimitInformation)
        limits["BasicLimitInformation"]["LimitFlags"] |= win32job.JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE
        win32job.SetInformationJobObject(self._job, win32job.JobObjectExtendedLimitInformation, limits)
        with contextlib.suppress(pywintypes.error):  # it has ended already
            handle = win32api.OpenProcess(win32con.PROCESS_SET_QUOTA | win32con.PROCESS_TERMINATE, False, popen.pid)
            win32job.AssignProcessToJobObject(self._job, handle)

    def end(self) -> None:
        """End all of them."""
        with contextlib.suppress(pywintypes.error):
            win32job.TerminateJobObject(self._job, 1)
