"""The port's transport over COM: calls every member by dispid, with the flags and VARIANT types of the slice."""

from __future__ import annotations

import gc
from functools import cache
from types import TracebackType
from typing import Any, NamedTuple

import pythoncom
import pywintypes
from win32com.client import VARIANT

from swgrm.solidworks.api_slice import ComError, Member, Type, interfaces

NEUTRAL = 0  # locale
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
    "short": pythoncom.VT_I2,
    "__int64": pythoncom.VT_I8,
}
PARAMETER_FLAGS = {"in": 1, "out": 2, "inout": 3}  # PARAMFLAG_FIN, PARAMFLAG_FOUT
EXCEPTION, TYPE_MISMATCH, BAD_PARAMETER_COUNT = 0x80020009, 0x80020005, 0x8002000E
PYTHON_TYPES: dict[str, type | tuple[type, ...]] = {
    "BSTR": str,
    "VARIANT_BOOL": bool,
    "long": int,
    "short": int,
    "__int64": int,
    "double": (int, float),
}
NUMBERS = ("long", "__int64", "double")


class ComCall(NamedTuple):
    """The arguments of InvokeTypes for a member, computed once; everything but the dispid."""

    flags: int
    returns: tuple[int, int]
    parameters: tuple[tuple[int, int], ...]
    inputs: tuple[Type | None, ...]  # by parameter; None for an output
    are_objects: tuple[bool, ...]  # of the result, then of the outputs
    has_objects: bool


class ComTransport:
    """Calls COM objects of this or another process; raw objects are pywin32's PyIDispatch."""

    def __init__(self) -> None:
        self._calls: dict[str, ComCall] = {}

    def invoke(self, target: Any, member: Member, args: tuple[Any, ...]) -> Any:
        """Call a member with its inputs; returns the result, or (result, *outputs) if it has outputs."""
        try:
            call = self._calls.get(member.key) or self._learn(member)
            flags, returns, parameters, inputs, are_objects, has_objects = call
            # A number that one object returns for a name may be another member of the next object: IPartDoc and
            # IModelDoc2 have different ones for the same name. So it is that of the type library, or is never kept.
            dispid = member.dispid or target.GetIDsOfNames(NEUTRAL, member.name)
            values = _arguments(inputs, args) if inputs or args else ()
            try:
                answer = target.InvokeTypes(dispid, NEUTRAL, flags, returns, parameters, *values)
            except (TypeError, ValueError, OverflowError) as error:  # a VARIANT that pywin32 cannot convert
                raise ComError(TYPE_MISMATCH, str(error)) from error
            return _with_objects(answer, are_objects) if has_objects else answer
        except pythoncom.com_error as error:
            raise as_com_error(error) from error

    def query(self, target: Any, interface: str) -> Any:
        """QueryInterface: returns the IDispatch for that interface's members.

        An interface whose IID is not known is that of the object's own IDispatch, as late binding uses it.
        """
        if not interfaces()[interface].iid:
            return target
        with com_errors:
            return target.QueryInterface(interface_id(interface), pythoncom.IID_IDispatch)

    def automate(self, target: Any, method: str, arguments: tuple[Any, ...]) -> Any:
        """Call a method of an object that is not SolidWorks' own, such as an add-in, by name."""
        with com_errors:
            number = target.GetIDsOfNames(NEUTRAL, method)
            return target.Invoke(number, NEUTRAL, pythoncom.DISPATCH_METHOD, True, *arguments)

    def release(self) -> None:
        """Release the objects that only cycles of references keep, now and on this thread."""
        gc.collect()

    def _learn(self, member: Member) -> ComCall:
        """Compute the arguments of a member's calls from the slice."""
        are_objects = (member.returns.is_object, *(p.type.is_object for p in member.outputs))
        call = self._calls[member.key] = ComCall(
            FLAGS[member.kind],
            (variant_type(member.returns), 0),
            tuple((variant_type(p.type), PARAMETER_FLAGS[p.direction]) for p in member.parameters),
            tuple(None if p.direction == "out" else p.type for p in member.parameters),
            are_objects,
            any(are_objects),
        )
        return call


