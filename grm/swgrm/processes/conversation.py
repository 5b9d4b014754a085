"""A conversation with a child process about one job: its reports so far, and how it ended."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from typing import Any

import msgspec

from swgrm.findings import Finding
from swgrm.processes.child import Child
from swgrm.processes.protocol import (
    ErrorEvent,
    Event,
    FindingEvent,
    Job,
    ProgressEvent,
    ResultEvent,
    encode,
)

MOST_LINES = 200  # that are no events and are kept

OnProgress = Callable[[str, float], object]  # the step that begins, and the share done (0 to 1)


class Conversation:
    """One job in a child process. A thread calls `wait`, or a timer calls `poll`.

    `more_events` are the kinds of events that this job has beside the usual ones; `poll` returns
    them.
    """

    def __init__(self, child: Child, job: Job, more_events: Any = Event) -> None:  # noqa: ANN401 - classes
        self.child = child
        self.progress = ProgressEvent("starting", 0.0)
        self.findings: list[Finding] = []
        self.end: ResultEvent | ErrorEvent | None = None
        self.unreadable: deque[str] = deque(maxlen=MOST_LINES)  # of its output, which are no events
        self.has_ended = False  # the child, and everything that it wrote was read; for `poll`
        self._last_output = time.monotonic()
        self._decoder = msgspec.json.Decoder(Event | more_events)
        child.send(encode(job))

    @property
    def silence(self) -> float:
        """The time since its last output [s]."""
        return time.monotonic() - self._last_output

    @property
    def text(self) -> str:
        """What the child printed beside the events."""
        return "\n".join([*self.unreadable, self.child.text]).strip()

    def wait(self, on_progress: OnProgress | None = None) -> ResultEvent | ErrorEvent | None:
        """Wait for the end of the job, and return it; None if the child ended without one."""
        for line in self.child.lines():
            event = self._add(line)
            if isinstance(event, ProgressEvent) and on_progress is not None:
                on_progress(event.step, event.done)
            if self.end is not None:
                return self.end
        return None

    def poll(self) -> list[Any]:
        """Take the events that there are, without waiting; returns those of `more_events`.

        When the job has ended, the input of the child is closed, so that it ends, too.
        """
        usual = (ProgressEvent, FindingEvent, ResultEvent, ErrorEvent)
        # First, so that its last output is not missed.
        self.has_ended = self.child.popen.poll() is not None
        events = [self._add(line) for line in self.child.take_lines()]
        if self.end is not None:
            self.child.close_input()
        return [event for event in events if event is not None and not isinstance(event, usual)]

    def _add(self, line: bytes) -> Any:  # noqa: ANN401 - one of the kinds of events
        """Add an event; a line that is none is kept as text."""
        self._last_output = time.monotonic()
        try:
            event = self._decoder.decode(line)
        except (msgspec.DecodeError, UnicodeDecodeError):
            if words := line.decode("utf-8", "replace").strip():
                self.unreadable.append(words)
            return None
        if isinstance(event, ProgressEvent):
            self.progress = event
        elif isinstance(event, FindingEvent):
            self.findings.append(event.finding)
        elif isinstance(event, ResultEvent | ErrorEvent):
            self.end = event
        return event
