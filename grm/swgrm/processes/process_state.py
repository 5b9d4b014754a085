"""The state of a process, as the modules for POSIX systems and Windows read it."""

from __future__ import annotations

from typing import NamedTuple


class ProcessState(NamedTuple):
    """The state of a process."""

    created: float  # [s] since 1970
    runs: bool  # False for a zombie, or for an ended process whose handle another process holds
