"""Programs start each other in one way, and send each other jobs, not command lines."""

from __future__ import annotations

from tests.bench.processes import places


def test_one_class_starts_child_processes_one_job_object_ends_them_and_no_option_is_hidden() -> None:
    found = {noun: [place.partition(":")[0] for place in where] for noun, where in places().items()}
    assert found == {
        "process classes": ["swgrm/processes/child.py"],
        "job objects": ["swgrm/processes/windows.py"],
        "hidden options": [],
    }
