from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from swgrm.errors import FileError
from swgrm.storage.folders import MANIFEST
from swgrm_addin.batch.discovery import KINDS, find_tasks, result_folders
from swgrm_addin.batch.records import BatchOptions


def touch(folder: Path, *names: str) -> None:
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(b"")


def found(folder: Path, **options: object) -> list[str]:
    return [task.document for task in find_tasks(folder, folder / "out", **options)]  # type: ignore[arg-type]


def test_assemblies_captures_and_mocks_are_found_and_temporary_files_are_not(tmp_path: Path) -> None:
    touch(tmp_path, "b.SLDASM", "a.sldasm", "c.swcap", "d.mock.json")
    touch(tmp_path, "~$b.SLDASM", ".hidden.swcap", "p.SLDPRT", "r.grm.json", "r.urdf", "notes.txt", "b.grm.yaml")
    assert found(tmp_path) == ["a.sldasm", "b.SLDASM", "c.swcap", "d.mock.json"]


def test_a_pattern_finds_every_kind_of_document_and_no_other_file(tmp_path: Path) -> None:
    touch(tmp_path, "arm.SLDASM", "arm.SLDPRT", "~$arm.SLDPRT", "arm.txt", "leg.SLDPRT")
    assert found(tmp_path, pattern="ARM*") == ["arm.SLDASM", "arm.SLDPRT"]
    assert found(tmp_path, pattern="*.sldprt") == ["arm.SLDPRT", "leg.SLDPRT"]


def test_subfolders_are_searched_on_request_except_those_of_exports(tmp_path: Path) -> None:
    touch(tmp_path, "a.swcap", "x/b.swcap", "x/y/c.swcap", f"x/done/{MANIFEST}", "x/done/d.swcap", "out/e.swcap")
    assert found(tmp_path) == ["a.swcap"]
    assert found(tmp_path, recursive=True) == ["a.swcap", "x/b.swcap", "x/y/c.swcap"]
    tasks = find_tasks(tmp_path, tmp_path / "out", recursive=True)
    assert [task.out for task in tasks] == [tmp_path / "out" / name for name in ("a", "x/b", "x/y/c")]


def test_settings_beside_a_document_take_precedence(tmp_path: Path) -> None:
    touch(tmp_path, "a.SLDASM", "a.grm.yaml", "b.swcap", "all.yaml")
    tasks = find_tasks(tmp_path, tmp_path / "out", settings=tmp_path / "all.yaml")
    assert [task.settings for task in tasks] == [tmp_path / "a.grm.yaml", tmp_path / "all.yaml"]


def test_a_name_too_long_for_settings_beside_it_stops_no_other_document(tmp_path: Path) -> None:
    longest = f"{'n' * (255 - len('.swcap'))}.swcap"
    touch(tmp_path, "a.swcap", "all.yaml", longest)
    tasks = find_tasks(tmp_path, tmp_path / "out", settings=tmp_path / "all.yaml")
    assert [(task.document, task.settings) for task in tasks] == [
        ("a.swcap", tmp_path / "all.yaml"),
        (longest, tmp_path / "all.yaml"),
    ]


def test_a_document_that_solidworks_must_open_needs_an_instance(tmp_path: Path) -> None:
    touch(tmp_path, "a.SLDASM", "b.swcap", "c.mock.json")
    assert [task.instance_kind for task in find_tasks(tmp_path, tmp_path / "out")] == ["solidworks", "", "mock"]
    attached = find_tasks(tmp_path, tmp_path / "out", options=BatchOptions(attach=True))
    assert [task.instance_kind for task in attached] == ["attached", "", "mock"]


def test_no_document_is_exported_into_the_path_of_a_report(tmp_path: Path) -> None:
    touch(tmp_path, "batch.swcap", "Batch.HTML.swcap", "batch.journal.mock.json")
    tasks = find_tasks(tmp_path, tmp_path / "out")
    assert [task.out.name for task in tasks] == ["Batch.HTML.swcap", "batch.journal.mock.json", "batch"]


def test_an_empty_folder_is_an_error_with_a_remedy(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="--recursive"):
        find_tasks(tmp_path, tmp_path / "out")
    with pytest.raises(FileError, match="No document matches"):
        find_tasks(tmp_path, tmp_path / "out", pattern="*.x")
    with pytest.raises(FileError, match="does not exist"):
        find_tasks(tmp_path / "none", tmp_path / "out")


stems = st.text("aA.", min_size=1, max_size=3)
endings = st.sampled_from([kind.suffix for kind in KINDS])


@given(st.dictionaries(st.tuples(stems, endings), st.none(), min_size=1, max_size=12))
def test_no_two_documents_share_a_folder(documents: dict[tuple[str, str], None]) -> None:
    by_name = {stem + ending: stem for stem, ending in documents}
    folders = result_folders(by_name)
    assert folders.keys() == by_name.keys()
    assert len(set(folders.values())) == len(folders)
    alike = [
        name
        for name, folder in folders.items()
        if folder.lower() in {other.lower() for key, other in folders.items() if key != name}
    ]
    assert all(folders[name] == name for name in alike), "only files whose own names differ in case alone"


def test_folders_that_cannot_be_read_are_skipped_and_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "shut").mkdir()
    (tmp_path / "arm.swcap").touch()
    opened = os.scandir
    shut = {str(tmp_path / "shut")}

    def scandir(folder: str) -> object:
        if str(folder) in shut:
            raise PermissionError(errno.EACCES, "Permission denied", str(folder))
        return opened(folder)

    monkeypatch.setattr(os, "scandir", scandir)
    skipped: list[tuple[str, str]] = []
    tasks = find_tasks(
        tmp_path, tmp_path / "out", recursive=True, on_skipped=lambda *arguments: skipped.append(arguments)
    )
    assert [task.document for task in tasks] == ["arm.swcap"]
    assert skipped == [(str(tmp_path / "shut"), "Permission denied")]
    shut.add(str(tmp_path))
    with pytest.raises(FileError, match=r"cannot be read \(Permission denied\).*permissions"):
        find_tasks(tmp_path, tmp_path / "out")
