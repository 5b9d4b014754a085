"""Failed calls and the errors that the port raises for them, the same through each transport."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest
from tests.contract.full_capture import ASSEMBLY, full_capture
from tests.contract.transports import InMemory, MockBehaviour

from swgrm.errors import BusyError, LostError, SolidWorksError
from swgrm.solidworks.api_slice import ComError, interfaces
from swgrm_mocks.solidworks import Fault

REJECTED, RETRY_LATER = 0x80010001, 0x8001010A
MEMBER_NOT_FOUND, TYPE_MISMATCH, UNKNOWN_NAME, BAD_PARAMETER_COUNT = 0x80020003, 0x80020005, 0x80020006, 0x8002000E
E_NOINTERFACE = 0x80004002
REVISION = interfaces()["ISldWorks"].members["method", "RevisionNumber"]


def hresult(error: pytest.ExceptionInfo[SolidWorksError]) -> int:
    cause = error.value.__cause__
    assert isinstance(cause, ComError)
    return cause.hresult


def document(transport: InMemory, **behaviour: Any) -> Any:
    return transport.application(full_capture(), behaviour=MockBehaviour(**behaviour)).ActiveDoc


def part(transport: InMemory, **behaviour: Any) -> Any:
    """The part's document through a component of the assembly, which takes five calls."""
    root = document(transport, **behaviour).ConfigurationManager.ActiveConfiguration.GetRootComponent3(False)
    return root.GetChildren()[0].GetModelDoc2()


def test_a_member_that_an_older_solidworks_lacks_is_named(transport: InMemory) -> None:
    application = transport.application(full_capture())
    application.port.release = application.RevisionNumber()
    newer = dataclasses.replace(REVISION, name="GetRobot", dispid=0)
    wanted = r"^SolidWorks 2025 \(33\.1\.0\) does not have ISldWorks\.GetRobot.*needs SolidWorks 2021"
    with pytest.raises(SolidWorksError, match=wanted) as error:
        application.port.call(application.raw, newer)
    assert hresult(error) == UNKNOWN_NAME


def test_a_method_cannot_be_read_as_a_property(transport: InMemory) -> None:
    application = transport.application(full_capture())
    with pytest.raises(SolidWorksError) as error:
        application.port.call(application.raw, dataclasses.replace(REVISION, kind="get"))
    assert hresult(error) == MEMBER_NOT_FOUND


def test_a_property_cannot_be_called_as_a_method(transport: InMemory) -> None:
    application = transport.application(full_capture())
    active = interfaces()["ISldWorks"].members["get", "ActiveDoc"]
    with pytest.raises(SolidWorksError) as error:
        application.port.call(application.raw, dataclasses.replace(active, kind="method"))
    assert hresult(error) == MEMBER_NOT_FOUND


@pytest.mark.parametrize(
    "arguments",
    [(1, 2, 1, "", 0, 0), (ASSEMBLY, "2", 1, "", 0, 0), (ASSEMBLY, True, 1, "", 0, 0), (ASSEMBLY, 2.0, 1, "", 0, 0),
     (ASSEMBLY, 2, 1, None, 0, 0)],
)  # fmt: skip
def test_an_argument_of_the_wrong_type_is_an_error(transport: InMemory, arguments: tuple[Any, ...]) -> None:
    with pytest.raises(SolidWorksError, match="OpenDoc6") as error:
        transport.application(full_capture()).OpenDoc6(*arguments)
    assert hresult(error) == TYPE_MISMATCH


@pytest.mark.parametrize("count", [0, 1, 5, 7])
def test_a_wrong_number_of_arguments_is_an_error(transport: InMemory, count: int) -> None:
    with pytest.raises(SolidWorksError) as error:
        transport.application(full_capture()).OpenDoc6(*[ASSEMBLY, 2, 1, "", 0, 0, 0][:count])
    assert hresult(error) == BAD_PARAMETER_COUNT


@pytest.mark.parametrize("value", ["a component", 7, (1, 2)])
def test_a_value_instead_of_an_object_is_an_error(transport: InMemory, value: Any) -> None:
    manager = transport.application(full_capture()).GetCommandManager(1)
    with pytest.raises(SolidWorksError) as error:
        manager.RemoveCommandTab(value)
    assert hresult(error) == TYPE_MISMATCH


@pytest.mark.parametrize("value", ["a component", 7])
def test_a_value_instead_of_an_array_is_an_error(transport: InMemory, value: Any) -> None:
    manager = transport.application(full_capture()).GetCommandManager(1)
    group, _ = manager.CreateCommandGroup2(1, "", "", "", -1, True, 0)
    with pytest.raises(SolidWorksError) as error:
        group.IconList = value
    assert hresult(error) == TYPE_MISMATCH


