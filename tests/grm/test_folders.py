"""Output folders are replaced as a whole, and files of the user are kept."""

from __future__ import annotations

import contextlib
import errno
import itertools
import os
import signal
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from swgrm.errors import FileError
from swgrm.storage.folders import MANIFEST, FilePlacement, placement, safe_name, staged


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
    with pytest.raises(FileError, match="it is a file, not a folder"):
        fill(tmp_path / "out", a="1")


# ---- one rule for the user's files

NAMES = ("a.urdf", "meshes/b.stl", "package.xml", "meshes")
OWN = ("package.xml",)
exports = st.dictionaries(st.sampled_from(NAMES[:3]), st.integers(0, 2), min_size=1)
steps = st.lists(
    st.one_of(
        st.tuples(st.just("export"), exports, st.integers(0, 12)),
        st.tuples(st.just("edit"), st.sampled_from(NAMES), st.integers(0, 3)),
        st.tuples(st.just("delete"), st.sampled_from(NAMES), st.just(0)),
    ),
    max_size=12,
)


class Interrupted(BaseException):
    """Stands for Ctrl-C."""


@contextlib.contextmanager
def interrupted_at(call: int, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Raise at the given renaming of a file (counted from 1), and never at 0."""
    calls = itertools.count(1)

    def counted(rename: Callable[[Path, Path], Path]) -> Callable[[Path, Path], Path]:
        def renamed(path: Path, target: Path) -> Path:
            if next(calls) == call:
                raise Interrupted
            return rename(path, target)

        return renamed

    with monkeypatch.context() as patched:
        for name in ("replace", "rename"):
            patched.setattr(Path, name, counted(getattr(Path, name)))
        with contextlib.suppress(Interrupted):
            yield


def contents(folder: Path) -> dict[str, str]:
    return {name: (folder / name).read_text() for name in names(folder) if not name.startswith(".swgrm-part")}


def export(folder: Path, files: Mapping[str, int]) -> FilePlacement:
    with staged(folder) as stage:
        for name, version in files.items():
            (stage / name).parent.mkdir(exist_ok=True)
            (stage / name).write_text(f"swgrm's {name} {version}")
        return placement(stage, folder, OWN)


@given(steps=steps)
def test_nothing_of_the_user_is_ever_lost(steps: list[tuple[str, Any, int]]) -> None:
    """After any sequence of exports, edits, foreign files, deletions and interrupts."""
    with tempfile.TemporaryDirectory() as temporary, pytest.MonkeyPatch.context() as monkeypatch:
        folder, mine = Path(temporary) / "out", Counter[str]()
        for number, (verb, what, detail) in enumerate(steps):
            if verb == "export":
                with interrupted_at(detail, monkeypatch):
                    placed = export(folder, what)
                    found = contents(folder)
                    for name, version in what.items():
                        assert found[placed.offered.get(name, name)] == f"swgrm's {name} {version}"
                    assert set(placed.offered) <= set(OWN)
                    assert all(found[backup].startswith("mine") for backup in placed.backups.values())
            elif verb == "edit" and not (folder / what).is_dir() and not (folder / what).parent.is_file():
                (folder / what).parent.mkdir(parents=True, exist_ok=True)
                mine -= Counter(contents(folder).get(what, "") for _ in range(1))
                (folder / what).write_text(f"mine {number if detail else 0}")
                mine[(folder / what).read_text()] += 1
            elif verb == "delete" and (folder / what).is_file():
                mine -= Counter([(folder / what).read_text()])
                (folder / what).unlink()
            kept = Counter(text for text in contents(folder).values() if text.startswith("mine"))
            assert kept == +mine, "the user's files are those that the user left there"


def test_folders_that_a_failed_run_made_are_removed(tmp_path: Path) -> None:
    def fail(folder: Path) -> None:
        with staged(folder):
            raise ZeroDivisionError

    for folder in (tmp_path / "new" / "out", tmp_path):
        with pytest.raises(ZeroDivisionError):
            fail(folder)
        assert list(tmp_path.iterdir()) == []


def test_the_files_of_another_owner_are_replaced_only_by_force(tmp_path: Path) -> None:
    def fill_as(owner: str, *, force: bool = False) -> None:
        with staged(tmp_path, owner=owner, force=force) as stage:
            (stage / owner).write_text(owner)

    fill_as("arm")
    fill_as("arm")
    with pytest.raises(FileError, match="the folder contains the export of another robot, `arm`"):
        fill_as("gripper")
    assert names(tmp_path) == {"arm"}
    fill_as("gripper", force=True)
    assert names(tmp_path) == {"gripper"}
    (tmp_path / "gripper").unlink()
    fill_as("arm")  # nothing of the other robot is left
    assert names(tmp_path) == {"arm"}


def test_an_edited_file_is_kept_once_per_edit(tmp_path: Path) -> None:
    for text in ("first", "second"):
        export(tmp_path, {"a.urdf": 1})
        (tmp_path / "a.urdf").write_text(text)
        assert export(tmp_path, {"a.urdf": 1}).backups
        assert export(tmp_path, {"a.urdf": 1}) == FilePlacement({}, {}, frozenset(["a.urdf"]))
    assert contents(tmp_path) == {"a.urdf": "swgrm's a.urdf 1", "a.urdf.bak": "first", "a.urdf.bak1": "second"}


def test_a_file_of_the_users_own_stays_until_it_is_deleted(tmp_path: Path) -> None:
    export(tmp_path, {"package.xml": 1})
    export(tmp_path, {"package.xml": 2})  # not edited: it is replaced
    assert contents(tmp_path) == {"package.xml": "swgrm's package.xml 2"}
    (tmp_path / "package.xml").write_text("mine")
    for version in (2, 3):
        assert export(tmp_path, {"package.xml": version}).offered == {"package.xml": "package.xml.new"}
        assert contents(tmp_path) == {"package.xml": "mine", "package.xml.new": f"swgrm's package.xml {version}"}
    (tmp_path / "package.xml").unlink()
    export(tmp_path, {"package.xml": 3})
    assert contents(tmp_path) == {"package.xml": "swgrm's package.xml 3"}


def test_force_replaces_the_users_files(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("mine")
    with staged(tmp_path, force=True) as stage:
        (stage / "a").write_text("ours")
    assert contents(tmp_path) == {"a": "ours"}


def test_a_killed_run_is_not_mistaken_for_the_user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its files are swgrm's, although it could not write the final manifest."""
    export(tmp_path, {"a.urdf": 0, "meshes/b.stl": 0})
    with interrupted_at(4, monkeypatch):  # the manifest, a.urdf, then in meshes/b.stl
        export(tmp_path, {"a.urdf": 1, "meshes/b.stl": 1})
    assert contents(tmp_path)["a.urdf"] != contents(tmp_path)["meshes/b.stl"]
    assert export(tmp_path, {"meshes/b.stl": 2}).backups == {}
    assert contents(tmp_path) == {"meshes/b.stl": "swgrm's meshes/b.stl 2"}


def test_a_folder_in_the_way_is_an_error_that_names_it(tmp_path: Path) -> None:
    (tmp_path / "a.urdf").mkdir()
    with pytest.raises(FileError, match=r"a\.urdf: it is a folder, and a file of this name is to be written"):
        export(tmp_path, {"a.urdf": 1, "package.xml": 1})
    assert contents(tmp_path) == {}


def test_a_link_that_leads_nowhere_is_named(tmp_path: Path) -> None:
    (tmp_path / "out").symlink_to(tmp_path / "nothing")
    with pytest.raises(FileError, match=r"it is a link to .*nothing, which does not exist"):
        fill(tmp_path / "out", a="1")


@given(st.text())
def test_safe_names_are_valid_on_every_system(name: str) -> None:
    safe = safe_name(name)
    assert safe
    assert Path(safe).name == safe
    assert safe not in (".", "..")
    assert not set(safe) & set('<>:"/\\|?*\x00')
    assert safe.lower().split(".")[0] not in ("con", "nul", "aux", "prn", "com1")


@pytest.mark.parametrize(
    "fail",
    [
        lambda stage: FileError(stage / "a.stl", "it cannot be written: no space left on device"),
        lambda stage: OSError(errno.ENOSPC, "No space left on device", str(stage / "a.stl")),
    ],
)
def test_an_error_names_a_file_by_its_place_in_the_folder(tmp_path: Path, fail: Callable[[Path], Exception]) -> None:
    out = tmp_path / "out"
    with pytest.raises(FileError) as caught, staged(out) as stage:
        raise fail(stage)
    assert str(caught.value) == f"{out / 'a.stl'}: it cannot be written: no space left on device."
    with pytest.raises(FileError, match="elsewhere: it is broken"), staged(out):
        raise FileError("elsewhere", "it is broken")


def test_an_interrupt_before_the_first_file_leaves_nothing(tmp_path: Path) -> None:
    """The interrupt comes after the first call of the system, after the second one, and so on."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        assert next(number for number in itertools.count(1) if not _is_interrupted(number, tmp_path)) > 100
    finally:
        signal.signal(signal.SIGINT, before)


def _is_interrupted(number: int, folder: Path) -> bool:
    """Stage files, with an interrupt after that many calls; False if there are fewer."""
    calls = itertools.count(1)

    def interrupt(_frame: FrameType, event: str, _function: object) -> None:
        if event == "c_return" and next(calls) == number:
            sys.setprofile(None)
            signal.raise_signal(signal.SIGINT)

    is_interrupted = False
    try:
        sys.setprofile(interrupt)
        with staged(folder / "new" / "out"):
            sys.setprofile(None)
    except KeyboardInterrupt:
        is_interrupted = True
    assert not is_interrupted or list(folder.iterdir()) == [], number
    return is_interrupted


def test_a_safe_name_leaves_room_for_an_ending_in_every_script() -> None:
    assert safe_name("\u6a5f" * 100) == "\u6a5f" * 40
    assert safe_name("x" * 300) == "x" * 120
    assert safe_name("x" * 119 + "." + "y" * 9) == "x" * 119
    assert safe_name("con." + "x" * 300) == "_con." + "x" * 116


def test_a_second_export_into_the_same_folder_is_refused_and_harms_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("swgrm.storage.folders.PATIENCE", 0.0)
    with staged(tmp_path) as stage:
        (stage / "a").write_text("1")
        with pytest.raises(FileError, match="another export is writing into this folder"), staged(tmp_path):
            pass
        assert (stage / "a").read_text() == "1"
    assert (tmp_path / "a").read_text() == "1"
    assert sorted(each.name for each in tmp_path.iterdir()) == [MANIFEST, "a"]


def test_an_export_waits_for_another_one_into_the_same_folder(tmp_path: Path) -> None:
    with ThreadPoolExecutor(1) as pool:
        with contextlib.suppress(ZeroDivisionError), staged(tmp_path / "out"):  # it removes the folder that it made
            waiting = pool.submit(fill, tmp_path / "out", b="2")
            time.sleep(0.2)
            raise ZeroDivisionError
        waiting.result()
    assert sorted(each.name for each in (tmp_path / "out").iterdir()) == [MANIFEST, "b"]


def test_a_lock_file_of_a_killed_run_is_in_nobodys_way(tmp_path: Path) -> None:
    (tmp_path / ".swgrm.lock").touch()
    fill(tmp_path, a="1")
    assert sorted(each.name for each in tmp_path.iterdir()) == [MANIFEST, "a"]


def test_an_export_that_waited_for_that_of_another_robot_is_refused(tmp_path: Path) -> None:
    def export(owner: str) -> None:
        with staged(tmp_path, owner=owner) as stage:
            (stage / owner).write_text(owner)

    with ThreadPoolExecutor(1) as pool:
        with staged(tmp_path, owner="arm") as stage:
            waiting = pool.submit(export, "gripper")
            time.sleep(0.2)
            (stage / "arm").write_text("arm")
        with pytest.raises(FileError, match="contains the export of another robot, `arm`"):
            waiting.result()
    assert names(tmp_path) == {"arm"}


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no signals between processes")
def test_an_interrupt_ends_the_wait_for_another_export(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("swgrm.storage.folders.PATIENCE", 60.0)
    timer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    begin = time.monotonic()
    try:
        with staged(tmp_path):
            timer.start()
            with pytest.raises(KeyboardInterrupt), staged(tmp_path):
                pass
    finally:
        signal.signal(signal.SIGINT, before)
    assert time.monotonic() - begin < 30


def test_a_lock_file_that_cannot_be_made_is_named_as_such(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("swgrm.storage.folders.PATIENCE", 0.2)
    (tmp_path / ".swgrm.lock").symlink_to(tmp_path / "nowhere" / "file")
    with pytest.raises(FileError, match="no such file or directory"), staged(tmp_path):
        pass


def test_a_lock_file_of_another_user_is_in_nobodys_way(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    open_file = os.open

    def refused(path: str, flags: int, *more: Any, **named: Any) -> int:
        if Path(path).name == ".swgrm.lock" and flags & os.O_RDWR:
            raise PermissionError(errno.EACCES, "Permission denied", path)
        return open_file(path, flags, *more, **named)

    (tmp_path / ".swgrm.lock").touch()
    with monkeypatch.context() as patched:
        patched.setattr(os, "open", refused)
        fill(tmp_path, a="1")
    assert names(tmp_path) == {"a"}
    monkeypatch.setattr(os, "open", refused)
    with pytest.raises(FileError, match="permission denied"), staged(tmp_path):
        pass


@pytest.mark.parametrize("name", ["com1", "COM¹", "lpt³", "com².stl", "LPT9.txt", "con"])
def test_names_of_devices_are_no_file_names(name: str) -> None:
    assert safe_name(name).partition(".")[0].lower() != name.partition(".")[0].lower()
