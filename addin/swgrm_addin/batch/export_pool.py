"""The pool of processes that export documents: started on demand, used again, and ended.

A process exports one document at a time. One that failed, hung or crashed is ended, and the next document gets a new
one. Documents of a real SolidWorks have a process of their own, because pointers to SolidWorks' objects end with it.
"""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from collections.abc import Sequence
from contextlib import suppress

from swgrm_addin.batch.processes import OwnedProcess, check_starts

COMMAND = (sys.executable, "-P", "-m", "swgrm_addin.batch.export_process")
DOCUMENTS = 100  # that a process exports at most, so that what libraries keep does not add up
ALONE = frozenset({"solidworks", "attached"})  # kinds of instances whose documents need a process of their own
PATIENCE = 10.0  # [s] within which an idle process must end when its input ends


class ExportProcess(OwnedProcess):
    """A process that exports documents."""

    def __init__(self) -> None:
        super().__init__(COMMAND, answers=2)
        self.documents = 0

    def send(self, arguments: Sequence[str]) -> None:
        """Let it export a document; nothing happens if it has ended, which its output shows."""
        assert self.popen.stdin is not None  # noqa: S101 - it is a pipe
        with suppress(OSError):
            self.popen.stdin.write(json.dumps(list(arguments)).encode() + b"\n")
            self.popen.stdin.flush()

    def close_input(self) -> None:
        """Let it end by itself, if it waits for a document."""
        assert self.popen.stdin is not None  # noqa: S101 - it is a pipe
        with suppress(OSError):
            self.popen.stdin.close()


class ExportPool:
    """The export processes of this process."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._idle: list[ExportProcess] = []

    def take(self) -> ExportProcess:
        """A process that waits for a document: one that has exported others, or a new one."""
        check_starts()  # those that were killed just now may look alive
        while True:
            with self._lock:
                process = self._idle.pop() if self._idle else None
            if process is None:
                return ExportProcess()
            if process.popen.poll() is None:
                return process
            process.end()

    def give_back(self, process: ExportProcess, instance_kind: str) -> None:
        """Keep a process that has exported a document of an instance of that kind, or end it if that is due."""
        process.documents += 1
        if process.documents < DOCUMENTS and instance_kind not in ALONE:
            with self._lock:
                self._idle.append(process)
        else:
            _end([process])

    def close(self) -> None:
        """End the processes that wait for a document."""
        with self._lock:
            idle, self._idle = self._idle, []
        _end(idle)


def _end(processes: Sequence[ExportProcess]) -> None:
    for process in processes:
        process.close_input()
    for process in processes:
        with suppress(subprocess.TimeoutExpired):
            process.popen.wait(PATIENCE)
        process.end()
