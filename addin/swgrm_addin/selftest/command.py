"""A whole self-test from the command line: run in SolidWorks, judged, and written into one file."""

from __future__ import annotations

import signal
import tempfile
import threading
from collections.abc import Callable, Collection, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from swgrm.errors import Cancelled
from swgrm_addin.selftest.logs import logged
from swgrm_addin.selftest.running import CANCELLED, SelfTest

if TYPE_CHECKING:
    from swgrm_addin.selftest.judge.report import Report

PREFIX = "swgrm-selftest-"
BUILDING = 0.8  # the share of building and reading in all work


def run_selftest(
    application: Any, out: Path, progress: Callable[[str, float], None], *, mock: bool = False,
    only: Collection[str] = (),
) -> Report:  # fmt: skip
    """Run the self-test in a SolidWorks, and write its file; returns the report."""
    with tempfile.TemporaryDirectory(prefix=PREFIX, ignore_cleanup_errors=True) as folder, logged(Path(folder)):
        test = SelfTest(application, Path(folder), out_of_process=True, mock=mock, only=only)
        test.check()
        with interrupts() as is_asked, closing(test.run()) as steps:
            for step in steps:
                progress(step.what, BUILDING * step.done)
                if is_asked():
                    break
        if is_asked() or test.stopped == CANCELLED:
            raise Cancelled("The self-test was cancelled. What it had opened is closed, and nothing was written.")
        progress("judging", BUILDING)
        return judge_folder(Path(folder), out)


def judge_folder(folder: Path, out: Path) -> Report:
    """Judge the run in a folder, and write its file."""
    from swgrm_addin.selftest.judge.archive import write_archive
    from swgrm_addin.selftest.judge.report import judge

    report = judge(folder)
    write_archive(report, folder, out)
    return report


@contextmanager
def interrupts() -> Iterator[Callable[[], bool]]:
    """A context in which Ctrl-C only asks to stop, so that what was opened is closed; the function tells if it did."""
    asked = threading.Event()
    if threading.current_thread() is not threading.main_thread():
        yield asked.is_set
        return
    before = signal.signal(signal.SIGINT, lambda *_: asked.set())
    try:
        yield asked.is_set
    finally:
        signal.signal(signal.SIGINT, before)
