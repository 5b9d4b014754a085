"""Seats: the SolidWorks instances that open documents, one document at a time; lent, replaced, and ended.

A seat is a process of our own. Its address is all that the child needs in order to ask it for a capture.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from importlib import import_module
from typing import Protocol

from swgrm.errors import SolidWorksError

TRIES = 3  # at starting a seat, one after the other, until none is tried any more


class Seat(Protocol):
    """A SolidWorks that we may use."""

    address: str

    def is_alive(self) -> bool:
        """Whether it runs."""

    def end(self) -> None:
        """End it, whatever it is doing."""


class Lent:
    """A seat in use: whoever uses it says whether it may be used again."""

    def __init__(self, seat: Seat) -> None:
        self.seat, self.documents, self.is_spoilt = seat, 0, False


def _starter(module: str, function: str = "start") -> Callable[[], Seat]:
    return lambda: getattr(import_module(module), function)()


SEATS: Mapping[str, Callable[[], Seat]] = {
    "mock": _starter("swgrm_mocks.testing.instances"),
    "solidworks": _starter("swgrm_addin.batch.solidworks"),
    "attached": _starter("swgrm_addin.batch.solidworks", "attach"),
}


class Seats:
    """As many seats as are wanted at once and can be had: a licence that is refused means to wait for a seat."""

    def __init__(self, starters: Mapping[str, Callable[[], Seat]] = SEATS) -> None:
        self._starters = starters
        self._changed = threading.Condition()
        self._free: dict[str, list[Lent]] = {kind: [] for kind in starters}
        self._taken: Counter[str] = Counter()  # lent or being started
        self._failed: Counter[str] = Counter()  # starts that failed, one after the other
        self._all: set[Lent] = set()

    @contextmanager
    def lend(self, kind: str, restart_every: int = 0) -> Iterator[Lent]:
        """A seat of that kind, for one document."""
        lent = self._take(kind)
        try:
            yield lent
        except BaseException:
            lent.is_spoilt = True
            raise
        finally:
            lent.documents += 1
            worn = bool(restart_every) and lent.documents >= restart_every
            self._give_back(kind, lent, keep=not (worn or lent.is_spoilt))

    def close(self) -> None:
        """End every seat."""
        with self._changed:
            every, self._all = self._all, set()
            self._free = {kind: [] for kind in self._starters}
            self._failed.clear()
        for lent in every:
            lent.seat.end()

    def _take(self, kind: str) -> Lent:
        while True:
            with self._changed:
                while self._free[kind]:
                    lent = self._free[kind].pop()
                    if lent.seat.is_alive():
                        self._taken[kind] += 1
                        return lent
                    self._forget(lent)
                self._taken[kind] += 1
            with suppress(_Refused):
                return self._start(kind)

    def _start(self, kind: str) -> Lent:
        """Start a seat; where others are at work, a refusal means to wait for one of them."""
        try:
            if self._failed[kind] >= TRIES:
                raise SolidWorksError(
                    f"SolidWorks could not be started {TRIES} times in a row; it was not tried again."
                )
            lent = Lent(self._starters[kind]())
        except BaseException as error:
            is_refused = isinstance(error, SolidWorksError)
            with self._changed:
                self._taken[kind] -= 1
                self._changed.notify_all()
                if not is_refused or not self._taken[kind]:
                    self._failed[kind] += is_refused
                    raise
                self._changed.wait_for(lambda: self._free[kind] or not self._taken[kind])
            raise _Refused from None
        with self._changed:
            self._failed[kind] = 0
            self._all.add(lent)
        return lent

    def _give_back(self, kind: str, lent: Lent, *, keep: bool) -> None:
        if not keep:
            lent.seat.end()
        with self._changed:
            self._taken[kind] -= 1
            if keep and lent in self._all:
                self._free[kind].append(lent)
            else:
                self._all.discard(lent)
            self._changed.notify_all()

    def _forget(self, lent: Lent) -> None:
        self._all.discard(lent)
        lent.seat.end()


class _Refused(Exception):
    """No further seat is to be had just now."""
