"""The batch: documents per second with a mock as slow as SolidWorks, its growth, and the run's own cost per document.

SWGRM_FULL=1 lets the growth go up to 1,000 documents, each through its own process.
"""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from time import perf_counter, sleep
from unittest.mock import patch

import msgspec

from swgrm import save
from swgrm.capture import encode
from swgrm.storage.files import write_bytes
from swgrm.storage.folders import MANIFEST, Manifest
from swgrm_addin.batch import BatchOptions, BatchReport, batch, worker
from swgrm_addin.batch.journal import DocumentStarted, Journal
from swgrm_addin.batch.records import ExportSummary, Task
from swgrm_mocks.example import example_arm
from swgrm_mocks.samples import sample
from tests.bench.measure import best, row

OPENING, PER_CALL = 2.0, 0.0005  # [s] that a document takes to open, and a call over COM between processes
COUNTS = (10, 100, 1_000)
REAL_COUNTS = COUNTS if os.environ.get("SWGRM_FULL") else COUNTS[:2]
DOCUMENTS = 8


@contextmanager
def folder() -> Iterator[Path]:
    """A temporary folder with its own state folder."""
    with tempfile.TemporaryDirectory() as name, patch.dict(os.environ, XDG_STATE_HOME=name, LOCALAPPDATA=name):
        (Path(name) / "in").mkdir()
        yield Path(name)


@contextmanager
def mocks(count: int, opening: float) -> Iterator[Path]:
    """A folder of mock assemblies that take time to open and to read."""
    with folder() as place:
        (place / "in" / "small.data").write_bytes(encode(sample("four_bar")))
        text = json.dumps({"serves": "small.data", "seconds": opening, "delay": PER_CALL})
        for number in range(count):
            (place / "in" / f"d{number}.mock.json").write_text(text)
        yield place


@contextmanager
def robots(count: int) -> Iterator[Path]:
    """A folder of robots."""
    with folder() as place:
        for number in range(count):
            save(example_arm(), place / "in" / f"d{number}.grm.json")
        yield place


def timed(place: Path, jobs: int, *, resume: bool = False) -> tuple[float, BatchReport]:
    """The elapsed time [s] of a run, and its report."""
    begin = perf_counter()
    report = batch(place / "in", place / "out", pattern="*", options=BatchOptions(("grm",)), jobs=jobs, resume=resume)
    return perf_counter() - begin, report


def taking(seconds: float, task: Task, _instance: str, _on_step: object) -> ExportSummary:
    """Replaces the work on a document by a pause, so that only the run's own cost is measured."""
    sleep(seconds)
    write_bytes(task.out / MANIFEST, msgspec.json.encode(Manifest({})))
    return ExportSummary()


def speed() -> None:
    """Documents per second."""
    row(f"mock SolidWorks, {OPENING:g} s to open", "jobs", "documents/s", "per document")
    for jobs in (1, 2):
        with mocks(DOCUMENTS, OPENING) as place:
            seconds, report = timed(place, jobs)
            assert report.is_complete
            row(f"{DOCUMENTS} documents", jobs, f"{DOCUMENTS / seconds:.2f}", f"{seconds / DOCUMENTS:.2f} s")


def growing(place: Path, count: int) -> None:
    """A line of a table: the first run, and one that finds nothing to do; in all, and per document."""
    first, report = timed(place, 2)
    assert report.counts["exported"] == count
    again, report = timed(place, 2, resume=True)
    assert report.counts["unchanged"] == count
    figures = (f"{value:,.2f} {unit}" for s in (first, again) for value, unit in ((s, "s"), (s / count * 1e3, "ms")))
    row(f"{count:,}", *figures)


def growth() -> None:
    """Whole runs, then the run's own cost: discovery, hashing, scheduling, journal, reports."""
    head = "first run", "per document", "nothing to do", "per document"
    row("mock SolidWorks, 2 jobs, documents", *head)
    for count in REAL_COUNTS:
        with mocks(count, opening=0.1) as place:
            growing(place, count)
    for seconds in (0.1, 0.0):
        row(f"own cost, {seconds:g} s each, documents", *head)
        for count in COUNTS:
            with robots(count) as place, patch.object(worker, "attempt", partial(taking, seconds)):
                growing(place, count)


def run() -> None:
    """Print the figures."""
    speed()
    growth()
    with folder() as place, Journal(place / "journal") as journal:

        def write_lines() -> None:
            for _ in range(100):
                journal.write(DocumentStarted("a document"))

        each = best(write_lines, 3) / 100
    row("a line of the journal, on the disk", f"{each * 1e3:.3f} ms")
    with robots(1) as place:
        seconds, _ = timed(place, 1)
    row("one document, its own process", f"{seconds:.2f} s")
