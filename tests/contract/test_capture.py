"""Reading by each way gives the capture that the mock was made of, and the file is the same byte for byte."""

from __future__ import annotations

import msgspec
import pytest
from tests.contract.everything import PART, everything
from tests.contract.transports import InMemory, Manners

from swgrm.capture import Capture
from swgrm.capture.file import encode
from swgrm_addin.reader import Request, read
from swgrm_mocks.samples import SAMPLES

CAPTURES = {"everything": everything} | {name: sample.build for name, sample in SAMPLES.items()}


def captured(way: InMemory, capture: Capture, **manners: bool) -> Capture:
    application = way.application(capture, manners=Manners(**manners))
    return read(application, Request(out_of_process=way.name == "another process")).value


@pytest.mark.parametrize("name", CAPTURES)
def test_reading_gives_the_capture_back(way: InMemory, name: str) -> None:
    capture = CAPTURES[name]()
    taken = captured(way, capture)
    assert taken == capture
    assert encode(taken) == encode(captured(InMemory(), capture))


def test_also_where_pointers_answer_for_one_interface_only(way: InMemory) -> None:
    assert encode(captured(way, everything(), needs_query=True)) == encode(everything())


def test_also_of_a_single_part(way: InMemory) -> None:
    whole = everything()
    source = msgspec.structs.replace(whole.source, path=PART, title="part.SLDPRT", type=1)
    shapes = (msgspec.structs.replace(whole.shapes[0], through=""),)
    part = Capture(whole.version, source, (), whole.documents[:1], shapes)
    assert encode(captured(way, part)) == encode(part)
