"""Whatever fails, and whenever it is cancelled, the self-test closes its documents and puts preferences back."""

from __future__ import annotations

import random
from contextlib import closing
from pathlib import Path

import msgspec
import pytest
from tests import full
from tests.addin.selftest.mock_runs import World, selftest

from swgrm.errors import Cancelled, SolidWorksError
from swgrm_addin.selftest.assemblies import ASSEMBLIES
from swgrm_addin.selftest.command import run_selftest
from swgrm_addin.selftest.results import RUN, RunRecord
from swgrm_mocks.solidworks import Fault

DEAD = 0x800706BA  # RPC_S_SERVER_UNAVAILABLE
PROBLEMS = ("0x80004005", "no object", "its object was not returned")  # of the call, or of one that needs its result


def step_counts() -> dict[str, int]:
    """How many steps the self-test of each single assembly has, with those of its parts and of the end."""
    world = World()
    return {spec.id: len(selftest(world, Path(), [spec.id]).steps()) for spec in ASSEMBLIES}


def sampled_steps() -> list[tuple[str, int]]:
    """Steps by assembly and number: all at full size, otherwise 20."""
    steps = [(name, number) for name, count in step_counts().items() for number in range(count)]
    return steps if full.IS_FULL else random.Random(7).sample(steps, 20)  # noqa: S311 - a sample of the tests


STEPS = sampled_steps()


def recorded(folder: Path) -> RunRecord:
    return msgspec.json.decode((folder / RUN).read_bytes(), type=RunRecord)


@pytest.mark.parametrize(("assembly", "number"), STEPS)
def test_cancelling_before_a_step_leaves_nothing(assembly: str, number: int, tmp_path: Path) -> None:
    world = World()
    test = selftest(world, tmp_path, [assembly])
    with closing(test.run()) as steps:
        for count, _ in enumerate(steps):
            if count == number:
                break
    assert world.is_as_before()
    assert test.left_behind == ()
    run = recorded(tmp_path)
    assert len(run.steps) == number
    assert run.stopped == "it was cancelled"


@pytest.mark.parametrize(("assembly", "number"), STEPS)
def test_a_step_that_fails_is_a_result_and_leaves_nothing(assembly: str, number: int, tmp_path: Path) -> None:
    """One of the calls of the step fails; the next steps follow, or are skipped if they need it."""
    world = World()
    test = selftest(world, tmp_path, [assembly])
    connection = world.solidworks.connection
    for count, _ in enumerate(test.run()):
        connection.faults = [Fault(connection.count + 1)] if count == number else []
    assert world.is_as_before()
    assert test.left_behind == ()
    run = recorded(tmp_path)
    assert len(run.steps) == step_counts()[assembly]
    assert run.stopped == ""
    outcome = run.steps[number].outcome
    failed = [step for step in run.steps if step.outcome == "failed"]
    assert outcome == "done" or any(text in failed[0].problem for text in PROBLEMS)


def test_a_solidworks_that_dies_ends_the_run_with_what_was_recorded(tmp_path: Path) -> None:
    world = World()
    test = selftest(world, tmp_path, ["A8.inch"])
    connection = world.solidworks.connection
    for count, _ in enumerate(test.run()):
        if count == 4:
            connection.faults = [Fault(connection.count + 1, times=10**6, hresult=DEAD)]
    run = recorded(tmp_path)
    assert "connection to SolidWorks was lost" in run.stopped
    assert [step.outcome for step in run.steps] == ["done"] * 4 + ["failed"]
    assert run.left_behind  # which the report names


def test_what_cannot_be_put_back_is_named(tmp_path: Path) -> None:
    world = World()
    test = selftest(world, tmp_path, ["A1.hinge"])
    connection = world.solidworks.connection
    steps = test.run()
    for count, _ in enumerate(steps):
        if count == 3:
            connection.faults = [Fault(1, times=10**6, member="ISldWorks.CloseDoc")]
    documents = ("plate.SLDPRT", "lever.SLDPRT", "A1_hinge.SLDASM", "D1_speed.SLDASM")
    assert set(test.left_behind) == {f"document {name}" for name in documents}
    assert set(recorded(tmp_path).left_behind) == set(test.left_behind)


def test_it_does_not_start_while_a_document_has_unsaved_changes(tmp_path: Path) -> None:
    world = World()
    template = world.application.GetUserPreferenceStringValue(8)
    document = world.application.NewDocument(template, 0, 0.0, 0.0)
    document.FeatureManager.CreateCoordinateSystemUsingNumericalValues(True, 0.1, 0.0, 0.0, False, 0.0, 0.0, 0.0)
    before = world.solidworks.state()
    assert document.GetSaveFlag()
    with pytest.raises(SolidWorksError, match=r"unsaved changes \(Part1\)"):
        run_selftest(world.application, tmp_path / "x.zip", lambda _what, _done: None)
    assert world.solidworks.state() == before
    assert list(tmp_path.iterdir()) == []


def test_documents_of_the_user_stay_open_and_active(tmp_path: Path) -> None:
    world = World()
    template = world.application.GetUserPreferenceStringValue(8)
    document = world.application.NewDocument(template, 0, 0.0, 0.0)
    document.Extension.SaveAs3(str(tmp_path / "mine.SLDPRT"), 0, 1, None, None, 0, 0)
    before = world.solidworks.state()
    run_selftest(world.application, tmp_path / "x.zip", lambda _what, _done: None, only=["A1.hinge"])
    assert world.solidworks.state() == before


def test_ctrl_c_cancels_between_two_steps(tmp_path: Path) -> None:
    import signal

    world = World()

    def progress(_what: str, done: float) -> None:
        if done > 0.3:
            signal.raise_signal(signal.SIGINT)

    handler = signal.getsignal(signal.SIGINT)
    with pytest.raises(Cancelled, match="nothing was written"):
        run_selftest(world.application, tmp_path / "x.zip", progress, only=["A1.hinge"])
    assert world.is_as_before()
    assert list(tmp_path.iterdir()) == []
    assert signal.getsignal(signal.SIGINT) is handler


def test_cancel_of_the_progress_bar_cancels_the_whole(tmp_path: Path) -> None:
    """The reader shows SolidWorks' progress bar while it reads an assembly."""
    world = World()
    world.solidworks.progress.cancel_at = 0
    with pytest.raises(Cancelled):
        run_selftest(world.application, tmp_path / "x.zip", lambda _what, _done: None, only=["A1.hinge"])
    assert world.is_as_before()
    assert list(tmp_path.iterdir()) == []
