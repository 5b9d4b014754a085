"""The job object of Windows, on fakes of its functions: what is asked of the system, and what happens if it refuses."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

from swgrm.processes.limits import JOB_MEMORY, JOB_TIME, KILL_ON_JOB_CLOSE, ChildLimits

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="tests/com uses the real ones")


class WindowsError(Exception):
    """As pywintypes.error."""

    strerror = "Access is denied."


class FakeSystem:
    """Records what is set; `refuses` lets the process be in no job object."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, *, refuses: bool = False) -> None:
        self.set: list[Any] = []
        self.assigned: list[Any] = []
        self.ended: list[Any] = []
        self.refuses = refuses
        limits = {"BasicLimitInformation": {"LimitFlags": 0, "PerJobUserTimeLimit": 0}, "JobMemoryLimit": 0}
        job = SimpleNamespace(
            JobObjectExtendedLimitInformation=9,
            CreateJobObject=lambda *_: "job",
            QueryInformationJobObject=lambda *_: limits,
            SetInformationJobObject=lambda *given: self.set.append(given),
            AssignProcessToJobObject=self.assign,
            TerminateJobObject=lambda *given: self.ended.append(given),
        )
        modules = {
            "pywintypes": SimpleNamespace(error=WindowsError),
            "win32api": SimpleNamespace(OpenProcess=lambda *given: given[-1]),
            "win32con": SimpleNamespace(PROCESS_SET_QUOTA=0x100, PROCESS_TERMINATE=1),
            "win32job": job,
            "win32process": SimpleNamespace(),
        }
        for name, module in modules.items():
            monkeypatch.setitem(sys.modules, name, module)
        monkeypatch.delitem(sys.modules, "swgrm.processes.windows", raising=False)

    def assign(self, *given: Any) -> None:
        if self.refuses:
            raise WindowsError
        self.assigned.append(given)


def started(monkeypatch: pytest.MonkeyPatch) -> Callable[[ChildLimits, int | None], Any]:
    from swgrm.processes.windows import JobObject

    monkeypatch.delitem(sys.modules, "swgrm.processes.windows")
    make: Any = JobObject
    return lambda limits, code: make(SimpleNamespace(pid=7, poll=lambda: code), limits)


def test_a_child_and_its_limits_are_in_the_job_object_which_ends_it(monkeypatch: pytest.MonkeyPatch) -> None:
    system = FakeSystem(monkeypatch)
    job = started(monkeypatch)(ChildLimits(memory=1 << 30, processor_time=2.0), None)
    ((_, kind, limits),) = system.set
    assert (kind, limits["JobMemoryLimit"]) == (9, 1 << 30)
    basic = limits["BasicLimitInformation"]
    assert basic["LimitFlags"] == KILL_ON_JOB_CLOSE | JOB_MEMORY | JOB_TIME
    assert basic["PerJobUserTimeLimit"] == 20_000_000
    assert system.assigned == [("job", 7)]
    job.end()
    assert system.ended == [("job", 1)]


@pytest.mark.parametrize(("code", "has_ended"), [(None, False), (0, True)])
def test_a_child_runs_without_limits_only_if_it_has_none(
    code: int | None, has_ended: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    FakeSystem(monkeypatch, refuses=True)
    start = started(monkeypatch)
    start(ChildLimits(), code)
    if has_ended:
        start(ChildLimits(memory=1), code)
    else:
        with pytest.raises(OSError, match="its limits cannot be set: Access is denied"):
            start(ChildLimits(memory=1), code)
