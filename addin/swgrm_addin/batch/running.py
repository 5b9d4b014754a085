"""The batch itself: what is found is compared with the journal, what is missing is exported, all of it is reported."""

from __future__ import annotations

import time
from contextlib import closing, suppress
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import msgspec

from swgrm import __version__
from swgrm.errors import FileError, SwgrmError
from swgrm.files import clear_parts, write_bytes
from swgrm_addin.batch.discovery import find_tasks
from swgrm_addin.batch.htmlreport import html
from swgrm_addin.batch.journal import Begun, Ended, Finished, Journal, Taken, outcomes
from swgrm_addin.batch.processes import end_leftovers, ourselves
from swgrm_addin.batch.records import HTML_REPORT, JOURNAL, JSON_REPORT, Options, Outcome, Report, Task
from swgrm_addin.batch.schedulers import Schedule, locally, on_dask
from swgrm_addin.batch.watching import Watcher
from swgrm_addin.batch.worker import is_complete
from swgrm_exporters.formats import chosen


def batch(
    folder: Path,
    out: Path,
    *,
    pattern: str = "",
    recursive: bool = False,
    settings: Path | None = None,
    options: Options | None = None,
    jobs: int = 1,
    resume: bool = False,
    scheduler: str = "",
    watcher: Watcher | None = None,
) -> Report:
    """Export every document of a folder into a folder of its own below `out`, and report.

    Documents that fail are told in the report and stop nobody. Stopped at any moment, even by force, a run goes on
    with `resume`: what is complete and unchanged is not done again.
    """
    folder, out, settings = folder.absolute(), out.absolute(), settings and settings.absolute()
    if settings is not None and not settings.is_file():
        raise FileError(settings, "there are no such settings", remedy="Check the path")
    chosen(options.formats if options else ())  # an unknown format is wrong use, not every document's failure
    watcher = watcher or Watcher()
    tasks = find_tasks(
        folder, out,
        pattern=pattern, recursive=recursive, settings=settings, options=options, passed_over=watcher.passes_over,
    )  # fmt: skip
    schedule: Schedule = (
        partial(on_dask, scheduler) if scheduler else partial(locally, 1 if options and options.attach else jobs)
    )
    run = Run(folder, out, watcher)
    with Journal(out / JOURNAL, anew=not resume) as journal:
        journal.write(Begun(ourselves(), run.started, len(tasks)))
        end_leftovers()
        known = outcomes(out / JOURNAL)
        kept = {task.document: known[task.document] for task in tasks if is_complete(task, known.get(task.document))}
        try:
            run.export([task for task in tasks if task.document not in kept], kept, schedule, journal)
        except BaseException:
            with suppress(SwgrmError):  # what stopped the run may stop this, too, and is what must be told
                run.write_report(tasks)
                journal.write(Ended(ourselves()))
            raise
        report = run.write_report(tasks)
        journal.write(Ended(ourselves()))
        return report


class Run:
    """One run: collects the outcomes, tells who watches, and writes the reports."""

    def __init__(self, folder: Path, out: Path, watcher: Watcher) -> None:
        self.folder, self.out, self.watcher = folder, out, watcher
        self.started, self._begin = datetime.now(UTC).isoformat(timespec="seconds"), time.monotonic()
        self.outcomes: dict[str, Outcome] = {}

    def export(self, missing: list[Task], kept: dict[str, Outcome], schedule: Schedule, journal: Journal) -> None:
        """Export what is missing."""
        self.outcomes |= {name: msgspec.structs.replace(old, result="unchanged") for name, old in kept.items()}
        self.watcher.begins(len(missing), len(kept))

        def watch(task: Task, step: str, done: float) -> None:
            if not step:
                journal.write(Taken(task.document))
            self.watcher.steps(task.document, step, done)

        with closing(schedule(missing, watch)) as results:
            for outcome in results:
                journal.write(Finished(outcome))
                self.outcomes[outcome.document] = outcome
                self.watcher.finishes(outcome)

    def write_report(self, tasks: list[Task]) -> Report:
        """Write what is known so far, for programs and for people; documents that nobody came to are missing."""
        never = {task.document: Outcome(task.document, "missing", str(task.out)) for task in tasks}
        documents = tuple(outcome for _, outcome in sorted((never | self.outcomes).items()))
        seconds = round(time.monotonic() - self._begin, 3)
        report = Report(__version__, str(self.folder), str(self.out), self.started, seconds, documents)
        for name, data in (
            (JSON_REPORT, msgspec.json.format(msgspec.json.encode(report), indent=1)),
            (HTML_REPORT, html(report).encode()),
        ):
            clear_parts(self.out / name)
            write_bytes(self.out / name, data)
        return report
