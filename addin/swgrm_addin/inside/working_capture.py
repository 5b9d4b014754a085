"""A document that was read for subprocesses: its capture in a working folder, and how long SolidWorks waited for it."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path
from time import perf_counter
from typing import Any, NamedTuple
from weakref import finalize

from swgrm.capture import Capture, CaptureStream
from swgrm.findings import Finding
from swgrm.storage.files import write_errors
from swgrm_addin.reader import Request, read
from swgrm_addin.reader.walk import ProgressCallback

UNFINISHED = "reading.part"


class WorkingFolder:
    """A folder that `remove` removes; at the latest its last reference or the end of this process does."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.remove = finalize(self, shutil.rmtree, path, ignore_errors=True)

    @classmethod
    def below(cls, work: Path) -> WorkingFolder:
        """A new folder in the folder for work."""
        with write_errors(work):
            work.mkdir(parents=True, exist_ok=True)
            return cls(Path(tempfile.mkdtemp(dir=work)))


class HeldTime(NamedTuple):
    """How long SolidWorks' thread was held, and for how many calls."""

    reading: float  # [s]
    saving: float  # [s]
    calls: int

    def __str__(self) -> str:
        total = self.reading + self.saving
        return f"SolidWorks waited {total:.2f} s: {self.reading:.2f} s for reading, {self.saving:.2f} s for saving"


class WorkingCapture(NamedTuple):
    """What was read of a document: the records without triangles, the findings, and the file that contains all."""

    capture: Capture
    findings: tuple[Finding, ...]
    file: Path
    folder: WorkingFolder
    held: HeldTime


def read_for_subprocess(
    application: Any, request: Request, report: ProgressCallback | None, work: Path
) -> WorkingCapture:
    """Read a document into a file in a new working folder; if that fails or is cancelled, nothing remains of it."""
    start, calls = perf_counter(), application.port.calls.total()
    folder = WorkingFolder.below(work)
    try:
        unfinished = folder.path / UNFINISHED
        with CaptureStream(unfinished) as stream:
            capture, findings = read(application, request, report, stream.keep)
            stream.finish(capture)
        file = folder.path / f"{capture.source.name or 'robot'}.swcap"
        with write_errors(file):
            unfinished.rename(file)
    except BaseException:
        folder.remove()
        raise
    seconds = perf_counter() - start
    held = HeldTime(seconds - stream.seconds, stream.seconds, application.port.calls.total() - calls)
    return WorkingCapture(capture, findings, file, folder, held)
