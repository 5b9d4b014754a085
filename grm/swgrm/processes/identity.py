"""The identity of a process: its host, its id and its creation time, because systems reuse ids."""

from __future__ import annotations

import os
import sys
import time
from functools import cache
from platform import node

import msgspec

if sys.platform == "win32":
    from swgrm.processes import windows as system
else:
    from swgrm.processes import unix as system

SAME_TIME = 2.0  # [s] between readings of a creation time, which differ when the clock is set
PATIENCE = 10.0  # [s] within which a killed process must end


class Process(msgspec.Struct, frozen=True):
    """The identity of a process, on any machine."""

    host: str
    id: int
    created: float  # [s] since 1970


def process_of(identity: int) -> Process:
    """The process of this machine that has this id now."""
    state = system.process_state(identity)
    return Process(node(), identity, state.created if state else 0.0)


@cache
def current_process() -> Process:
    """The process that calls this function."""
    return process_of(os.getpid())


def is_alive(process: Process) -> bool:
    """Whether a process of this machine runs; False if another process has its id."""
    state = system.process_state(process.id) if process.host == node() else None
    return state is not None and state.runs and abs(state.created - process.created) < SAME_TIME


def is_running(identity: int) -> bool:
    """Whether any process of this machine has this id and runs."""
    state = system.process_state(identity)
    return state is not None and state.runs


def end(process: Process) -> None:
    """End a process of this machine with all that it started, and wait until it has ended."""
    until = time.monotonic() + PATIENCE
    while is_alive(process) and time.monotonic() < until:
        system.kill(process.id)
        time.sleep(0.01)
