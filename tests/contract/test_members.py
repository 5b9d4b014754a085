"""Every member of the slice that reads returns, through the port and each transport, what the mock's object returns."""

from __future__ import annotations

import pytest
from tests.contract.full_capture import full_capture
from tests.contract.transports import InMemory, MockBehaviour
from tests.contract.walk import Called, Failed, Walk

from swgrm.solidworks.api_slice import Member, parts
from swgrm_mocks.solidworks import MockSolidWorks
from swgrm_mocks.solidworks.application import SldWorks

# A mate is an IFeature only through a queried pointer; test_dispatch_maps.py reads without effect of QueryInterface.
QUERIED = MockBehaviour(needs_query=True)
MEMBERS = [member for interface in parts()[0].values() for member in interface.members.values()]
PYTHON_TYPES = {
    "BSTR": str, "name": str, "VARIANT_BOOL": bool, "bool": bool, "double": float, "long": int, "void": type(None)
}  # fmt: skip
_walks: dict[str, Walk] = {}


@pytest.fixture(scope="session")
def walk(transport: InMemory) -> Walk:
    """The walk through this transport, made once."""
    if transport.name not in _walks:
        direct = SldWorks(MockSolidWorks(full_capture()))
        _walks[transport.name] = Walk(transport.application(full_capture(), behaviour=QUERIED), direct)
    return _walks[transport.name]


def of_member(walk: Walk, member: Member) -> list[Called]:
    return [called for called in walk.calls if called.member == member]


@pytest.mark.parametrize("member", MEMBERS, ids=lambda member: f"{member}-{member.kind}")
def test_the_result_is_that_of_the_object(walk: Walk, member: Member) -> None:
    calls = of_member(walk, member)
    assert calls, f"{member} was never called"
    assert [called.got for called in calls] == [called.expected for called in calls]


@pytest.mark.parametrize("member", MEMBERS, ids=lambda member: f"{member}-{member.kind}")
@pytest.mark.trap("R4")
def test_the_result_has_the_type_in_the_slice(walk: Walk, member: Member) -> None:
    kind = member.returns
    succeeded = [called.got for called in of_member(walk, member) if not isinstance(called.got, Failed)]
    results = succeeded[:: 1 + len(member.outputs)]
    assert results, f"{member} never succeeded"
    if kind.is_object:
        assert all(isinstance(count, int) for count in results)
    elif kind.is_array and kind.content in ("float", "byte"):
        assert {type(result) for result in results} == {bytes}
    elif kind.is_array:
        assert {type(item) for result in results for item in result} <= {PYTHON_TYPES[kind.content]}
    else:
        assert {type(result) for result in results} == {PYTHON_TYPES[kind.content]}


def test_every_member_was_called_and_counted(walk: Walk, transport: InMemory, counted: dict[str, str]) -> None:
    calls = walk.met["ISldWorks"][0].proxy.port.calls
    assert {str(member) for member in MEMBERS} == set(calls)
    assert {called.member for called in walk.calls} == set(MEMBERS)
    counted[transport.name] = f"all {len(MEMBERS)} members of the slice called, {calls.total()} calls"
