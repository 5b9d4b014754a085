"""The port to SolidWorks: proxy objects for the API slice, whose calls are counted and whose errors are translated."""

from __future__ import annotations

import sys
import time
from array import array
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache, partial
from typing import Any, Protocol

from swgrm.api import ComError, Member, Type, interfaces
from swgrm.errors import BusyError, LostError, SolidWorksError

BUSY = frozenset((0x80010001, 0x8001010A))  # RPC_E_CALL_REJECTED, RPC_E_SERVERCALL_RETRYLATER
LOST = frozenset((0x800706BA, 0x800706BE, 0x80010007, 0x80010012, 0x80010108, 0x800401FD))
NO_MEMBER = frozenset((0x80020003, 0x80020006))  # DISP_E_MEMBERNOTFOUND, DISP_E_UNKNOWNNAME
UNEXPECTED = 0x8000FFFF

FIRST_PAUSE, LONGEST_PAUSE, PATIENCE = 0.05, 2.0, 60.0  # [s] between calls to a busy SolidWorks, and in total


class Transport(Protocol):
    """Carries the calls: the mock in memory, or COM. Raw objects are of the transport's own type."""

    def invoke(self, target: Any, member: Member, args: tuple[Any, ...]) -> Any:
        """Call a member with its inputs; returns the result, or (result, *outputs), or raises ComError."""

    def query(self, target: Any, interface: str) -> Any:
        """QueryInterface: returns the object with another interface; raises ComError."""


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
        self._reading: list[str] = []

    def wrap(self, raw: Any, interface: str) -> Any:
        """A proxy with that interface for a raw object."""
        return proxy_class(interface)(self, raw)

    def cast(self, proxy: Proxy, interface: str) -> Any:
        """The same object with another interface (QueryInterface)."""
        raw = self.with_retries(partial(self.transport.query, proxy.raw, interface), f"QueryInterface({interface})")
        return self.wrap(raw, interface)

    @contextmanager
    def reading(self, what: str) -> Iterator[None]:
        """A context that names what is being read, for the messages of errors in it."""
        self._reading.append(what)
        try:
            yield
        finally:
            self._reading.pop()

    def call(self, raw: Any, member: Member, *args: Any) -> Any:
        """Call a member; returns values of the slice's types, with objects wrapped and outputs as further results."""
        name = member.full_name
        inputs = tuple(_unwrapped(value) for value in args)
        self.calls[name] += 1
        return self.with_retries(lambda: self._answer(raw, member, inputs), name)

    def _answer(self, raw: Any, member: Member, inputs: tuple[Any, ...]) -> Any:
        answer = self.transport.invoke(raw, member, inputs)
        if not member.outputs:
            return self._value(answer, member.returns)
        types = member.result_types
        if not isinstance(answer, tuple) or len(answer) != len(types):
            raise ComError(UNEXPECTED, f"{len(types)} results were expected")
        return tuple(self._value(value, kind) for value, kind in zip(answer, types, strict=True))

    def _value(self, value: Any, kind: Type) -> Any:
        if kind.is_array:
            return self._array(value, kind)
        if kind.is_object:
            if value is None and not kind.may_be_none:
                raise ComError(UNEXPECTED, f"no object was returned where an {kind.content} was expected")
            return None if value is None else self.wrap(value, kind.content)
        return _scalar(value, kind.content)

    def _array(self, value: Any, kind: Type) -> Any:
        """An array, empty for None. SolidWorks may return a single item without an array; large arrays are bytes."""
        if kind.content in ("float", "byte"):
            return _packed(value, kind.content)
        if value is None:
            return ()
        items = value if isinstance(value, tuple | list) else (value,)
        if kind.is_object:
            return tuple(self.wrap(item, kind.content) for item in items if item is not None)
        return tuple(_scalar(item, kind.content) for item in items)

    def with_retries(self, action: Callable[[], Any], name: str) -> Any:
        """Call the action and translate its COM errors; while SolidWorks is busy, repeat it for `patience` seconds."""
        waited, pause = 0.0, FIRST_PAUSE
        while True:
            try:
                return action()
            except ComError as error:
                if error.hresult not in BUSY or waited >= self.patience:
                    raise self._translated(error, name) from error
            self.sleep(pause)
            waited, pause = waited + pause, min(2 * pause, LONGEST_PAUSE)

    def _translated(self, error: ComError, name: str) -> SolidWorksError:
        what = f" while reading {self._reading[-1]}" if self._reading else ""
        if error.hresult in BUSY:
            return BusyError(
                f"SolidWorks stayed busy for {self.patience:.0f} s{what} ({name}). "
                "Close its open dialogs, finish the running command, and try again."
            )
        if error.hresult in LOST:
            return LostError(
                f"The connection to SolidWorks was lost{what} ({name}: {error}). "
                "Restart SolidWorks and open the document again."
            )
        if error.hresult in NO_MEMBER:
            return SolidWorksError(
                f"{named(self.release)} does not have {name}, which is needed{what or ' to read the document'}. "
                "swgrm needs SolidWorks 2021 or newer."
            )
        return SolidWorksError(
            f"SolidWorks failed{what}: {name} reported {error}. "
            "Rebuild the document (Ctrl+Q) and try again; if the error persists, report it."
        )


