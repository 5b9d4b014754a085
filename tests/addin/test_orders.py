"""Orders of other programs: taken at once, run by the timer, one after the other, and never inside a call."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from tests.addin.inside import Bench, arm

from swgrm.capture import load
from swgrm.findings import Finding, Severity
from swgrm_addin.inside import orders, working_capture
from swgrm_addin.inside.addin_folders import close_log
from swgrm_addin.inside.orders import OrderState
from swgrm_addin.reader import read
from swgrm_mocks.solidworks.application import ProgressBar

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the subprocesses are scripts of a POSIX system")


class OrderBench(Bench):
    """A session that takes orders."""

    def state(self, ticket: str) -> OrderState:
        return msgspec.json.decode(self.session.programs.state(ticket), type=OrderState)

    def states(self, *tickets: str) -> list[str]:
        return [self.state(ticket).state for ticket in tickets]

    def ended(self, ticket: str) -> OrderState:
        """The state of an order at its end."""
        for _ in range(3000):
            if self.state(ticket).state in orders.ENDED:
                return self.state(ticket)
            self.ui.wait()
        raise AssertionError(self.session.programs.state(ticket))


@pytest.fixture
def bench(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[OrderBench]:
    bench = OrderBench(tmp_path, arm(tmp_path, monkeypatch))
    bench.behave("good")
    before = bench.world.state()
    yield bench
    bench.session.programs.orders.close()
    bench.session.runner.stop()
    close_log()
    assert bench.world.state() == before, "SolidWorks is not as it was"
    assert bench.ui.actions == [], "a timer was left running"
    assert bench.children() == [], "a child process was left behind"


def test_a_capture_is_ordered_at_once_and_read_by_the_timer(bench: OrderBench, tmp_path: Path) -> None:
    file = tmp_path / "ordered.swcap"
    calls = bench.world.connection.count
    ticket = bench.session.programs.queue_capture("", str(file))
    assert bench.state(ticket) == OrderState(ticket, "queued", "capture")
    assert bench.world.connection.count == calls, "an order makes no calls to SolidWorks"
    state = bench.ended(ticket)
    assert (state.state, state.files, state.findings) == ("done", (str(file),), ())
    assert load(file).source.path == f"{tmp_path}/arm.SLDASM"
    bench.ui.wait()
    assert bench.ui.actions == [], "the timer runs only while there are orders"
    assert bench.world.messages == []


def test_an_export_reports_its_progress_and_its_result(bench: OrderBench, tmp_path: Path) -> None:
    folder = str(tmp_path / "out")
    ticket = bench.session.programs.queue_export("", folder, "")
    bench.ui.wait()
    assert bench.states(ticket) == ["running"]
    state = bench.ended(ticket)
    assert state.state == "done"
    assert "arm was exported" in state.summary
    assert state.files == ("x/arm.grm.json", "x/arm.urdf")
    assert [Finding.from_plain(finding).severity for finding in state.findings] == [Severity.WARNING]
    assert (state.waited > 0, state.took > 0) == (True, True)
    assert bench.world.messages == []
    assert bench.folders.read_history().last == folder


def test_the_progress_is_that_of_the_reading_and_then_of_the_subprocess(
    bench: OrderBench, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[OrderState] = []
    original = ProgressBar.UpdateProgress
    ticket = bench.session.programs.queue_export("", "")

    def update(bar: ProgressBar, position: int) -> int:
        seen.append(msgspec.json.decode(bench.session.programs.state(ticket), type=OrderState))
        return original(bar, position)

    monkeypatch.setattr(ProgressBar, "UpdateProgress", update)
    bench.behave("hung")
    while bench.state(ticket).step != "meshes":
        bench.ui.wait()
    assert bench.state(ticket).progress == 0.25
    assert {state.state for state in seen} == {"running"}
    assert any(state.step.startswith("component") or state.step for state in seen)
    bench.session.programs.cancel(ticket)
    assert bench.states(ticket) == ["cancelled"]


def test_orders_run_one_after_the_other_and_after_the_command_of_a_button(bench: OrderBench, tmp_path: Path) -> None:
    bench.behave("hung")
    bench.session.callbacks()["ExportGRM"]()
    tickets = [bench.session.programs.queue_capture("", str(tmp_path / f"{n}.swcap")) for n in range(3)]
    for _ in range(5):
        bench.ui.wait()
    assert bench.states(*tickets) == ["queued"] * 3
    assert [bench.state(ticket).ahead for ticket in tickets] == [0, 1, 2]
    bench.session.runner.stop()
    bench.ui.wait()
    assert bench.states(*tickets) == ["done", "queued", "queued"]
    bench.ended(tickets[-1])
    assert bench.states(*tickets) == ["done"] * 3
    assert len(list(tmp_path.glob("?.swcap"))) == 3


def test_an_order_waits_while_a_document_is_read(
    bench: OrderBench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """SolidWorks handles timers while a document is read, when the progress bar is updated."""
    ticket = bench.session.programs.queue_capture("", str(tmp_path / "ordered.swcap"))
    original = ProgressBar.UpdateProgress
    states: list[str] = []

    def update(bar: ProgressBar, position: int) -> int:
        bench.ui.wait()
        states.extend(bench.states(ticket))
        return original(bar, position)

    with monkeypatch.context() as patched:
        patched.setattr(ProgressBar, "UpdateProgress", update)
        bench.session.programs.capture("", str(tmp_path / "at once.swcap"))
    assert set(states) == {"queued"}
    assert bench.ended(ticket).state == "done"


@pytest.mark.parametrize(
    ("document", "file", "sentence"),
    [("none.SLDASM", "x.swcap", "does not exist"), ("", "python/x.swcap", "x.swcap"), ("x.step", "x", "neither")],
)
def test_an_order_that_fails_has_a_sentence(
    bench: OrderBench, tmp_path: Path, document: str, file: str, sentence: str
) -> None:
    state = bench.ended(
        bench.session.programs.queue_capture(document and str(tmp_path / document), str(tmp_path / file))
    )
    assert state.state == "failed"
    assert sentence in state.message
    assert state.message.endswith(".")
    assert bench.ended(bench.session.programs.queue_capture("", str(tmp_path / "next.swcap"))).state == "done"


def test_an_export_that_fails_has_a_sentence(bench: OrderBench) -> None:
    bench.behave("sentence")
    state = bench.ended(bench.session.programs.queue_export("", ""))
    assert (state.state, "it is damaged. Make it again." in state.message) == ("failed", True)
    assert bench.world.messages == []


def test_an_unexpected_error_is_logged_and_the_next_order_runs(
    bench: OrderBench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("a bug")

    with monkeypatch.context() as patched:
        patched.setattr(working_capture, "read", fail)
        state = bench.ended(bench.session.programs.queue_capture("", str(tmp_path / "x.swcap")))
    assert state.state == "failed"
    assert "RuntimeError: a bug" in state.message
    assert "Traceback" in bench.log()
    assert bench.ended(bench.session.programs.queue_capture("", str(tmp_path / "x.swcap"))).state == "done"


def test_findings_of_the_reading_are_in_the_state(
    bench: OrderBench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = tuple(Finding(severity, "code", "wö", "A sentence.") for severity in Severity)
    monkeypatch.setattr(working_capture, "read", lambda *given: read(*given)._replace(findings=found))
    state = bench.ended(bench.session.programs.queue_capture("", str(tmp_path / "x.swcap")))
    assert tuple(map(Finding.from_plain, state.findings)) == found


def test_an_order_is_cancelled_in_the_queue_while_reading_and_while_exporting(
    bench: OrderBench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = (bench.session.programs.queue_capture("", str(tmp_path / f"{n}.swcap")) for n in range(2))
    assert '"cancelled"' in bench.session.programs.cancel(second)
    original = ProgressBar.UpdateProgress

    def update(bar: ProgressBar, position: int) -> int:
        bench.session.programs.cancel(first)
        return original(bar, position)

    with monkeypatch.context() as patched:
        patched.setattr(ProgressBar, "UpdateProgress", update)
        assert bench.ended(first).state == "cancelled"
    bench.behave("hung")
    third = bench.session.programs.queue_export("", "")
    while not bench.children():
        bench.ui.wait()
    bench.session.programs.cancel(third)
    assert bench.states(first, second, third) == ["cancelled"] * 3
    assert all("cancelled" in bench.state(ticket).message for ticket in (first, second, third))
    assert list(tmp_path.glob("?.swcap")) == []
    bench.behave("good")
    assert bench.ended(bench.session.programs.queue_export("", "")).state == "done"
    bench.session.programs.cancel(third)
    assert bench.states(third) == ["cancelled"]


def test_the_users_cancel_cancels_the_order(bench: OrderBench) -> None:
    bench.behave("hung")
    ticket = bench.session.programs.queue_export("", "")
    bench.ui.wait()
    bench.world.progress.cancel_at = 20
    assert bench.ended(ticket).state == "cancelled"
    bench.world.progress.cancel_at = None


def test_a_ticket_of_another_session_is_unknown(bench: OrderBench, tmp_path: Path) -> None:
    ticket = bench.session.programs.queue_capture("", str(tmp_path / "x.swcap"))
    bench.session.programs.orders.close()
    assert bench.state(ticket).state == "cancelled"
    assert "unloaded" in bench.state(ticket).message
    bench.session = bench.new_session()
    state = bench.state(ticket)
    assert (state.state, ticket in state.message) == ("unknown", True)
    assert bench.session.programs.cancel(ticket) == bench.session.programs.state(ticket)
    assert bench.session.programs.queue_capture("", str(tmp_path / "x.swcap")) != ticket


def test_disconnecting_cancels_the_orders(bench: OrderBench) -> None:
    bench.behave("hung")
    bench.session.connect(7, object())
    tickets = [bench.session.programs.queue_export("", "") for _ in range(2)]
    bench.ui.wait()
    bench.session.disconnect(7)
    assert bench.states(*tickets) == ["cancelled"] * 2
    assert bench.children() == []


def test_only_the_last_finished_orders_are_kept(
    bench: OrderBench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(orders, "KEPT", 3)
    tickets = [bench.session.programs.queue_capture("", str(tmp_path / "x.swcap")) for _ in range(6)]
    bench.ended(tickets[-1])
    bench.ended(bench.session.programs.queue_capture("", str(tmp_path / "x.swcap")))
    assert bench.states(*tickets) == ["unknown"] * 3 + ["done"] * 3
