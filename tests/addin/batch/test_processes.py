from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import msgspec
import psutil
import pytest

from swgrm.errors import Cancelled
from swgrm_addin.batch.processes import (
    Note,
    Process,
    Started,
    end,
    end_leftovers,
    end_started,
    is_alive,
    let_start,
    ourselves,
    process_of,
)

SLEEPS = [sys.executable, "-c", "import time; time.sleep(600)"]
WATCHES = "from swgrm_addin.tether import end_with_input; end_with_input(); "


@pytest.fixture(autouse=True)
def _own_state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    monkeypatch.delenv("LOCALAPPDATA", raising=False)


def notes(tmp_path: Path) -> list[Path]:
    return list((tmp_path / "swgrm" / "processes").glob("*"))


def gone(identity: int) -> bool:
    """Whether a process ends within a while."""
    for _ in range(600):
        if not psutil.pid_exists(identity) or psutil.Process(identity).status() == psutil.STATUS_ZOMBIE:
            return True
        time.sleep(0.05)
    return False


def test_a_process_is_known_by_its_creation_time_too() -> None:
    here = ourselves()
    assert is_alive(here)
    assert not is_alive(msgspec.structs.replace(here, created=here.created - 60))
    assert not is_alive(msgspec.structs.replace(here, host="elsewhere"))
    end(msgspec.structs.replace(here, created=here.created - 60))  # somebody else: we live


def test_it_is_noted_while_it_runs_and_ends_with_the_block(tmp_path: Path) -> None:
    with Started(SLEEPS, answers=1) as started:
        assert is_alive(started.process)
        assert len(notes(tmp_path)) == 1
        folder = Path(msgspec.json.decode(notes(tmp_path)[0].read_bytes(), type=Note).folder)
        assert folder.is_dir()
    assert not is_alive(started.process)
    assert not folder.exists()
    assert notes(tmp_path) == []


def test_what_it_started_ends_with_it() -> None:
    code = (
        "import subprocess, sys; p = subprocess.Popen(sys.argv[1:]); print(p.pid, flush=True); sys.exit(int(input()))"
    )
    with Started([sys.executable, "-c", code, *SLEEPS], answers=1) as started:
        grandchild = int(started.answers.readline())
        assert started.popen.stdin is not None
        started.popen.stdin.write(b"3\n")
        started.popen.stdin.flush()
        assert gone(started.popen.pid)
        assert psutil.pid_exists(grandchild)
    assert gone(grandchild)


def test_what_cannot_be_noted_does_not_run(tmp_path: Path) -> None:
    (tmp_path / "swgrm").write_bytes(b"a file stands here")
    before = set(psutil.Process().children())
    with pytest.raises(OSError, match="swgrm"):
        Started(SLEEPS, answers=1)
    assert set(psutil.Process().children()) == before


def test_it_is_killed_when_it_is_late() -> None:
    with Started(SLEEPS, answers=1) as started, started.limited(0.2) as late:
        assert started.answers.read() == b""
    assert late.is_set()


def test_a_killed_owner_takes_it_along(tmp_path: Path) -> None:
    child = [sys.executable, "-c", WATCHES + "print('up', flush=True); import time; time.sleep(600)"]
    code = (
        "import sys, time; from swgrm_addin.batch.processes import Started\n"
        "s = Started(sys.argv[1:], answers=1); s.answers.readline(); print(s.popen.pid, flush=True); time.sleep(600)"
    )
    owner = subprocess.Popen([sys.executable, "-c", code, *child], stdout=subprocess.PIPE)
    assert owner.stdout is not None
    identity = int(owner.stdout.readline())
    owner.kill()
    owner.communicate()
    assert gone(identity)
    assert len(notes(tmp_path)) == 1
    assert end_leftovers() == []
    assert notes(tmp_path) == []


def test_what_a_killed_owner_could_not_take_along_is_ended_later(tmp_path: Path) -> None:
    code = (
        "import sys, time; from swgrm_addin.batch.processes import Started\n"
        "s = Started(sys.argv[1:], answers=1); print(s.popen.pid, flush=True); time.sleep(600)"
    )
    owner = subprocess.Popen([sys.executable, "-c", code, *SLEEPS], stdout=subprocess.PIPE)
    assert owner.stdout is not None
    identity = int(owner.stdout.readline())
    assert end_leftovers() == []  # its owner lives
    owner.kill()
    owner.communicate()
    assert psutil.pid_exists(identity)
    assert [note.process.id for note in end_leftovers()] == [identity]
    assert gone(identity)
    assert notes(tmp_path) == []


def test_notes_that_name_others_harm_nobody(tmp_path: Path) -> None:
    folder = tmp_path / "swgrm" / "processes"
    folder.mkdir(parents=True)
    dead = Process(ourselves().host, 2**22 + 1, 1.0)
    (folder / "reused.json").write_bytes(
        msgspec.json.encode(Note(Process(ourselves().host, os.getpid(), 1.0), dead, str(tmp_path / "none")))
    )
    (folder / "elsewhere.json").write_bytes(
        msgspec.json.encode(Note(process_of(os.getpid()), Process("elsewhere", 1, 1.0), str(tmp_path / "none")))
    )
    (folder / "cut.json").write_bytes(b'{"process": {')
    assert end_leftovers() == []
    assert sorted(path.name for path in notes(tmp_path)) == ["cut.json", "elsewhere.json"]


def test_nothing_starts_after_the_end() -> None:
    with Started(SLEEPS, answers=1) as started:
        end_started()
        try:
            assert gone(started.popen.pid)
            with pytest.raises(Cancelled):
                Started(SLEEPS, answers=1)
        finally:
            let_start()
