"""No pointer to an object of a document is alive when the document is closed: counted by COM itself."""

from __future__ import annotations

import gc

import pytest
import pythoncom
from tests.contract.full_capture import full_capture

from swgrm.errors import SwgrmError
from swgrm_addin.com.transport import ComTransport
from swgrm_addin.port import Port
from swgrm_addin.reader import Request, read
from swgrm_mocks.samples import sample
from swgrm_mocks.solidworks import Fault, MockSolidWorks
from swgrm_mocks.testing.com_objects import wrapped

count_pointers = pythoncom._GetGatewayCount


class Watched(MockSolidWorks):
    """A SolidWorks that counts the pointers to its objects when a document is closed."""

    counts: list[int]

    def close(self, name: str) -> None:
        self.counts.append(count_pointers())
        super().close(name)


@pytest.mark.parametrize(
    ("fails", "is_error"),
    [
        ("", False),
        ("IMate2.MateEntity", False),
        ("IModelDoc2.GetTitle", False),
        ("IComponent2.GetChildren", False),
        ("IComponent2.Name2", True),
        ("IUserProgressBar.Cancel", True),
    ],
)
def test_all_pointers_are_released_before_a_document_is_closed(fails: str, is_error: bool) -> None:
    capture = full_capture()
    world = Watched(sample("lead_screw"), capture)
    world.counts = []
    application = Port(ComTransport()).wrap(wrapped(world.application), "ISldWorks")
    gc.collect()
    before = count_pointers()
    world.connection.faults = [Fault(1, times=10**6, member=fails)] if fails else []
    world.progress.cancel_at = 60 if fails == "IUserProgressBar.Cancel" else None  # the user's Cancel
    error = None
    try:
        read(application, Request(capture.source.path))
    except SwgrmError as raised:
        error = raised  # kept, as a program may do
    assert (error is not None) == is_error
    assert world.counts
    assert set(world.counts) == {before}
    assert count_pointers() == before
