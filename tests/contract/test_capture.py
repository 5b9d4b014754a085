"""Reading by each way gives the capture that the mock was made of, byte for byte."""

from __future__ import annotations

from swgrm.capture.file import encode
from swgrm_addin.reader import Request, read

from tests.contract.everything import everything
from tests.contract.transports import InMemory


def test_reading_gives_the_capture_back(way: InMemory) -> None:
    capture = everything()
    application = way.application(capture)
    reading = read(application, Request(out_of_process=way.name == "another process"))
    assert reading.capture == capture
    assert encode(reading.capture) == encode(capture)
