"""Watching a run: what is told to whoever wants to know, and a table of it."""

from __future__ import annotations

import sys
import time
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Self

from swgrm_addin.batch.records import Outcome

if TYPE_CHECKING:
    from rich.console import RenderableType


class Watcher:
    """Who wants to see how a run goes; this one looks elsewhere."""

    def begins(self, tasks: int, unchanged: int) -> None:
        """So many documents are to be exported, and so many need not be."""

    def steps(self, document: str, step: str, done: float) -> None:
        """A document came this far (0 to 1)."""

    def finishes(self, outcome: Outcome) -> None:
        """A document is done, or failed."""


class Table(Watcher):
    """How the run goes: live on a terminal, else a line per document."""

    def __init__(self) -> None:
        self.results = {"exported": 0, "failed": 0}
        self.unchanged, self.remaining, self.since = 0, 0, time.monotonic()
        self.running: dict[str, tuple[str, float]] = {}
        self._live: AbstractContextManager[object] = nullcontext()
        if sys.stderr.isatty():
            from rich.console import Console
            from rich.live import Live

            self._live = Live(console=Console(stderr=True), get_renderable=self._rendered, refresh_per_second=4)

    def __enter__(self) -> Self:
        self._live.__enter__()
        return self

    def __exit__(self, *raised: object) -> None:
        self._live.__exit__(*raised)  # type: ignore[arg-type] # what with gives

    def begins(self, tasks: int, unchanged: int) -> None:
        """Count what is to come."""
        self.remaining, self.unchanged = tasks, unchanged

    def steps(self, document: str, step: str, done: float) -> None:
        """Show what is being done."""
        self.running[document] = step or "starting", done

    def finishes(self, outcome: Outcome) -> None:
        """Count it, and say so if nobody sees the table, or if it failed."""
        self.running.pop(outcome.document, None)
        self.results[outcome.result] += 1
        self.remaining -= 1
        if outcome.result == "failed":
            self._say(
                f"failed   {outcome.document}: {outcome.failures[-1].message} {outcome.failures[-1].remedy}".rstrip()
            )
        elif isinstance(self._live, nullcontext):
            self._say(f"exported {outcome.document} in {outcome.seconds:.1f} s")

    def _say(self, line: str) -> None:
        if isinstance(self._live, nullcontext):
            sys.stderr.write(f"{line}\n")
        else:
            self._live.console.print(line, markup=False, highlight=False)  # type: ignore[attr-defined] # rich's Live

    def _rendered(self) -> RenderableType:
        from rich.console import Group
        from rich.table import Table as Rows
        from rich.text import Text

        table = Rows("done", "unchanged", "failed", "remaining", "time left", box=None)
        counts = self.results["exported"], self.unchanged, self.results["failed"], self.remaining
        table.add_row(*(f"{count:,}" for count in counts), self._time_left())
        lines = (f"{done:4.0%}  {name}: {step}" for name, (step, done) in sorted(self.running.copy().items()))
        return Group(table, *(Text(line, no_wrap=True, overflow="ellipsis") for line in lines))

    def _time_left(self) -> str:
        finished = sum(self.results.values())
        if not finished:
            return "–"
        seconds = round((time.monotonic() - self.since) / finished * self.remaining)
        return f"{seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02}"
