"""SolidWorks' published vtable interfaces, which comtypes carries, and the way from its pointers to pywin32's."""

from __future__ import annotations

from ctypes import POINTER, c_long, c_void_p
from typing import Any

import pythoncom
from comtypes import COMMETHOD, GUID, HRESULT, IUnknown
from comtypes.automation import VARIANT_BOOL, IDispatch


class ISwAddin(IUnknown):  # type: ignore[misc] # comtypes publishes no types
    """What SolidWorks asks of an add-in. It derives from IUnknown: an IDispatch alone does not serve."""

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
    """The object behind a comtypes pointer as pywin32 holds it: a PyIDispatch with a reference of its own."""
    # Not ctypes.cast: that ties a knot which only the garbage collector undoes, and SolidWorks' application
    # would be held until then.
    return pythoncom.ObjectFromAddress(c_void_p.from_buffer(pointer).value, pythoncom.IID_IDispatch)
