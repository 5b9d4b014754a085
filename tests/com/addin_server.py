"""A mock SolidWorks process for the add-in's tests: the application, and an object that controls the mock.

python addin_server.py NAME CAPTURE        the add-in is loaded by a host in another process
python addin_server.py NAME CAPTURE load   the add-in is loaded here, as SolidWorks would
python addin_server.py NAME CAPTURE spoil  one number of the mock is NaN

Its ProgIDs are made from NAME. A server that a test kills has its own: Wine directs clients to it for some time.
"""

from __future__ import annotations

import math
import sys
import time
from pathlib import Path
from typing import Any

import msgspec
import pythoncom
import pywintypes
from win32com.server.util import wrap

from swgrm.capture import Capture, load
from swgrm.solidworks.swconst_calls import swMessageBoxBtn_e, swMessageBoxResult_e
from swgrm_addin.inside.identity import CLSID
from swgrm_mocks.solidworks import MockSolidWorks
from swgrm_mocks.testing.com_objects import ApplicationPolicy, wrapped
from swgrm_mocks.testing.com_registration import id_of
from swgrm_mocks.testing.com_server import serve

NAME = "AddinTest"


def progids(name: str = NAME) -> tuple[str, str]:
    """The ProgIDs of the application and of the object that controls it."""
    return f"swgrm.{name}.Application", f"swgrm.{name}.Control"


APPLICATION, CONTROL = progids()


class Control:
    """What a test may read and set in the mock."""

    _public_methods_ = (
        "Callbacks", "Messages", "Items", "Tabs", "Groups", "Press", "Cancel", "State", "Forget", "Readings",
    )  # fmt: skip

    def __init__(self, world: MockSolidWorks) -> None:
        self.world = world

    def Callbacks(self) -> Any:
        return self.world.callbacks

    def Messages(self) -> str:
        return "\x01".join(self.world.messages)

    def Items(self) -> str:
        return " ".join(item["callback"] for group in self.world.commands.groups.values() for item in group.items)

    def Groups(self) -> int:
        return len(self.world.commands.groups)

    def Tabs(self) -> str:
        return " ".join(f"{kind}:{len(tab.boxes[0].commands)}" for (kind, _), tab in self.world.commands.tabs.items())

    def Press(self, button: str) -> None:
        """Sets the button with which the user answers every question."""
        answer = swMessageBoxResult_e[button]
        self.world.button_answers = {int(buttons): int(answer) for buttons in swMessageBoxBtn_e}

    def Cancel(self, position: str) -> None:
        self.world.progress.cancel_at = int(position) if position else None

    def Forget(self) -> None:
        """Releases the callbacks, as SolidWorks does after it unloads an add-in."""
        self.world.callbacks = None

    def State(self) -> str:
        return str(self.world.state())

    def Readings(self) -> str:
        """The readings so far, as JSON: how many incoming calls were being handled, and how long each took [s]."""
        return msgspec.json.encode(readings).decode()


readings: list[tuple[int, float]] = []


def watch_readings() -> None:
    """Record for every reading of the add-in in this process whether it happens inside an incoming call."""
    from swgrm_addin.com.automation import Automation
    from swgrm_addin.inside import working_capture

    names = vars(working_capture)
    handle, read = Automation.IDispatch_Invoke, names["read"]
    depth = 0

    def counted(self: Automation, *args: Any) -> int:
        nonlocal depth
        depth += 1
        try:
            return handle(self, *args)
        finally:
            depth -= 1

    def recorded(*args: Any) -> Any:
        inside, began = depth, time.perf_counter()
        try:
            return read(*args)
        finally:
            readings.append((inside, time.perf_counter() - began))

    Automation.IDispatch_Invoke = counted  # type: ignore[method-assign,assignment]
    names["read"] = recorded


def spoiled(capture: Capture) -> Capture:
    """The capture with NaN in its first mate, for which the reader reports a finding."""
    data = msgspec.to_builtins(capture)
    root = next(document for document in data["documents"] if document.get("mates"))
    root["mates"][0]["entities"][0]["params"] = [math.nan] * 8
    return msgspec.convert(data, Capture)


def load_add_in(world: MockSolidWorks, application: Any) -> Any:
    """Loads the add-in into this process, connects it, and returns it as GetAddInObject does."""
    import comtypes
    import comtypes.automation

    from swgrm_addin.com.published import ISwAddin, dispatch

    made = comtypes.CoCreateInstance(comtypes.GUID(CLSID), ISwAddin, comtypes.CLSCTX_INPROC_SERVER)
    pointer = application.QueryInterface(pythoncom.IID_IDispatch)
    address = int(repr(pointer).rpartition("obj at 0x")[2].rstrip(">"), 16)
    connected = made.ConnectToSW(comtypes.cast(address, comtypes.POINTER(comtypes.automation.IDispatch)), 5)
    assert connected, "the add-in did not connect"
    world.add_ins[CLSID] = dispatch(made.QueryInterface(comtypes.automation.IDispatch))
    return made


def main(name: str, capture: str, *how: str) -> None:
    """Serves until the input ends."""
    application_id, control_id = progids(name)
    if "load" in how:
        watch_readings()
    read = load(Path(capture))
    world = MockSolidWorks(spoiled(read) if "spoil" in how else read)
    application, control = wrapped(world.application), wrap(Control(world))
    add_in = load_add_in(world, application) if "load" in how else None
    clsid = pywintypes.IID(id_of(control_id))
    ApplicationPolicy.made[clsid] = lambda: control
    how = pythoncom.CLSCTX_LOCAL_SERVER, pythoncom.REGCLS_MULTIPLEUSE
    token = pythoncom.CoRegisterClassObject(clsid, pythoncom.MakePyFactory(clsid), *how)
    serve(application_id, lambda: application)
    pythoncom.CoRevokeClassObject(token)
    if add_in is not None:
        world.add_ins.clear()
        add_in.DisconnectFromSW()


if __name__ == "__main__":
    main(*sys.argv[1:])
