from __future__ import annotations

from pathlib import Path

import pytest

from swgrm_addin.batch import worker
from swgrm_addin.batch.records import DocumentResult, Task
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
