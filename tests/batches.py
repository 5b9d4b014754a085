"""Shared by the tests of the batch: folders of documents, the command in isolation, leftover processes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any
from uuid import uuid4

import psutil
from msgspec.structs import replace

from swgrm import save
from swgrm_addin.batch.records import OWN_FILES
from swgrm_mocks.example import example_arm

OWN = OWN_FILES  # files that differ from run to run
PATIENCE = 900  # [s] time limit for a run, on a busy machine


class World:
    """An isolated environment for the command: its own state folder, and a mark on every process that it starts."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.documents, self.out = folder, folder / "in", folder / "out"
        self.log, self.mark = folder / "log", uuid4().hex
        self.documents.mkdir()
        state = dict.fromkeys(("XDG_STATE_HOME", "LOCALAPPDATA"), str(folder / "state"))
        self.environment = {**os.environ, **state, "SWGRM_MOCK_LOG": str(self.log)}
        self.environment |= {"SWGRM_TEST": self.mark, "NO_COLOR": "1", "PYTHONIOENCODING": "utf-8"}

    def command(self, *arguments: str | Path, out: Path | None = None) -> list[str]:
        batch = ["batch", self.documents, "-o", out or self.out, "--pattern", "*", "--format", "grm"]
        return [sys.executable, "-m", "swgrm_addin", *map(str, [*batch, *arguments])]

    def run(
        self, *arguments: str | Path, out: Path | None = None, limit: str = "", **environment: str
    ) -> subprocess.CompletedProcess[str]:
        command, variables = self.command(*arguments, out=out), self.environment | environment
        if limit:  # it would also hold for the data of coverage, so that is not measured here
            command = ["bash", "-c", f'{limit}; exec "$@"', "bash", *command]
            variables = {name: value for name, value in variables.items() if not name.startswith("COVERAGE_")}
        return subprocess.run(
            command,
            env=variables,
            cwd=self.folder,
            capture_output=True,
            text=True,
            encoding="utf-8",
            timeout=PATIENCE,
            check=False,
        )

    def report(self, out: Path | None = None) -> dict[str, dict[str, Any]]:
        data = json.loads(((out or self.out) / "batch.json").read_bytes())
        return {result["document"]: result for result in data["documents"]}

    def results(self, out: Path | None = None) -> dict[str, str]:
        return {name: result["status"] for name, result in self.report(out).items()}

    def mock(self, name: str, serves: str = "small.swcap.data", **more: object) -> Path:
        """A mock assembly; by default it serves a small capture in the same folder."""
        if serves == "small.swcap.data":
            (self.documents / serves).write_bytes(small_capture())
        path = self.documents / f"{name}.mock.json"
        path.write_text(json.dumps({"serves": serves, **more}))
        return path

    def robot(self, name: str) -> Path:
        path = self.documents / f"{name}.grm.json"
        save(replace(example_arm(), name=name), path)
        return path

    def left_behind(self) -> list[str]:
        """Processes of this world that still run."""
        return [" ".join(process.cmdline()) for process in self.processes()]

    def processes(self) -> list[psutil.Process]:
        found = []
        for process in psutil.process_iter():
            try:
                if process.environ().get("SWGRM_TEST") == self.mark and process.status() != psutil.STATUS_ZOMBIE:
                    found.append(process)
            except psutil.Error:
                continue
        return found

    def records(self) -> list[Path]:
        """The records of started processes."""
        return sorted((self.folder / "state").rglob("*.json"))


def tree(folder: Path, without: Sequence[str] = OWN) -> Mapping[str, bytes | None]:
    """Everything in a folder, byte for byte; folders too."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() if path.is_file() else None
        for path in sorted(folder.rglob("*"))
        if path.name not in without
    }


@cache
def small_capture() -> bytes:
    """A small capture, whose export is fast."""
    from swgrm.capture import encode
    from swgrm_mocks.samples import sample

    return encode(sample("four_bar"))
