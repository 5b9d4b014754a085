"""Over COM, every call reaches the member that was asked for, whatever the classes of SolidWorks' objects."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.addin.survival import part_of
from tests.contract.stand_in_com import StandInDispatch, transport_module
from tests.contract.transports import MAKERS, MockBehaviour

from swgrm.capture import Capture
from swgrm.solidworks.api_slice import Member, dispids, interfaces
from swgrm.solidworks.swconst_calls import swAddMateError_e, swUserPreferenceStringValue_e
from swgrm_addin.port import Port
from swgrm_addin.reader import Request, read
from swgrm_addin.selftest.running import SelfTest
from swgrm_mocks.modelling.mate_data import EditableMateData
from swgrm_mocks.samples import sample
from swgrm_mocks.solidworks import MockSolidWorks
from swgrm_mocks.solidworks.dispatch_maps import BASES, FOREIGN, SYNONYMS

DATA = Path(__file__).parent.parent / "data" / "live" / "dispids.json"
QUERY = pytest.mark.parametrize("query_has_effect", [False, True], ids=["query-without-effect", "query-with-effect"])
SAMPLES = ("arm", "gripper", "traps", "lead_screw")


def recorded(world: MockSolidWorks) -> tuple[Any, list[tuple[str, str]]]:
    """The application over COM's transport, and for each call the member that was asked for and the one reached."""
    pairs: list[tuple[str, str]] = []
    invoked: list[str] = []

    class Recording(transport_module().ComTransport):  # type: ignore[misc] # its module is made at run time
        def invoke(self, target: Any, member: Member, args: tuple[Any, ...]) -> Any:
            invoked.clear()
            try:
                return super().invoke(target, member, args)
            finally:
                pairs.extend((member.full_name, reached) for reached in invoked)

    return Port(Recording()).wrap(StandInDispatch(world.application, invoked), "ISldWorks"), pairs


@QUERY
@pytest.mark.parametrize("name", SAMPLES)
def test_a_part_and_then_an_assembly_are_read_completely(name: str, query_has_effect: bool) -> None:
    assembly = sample(name)
    part = part_of(assembly)
    world = MockSolidWorks(part, assembly)
    world.connection.needs_query = query_has_effect
    application, calls = recorded(world)
    found, findings = read(application, Request(part.source.path))
    assert found == part
    assert [finding for finding in findings if finding.code == "not-read"] == []
    capture, findings = read(application, Request(assembly.source.path))
    assert [finding for finding in findings if finding.code in ("not-read", "mates-missing", "default-used")] == []
    assert capture == read_in_memory(assembly)
    assert len(calls) > 500
    assert [(asked, reached) for asked, reached in calls if asked != reached] == []
    assert world.connection.foreign == []


def read_in_memory(capture: Capture) -> Capture:
    return read(MAKERS["in memory"]().application(capture), Request(capture.source.path)).value


@pytest.mark.skipif(sys.platform != "win32", reason="needs COM")
@QUERY
def test_a_part_and_then_an_assembly_are_read_over_com(transport: Any, query_has_effect: bool) -> None:
    assembly = sample("arm")
    part = part_of(assembly)
    application = transport.application(part, assembly, behaviour=MockBehaviour(needs_query=query_has_effect))
    assert read(application, Request(part.source.path)).value == part
    capture, findings = read(application, Request(assembly.source.path))
    assert capture == read_in_memory(assembly)
    assert [finding for finding in findings if finding.code in ("not-read", "mates-missing", "default-used")] == []


def test_a_number_of_a_part_is_another_member_of_an_assembly() -> None:
    """What must not happen, and what the tests above would detect: numbers that are kept from object to object."""
    assembly = sample("arm")
    application, _ = recorded(MockSolidWorks(part_of(assembly), assembly))
    transport = application.port.transport
    first = interfaces()["IModelDoc2"].members["method", "FirstFeature"]
    part = application.ActiveDoc.raw
    whole = application.OpenDoc6(assembly.source.path, 2, 1, "", 0, 0)[0].raw
    number = part.GetIDsOfNames(0, "FirstFeature")
    assert number == 4
    assert whole.InvokeTypes(number, 0, 1, (0, 0), ()) is None
    assert part.invoked[-1] == "IAssemblyDoc.EditRebuild"
    for document in (part, whole):
        transport.invoke(document, first, ())
        assert part.invoked[-1] == "IModelDoc2.FirstFeature"


@pytest.fixture(scope="module")
def library() -> dict[str, Any]:
    data: dict[str, Any] = json.loads(DATA.read_text(encoding="utf-8"))
    return data


