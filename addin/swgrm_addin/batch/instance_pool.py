"""The pool of SolidWorks instances that open documents: started on demand, reused, replaced, and ended.

An instance opens one document at a time. Its address is all that a worker needs to request a capture from it.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from importlib import import_module
from typing import Protocol

from swgrm.errors import SolidWorksError

START_ATTEMPTS = 3  # failed starts in a row after which no further start is attempted


class SolidWorksInstance(Protocol):
    """A running SolidWorks that the batch may use."""

    address: str

    def is_alive(self) -> bool:
        """Whether its process runs."""

    def end(self) -> None:
        """End its process, even if it is busy."""


class PooledInstance:
    """An instance with its number of documents so far; the user sets `is_faulty` if it must be replaced."""

    def __init__(self, instance: SolidWorksInstance) -> None:
        self.instance, self.documents, self.is_faulty = instance, 0, False


def _starter(module: str, function: str = "start") -> Callable[[], SolidWorksInstance]:
    return lambda: getattr(import_module(module), function)()


STARTERS: Mapping[str, Callable[[], SolidWorksInstance]] = {  # by kind of instance
    "mock": _starter("swgrm_mocks.testing.instances"),
    "solidworks": _starter("swgrm_addin.batch.solidworks"),
    "attached": _starter("swgrm_addin.batch.solidworks", "attach"),
}


class InstancePool:
    """Starts as many instances as are used at once. If a start fails while others run, waits for one of those.

    A start fails, for example, when no further licence is free.
    """

    def __init__(self, starters: Mapping[str, Callable[[], SolidWorksInstance]] = STARTERS) -> None:
        self._starters = starters
        self._changed = threading.Condition()
        self._free: dict[str, list[PooledInstance]] = {kind: [] for kind in starters}
        self._in_use: Counter[str] = Counter()  # acquired or being started
        self._failed_starts: Counter[str] = Counter()  # in a row
        self._all: set[PooledInstance] = set()

    @contextmanager
    def acquire(self, kind: str, restart_every: int = 0) -> Iterator[PooledInstance]:
        """An instance of that kind, for one document; it is replaced after `restart_every` documents (0: never)."""
        pooled = self._acquire(kind)
        try:
            yield pooled
        except BaseException:
            pooled.is_faulty = True
            raise
        finally:
            pooled.documents += 1
            is_due = bool(restart_every) and pooled.documents >= restart_every
            self._release(kind, pooled, keep=not (is_due or pooled.is_faulty))

    def close(self) -> None:
        """End every instance."""
        with self._changed:
            every, self._all = self._all, set()
            self._free = {kind: [] for kind in self._starters}
            self._failed_starts.clear()
        for pooled in every:
            pooled.instance.end()

    def _acquire(self, kind: str) -> PooledInstance:
        while True:
            with self._changed:
                while self._free[kind]:
                    pooled = self._free[kind].pop()
                    if pooled.instance.is_alive():
                        self._in_use[kind] += 1
                        return pooled
                    self._discard(pooled)
                self._in_use[kind] += 1
            with suppress(_StartRefused):
                return self._start(kind)

    def _start(self, kind: str) -> PooledInstance:
        """Start an instance; if that fails while others are in use, wait for one of them and raise _StartRefused."""
        try:
            if self._failed_starts[kind] >= START_ATTEMPTS:
                raise SolidWorksError(
                    f"SolidWorks failed to start {START_ATTEMPTS} times in a row; no further start was attempted."
                )
            pooled = PooledInstance(self._starters[kind]())
        except BaseException as error:
            is_refused = isinstance(error, SolidWorksError)
            with self._changed:
                self._in_use[kind] -= 1
                self._changed.notify_all()
                if not is_refused or not self._in_use[kind]:
                    self._failed_starts[kind] += is_refused
                    raise
                self._changed.wait_for(lambda: self._free[kind] or not self._in_use[kind])
            raise _StartRefused from None
        with self._changed:
            self._failed_starts[kind] = 0
            self._all.add(pooled)
        return pooled

    def _release(self, kind: str, pooled: PooledInstance, *, keep: bool) -> None:
        if not keep:
            pooled.instance.end()
        with self._changed:
            self._in_use[kind] -= 1
            if keep and pooled in self._all:
                self._free[kind].append(pooled)
            else:
                self._all.discard(pooled)
            self._changed.notify_all()

    def _discard(self, pooled: PooledInstance) -> None:
        self._all.discard(pooled)
        pooled.instance.end()


class _StartRefused(Exception):
    """No further instance can be started at the moment."""
