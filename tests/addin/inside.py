"""The add-in without COM: a session on the mock in memory, with a fake user interface and scripted child processes."""

from __future__ import annotations

import json
import stat
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import psutil
import pytest

from swgrm.capture import Capture
from swgrm.findings import Finding, Severity
from swgrm.processes.limits import ChildLimits
from swgrm_addin.inside.addin_folders import AddinFolders, open_log
from swgrm_addin.inside.session import Session
from swgrm_addin.jobs import PROGRAM
from swgrm_addin.port import Port
from swgrm_mocks import builder
from swgrm_mocks.solidworks import MemoryTransport, MockSolidWorks

FINDING = Finding(Severity.WARNING, "c", "elbow", "It has no limits.")
EXPORTED = """{"robot": "arm", "folder": job["folder"] or job["default_folder"], "links": 3, "joints": {"revolute": 1},
 "sensors": 1, "mass": 2.5, "files": ["x/arm.grm.json", "x/arm.urdf"]}"""
# Scripts that replace the program of the child processes, by name; `job` is the job.
SUBPROCESSES = {
    "good": f"report('reading', 0.1); report('writing', 0.9); find({FINDING.severity}); answer({EXPORTED})",
    "edited": f"""
if job["edited"] == "refuse":
    where = job["folder"] or job["default_folder"]
    fail("EditedFilesError", f"{{where}}: files were edited, or not written by swgrm (1): arm.urdf.", 73)
answer({EXPORTED})""",
    "errors": f"find({Severity.ERROR}); answer({EXPORTED})",
    "findings": f"find({Severity.ERROR}, 'arm', 'No.'); answer()",
    "report": """open(job["file"], "wb").write(b"a zip"); answer({"contents": []})""",
    "quiet": "answer()",
    "sentence": "fail('FileError', 'arm.swcap: it is damaged. Make it again.', 2)",
    "crash": "raise RuntimeError('the script failed')",
    "killed": "report('meshes', 0.5); os.kill(os.getpid(), 9)",
    "hung": "report('meshes', 0.25); time.sleep(600)",
    "hungry": """
from swgrm_addin import job_program
job_program.RUNNERS = {kind: lambda *_: [bytes(1 << 24) for _ in range(1 << 20)] for kind in job_program.RUNNERS}
output, input = os.pipe()
os.write(input, line.encode()); os.dup2(output, 0)
sys.exit(job_program.main())""",
    "babbling": "sys.stderr.buffer.write(bytes(range(256)) * 4000); print('{ not JSON')",
    "half": """sys.stderr.write('half of it'); sys.stderr.flush()
sys.stdout.write('{"type": "result'); sys.stdout.flush(); os._exit(0)""",
    "wrong": "answer([])",
}
PRELUDE = f"""#!{sys.executable}
import json, os, sys, time
assert "-P" in sys.argv, "modules beside a document must not be loaded"
def emit(tag, **event):
    sys.stdout.write(json.dumps({{"type": tag, **event}}) + chr(10)); sys.stdout.flush()
def report(step, done):
    emit("progress", step=step, done=done)
def find(severity, where={FINDING.where!r}, message={FINDING.message!r}):
    emit("finding", finding=dict(severity=severity, code="c", where=where, message=message))
def answer(value=None):
    emit("result", value=value)
def fail(kind, message, code):
    emit("error", kind=kind, message=message, code=code); sys.exit(code)
with open(__file__ + ".arguments", "a") as file: file.write(json.dumps(sys.argv[1:]) + chr(10))
line = sys.stdin.readline()
job = json.loads(line)
with open(__file__ + ".jobs", "a") as file: file.write(line)
"""


class MemoryUserInterface:
    """A user interface whose timer ticks in `wait`."""

    def __init__(self) -> None:
        self.actions: list[Callable[[], object]] = []  # of the timers
        self.opened: list[Path | str] = []
        self.limits = ChildLimits()

    def start_timer(self, _milliseconds: int, action: Callable[[], object]) -> Callable[[], object]:
        self.actions.append(action)
        return lambda: self.actions.remove(action) if action in self.actions else None

    def wait(self) -> None:
        time.sleep(0.01)
        for action in list(self.actions):
            action()

    def open(self, path: Path | str) -> None:
        self.opened.append(path)


def arm(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Capture:
    """An assembly of two parts, in that folder."""
    monkeypatch.setattr(builder, "FOLDER", f"{folder}/")
    assembly = builder.Assembly("arm")
    assembly.part(builder.Part("base")).fixed()
    assembly.part(builder.Part("link"))
    return assembly.capture()


class Bench:
    """A session with its fake environment."""

    def __init__(self, folder: Path, *captures: Capture, opened: bool = True) -> None:
        self.world = MockSolidWorks(*captures, opened=opened)
        self.application: Any = Port(MemoryTransport()).wrap(self.world.application, "ISldWorks")
        self.ui, self.folders = MemoryUserInterface(), AddinFolders(folder / "data")
        self.python = folder / "python"
        open_log(self.folders)
        self.session = self.new_session()

    def new_session(self) -> Session:
        made = Session(self.application, self.ui, self.folders, self.python)
        made.double_click = 0.0  # tests press faster than users
        return made

    def behave(self, name: str) -> None:
        """Set the script of the subprocesses to come."""
        self.python.write_text(PRELUDE + SUBPROCESSES[name], "utf-8")
        self.python.chmod(self.python.stat().st_mode | stat.S_IXUSR)

    def press(self, callback: str) -> None:
        """Press a button, and wait until its job has ended."""
        self.session.callbacks()[callback]()
        self.session.runner.wait()

    def enabled(self) -> set[str]:
        """The buttons that are available."""
        calls = self.session.callbacks()
        return {name.removeprefix("Can") for name in calls if name.startswith("Can") and calls[name]() == 1}

    def jobs(self) -> list[dict[str, Any]]:
        """Every job of a child process so far."""
        file = Path(f"{self.python}.jobs")
        return [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []

    def children(self) -> list[psutil.Process]:
        """The child processes that run now."""
        found = []
        for child in psutil.Process().children():
            with suppress(psutil.NoSuchProcess):
                words = child.cmdline()
                if str(self.python) in words or PROGRAM in words:
                    found.append(child)
        return found

    def log(self) -> str:
        return self.folders.log.read_text("utf-8")
