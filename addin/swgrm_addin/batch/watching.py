"""Watching a run: what is told to whoever wants to know, and a table of it."""

from __future__ import annotations

import sys
import time
from contextlib import ExitStack
from typing import TYPE_CHECKING, NamedTuple, Self

from swgrm_addin.batch.records import Outcome

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

ROWS = 12  # documents that are shown at most while they are worked on


class Watcher:
    """Who wants to see how a run goes; this one looks elsewhere."""

    def passes_over(self, folder: str, why: str) -> None:
        """A folder cannot be read."""

    def begins(self, tasks: int, unchanged: int) -> None:
        """So many documents are to be exported, and so many need not be."""

    def steps(self, document: str, step: str, done: float) -> None:
        """A document came this far (0 to 1)."""

    def finishes(self, outcome: Outcome) -> None:
        """A document is done, or failed."""


class _Working(NamedTuple):
    since: float
    step: str
    done: float


class Table(Watcher):
    """How the run goes: live on a terminal, else a line per document."""

    def __init__(self) -> None:
        self.results = {"exported": 0, "failed": 0}
        self.unchanged, self.tasks, self.since = 0, 0, time.monotonic()
        self.running: dict[str, _Working] = {}
        self._stack = ExitStack()
        self._console = _terminal()

    def __enter__(self) -> Self:
        if self._console:
            from rich.live import Live

            live = Live(console=self._console, get_renderable=self._rendered, refresh_per_second=4)
            self._stack.enter_context(live)
            self._stack.callback(self.running.clear)  # what was stopped is no longer worked on
        return self

    def __exit__(self, *raised: object) -> None:
        self._stack.close()

    @property
    def finished(self) -> int:
        """How many documents nobody works on any more."""
        return sum(self.results.values())

    def passes_over(self, folder: str, why: str) -> None:
        """Say so: what is in there is missing."""
        self._say(f"passed over {folder}: it cannot be read ({why})")

    def begins(self, tasks: int, unchanged: int) -> None:
        """Count what is to come."""
        self.tasks, self.unchanged, self.since = tasks, unchanged, time.monotonic()

    def steps(self, document: str, step: str, done: float) -> None:
        """Show what is being done."""
        now = time.monotonic()
        since = self.running[document].since if document in self.running else now
        self.running[document] = _Working(since, step or "starting", done)

    def finishes(self, outcome: Outcome) -> None:
        """Count it, and say so if nobody sees the table, or if it failed."""
        self.running.pop(outcome.document, None)
        self.results[outcome.result] += 1
        if outcome.result == "failed":
            failure = outcome.failures[-1]
            self._say(f"failed   {outcome.document}: {failure.message} {failure.remedy}".rstrip())
        elif not self._console:
            self._say(f"exported {outcome.document} in {outcome.seconds:.1f} s")

    def _say(self, line: str) -> None:
        if self._console:
            self._console.print(_shown(line), markup=False, highlight=False, soft_wrap=True)
        else:
            sys.stderr.write(f"[{self.finished}/{self.tasks}] {_shown(line)}\n")

    def _rendered(self) -> RenderableType:
        """A row per document that is worked on, then the counts, on as many lines as they need."""
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
            "done": self.results["exported"],
            "unchanged": self.unchanged,
            "failed": self.results["failed"],
            "remaining": self.tasks - self.finished,
        }
        shown = [*(f"{count:,} {name}" for name, count in counts.items()), f"{self._time_left()} left"]
        return Group(*(Text(row, no_wrap=True, overflow="ellipsis") for row in rows), Columns(shown, padding=(0, 3)))

    def _time_left(self) -> str:
        """As long as those before took, on average."""
        remaining = self.tasks - self.finished
        if remaining and not self.finished:
            return "?"
        return _clock((time.monotonic() - self.since) / max(self.finished, 1) * remaining)


def _terminal() -> Console | None:
    """The terminal that a table can be shown on, if there is one."""
    if not sys.stderr.isatty():
        return None
    from rich.console import Console

    console = Console(stderr=True)
    return console if console.is_interactive else None


def _clock(seconds: float) -> str:
    return f"{int(seconds) // 3600}:{int(seconds) // 60 % 60:02}:{int(seconds) % 60:02}"


def _shown(text: str) -> str:
    """Text in which nothing commands the terminal: names of files may hold anything."""
    return "".join(character if character.isprintable() else "�" for character in text)
