"""The survival table over real COM, on a part of its cases: in process and between processes."""

from __future__ import annotations

import random
import sys
from collections import Counter
from collections.abc import Iterable, Iterator

import pytest
from tests.addin.survival import COMPLETE, GAPS, SENTENCE, Reader, Undisturbed, cases, tried, undisturbed
from tests.contract.transports import MAKERS, InMemory, MockBehaviour

from swgrm.capture import Capture
from swgrm_addin.port import Port
from swgrm_addin.reader import Request, read
from swgrm_addin.sources import Source
from swgrm_mocks.solidworks import Fault

SIZES = {"in process": 60, "another process": 25}  # the number of cases


@pytest.fixture(params=SIZES)
def transport(request: pytest.FixtureRequest) -> Iterator[InMemory]:
    made = MAKERS[request.param]()
    yield made
    made.close()


@pytest.fixture(scope="module")
def base() -> Undisturbed:
    return undisturbed("lead_screw")


def reader_over(transport: InMemory) -> Reader:
    """Reads a capture from a mock with faults, over the transport."""

    def read_with(capture: Capture, faults: Iterable[Fault]) -> tuple[Port, Source]:
        application = transport.application(capture, behaviour=MockBehaviour(faults=tuple(faults)))
        reading = read(application, Request(out_of_process=transport.name == "another process"))
        return application.port, Source("sample", reading.value, findings=reading.findings)

    return read_with


def test_a_member_that_goes_wrong_for_good_costs_only_what_is_named(
    base: Undisturbed, transport: InMemory, capsys: pytest.CaptureFixture[str]
) -> None:
    seed = random.SystemRandom().randrange(10**6)
    chosen = random.Random(seed).sample(list(cases(base)), SIZES[transport.name])  # noqa: S311 - chooses test cases
    outcomes: Counter[str] = Counter()
    wrong = {}
    for case in chosen:
        here, in_memory = tried(base, case, reader=reader_over(transport)), tried(base, case)
        outcomes[here.outcome] += 1
        if here.wrong or (case.way != "wrong type" and here != in_memory):  # COM may convert a value to the right type
            wrong[case] = here, in_memory
    counts = ", ".join(f"{outcomes[kind]} {kind}" for kind in (COMPLETE, GAPS, SENTENCE))
    with capsys.disabled():
        sys.stdout.write(f"\nsurvival, {transport.name}, lead_screw, seed {seed}: {len(chosen)} cases: {counts}\n")
    assert wrong == {}
