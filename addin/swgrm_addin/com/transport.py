"""Carries the port's calls over COM: every member by dispid, with the flags and VARIANT types that the slice says."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any, NamedTuple

import pythoncom
import pywintypes
from win32com.client import VARIANT

from swgrm.api import ComError, Member, Parameter, Type, interfaces

NEUTRAL_LOCALE = 0
FLAGS = {
    "method": pythoncom.DISPATCH_METHOD,
    "get": pythoncom.DISPATCH_PROPERTYGET,
    "put": pythoncom.DISPATCH_PROPERTYPUT,
}
VARIANT_TYPES = {
    "void": pythoncom.VT_VOID,
    "BSTR": pythoncom.VT_BSTR,
    "VARIANT": pythoncom.VT_VARIANT,
    "VARIANT_BOOL": pythoncom.VT_BOOL,
    "bool": pythoncom.VT_BOOL,
    "byte": pythoncom.VT_UI1,
    "double": pythoncom.VT_R8,
    "float": pythoncom.VT_R4,
    "long": pythoncom.VT_I4,
    "__int64": pythoncom.VT_I8,
}
PARAMETER_FLAGS = {"in": 1, "out": 2, "inout": 3}  # PARAMFLAG_FIN, PARAMFLAG_FOUT
EXCEPTION, TYPE_MISMATCH, BAD_PARAMETER_COUNT = 0x80020009, 0x80020005, 0x8002000E
PYTHON_TYPES = {"BSTR": (str,), "VARIANT_BOOL": (bool,), "long": (int,), "__int64": (int,), "double": (int, float)}


class Call(NamedTuple):
    """A member as IDispatch wants it called."""

    dispid: int
    flags: int
    returns: tuple[int, int]
    parameters: tuple[tuple[int, int], ...]


class ComTransport:
    """Calls live COM objects, in this process or another: raw objects are pywin32's PyIDispatch."""

    def __init__(self) -> None:
        self._calls: dict[tuple[str, str, str], Call] = {}

    def invoke(self, target: Any, member: Member, args: tuple[Any, ...]) -> Any:
        """Call a member with its inputs; the result, or (result, *outputs) if it has outputs."""
        with com_errors():
            call = self._calls.get((member.interface, member.kind, member.name)) or self._call(target, member)
            values = args if not member.parameters else _arguments(member, args)
            return target.InvokeTypes(call.dispid, NEUTRAL_LOCALE, call.flags, call.returns, call.parameters, *values)

    def query(self, target: Any, interface: str) -> Any:
        """QueryInterface: the pointer for that interface, whose IDispatch knows that interface's members."""
        with com_errors():
            return target.QueryInterface(interface_id(interface), pythoncom.IID_IDispatch)

    def _call(self, target: Any, member: Member) -> Call:
        """Ask the live object for the dispid, once per interface; the rest the slice knows."""
        dispid = target.GetIDsOfNames(NEUTRAL_LOCALE, member.name)
        parameters = tuple(_parameter(parameter) for parameter in member.parameters)
        call = Call(dispid, FLAGS[member.kind], (variant_type(member.returns), 0), parameters)
        self._calls[member.interface, member.kind, member.name] = call
        return call


@cache
def interface_id(interface: str) -> Any:
    """The IID of an interface of the slice, as pywin32 takes it."""
    return pywintypes.IID(f"{{{interfaces()[interface].iid}}}")


@contextmanager
def com_errors() -> Iterator[None]:
    """The one place where pywin32's exceptions become ComError."""
    try:
        yield
    except pythoncom.com_error as error:
        raise as_com_error(error) from error


def as_com_error(error: Any) -> ComError:
    """The HRESULT and description: the server's own where it raised an exception, else COM's."""
    hresult, message, exception, _ = error.args
    if exception is None:
        return ComError(hresult, message or "")
    code, _source, description, _file, _context, scode = exception
    server_code = scode or code
    return ComError(server_code if hresult & 0xFFFFFFFF == EXCEPTION and server_code else hresult, description or message or "")


def variant_type(kind: Type) -> int:
    """The VARIANT type of a COM type: interfaces as IDispatch, pointers to them and to values as references."""
    name = kind.com.rstrip("*")
    depth = len(kind.com) - len(name)
    if name in VARIANT_TYPES:
        return int(VARIANT_TYPES[name] | (pythoncom.VT_BYREF if depth else 0))
    return int(pythoncom.VT_DISPATCH | (pythoncom.VT_BYREF if depth > 1 else 0))


def array_type(kind: Type) -> int:
    """The VARIANT type of an array of what the type holds."""
    return int(pythoncom.VT_ARRAY | VARIANT_TYPES.get(kind.content, pythoncom.VT_DISPATCH))


def _parameter(parameter: Parameter) -> tuple[int, int]:
    return variant_type(parameter.type), PARAMETER_FLAGS[parameter.direction]


def _arguments(member: Member, inputs: tuple[Any, ...]) -> list[Any]:
    """Every argument in its place: inputs as COM wants them, outputs left for the server to fill."""
    if len(inputs) != len(member.inputs):
        raise ComError(BAD_PARAMETER_COUNT, f"{member} takes {len(member.inputs)} values, not {len(inputs)}")
    values = iter(inputs)
    return [
        pythoncom.Missing if parameter.direction == "out" else _argument(next(values), parameter.type)
        for parameter in member.parameters
    ]


def _argument(value: Any, kind: Type) -> Any:
    """The value, typed where pywin32 would guess: arrays by what they hold, nothing as nothing."""
    if kind.is_array:
        if value is not None and not isinstance(value, tuple):
            raise ComError(TYPE_MISMATCH, f"an array of {kind.content} was expected, not {value!r}")
        return VARIANT(pythoncom.VT_EMPTY, None) if value is None else VARIANT(array_type(kind), value)
    if kind.is_object:
        if value is not None and not hasattr(value, "QueryInterface"):
            raise ComError(TYPE_MISMATCH, f"an object ({kind.content}) was expected, not {value!r}")
    elif type(value) not in PYTHON_TYPES[kind.content]:
        raise ComError(TYPE_MISMATCH, f"a {kind.content} was expected, not {value!r}")
    return value
