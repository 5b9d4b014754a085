"""Runs the heavy work in a subprocess, polled by a timer, while the user continues in SolidWorks; one job at a time."""

from __future__ import annotations

import contextlib
import logging
import shutil
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import msgspec

from swgrm.errors import CallError, Cancelled, SolidWorksError, SwgrmError
from swgrm.swconst_calls import swUpdateProgressError_e
from swgrm_addin.inside import messages
from swgrm_addin.inside.addin_folders import AddinFolders
from swgrm_addin.inside.background_process import BackgroundProcess, ProgressEvent, SubprocessResult
from swgrm_addin.inside.timers import one_at_a_time
from swgrm_addin.inside.working_capture import WorkingCapture, WorkingFolder

PERIOD = 200  # [ms] between two polls of the subprocess
PATIENCE = 900.0  # [s] without output after which the subprocess is ended
LEFTOVER = 86400.0  # [s] age after which a working folder is considered abandoned
USER_CANCEL = swUpdateProgressError_e.swUpdateProgressError_UserCancel
CAPTURE = "<capture>"  # in a job's arguments: replaced by the path of the capture

logger = logging.getLogger("swgrm.addin")


class UserInterface(Protocol):
    """What the add-in needs from the desktop and the message loop of its host."""

    def start_timer(self, milliseconds: int, action: Callable[[], object]) -> Callable[[], object]:
        """Have the message loop call the action repeatedly; returns a function that stops it."""

    def wait(self) -> None:
        """Handle messages for a moment."""

    def open(self, path: Path | str) -> None:
        """Open a file, a folder or a web address for the user."""

    def end_with_parent(self, process: subprocess.Popen[bytes]) -> object:
        """An object that ends the process when it is released, at the latest when this process ends."""


class SubprocessJob(NamedTuple):
    """A job for a subprocess: its title, the arguments of `swgrm`, and who is called at the end.

    `on_finish` gets the result. `on_error` gets an error instead, if the job failed or the user cancelled it.
    """

    title: str  # such as "Exporting arm"
    arguments: list[str]
    on_finish: Callable[[SubprocessResult], object]
    on_error: Callable[[SwgrmError], object]
    success_codes: tuple[int, ...] = (0,)
    prints_json: bool = True  # on standard output
    codes_without_output: tuple[int, ...] = ()  # more exit codes of success

    def is_success(self, result: SubprocessResult) -> bool:
        """Whether the job succeeded. The output is checked, too: a killed process may have the exit code 0."""
        if result.code in self.codes_without_output:
            return True
        if result.code not in self.success_codes:
            return False
        try:
            return not self.prints_json or msgspec.json.decode(result.output) is not None
        except msgspec.DecodeError:
            return False


class SubprocessRunner:
    """Runs one job at a time."""

    def __init__(self, application: Any, ui: UserInterface, folders: AddinFolders, python: Path) -> None:
        self.application, self.ui, self.folders, self.python = application, ui, folders, python
        self.current = ""  # the title of the running job; "" if none runs
        self._job: SubprocessJob | None = None
        self._process: BackgroundProcess | None = None
        self._bar: Any = None
        self._stop_timer: Callable[[], object] = bool
        self._folder: WorkingFolder | None = None
        self._remove_leftovers()

    @property
    def progress(self) -> ProgressEvent | None:
        """The progress of the running job; None if none runs."""
        return ProgressEvent(self._process.step, self._process.done) if self._process else None

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

    def start(self, reading: WorkingCapture, job: SubprocessJob) -> None:
        """Start the subprocess of a job on a capture (CAPTURE in the job's arguments)."""
        self.check_idle()
        self._folder = reading.folder
        self._launch(job, [str(reading.file) if argument == CAPTURE else argument for argument in job.arguments])

    def start_in(self, folder: Path, job: SubprocessJob) -> None:
        """Start the subprocess of a job on a working folder, which is removed at its end."""
        self.check_idle()
        self._folder = WorkingFolder(folder)
        self._launch(job, job.arguments)

    def _launch(self, job: SubprocessJob, arguments: list[str]) -> None:
        command = [str(self.python), "-P", "-X", "utf8", "-m", "swgrm_addin", *arguments]
        try:
            self._process = BackgroundProcess(command, self.ui.end_with_parent)
        except OSError as error:
            self._remove_folder(failed=True)
            reason = (
                f"swgrm: {self.python} cannot be started: {error.strerror or error}. Run swgrm's set-up program again."
            )
            raise SwgrmError(messages.subprocess_failed(job.title, -1, reason, self.folders)) from error
        logger.info("%s: process %d: %s", job.title, self._process.id, subprocess.list2cmdline(command))
        self.current, self._job = job.title, job
        self._show_bar()
        self._stop_timer = self.ui.start_timer(PERIOD, one_at_a_time(self.tick))

    def tick(self) -> None:
        """Poll the subprocess; called by the timer. Errors are passed to the job's `on_error`, never raised."""
        if self._process is None or self._job is None:
            return
        job = self._job
        try:
            result = self._poll(self._process)
            if result is not None:
                self._finish(job, result)
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
        if self._process is not None:
            self._process.end()
        self._stop_timer()
        with contextlib.suppress(SolidWorksError):
            if self._bar is not None:
                self._bar.End()
        self._remove_folder(failed=failed)
        self.current, self._job, self._process, self._bar, self._stop_timer = "", None, None, None, bool

    def _is_cancelled(self, done: float) -> bool:
        """Update the progress bar; returns whether the user pressed Esc. After a failure it is not used any more."""
        try:
            return self._bar is not None and self._bar.UpdateProgress(round(100 * done)) == USER_CANCEL
        except CallError:
            self._bar = None
            return False

    def _poll(self, process: BackgroundProcess) -> SubprocessResult | None:
        result = process.poll()
        if result is not None:
            return result
        if self._is_cancelled(process.done):
            raise Cancelled(f"{self.current} was cancelled. Nothing was written.")
        if process.silence > PATIENCE:
            logger.error("%s: process %d had no output for %.0f s; ended it", self.current, process.id, PATIENCE)
            raise SwgrmError(messages.subprocess_hung(self.current, process.step, PATIENCE, self.folders))
        return None

    def _finish(self, job: SubprocessJob, result: SubprocessResult) -> None:
        success = job.is_success(result)
        logger.log(
            logging.INFO if success else logging.ERROR, "%s: exit code %d\n%s", job.title, result.code, result.errors
        )
        folder, self._folder = self._folder, None
        self.stop()
        try:
            if success:
                job.on_finish(result)  # which may start another job on the same folder
            else:
                self._keep_capture(folder)
                job.on_error(
                    SwgrmError(messages.subprocess_failed(job.title, result.code, result.errors, self.folders))
                )
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
