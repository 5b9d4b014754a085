"""Calls to the mock's objects as over COM, checked against the slice, with latency and fault injection."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from functools import cache
from typing import Any, ClassVar, Literal

import msgspec

from swgrm.errors import SwgrmError
from swgrm.solidworks.api_slice import ComError, Member, MemberKind, Type, interfaces

E_NOTIMPL, E_NOINTERFACE, E_FAIL = 0x80004001, 0x80004002, 0x80004005
MEMBER_NOT_FOUND, TYPE_MISMATCH, UNKNOWN_NAME = 0x80020003, 0x80020005, 0x80020006
BAD_PARAMETER_COUNT = 0x8002000E
REJECTED, RETRY_LATER = 0x80010001, 0x8001010A
SERVER_DIED, SERVER_UNAVAILABLE = 0x800706BE, 0x800706BA
DISCONNECTED = 0x80010108  # RPC_E_DISCONNECTED


class Fault(msgspec.Struct, frozen=True):
    """An injected fault: the calls `at` to `at + times - 1`, counted from 1, fail, or the server dies at call `at`.

    With a member, such as "IMate2.Type", only its calls fail. The result may also be nothing, of another type, one
    number too short, or have NaN for its first number. "disconnected" concerns one object: the one that is called first
    from call `at` on, but not the application. All pointers to it that were returned before are invalid from then on;
    a pointer that is returned later is valid.
    """

    at: int
    kind: Literal["error", "null", "death", "type", "length", "nan", "disconnected"] = "error"
    hresult: int = E_FAIL
    times: int = 1
    description: str = "injected fault"
    member: str = ""


class MockConnection:
    """The connection between a client and the mock: counts the calls, delays them, and injects faults."""

    def __init__(self) -> None:
        self.calls: Counter[str] = Counter()
        self.count = 0
        self.faults: list[Fault] = []
        self.disconnected: dict[Fault, tuple[MockObject, int]] = {}  # the object, and the number of the first call
        self.missing: frozenset[str] = frozenset()  # members that this release of SolidWorks does not have
        self.foreign: list[str] = []  # members that the slice does not have, and that were called by their number
        self.delay = 0.0  # [s] per call
        self.needs_query = False  # whether a pointer supports only the interface it was obtained through
        self.sleep: Callable[[float], object] = time.sleep

    def begin_call(self, member: Member, pointer: MockPointer) -> Fault | None:
        """Counts and delays one call; returns the fault that changes its result, and raises injected errors."""
        self.count += 1
        self.calls[member.full_name] += 1
        if member.full_name in self.missing:
            raise ComError(UNKNOWN_NAME)
        if self.delay:
            self.sleep(self.delay)
        due = next((fault for fault in self.faults if self._is_due(fault, member, pointer)), None)
        if due is None:
            return None
        if due.kind == "death":
            raise ComError(SERVER_DIED if self.count == due.at else SERVER_UNAVAILABLE)
        if due.kind == "disconnected":
            raise ComError(DISCONNECTED)
        if due.kind == "error":
            raise ComError(due.hresult, due.description)
        return due

    def _is_due(self, fault: Fault, member: Member, pointer: MockPointer) -> bool:
        if fault.member and fault.member != member.full_name:
            return False
        if fault.kind == "disconnected":
            return fault.at <= self.count and self._is_disconnected(fault, pointer)
        return fault.at <= self.count and (fault.kind == "death" or self.count < fault.at + fault.times)

    def _is_disconnected(self, fault: Fault, pointer: MockPointer) -> bool:
        if fault not in self.disconnected:
            if pointer.interface == "ISldWorks":
                return False
            self.disconnected[fault] = (pointer.object, self.count)
        lost, since = self.disconnected[fault]
        return pointer.object is lost and pointer.returned_at < since


class MockObject:
    """An object of the mock: one method per member of its interfaces, with the prefix `put_` for property setters."""

    interfaces: ClassVar[tuple[str, ...]] = ()

    def supported_interfaces(self) -> tuple[str, ...]:
        """The interfaces that QueryInterface supports; the first one is the default."""
        return self.interfaces


class MockPointer:
    """An interface pointer to an object of the mock. Two pointers to the same object are not equal."""

    __slots__ = ("connection", "interface", "object", "origin", "returned_at")

    def __init__(self, connection: MockConnection, target: MockObject, interface: str = "", origin: str = "") -> None:
        self.connection, self.object = connection, target
        self.interface = interface if interface in target.supported_interfaces() else target.supported_interfaces()[0]
        self.origin = origin or self.interface  # the interface with which the object was returned, before a query
        self.returned_at = connection.count  # the number of the call that returned it

    def query(self, interface: str) -> MockPointer:
        """A pointer to the same object with another interface, as QueryInterface does."""
        if interface not in self.object.supported_interfaces():
            raise ComError(E_NOINTERFACE, f"the object does not support {interface}")
        queried = MockPointer(self.connection, self.object, interface, self.origin)
        queried.returned_at = self.returned_at  # a pointer that is invalid gives no valid one
        return queried

    def members(self) -> dict[str, dict[MemberKind, Member]]:
        """The members that can be called through this pointer, by name and kind."""
        return _members((self.interface,) if self.connection.needs_query else self.object.supported_interfaces())

    def invoke(self, name: str, kind: MemberKind, args: tuple[Any, ...] = ()) -> Any:
        """Calls a member by name, as IDispatch.Invoke does; returns the result, or (result, *outputs)."""
        named = self.members().get(name)
        if named is None:
            raise ComError(UNKNOWN_NAME, name)
        member = named.get(kind)
        if member is None:
            raise ComError(MEMBER_NOT_FOUND, f"{name} cannot be called as a {kind}")
        inputs = [_checked(value, kind) for value, kind in _paired(args, member)]
        fault = self.connection.begin_call(member, self)
        if fault is None:
            return self._wrap_results(self._call(member, inputs), member)
        if fault.kind == "null":
            return (None,) * (1 + len(member.outputs)) if member.outputs else None
        return _spoiled_results(self._wrap_results(self._call(member, inputs), member), member, fault.kind)

    def _call(self, member: Member, inputs: list[Any]) -> Any:
        method = getattr(self.object, ("put_" if member.kind == "put" else "") + member.name, None)
        if method is None:
            raise ComError(E_NOTIMPL, str(member))
        return method(*inputs)

    def _wrap_results(self, answer: Any, member: Member) -> Any:
        if not member.outputs:
            return self._wrap(answer, member.returns)
        return tuple(self._wrap(value, kind) for value, kind in zip(answer, member.result_types, strict=True))

    def _wrap(self, value: Any, kind: Type) -> Any:
        """Objects as new pointers, and None for an empty array."""
        if isinstance(value, MockObject):
            return MockPointer(self.connection, value, kind.content)
        if isinstance(value, tuple | list):
            return (tuple(self._wrap(item, kind) for item in value) if kind.is_object else tuple(value)) or None
        return value


class MemoryTransport:
    """The transport for pointers of a mock in the same process."""

    def invoke(self, target: MockPointer, member: Member, args: tuple[Any, ...]) -> Any:
        """Calls a member through a pointer."""
        return target.invoke(member.name, member.kind, args)

    def query(self, target: MockPointer, interface: str) -> MockPointer:
        """A pointer to the same object with another interface."""
        return target.query(interface)

    def automate(self, target: Any, method: str, arguments: tuple[Any, ...]) -> Any:
        """Calls a method of an object that is not the mock's own, such as an add-in; its errors are COM's."""
        called = getattr(target, method, None)
        if called is None:
            raise ComError(UNKNOWN_NAME, method)
        try:
            return called(*arguments)
        except SwgrmError as error:
            raise ComError(E_FAIL, str(error)) from error

    def release(self) -> None:
        """Does nothing: the mock's pointers can be left to the garbage collector."""


