"""The batch: documents per second with a mock that takes its time, the run's own cost per document, and its growth."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import perf_counter
from unittest.mock import patch

import msgspec

from swgrm import save
from swgrm.capture import encode
from swgrm.files import write_bytes
from swgrm.folders import MANIFEST, Manifest
from swgrm_addin.batch import Options, Report, batch, worker
from swgrm_addin.batch.journal import Journal, Taken
from swgrm_addin.batch.records import Summary, Task
from swgrm_mocks.example import example_arm
from swgrm_mocks.samples import sample
from tests.bench.measure import best, row

OPENING, PER_CALL = 2.0, 0.0005  # [s] that a document takes to open, and a call over COM between processes
DOCUMENTS = 8


@contextmanager
def folder() -> Iterator[Path]:
    """A place with a state folder of its own."""
    with tempfile.TemporaryDirectory() as name, patch.dict(os.environ, XDG_STATE_HOME=name, LOCALAPPDATA=name):
        (Path(name) / "in").mkdir()
        yield Path(name)


def timed(place: Path, **how: object) -> tuple[float, Report]:
    """How long a run takes."""
    begin = perf_counter()
    report = batch(place / "in", place / "out", pattern="*", **how)  # type: ignore[arg-type] # passed on
    return perf_counter() - begin, report


def instantly(task: Task, _seat: str, _tell: object) -> Summary:
    """A document that takes no time: what is left is the run's own cost."""
    write_bytes(task.out / MANIFEST, msgspec.json.encode(Manifest({})))
    return Summary()


def speed() -> None:
    """Documents per second."""
    row("mock SolidWorks, documents", "jobs", "documents/s", "per document")
    for jobs in (1, 2):
        with folder() as place:
            (place / "in" / "small.data").write_bytes(encode(sample("four_bar")))
            for number in range(DOCUMENTS):
                text = json.dumps({"serves": "small.data", "seconds": OPENING, "delay": PER_CALL})
                (place / "in" / f"d{number}.mock.json").write_text(text)
            seconds, report = timed(place, jobs=jobs, options=Options(("grm",)))
            assert report.is_complete
            row(f"{DOCUMENTS}", jobs, f"{DOCUMENTS / seconds:.2f}", f"{seconds / DOCUMENTS:.2f} s")


def growth() -> None:
    """The run's own cost: discovery, hashing, scheduling, journal and reports, with documents that take no time."""
    row("own cost, documents", "first run", "per document", "nothing to do", "per document")
    for count in (10, 100, 1_000):
        with folder() as place, patch.object(worker, "attempt", instantly):
            for number in range(count):
                save(example_arm(), place / "in" / f"d{number}.grm.json")
            first, report = timed(place, jobs=2)
            assert report.counts["exported"] == count
            again, report = timed(place, jobs=2, resume=True)
            assert report.counts["unchanged"] == count
            figures = [
                f"{s * 1e3:.0f} ms" if n == 0 else f"{s / count * 1e3:.2f} ms" for s in (first, again) for n in (0, 1)
            ]
            row(f"{count:,}", *figures)


def run() -> None:
    """Print the figures."""
    speed()
    growth()
    with folder() as place, Journal(place / "journal") as journal:
        each = best(lambda: [journal.write(Taken("a document")) for _ in range(100)], 3) / 100
    row("a line of the journal, on the disk", f"{each * 1e3:.3f} ms")
    with folder() as place:
        save(example_arm(), place / "in" / "d.grm.json")
        seconds, _ = timed(place, options=Options(("grm",)))
    row("one document, its own process", f"{seconds:.2f} s")
