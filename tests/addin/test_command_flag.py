"""CommandInProgress is counted by SolidWorks: after any reading, the count is what it was before."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.addin.selftest.mock_runs import World, selftest

from swgrm.errors import Cancelled, SolidWorksError, SwgrmError
from swgrm_addin.port import Port
from swgrm_addin.reader import Request, read
from swgrm_addin.reader.command_flag import CommandFlag
from swgrm_addin.selftest.assemblies import ASSEMBLIES
from swgrm_mocks.samples import sample
from swgrm_mocks.solidworks import Fault, MemoryTransport, MockSolidWorks
from swgrm_mocks.solidworks.application import SldWorks


def test_the_mock_counts() -> None:
    world = MockSolidWorks()
    application = Port(MemoryTransport()).wrap(world.application, "ISldWorks")
    for value, count in ((True, 1), (True, 2), (False, 1), (False, 0), (False, 0)):
        application.CommandInProgress = value
        assert world.command_in_progress == count
        assert application.CommandInProgress is (count > 0)


@pytest.mark.parametrize("quirks", [(), ("flag-not-read-back",)])
@pytest.mark.parametrize("before", [0, 1, 3], ids=["idle", "left by a killed program", "left three times"])
@pytest.mark.parametrize("ending", ["complete", "an error", "cancelled", "the flag cannot be set"])
def test_readings_do_not_change_the_count(before: int, ending: str, quirks: tuple[str, ...]) -> None:
    world = MockSolidWorks(sample("arm"), quirks=quirks)
    world.command_in_progress = before
    application = Port(MemoryTransport()).wrap(world.application, "ISldWorks")
    if ending == "the flag cannot be set":
        world.connection.faults = [Fault(1, times=10**9, member="ISldWorks.CommandInProgress")]
    errors = {"cancelled": Cancelled("by the test"), "an error": SolidWorksError("by the test")}

    def report(_fraction: float, _what: str) -> None:
        if ending in errors:
            raise errors[ending]

    for _ in range(3):
        if ending in errors:
            with pytest.raises(SwgrmError) as raised:
                read(application, Request(out_of_process=True), report)
            assert getattr(raised.value, "__notes__", []) == []
        else:
            _, findings = read(application, Request(out_of_process=True), report)
            assert [f for f in findings if f.code == "document-changed"] == []
            is_read = not quirks and ending == "complete"
            assert any(f.code == "command-in-progress" for f in findings) == (before > 0 and is_read)
        assert world.command_in_progress == before


def test_a_reading_inside_a_set_flag_leaves_it_set() -> None:
    world = MockSolidWorks(sample("arm"))
    application = Port(MemoryTransport()).wrap(world.application, "ISldWorks")
    flag = CommandFlag(application)
    flag.set()
    flag.set()
    assert world.command_in_progress == 1
    read(application, Request(out_of_process=True))
    assert world.command_in_progress == 1
    with flag.undone():
        assert world.command_in_progress == 0
    assert world.command_in_progress == 1
    flag.undo()
    flag.undo()
    assert world.command_in_progress == 0


def test_a_false_that_fails_is_repeated_and_no_more() -> None:
    world = MockSolidWorks()
    application = Port(MemoryTransport()).wrap(world.application, "ISldWorks")
    flag = CommandFlag(application)
    flag.set()
    world.connection.faults = [Fault(world.connection.count + 1)]
    with pytest.raises(SwgrmError):
        flag.undo()
    assert world.command_in_progress == 1
    flag.undo()
    assert world.command_in_progress == 0


@pytest.mark.parametrize("ignored", [1, 2])
def test_a_false_without_effect_is_repeated_once_or_reported(ignored: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """SolidWorks returns without an error although it did nothing."""
    world = MockSolidWorks(sample("arm"))
    lowered: list[int] = []
    original = SldWorks.put_CommandInProgress

    def put(application: SldWorks, value: bool) -> None:
        if not value:
            lowered.append(application.session.command_in_progress)
        if value or len(lowered) > ignored:
            original(application, value)

    monkeypatch.setattr(SldWorks, "put_CommandInProgress", put)
    application = Port(MemoryTransport()).wrap(world.application, "ISldWorks")
    _, findings = read(application, Request(out_of_process=True))
    changes = [finding.message for finding in findings if finding.code == "document-changed"]
    assert lowered == [1, 1]
    assert world.command_in_progress == ignored - 1
    assert len(changes) == ignored - 1
    assert all("CommandInProgress changed from False to True" in message for message in changes)


def test_a_flag_that_cannot_be_read_back_is_not_lowered_twice() -> None:
    world = MockSolidWorks()
    application = Port(MemoryTransport()).wrap(world.application, "ISldWorks")
    flag = CommandFlag(application)
    flag.set()
    world.command_in_progress += 1  # by another program
    world.connection.faults = [Fault(world.connection.count + 2)]
    flag.undo()
    flag.undo()
    assert world.command_in_progress == 1


def test_the_self_test_never_holds_the_flag_over_a_reading(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    counts: list[int] = []
    original = SldWorks.put_CommandInProgress

    def put(application: SldWorks, value: bool) -> None:
        original(application, value)
        counts.append(application.session.command_in_progress)

    monkeypatch.setattr(SldWorks, "put_CommandInProgress", put)
    world = World()
    test = selftest(world, tmp_path, [ASSEMBLIES[0].id])
    for _ in test.run():
        pass
    assert world.is_as_before()
    assert test.left_behind == ()
    assert len(counts) > 4
    assert set(counts) == {0, 1}


def test_a_flag_that_stays_set_is_left_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    world = World()
    test = selftest(world, tmp_path, [ASSEMBLIES[0].id])
    monkeypatch.setattr(CommandFlag, "undo", lambda _: None)
    for _ in test.run():
        pass
    assert test.left_behind == ("CommandInProgress",)