@cache
def interface_id(interface: str) -> Any:
    """The IID of an interface of the slice, for pywin32."""
    return pywintypes.IID(f"{{{interfaces()[interface].iid}}}")


class ComErrors:
    """A context that turns pywin32's exceptions into ComError."""

    def __enter__(self) -> None:
        """Do nothing."""

    def __exit__(
        self, _kind: type[BaseException] | None, error: BaseException | None, _trace: TracebackType | None
    ) -> None:
        if isinstance(error, pythoncom.com_error):
            raise as_com_error(error) from error


com_errors = ComErrors()


def as_com_error(error: Any) -> ComError:
    """The error with the server's HRESULT and description if the server raised an exception, otherwise with COM's."""
    hresult, message, exception, _ = error.args
    if exception is None:
        return ComError(hresult, message or "")
    code, _source, description, _file, _context, scode = exception
    server_code = scode or code
    return ComError(
        server_code if hresult & 0xFFFFFFFF == EXCEPTION and server_code else hresult, description or message or ""
    )


def variant_type(kind: Type) -> int:
    """The VARIANT type of a COM type: IDispatch for interfaces, references for pointers to them and to values."""
    name = kind.com.rstrip("*")
    depth = len(kind.com) - len(name)
    if name in VARIANT_TYPES:
        return int(VARIANT_TYPES[name] | (pythoncom.VT_BYREF if depth else 0))
    return int(pythoncom.VT_DISPATCH | (pythoncom.VT_BYREF if depth > 1 else 0))


def array_type(kind: Type) -> int:
    """The VARIANT type of an array of the type's content."""
    return int(pythoncom.VT_ARRAY | VARIANT_TYPES.get(kind.content, pythoncom.VT_DISPATCH))


def _with_objects(answer: Any, are_objects: tuple[bool, ...]) -> Any:
    """The results of a call with its objects as IDispatch."""
    if len(are_objects) == 1:
        return _objects(answer)
    if not isinstance(answer, tuple):
        return answer  # too few results, which the port reports
    pairs = zip(answer, are_objects, strict=False)
    return tuple(_objects(value) if is_object else value for value, is_object in pairs)


def _arguments(inputs: tuple[Type | None, ...], given: tuple[Any, ...]) -> list[Any]:
    """The arguments of all parameters: inputs typed for COM, outputs missing."""
    wanted = len(inputs) - inputs.count(None)
    if len(given) != wanted:
        raise ComError(BAD_PARAMETER_COUNT, f"{wanted} arguments were expected, not {len(given)}")
    values = iter(given)
    return [pythoncom.Missing if kind is None else _argument(next(values), kind) for kind in inputs]


def _argument(value: Any, kind: Type) -> Any:
    """The value with its type, where pywin32 would guess: arrays by their content, None as empty."""
    if kind.is_array:
        if value is not None and not isinstance(value, tuple):
            raise ComError(TYPE_MISMATCH, f"an array of {kind.content} was expected, not {value!r}")
        return VARIANT(pythoncom.VT_EMPTY, None) if value is None else VARIANT(array_type(kind), value)
    if kind.is_object:
        if value is not None and not hasattr(value, "QueryInterface"):
            raise ComError(TYPE_MISMATCH, f"an object ({kind.content}) was expected, not {value!r}")
    elif not isinstance(value, PYTHON_TYPES[kind.content]) or isinstance(value, bool) != (
        kind.content == "VARIANT_BOOL"
    ):
        raise ComError(TYPE_MISMATCH, f"a {kind.content} was expected, not {value!r}")
    return value


def _objects(value: Any) -> Any:
    """Objects as IDispatch, since some servers return IUnknown; None stays None."""
    if value is None or hasattr(value, "GetIDsOfNames"):
        return value
    if isinstance(value, tuple):
        return tuple(map(_objects, value))
    if hasattr(value, "QueryInterface"):
        return value.QueryInterface(pythoncom.IID_IDispatch)
    raise ComError(TYPE_MISMATCH, f"an object was expected, but {value!r} was returned")
