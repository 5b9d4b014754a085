"""The bench's set-up: its errors where something is missing, and how it installs Windows' Python."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path, PurePosixPath

import pytest
from installer.combench import parts, private_python


@pytest.mark.skipif(sys.platform == "win32", reason="Debian's packages are for Linux")
def test_missing_packages_are_an_error_for_users_who_may_not_install_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    monkeypatch.setattr(shutil, "which", lambda program: program if program == "mvn" else None)
    with pytest.raises(parts.BenchError, match=r"as root: apt-get install .* wine64 gcc-mingw-w64-x86-64$"):
        parts.ensure_debian_packages()


def test_a_python_that_is_not_a_zip_file_is_an_error(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("SWGRM_WINDOWS_PYTHON", str(tmp_path / "python.zip"))
    with pytest.raises(parts.BenchError, match=r"SWGRM_WINDOWS_PYTHON: .*python\.zip is not a zip file"):
        parts.python_archive(tmp_path)


def test_the_requirements_for_windows_are_pinned_and_resolved_for_windows() -> None:
    pins = dict(line.split("==") for line in parts.windows_constraints() if "==" in line)
    names = {line.partition(">")[0].partition("=")[0] for line in parts.windows_requirements(("test",))}
    assert {"pywin32", "comtypes", "colorama", "msgspec", "pytest"} <= names & set(pins)
    assert "pin" not in names


def test_a_folder_of_the_cache_is_made_once_and_completely(tmp_path: Path) -> None:
    made: list[Path] = []

    def make(target: Path) -> None:
        made.append(target)
        target.mkdir()
        if len(made) == 1:
            raise OSError("the power failed")

    with pytest.raises(OSError, match="power"):
        parts.kept(tmp_path, "thing", b"1", make)
    first = parts.kept(tmp_path, "thing", b"1", make)
    assert parts.kept(tmp_path, "thing", b"1", make) == first
    assert parts.kept(tmp_path, "thing", b"2", make) != first
    assert len(made) == 3


@pytest.mark.parametrize(
    ("name", "place"),
    [
        ("root/python.exe", "python.exe"),
        ("root/lib/_ctypes.pyd", "_ctypes.pyd"),
        ("root/DLLs/libffi-8.dll", "libffi-8.dll"),
        ("root/lib/json/decoder.py", "Lib/json/decoder.py"),
        ("root/python313.zip", "python313.zip"),
        ("root/lib/_wmi.pyd", None),
        ("root/lib/idlelib/run.py", None),
        ("root/include/Python.h", None),
        ("elsewhere/readme.txt", None),
    ],
)
def test_all_binaries_are_in_one_folder(name: str, place: str | None) -> None:
    found = private_python.flat_place(PurePosixPath(name), PurePosixPath("root"))
    assert found == (PurePosixPath(place) if place else None)


def test_an_archive_without_python_is_an_error(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "empty.zip", "w") as file:
        file.writestr("readme.txt", "")
    with pytest.raises(parts.BenchError, match=r"holds no python313\.dll"):
        private_python.lay_down_python(tmp_path / "empty.zip", tmp_path / "python")


def test_a_wheel_is_unpacked_where_pip_would(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "x.whl", "w") as file:
        for name in ("x/__init__.py", "x-1.data/platlib/x.pth", "x-1.data/scripts/x.exe"):
            file.writestr(name, "")
    private_python.unpack_wheel(tmp_path / "x.whl", tmp_path / "site")
    found = sorted(path.relative_to(tmp_path / "site").as_posix() for path in (tmp_path / "site").rglob("*.*"))
    assert found == ["x.pth", "x/__init__.py"]


def test_an_unknown_command_shows_the_usage() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "installer.combench", "dance"],
        capture_output=True,
        text=True,
        check=False,
        cwd=parts.REPOSITORY,
    )
    assert done.returncode == 1
    assert "installer.combench prepare" in done.stderr
