from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import msgspec
import psutil
import pytest

from swgrm.errors import Cancelled, FileError
from swgrm.processes.child import Child, allow_starts, end_all
from swgrm.processes.identity import Process, current_process, end, is_alive, process_of
from swgrm.processes.leftovers import ProcessRecord, end_leftovers

SLEEPS = [sys.executable, "-c", "import time; time.sleep(600)"]
WATCHES = "from swgrm.processes.watchdog import end_with_input; end_with_input(); "


@pytest.fixture(autouse=True)
def _own_state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    monkeypatch.delenv("LOCALAPPDATA", raising=False)


def records(tmp_path: Path) -> list[Path]:
    return list((tmp_path / "swgrm" / "processes").glob("*"))


def has_ended(identity: int) -> bool:
    """Whether a process ends within a while."""
    for _ in range(600):
        try:
            process = psutil.Process(identity)
            if process.status() == psutil.STATUS_ZOMBIE and process.num_threads() <= 1:  # all threads have
                return True
        except psutil.NoSuchProcess:
            return True
        time.sleep(0.05)
    return False


def test_a_process_is_identified_by_its_creation_time_too() -> None:
    here = current_process()
    assert is_alive(here)
    assert not is_alive(msgspec.structs.replace(here, created=here.created - 60))
    assert not is_alive(msgspec.structs.replace(here, host="elsewhere"))
    end(msgspec.structs.replace(here, created=here.created - 60))  # another process: this one survives


def test_a_process_is_recorded_while_it_runs_and_ends_with_the_block(tmp_path: Path) -> None:
    with Child(SLEEPS, is_recorded=True) as process:
        assert is_alive(process.process)
        assert len(records(tmp_path)) == 1
        folder = Path(msgspec.json.decode(records(tmp_path)[0].read_bytes(), type=ProcessRecord).folder)
        assert folder.is_dir()
    assert not is_alive(process.process)
    assert not folder.exists()
    assert records(tmp_path) == []


def test_processes_that_it_started_end_with_it() -> None:
    code = (
        "import subprocess, sys; p = subprocess.Popen(sys.argv[1:]); print(p.pid, flush=True); sys.exit(int(input()))"
    )
    with Child([sys.executable, "-c", code, *SLEEPS], is_recorded=True) as process:
        grandchild = int(next(process.lines()))
        process.send(b"3")
        assert has_ended(process.popen.pid)
        assert psutil.pid_exists(grandchild)
    assert has_ended(grandchild)


def test_a_process_that_cannot_be_recorded_does_not_run(tmp_path: Path) -> None:
    (tmp_path / "swgrm").write_bytes(b"a file, not a folder")
    before = set(psutil.Process().children())
    with pytest.raises(FileError, match=r"swgrm: the started process cannot be recorded here: .* Make sure that you"):
        Child(SLEEPS, is_recorded=True)
    assert set(psutil.Process().children()) == before


def test_a_process_is_killed_after_its_time_limit() -> None:
    with Child(SLEEPS, is_recorded=True) as process, process.limited(0.2) as timed_out:
        assert list(process.lines()) == []
    assert timed_out.is_set()


def test_a_process_with_the_watchdog_ends_with_its_killed_parent(tmp_path: Path) -> None:
    child = [sys.executable, "-c", WATCHES + "print('up', flush=True); import time; time.sleep(600)"]
    code = (
        "import sys, time; from swgrm.processes.child import Child\n"
        "s = Child(sys.argv[1:], is_recorded=True)\n"
        "next(s.lines()); print(s.popen.pid, flush=True); time.sleep(600)"
    )
    owner = subprocess.Popen([sys.executable, "-c", code, *child], stdout=subprocess.PIPE)
    assert owner.stdout is not None
    identity = int(owner.stdout.readline())
    owner.kill()
    owner.communicate()
    assert has_ended(identity)
    assert len(records(tmp_path)) == 1
    assert end_leftovers() == []
    assert records(tmp_path) == []


def test_a_leftover_process_of_a_killed_parent_is_ended_later(tmp_path: Path) -> None:
    code = (
        "import sys, time; from swgrm.processes.child import Child\n"
        "s = Child(sys.argv[1:], is_recorded=True); print(s.popen.pid, flush=True); time.sleep(600)"
    )
    owner = subprocess.Popen([sys.executable, "-c", code, *SLEEPS], stdout=subprocess.PIPE)
    assert owner.stdout is not None
    identity = int(owner.stdout.readline())
    assert end_leftovers() == []  # its owner runs
    owner.kill()
    owner.communicate()
    assert psutil.pid_exists(identity)
    assert [record.process.id for record in end_leftovers()] == [identity]
    assert has_ended(identity)
    assert records(tmp_path) == []


def test_records_of_other_processes_are_ignored(tmp_path: Path) -> None:
    folder = tmp_path / "swgrm" / "processes"
    folder.mkdir(parents=True)
    dead = Process(current_process().host, 2**22 + 1, 1.0)
    (folder / "reused.json").write_bytes(
        msgspec.json.encode(
            ProcessRecord(Process(current_process().host, os.getpid(), 1.0), dead, str(tmp_path / "none"))
        )
    )
    (folder / "elsewhere.json").write_bytes(
        msgspec.json.encode(
            ProcessRecord(process_of(os.getpid()), Process("elsewhere", 1, 1.0), str(tmp_path / "none"))
        )
    )
    (folder / "cut.json").write_bytes(b'{"process": {')
    assert end_leftovers() == []
    assert sorted(path.name for path in records(tmp_path)) == ["cut.json", "elsewhere.json"]


def test_no_process_starts_after_end_all() -> None:
    with Child(SLEEPS, is_recorded=True) as process:
        end_all()
        try:
            assert has_ended(process.popen.pid)
            with pytest.raises(Cancelled):
                Child(SLEEPS, is_recorded=True)
        finally:
            allow_starts()
