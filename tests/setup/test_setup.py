"""The set-up program, from which alone all of it must work: install, use, upgrade, repair, remove."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import time
import winreg
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.com.host import running_host
from tests.com.playing import assert_exported, connected, document, messages, pressed, solidworks, told
from tests.com.prepare import NAME

from swgrm import __version__
from swgrm_addin.inside.identity import CLSID

DIST = Path(__file__).parents[2] / "dist"
USUAL = Path(os.environ["PROGRAMFILES"]) / "swgrm"
ODD = Path("C:\\Prógramme für alle\\swgrm é 1")
# Where one installs or keeps data; a user's own folders may be links to large places.
FOLDERS = [
    *(Path(os.environ[name]) for name in ("PROGRAMFILES", "PROGRAMDATA", "LOCALAPPDATA")),
    Path("C:\\users\\Public"),
    ODD.parent,
]
HIVES = {"HKLM": winreg.HKEY_LOCAL_MACHINE, "HKCU": winreg.HKEY_CURRENT_USER}
IN_USE, FOREIGN = 3, 4
NEXT = "99.0.0"
HEAVY = {"numpy", "scipy", "lxml", "trimesh", "yaml", "swgrm_exporters", "swgrm_mocks"}


def install(folder: Path = USUAL, version: str = __version__) -> int:
    program = DIST / f"swgrm-{version}-setup.exe"
    return run(f'"{program}" /S /D={folder}')  # NSIS wants /D= last and without quotes


def listed_version() -> str:
    """The version in Windows' list of apps."""
    with winreg.OpenKey(HIVES["HKLM"], r"Software\Microsoft\Windows\CurrentVersion\Uninstall\swgrm") as key:
        return str(winreg.QueryValueEx(key, "DisplayVersion")[0])


def uninstall(folder: Path = USUAL) -> None:
    """Run the uninstaller, which goes on in a copy of itself, and wait for its end."""
    assert run(f'"{folder / "uninstall.exe"}" /S') == 0
    for _ in range(600):
        if not folder.exists():
            time.sleep(1)
            return
        time.sleep(0.2)
    raise AssertionError(f"{folder} is still there: {[path.name for path in folder.iterdir()]}")


def run(command: str) -> int:
    return subprocess.run(command, timeout=600, check=False, stdin=subprocess.PIPE).returncode


def doctor(folder: Path = USUAL) -> dict[str, str]:
    """How each link is."""
    command = [str(folder / "python.exe"), "-X", "utf8", "-m", "swgrm_addin", "doctor", "--json"]
    done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", timeout=600, check=False)
    links = json.loads(done.stdout)
    sys.stdout.write(done.stdout)
    return {link["name"]: link["health"] for link in links}


def state() -> dict[str, object]:
    """All files where one installs or keeps data, and the software's part of the registry."""
    files = {
        str(path): path.stat().st_size for folder in FOLDERS for path in folder.rglob("*") if "Temp" not in path.parts
    }
    return files | {f"{name}\\{path}": values for name in HIVES for path, values in keys(name, "Software")}


def keys(hive: str, path: str) -> Iterator[tuple[str, object]]:
    try:
        with winreg.OpenKey(HIVES[hive], path) as key:
            subkeys, count, _ = winreg.QueryInfoKey(key)
            values = [winreg.EnumValue(key, index) for index in range(count)]
            names = [winreg.EnumKey(key, index) for index in range(subkeys)]
    except OSError:  # Windows keeps some keys for itself, and Wine has some that are none
        return
    yield path, values
    for name in names:
        yield from keys(hive, f"{path}\\{name}")


def differences(before: dict[str, object], after: dict[str, object]) -> list[str]:
    return sorted(key for key in before.keys() | after.keys() if before.get(key) != after.get(key))


@pytest.fixture
def installed() -> Iterator[Path]:
    assert install() == 0
    yield USUAL
    if USUAL.exists():
        uninstall()


