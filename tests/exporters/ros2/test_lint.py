"""The Python files of a package, by the rules of ament_flake8 and ament_pep257 as far as ruff has them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from swgrm import Frame, Robot
from swgrm.findings import Findings
from swgrm_exporters.format import Target
from swgrm_exporters.formats import named

AMENT = (
    "--isolated", "--line-length=99", "--select=A,B,C4,D,E,F,Q,W", "--ignore=D100,D103,D104,D203,D212,D404",
    "--config=lint.flake8-quotes.inline-quotes='single'",
)  # fmt: skip


def lint(folder: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "ruff", "check", "--no-cache", *AMENT, str(folder)]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)


def test_the_files_follow_ament(tmp_path: Path) -> None:
    pytest.importorskip("ruff", reason="`make test` installs it")
    named("ros2").write(
        Robot(name="a_robot_with_a_long_name", frames=(Frame(id="a"),)), Target(tmp_path, "a"), None, Findings()
    )
    done = lint(tmp_path)
    assert done.returncode == 0, done.stdout
    file = tmp_path / "launch" / "control.launch.py"
    file.write_text(file.read_text("utf-8").replace("'mock'", '"mock"'), "utf-8")
    assert "Q000" in lint(tmp_path).stdout
