"""The self-test inside SolidWorks: one step per tick of a timer, then the judge in a child process."""

from __future__ import annotations

import logging
import shutil
import tempfile
import time
from collections.abc import Callable, Generator
from contextlib import ExitStack
from datetime import UTC, datetime
from inspect import GEN_RUNNING, getgeneratorstate
from pathlib import Path
from typing import Any

from swgrm.errors import CallError, Cancelled, SolidWorksError, SwgrmError
from swgrm_addin.inside import messages
from swgrm_addin.inside.addin_folders import AddinFolders
from swgrm_addin.inside.subprocess_runner import USER_CANCEL, JobAnswer, SubprocessJob, SubprocessRunner, UserInterface
from swgrm_addin.inside.timers import one_at_a_time
from swgrm_addin.inside.working_capture import WorkingFolder
from swgrm_addin.jobs import JudgeJob, JudgeResult
from swgrm_addin.reader.opening import release_objects
from swgrm_addin.selftest.logs import logged
from swgrm_addin.selftest.results import Observation, ProbeResult, Timing
from swgrm_addin.selftest.running import CANCELLED, Progress, SelfTest

PERIOD = 50  # [ms] between two steps
TITLE = "Self-test"
CALLS = 500  # that are timed in the button's own context

logger = logging.getLogger("swgrm.addin")
OnDone = Callable[[Path, str], object]  # the file, and what to show
OnError = Callable[[SwgrmError], object]


class SelfTestRunner:
    """Runs one self-test at a time."""

    def __init__(self, application: Any, ui: UserInterface, folders: AddinFolders, runner: SubprocessRunner) -> None:
        self.application, self.ui, self.folders, self.runner = application, ui, folders, runner
        self._test: SelfTest | None = None
        self._steps: Generator[Progress, None, None] | None = None
        self._is_stopped = False  # during the present step
        self._folder = Path()
        self._bar: Any = None
        self._stop_timer: Callable[[], object] = bool
        self._log = ExitStack()
        self._ends: tuple[OnDone, OnError] | None = None

    @property
    def is_running(self) -> bool:
        """Whether steps are being run in SolidWorks."""
        return self._steps is not None

    def check_idle(self) -> None:
        """Raise an error if a self-test is running."""
        if self.is_running:
            raise SolidWorksError("The self-test is running. Wait until it has finished, or press Esc to cancel it.")

    def start(self, on_done: OnDone, on_error: OnError, ask_ribbon: Callable[[], dict[str, Any]] = dict) -> None:
        """Start the self-test; `on_done` gets its file, or `on_error` the error; `ask_ribbon` returns answers."""
        self.folders.work.mkdir(parents=True, exist_ok=True)
        self._folder = Path(tempfile.mkdtemp(dir=self.folders.work))
        self._test = SelfTest(self.application, self._folder, out_of_process=False)
        try:
            self._test.check()
        except BaseException:
            self._end()
            raise
        self._test.records.timings.append(self._timed("button"))
        self._record_ribbon(self._test, ask_ribbon)
        self._log.enter_context(logged(self._folder))
        self._steps, self._ends = self._test.run(), (on_done, on_error)
        self._show_bar()
        self._stop_timer = self.ui.start_timer(PERIOD, one_at_a_time(self.tick))
        logger.info("the self-test started")

    def tick(self) -> None:
        """Run the next step; called by the timer. Errors are passed to `on_error`, never raised."""
        if self._steps is None or self._ends is None or self._test is None:
            return
        on_done, on_error = self._ends
        try:
            step = next(self._steps, None)
            if step is None:
                self._finish(self._test, on_done, on_error)
            elif self._is_stopped or self._is_cancelled(step):
                raise Cancelled(messages.SELFTEST_CANCELLED)
        except BaseException as error:
            self.stop()
            release_objects(self.application, error)
            if isinstance(error, SwgrmError):
                on_error(error)
            else:
                logger.exception(TITLE)
                on_error(SwgrmError(messages.unexpected_error(TITLE, error, self.folders)))

    def stop(self) -> None:
        """End the self-test, if one runs: its documents are closed, preferences are put back, files are removed."""
        if self._steps is not None and getgeneratorstate(self._steps) == GEN_RUNNING:
            self._is_stopped = True  # SolidWorks asked for it inside a step: the run ends with the step
            return
        if self._steps is not None:
            self._steps.close()
        self._end()

    def _end(self) -> None:
        self._stop_timer()
        self._log.close()
        if self._bar is not None:
            self._quietly(self._bar.End)
        if self._folder != Path():
            shutil.rmtree(self._folder, ignore_errors=True)
        self._folder, self._bar, self._steps, self._test, self._ends = Path(), None, None, None, None
        self._stop_timer, self._is_stopped = bool, False

    def _finish(self, test: SelfTest, on_done: OnDone, on_error: OnError) -> None:
        """Start the judge on what was recorded; it gets the folder, and removes it."""
        if test.stopped == CANCELLED:
            raise Cancelled(messages.SELFTEST_CANCELLED)
        folder, out = self._folder, self._out(test.release)
        self._folder = Path()
        self._end()

        def judged(answer: JobAnswer) -> None:
            on_done(out, messages.selftest_done(answer.value(JudgeResult), out))

        job = JudgeJob(folder=str(folder), file=str(out))
        self.runner.start(WorkingFolder(folder), SubprocessJob(f"{TITLE}: judging", job, judged, on_error))

    def _out(self, release: str) -> Path:
        """A new file in the add-in's own folder."""
        stem = "-".join(filter(None, ["swgrm-selftest", release, datetime.now(UTC).strftime("%Y-%m-%d")]))
        numbers = ["", *(f"-{number}" for number in range(2, 1000))]
        return next(file for n in numbers if not (file := self.folders.folder / f"{stem}{n}.zip").exists())

    def _timed(self, context: str) -> Timing:
        start = time.perf_counter()
        for _ in range(CALLS):
            self.application.RevisionNumber()
        return Timing(context, "ISldWorks.RevisionNumber", CALLS, round(time.perf_counter() - start, 6))

    @staticmethod
    def _record_ribbon(test: SelfTest, ask: Callable[[], dict[str, Any]]) -> None:
        """Record what SolidWorks returns about the ribbon, or how the call failed."""
        title, settles = "the command group and the tabs of the add-in", "F13, U12"
        try:
            if answers := ask():
                test.records.probes.append(ProbeResult("D2.ribbon/ribbon", title, settles, answers))
        except CallError as error:
            test.records.observations.append(Observation("D2.ribbon", f"{error.member} reported {error.problem}"))

    def _show_bar(self) -> None:
        available, bar = self.application.GetUserProgressBar()
        self._bar = bar if available and bar.Start(0, 100, f"swgrm: {TITLE}") else None

    def _is_cancelled(self, step: Progress) -> bool:
        """Update the progress bar; returns whether the user pressed Esc. Reading a document ends the bar."""
        if self._bar is None:
            return False
        try:
            if step.follows_capture:
                self._show_bar()
            return self._bar is not None and self._bar.UpdateProgress(round(100 * step.done)) == USER_CANCEL
        except CallError:
            self._bar = None
            return False

    @staticmethod
    def _quietly(action: Callable[[], object]) -> None:
        try:
            action()
        except SolidWorksError:
            logger.info("the progress bar had ended")
