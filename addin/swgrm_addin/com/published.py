"""SolidWorks' published vtable interface ISwAddin (comtypes), and the conversion of its pointers to pywin32's."""

from __future__ import annotations

from ctypes import POINTER, c_long, c_void_p
from typing import Any

import pythoncom
from comtypes import COMMETHOD, GUID, HRESULT, IUnknown
from comtypes.automation import VARIANT_BOOL, IDispatch


class ISwAddin(IUnknown):  # type: ignore[misc] # comtypes publishes no types
    """The interface that SolidWorks requires of an add-in; it derives from IUnknown, not from IDispatch."""

    _iid_ = GUID("{DA306A0D-EAC5-4406-8610-B1DA805D9270}")
    _methods_ = (
        COMMETHOD(
            [], HRESULT, "ConnectToSW",
            (["in"], POINTER(IDispatch), "ThisSW"),
            (["in"], c_long, "Cookie"),
            (["out", "retval"], POINTER(VARIANT_BOOL), "IsConnected"),
        ),
        COMMETHOD([], HRESULT, "DisconnectFromSW", (["out", "retval"], POINTER(VARIANT_BOOL), "IsDisconnected")),
    )  # fmt: skip


def dispatch(pointer: Any) -> Any:
    """The object of a comtypes pointer as pywin32's PyIDispatch, with its own reference."""
    # Not ctypes.cast: it makes a reference cycle, which would keep SolidWorks' application alive until the garbage
    # collector runs.
    return pythoncom.ObjectFromAddress(c_void_p.from_buffer(pointer).value, pythoncom.IID_IDispatch)
