"""CommandInProgress, with which calls from another process are many times as fast.

SolidWorks counts it: each True needs a False of its own. With one True too many it no longer redraws its windows.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from swgrm.errors import CallError

FLAG = "CommandInProgress"
ATTEMPTS = 2  # to set it to False


class CommandFlag:
    """The flag of a SolidWorks: set only where it reads False, and then undone."""

    def __init__(self, application: Any) -> None:
        self.application, self._is_ours = application, False

    def set(self) -> bool:
        """Set the flag, unless it is set already; returns whether a program set it that will undo it, or was killed."""
        if self._is_ours:
            return False
        if self.application.CommandInProgress:
            return True
        try:
            self.application.CommandInProgress = True
        except CallError as error:  # then calls take longer
            self.application.port.note_default(error)
        else:
            self._is_ours = True
        return False

    def undo(self) -> None:
        """Set False for our True; after an error, it can be called again.

        SolidWorks may return without an error although it did nothing. Before our True the flag was read as False, so
        if it is still read as True, it is set to False once more. The caller checks whether that helped.
        """
        for _ in range(ATTEMPTS):
            if self._is_ours:
                self.application.CommandInProgress = False
                self._is_ours = False  # also if it cannot be read now: one False too many is as bad
                self._is_ours = self._is_read_as_set()

    def _is_read_as_set(self) -> bool:
        try:
            return bool(self.application.CommandInProgress)
        except CallError as error:
            self.application.port.note_default(error)
            return False

    @contextmanager
    def undone(self) -> Iterator[None]:
        """A context in which the flag is not set by us; at its end, it is set again if it was before."""
        was_set = self._is_ours
        self.undo()
        try:
            yield
        finally:
            if was_set:
                self.set()
