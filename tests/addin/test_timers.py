"""The action of a timer never runs inside itself, although SolidWorks handles messages inside calls."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.addin.inside import Bench, arm

from swgrm.solidworks.swconst_calls import swMessageBoxBtn_e, swMessageBoxResult_e
from swgrm_addin.inside.addin_folders import close_log
from swgrm_addin.inside.orders import OrderQueue
from swgrm_addin.inside.review_process import ReviewProcess
from swgrm_addin.inside.selftest_runner import SelfTestRunner
from swgrm_addin.inside.subprocess_runner import SubprocessRunner
from swgrm_addin.inside.timers import one_at_a_time

STARTS: dict[type[Any], Callable[[Bench], object]] = {
    SubprocessRunner: lambda bench: bench.session.callbacks()["ExportGRM"](),
    ReviewProcess: lambda bench: bench.session.callbacks()["Review"](),
    SelfTestRunner: lambda bench: bench.session.callbacks()["SelfTest"](),
    OrderQueue: lambda bench: bench.session.programs.queue_capture("", str(bench.folders.work / "x.swcap")),
}


@pytest.fixture
def bench(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Bench]:
    made = Bench(tmp_path, arm(tmp_path, monkeypatch))
    made.behave("hung")
    made.world.button_answers[swMessageBoxBtn_e.swMbYesNo] = swMessageBoxResult_e.swMbHitYes
    yield made
    made.session.disconnect(0)
    close_log()


@pytest.mark.parametrize("kind", STARTS)
def test_no_timer_of_the_add_in_runs_inside_itself(
    kind: type[Any], bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    depths: list[int] = []

    def tick(_self: Any) -> None:
        depths.append(len(depths) - ended[0] + 1)
        if len(depths) < 50:  # otherwise it would not end without the flag
            bench.ui.wait()  # as SolidWorks does in UpdateProgress
        ended[0] += 1

    ended = [0]
    monkeypatch.setattr(kind, "tick", tick)
    STARTS[kind](bench)
    for _ in range(3):
        bench.ui.wait()
    assert depths == [1, 1, 1]


def test_an_error_does_not_stop_the_timer() -> None:
    calls: list[int] = []

    def action() -> None:
        calls.append(1)
        raise OSError("it failed")

    tick = one_at_a_time(action)
    for _ in range(2):
        with pytest.raises(OSError, match="it failed"):
            tick()
    assert len(calls) == 2


def test_the_self_test_runs_although_the_progress_bar_handles_messages(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from swgrm_addin.inside import selftest_runner
    from swgrm_addin.selftest import running
    from swgrm_addin.selftest.assemblies import ASSEMBLIES
    from swgrm_mocks.solidworks.application import ProgressBar

    monkeypatch.setattr(running, "ASSEMBLIES", [spec for spec in ASSEMBLIES if spec.id == "A1.hinge"])
    monkeypatch.setattr(selftest_runner, "CALLS", 3)
    bench = Bench(tmp_path, opened=False)
    bench.python = Path(sys.executable)
    bench.session = bench.new_session()
    bench.world.button_answers[swMessageBoxBtn_e.swMbYesNo] = swMessageBoxResult_e.swMbHitYes
    original = ProgressBar.UpdateProgress

    def update(bar: ProgressBar, position: int) -> int:
        for action in list(bench.ui.actions):  # the timers are due
            action()
        return original(bar, position)

    monkeypatch.setattr(ProgressBar, "UpdateProgress", update)
    bench.session.callbacks()["SelfTest"]()
    for _ in range(2000):
        if not bench.session.is_busy():
            break
        bench.ui.wait()
    assert bench.world.open == []
    assert any("The report is in" in message for message in bench.world.messages), bench.world.messages
    bench.session.disconnect(0)
    close_log()