def named(release: str) -> str:
    """SolidWorks with its year and revision number; the year is the major number plus 1992."""
    major = release.partition(".")[0]
    return f"SolidWorks {int(major) + 1992} ({release})" if major.isdecimal() else "This SolidWorks"


class Proxy:
    """A SolidWorks object with an interface of the slice."""

    __slots__ = ("port", "raw")
    port: Port
    raw: Any

    def __init__(self, port: Port, raw: Any) -> None:
        object.__setattr__(self, "port", port)
        object.__setattr__(self, "raw", raw)


@cache
def proxy_class(interface: str) -> type[Proxy]:
    """The proxy class of an interface: properties are attributes, methods and indexed properties are methods."""
    namespace: dict[str, Any] = {
        "__slots__": (),
        "__doc__": f"SolidWorks' interface {interface}, with the members of the slice.",
    }
    known = interfaces().get(interface)
    for name in {name for _, name in known.members} if known else ():
        namespace[name] = _attribute(*(known.find(name) if known else ()))
    return type(interface, (Proxy,), namespace)


def _attribute(*members: Member) -> Any:
    by_kind = {member.kind: member for member in members}
    called = by_kind.get("method") or by_kind.get("get")
    if called is not None and not called.is_plain_property:
        return lambda self, *args: self.port.call(self.raw, called, *args)
    getter, setter = by_kind.get("get"), by_kind.get("put")
    return property(
        (lambda self: self.port.call(self.raw, getter)) if getter else None,
        (lambda self, value: self.port.call(self.raw, setter, value)) if setter else None,
    )


def _unwrapped(value: Any) -> Any:
    if isinstance(value, tuple):
        return tuple(_unwrapped(item) for item in value)
    return value.raw if isinstance(value, Proxy) else value


_SCALARS: dict[str, Callable[[Any], Any]] = {
    "BSTR": lambda text: "" if text is None else str(text),  # COM's null string is the empty one
    "VARIANT_BOOL": bool,
    "bool": bool,
    "double": float,
    "long": int,
    "void": lambda _: None,
}


def _scalar(value: Any, kind: str) -> Any:
    if value is None and kind not in ("BSTR", "void"):
        raise ComError(UNEXPECTED, f"no value was returned where a {kind} was expected")
    try:
        return _SCALARS[kind](value)
    except (TypeError, ValueError) as error:
        raise ComError(UNEXPECTED, f"a {type(value).__name__} was returned where a {kind} was expected") from error


def _packed(value: Any, kind: str) -> bytes:
    """The bytes of an array of bytes or of 32-bit floats (little-endian)."""
    if value is None:
        return b""
    if isinstance(value, bytes | bytearray | memoryview):
        return bytes(value)
    try:
        numbers = array("f" if kind == "float" else "B", value)
    except (TypeError, ValueError, OverflowError) as error:
        raise ComError(UNEXPECTED, f"an array of {kind} was expected") from error
    if kind == "float" and sys.byteorder == "big":
        numbers.byteswap()
    return numbers.tobytes()
