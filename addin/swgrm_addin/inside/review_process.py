"""The subprocess of a review: it serves the page while the user works in SolidWorks, and reports what happens there.

Its standard output has one event per line of JSON: the address of the page, the components of the joint that was
selected, and exports. It ends when the page is closed, when another review begins, and with SolidWorks.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

import msgspec

from swgrm.errors import SwgrmError
from swgrm_addin.inside import messages
from swgrm_addin.inside.addin_folders import AddinFolders
from swgrm_addin.inside.background_process import BackgroundProcess, SubprocessResult
from swgrm_addin.inside.highlight import Highlight
from swgrm_addin.inside.programs import Programs
from swgrm_addin.inside.subprocess_runner import UserInterface
from swgrm_addin.inside.timers import one_at_a_time
from swgrm_addin.inside.working_capture import WorkingCapture, WorkingFolder

PERIOD = 200  # [ms] between two polls of the subprocess
TITLE = "The review"

logger = logging.getLogger("swgrm.addin")


class ReviewEvent(msgspec.Struct):
    """One event of a review; only one of the fields is set."""

    address: str = ""  # the page, which can be opened once
    components: tuple[str, ...] | None = None  # of the joint that is selected on the page
    exported: str = ""  # the folder


class ReviewHost(Protocol):
    """What a review needs of the session that started it."""

    ui: UserInterface
    folders: AddinFolders
    programs: Programs
    highlight: Highlight

    def add_to_history(self, document: str, folder: str) -> None:
        """Note the folder of an export."""

    def show_error(self, error: SwgrmError) -> None:
        """Show an error to the user."""


class ReviewProcess:
    """At most one review at a time."""

    def __init__(self, host: ReviewHost, python: Path) -> None:
        self.host, self.ui, self.folders, self.python = host, host.ui, host.folders, python
        self._process: BackgroundProcess | None = None
        self._stop_timer: Callable[[], object] = bool
        self._folder: WorkingFolder | None = None
        self.document = ""  # the path of the document that is reviewed; "" if none is

    def start(self, reading: WorkingCapture, arguments: list[str]) -> None:
        """Serve the page of a capture; a review that runs is ended first."""
        self.stop()
        file = str(reading.file)
        command = [str(self.python), "-P", "-X", "utf8", "-m", "swgrm_addin", "review", file, "--events", *arguments]
        try:
            self._process = BackgroundProcess(command, self.ui.end_with_parent)
        except OSError as error:
            reading.folder.remove()
            reason = f"swgrm: {self.python} cannot be started: {error.strerror}. Run swgrm's set-up program again."
            raise SwgrmError(messages.subprocess_failed(TITLE, -1, reason, self.folders)) from error
        logger.info("review of %s: process %d", reading.capture.source.path, self._process.id)
        self._folder, self.document = reading.folder, reading.capture.source.path
        self._stop_timer = self.ui.start_timer(PERIOD, one_at_a_time(self.tick))

    def tick(self) -> None:
        """Poll the subprocess; called by the timer. Errors are passed on, never raised."""
        if self._process is None:
            return
        try:
            result = self._process.poll()
            for line in self._process.take_lines():
                self._handle(msgspec.json.decode(line, type=ReviewEvent))
            if result is not None:
                self._finish(result)
        except BaseException as error:
            logger.exception("the review")
            self.stop()
            self.host.show_error(SwgrmError(messages.unexpected_error(TITLE, error, self.folders)))

    def stop(self) -> None:
        """End the review that runs, if one does."""
        if self._process is None:
            return
        self._process.end()
        self._stop_timer()
        if self._folder is not None:
            self._folder.remove()
        self._process, self._folder, self._stop_timer, self.document = None, None, bool, ""
        self.host.highlight.clear()

    def _handle(self, event: ReviewEvent) -> None:
        """Open the page, order the highlight of the joint that is selected there, or note an export."""
        if event.address:
            self.ui.open(event.address)
        if event.components is not None:
            self.host.programs.queue_highlight(self.document, event.components)
        if event.exported:
            self.host.add_to_history(self.document, event.exported)

    def _finish(self, result: SubprocessResult) -> None:
        logger.info("review: exit code %d\n%s", result.code, result.errors)
        self.stop()
        if result.code != 0:
            self.host.show_error(
                SwgrmError(messages.subprocess_failed(TITLE, result.code, result.errors, self.folders))
            )
