"""Runs the heavy work in a subprocess, polled by a timer, while the user continues in SolidWorks; one job at a time."""

from __future__ import annotations

import contextlib
import logging
import shutil
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import msgspec

from swgrm.errors import CallError, Cancelled, SolidWorksError, SwgrmError
from swgrm.findings import Finding
from swgrm.processes.conversation import Conversation
from swgrm.processes.limits import ChildLimits
from swgrm.processes.protocol import ErrorEvent, Job, ProgressEvent, ResultEvent
from swgrm.solidworks.swconst_calls import swUpdateProgressError_e
from swgrm.typevars import T
from swgrm_addin.inside import messages
from swgrm_addin.inside.addin_folders import AddinFolders
from swgrm_addin.inside.timers import one_at_a_time
from swgrm_addin.inside.working_capture import WorkingFolder
from swgrm_addin.jobs import start_program

PERIOD = 200  # [ms] between two polls of the subprocess
PATIENCE = 900.0  # [s] without output after which the subprocess is ended
LEFTOVER = 86400.0  # [s] age after which a working folder is considered abandoned
USER_CANCEL = swUpdateProgressError_e.swUpdateProgressError_UserCancel

logger = logging.getLogger("swgrm.addin")


class UserInterface(Protocol):
    """What the add-in needs from the desktop and the message loop of its host."""

    def start_timer(self, milliseconds: int, action: Callable[[], object]) -> Callable[[], object]:
        """Have the message loop call the action repeatedly; returns a function that stops it."""

    def wait(self) -> None:
        """Handle messages for a moment."""

    def open(self, path: Path | str) -> None:
        """Open a file, a folder or a web address for the user."""

    @property
    def limits(self) -> ChildLimits:
        """What a child process may use of this machine."""


class JobAnswer(NamedTuple):
    """How a job ended, and its findings."""

    end: ResultEvent | ErrorEvent
    findings: list[Finding]

    def value(self, kind: type[T]) -> T:
        """The value of the result, of that type."""
        assert isinstance(self.end, ResultEvent)  # noqa: S101 - errors have no value
        return msgspec.json.decode(self.end.value, type=kind)


class SubprocessJob(NamedTuple):
    """A job for a child process, its title, and who is called at its end.

    `on_finish` gets the answer. `on_error` gets an error instead, if the job failed or the user cancelled it.
    """

    title: str  # such as "Exporting arm"
    job: Job
    on_finish: Callable[[JobAnswer], object]
    on_error: Callable[[SwgrmError], object]
    answered_errors: tuple[str, ...] = ()  # the kinds of errors that `on_finish` gets, too