def _spoiled_results(answer: Any, member: Member, kind: str) -> Any:
    if not member.outputs:
        return _spoiled(answer, member.returns, kind)
    return tuple(_spoiled(value, of, kind) for value, of in zip(answer, member.result_types, strict=True))


def _spoiled(value: Any, of: Type, kind: str) -> Any:
    """A result of another type, of a wrong length or with NaN; unchanged if the fault does not concern it."""
    if kind == "type":
        return None if of.com == "void" else 7.5 if of.content in ("BSTR", "name") else "wrong"
    if not is_concerned(of, kind) or not value:
        return value
    if kind == "length":
        return value[:-1]
    return (float("nan"), *value[1:]) if of.is_array else float("nan")


def is_concerned(of: Type, kind: str) -> bool:
    """Whether a fault of the kind can change a result of the type."""
    if kind == "length":
        return of.is_array and of.content in ("double", "float", "long", "bool")
    if kind == "nan":
        return of.content in ("double", "float")
    return of.com != "void" or kind == "error"


@cache
def _members(names: tuple[str, ...]) -> dict[str, dict[MemberKind, Member]]:
    found: dict[str, dict[MemberKind, Member]] = {}
    for interface in names:
        for (kind, name), member in interfaces()[interface].members.items():
            found.setdefault(name, {}).setdefault(kind, member)
    return found


def _paired(args: tuple[Any, ...], member: Member) -> list[tuple[Any, Type]]:
    if len(args) != len(member.inputs):
        raise ComError(BAD_PARAMETER_COUNT, f"{member} takes {len(member.inputs)} arguments, not {len(args)}")
    return [(value, parameter.type) for value, parameter in zip(args, member.inputs, strict=True)]


_PYTHON: dict[str, Any] = {
    "BSTR": str,
    "VARIANT_BOOL": bool,
    "long": int,
    "short": int,
    "__int64": int,
    "double": (int, float),
}


def _checked(value: Any, kind: Type) -> Any:
    """An argument as the object receives it; raises ComError if it has the wrong type."""
    if kind.is_array:
        if value is not None and not isinstance(value, tuple):
            raise ComError(TYPE_MISMATCH, f"an array of {kind.content} was expected")
        return tuple(_checked(item, Type(kind.content)) for item in value or ())
    if kind.is_object:
        if value is not None and not isinstance(value, MockPointer):
            return _foreign(value, kind)
        return value.object if value is not None else None
    expected = _PYTHON.get(kind.content)
    wrong_bool = isinstance(value, bool) and kind.content != "VARIANT_BOOL"
    if expected is not None and (wrong_bool or not isinstance(value, expected)):
        raise ComError(TYPE_MISMATCH, f"a {kind.content} was expected, not {value!r}")
    return value


def _foreign(value: Any, kind: Type) -> Any:
    """Accepts an object from outside the mock, such as an add-in's callbacks, where the type is IDispatch."""
    if kind.content != "IDispatch" or isinstance(value, str | int | float | tuple | list):
        raise ComError(TYPE_MISMATCH, f"an object ({kind.content}) was expected, not {value!r}")
    return value
