"""The add-in without COM: a session on the mock in memory, with a fake user interface and scripted subprocesses."""

from __future__ import annotations

import stat
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from swgrm.capture import Capture
from swgrm_addin.inside.addin_folders import AddinFolders, open_log
from swgrm_addin.inside.session import Session
from swgrm_addin.port import Port
from swgrm_mocks import builder
from swgrm_mocks.solidworks import MemoryTransport, MockSolidWorks

EXPORTED = """{"robot": "arm", "mass": 2.5, "files": ["x/arm.grm.json", "x/arm.urdf"], "findings": [
 {"severity": "warning", "code": "c", "where": "elbow", "message": "It has no limits."}],
 "frames": [{"id": "base", "joint": null, "links": ["base"], "sensors": []},
            {"id": "elbow", "joint": {"type": "revolute"}, "links": ["a", "b"], "sensors": ["eye"]}]}"""
# Scripts that replace the real subprocess, by name; sys.argv[1:] are the arguments of the real one.
SUBPROCESSES = {
    "good": f"""report("reading", 0.1); report("writing", 0.9)
print(json.dumps({{**json.loads('''{EXPORTED}'''), "folder": sys.argv[8]}}))""",
    "edited": f"""
if "--refuse-edited" in sys.argv:
    sys.stderr.write(f"swgrm: {{sys.argv[8]}}: files were edited, or not written by swgrm (1): arm.urdf." + chr(10))
    sys.exit(73)
print(json.dumps({{**json.loads('''{EXPORTED}'''), "folder": sys.argv[8]}}))""",
    "errors": f"""data = json.loads('''{EXPORTED}'''); data["findings"][0]["severity"] = "error"
print(json.dumps({{**data, "folder": sys.argv[8]}})); sys.exit(1)""",
    "findings": """print('[{"severity": "error", "code": "c", "where": "arm", "message": "No."}]'); sys.exit(1)""",
    "report": """open(sys.argv[8], "wb").write(b"a zip"); print('{"file": "", "contents": []}')""",
    "quiet": "print('[]')",
    "sentence": "sys.exit('swgrm: arm.swcap: it is damaged. Make it again.')",
    "crash": "raise RuntimeError('the script failed')",
    "killed": "report('meshes', 0.5); os.kill(os.getpid(), 9)",
    "hung": "report('meshes', 0.25); time.sleep(600)",
    "hungry": "from swgrm_addin import cli; cli.app = lambda **_: [bytes(1 << 24) for _ in range(1 << 20)]; cli.main()",
    "babbling": "sys.stderr.buffer.write(bytes(range(256)) * 4000); print('{ not JSON')",
    "half": "sys.stdout.write('[]'); sys.stderr.write('{\"step\": \"half'); sys.stderr.flush(); os._exit(0)",
}
PRELUDE = f"""#!{sys.executable}
import json, os, sys, time
assert sys.argv.pop(1) == "-P", "modules beside a document must not be loaded"
def report(step, done):
    sys.stderr.write(json.dumps({{"step": step, "done": done}}) + chr(10)); sys.stderr.flush()
with open(__file__ + ".arguments", "a") as file: file.write(json.dumps(sys.argv[1:]) + chr(10))
"""


class MemoryUserInterface:
    """A user interface whose timer ticks in `wait`."""

    def __init__(self) -> None:
        self.actions: list[Callable[[], object]] = []  # of the timers
        self.opened: list[Path | str] = []
        self.processes: list[subprocess.Popen[bytes]] = []
        self.memory = 0  # [bytes] limit for a subprocess; 0: none

    def start_timer(self, _milliseconds: int, action: Callable[[], object]) -> Callable[[], object]:
        self.actions.append(action)
        return lambda: self.actions.remove(action) if action in self.actions else None

    def wait(self) -> None:
        time.sleep(0.01)
        for action in list(self.actions):
            action()

    def open(self, path: Path | str) -> None:
        self.opened.append(path)

    def end_with_parent(self, process: subprocess.Popen[bytes]) -> object:
        self.processes.append(process)
        if self.memory:
            import resource

            resource.prlimit(process.pid, resource.RLIMIT_AS, (self.memory, self.memory))
        return process


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

    def arguments(self) -> list[list[str]]:
        """The arguments of every subprocess so far."""
        import json

        file = Path(f"{self.python}.arguments")
        return [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []

    def log(self) -> str:
        return self.folders.log.read_text("utf-8")
