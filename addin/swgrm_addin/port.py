"""The port to SolidWorks: proxy objects for the API slice, whose calls are counted and whose errors are translated."""

from __future__ import annotations

import math
import struct
import sys
import time
from array import array
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from functools import cache, partial
from types import NoneType
from typing import Any, Protocol

from swgrm.errors import BusyError, CallError, LostError, SolidWorksError
from swgrm.solidworks.api_slice import QUICK_TYPES, ComError, Member, Type, interfaces

BUSY = frozenset((0x80010001, 0x8001010A))  # RPC_E_CALL_REJECTED, RPC_E_SERVERCALL_RETRYLATER
# RPC_E_DISCONNECTED and CO_E_OBJNOTCONNECTED are also what a single object returns while SolidWorks is alive.
LOST = frozenset((0x800706BA, 0x800706BE, 0x80010007, 0x80010012, 0x80010108, 0x800401FD))
NO_MEMBER = frozenset((0x80020003, 0x80020006))  # DISP_E_MEMBERNOTFOUND, DISP_E_UNKNOWNNAME
APPLICATION = "ISldWorks"
UNEXPECTED, NO_INTERFACE = 0x8000FFFF, 0x80004002  # E_UNEXPECTED, E_NOINTERFACE

MISSING = "its object was not returned"  # the problem of calls to an object that SolidWorks did not return
MOST_FAILURES = 100  # calls in a row; more mean that SolidWorks does not work, not that one object fails

FIRST_PAUSE, LONGEST_PAUSE, PATIENCE = 0.05, 2.0, 60.0  # [s] between calls to a busy SolidWorks, and in total


class BadValueError(ComError):
    """Raised when a call succeeds and returns a value that the slice does not allow."""

    def __init__(self, description: str) -> None:
        super().__init__(UNEXPECTED, description)


class Transport(Protocol):
    """Carries the calls: the mock in memory, or COM. Raw objects are of the transport's own type."""

    def invoke(self, target: Any, member: Member, args: tuple[Any, ...]) -> Any:
        """Call a member with its inputs; returns the result, or (result, *outputs), or raises ComError."""

    def query(self, target: Any, interface: str) -> Any:
        """QueryInterface: returns the object with another interface; raises ComError."""

    def release(self) -> None:
        """Release the objects that only cycles of references keep."""


