"""A child process may use so much memory and time and no more; its parent's folder is not searched for modules."""

from __future__ import annotations

import signal
import sys
from pathlib import Path

import pytest

from swgrm.processes.child import Child, python_command
from swgrm.processes.limits import (
    JOB_MEMORY,
    JOB_TIME,
    KILL_ON_JOB_CLOSE,
    ChildLimits,
    job_object_limits,
    whole_seconds,
)

only_linux = pytest.mark.skipif(sys.platform != "linux", reason="it sets the limits of POSIX systems")
ALLOCATES = """
input()
try:
    data = bytearray(1 << 30)
except MemoryError:
    print("refused", flush=True)
else:
    print(len(data), flush=True)
"""


@only_linux
@pytest.mark.parametrize(("memory", "answer"), [(1 << 29, b"refused\n"), (1 << 32, b"1073741824\n"), (0, None)])
def test_memory_beyond_the_limit_is_refused(memory: int, answer: bytes | None) -> None:
    with Child([sys.executable, "-c", ALLOCATES], limits=ChildLimits(memory=memory)) as child:
        child.send(b"")
        assert next(child.lines()) == answer or answer is None


@only_linux
def test_a_child_that_needs_more_processor_time_is_ended() -> None:
    with Child([sys.executable, "-c", "while True: pass"], limits=ChildLimits(processor_time=0.5)) as child:
        assert list(child.lines()) == []
        assert child.popen.wait(60) in (-signal.SIGXCPU, -signal.SIGKILL)


@only_linux
def test_processes_that_it_starts_have_its_limits() -> None:
    code = "import subprocess, sys; input(); subprocess.run([sys.executable, '-c', sys.argv[1]], input=b'\\n')"
    with Child([sys.executable, "-c", code, ALLOCATES], limits=ChildLimits(memory=1 << 29)) as child:
        child.send(b"")
        assert next(child.lines()) == b"refused\n"


def test_a_job_object_has_the_same_limits_and_always_ends_its_processes() -> None:
    assert job_object_limits(ChildLimits()) == (KILL_ON_JOB_CLOSE, 0, 0)
    assert job_object_limits(ChildLimits(memory=1 << 33)) == (KILL_ON_JOB_CLOSE | JOB_MEMORY, 1 << 33, 0)
    both = job_object_limits(ChildLimits(1 << 20, 1.5))
    assert both == (KILL_ON_JOB_CLOSE | JOB_MEMORY | JOB_TIME, 1 << 20, 15_000_000)
    assert [whole_seconds(seconds) for seconds in (0.0, 0.2, 1.0, 1.1)] == [0, 1, 1, 2]


def test_modules_in_the_current_folder_are_not_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An archive of a robot may contain a `json.py`, and users start programs where the robot is."""
    (tmp_path / "json.py").write_text("print('run', flush=True)")
    (tmp_path / "program_of_a_stranger.py").write_text("print('run', flush=True)")
    monkeypatch.chdir(tmp_path)
    with Child(python_command("json.tool", "--help")) as child:
        assert b"run\n" not in list(child.lines())
    with Child(python_command("program_of_a_stranger")) as child:
        assert list(child.lines()) == []
        assert "No module named" in child.text
    unsafe = [word for word in python_command("program_of_a_stranger") if word != "-P"]
    with Child(unsafe) as child:
        assert list(child.lines()) == [b"run\n"], "without -P it is"


def test_temporary_files_are_removed_with_it() -> None:
    code = "import tempfile; print(tempfile.mkdtemp(), flush=True); input()"
    with Child([sys.executable, "-c", code]) as child:
        folder = Path(next(child.lines()).decode().strip())
        assert folder.is_dir()
    assert not folder.exists()


def test_what_it_prints_as_text_is_kept_after_its_end() -> None:
    code = "import sys; sys.stderr.write('x' * 100_000 + ' the end'); sys.exit(3)"
    with Child([sys.executable, "-c", code]) as child:
        child.popen.wait()
    assert child.text.endswith(" the end")
    assert len(child.text) < 100_000


def test_a_program_that_does_not_exist_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    with pytest.raises(OSError, match="no such program"):
        Child([str(tmp_path / "no such program")])
    assert list(tmp_path.iterdir()) == []
