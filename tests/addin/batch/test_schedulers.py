from __future__ import annotations

import sys
import time
from pathlib import Path

import pytest

from swgrm.processes.child import Child
from swgrm_addin.batch import worker
from swgrm_addin.batch.attempt import OnStep
from swgrm_addin.batch.records import DocumentResult, Failure, Task
from swgrm_addin.batch.schedulers import run_locally


def test_an_error_in_a_worker_fails_only_its_document(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tasks = [Task(name, tmp_path / name, tmp_path / "out" / name) for name in "abcd"]
    started = []

    def work(task: Task, _on_step: object) -> DocumentResult:
        if task.document == "b":
            raise ZeroDivisionError("by zero")
        return DocumentResult(task.document, "exported")

    monkeypatch.setattr(worker, "run", work)
    results = {
        it.document: it for it in run_locally(2, tasks, lambda task, _step, _done: started.append(task.document))
    }
    assert {name: it.status for name, it in results.items()} == dict.fromkeys("acd", "exported") | {"b": "failed"}
    assert "ZeroDivisionError: by zero" in results["b"].failures[0].message
    assert started == list("abcd")


def test_a_document_that_begins_while_the_run_is_stopped_is_stopped_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    tasks = [Task(name, tmp_path / name, tmp_path / "out" / name) for name in "ab"]
    run, codes = worker.run, []

    def late(task: Task, on_step: OnStep) -> DocumentResult:
        time.sleep(0.3)
        return run(task, on_step)

    def attempt(_task: Task, _on_step: object) -> Failure:
        with Child([sys.executable, "-c", "import time; time.sleep(20)"], is_recorded=True) as process:
            codes.append(process.popen.wait())
        return Failure("", "")

    def on_step(task: Task, _step: str, _done: float) -> None:
        if task.document == "b":
            raise KeyboardInterrupt

    monkeypatch.setattr(worker, "run", late)
    monkeypatch.setattr(worker, "_attempt", attempt)
    with pytest.raises(KeyboardInterrupt):
        next(run_locally(2, tasks, on_step))
    assert len(codes) == 1
    assert codes != [0], "it ran to its end"
