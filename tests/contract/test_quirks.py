"""The contract with any quirk of the mock, and with all of them: each transport returns what the mock returns."""

from __future__ import annotations

import pytest
from tests.contract.full_capture import full_capture
from tests.contract.transports import InMemory, MockBehaviour
from tests.contract.walk import Failed, Walk

from swgrm.capture.file import encode
from swgrm.errors import FileError
from swgrm.findings import Finding
from swgrm_addin.reader import Request, read
from swgrm_mocks.solidworks import MockSolidWorks
from swgrm_mocks.solidworks.application import SldWorks
from swgrm_mocks.solidworks.quirks import QUIRKS

ACCEPTED = tuple(name for name, quirk in QUIRKS.items() if quirk.costs != "refused")
SETS = {name: (name,) for name in QUIRKS} | {"all": ACCEPTED}


def reading(transport: InMemory, quirks: tuple[str, ...]) -> tuple[bytes, tuple[Finding, ...]]:
    """The capture as a file, and the findings."""
    application = transport.application(full_capture(), behaviour=MockBehaviour(quirks=quirks))
    result = read(application, Request(out_of_process=True))
    return encode(result.value), result.findings


@pytest.mark.parametrize("name", SETS)
def test_reading_with_quirks_is_the_same_through_each_transport(transport: InMemory, name: str) -> None:
    if name not in ACCEPTED and name in QUIRKS:
        with pytest.raises(FileError, match="open for viewing only"):
            reading(transport, SETS[name])
        return
    file, findings = reading(transport, SETS[name])
    assert (file, findings) == reading(InMemory(), SETS[name])


@pytest.mark.parametrize("name", [*SETS, "none"])
def test_every_call_returns_what_the_object_returns_whatever_quirks_it_has(transport: InMemory, name: str) -> None:
    quirks = SETS.get(name, ())
    direct = SldWorks(MockSolidWorks(full_capture(), quirks=quirks))
    # The walk reaches an object by several interfaces. Without QueryInterface, COM knows only the first one.
    behaviour = MockBehaviour(quirks=quirks, needs_query=True)
    walk = Walk(transport.application(full_capture(), behaviour=behaviour), direct, limit=3)
    missing = walk.met["ISldWorks"][0].proxy.port.defaults if "older-release" in quirks else {}
    absent = {member for member, _ in missing}
    different = [called for called in walk.calls if called.got != called.expected and str(called.member) not in absent]
    assert different == []
    assert sum(not isinstance(called.got, Failed) for called in walk.calls) > 300
