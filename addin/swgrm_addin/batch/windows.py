"""Processes on Windows: when they were created, groups of them that end together, files that one has locked."""

from __future__ import annotations

import contextlib
import errno
import msvcrt
import os
import subprocess
from typing import NamedTuple

import pywintypes
import win32api
import win32con
import win32job
import win32process

STILL_ACTIVE = 259
BEYOND = 1 << 40  # [bytes] where nobody reads or writes: Windows keeps others from what is locked
QUERY = 0x1000  # PROCESS_QUERY_LIMITED_INFORMATION


class Seen(NamedTuple):
    """What the system says about a process."""

    created: float  # [s] since 1970
    runs: bool  # one whose handle somebody holds may have ended


def look(identity: int) -> Seen | None:
    """The process that has this id now."""
    try:
        handle = win32api.OpenProcess(QUERY, False, identity)
        created = win32process.GetProcessTimes(handle)["CreationTime"]
        return Seen(created.timestamp(), win32process.GetExitCodeProcess(handle) == STILL_ACTIVE)
    except pywintypes.error:
        return None


def kill(identity: int) -> None:
    """End a process; what it started ended with its own job."""
    with contextlib.suppress(pywintypes.error):
        win32api.TerminateProcess(win32api.OpenProcess(win32con.PROCESS_TERMINATE, False, identity), 1)


def lock(file: int) -> bool:
    """Lock an open file until it is closed, at the latest by our end; False if somebody else has."""
    os.lseek(file, BEYOND, os.SEEK_SET)
    try:
        msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
    except OSError as error:
        return error.errno != errno.EACCES  # else this file system has no locks
    return True


class Group:
    """A process that was just started, and all that it starts: Windows ends them when we end, however we do."""

    def __init__(self, popen: subprocess.Popen[bytes]) -> None:
        self._job = win32job.CreateJobObject(None, "")
        limits = win32job.QueryInformationJobObject(self._job, win32job.JobObjectExtendedLimitInformation)
        limits["BasicLimitInformation"]["LimitFlags"] |= win32job.JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE
        win32job.SetInformationJobObject(self._job, win32job.JobObjectExtendedLimitInformation, limits)
        with contextlib.suppress(pywintypes.error):  # it has ended already
            handle = win32api.OpenProcess(win32con.PROCESS_SET_QUOTA | win32con.PROCESS_TERMINATE, False, popen.pid)
            win32job.AssignProcessToJobObject(self._job, handle)

    def end(self) -> None:
        """End them."""
        with contextlib.suppress(pywintypes.error):
            win32job.TerminateJobObject(self._job, 1)
