"""The add-in over real COM: a native host loads it by its CLSID, presses its buttons, and releases it."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
import pythoncom
from tests.com.addin_server import APPLICATION, CONTROL, progids
from tests.com.host import Host
from tests.com.playing import CAPTURE, assert_exported, connected, document, messages, next_message, pressed, solidworks
from tests.com.prepare import NAME

from swgrm.capture import load
from swgrm.errors import LostError, SolidWorksError
from swgrm_addin import remote
from swgrm_addin.com import reach
from swgrm_addin.inside.commands import COMMANDS, ICONS
from swgrm_addin.inside.identity import CLSID
from swgrm_addin.installation import registry

HEAVY = {"numpy", "scipy", "lxml", "trimesh", "yaml", "swgrm_exporters", "swgrm_mocks"}
BUTTONS = [command.callback for command in COMMANDS]


@pytest.fixture(scope="module", autouse=True)
def _registered() -> Iterator[None]:
    """The add-in of this Python, registered for these tests."""
    registry.register()
    yield
    registry.unregister()


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The document's folder; the add-in has one of its own."""
    monkeypatch.setenv("SWGRM_DATA", str(tmp_path / "data ü"))
    with document() as made:
        yield made


@pytest.fixture
def host(folder: Path) -> Iterator[Host]:  # noqa: ARG001 - the document's folder must be there
    with solidworks(), connected() as host:
        yield host


def test_the_host_finds_group_tabs_and_callbacks(host: Host) -> None:
    assert host.call("control", "Items").split() == BUTTONS
    shown = len(ICONS)  # the others are in the menu only
    assert sorted(host.call("control", "Tabs").split()) == [f"1:{shown}", f"2:{shown}"]
    for command in COMMANDS:
        assert host.call("callbacks", command.enabled) == ("0" if command.callback == "OpenLastExport" else "1")


def test_no_large_libraries_are_loaded_into_the_host(host: Host) -> None:
    assert "swgrm.log" in pressed(host, "Help")
    assert "Leave out the names" in pressed(host, "SaveCapture")
    assert "capture.swcap: what swgrm reads of the assembly" in next_message(host, len(messages(host)))
    libraries = host.modules()
    parts = {part.lower() for library in libraries for part in Path(library).parts}
    assert {"python313.dll", "_ctypes.pyd"} <= parts
    assert not parts & HEAVY
    sys.stdout.write("\n".join(sorted({Path(library).name for library in libraries})))


def test_export_grm_by_name_writes_what_the_command_line_wrote_elsewhere(host: Host, folder: Path) -> None:
    message = pressed(host, "ExportGRM")
    assert "was exported" in message, message
    assert_exported(folder / f"{NAME}_grm")
    assert host.call("callbacks", "CanOpenLastExport") == "1"


def test_cancel_ends_the_subprocess(host: Host, folder: Path) -> None:
    before = len(messages(host))
    host.call("callbacks", "ExportGRM")
    host.call("control", "Cancel", "0")
    assert "was cancelled" in next_message(host, before)
    assert not list((folder / f"{NAME}_grm").glob("*.urdf"))
    host.call("control", "Cancel", "")


def test_the_message_loop_of_a_native_host_runs_an_order(host: Host, tmp_path: Path) -> None:
    """The host knows nothing of orders: it pumps messages, and the add-in's timer is one of them."""
    file = tmp_path / "ordered.swcap"
    ticket = host.call("addin", "QueueCapture", "", str(file))
    for _ in range(600):
        state = msgspec.json.decode(host.call("addin", "State", ticket))
        if state["state"] not in ("queued", "running"):
            break
        host.do("pump", "200")
    assert state["state"] == "done", state
    assert load(file) == load(CAPTURE)


def call(target: Any, method: str, *arguments: str) -> str:
    """The result of a method, called by name as a program in any language does."""
    number = target.GetIDsOfNames(0, method)
    return str(target.Invoke(number, 0, pythoncom.DISPATCH_METHOD, True, *arguments))


def test_an_order_runs_from_the_timer_and_not_inside_the_incoming_call(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Capture reads inside the call of the other process; QueueCapture returns a ticket, and the timer reads."""
    document, files = str(folder / f"{NAME}.SLDASM"), [tmp_path / "in a call.swcap", tmp_path / "ordered.swcap"]
    with solidworks("load"):
        application = reach.running(APPLICATION)
        add_in = application.GetAddInObject(CLSID).raw
        control = pythoncom.CoCreateInstance(CONTROL, None, pythoncom.CLSCTX_LOCAL_SERVER, pythoncom.IID_IDispatch)
        assert call(add_in, "Capture", document, str(files[0]), "") == "[]"
        began = time.perf_counter()
        ticket = call(add_in, "QueueCapture", document, str(files[1]), "")
        accepted = time.perf_counter() - began
        while msgspec.json.decode(call(add_in, "State", ticket))["state"] in ("queued", "running"):
            time.sleep(0.01)
        assert files[0].read_bytes() == files[1].read_bytes()
        (in_call, its_time), (in_timer, order_time) = msgspec.json.decode(call(control, "Readings"))
        assert (in_call, in_timer) == (1, 0)
        with capsys.disabled():
            sys.stdout.write(
                f"\nread inside the incoming call: {its_time:.3f} s; from the timer: {order_time:.3f} s, "
                f"ordered in {accepted:.3f} s\n"
            )
        assert msgspec.json.decode(call(add_in, "State", "none"))["state"] == "unknown"
        ticket = call(add_in, "QueueExport", document, str(tmp_path / "out"), "")
        assert msgspec.json.decode(call(add_in, "Cancel", ticket))["state"] == "cancelled"
        del application, add_in, control


def test_an_order_is_lost_with_solidworks(folder: Path, tmp_path: Path) -> None:
    name = "AddinTest.Killed"
    with solidworks("load", name=name) as server:
        application = reach.running(progids(name)[0])
        with pytest.raises(LostError, match=r"was lost.*State"):
            remote.export(
                application, str(folder / f"{NAME}.SLDASM"), str(tmp_path / "out"), report=lambda _: server.kill()
            )
        del application


def test_automation_from_another_process(folder: Path, tmp_path: Path) -> None:
    """The add-in runs in the mock SolidWorks' process; this process requests a capture and an export."""
    with solidworks("load"):
        application = reach.running(APPLICATION)
        file = tmp_path / "från outside.swcap"
        assert remote.capture(application, "", str(file)) == ()
        assert application.port.calls == {"ISldWorks.GetAddInObject": 1}, "by its CLSID, then never again"
        assert load(file) == load(CAPTURE)
        began = time.monotonic()
        assert "was exported" in str(remote.export(application, str(folder / f"{NAME}.SLDASM"), str(tmp_path / "out")))
        sys.stdout.write(f"export from outside: {time.monotonic() - began:.1f} s\n")
        assert_exported(tmp_path / "out")
        with pytest.raises(SolidWorksError, match="does not exist"):
            remote.capture(application, str(tmp_path / "none.SLDASM"), str(file))
        del application