class SubprocessRunner:
    """Runs one job at a time."""

    def __init__(self, application: Any, ui: UserInterface, folders: AddinFolders, python: Path) -> None:
        self.application, self.ui, self.folders, self.python = application, ui, folders, python
        self.current = ""  # the title of the running job; "" if none runs
        self._job: SubprocessJob | None = None
        self._conversation: Conversation | None = None
        self._bar: Any = None
        self._stop_timer: Callable[[], object] = bool
        self._folder: WorkingFolder | None = None
        self._remove_leftovers()

    @property
    def progress(self) -> ProgressEvent | None:
        """The progress of the running job; None if none runs."""
        return self._conversation.progress if self._conversation else None

    def cancel(self, error: Cancelled) -> None:
        """End the running job, which gets the error."""
        job = self._job
        self.stop()
        if job is not None:
            job.on_error(error)

    def check_idle(self) -> None:
        """Raise an error if a job is running."""
        if self.current:
            raise SolidWorksError(
                f"swgrm is still busy ({self.current}). Wait until it has finished, or press Export GRM to cancel it."
            )

    def start(self, folder: WorkingFolder, job: SubprocessJob) -> None:
        """Start a job on the files in a working folder, which is removed at its end."""
        self.check_idle()
        self._folder = folder
        try:
            child = start_program(self.python, limits=self.ui.limits, is_polled=True)
        except OSError as error:
            self._remove_folder(failed=True)
            reason = messages.not_started(self.python, error)
            raise SwgrmError(messages.subprocess_failed(job.title, -1, reason, self.folders)) from error
        logger.info("%s: process %d: %s", job.title, child.process.id, type(job.job).__name__)
        self.current, self._job, self._conversation = job.title, job, Conversation(child, job.job)
        self._show_bar()
        self._stop_timer = self.ui.start_timer(PERIOD, one_at_a_time(self.tick))

    def tick(self) -> None:
        """Poll the subprocess; called by the timer. Errors are passed to the job's `on_error`, never raised."""
        job, conversation = self._job, self._conversation
        if job is None or conversation is None:
            return
        try:
            self._poll(conversation)  # inside which the job may be cancelled, because the progress bar handles messages
            if conversation.has_ended:
                self._finish(job, conversation)
        except BaseException as error:
            self.stop(failed=not isinstance(error, Cancelled))
            if isinstance(error, SwgrmError):
                job.on_error(error)
            else:
                logger.exception("%s", job.title)
                job.on_error(SwgrmError(messages.unexpected_error(job.title, error, self.folders)))

    def wait(self) -> None:
        """Wait until the job has ended, while messages of the user are handled."""
        while self.current:
            self.ui.wait()

    def stop(self, *, failed: bool = False) -> None:
        """End the subprocess, if one runs, and remove its files; the capture of a failed job is kept."""
        if self._conversation is not None:
            self._conversation.child.end()
        self._stop_timer()
        with contextlib.suppress(SolidWorksError):
            if self._bar is not None:
                self._bar.End()
        self._remove_folder(failed=failed)
        self.current, self._job, self._conversation, self._bar, self._stop_timer = "", None, None, None, bool

    def _is_cancelled(self, done: float) -> bool:
        """Update the progress bar; returns whether the user pressed Esc. After a failure it is not used any more."""
        try:
            return self._bar is not None and self._bar.UpdateProgress(round(100 * done)) == USER_CANCEL
        except CallError:
            self._bar = None
            return False

    def _poll(self, conversation: Conversation) -> None:
        conversation.poll()
        if conversation.has_ended:
            return
        if conversation.end is None and self._is_cancelled(conversation.progress.done):
            raise Cancelled(f"{self.current} was cancelled. Nothing was written.")
        if conversation.silence > PATIENCE:
            identity, step = conversation.child.process.id, conversation.progress.step
            logger.error("%s: process %d had no output for %.0f s; ended it", self.current, identity, PATIENCE)
            raise SwgrmError(messages.subprocess_hung(self.current, step, PATIENCE, self.folders))

    def _finish(self, job: SubprocessJob, conversation: Conversation) -> None:
        code, end = conversation.child.popen.returncode, conversation.end
        sentence = end.message if isinstance(end, ErrorEvent) else ""
        is_answered = isinstance(end, ResultEvent) or (end is not None and end.kind in job.answered_errors)
        level = logging.INFO if is_answered else logging.ERROR
        logger.log(level, "%s: exit code %d\n%s", job.title, code, f"{sentence}\n{conversation.text}".strip())
        folder, self._folder = self._folder, None
        self.stop()
        try:
            if end is not None and is_answered:
                job.on_finish(JobAnswer(end, conversation.findings))  # which may start another job on the same folder
            else:
                self._keep_capture(folder)
                job.on_error(SwgrmError(messages.subprocess_failed(job.title, code, sentence, self.folders)))
        finally:
            if folder is not None and folder is not self._folder:
                folder.remove()

    def _show_bar(self) -> None:
        available, bar = self.application.GetUserProgressBar()
        if available and bar.Start(0, 100, f"swgrm: {self.current}"):
            self._bar = bar

    def _remove_folder(self, *, failed: bool) -> None:
        """Remove the working folder; the capture of a failed job is kept."""
        folder, self._folder = self._folder, None
        if failed:
            self._keep_capture(folder)
        if folder is not None:
            folder.remove()

    def _keep_capture(self, folder: WorkingFolder | None) -> None:
        """Keep the capture of a failed job, so that it can be reported."""
        with contextlib.suppress(OSError):
            for capture in folder.path.glob("*.swcap") if folder is not None else ():
                capture.replace(self.folders.failed)

    def _remove_leftovers(self) -> None:
        """Remove the working folders of sessions that were killed."""
        for folder in self.folders.work.glob("*"):
            with contextlib.suppress(OSError):
                if folder.stat().st_mtime < time.time() - LEFTOVER:
                    shutil.rmtree(folder, ignore_errors=True)