class Port:
    """Wraps raw objects in proxies, and makes their calls."""

    def __init__(
        self,
        transport: Transport,
        *,
        sleep: Callable[[float], object] = time.sleep,
        patience: float = PATIENCE,
    ) -> None:
        self.transport, self.sleep, self.patience = transport, sleep, patience
        self.calls: Counter[str] = Counter()
        self.release = ""  # of SolidWorks, such as "33.1.0"; set by the reader
        self.failures: Counter[tuple[str, str, str]] = Counter()  # by member, object and problem
        self.defaults: Counter[tuple[str, str]] = Counter()  # used for optional members, by member and problem
        self._in_a_row = 0  # failures
        self._application: Any = None  # the raw ISldWorks, which is asked whether SolidWorks answers
        self._renewals: dict[int, tuple[Proxy, Callable[[], Any]]] = {}  # by the id of the raw object
        self.subjects: list[str] = []

    @property
    def subject(self) -> str:
        """What is being read, such as "component base-1"."""
        return self.subjects[-1] if self.subjects else ""

    def wrap(self, raw: Any, interface: str) -> Any:
        """A proxy with that interface for a raw object."""
        if interface == APPLICATION and self._application is None:
            self._application = raw
        return proxy_class(interface)(self, raw)

    def renew_with(self, proxy: Proxy, get: Callable[[], Any]) -> None:
        """Call `get` for the object anew if it is disconnected; what it returns takes the place of the raw object."""
        self._renewals[id(proxy.raw)] = (proxy, get)

    def forget_renewals(self) -> None:
        """Release the objects of `renew_with`."""
        self._renewals.clear()

    def answers(self) -> bool:
        """Whether SolidWorks itself answers, after a call reported that its object is disconnected."""
        if self._application is None:
            return False
        try:
            self.transport.invoke(self._application, interfaces()[APPLICATION].members["method", "RevisionNumber"], ())
        except ComError as error:
            return error.hresult not in LOST
        return True

    def cast(self, proxy: Proxy, interface: str) -> Any:
        """The same object with another interface (QueryInterface)."""
        raw = self.with_retries(partial(self._query, proxy.raw, interface), f"QueryInterface({interface})")
        result = self.wrap(raw, interface)
        if id(proxy.raw) in self._renewals:
            self.renew_with(result, lambda: self.wrap(self._query(self._renewed(proxy.raw), interface), interface))
        return result

    def cast_or_none(self, proxy: Proxy, interface: str) -> Any:
        """The same object with another interface; None, and no failure is noted, if it does not have it."""
        try:
            return self.wrap(self._query(proxy.raw, interface), interface)
        except ComError as error:
            return None if error.hresult == NO_INTERFACE else self.cast(proxy, interface)

    def _query(self, raw: Any, interface: str) -> Any:
        if raw is None:
            raise BadValueError(MISSING)
        return self.transport.query(raw, interface)

    def reading(self, what: str) -> Subject:
        """A context that names what is being read, for the messages of errors in it."""
        return Subject(self.subjects, what)

    def call(self, raw: Any, member: Member, args: tuple[Any, ...] = ()) -> Any:
        """Call a member; returns values of the slice's types, with objects wrapped and outputs as further results.

        If an optional member fails, its default is returned.
        """
        self.calls[member.full_name] += 1
        inputs = tuple(map(_unwrapped, args)) if args else ()
        try:  # this is every call: what only errors need is elsewhere
            if raw is None:
                raise BadValueError(MISSING)
            answer = self.transport.invoke(raw, member, inputs)
            if type(answer) is not member.quick_type:
                answer = self._checked(answer, member)
        except ComError as error:
            return self._again(error, raw, member, inputs)
        self._in_a_row = 0
        return answer

    def _again(self, error: ComError, raw: Any, member: Member, inputs: tuple[Any, ...]) -> Any:
        """Repeat a call that raised an error, if SolidWorks is busy; otherwise translate the error."""
        try:
            if error.hresult in LOST and id(raw) in self._renewals:
                raw = self._renewed(raw)
                answer = self.with_retries(partial(self._answer, raw, member, inputs), member.full_name)
            else:
                answer = self.with_retries(partial(self._answer, raw, member, inputs), member.full_name, error)
        except CallError as failure:
            if not member.is_optional:
                raise
            self.note_default(failure)
            return self._default(member)
        self._in_a_row = 0
        return answer

    def _renewed(self, raw: Any) -> Any:
        """The object in place of a disconnected one; the same one if SolidWorks does not return it again."""
        proxy, get = self._renewals.pop(id(raw))  # before the call: it must not renew itself without an end
        try:
            fresh = get()
        except (CallError, ComError):
            fresh = None
        if fresh is not None:
            proxy.raw = fresh.raw
        self.renew_with(proxy, get)
        return proxy.raw

    def note_default(self, error: CallError) -> None:
        """Count a failed call as one that a default replaces."""
        if error.problem != MISSING:
            self.defaults[error.member, error.problem] += 1

    def _default(self, member: Member) -> Any:
        values = [self._nothing(kind) for kind in member.result_types]
        if member.default:
            values[0] = _SCALARS[member.returns.content](member.default)
        return tuple(values) if member.outputs else values[0]

    def _nothing(self, kind: Type) -> Any:
        """The value of a failed optional call; an object that is required is one whose calls fail."""
        if kind.is_array:
            return b"" if kind.content in ("float", "byte") else ()
        if kind.is_object:
            return None if kind.may_be_none else self.wrap(None, kind.content)
        return None if kind.content == "void" else _SCALARS[kind.content]("" if kind.content == "BSTR" else 0)

    def _answer(self, raw: Any, member: Member, inputs: tuple[Any, ...]) -> Any:
        if raw is None:
            raise BadValueError(MISSING)
        return self._checked(self.transport.invoke(raw, member, inputs), member)

    def _checked(self, answer: Any, member: Member) -> Any:
        """The results of a call as values of the slice's types."""
        if not member.outputs:
            return self._value(answer, member.returns)
        types = member.result_types
        if not isinstance(answer, tuple) or len(answer) != len(types):
            raise BadValueError(f"{len(types)} results were expected")
        return tuple(self._value(value, kind) for value, kind in zip(answer, types, strict=True))

    def _value(self, value: Any, kind: Type) -> Any:
        if kind.is_array:
            return self._array(value, kind)
        if kind.is_object:
            if value is None and not kind.may_be_none:
                raise BadValueError(f"no object was returned where an {kind.content} was expected")
            return None if value is None else self._object(value, kind)
        return _scalar(value, kind.content)

    def _object(self, value: Any, kind: Type) -> Any:
        if isinstance(value, _PLAIN):
            raise wrong_type(value, f"an {kind.content}")
        return self.wrap(value, kind.content)

    def _array(self, value: Any, kind: Type) -> Any:
        """An array, empty for None. SolidWorks may return a single item without an array; large arrays are bytes."""
        if kind.content in ("float", "byte"):
            return _packed(value, kind)
        if kind.content == "double" and _are_numbers(value) and kind.fits(len(value)):
            return value
        items = () if value is None else value if isinstance(value, tuple | list) else (value,)
        if not kind.fits(len(items)):
            raise BadValueError(f"{len(items)} values were returned where {kind.holds} was expected")
        if kind.is_object:
            return tuple(self._object(item, kind) for item in items if item is not None)
        return tuple(_scalar(item, kind.content) for item in items)

    def with_retries(self, action: Callable[[], Any], name: str, error: ComError | None = None) -> Any:
        """Call the action and translate its COM errors; while SolidWorks is busy, repeat it for `patience` seconds.

        `error` is what a first call has raised already.
        """
        waited, pause = 0.0, FIRST_PAUSE
        while True:
            if error is not None:
                if error.hresult not in BUSY or waited >= self.patience:
                    raise self._translated(error, name) from error
                self.sleep(pause)
                waited, pause = waited + pause, min(2 * pause, LONGEST_PAUSE)
            try:
                return action()
            except ComError as raised:
                error = raised

    def _translated(self, error: ComError, name: str) -> SolidWorksError:
        what = f" while reading {self.subject}" if self.subject else ""
        if error.hresult in BUSY:
            return BusyError(
                f"SolidWorks stayed busy for {self.patience:.0f} s{what} ({name}). "
                "Close its open dialogs, finish the running command, and try again."
            )
        if error.hresult in LOST and not self.answers():
            return LostError(
                f"The connection to SolidWorks was lost{what} ({name}: {error}). "
                "Restart SolidWorks and open the document again."
            )
        problem = error.description if isinstance(error, BadValueError) else f"0x{error.hresult:08X}"
        if problem != MISSING:
            self.failures[name, self.subject, problem] += 1
            self._in_a_row += 1
        if self._in_a_row > MOST_FAILURES:
            return SolidWorksError(
                f"SolidWorks failed {MOST_FAILURES} calls in a row{what} (the last: {name} reported {error}). "
                "Restart SolidWorks and open the document again."
            )
        return CallError(self._sentence(error, name, what), name, problem)

    def _sentence(self, error: ComError, name: str, what: str) -> str:
        if error.hresult in NO_MEMBER:
            return (
                f"{named(self.release)} does not have {name}, which is needed{what or ' to read the document'}. "
                "swgrm needs SolidWorks 2021 or newer."
            )
        return (
            f"SolidWorks failed{what}: {name} reported {error}. "
            "Rebuild the document (Ctrl+Q) and try again; if the error persists, report it."
        )


