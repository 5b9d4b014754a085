"""Serves the mock SolidWorks over real COM: its pointers as IDispatch, answering what the slice says."""

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

from swgrm.api import ComError, Member, Type, interfaces
from swgrm.capture.file import load
from swgrm_addin.com.transport import FLAGS, array_type, interface_id
from swgrm_mocks.samples import SAMPLES
from swgrm_mocks.solidworks import MockPointer, MockSolidWorks

MEMBER_NOT_FOUND, UNKNOWN_NAME, BAD_PARAMETER_COUNT = 0x80020003, 0x80020006, 0x8002000E
# The HRESULTs that COM itself reports, about the call (IDispatch, RPC); all others are a server's exceptions.
FACILITIES_OF_CALLS = (1, 2, 7)


def wrapped(handle: MockPointer) -> Any:
    """The handle as a COM object: a PyIDispatch, for this process or to be marshalled to another."""
    register_interfaces()
    return pythoncom.WrapObject(HandlePolicy(handle), pythoncom.IID_IDispatch)


def applications(source: str) -> Callable[[], Any]:
    """A maker of pointers to the application of a mock that has a capture open: a file, or `mock:SAMPLE`."""
    sample = source.removeprefix("mock:")
    world = MockSolidWorks(load(source) if sample == source else SAMPLES[sample].build())
    return lambda: wrapped(world.application)


class ApplicationPolicy:
    """What pywin32's class factory asks for an application; the registry names this class, and maybe the source."""

    SOURCE: ClassVar = "MockSource"
    made: ClassVar[dict[Any, Callable[[], Any]]] = {}

    def __init__(self, _nothing: None) -> None:
        """Pywin32 makes one, then asks it to create."""

    def _CreateInstance_(self, clsid: Any, iid: Any) -> Any:
        """The application that this process serves; in a foreign process, one of what the registry names."""
        if clsid not in self.made:
            source = win32api.RegQueryValue(win32con.HKEY_CLASSES_ROOT, rf"CLSID\{clsid}\{self.SOURCE}")
            self.made[clsid] = applications(source)
        return self.made[clsid]().QueryInterface(iid)


class HandlePolicy:
    """What pywin32 calls when COM calls: one pointer to an object of the mock."""

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
        """The dispid of a member, whose name is taken in any case."""
        for name, members in self.handle.members().items():
            if name.lower() == names[0].lower():
                return (dispids()[next(iter(members.values())).interface, name],)
        raise COMException(scode=_signed(UNKNOWN_NAME))

    def _Invoke_(self, dispid: int, _locale: int, flags: int, args: tuple[Any, ...]) -> tuple[int, int, Any]:
        """(HRESULT, index of a wrong argument, result with outputs)."""
        try:
            return 0, -1, self._answer(dispid, flags, args)
        except ComError as error:
            if error.hresult >> 16 & 0x1FFF in FACILITIES_OF_CALLS:
                return _signed(error.hresult), -1, None
            raise COMException(scode=_signed(error.hresult), description=error.description) from error

    def _answer(self, dispid: int, flags: int, args: tuple[Any, ...]) -> Any:
        member = _called(dispid, flags)
        if len(args) != len(member.parameters):
            raise ComError(BAD_PARAMETER_COUNT)
        pairs = zip(args, member.parameters, strict=True)
        inputs = tuple(_received(value) for value, parameter in pairs if parameter.direction != "out")
        answer = self.handle.invoke(member.name, member.kind, inputs)
        if not member.outputs:
            return _sent(answer, member.returns)
        return tuple(_sent(value, kind) for value, kind in zip(answer, member.result_types, strict=True))


def _called(dispid: int, flags: int) -> Member:
    """The member that is called: a method or one half of a property, as the flags say."""
    for member in members_by_dispid().get(dispid, ()):
        if flags & FLAGS[member.kind]:
            return member
    raise ComError(MEMBER_NOT_FOUND)


def _received(value: Any) -> Any:
    """An argument as the mock takes it: our own objects as the handles they are, foreign ones as they come."""
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
    """A result as a VARIANT of the right type: arrays of what they hold, null objects, empty for nothing."""
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
def dispids() -> dict[tuple[str, str], int]:
    """A dispid of our own for every member of every interface: real ones differ, and nobody may count on them."""
    names = {(interface.name, name): None for interface in interfaces().values() for _, name in interface.members}
    return {key: number for number, key in enumerate(names, 1)}


@cache
def members_by_dispid() -> dict[int, list[Member]]:
    """What a dispid may mean: a method, or a property's get and put."""
    return {number: interfaces()[interface].find(name) for (interface, name), number in dispids().items()}


@cache
def interfaces_by_iid() -> dict[Any, str]:
    """The name of every interface by its IID."""
    return {interface_id(interface.name): interface.name for interface in interfaces().values() if interface.iid}


@cache
def register_interfaces() -> None:
    """Let pywin32 make pointers for the slice's interfaces: an IDispatch under each IID."""
    for iid, name in interfaces_by_iid().items():
        vtable = pythoncom._univgw.CreateVTable(Definition(iid, True, ()), True)  # noqa: SLF001
        pythoncom._univgw.RegisterVTable(vtable, iid, name)  # noqa: SLF001
