"""The doctor, and what register writes, as far as a machine without Windows can say."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from swgrm_addin.inside.identity import CLASS, CLSID
from swgrm_addin.inside.places import Places, close_log, open_log
from swgrm_addin.inside.ribbon import SIZES
from swgrm_addin.installation import doctor
from swgrm_addin.installation.doctor import Health
from swgrm_addin.installation.keys import OWN, values


def swgrm(*words: str, **variables: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "swgrm_addin", *words]
    return subprocess.run(
        command,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
        env={**os.environ, "NO_COLOR": "1", **variables},
    )


@pytest.mark.skipif(sys.platform == "win32", reason="there the doctor has more to say")
def test_the_doctor_is_useful_without_windows(tmp_path: Path) -> None:
    done = swgrm("doctor", "--json", SWGRM_DATA=str(tmp_path))
    assert done.returncode == 0, done.stderr
    links = {link["name"]: link for link in json.loads(done.stdout)}
    assert {name for name, link in links.items() if link["health"] != "ok"} == {"SolidWorks"}
    assert "mock:arm" in links["SolidWorks"]["remedy"]
    assert not list(tmp_path.iterdir()), "the doctor only looks"
    assert "ok      child process: swgrm" in swgrm("doctor", SWGRM_DATA=str(tmp_path)).stdout


@pytest.mark.skipif(sys.platform == "win32", reason="there it can")
@pytest.mark.parametrize("verb", ["register", "unregister"])
def test_registering_needs_windows_and_says_so(verb: str) -> None:
    done = swgrm(verb)
    assert done.returncode == 2
    assert "needs Windows" in done.stderr


def test_the_doctor_names_the_last_error_and_what_cannot_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SWGRM_DATA", str(tmp_path / "data"))
    logger = open_log(Places(tmp_path / "data"))
    logger.error("the first")
    logger.error("the last\nwith more lines")
    logger.info("no error")
    close_log()
    found = {link.name: link for link in doctor.examine()}
    assert found["last error"].seen == "the last"


def test_a_link_that_cannot_be_examined_is_broken_and_has_a_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail() -> Path:
        raise OSError("no Python here")

    monkeypatch.setattr(doctor, "private_python", fail)
    broken = [link for link in doctor.examine() if link.health is Health.BROKEN]
    assert {link.name for link in broken} == {"swgrm", "child"}
    assert all("no Python here" in link.seen and link.remedy for link in broken)


def test_a_missing_library_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "LIBRARIES", ("numpy", "no-such-library"))
    (link,) = (link for link in doctor.examine() if link.name == "libraries")
    assert link.health is Health.BROKEN
    assert "no-such-library" in link.seen


def test_the_table_says_all_that_com_and_solidworks_ask_for() -> None:
    table = {(value.hive, value.key, value.name): value.data for value in values("C:\\p\\_ctypes.pyd", "C:\\i")}
    server = rf"Software\Classes\CLSID\{CLSID}\InprocServer32"
    assert table["HKLM", server, ""] == "C:\\p\\_ctypes.pyd"
    assert table["HKLM", server, "ThreadingModel"] == "Apartment"
    assert table["HKLM", server, "PythonClass"] == CLASS
    addin = rf"Software\SolidWorks\AddIns\{CLSID}"
    assert table["HKLM", addin, ""] == 1
    assert {name for _, key, name in table if key == addin} >= {"Title", "Description", "Icon Path"}
    assert [table["HKLM", addin, f"Icon Path {size}"] for size in SIZES] == [rf"C:\i\swgrm{size}.png" for size in SIZES]
    assert all(any(key.startswith(own) and hive == place for place, own in OWN) for hive, key, _ in table)
