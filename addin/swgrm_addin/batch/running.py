"""A batch run: finds the documents, skips those that the journal has as complete, exports the others, and reports."""

from __future__ import annotations

import time
from contextlib import closing, suppress
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import msgspec

from swgrm import __version__
from swgrm.errors import FileError, SwgrmError
from swgrm.processes.identity import current_process
from swgrm.processes.leftovers import end_leftovers
from swgrm.storage.files import clear_parts, is_file, write_bytes
from swgrm_addin.batch.discovery import find_tasks
from swgrm_addin.batch.html_report import html
from swgrm_addin.batch.journal import DocumentFinished, DocumentStarted, Journal, RunEnded, RunStarted, last_results
from swgrm_addin.batch.progress import ProgressObserver
from swgrm_addin.batch.records import HTML_REPORT, JOURNAL, JSON_REPORT, BatchOptions, BatchReport, DocumentResult, Task
from swgrm_addin.batch.schedulers import Schedule, run_locally, run_on_dask
from swgrm_addin.batch.worker import is_complete
from swgrm_exporters.formats import chosen


def batch(
    folder: Path,
    out: Path,
    *,
    pattern: str = "",
    recursive: bool = False,
    settings: Path | None = None,
    options: BatchOptions | None = None,
    jobs: int = 1,
    resume: bool = False,
    scheduler: str = "",
    observer: ProgressObserver | None = None,
) -> BatchReport:
    """Export every document of a folder into a folder of its own below `out`, and write the reports.

    A document that fails is reported, and the others are exported nevertheless. A run that was stopped or killed can be
    continued with `resume`: documents that are complete and unchanged are skipped.
    """
    folder, out, settings = folder.absolute(), out.absolute(), settings and settings.absolute()
    if settings is not None and not is_file(settings):
        raise FileError(settings, "the settings file does not exist", remedy="Check the path")
    chosen(options.formats if options else ())  # an unknown format is an error of the run, not of every document
    observer = observer or ProgressObserver()
    tasks = find_tasks(
        folder, out,
        pattern=pattern, recursive=recursive, settings=settings, options=options, on_skipped=observer.folder_skipped,
    )  # fmt: skip
    schedule: Schedule = (
        partial(run_on_dask, scheduler)
        if scheduler
        else partial(run_locally, 1 if options and options.attach else jobs)
    )
    run = Run(folder, out, observer)
    with Journal(out / JOURNAL, truncate=not resume) as journal:
        journal.write(RunStarted(current_process(), run.started, len(tasks)))
        end_leftovers()
        known = last_results(out / JOURNAL)
        kept = {task.document: known[task.document] for task in tasks if is_complete(task, known.get(task.document))}
        try:
            run.export([task for task in tasks if task.document not in kept], kept, schedule, journal)
        except BaseException:
            with suppress(SwgrmError):  # the error that stopped the run takes precedence
                run.write_report(tasks)
                journal.write(RunEnded(current_process()))
            raise
        report = run.write_report(tasks)
        journal.write(RunEnded(current_process()))
        return report


class Run:
    """One run: collects the results, informs the observer, and writes the reports."""

    def __init__(self, folder: Path, out: Path, observer: ProgressObserver) -> None:
        self.folder, self.out, self.observer = folder, out, observer
        self.started, self._begin = datetime.now(UTC).isoformat(timespec="seconds"), time.monotonic()
        self._results: dict[str, DocumentResult] = {}

    def export(
        self, missing: list[Task], kept: dict[str, DocumentResult], schedule: Schedule, journal: Journal
    ) -> None:
        """Export the missing documents; `kept` are the results of those that are complete."""
        self._results |= {name: msgspec.structs.replace(old, status="unchanged") for name, old in kept.items()}
        self.observer.run_started(len(missing), len(kept))

        def on_step(task: Task, step: str, done: float) -> None:
            if not step:
                journal.write(DocumentStarted(task.document))
            self.observer.document_progressed(task.document, step, done)

        with closing(schedule(missing, on_step)) as results:
            for result in results:
                journal.write(DocumentFinished(result))
                self._results[result.document] = result
                self.observer.document_finished(result)

    def write_report(self, tasks: list[Task]) -> BatchReport:
        """Write the JSON and HTML reports of the results so far; documents without a result are `missing`."""
        missing = {task.document: DocumentResult(task.document, "missing", str(task.out)) for task in tasks}
        documents = tuple(result for _, result in sorted((missing | self._results).items()))
        seconds = round(time.monotonic() - self._begin, 3)
        report = BatchReport(__version__, str(self.folder), str(self.out), self.started, seconds, documents)
        for name, data in (
            (JSON_REPORT, msgspec.json.format(msgspec.json.encode(report), indent=1)),
            (HTML_REPORT, html(report).encode()),
        ):
            clear_parts(self.out / name)
            write_bytes(self.out / name, data)
        return report
