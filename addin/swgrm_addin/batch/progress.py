"""The progress of a run: the observer that it reports to, and a table on the terminal."""

from __future__ import annotations

import sys
import time
from contextlib import ExitStack
from typing import TYPE_CHECKING, NamedTuple, Self

from swgrm_addin.batch.records import DocumentResult

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

ROWS = 12  # documents shown at most while they are exported


class ProgressObserver:
    """Receives the progress of a run. The base class ignores all events."""

    def folder_skipped(self, folder: str, reason: str) -> None:
        """Called for a folder that cannot be read."""

    def run_started(self, tasks: int, unchanged: int) -> None:
        """Called with the number of documents to export, and of those that are complete already."""

    def document_progressed(self, document: str, step: str, done: float) -> None:
        """Called when a step of a document begins; `done` is the share of its work done (0 to 1)."""

    def document_finished(self, result: DocumentResult) -> None:
        """Called when a document is exported or has failed."""


class _Progress(NamedTuple):
    since: float
    step: str
    done: float


class ProgressTable(ProgressObserver):
    """Shows the progress: a live table on a terminal, otherwise a line per document on standard error."""

    def __init__(self) -> None:
        self.counts = {"exported": 0, "failed": 0}
        self.unchanged, self.tasks, self.since = 0, 0, time.monotonic()
        self.running: dict[str, _Progress] = {}
        self._stack = ExitStack()
        self._console = _terminal()

    def __enter__(self) -> Self:
        if self._console:
            from rich.live import Live

            live = Live(console=self._console, get_renderable=self._render, refresh_per_second=4)
            self._stack.enter_context(live)
            self._stack.callback(self.running.clear)  # the last frame shows no documents as running
        return self

    def __exit__(self, *raised: object) -> None:
        self._stack.close()

    @property
    def finished_count(self) -> int:
        """The number of documents that were exported or have failed."""
        return sum(self.counts.values())

    def folder_skipped(self, folder: str, reason: str) -> None:
        """Print a warning: documents in that folder are not exported."""
        self._print(f"skipped  {folder}: the folder cannot be read ({reason})")

    def run_started(self, tasks: int, unchanged: int) -> None:
        """Set the totals."""
        self.tasks, self.unchanged, self.since = tasks, unchanged, time.monotonic()

    def document_progressed(self, document: str, step: str, done: float) -> None:
        """Show the step in the document's row."""
        now = time.monotonic()
        since = self.running[document].since if document in self.running else now
        self.running[document] = _Progress(since, step or "starting", done)

    def document_finished(self, result: DocumentResult) -> None:
        """Count the document; print a line if it failed, or if no table is shown."""
        self.running.pop(result.document, None)
        self.counts[result.status] += 1
        if result.status == "failed":
            failure = result.failures[-1]
            self._print(f"failed   {result.document}: {failure.message} {failure.remedy}".rstrip())
        elif not self._console:
            self._print(f"{result.outcome} {result.document} in {result.seconds:.1f} s")

    def _print(self, line: str) -> None:
        if self._console:
            self._console.print(_shown(line), markup=False, highlight=False, soft_wrap=True)
        else:
            sys.stderr.write(f"[{self.finished_count}/{self.tasks}] {_shown(line)}\n")

    def _render(self) -> RenderableType:
        """A row per running document, then the counts, wrapped to the width of the terminal."""
        from rich.columns import Columns
        from rich.console import Group
        from rich.text import Text

        running = sorted(self.running.copy().items())
        wide = max((len(it.step) for _, it in running), default=0)
        rows = [
            f"{_clock(time.monotonic() - it.since)} {it.done:4.0%}  {it.step:{wide}}  {_shown(name)}"
            for name, it in running
        ]
        if len(rows) > ROWS:
            rows[ROWS - 1 :] = [f"… and {len(rows) - ROWS + 1:,} more"]
        counts = {
            "done": self.counts["exported"],
            "unchanged": self.unchanged,
            "failed": self.counts["failed"],
            "remaining": self.tasks - self.finished_count,
        }
        shown = [*(f"{count:,} {name}" for name, count in counts.items()), f"{self._time_left()} left"]
        return Group(*(Text(row, no_wrap=True, overflow="ellipsis") for row in rows), Columns(shown, padding=(0, 3)))

    def _time_left(self) -> str:
        """The estimated time left, from the average time per document so far; `?` before the first is finished."""
        remaining = self.tasks - self.finished_count
        if remaining and not self.finished_count:
            return "?"
        return _clock((time.monotonic() - self.since) / max(self.finished_count, 1) * remaining)


def _terminal() -> Console | None:
    """The terminal for the table; None if standard error is not an interactive one."""
    if not sys.stderr.isatty():
        return None
    from rich.console import Console

    console = Console(stderr=True)
    return console if console.is_interactive else None


def _clock(seconds: float) -> str:
    return f"{int(seconds) // 3600}:{int(seconds) // 60 % 60:02}:{int(seconds) % 60:02}"


def _shown(text: str) -> str:
    """The text without control characters, which file names may contain."""
    return "".join(character if character.isprintable() else "�" for character in text)
