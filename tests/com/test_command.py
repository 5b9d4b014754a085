"""The command on Windows: an assembly file is captured through whatever SolidWorks is registered."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from swgrm.capture.file import encode
from swgrm_addin.com.registration import registered
from swgrm_mocks.samples import sample
from tests.contract.transports import running

PROGID = "swgrm.CommandTest"


def test_an_assembly_file_is_captured(tmp_path: Path) -> None:
    command = [sys.executable, "-X", "utf8", "-m", "swgrm_addin.com.local_server", PROGID, "mock:gripper"]
    expected, target = sample("gripper"), tmp_path / "gripper.swcap"
    capture = [sys.executable, "-m", "swgrm_addin", "capture", expected.source.path, "-o", str(target)]
    with registered(PROGID, LocalServer32=subprocess.list2cmdline(command)), running(command):
        variables = os.environ | {"SWGRM_SOLIDWORKS": PROGID}
        done = subprocess.run(capture, env=variables, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    assert target.read_bytes() == encode(expected)


def test_without_solidworks_the_command_says_so(tmp_path: Path) -> None:
    capture = [sys.executable, "-m", "swgrm_addin", "capture", "C:\\x.sldasm", "-o", str(tmp_path / "x.swcap")]
    variables = os.environ | {"SWGRM_SOLIDWORKS": "swgrm.Nothing"}
    done = subprocess.run(capture, env=variables, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 2
    assert "SolidWorks could not be started" in " ".join(done.stderr.split())
