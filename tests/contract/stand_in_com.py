"""The transport over COM on any system: stand-ins for the modules of pywin32, and for its pointers to objects."""

from __future__ import annotations

import importlib
import sys
from functools import cache
from types import ModuleType, SimpleNamespace
from typing import Any

from swgrm.solidworks.api_slice import ComError, Type, interfaces
from swgrm_mocks.solidworks import MockPointer
from swgrm_mocks.solidworks.dispatch_maps import classes_of, member_at, number_of

MODULES = ("pythoncom", "pywintypes", "win32com", "win32com.client", "swgrm_addin.com.transport")
TYPES = ("VOID", "BSTR", "VARIANT", "BOOL", "UI1", "R8", "R4", "I4", "I2", "I8", "EMPTY", "DISPATCH", "ARRAY", "BYREF")


@cache
def transport_module() -> Any:
    """The module of the transport; without pywin32, with stand-ins for what it imports."""
    if sys.platform == "win32":
        return importlib.import_module(MODULES[-1])
    before = {name: sys.modules.pop(name, None) for name in MODULES}
    sys.modules |= _stand_ins()
    try:
        return importlib.import_module(MODULES[-1])
    finally:
        for name, module in before.items():
            sys.modules.pop(name, None)
            if module is not None:
                sys.modules[name] = module


def _stand_ins() -> dict[str, ModuleType]:
    modules = {name: ModuleType(name) for name in MODULES[:-1]}
    flags = {"DISPATCH_METHOD": 1, "DISPATCH_PROPERTYGET": 2, "DISPATCH_PROPERTYPUT": 4}
    types = {f"VT_{name}": 1 << number for number, name in enumerate(TYPES)}
    error = type("com_error", (Exception,), {})
    vars(modules["pythoncom"]).update(flags, **types, com_error=error, Missing=object(), IID_IDispatch="IDispatch")
    vars(modules["pywintypes"])["IID"] = str
    vars(modules["win32com.client"])["VARIANT"] = lambda kind, value: SimpleNamespace(kind=kind, value=value)
    return modules


class StandInDispatch:
    """A pointer to an object of the mock, called by number, with the dispatch map of the object's class.

    `invoked` gets the full name of every member that a call reached.
    """

    def __init__(self, handle: MockPointer, invoked: list[str]) -> None:
        self.handle, self.invoked = handle, invoked

    def GetIDsOfNames(self, _locale: int, name: str) -> int:
        """The number of a name."""
        try:
            return number_of(classes_of(self.handle), name)
        except ComError as error:
            raise _raised(error) from error

    def QueryInterface(self, iid: Any, _wrapper: Any = None) -> StandInDispatch:
        """Another pointer to the object; the mock decides whether it has another dispatch map."""
        names = {str(transport_module().interface_id(i.name)): i.name for i in interfaces().values() if i.iid}
        try:
            return StandInDispatch(self.handle.query(names[str(iid)]), self.invoked)
        except ComError as error:
            raise _raised(error) from error

    def InvokeTypes(self, number: int, _locale: int, flags: int, _returns: Any, _types: Any, *values: Any) -> Any:
        """Call the member with this number."""
        module = transport_module()
        kinds = tuple(kind for kind, flag in module.FLAGS.items() if flags & flag)
        try:
            member = member_at(classes_of(self.handle), number, kinds)
            self.invoked.append(str(member))
            if isinstance(member, str):
                return None
            inputs = tuple(_received(value) for value in values if value is not module.pythoncom.Missing)
            answer = self.handle.invoke(member.name, member.kind, inputs)
        except ComError as error:
            raise _raised(error) from error
        if not member.outputs:
            return self._sent(answer, member.returns)
        return tuple(self._sent(value, kind) for value, kind in zip(answer, member.result_types, strict=True))

    def _sent(self, value: Any, kind: Type) -> Any:
        if isinstance(value, tuple) and kind.is_object:
            return tuple(self._sent(item, kind) for item in value)
        return StandInDispatch(value, self.invoked) if isinstance(value, MockPointer) else value


def _received(value: Any) -> Any:
    value = getattr(value, "value", value) if not isinstance(value, StandInDispatch) else value
    if isinstance(value, tuple):
        return tuple(map(_received, value))
    return value.handle if isinstance(value, StandInDispatch) else value


def _raised(error: ComError) -> Exception:
    signed = error.hresult - (1 << 32)
    raised: Exception = transport_module().pythoncom.com_error(signed, error.description, None, None)
    return raised
