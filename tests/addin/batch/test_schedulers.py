from __future__ import annotations

from pathlib import Path

import pytest

from swgrm_addin.batch import worker
from swgrm_addin.batch.records import Outcome, Task
from swgrm_addin.batch.schedulers import locally


def test_a_fault_of_our_own_costs_its_document_and_nobody_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tasks = [Task(name, tmp_path / name, tmp_path / "out" / name) for name in "abcd"]
    taken = []

    def work(task: Task, _tell: object) -> Outcome:
        if task.document == "b":
            raise ZeroDivisionError("by zero")
        return Outcome(task.document, "exported")

    monkeypatch.setattr(worker, "run", work)
    outcomes = {it.document: it for it in locally(2, tasks, lambda task, _step, _done: taken.append(task.document))}
    assert {name: it.result for name, it in outcomes.items()} == dict.fromkeys("acd", "exported") | {"b": "failed"}
    assert "ZeroDivisionError: by zero" in outcomes["b"].failures[0].message
    assert taken == list("abcd")
