"""VARIANTs of any type that a server may return, and objects with their own numbers for the same names."""

from __future__ import annotations

from contextlib import suppress
from datetime import datetime
from decimal import Decimal
from typing import Any

import pytest
import pythoncom
import pywintypes
from tests.bench.com_calls import Constant
from win32com.client import VARIANT

from swgrm.errors import CallError
from swgrm.solidworks.api_slice import dispids
from swgrm_addin import remote
from swgrm_addin.com.transport import ComTransport
from swgrm_addin.inside.identity import CLSID, PROGID
from swgrm_addin.port import Port
from swgrm_mocks.solidworks import Fault, MockSolidWorks
from swgrm_mocks.testing.com_objects import wrapped

NUMBERS = pythoncom.VT_ARRAY
ODD = {
    "empty": None,
    "null": VARIANT(pythoncom.VT_NULL, None),
    "date": pywintypes.Time(datetime(2026, 1, 1)),  # noqa: DTZ001 - COM's dates have no zone
    "currency": Decimal("1.5"),
    "error": VARIANT(pythoncom.VT_ERROR, -2147467259),
    "text": "text",
    "float": VARIANT(pythoncom.VT_R4, 0.5),
    "long long": 1 << 40,
    "floats": VARIANT(NUMBERS | pythoncom.VT_R4, [0.5, 1.0]),
    "variants": VARIANT(NUMBERS | pythoncom.VT_VARIANT, [1, "a", None, 0.5]),
    "rows": ((1.0, 2.0), (3.0, 4.0)),
    "bytes": b"abc",
    "texts": ["a", "b"],
}
MEMBERS = ("RevisionNumber", "ActiveDoc", "CommandInProgress", "GetUserProgressBar", "GetCurrentWorkingDirectory")


def application_returning(value: Any) -> Any:
    policy = Constant(MockSolidWorks().application)
    policy.answer = value
    return Port(ComTransport()).wrap(pythoncom.WrapObject(policy, pythoncom.IID_IDispatch), "ISldWorks")


@pytest.mark.parametrize("kind", ODD)
def test_a_value_of_any_type_is_a_value_or_a_failed_call(kind: str) -> None:
    application = application_returning(ODD[kind])
    for member in MEMBERS:
        with suppress(CallError):
            found = getattr(application, member)
            found = found() if callable(found) else found
            assert found is None or isinstance(found, str | bool | tuple) or member == "ActiveDoc"


class Odd:
    """An object whose results pywin32 cannot convert."""

    def __init__(self, error: Exception, number: int = 1) -> None:
        self.error, self.number = error, number

    def GetIDsOfNames(self, _locale: int, _name: str) -> int:
        return self.number

    def InvokeTypes(self, *_: Any) -> Any:
        raise self.error


@pytest.mark.parametrize("error", [TypeError("The Variant type is not supported"), ValueError("x"), OverflowError("x")])
def test_a_result_that_cannot_be_converted_is_a_failed_call(error: Exception) -> None:
    with pytest.raises(CallError, match="RevisionNumber reported 0x80020005"):
        Port(ComTransport()).wrap(Odd(error), "ISldWorks").RevisionNumber()


class Numbered(Odd):
    """An object that is called by this number alone."""

    def InvokeTypes(self, number: int, *_: Any) -> Any:
        assert number == self.number
        return None


def test_the_number_is_that_of_the_type_library_or_of_the_object_itself() -> None:
    port = Port(ComTransport())
    segment = Numbered(TypeError(), dispids()["ISketchSegment.GetCurve"])
    segment.GetIDsOfNames = None  # type: ignore[assignment,method-assign] # it is not asked
    assert port.wrap(segment, "ISketchSegment").GetCurve() is None
    for number in (1, 2):  # a member whose number is not in the table
        definition = port.wrap(Numbered(TypeError(), number), "IMateFeatureData")
        assert definition.ErrorStatus == 0  # its default, since the call returns nothing


def test_the_add_in_is_found_by_its_progid_if_solidworks_refuses_its_clsid() -> None:
    world = MockSolidWorks()
    world.add_ins[PROGID] = add_in = wrapped(MockSolidWorks().application)
    world.connection.faults = [Fault(1, member="ISldWorks.GetAddInObject")]  # the first call
    application = Port(ComTransport()).wrap(wrapped(world.application), "ISldWorks")
    assert remote._add_in(application) is not None
    assert CLSID not in world.add_ins
    del add_in
