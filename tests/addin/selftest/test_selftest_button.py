"""The button Self-test: a question first, one step per tick of the timer, then the judge in a subprocess."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.addin.inside import Bench

from swgrm.solidworks.swconst_calls import swMessageBoxBtn_e, swMessageBoxResult_e
from swgrm_addin.inside import selftest_runner
from swgrm_addin.inside.addin_folders import close_log
from swgrm_addin.selftest import running
from swgrm_addin.selftest.assemblies import ASSEMBLIES
from swgrm_addin.selftest.judge.archive import read_archive
from swgrm_addin.selftest.judge.checks import Verdict
from swgrm_addin.selftest.running import SelfTest
from swgrm_mocks.solidworks import Fault

YES_NO, YES = swMessageBoxBtn_e.swMbYesNo, swMessageBoxResult_e.swMbHitYes
NO = swMessageBoxResult_e.swMbHitNo


@pytest.fixture
def bench(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Bench]:
    """A SolidWorks without documents, in which the self-test builds one hinge."""
    monkeypatch.setattr(running, "ASSEMBLIES", [spec for spec in ASSEMBLIES if spec.id == "A1.hinge"])
    monkeypatch.setattr(selftest_runner, "CALLS", 3)
    bench = Bench(tmp_path, opened=False)
    bench.python = Path(sys.executable)
    bench.session = bench.new_session()
    bench.world.button_answers[YES_NO] = YES
    before = bench.world.state()
    yield bench
    bench.session.disconnect(0)
    close_log()
    assert bench.world.state() == before, "SolidWorks is not as it was"
    assert not list(bench.folders.work.glob("*")), "a folder was left behind"
    assert bench.ui.actions == [], "a timer was left behind"


def finish(bench: Bench) -> None:
    for _ in range(2000):
        if not bench.session.is_busy():
            return
        bench.ui.wait()
    raise AssertionError("the self-test does not end")


def test_it_asks_first(bench: Bench) -> None:
    bench.world.button_answers[YES_NO] = NO
    bench.press("SelfTest")
    assert "Start it now?" in bench.world.messages[0]
    assert not bench.session.is_busy()


def test_it_runs_step_by_step_and_writes_its_file(bench: Bench) -> None:
    bench.session.callbacks()["SelfTest"]()
    assert bench.session.is_busy()
    assert not bench.world.open  # nothing is built inside the press
    assert bench.enabled() == {"Help"}
    bench.press("Help")
    finish(bench)
    (file,) = bench.folders.folder.glob("*.zip")
    assert str(file) in bench.world.messages[-1]
    assert "No convention differs." in bench.world.messages[-1]
    assert bench.ui.opened == [file.parent]
    report = read_archive(file)
    assert report.environment.inside
    contexts = {check.id.split("/")[1] for check in report.checks if check.id.startswith("D1.speed")}
    assert contexts == {"button", "timer"}
    assert len(bench.world.progress.positions) > 10


def test_the_ribbon_is_recorded(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running, "ASSEMBLIES", [])
    bench.session.connect(7, object())
    bench.enabled()
    bench.session.callbacks()["SelfTest"]()
    finish(bench)
    (file,) = bench.folders.folder.glob("*.zip")
    (check,) = [each for each in read_archive(file).checks if each.id == "D2.ribbon/ribbon"]
    assert check.verdict is Verdict.CONFIRMED
    assert all(hypothesis.fits for hypothesis in check.hypotheses)


def test_a_ribbon_that_cannot_be_asked_is_recorded(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running, "ASSEMBLIES", [])
    bench.session.connect(7, object())
    connection = bench.world.connection
    connection.faults = [Fault(1, times=10**6, member="ICommandManager.GetGroupDataFromRegistry")]
    bench.session.callbacks()["SelfTest"]()
    finish(bench)
    connection.faults = []
    (file,) = bench.folders.folder.glob("*.zip")
    (check,) = [each for each in read_archive(file).checks if each.id == "D2.ribbon"]
    assert "0x80004005" in check.seen


@pytest.mark.parametrize("position", [0, 30, 60])
def test_cancel_closes_everything(bench: Bench, position: int) -> None:
    bench.world.progress.cancel_at = position
    bench.session.callbacks()["SelfTest"]()
    finish(bench)
    assert (
        bench.world.messages[-1]
        == "The self-test was cancelled. What it had opened is closed, and nothing was written."
    )
    assert not list(bench.folders.folder.glob("*.zip"))


def test_unloading_the_addin_closes_everything(bench: Bench) -> None:
    bench.session.callbacks()["SelfTest"]()
    for _ in range(5):
        bench.ui.wait()
    assert bench.world.open
    bench.session.selftest.stop()
    assert not bench.world.open


def test_stopping_inside_a_step_ends_the_run_after_it(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    """SolidWorks may handle messages inside a call, such as that it closes, and then unload the add-in."""
    stopped: list[bool] = []

    def stop(self: SelfTest, name: str) -> None:
        bench.session.selftest.stop()
        stopped.append(bench.session.is_busy())
        build(self, name)

    build = SelfTest._build
    monkeypatch.setattr(SelfTest, "_build", stop)
    bench.session.callbacks()["SelfTest"]()
    finish(bench)
    assert stopped == [True]  # one step, which went on to its end
    assert "The self-test was cancelled" in bench.world.messages[-1]
    assert not bench.world.open


def test_unsaved_documents_are_refused(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    document = bench.application.NewDocument(bench.application.GetUserPreferenceStringValue(8), 0, 0.0, 0.0)
    monkeypatch.setattr(type(bench.world.active), "GetSaveFlag", lambda _: True)
    bench.press("SelfTest")
    assert "unsaved changes" in bench.world.messages[-1]
    assert not bench.session.is_busy()
    bench.application.CloseDoc(document.GetTitle())


def test_other_buttons_wait(bench: Bench) -> None:
    bench.session.callbacks()["SelfTest"]()
    bench.press("SelfTest")
    bench.press("Check")
    assert "The self-test is running" in bench.world.messages[-1]
    bench.session.selftest.stop()


def test_a_defect_is_reported_and_nothing_is_left(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_application: object, **_options: bool) -> None:
        raise RuntimeError("a defect")

    monkeypatch.setattr(running, "environment", fail)
    bench.session.callbacks()["SelfTest"]()
    finish(bench)
    assert "a defect" in bench.world.messages[-1]


def test_no_numerical_library_is_loaded_inside_solidworks() -> None:
    """Only building, driving and reading run there; judging runs in the subprocess."""
    code = (
        "import sys, swgrm_addin.inside.selftest_runner as _; "
        "print(sorted({'numpy', 'scipy', 'trimesh', 'swgrm_exporters', 'swgrm_mocks'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
