"""Asks another program in its own environment: questions as JSON lines in, answers as JSON lines out."""

from __future__ import annotations

import json
import subprocess
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

LIMIT = 3600  # [s]


def answers_of(
    name: str, python: Path, script: str, questions: Iterable[Mapping[str, Any]], *arguments: str
) -> dict[str, dict[str, Any]]:
    """The answers of a script of this folder by the `file` of each question; other lines are left out."""
    command = [str(python.absolute()), "-W", "ignore", str(Path(__file__).with_name(script).absolute()), *arguments]
    lines = "".join(json.dumps(each) + "\n" for each in questions)
    with tempfile.TemporaryDirectory() as scratch:  # MuJoCo leaves a log where it runs
        done = subprocess.run(
            command, input=lines, capture_output=True, text=True, timeout=LIMIT, check=False, cwd=scratch
        )
    if done.returncode:
        raise SystemExit(f"{name} cannot be run: {done.stderr[-500:]}")
    found = [json.loads(line) for line in done.stdout.splitlines() if line.startswith('{"file"')]
    return {each["file"]: each for each in found}
