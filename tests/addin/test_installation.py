"""`swgrm doctor` and the table of registry values, as far as they can be tested without Windows."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from swgrm_addin.inside import addin_folders, messages
from swgrm_addin.inside.addin_folders import AddinFolders, close_log, open_log
from swgrm_addin.inside.identity import CLASS, CLSID
from swgrm_addin.inside.ribbon import SIZES
from swgrm_addin.installation import doctor
from swgrm_addin.installation.doctor import CheckStatus
from swgrm_addin.installation.keys import OWN, values


def swgrm(*arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "swgrm_addin", *arguments]
    return subprocess.run(
        command,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
        env={**os.environ, "NO_COLOR": "1", **variables},
    )


@pytest.mark.skipif(sys.platform == "win32", reason="the doctor checks more there")
def test_the_doctor_works_without_windows(tmp_path: Path) -> None:
    done = swgrm("doctor", "--json", SWGRM_DATA=str(tmp_path))
    assert done.returncode == 0, done.stderr
    results = {result["name"]: result for result in json.loads(done.stdout)}
    assert {name for name, result in results.items() if result["status"] != "ok"} == {"SolidWorks"}
    assert "mock:arm" in results["SolidWorks"]["remedy"]
    assert not list(tmp_path.iterdir()), "the doctor writes nothing"
    assert "ok      subprocess: swgrm" in swgrm("doctor", SWGRM_DATA=str(tmp_path)).stdout


@pytest.mark.skipif(sys.platform == "win32", reason="there it can")
@pytest.mark.parametrize("verb", ["register", "unregister"])
def test_registering_without_windows_is_an_error(verb: str) -> None:
    done = swgrm(verb)
    assert done.returncode == 2
    assert "needs Windows" in done.stderr


def test_the_doctor_shows_the_last_error_of_the_log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SWGRM_DATA", str(tmp_path / "data"))
    logger = open_log(AddinFolders(tmp_path / "data"))
    logger.error("the first")
    logger.error("the last\nwith more lines")
    logger.info("no error")
    close_log()
    found = {result.name: result for result in doctor.examine()}
    assert found["last error"].detail == "the last"


def test_a_check_that_fails_itself_is_broken_and_has_a_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail() -> Path:
        raise OSError("no Python here")

    monkeypatch.setattr(doctor, "private_python", fail)
    broken = [result for result in doctor.examine() if result.status is CheckStatus.BROKEN]
    assert {result.name for result in broken} == {"swgrm", "subprocess"}
    assert all("no Python here" in result.detail and result.remedy for result in broken)


def test_a_missing_library_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "LIBRARIES", ("numpy", "no-such-library"))
    (result,) = (result for result in doctor.examine() if result.name == "libraries")
    assert result.status is CheckStatus.BROKEN
    assert "no-such-library" in result.detail


def test_the_table_contains_all_that_com_and_solidworks_need() -> None:
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


def test_messages_name_the_command_by_its_path_where_the_set_up_program_installed_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folders = AddinFolders(tmp_path / "data")
    folders.folder.mkdir()
    folders.failed.touch()
    monkeypatch.setattr(addin_folders, "python_folder", lambda: tmp_path)
    assert f'run: swgrm report "{folders.failed}"' in messages.subprocess_failed("Exporting arm", 1, "", folders)
    command = tmp_path / "swgrm.cmd"
    command.touch()
    assert f'run: "{command}" report "{folders.failed}"' in messages.subprocess_failed("Exporting arm", 1, "", folders)
