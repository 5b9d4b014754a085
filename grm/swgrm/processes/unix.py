"""Processes on POSIX systems: their state, groups that end together, and their limits."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
from datetime import datetime
from pathlib import Path

from swgrm.processes.limits import ChildLimits, whole_seconds
from swgrm.processes.process_state import ProcessState

CREATION_FLAGS = 0  # a new session, which `Child` asks for, is enough


def process_state(identity: int) -> ProcessState | None:
    """The state of the process that has this id now; None if there is none."""
    try:
        return _linux(identity) if Path("/proc/self/stat").exists() else _elsewhere(identity)
    except (OSError, ValueError, IndexError, StopIteration):
        return None


def kill(identity: int) -> None:
    """End a process and its process group."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(identity, signal.SIGKILL)


class ProcessGroup:
    """A process that was just started, with its limits, and all processes that it starts."""

    def __init__(self, popen: subprocess.Popen[bytes], limits: ChildLimits) -> None:
        self._identity = popen.pid
        set_limits(popen.pid, limits)

    def end(self) -> None:
        """End all of them."""
        kill(self._identity)


def set_limits(identity: int, limits: ChildLimits) -> None:
    """Limit a running process; Linux only, because other systems let it limit nobody but itself.

    A child waits for its job, so that the limits are set before its work begins.
    """
    if sys.platform == "linux":
        import resource

        kinds = {
            resource.RLIMIT_AS: limits.memory,
            resource.RLIMIT_CPU: whole_seconds(limits.processor_time),
        }
        with contextlib.suppress(ProcessLookupError):  # it has ended already
            for kind, most in kinds.items():
                if most:
                    resource.prlimit(identity, kind, (most, most))


def _linux(identity: int) -> ProcessState:
    fields = Path(f"/proc/{identity}/stat").read_text("ascii", "replace").rpartition(")")[2].split()
    lines = Path("/proc/stat").read_text("ascii").splitlines()
    booted = next(int(line.split()[1]) for line in lines if line.startswith("btime"))
    created = booted + int(fields[19]) / os.sysconf("SC_CLK_TCK")
    return ProcessState(created, runs=fields[0] not in "ZX")


def _elsewhere(identity: int) -> ProcessState:
    command = ["ps", "-o", "stat=,lstart=", "-p", str(identity)]
    done = subprocess.run(  # noqa: S603 - a fixed program, and a number
        command, capture_output=True, text=True, check=False, env={"LC_ALL": "C"}
    )
    state, _, when = done.stdout.strip().partition(" ")
    created = datetime.strptime(when.strip(), "%a %b %d %H:%M:%S %Y").astimezone()
    return ProcessState(created.timestamp(), not state.startswith("Z"))
