"""Export processes are used again after success, and after nothing else."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest
from tests.batches import World, tree
from tests.grm.processes.test_child import has_ended

from swgrm.errors import Cancelled
from swgrm.processes.child import allow_starts, end_all
from swgrm_addin import jobs
from swgrm_addin.batch import export_pool
from swgrm_addin.batch.attempt import attempt
from swgrm_addin.batch.export_pool import ExportPool
from swgrm_addin.batch.records import BatchOptions, ExportSummary, Failure, Task

FORMATS = BatchOptions(formats=("grm",))


@pytest.fixture
def pool(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ExportPool]:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.delenv("LOCALAPPDATA", raising=False)
    pool = ExportPool()
    yield pool
    pool.close()
    assert list((tmp_path / "state" / "swgrm" / "processes").glob("*")) == [], "every process is ended"


def exported(
    pool: ExportPool, source: Path, kind: str = "", options: BatchOptions = FORMATS
) -> ExportSummary | Failure:
    task = Task(source.name, source, source.parent.parent / "out" / source.name, kind, options=options)
    return attempt(task, "", lambda _step, _done: None, pool)


def idle(pool: ExportPool) -> list[int]:
    return [pooled.child.popen.pid for pooled in pool._idle]


def test_a_process_exports_several_documents_with_the_bytes_of_one_each(tmp_path: Path, pool: ExportPool) -> None:
    world = World(tmp_path)
    documents = [world.robot(name) for name in ("one", "two", "three")]
    assert all(isinstance(exported(pool, each), ExportSummary) for each in documents)
    (pooled,) = pool._idle
    assert pooled.documents == 3
    alone, last = tmp_path / "alone", documents[-1]
    command = [sys.executable, "-m", "swgrm_addin", "export", str(last), "-o", str(alone), "--format", "grm"]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    assert tree(alone) == tree(tmp_path / "out" / last.name)


def test_a_process_is_not_used_again_after_a_failure_a_timeout_or_a_crash(tmp_path: Path, pool: ExportPool) -> None:
    world = World(tmp_path)
    good, bad = world.robot("good"), world.robot("bad")
    bad.write_text("{")
    exported(pool, good)
    (first,) = idle(pool)
    failure = exported(pool, bad)
    assert isinstance(failure, Failure)
    assert failure.kind == "FileError"
    assert idle(pool) == []
    assert has_ended(first)

    exported(pool, good)
    (second,) = idle(pool)
    late = exported(pool, good, options=BatchOptions(formats=("grm",), timeout=1e-6))
    assert isinstance(late, Failure)
    assert late.kind == "timeout"
    assert idle(pool) == []
    assert has_ended(second)

    exported(pool, good)
    (third,) = idle(pool)
    psutil.Process(third).kill()  # as the system does when memory is short
    assert has_ended(third)
    assert isinstance(exported(pool, good), ExportSummary), "an idle process that has ended is replaced"
    assert idle(pool) != [third]


def test_a_process_that_ends_without_a_result_is_a_crash_with_its_last_output(
    tmp_path: Path, pool: ExportPool, monkeypatch: pytest.MonkeyPatch
) -> None:
    crashing = "import os, sys; sys.stdin.readline(); print('no memory', file=sys.stderr, flush=True); os._exit(7)"
    replace_program(monkeypatch, crashing)
    failure = exported(pool, World(tmp_path).robot("good"))
    assert isinstance(failure, Failure)
    assert failure.kind == "crash"
    assert "exit code 7" in failure.message
    assert "no memory" in failure.message
    replace_program(monkeypatch, "raise SystemExit(3)")
    failure = exported(pool, tmp_path / "in" / "good.grm.json")  # it ends before it has read its task
    assert isinstance(failure, Failure)
    assert "exit code 3" in failure.message


def test_a_defect_is_a_crash_with_its_sentence(
    tmp_path: Path, pool: ExportPool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only errors of swgrm are failures of the document; others may go away in another process."""
    lines = "{'type': 'error', 'kind': '%s', 'message': 'It is damaged.', 'code': 2}"
    printing = (
        "import json, sys; sys.stdin.readline(); print('no event', flush=True)\nprint(json.dumps({}))\nsys.exit(2)"
    )
    replace_program(monkeypatch, printing.replace("{}", lines % "FileError"))
    failure = exported(pool, World(tmp_path).robot("good"))
    assert isinstance(failure, Failure)
    assert (failure.kind, failure.message) == ("FileError", "It is damaged.")
    replace_program(monkeypatch, printing.replace("{}", lines % "ZeroDivisionError"))
    failure = exported(pool, tmp_path / "in" / "good.grm.json")
    assert isinstance(failure, Failure)
    assert failure.kind == "crash"
    assert "without a result (exit code 2). Last output: It is damaged." in failure.message


def replace_program(monkeypatch: pytest.MonkeyPatch, code: str) -> None:
    """Let the child processes to come run that code."""
    monkeypatch.setattr(jobs, "python_command", lambda *_, **__: [sys.executable, "-c", code])


def test_documents_of_solidworks_have_a_process_of_their_own_and_others_end_it_at_last(
    tmp_path: Path, pool: ExportPool, monkeypatch: pytest.MonkeyPatch
) -> None:
    document = World(tmp_path).robot("one")
    exported(pool, document, "solidworks")
    assert idle(pool) == []
    monkeypatch.setattr(export_pool, "DOCUMENTS", 2)
    exported(pool, document)
    assert len(idle(pool)) == 1
    exported(pool, document)
    assert idle(pool) == []


def test_no_document_starts_after_the_run_was_stopped(tmp_path: Path, pool: ExportPool) -> None:
    document = World(tmp_path).robot("one")
    exported(pool, document)
    (process,) = idle(pool)
    end_all()
    try:
        assert has_ended(process)
        with pytest.raises(Cancelled):
            exported(pool, document)
    finally:
        allow_starts()


BUSY = """
import sys, time
from swgrm.processes.watchdog import JobInput
jobs = JobInput()
job = jobs.next().decode()
if sys.argv[1] == "idle":
    jobs.finish()
print(job, flush=True)
if sys.argv[1] == "busy":
    time.sleep(600)
print(jobs.next(), flush=True)
"""


@pytest.mark.parametrize(("state", "code", "output"), [("busy", 130, b""), ("idle", 0, b"None\n")])
def test_a_process_ends_with_its_input_at_once_even_during_a_document(state: str, code: int, output: bytes) -> None:
    process = subprocess.Popen([sys.executable, "-c", BUSY, state], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(b"a job")
    process.stdin.write(b"\n")
    process.stdin.flush()
    assert process.stdout.readline() == b"a job\n"
    rest, _ = process.communicate(timeout=60)  # closes its input
    assert (process.returncode, rest.replace(b"\r\n", b"\n")) == (code, output)
