"""A server that misbehaves: it raises, answers with wrong types, and is busy as SolidWorks is in a dialog."""

from __future__ import annotations

import sys
import time
from ctypes import POINTER, byref, c_ulong, c_void_p, oledll
from typing import Any

from comtypes import COMMETHOD, GUID, COMObject, IUnknown
from tests.contract.full_capture import full_capture

from swgrm_mocks.solidworks import MockPointer, MockSolidWorks
from swgrm_mocks.solidworks.application import SldWorks
from swgrm_mocks.testing.com_objects import wrapped
from swgrm_mocks.testing.com_server import serve

TAKEN, REJECTED = 0, 1  # SERVERCALL; Wine supports no other
BUSY_FOR = 2.0  # [s]


class IMessageFilter(IUnknown):  # type: ignore[misc] # comtypes publishes no types
    """The interface that COM calls before it accepts a call."""

    _iid_ = GUID("{00000016-0000-0000-C000-000000000046}")
    _methods_ = (
        COMMETHOD(
            [], c_ulong, "HandleInComingCall",
            (["in"], c_ulong), (["in"], c_void_p), (["in"], c_ulong), (["in"], c_void_p),
        ),
        COMMETHOD([], c_ulong, "RetryRejectedCall", (["in"], c_void_p), (["in"], c_ulong), (["in"], c_ulong)),
        COMMETHOD([], c_ulong, "MessagePending", (["in"], c_void_p), (["in"], c_ulong), (["in"], c_ulong)),
    )  # fmt: skip


class Dialog(COMObject):  # type: ignore[misc]
    """Rejects calls while it is open."""

    _com_interfaces_ = (IMessageFilter,)
    open_until = 0.0

    def IMessageFilter_HandleInComingCall(self, this: Any, *_: Any) -> int:  # noqa: ARG002 - comtypes' names
        return REJECTED if time.monotonic() < self.open_until else TAKEN

    def IMessageFilter_RetryRejectedCall(self, this: Any, *_: Any) -> int:  # noqa: ARG002 - comtypes' names
        return 0xFFFFFFFF

    def IMessageFilter_MessagePending(self, this: Any, *_: Any) -> int:  # noqa: ARG002 - comtypes' names
        return 2


class Broken(SldWorks):
    """The application with five faults."""

    def RevisionNumber(self) -> str:
        raise ZeroDivisionError("raised by the test")

    def GetOpenDocumentByName(self, _name: str) -> Any:
        return "a text, not a document"

    def CommandInProgress(self) -> Any:
        return None

    def SendMsgToUser2(self, _message: str, _icon: int, _buttons: int) -> Any:
        return None

    def CloseDoc(self, _name: str) -> None:
        dialog.open_until = time.monotonic() + BUSY_FOR


dialog = Dialog()

if __name__ == "__main__":
    world = MockSolidWorks(full_capture())
    pointer = dialog.QueryInterface(IMessageFilter)
    oledll.ole32.CoRegisterMessageFilter(pointer, byref(POINTER(IMessageFilter)()))
    serve(sys.argv[1], lambda: wrapped(MockPointer(world.connection, Broken(world))))
