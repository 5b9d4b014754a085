"""Files are written atomically and read with clear errors."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from swgrm.errors import FileError
from swgrm.storage.files import ChangedMeanwhile, content, read_bytes, update_bytes, write_bytes


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


# ---- files of the user


@pytest.mark.skipif(os.name == "nt", reason="links need rights on Windows")
def test_a_link_stays_a_link_and_its_target_is_written(tmp_path: Path) -> None:
    target, link = tmp_path / "repository" / "arm.grm.yaml", tmp_path / "arm.grm.yaml"
    target.parent.mkdir()
    target.write_bytes(b"old")
    link.symlink_to(target)
    update_bytes(link, b"new", before=b"old")
    assert (link.is_symlink(), target.read_bytes()) == (True, b"new")


@pytest.mark.skipif(os.name == "nt", reason="Windows has other permissions")
@pytest.mark.parametrize("mode", [0o600, 0o640, 0o664])
def test_the_permissions_stay(tmp_path: Path, mode: int) -> None:
    file = tmp_path / "arm.grm.yaml"
    file.write_bytes(b"old")
    file.chmod(mode)
    update_bytes(file, b"new", before=b"old")
    assert (stat.S_IMODE(file.stat().st_mode), file.read_bytes()) == (mode, b"new")


def test_a_read_only_file_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "arm.grm.yaml"
    file.write_bytes(b"old")
    file.chmod(0o444)
    for data in (b"new", None):
        with pytest.raises(FileError, match="it is read-only"):
            update_bytes(file, data, before=b"old")
    assert file.read_bytes() == b"old"


@pytest.mark.parametrize(("before", "now"), [(b"old", b"typed"), (None, b"typed"), (b"old", None)])
@pytest.mark.parametrize("data", [b"new", None])
def test_what_another_program_has_written_stays(
    tmp_path: Path, before: bytes | None, now: bytes | None, data: bytes | None
) -> None:
    file = tmp_path / "arm.grm.yaml"
    if now is not None:
        file.write_bytes(now)
    with pytest.raises(ChangedMeanwhile, match="another program has changed it"):
        update_bytes(file, data, before=before)
    assert content(file) == now
    assert [path.name for path in tmp_path.iterdir()] == ([file.name] if now is not None else [])


@pytest.mark.skipif(os.name == "nt", reason="links need rights on Windows")
def test_an_export_never_writes_through_a_link(tmp_path: Path) -> None:
    private, link = tmp_path / "private", tmp_path / "robot.urdf"
    private.write_bytes(b"mine")
    link.symlink_to(private)
    write_bytes(link, b"<robot/>")
    assert (private.read_bytes(), link.read_bytes()) == (b"mine", b"<robot/>")
