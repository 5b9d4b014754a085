"""Output folders are replaced as a whole, and files of the user are kept."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from swgrm.errors import FileError
from swgrm.folders import MANIFEST, safe_name, staged


def fill(folder: Path, **files: str) -> None:
    with staged(folder) as stage:
        for name, text in files.items():
            path = stage / name.replace("__", "/")
            path.parent.mkdir(exist_ok=True)
            path.write_text(text)


def names(folder: Path) -> set[str]:
    return {p.relative_to(folder).as_posix() for p in folder.rglob("*") if p.is_file()} - {MANIFEST}


def test_a_second_run_replaces_the_first_and_keeps_the_user_s_files(tmp_path: Path) -> None:
    out = tmp_path / "new" / "out"
    fill(out, a="1", meshes__b="1", old__c="1")
    (out / "notes.txt").write_text("mine")
    (out / "meshes" / "mine").write_text("mine")
    fill(out, a="2", meshes__d="2")
    assert names(out) == {"a", "meshes/d", "notes.txt", "meshes/mine"}
    assert (out / "a").read_text() == "2"
    assert not (out / "old").exists()


def test_a_file_that_the_user_changed_is_kept(tmp_path: Path) -> None:
    fill(tmp_path, a="1", b="1")
    (tmp_path / "b").write_text("edited")
    fill(tmp_path, a="2")
    assert names(tmp_path) == {"a", "b"}


def test_an_exception_leaves_the_folder_unchanged(tmp_path: Path) -> None:
    fill(tmp_path, a="1")
    before = {p: p.read_bytes() for p in tmp_path.rglob("*") if p.is_file()}

    def fail() -> None:
        with staged(tmp_path) as stage:
            (stage / "a").write_text("2")
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    assert {p: p.read_bytes() for p in tmp_path.rglob("*") if p.is_file()} == before


def test_files_of_a_killed_run_are_removed(tmp_path: Path) -> None:
    (tmp_path / ".swgrm-part-x").mkdir()
    (tmp_path / ".swgrm-part-x" / "half").write_text("h")
    fill(tmp_path, a="1")
    assert names(tmp_path) == {"a"}


@pytest.mark.parametrize("text", ["", "{", '{"files": {"../outside": "x"}}', "[1]"])
def test_a_damaged_or_hostile_manifest_removes_nothing(tmp_path: Path, text: str) -> None:
    (tmp_path / "outside").write_text("precious")
    out = tmp_path / "out"
    out.mkdir()
    (out / MANIFEST).write_text(text)
    fill(out, a="1")
    assert (tmp_path / "outside").exists()


def test_a_file_with_the_name_of_the_folder_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "out").write_text("")
    with pytest.raises(FileError, match="cannot be written to"):
        fill(tmp_path / "out", a="1")


@given(st.text())
def test_safe_names_are_valid_on_every_system(name: str) -> None:
    safe = safe_name(name)
    assert safe
    assert Path(safe).name == safe
    assert safe not in (".", "..")
    assert not set(safe) & set('<>:"/\\|?*\x00')
    assert safe.lower().split(".")[0] not in ("con", "nul", "aux", "prn", "com1")