def named(release: str) -> str:
    """SolidWorks with its year and revision number; the year is the major number plus 1992."""
    major = release.partition(".")[0]
    return f"SolidWorks {int(major) + 1992} ({release})" if major.isdecimal() else "This SolidWorks"


class Subject:
    """A context that names what is being read. A class, because contexts made of generators cost twice as much."""

    __slots__ = ("names", "what")

    def __init__(self, names: list[str], what: str) -> None:
        self.names, self.what = names, what

    def __enter__(self) -> None:
        self.names.append(self.what)

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: object) -> bool | None:
        self.names.pop()
        return None


class Proxy:
    """A SolidWorks object with an interface of the slice."""

    __slots__ = ("port", "raw")
    port: Port
    raw: Any

    def __init__(self, port: Port, raw: Any) -> None:
        self.port, self.raw = port, raw


@cache
def proxy_class(interface: str) -> type[Proxy]:
    """The proxy class of an interface: properties are attributes, methods and indexed properties are methods."""
    namespace: dict[str, Any] = {
        "__slots__": (),
        "__doc__": f"SolidWorks' interface {interface}, with the members of the slice.",
    }
    known = interfaces().get(interface)
    for name in {name for _, name in known.members} if known else ():
        members = known.find(name) if known else []
        namespace |= {f"Set{name}": _indexed_put(member) for member in members if member.is_indexed_put}
        if others := [member for member in members if not member.is_indexed_put]:
            namespace[name] = _attribute(*others)
    return type(interface, (Proxy,), namespace)


