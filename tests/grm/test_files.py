"""Files are written atomically and read with clear errors."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from swgrm.errors import FileError
from swgrm.files import read_bytes, write_bytes


def test_a_written_file_is_complete_and_leaves_no_temporary_file(tmp_path: Path) -> None:
    path = tmp_path / "new" / "folder" / "a.txt"
    write_bytes(path, b"one")
    write_bytes(path, b"two")
    assert path.read_bytes() == b"two"
    assert list(path.parent.iterdir()) == [path]


@pytest.mark.skipif(os.name == "nt", reason="Windows has no umask")
def test_a_written_file_has_the_permissions_of_the_umask(tmp_path: Path) -> None:
    before = os.umask(0o027)
    try:
        write_bytes(tmp_path / "a", b"")
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "a").stat().st_mode) == 0o640


def test_a_failed_write_keeps_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.txt"
    write_bytes(path, b"old")

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(FileError, match="cannot be written: no space left on device"):
        write_bytes(path, b"new")
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_file_with_the_name_of_a_parent_folder_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"")
    with pytest.raises(FileError, match="cannot be written"):
        write_bytes(tmp_path / "a" / "b", b"x")


def test_a_file_above_the_size_limit_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"12345")
    with pytest.raises(FileError, match="too large: 5 bytes, and the limit is 4 bytes"):
        read_bytes(tmp_path / "a", largest=4)
