"""Processes on POSIX systems: when they were created, groups of them that end together, files that one has locked."""

from __future__ import annotations

import contextlib
import fcntl
import os
import signal
import subprocess
from datetime import datetime
from pathlib import Path
from typing import NamedTuple


class Seen(NamedTuple):
    """What the system says about a process."""

    created: float  # [s] since 1970
    runs: bool  # a zombie does not


def look(identity: int) -> Seen | None:
    """The process that has this id now."""
    try:
        return _linux(identity) if Path("/proc/self/stat").exists() else _elsewhere(identity)
    except (OSError, ValueError, IndexError, StopIteration):
        return None


def kill(identity: int) -> None:
    """End a process and all that it started."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(identity, signal.SIGKILL)


def lock(file: int) -> bool:
    """Lock an open file until it is closed, at the latest by our end; False if somebody else has."""
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:  # this file system has no locks
        return True
    return True


class Group:
    """A process that was just started, and all that it starts."""

    def __init__(self, popen: subprocess.Popen[bytes]) -> None:
        self._identity = popen.pid

    def end(self) -> None:
        """End them."""
        kill(self._identity)


def _linux(identity: int) -> Seen:
    fields = Path(f"/proc/{identity}/stat").read_text("ascii", "replace").rpartition(")")[2].split()
    booted = next(line for line in Path("/proc/stat").read_text("ascii").splitlines() if line.startswith("btime"))
    return Seen(int(booted.split()[1]) + int(fields[19]) / os.sysconf("SC_CLK_TCK"), fields[0] not in "ZX")


def _elsewhere(identity: int) -> Seen:
    command = ["ps", "-o", "stat=,lstart=", "-p", str(identity)]
    done = subprocess.run(  # noqa: S603 - a fixed program, and a number
        command, capture_output=True, text=True, check=False, env={"LC_ALL": "C"}
    )
    state, _, when = done.stdout.strip().partition(" ")
    created = datetime.strptime(when.strip(), "%a %b %d %H:%M:%S %Y").astimezone()
    return Seen(created.timestamp(), not state.startswith("Z"))