def test_an_object_argument_may_be_null(transport: InMemory) -> None:
    assert transport.application(full_capture()).SetAddinCallbackInfo2(0, None, 1) is True


def test_an_interface_that_the_object_does_not_support_is_an_error(transport: InMemory) -> None:
    application = transport.application(full_capture())
    with pytest.raises(SolidWorksError, match="IPartDoc") as error:
        application.port.cast(application.ActiveDoc, "IPartDoc")
    assert hresult(error) == E_NOINTERFACE


def test_a_pointer_may_support_all_interfaces_of_its_object(transport: InMemory) -> None:
    model = part(transport)
    bodies = interfaces()["IPartDoc"].members["method", "GetBodies2"]
    assert [body.Name for body in model.port.call(model.raw, bodies, (0, False))] == ["Boss-Extrude1"]


def test_a_pointer_may_support_only_the_interface_it_was_obtained_through(transport: InMemory) -> None:
    model = part(transport, needs_query=True)
    bodies = interfaces()["IPartDoc"].members["method", "GetBodies2"]
    with pytest.raises(SolidWorksError, match=r"does not have IPartDoc\.GetBodies2"):
        model.port.call(model.raw, bodies, (0, False))
    assert [body.Name for body in model.port.cast(model, "IPartDoc").GetBodies2(0, False)] == ["Boss-Extrude1"]
    assert model.port.cast(model.port.cast(model, "IPartDoc"), "IModelDoc2").GetType() == 1


def test_the_description_of_an_error_is_in_the_message(transport: InMemory) -> None:
    model = document(transport, faults=(Fault(2, hresult=0x80004027),))
    message = r"reading the title: IModelDoc2\.GetTitle.*injected fault"
    with pytest.raises(SolidWorksError, match=message) as error, model.port.reading("the title"):
        model.GetTitle()
    assert hresult(error) == 0x80004027
    assert model.GetTitle() == "every"


@pytest.mark.parametrize("code", [REJECTED, RETRY_LATER])
def test_a_call_to_a_busy_server_is_repeated(transport: InMemory, code: int) -> None:
    pauses: list[float] = []
    application = transport.application(
        full_capture(), behaviour=MockBehaviour(faults=(Fault(1, hresult=code, times=4),)), sleep=pauses.append
    )
    assert application.RevisionNumber() == "33.1.0"
    assert pauses == sorted(pauses)
    assert len(pauses) == 4


def test_a_server_that_stays_busy_is_an_error(transport: InMemory) -> None:
    pauses: list[float] = []
    behaviour = MockBehaviour(faults=(Fault(1, hresult=RETRY_LATER, times=1_000_000),))
    application = transport.application(full_capture(), behaviour=behaviour, sleep=pauses.append, patience=5.0)
    with pytest.raises(BusyError, match="busy for 5 s"):
        application.RevisionNumber()
    assert 5.0 <= sum(pauses) < 10.0


def test_a_crashed_server_is_distinguished_from_a_failed_call(transport: InMemory) -> None:
    model = document(transport, faults=(Fault(2, "death"),))
    for _ in range(2):
        with pytest.raises(LostError, match="was lost"):
            model.GetTitle()


def test_none_instead_of_a_number_is_an_error(transport: InMemory) -> None:
    with pytest.raises(SolidWorksError, match="no value was returned where a long was expected"):
        document(transport, faults=(Fault(2, "null"),)).GetType()


def test_none_instead_of_a_required_object_is_an_error(transport: InMemory) -> None:
    with pytest.raises(SolidWorksError, match="no object was returned where an IConfigurationManager was expected"):
        assert document(transport, faults=(Fault(2, "null"),)).ConfigurationManager


def test_an_optional_object_may_be_none(transport: InMemory) -> None:
    assert document(transport, faults=(Fault(1, "null"),)) is None


def test_none_instead_of_arrays_is_an_empty_tuple_for_each(transport: InMemory) -> None:
    component = document(transport, faults=(Fault(6, "null"),)).ConfigurationManager.ActiveConfiguration
    child = component.GetRootComponent3(False).GetChildren()[0]
    assert child.GetBodies3(0) == ((), ())


def test_calls_are_counted_for_each_member(transport: InMemory) -> None:
    model = part(transport)
    assert model.GetType() == 1
    assert dict(model.port.calls) == {
        "ISldWorks.ActiveDoc": 1,
        "IModelDoc2.ConfigurationManager": 1,
        "IConfigurationManager.ActiveConfiguration": 1,
        "IConfiguration.GetRootComponent3": 1,
        "IComponent2.GetChildren": 1,
        "IComponent2.GetModelDoc2": 1,
        "IModelDoc2.GetType": 1,
    }
