"""The pool of processes that export documents: started on demand, used again, and ended.

A process exports one document at a time. One that failed, hung or crashed is ended, and the next document gets a new
one. Documents of a real SolidWorks have a process of their own, because pointers to SolidWorks' objects end with it.
"""

from __future__ import annotations

import threading

from swgrm.processes.child import Child, check_starts, finish
from swgrm_addin.jobs import start_program

DOCUMENTS = 100  # that a process exports at most, so that what libraries keep does not add up
ALONE = frozenset({"solidworks", "attached"})  # kinds of instances whose documents need a process of their own


class PooledChild:
    """A child process that exports documents, and the number of those that it has exported."""

    def __init__(self, child: Child) -> None:
        self.child, self.documents = child, 0


class ExportPool:
    """The export processes of this process."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._idle: list[PooledChild] = []

    def take(self) -> PooledChild:
        """A process that waits for a document: one that has exported others, or a new one."""
        check_starts()  # those that were killed just now may look alive
        while True:
            with self._lock:
                pooled = self._idle.pop() if self._idle else None
            if pooled is None:
                return PooledChild(start_program(is_recorded=True))
            if pooled.child.popen.poll() is None:
                return pooled
            pooled.child.end()

    def give_back(self, pooled: PooledChild, instance_kind: str) -> None:
        """Keep a process that has exported a document of an instance of that kind, or end it if that is due."""
        pooled.documents += 1
        if pooled.documents < DOCUMENTS and instance_kind not in ALONE:
            with self._lock:
                self._idle.append(pooled)
        else:
            finish([pooled.child])

    def close(self) -> None:
        """End the processes that wait for a document."""
        with self._lock:
            idle, self._idle = self._idle, []
        finish([pooled.child for pooled in idle])
