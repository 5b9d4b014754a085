"""The cache keeps what is used and nothing else, and touches no file that is not its own."""

from __future__ import annotations

import os
import time
from pathlib import Path

import msgspec
import pytest

from swgrm.meshes.cache import DAY, UNUSED, Cache, key

OLD, OTHER, NEW = key("old"), key("other"), key("new")


def age(path: Path, seconds: float) -> Path:
    """The file, as if it had been used that long ago."""
    os.utime(path, (time.time() - seconds,) * 2)
    return path


def place(cache: Path, name: str) -> Path:
    return cache / name[:2] / name


def test_a_result_that_was_not_used_for_long_is_removed_when_another_is_made(tmp_path: Path) -> None:
    Cache(tmp_path).put(OLD, b"old")
    Cache(tmp_path).put(OTHER, b"other")
    for name in (OLD, OTHER):
        age(place(tmp_path, name), UNUSED + DAY)
    age(tmp_path / "tidied", 2 * DAY)
    assert Cache(tmp_path).get(OTHER) == b"other", "reading a result is using it"
    Cache(tmp_path).put(NEW, b"new")
    assert [place(tmp_path, name).exists() for name in (OLD, OTHER, NEW)] == [False, True, True]


def test_the_rest_of_a_killed_process_is_removed_and_the_users_files_stay(tmp_path: Path) -> None:
    folder = tmp_path / OLD[:2]
    folder.mkdir()
    files = [folder / f".{OLD[:40]}.abc_123.part", folder / "thesis.tex", folder / ".profile", folder / OLD[:-1]]
    for file in files:
        file.touch()
        age(file, 2 * UNUSED)
    Cache(tmp_path).put(NEW, b"new")
    assert [file.exists() for file in files] == [False, True, True, True]


def test_a_result_that_cannot_be_removed_does_not_keep_the_others(tmp_path: Path) -> None:
    names = [key(str(number)) for number in range(8)]
    for name in names:
        Cache(tmp_path).put(name, b"old")
        age(place(tmp_path, name), 2 * UNUSED)
    stuck = place(tmp_path, names[3])
    stuck.unlink()
    stuck.mkdir()  # as a file that another process has open on Windows
    age(stuck, 2 * UNUSED)
    age(tmp_path / "tidied", 2 * DAY)
    Cache(tmp_path).put(NEW, b"new")
    assert [name for name in names if place(tmp_path, name).exists()] == [names[3]]


def test_it_is_tidied_once_a_day(tmp_path: Path) -> None:
    Cache(tmp_path).put(OLD, b"old")
    age(place(tmp_path, OLD), 2 * UNUSED)
    Cache(tmp_path).put(NEW, b"new")
    assert place(tmp_path, OLD).exists()


def test_a_folder_that_cannot_be_written_is_not_used(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    cache = Cache(tmp_path / "file" / "cache")
    cache.put(NEW, b"new")
    assert (cache.folder, cache.get(NEW)) == (None, None)


# ---- wrong content


class Record(msgspec.Struct):
    """A result."""

    size: int


def test_a_result_under_the_name_of_another_is_a_miss(tmp_path: Path) -> None:
    """As after a restored backup or a merge of two caches."""
    cache = Cache(tmp_path)
    cache.put(OLD, b"old")
    cache.put(OTHER, b"other")
    first, second = place(tmp_path, OLD), place(tmp_path, OTHER)
    (tmp_path / "x").write_bytes(first.read_bytes())
    first.write_bytes(second.read_bytes())
    second.write_bytes((tmp_path / "x").read_bytes())
    assert (cache.get(OLD), cache.get(OTHER)) == (None, None)


@pytest.mark.parametrize("content", [b"", b"\x07", b"not msgpack", msgspec.msgpack.encode({"size": "large"})])
def test_a_result_that_another_build_has_stored_is_made_again(tmp_path: Path, content: bytes) -> None:
    cache = Cache(tmp_path)
    cache.put(OLD, content)
    assert cache.kept(OLD, Record, lambda: Record(3)) == Record(3)
    assert cache.kept(OLD, Record, lambda: Record(4)) == Record(3), "it is stored again"
    assert (cache.hits, cache.misses) == (1, 1)