def _indexed_put(member: Member) -> Any:
    """The method that puts a property with an index, under the name that pywin32 gives it: SetNAME(index, value)."""
    return lambda self, *args: self.port.call(self.raw, member, args)


def _attribute(*members: Member) -> Any:
    by_kind = {member.kind: member for member in members}
    called = by_kind.get("method") or by_kind.get("get")
    if called is not None and not called.is_plain_property:
        if not called.inputs:
            return lambda self: self.port.call(self.raw, called)
        return lambda self, *args: self.port.call(self.raw, called, args)
    getter, setter = by_kind.get("get"), by_kind.get("put")
    return property(
        (lambda self: self.port.call(self.raw, getter)) if getter else None,
        (lambda self, value: self.port.call(self.raw, setter, (value,))) if setter else None,
    )


def _unwrapped(value: Any) -> Any:
    if isinstance(value, tuple):
        return tuple(_unwrapped(item) for item in value)
    return value.raw if isinstance(value, Proxy) else value


_SCALARS: dict[str, Callable[[Any], Any]] = {
    "BSTR": lambda text: text or "",  # COM's null string is the empty one
    "name": str,
    "VARIANT_BOOL": bool,
    "bool": bool,
    "double": float,
    "long": int,
    "void": lambda _: None,
}
_PLAIN = (str, int, float, bytes, tuple, list)  # types of values that are not objects of SolidWorks
_FLOATS = {float}
_TYPES: dict[str, Any] = {
    "BSTR": (str, NoneType),
    "name": str,
    "VARIANT_BOOL": int,  # True is -1 for some servers
    "bool": int,
    "double": (int, float),
    "long": int,
    "void": object,
}


def wrong_type(value: Any, expected: str) -> BadValueError:
    """The error for a value of another type than expected."""
    return BadValueError(f"a {type(value).__name__} was returned where {expected} was expected")


def _scalar(value: Any, kind: str) -> Any:
    if type(value) is QUICK_TYPES.get(kind):
        return value
    if kind == "name" and not value:
        raise BadValueError("no text was returned where a name was expected")
    if value is None and kind not in ("BSTR", "void"):
        raise BadValueError(f"no value was returned where a {kind} was expected")
    is_whole = kind == "long" and isinstance(value, float) and value.is_integer()  # an item of an array of numbers
    if not (is_whole or isinstance(value, _TYPES[kind])):
        raise wrong_type(value, f"a {kind}")
    try:
        scalar = _SCALARS[kind](value)
    except OverflowError:  # an integer that no double can hold
        scalar = math.inf
    if kind == "double" and not math.isfinite(scalar):
        raise BadValueError(f"{value} was returned where a number was expected")
    return scalar


def _are_numbers(value: Any) -> bool:
    """Whether a value is a tuple of finite floats and of nothing else; False, too, if only their sum overflows."""
    return type(value) is tuple and set(map(type, value)) == _FLOATS and math.isfinite(sum(value))


def _packed(value: Any, kind: Type) -> bytes:
    """The bytes of an array of bytes or of 32-bit floats (little-endian)."""
    try:
        data, total = _data_and_sum(value, "f" if kind.content == "float" else "B")
    except (TypeError, ValueError, OverflowError) as error:
        raise BadValueError(f"an array of {kind.content} was expected") from error
    count = len(data) // (4 if kind.content == "float" else 1)
    if not math.isfinite(total) or not kind.fits(count):
        raise BadValueError(f"{count} values, which are not usable, were returned for {kind.holds}")
    return data


def _data_and_sum(value: Any, code: str) -> tuple[bytes, float]:
    """The bytes of an array that was returned as bytes, in any other form, or not at all; and its sum."""
    if type(value) is tuple and code == "f":  # four times as fast as an array, which accepts more
        with suppress(TypeError, OverflowError, struct.error):
            return struct.pack(f"<{len(value)}f", *value), sum(value)
    numbers: array[Any] = array(code)
    if isinstance(value, bytes | bytearray | memoryview):
        numbers.frombytes(value)
    elif value is not None:
        numbers.extend(value)
    if code == "f" and sys.byteorder == "big" and not isinstance(value, bytes):
        numbers.byteswap()
    return numbers.tobytes(), sum(numbers)
