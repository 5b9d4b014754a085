"""Reading through each transport returns the capture of the mock, and the same file byte for byte."""

from __future__ import annotations

import msgspec
import pytest
from tests.contract.full_capture import PART, full_capture
from tests.contract.transports import PLAIN, InMemory, MockBehaviour

from swgrm.capture import Capture
from swgrm.capture.file import encode
from swgrm_addin.reader import Request, read
from swgrm_mocks.samples import SAMPLES

CAPTURES = {"full": full_capture} | {name: sample.build for name, sample in SAMPLES.items()}


def captured(transport: InMemory, capture: Capture, behaviour: MockBehaviour = PLAIN) -> Capture:
    application = transport.application(capture, behaviour=behaviour)
    return read(application, Request(out_of_process=transport.name == "another process")).value


@pytest.mark.parametrize("name", CAPTURES)
def test_reading_returns_the_capture(transport: InMemory, name: str) -> None:
    capture = CAPTURES[name]()
    result = captured(transport, capture)
    assert result == capture
    assert encode(result) == encode(captured(InMemory(), capture))


def test_reading_works_with_pointers_that_support_one_interface_only(transport: InMemory) -> None:
    behaviour = MockBehaviour(needs_query=True)
    assert encode(captured(transport, full_capture(), behaviour)) == encode(full_capture())


def test_reading_a_single_part_returns_its_capture(transport: InMemory) -> None:
    whole = full_capture()
    source = msgspec.structs.replace(whole.source, path=PART, title="part.SLDPRT", type=1)
    shapes = (msgspec.structs.replace(whole.shapes[0], through=""),)
    part = Capture(whole.version, source, (), whole.documents[:1], shapes)
    assert encode(captured(transport, part)) == encode(part)
