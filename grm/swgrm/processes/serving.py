"""The child's side: does the jobs of its standard input, and answers with events."""

from __future__ import annotations

import os
import threading
import traceback
from collections.abc import Callable
from typing import Any

import msgspec

from swgrm.errors import SwgrmError, explained
from swgrm.findings import Finding
from swgrm.processes.protocol import (
    ErrorEvent,
    FindingEvent,
    ProgressEvent,
    decode_job,
    encode,
    result,
)
from swgrm.processes.watchdog import JobInput


class Answers:
    """The events of this process, on the standard output that it was started with.

    From then on, what libraries print goes to standard error, so that it cannot damage the events.
    """

    def __init__(self) -> None:
        self._output = os.fdopen(os.dup(1), "wb")
        self._lock = threading.Lock()  # a review answers in several threads
        os.dup2(2, 1)

    def emit(self, event: msgspec.Struct) -> None:
        """Write an event at once."""
        with self._lock:
            self._output.write(encode(event) + b"\n")
            self._output.flush()

    def progress(self, step: str, done: float) -> None:
        """Report the step that begins, and the share of the work done (0 to 1)."""
        self.emit(ProgressEvent(step, round(done, 4)))

    def finding(self, finding: Finding) -> None:
        """Report a finding."""
        self.emit(FindingEvent(finding))


def serve(kinds: Any, do: Callable[[Any, Answers], object]) -> int:  # noqa: ANN401 - classes
    """Do jobs of these kinds until standard input ends or one fails; returns the exit code.

    `do` returns the value of the result. After a failure the process ends, so that nothing of it
    reaches the next job.
    """
    answers, jobs = Answers(), JobInput()
    while (line := jobs.next()) is not None:
        try:
            done = result(do(decode_job(line, kinds), answers))
        except BaseException as error:  # noqa: BLE001 - the parent gets a sentence
            if not isinstance(error, SwgrmError):
                traceback.print_exc()
            sentence, code = explained(error)
            answers.emit(ErrorEvent(type(error).__name__, sentence, code))
            return code
        jobs.finish()
        answers.emit(done)
    return 0
