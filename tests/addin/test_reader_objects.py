"""One object that SolidWorks disconnects costs what is named, and SolidWorks is as it was before."""

from __future__ import annotations

import random
from functools import cache
from typing import NamedTuple

import pytest
from tests import full
from tests.addin.survival import scene

from swgrm.errors import CallError, LostError, SwgrmError
from swgrm_addin.pipeline import understand
from swgrm_addin.port import Port
from swgrm_addin.reader import read
from swgrm_addin.sources import Source
from swgrm_mocks.samples import sample
from swgrm_mocks.solidworks import Fault, MemoryTransport, MockSolidWorks

SCENES = ("arm", "traps", "file traps")
CASES = 100 if full.IS_FULL else 10  # of each scene
FIRST_CALLS = 12  # while the document is opened and checked
LEAST_ROBOTS = 0.95
DISCONNECTED, NOT_CONNECTED = 0x80010108, 0x800401FD


class Outcome(NamedTuple):
    """What became of a reading: whether there is a robot, and whether SolidWorks is as before."""

    is_robot: bool
    is_restored: bool
    sentence: str = "."


@cache
def calls_of(name: str) -> int:
    """The number of calls of the undisturbed reading of a scene."""
    shown = scene(name)
    world = MockSolidWorks(*shown.captures)
    read(Port(MemoryTransport()).wrap(world.application, "ISldWorks"), shown.request)
    return world.connection.count


def outcome(name: str, number: int) -> Outcome:
    """Read a scene in which the object of a call is disconnected from that call on."""
    shown = scene(name)
    world = MockSolidWorks(*shown.captures)
    world.connection.faults = [Fault(number, "disconnected")]
    before = world.state()
    try:
        reading = read(Port(MemoryTransport()).wrap(world.application, "ISldWorks"), shown.request)
        understand(Source("sample", reading.value, findings=reading.findings))
    except SwgrmError as error:
        return Outcome(False, world.state() == before, str(error))
    return Outcome(True, world.state() == before)


@pytest.mark.parametrize("name", SCENES)
def test_a_disconnected_object_is_a_failed_call(name: str) -> None:
    numbers = random.Random(36).sample(range(FIRST_CALLS + 1, calls_of(name) + 1), CASES)  # noqa: S311 - test cases
    outcomes = {number: outcome(name, number) for number in numbers}
    assert [number for number, result in outcomes.items() if not result.is_restored] == []
    assert sum(result.is_robot for result in outcomes.values()) >= LEAST_ROBOTS * CASES


@pytest.mark.parametrize("name", SCENES)
def test_a_document_that_is_disconnected_at_once_is_one_sentence_or_a_robot(name: str) -> None:
    for number in range(1, FIRST_CALLS + 1):
        result = outcome(name, number)
        assert result.is_restored, number
        assert result.sentence.endswith("."), number
        assert "connection to SolidWorks was lost" not in result.sentence, number


@pytest.mark.parametrize("code", [DISCONNECTED, NOT_CONNECTED])
def test_solidworks_decides_whether_the_connection_is_lost(code: int) -> None:
    world = MockSolidWorks(sample("arm"))
    application = Port(MemoryTransport()).wrap(world.application, "ISldWorks")
    document = application.ActiveDoc
    world.connection.faults = [Fault(1, hresult=code, times=10**9, member="IModelDoc2.GetTitle")]
    with pytest.raises(CallError, match="GetTitle"):
        document.GetTitle()
    world.connection.faults = [Fault(1, hresult=code, times=10**9)]
    with pytest.raises(LostError, match="was lost"):
        document.GetTitle()


def test_what_answers_again_after_a_lost_connection_is_restored() -> None:
    """A connection that is interrupted for some calls ends the reading, but what can be restored is."""
    world = MockSolidWorks(sample("traps"))
    before = world.state()
    interrupted = Fault(calls_of("traps") // 2, hresult=0x800706BA, times=2)  # of the call, and of the question
    world.connection.faults = [interrupted]
    with pytest.raises(LostError):
        read(Port(MemoryTransport()).wrap(world.application, "ISldWorks"))
    assert world.state() == before
