"""Leaving SolidWorks as it was: what is touched is put back, and that is checked, also after an error."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from types import TracebackType
from typing import Any

from swgrm.capture import Component
from swgrm.errors import BusyError, LostError, SolidWorksError
from swgrm.findings import Findings
from swgrm.swconst import (
    swComponentSuppressionState_e,
    swUpdateProgressError_e,
)
from swgrm_addin.reader.walk import cancelled

TRIES = 3  # at putting one thing back
TITLE = "swgrm reads the document"


class Guard:
    """In this context components may be resolved and the progress bar runs; after it all is as before."""

    def __init__(self, application: Any, document: Any, findings: Findings, *, out_of_process: bool) -> None:
        self.application, self.document, self.out_of_process = application, document, out_of_process
        self.findings = findings
        self._undo: list[tuple[str, Callable[[], object]]] = []
        self._before: dict[str, object] = {}
        self._bar: Any = None

    def __enter__(self) -> Guard:
        self._before = self._state()
        try:
            self._start()
        except BaseException as error:
            self._finish(error)
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._finish(error)

    def resolve(self, component: Any, record: Component) -> None:
        """Load a lightweight component fully, until the end."""
        state = component.GetSuppression2()
        self._undo.append((f"the state of {record.name}", lambda: self._put_back(component, state)))
        component.SetSuppression2(int(swComponentSuppressionState_e.swComponentFullyResolved))

    def report(self, fraction: float, what: str) -> None:
        """Move SolidWorks' own progress bar; raise Cancelled if the user pressed its Cancel."""
        if self._bar is None:
            return
        answer = self._bar.UpdateProgress(round(100 * fraction))
        if answer == swUpdateProgressError_e.swUpdateProgressError_UserCancel:
            raise cancelled(what)

    def _start(self) -> None:
        if self.out_of_process:
            before = bool(self._before["whether a command is in progress"])
            self._undo.append(("CommandInProgress", lambda: self._set_command_in_progress(before)))
            self._set_command_in_progress(True)
        available, bar = self.application.GetUserProgressBar()
        if available:
            self._undo.append(("the progress bar", bar.End))
            bar.Start(0, 100, TITLE)
            self._bar = bar

    def _set_command_in_progress(self, value: bool) -> None:
        self.application.CommandInProgress = value
        if self.application.CommandInProgress != value:
            raise SolidWorksError("SolidWorks did not take CommandInProgress.")

    @staticmethod
    def _put_back(component: Any, state: int) -> None:
        component.SetSuppression2(state)
        if component.GetSuppression2() != state:
            raise SolidWorksError("SolidWorks did not take the state back.")

    def _state(self) -> dict[str, object]:
        active = self.application.ActiveDoc
        return {
            "whether a command is in progress": self.application.CommandInProgress,
            "the active document": active.GetTitle() if active is not None else "",
            "the active configuration": self.document.ConfigurationManager.ActiveConfiguration.Name,
            "the selection": self.document.SelectionManager.GetSelectedObjectCount2(-1),
            "whether the document needs saving": self.document.GetSaveFlag(),
        }

    def _finish(self, error: BaseException | None) -> None:
        """Restore everything and check; what differs is reported as notes of the error, or as findings."""
        problems = [] if isinstance(error, LostError) else [*self._undone(), *self._changed()]
        if error is not None:
            for problem in problems:
                error.add_note(problem)
        for problem in problems:
            self.findings.add("document-changed", TITLE, problem=problem)

    def _undone(self) -> list[str]:
        """Undo, last first; what could not be, by name. Once SolidWorks no longer answers, it is left alone."""
        failed, reachable = [], True
        for what, undo in reversed(self._undo):
            outcome = tried(undo) if reachable else Outcome.UNREACHABLE
            reachable = outcome is not Outcome.UNREACHABLE
            if outcome is not Outcome.DONE:
                failed.append(f"{what} could not be put back.")
        return failed

    def _changed(self) -> list[str]:
        after: dict[str, object] = {}
        if tried(lambda: after.update(self._state())) is not Outcome.DONE:
            return ["SolidWorks no longer answers, so that its state could not be checked."]
        changed = [key for key, value in after.items() if value != self._before.get(key)]
        return [f"{key} is no longer {self._before[key]!r} but {after[key]!r}." for key in changed]


class Outcome(Enum):
    """Of an attempt to put something back."""

    DONE = "done"
    FAILED = "failed"
    UNREACHABLE = "SolidWorks does not answer"


def tried(action: Callable[[], object]) -> Outcome:
    """Do something that must be done, again if SolidWorks failed at it."""
    outcome = Outcome.FAILED
    for _ in range(TRIES):
        try:
            action()
        except LostError:
            return Outcome.UNREACHABLE
        except SolidWorksError as error:
            outcome = Outcome.UNREACHABLE if isinstance(error, BusyError) else Outcome.FAILED
        else:
            return Outcome.DONE
    return outcome