def test_from_installing_to_removing() -> None:
    """Silent install, doctor, a native host presses Export GRM, uninstall; then all is as before."""
    with solidworks():  # the tests' own server registers the standard interfaces of automation, for good
        pass
    before = state()
    assert install() == 0
    health = doctor()
    assert {name for name, how in health.items() if how == "broken"} == {"SolidWorks"}
    with document() as folder, solidworks(python=str(USUAL / "python.exe")), connected() as host:
        message = pressed(host, "ExportGRM")
        assert "was exported" in message, message
        assert_exported(folder / f"{NAME}_grm")
        libraries = host.modules()
        assert str(USUAL / "python313.dll").lower() in [library.lower() for library in libraries]
        assert not {part.lower() for library in libraries for part in Path(library).parts} & HEAVY
    uninstall()
    assert differences(before, state()) == []


def test_a_child_that_dies_or_does_not_start_costs_the_export_only(installed: Path) -> None:
    with document(), solidworks(), connected() as host:
        log = Path(re.search(r"log: (.*swgrm\.log)", pressed(host, "Help"))[1])  # type: ignore[index]
        before = len(messages(host))
        host.call("callbacks", "ExportGRM")
        child = re.findall(r"process (\d+):", log.read_text("utf-8"))[-1]
        run(f"taskkill /F /PID {child}")
        assert "ended unexpectedly" in told(host, before)
        assert "exit code" in log.read_text("utf-8")
        (installed / "python.exe").rename(installed / "away.exe")
        assert "cannot be started" in pressed(host, "ExportGRM")
        assert "cannot be started" in log.read_text("utf-8")
        (installed / "away.exe").rename(installed / "python.exe")
        assert host.call("callbacks", "CanExportGRM") == "1"


def test_a_new_version_goes_in_place_of_the_old_and_of_a_damaged_one(installed: Path) -> None:
    assert listed_version() == __version__
    (installed / "python313.dll").unlink()
    shutil.rmtree(installed / "Lib" / "site-packages" / "msgspec")
    (installed / "Lib" / "of_an_older_version.py").write_text("")
    (installed / "older.dll").write_text("")
    assert install(version=NEXT) == 0
    assert listed_version() == NEXT
    assert not (installed / "Lib" / "of_an_older_version.py").exists()
    assert not (installed / "older.dll").exists()
    assert {name for name, how in doctor().items() if how == "broken"} == {"SolidWorks"}


def test_while_it_is_loaded_nothing_is_replaced_or_removed(installed: Path) -> None:
    with running_host(900) as host:
        assert host.do("create", CLSID) == "0x00000000"
        before = state()
        assert install() == IN_USE
        run(f'"{installed / "uninstall.exe"}" /S _?={installed}')
        assert differences(before, state()) == []
        assert host.do("release", "addin") == "0x00000000 0"


def test_removing_twice_does_no_harm(installed: Path, tmp_path: Path) -> None:
    again = shutil.copy(installed / "uninstall.exe", tmp_path)
    uninstall()
    before = state()
    assert run(f'"{again}" /S _?={installed}') == 0
    assert differences(before, state()) == []


def test_a_folder_with_spaces_and_letters_beyond_ascii_serves_as_well(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LOCALAPPDATA", "C:\\users\\Jürgen Größe\\AppData\\Local")
    assert install(ODD) == 0
    assert {name for name, how in doctor(ODD).items() if how == "broken"} == {"SolidWorks"}
    with document(), solidworks(), connected() as host:
        assert "Jürgen Größe" in pressed(host, "Help")
    uninstall(ODD)
    shutil.rmtree("C:\\users\\Jürgen Größe")


def test_a_folder_with_other_files_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "mine.dll").write_text("")
    before = state()
    assert install(tmp_path) == FOREIGN
    assert differences(before, state()) == []
    assert (tmp_path / "mine.dll").exists()
