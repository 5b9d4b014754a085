"""Limits of a child process: its memory and its processor time, as each system sets them."""

from __future__ import annotations

import math
from typing import NamedTuple

# The flags of Windows' JOBOBJECT_BASIC_LIMIT_INFORMATION.
JOB_TIME, JOB_MEMORY, KILL_ON_JOB_CLOSE = 0x4, 0x200, 0x2000
TICKS = 10_000_000  # in a second of Windows' times


class ChildLimits(NamedTuple):
    """What a child process may use; 0 means no limit.

    Linux limits the address space and the time of every process by itself, Windows limits the
    memory and the time of the child and of all that it starts together. A child that needs more
    memory gets a MemoryError; one that needs more time is ended by the system. `Child.limited`
    limits the time on the clock.
    """

    memory: int = 0  # [bytes]
    processor_time: float = 0.0  # [s]


class JobObjectLimits(NamedTuple):
    """The same limits, as the fields of Windows' JOBOBJECT_EXTENDED_LIMIT_INFORMATION."""

    flags: int
    memory: int  # [bytes] JobMemoryLimit
    time: int  # [100 ns] PerJobUserTimeLimit


def job_object_limits(limits: ChildLimits) -> JobObjectLimits:
    """The limits of a job object, which always ends its processes with its last handle."""
    flags = KILL_ON_JOB_CLOSE
    if limits.memory:
        flags |= JOB_MEMORY
    if limits.processor_time:
        flags |= JOB_TIME
    return JobObjectLimits(flags, limits.memory, round(limits.processor_time * TICKS))


def whole_seconds(processor_time: float) -> int:
    """A processor time in whole seconds, as Linux counts; rounded up, so that 0.5 s is not none."""
    return math.ceil(processor_time)
