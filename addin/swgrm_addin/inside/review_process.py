"""The child process of a review: it serves the page while the user works in SolidWorks, and reports what happens there.

Its events are the address of the page, the components of the joint that was selected, and exports. It ends when the
page is closed, when another review begins, and with SolidWorks.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from swgrm.errors import SwgrmError
from swgrm.processes.conversation import Conversation
from swgrm.processes.protocol import ErrorEvent, ResultEvent
from swgrm_addin.inside import messages
from swgrm_addin.inside.addin_folders import AddinFolders
from swgrm_addin.inside.highlight import Highlight
from swgrm_addin.inside.programs import Programs
from swgrm_addin.inside.subprocess_runner import UserInterface
from swgrm_addin.inside.timers import one_at_a_time
from swgrm_addin.inside.working_capture import WorkingCapture, WorkingFolder
from swgrm_addin.jobs import PageEvent, PageExportEvent, ReviewEvent, ReviewJob, SelectionEvent, start_program

PERIOD = 200  # [ms] between two polls of the subprocess
TITLE = "The review"

logger = logging.getLogger("swgrm.addin")


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
        self._conversation: Conversation | None = None
        self._stop_timer: Callable[[], object] = bool
        self._folder: WorkingFolder | None = None
        self.document = ""  # the path of the document that is reviewed; "" if none is

    def start(self, reading: WorkingCapture, job: ReviewJob) -> None:
        """Serve the page of a capture; a review that runs is ended first."""
        self.stop()
        try:
            child = start_program(self.python, limits=self.ui.limits, is_polled=True)
        except OSError as error:
            reading.folder.remove()
            reason = messages.not_started(self.python, error)
            raise SwgrmError(messages.subprocess_failed(TITLE, -1, reason, self.folders)) from error
        self._conversation = Conversation(child, job, ReviewEvent)
        logger.info("review of %s: process %d", reading.capture.source.path, child.process.id)
        self._folder, self.document = reading.folder, reading.capture.source.path
        self._stop_timer = self.ui.start_timer(PERIOD, one_at_a_time(self.tick))

    def tick(self) -> None:
        """Poll the subprocess; called by the timer. Errors are passed on, never raised."""
        conversation = self._conversation
        if conversation is None:
            return
        try:
            for event in conversation.poll():
                self._handle(event)
            if conversation.has_ended and conversation is self._conversation:
                self._finish(conversation)
        except BaseException as error:
            logger.exception("the review")
            self.stop()
            self.host.show_error(SwgrmError(messages.unexpected_error(TITLE, error, self.folders)))

    def stop(self) -> None:
        """End the review that runs, if one does."""
        if self._conversation is None:
            return
        self._conversation.child.end()
        self._stop_timer()
        if self._folder is not None:
            self._folder.remove()
        self._conversation, self._folder, self._stop_timer, self.document = None, None, bool, ""
        self.host.highlight.clear()

    def _handle(self, event: ReviewEvent) -> None:
        """Open the page, order the highlight of the joint that is selected there, or note an export."""
        if isinstance(event, PageEvent):
            self.ui.open(event.file)
        elif isinstance(event, SelectionEvent):
            self.host.programs.queue_highlight(self.document, event.components)
        elif isinstance(event, PageExportEvent):
            self.host.add_to_history(self.document, event.folder)

    def _finish(self, conversation: Conversation) -> None:
        code, end = conversation.child.popen.returncode, conversation.end
        logger.info("review: exit code %d\n%s", code, conversation.text)
        self.stop()
        if not isinstance(end, ResultEvent):
            sentence = end.message if isinstance(end, ErrorEvent) else ""
            self.host.show_error(SwgrmError(messages.subprocess_failed(TITLE, code, sentence, self.folders)))
