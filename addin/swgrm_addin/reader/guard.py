"""Restores the state of SolidWorks after reading, also after an error, and checks that it is restored."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import Enum
from types import TracebackType
from typing import Any

from swgrm.capture import Component
from swgrm.errors import BusyError, CallError, LostError, SolidWorksError
from swgrm.findings import Findings
from swgrm.solidworks.swconst import swComponentSuppressionState_e
from swgrm.solidworks.swconst_calls import swUpdateProgressError_e
from swgrm_addin.reader.command_flag import FLAG, CommandFlag
from swgrm_addin.reader.tree import component_named
from swgrm_addin.reader.walk import active_configuration, active_document, cancelled

ATTEMPTS = 3  # at restoring one thing
TITLE = "swgrm is reading the document"
SELECTED = "the number of selected objects"
ACTIVE = "the active document"
SETTABLE = frozenset(swComponentSuppressionState_e) - {swComponentSuppressionState_e.swComponentInternalIdMismatch}


class Guard:
    """A context in which components may be resolved and the progress bar is shown; its end restores the state."""

    def __init__(
        self, application: Any, document: Any, findings: Findings, *, out_of_process: bool, path: str = ""
    ) -> None:
        self.application, self.document, self.out_of_process = application, document, out_of_process
        self._path = path  # of the document to read; "": the active one
        self.findings = findings
        self._undo: list[tuple[str, Callable[[], object]]] = []
        self._before: dict[str, object] = {}
        self._bar: Any = None
        self._was_marked = False

    def __enter__(self) -> Guard:
        self._before = self._state()
        self._was_marked = bool(self.document.GetSaveFlag())
        if name := self._path or str(self._before.get(ACTIVE, "")):
            self._renew(self.document, lambda: self.application.GetOpenDocumentByName(name))
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

    def resolve(self, component: Any, record: Component) -> int:
        """Resolve a component until the end of the context; returns swSuppressionError_e."""
        state = component.GetSuppression2()
        if state in SETTABLE:
            self._renew(component, lambda: component_named(self.document, record.name))
            self._undo.append((f"the state of {record.name}", lambda: self._restore(component, state)))
        return int(component.SetSuppression2(int(swComponentSuppressionState_e.swComponentFullyResolved)))

    def suspend_selection(self) -> None:
        """Suspend the user's selection until the end of the context."""
        manager = self.document.SelectionManager
        self._renew(manager, lambda: self.document.SelectionManager)
        self._undo.append(("the selection", lambda: self._resume_selection(manager)))
        manager.SuspendSelectionList()

    def collapse(self) -> None:
        """Collapse an exploded assembly until the end, because SolidWorks returns the exploded poses as its own."""
        if not self.document.IsExploded():
            return
        assembly = self.application.port.cast(self.document, "IAssemblyDoc")  # is renewed with its document
        self._undo.append(("the exploded view", lambda: self._explode(assembly)))
        assembly.ShowExploded(False)
        if self.document.IsExploded():
            raise SolidWorksError(
                "The assembly is shown exploded, so its poses are wrong, and SolidWorks did not collapse it. "
                "Collapse it (right-click the assembly in the tree, Collapse), and try again."
            )
        self.findings.add("exploded", TITLE)

    def _explode(self, assembly: Any) -> None:
        assembly.ShowExploded(True)
        if not self.document.IsExploded():
            raise SolidWorksError("SolidWorks did not explode the assembly again.")

    def suspend_display(self) -> None:
        """Switch off the update of the view and of the feature tree until the end, which takes time at each mass."""
        try:
            view = self.document.ActiveView
            if view is not None and view.EnableGraphicsUpdate:
                self.restore_later(view, "EnableGraphicsUpdate", lambda: self.document.ActiveView)
                view.EnableGraphicsUpdate = False
            manager = self.document.FeatureManager
            if manager.EnableFeatureTree:
                self.restore_later(manager, "EnableFeatureTree", lambda: self.document.FeatureManager)
                manager.EnableFeatureTree = False
        except CallError as error:  # reading takes longer, and that is all
            self.application.port.note_default(error)

    @contextmanager
    def undone(self, what: str, undo: Callable[[], object]) -> Iterator[None]:
        """A context at whose end a change is undone; if that fails, it is tried again at the end of reading."""
        step = (what, undo)
        self._undo.append(step)
        try:
            yield
        finally:
            try:
                undo()
                self._undo.remove(step)
            except CallError as error:
                self.application.port.note_default(error)

    def _resume_selection(self, manager: Any) -> None:
        """Restore the selection; where SolidWorks cannot suspend one, only that nothing was selected."""
        manager.ResumeSelectionList2(False)
        if self._before.get(SELECTED) == 0 and manager.GetSelectedObjectCount2(-1):
            self.document.ClearSelection2(True)

    def restore_later(self, target: Any, name: str, get: Callable[[], Any]) -> None:
        """Set a property of an object to its present value at the end of the context; `get` returns it anew."""
        value = getattr(target, name)
        self._renew(target, get)
        self._undo.append((name, lambda: self._set(target, name, value)))

    def report(self, fraction: float, what: str) -> None:
        """Update SolidWorks' progress bar; raises Cancelled if the user pressed Esc."""
        if self._bar is None:
            return
        try:
            answer = self._bar.UpdateProgress(round(100 * fraction))
        except CallError as error:  # SolidWorks shows a bar of its own, or none: reading goes on without
            self.application.port.note_default(error)
            self._bar = None
            return
        if answer == swUpdateProgressError_e.swUpdateProgressError_UserCancel:
            raise cancelled(what)

    def _start(self) -> None:
        if self.out_of_process:
            flag = CommandFlag(self.application)
            self._undo.append((FLAG, flag.undo))
            if flag.set():
                self.findings.add("command-in-progress", TITLE)
        available, bar = self.application.GetUserProgressBar()
        if available:
            self._renew(bar, lambda: self.application.GetUserProgressBar()[1])
            self._undo.append(("the progress bar", bar.End))
            bar.Start(0, 100, TITLE)
            self._bar = bar

    def _renew(self, target: Any, get: Callable[[], Any]) -> None:
        """Get an object anew if SolidWorks disconnects it, so that what was changed through it can be restored."""
        self.application.port.renew_with(target, get)

    @staticmethod
    def _set(target: Any, name: str, value: object) -> None:
        setattr(target, name, value)
        if getattr(target, name) != value:
            raise SolidWorksError(f"SolidWorks did not accept the value of {name}.")

    @staticmethod
    def _restore(component: Any, state: int) -> None:
        component.SetSuppression2(state)
        if component.GetSuppression2() != state:
            raise SolidWorksError("SolidWorks did not restore the state of the component.")

    def _state(self) -> dict[str, object]:
        """The state that must not change, as far as SolidWorks returns it."""
        getters: dict[str, Callable[[], object]] = {
            FLAG: lambda: self.application.CommandInProgress,
            ACTIVE: self._active_title,
            "the active configuration": lambda: active_configuration(self.document).Name,
            SELECTED: lambda: self.document.SelectionManager.GetSelectedObjectCount2(-1),
        }
        state: dict[str, object] = {}
        for what, getter in getters.items():
            try:
                state[what] = getter()
            except CallError as error:
                self.application.port.note_default(error)
        return state

    def _active_title(self) -> str:
        active = active_document(self.application)
        title: str = active.GetTitle() if active is not None else ""
        return title

    def _finish(self, error: BaseException | None) -> None:
        """Restore and check the state; differences are findings, and also notes of the error if there is one."""
        is_gone = isinstance(error, LostError) and not self.application.port.answers()
        problems = [] if is_gone else [*self._undone(), *self._changed()]
        if error is not None:
            for problem in problems:
                error.add_note(problem)
        for problem in problems:
            self.findings.add("document-changed", TITLE, problem=problem)
        if not is_gone and self._is_marked_changed():
            self.findings.add("document-marked", TITLE)

    def _undone(self) -> list[str]:
        """Undo all changes, last first, while SolidWorks answers; returns a sentence for each that failed."""
        failed, reachable = [], True
        for what, undo in reversed(self._undo):
            result = retried(undo) if reachable else RestoreResult.UNREACHABLE
            reachable = result is not RestoreResult.UNREACHABLE
            if result is not RestoreResult.DONE:
                failed.append(f"{what} could not be restored.")
        return failed

    def _is_marked_changed(self) -> bool:
        """Whether SolidWorks marks the document as changed now, and did not before."""
        after: list[bool] = []
        result = retried(lambda: after.append(self.document.GetSaveFlag()))
        return result is RestoreResult.DONE and after[0] and not self._was_marked

    def _changed(self) -> list[str]:
        after: dict[str, object] = {}
        if retried(lambda: after.update(self._state())) is not RestoreResult.DONE:
            return ["the state could not be checked, because SolidWorks does not answer."]
        changed = [key for key, value in after.items() if value != self._before.get(key, value)]
        return [f"{key} changed from {self._before[key]!r} to {after[key]!r}." for key in changed]


class RestoreResult(Enum):
    """The result of an attempt to restore something."""

    DONE = "done"
    FAILED = "failed"
    UNREACHABLE = "SolidWorks does not answer"


def retried(action: Callable[[], object]) -> RestoreResult:
    """Call the action, again if SolidWorks reports an error, and return the result."""
    result = RestoreResult.FAILED
    for _ in range(ATTEMPTS):
        try:
            action()
        except LostError:
            return RestoreResult.UNREACHABLE
        except SolidWorksError as error:
            result = RestoreResult.UNREACHABLE if isinstance(error, BusyError) else RestoreResult.FAILED
        else:
            return RestoreResult.DONE
    return result