def test_the_numbers_are_those_of_the_type_library(library: dict[str, Any]) -> None:
    numbers = dispids()
    shared = library["names of IModelDoc2 that IPartDoc has, too"]
    for name, known in shared.items():
        full_name = f"IModelDoc2.{name.removeprefix('get_').removeprefix('set_')}"
        assert numbers.get(full_name, known["IModelDoc2"]) == known["IModelDoc2"]
    for interface in ("IMate2", "IFeature", "IMateInPlace"):
        for name, known in library[interface].items():
            full_name = f"{interface}.{name.removeprefix('get_')}"
            assert numbers.get(full_name, known) == known
    for full_name, number in numbers.items():
        lowest, highest = library["ranges"].get(full_name.partition(".")[0], (1, 1 << 20))
        assert lowest <= number <= highest, full_name


def test_the_dispatch_maps_of_the_mock_are_those_of_the_type_library(library: dict[str, Any]) -> None:
    shared = library["names of IModelDoc2 that IPartDoc has, too"]
    of = {"FirstFeature": "FirstFeature", "MaterialPropertyValues": "get_MaterialPropertyValues"}
    assert {"IPartDoc": {name: shared[key]["IPartDoc"] for name, key in of.items()}} == SYNONYMS
    key = "the member of IAssemblyDoc with the dispid of IPartDoc"
    assert {"IAssemblyDoc": {shared[name][key]: shared[name]["IPartDoc"] for name in of.values()}} == FOREIGN
    in_slice = {name for _, name in interfaces()["IModelDoc2"].members}
    assert {name.removeprefix("get_") for name in shared} & in_slice == set(of)


def test_no_two_members_of_a_class_have_one_number() -> None:
    known: dict[tuple[str, int], str] = {}
    for full_name, number in dispids().items():
        interface, _, name = full_name.partition(".")
        assert known.setdefault((interface, number), name) == name
    for derived, base in BASES.items():
        numbers = [number for name, number in dispids().items() if name.partition(".")[0] in (derived, base)]
        assert len(numbers) == len(set(numbers))


def test_every_number_is_that_of_a_member_of_the_slice() -> None:
    members = {member.full_name for interface in interfaces().values() for member in interface.members.values()}
    assert set(dispids()) - members == set()


ASKED: dict[str, Callable[[Member], bool]] = {
    "of each object, since another interface of it has the same numbers": lambda m: m.interface == "IMateFeatureData",
    "since no source has its number": lambda m: m.full_name == "IComponent2.HasAssemblyFeatures",
}


def test_every_other_member_has_a_number() -> None:
    """A member without a number is asked of each object, which takes two calls instead of one."""
    members = [member for interface in interfaces().values() for member in interface.members.values()]
    without = [m for m in members if not m.dispid and not any(excepted(m) for excepted in ASKED.values())]
    assert [m.full_name for m in without] == []


@QUERY
def test_the_self_test_reaches_the_members_that_it_asks_for(query_has_effect: bool, tmp_path: Path) -> None:
    world = MockSolidWorks()
    world.connection.needs_query = query_has_effect
    application, calls = recorded(world)
    test = SelfTest(application, tmp_path, out_of_process=True, mock=True, only=["A1.hinge", "A6.radii"])
    for _ in test.run():
        pass
    assert len(calls) > 1000
    assert [(asked, reached) for asked, reached in calls if asked != reached] == []
    assert test.left_behind == ()


@QUERY
def test_a_refused_mate_is_named_by_its_status_or_by_none_and_never_by_another_member(
    query_has_effect: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Number 2 is ErrorStatus of IMateFeatureData, and MateAlignment of the definition of a concentric mate."""
    over_defined = int(swAddMateError_e.swAddMateError_OverDefinedAssembly)
    monkeypatch.setattr(EditableMateData, "ErrorStatus", lambda _: over_defined)
    world = MockSolidWorks()
    world.connection.needs_query = query_has_effect
    application, calls = recorded(world)
    template = application.GetUserPreferenceStringValue(int(swUserPreferenceStringValue_e.swDefaultTemplateAssembly))
    document = application.NewDocument(template, 0, 0.0, 0.0)
    created = document.port.cast(document, "IAssemblyDoc").CreateMateData(1)
    concentric = document.port.cast(created, "IConcentricMateFeatureData")
    concentric.MateAlignment = 1
    assert concentric.MateAlignment == 1
    status = document.port.cast(created, "IMateFeatureData").ErrorStatus
    assert status == (over_defined if query_has_effect else 0)
    assert [(asked, reached) for asked, reached in calls if asked != reached] == []
