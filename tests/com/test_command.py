"""The command on Windows: an assembly file is captured through whatever SolidWorks is registered."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from tests.contract.transports import running

from swgrm.capture import Capture
from swgrm.capture.file import encode, save
from swgrm_mocks.samples import sample
from swgrm_mocks.testing.com_registration import registered

PROGID = "swgrm.CommandTest"
FOLDER = '"C:\\\\Robots\\\\'  # of the samples, as JSON has it


def moved(capture: Capture, folder: Path) -> Capture:
    """The capture as if its files were in a folder."""
    text = msgspec.json.encode(capture).decode()
    there = msgspec.json.encode(f"{folder}\\").decode().removesuffix('"')
    return msgspec.json.decode(text.replace(FOLDER, there), type=Capture)


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Capture]:
    """A SolidWorks that has the gripper open, whose file exists."""
    capture = moved(sample("gripper"), tmp_path)
    Path(capture.source.path).touch()
    save(capture, tmp_path / "served.swcap")
    command = [
        sys.executable,
        "-X",
        "utf8",
        "-m",
        "swgrm_mocks.testing.com_server",
        PROGID,
        str(tmp_path / "served.swcap"),
    ]
    with registered(PROGID, LocalServer32=subprocess.list2cmdline(command)), running(command):
        yield capture


def run(*words: str, solidworks: str = PROGID) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-X", "utf8", "-m", "swgrm_addin", "capture", *words]
    variables = os.environ | {"SWGRM_SOLIDWORKS": solidworks}
    return subprocess.run(
        command, env=variables, capture_output=True, text=True, encoding="utf-8", timeout=120, check=False
    )


@pytest.mark.parametrize("named", [True, False], ids=["a file", "the active document"])
def test_a_document_is_captured(served: Capture, tmp_path: Path, named: bool) -> None:
    target = tmp_path / "taken.swcap"
    done = run(*([served.source.path] if named else []), "-o", str(target))
    assert done.returncode == 0, done.stderr
    assert target.read_bytes() == encode(served)


def test_without_solidworks_the_command_fails_with_an_error(tmp_path: Path) -> None:
    assembly = tmp_path / "x.sldasm"
    assembly.touch()
    done = run(str(assembly), "-o", str(tmp_path / "x.swcap"), solidworks="swgrm.Nothing")
    assert done.returncode == 2
    assert "SolidWorks could not be started" in " ".join(done.stderr.split())
