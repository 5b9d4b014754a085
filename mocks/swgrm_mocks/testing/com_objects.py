"""The mock SolidWorks as COM objects: each of its pointers is an IDispatch with the members of the API slice."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, ClassVar

import pythoncom
import win32api
import win32con
from win32com.client import VARIANT
from win32com.server.exception import COMException
from win32com.universal import Definition

from swgrm.capture.file import load
from swgrm.solidworks.api_slice import ComError, Type, interfaces
from swgrm_addin.com.transport import FLAGS, array_type, interface_id
from swgrm_mocks.samples import SAMPLES
from swgrm_mocks.solidworks import MockPointer, MockSolidWorks
from swgrm_mocks.solidworks.dispatch_maps import classes_of, member_at, number_of

BAD_PARAMETER_COUNT = 0x8002000E
# The HRESULTs that COM itself reports, about the call (IDispatch, RPC); all others are a server's exceptions.
FACILITIES_OF_CALLS = (1, 2, 7)


def wrapped(handle: MockPointer) -> Any:
    """The handle as a COM object: a PyIDispatch, used in this process or marshalled to another."""
    register_interfaces()
    return pythoncom.WrapObject(HandlePolicy(handle), pythoncom.IID_IDispatch)


def applications(source: str) -> Callable[[], Any]:
    """A function that returns COM pointers to a mock application with a capture file or `mock:SAMPLE` open."""
    sample = source.removeprefix("mock:")
    world = MockSolidWorks(load(source) if sample == source else SAMPLES[sample].build())
    return lambda: wrapped(world.application)


class ApplicationPolicy:
    """The policy by which pywin32's class factory creates an application; the registry names this class."""

    SOURCE: ClassVar = "MockSource"
    made: ClassVar[dict[Any, Callable[[], Any]]] = {}

    def __init__(self, _nothing: None) -> None:
        """Pywin32 constructs the policy, then calls `_CreateInstance_`."""

    def _CreateInstance_(self, clsid: Any, iid: Any) -> Any:
        """The application that this process serves; in a foreign process, a new one of the source in the registry."""
        if clsid not in self.made:
            source = win32api.RegQueryValue(win32con.HKEY_CLASSES_ROOT, rf"CLSID\{clsid}\{self.SOURCE}")
            self.made[clsid] = applications(source)
        return self.made[clsid]().QueryInterface(iid)


class HandlePolicy:
    """The policy by which pywin32 answers COM calls: one pointer to an object of the mock."""

    def __init__(self, handle: MockPointer) -> None:
        self.handle = handle

    def _QueryInterface_(self, iid: Any) -> Any:
        """1 for the pointer's own interface, another pointer for another interface of the object, or 0."""
        name = interfaces_by_iid().get(iid)
        if name is None:
            return 0
        if name == self.handle.interface:
            return 1
        try:
            return wrapped(self.handle.query(name))
        except ComError:
            return 0

    def _GetIDsOfNames_(self, names: tuple[str, ...], _locale: int) -> tuple[int]:
        """The dispid of a member, as the object's dispatch map has it."""
        try:
            return (number_of(classes_of(self.handle), names[0]),)
        except ComError as error:
            raise COMException(scode=_signed(error.hresult)) from error

    def _Invoke_(self, dispid: int, _locale: int, flags: int, args: tuple[Any, ...]) -> tuple[int, int, Any]:
        """(HRESULT, index of a wrong argument, result with outputs)."""
        try:
            return 0, -1, self._answer(dispid, flags, args)
        except ComError as error:
            if error.hresult >> 16 & 0x1FFF in FACILITIES_OF_CALLS:
                return _signed(error.hresult), -1, None
            raise COMException(scode=_signed(error.hresult), description=error.description) from error

    def _answer(self, dispid: int, flags: int, args: tuple[Any, ...]) -> Any:
        kinds = tuple(kind for kind, flag in FLAGS.items() if flags & flag)
        member = member_at(classes_of(self.handle), dispid, kinds)
        if isinstance(member, str):
            self.handle.connection.foreign.append(member)
            return None
        if len(args) != len(member.parameters):
            raise ComError(BAD_PARAMETER_COUNT)
        pairs = zip(args, member.parameters, strict=True)
        inputs = tuple(_received(value) for value, parameter in pairs if parameter.direction != "out")
        answer = self.handle.invoke(member.name, member.kind, inputs)
        if not member.outputs:
            return _sent(answer, member.returns)
        return tuple(_sent(value, kind) for value, kind in zip(answer, member.result_types, strict=True))


def _received(value: Any) -> Any:
    """An argument as the mock takes it: our own COM objects as their handles, anything else unchanged."""
    if isinstance(value, tuple):
        return tuple(_received(item) for item in value)
    if not isinstance(value, pythoncom.TypeIIDs[pythoncom.IID_IDispatch]):
        return value
    try:
        policy = pythoncom.UnwrapObject(value)
    except (pythoncom.com_error, ValueError):  # another process's object, or one that pywin32 did not make
        return value
    return policy.handle if isinstance(policy, HandlePolicy) else value


def _sent(value: Any, kind: Type) -> Any:
    """A result as a VARIANT of the slice's type: a missing array is VT_EMPTY, a missing object a null pointer."""
    if kind.is_array:
        items = (
            value if value is None or isinstance(value, bytes) else [_sent(item, Type(kind.content)) for item in value]
        )
        return VARIANT(pythoncom.VT_EMPTY, None) if items is None else VARIANT(array_type(kind), items)
    if isinstance(value, MockPointer):
        return wrapped(value)
    return VARIANT(pythoncom.VT_DISPATCH, None) if kind.is_object and value is None else value


def _signed(hresult: int) -> int:
    return hresult - (1 << 32) if hresult >= 1 << 31 else hresult


@cache
def interfaces_by_iid() -> dict[Any, str]:
    """The name of every interface by its IID."""
    return {interface_id(interface.name): interface.name for interface in interfaces().values() if interface.iid}


@cache
def register_interfaces() -> None:
    """Register the slice's interfaces with pywin32: an IDispatch under each IID."""
    for iid, name in interfaces_by_iid().items():
        gateways = pythoncom._univgw  # noqa: SLF001 - pywin32 has no public name for it
        gateways.RegisterVTable(gateways.CreateVTable(Definition(iid, True, ()), True), iid, name)
