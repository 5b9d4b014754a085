"""A host that is not Python loads a class of ours by its CLSID, as SolidWorks does."""

from __future__ import annotations

import subprocess
import sys
import winreg
from collections.abc import Iterator
from pathlib import Path

import pytest
from comtypes.server.register import register, unregister
from tests.com.host import PROGRAM, Host, running_host
from tests.com.probe import Probe
from tests.contract.full_capture import full_capture
from tests.contract.transports import running

from swgrm.capture.file import encode, save
from swgrm_mocks.testing.com_registration import registered

PROGID = "swgrm.HostTest"
OK, TRUE = "0x00000000", "-1"
CLSID = str(Probe._reg_clsid_)
HEAVY = {"numpy", "scipy", "lxml", "trimesh", "yaml"}


@pytest.fixture(scope="module", autouse=True)
def _registry(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    capture = tmp_path_factory.mktemp("source") / "every.swcap"
    save(full_capture(), capture)
    local = [sys.executable, "-X", "utf8", "-m", "swgrm_mocks.testing.com_server", PROGID, str(capture)]
    library = str(Path(sys.prefix) / f"pythoncom{sys.version_info.major}{sys.version_info.minor}.dll")
    register(Probe)
    with winreg.OpenKey(winreg.HKEY_CLASSES_ROOT, rf"CLSID\{CLSID}\InprocServer32", access=winreg.KEY_WRITE) as key:
        winreg.SetValueEx(key, "PythonPath", 0, winreg.REG_SZ, str(Path(__file__).parents[2]))
    with (
        registered(
            PROGID, LocalServer32=subprocess.list2cmdline(local), InprocServer32=library, MockSource=str(capture)
        ),
        running(local),
    ):
        yield
    unregister(Probe)


@pytest.fixture(scope="module", params=["inproc", "local"])
def host(request: pytest.FixtureRequest) -> Iterator[Host]:
    """A host with the application, in its own process or in another."""
    with running_host() as running:
        assert running.do("app", PROGID, request.param) == OK
        yield running
        assert running.do("release", "app") == f"{OK} 0"


@pytest.fixture
def addin(host: Host) -> Iterator[Host]:
    """The host with the add-in, to which no reference is held afterwards."""
    assert host.do("create", CLSID) == OK
    yield host
    assert host.do("release", "addin") == f"{OK} 0"


@pytest.fixture
def connected(addin: Host) -> Iterator[Host]:
    """The host with the add-in connected."""
    assert addin.do("connect", "1") == f"{OK} {TRUE}"
    yield addin
    assert addin.do("disconnect") == f"{OK} {TRUE}"


def test_it_connects_and_disconnects(addin: Host) -> None:
    for cookie in (42, -7):
        assert addin.do("connect", str(cookie)) == f"{OK} {TRUE}"
        executable, prefix, seen = addin.call("addin", "Place").split("|")
        assert (Path(executable), Path(prefix), seen) == (PROGRAM, Path(sys.prefix), str(cookie))
        assert addin.do("disconnect") == f"{OK} {TRUE}"


def test_the_add_in_reads_the_assembly_in_the_hosts_process(connected: Host, tmp_path: Path) -> None:
    target = tmp_path / "räad.swcap"
    assert int(connected.call("addin", "Capture", str(target))) > 100
    assert target.read_bytes() == encode(full_capture())


def test_no_large_libraries_are_loaded_into_the_host(connected: Host, tmp_path: Path) -> None:
    connected.call("addin", "Capture", str(tmp_path / "x.swcap"))
    python, libraries = set(connected.call("addin", "Modules").split()), connected.modules()
    assert {"swgrm", "swgrm_addin", "msgspec", "pythoncom", "comtypes"} <= python
    assert not python & HEAVY
    assert "swgrm_exporters" not in python
    folders = {part.lower() for library in libraries for part in Path(library).parts}
    assert "python313.dll" in folders
    assert not folders & HEAVY


def test_the_reader_does_not_load_the_mock_into_the_host(
    request: pytest.FixtureRequest, connected: Host, tmp_path: Path
) -> None:
    connected.call("addin", "Capture", str(tmp_path / "x.swcap"))
    serves_itself = request.node.callspec.params["host"] == "inproc"
    assert ("swgrm_mocks" in connected.call("addin", "Modules").split()) == serves_itself


def test_methods_are_called_by_name_with_values(addin: Host) -> None:
    assert addin.call("addin", "Echo", "ä ロボット", "", "c") == "ä ロボット||c"
    assert addin.call("addin", "echo") == ""


def test_an_unknown_method_is_refused(addin: Host) -> None:
    assert addin.do("call", "addin", "Nothing") == "0x80020006"


def test_an_exception_in_a_method_becomes_the_callers_error(addin: Host) -> None:
    assert addin.do("call", "addin", "Fail") == "0x80020009 raised by the test"
    assert addin.do("connect", "1") == f"{OK} {TRUE}"
    assert addin.do("disconnect") == f"{OK} {TRUE}"


def test_a_class_that_is_not_registered_is_refused() -> None:
    with running_host() as host:
        assert host.do("create", "{1C9B2E0A-54D3-4D0E-8C5B-0B7C0B0F5A32}") == "0x80040154"
        assert host.do("connect", "1").startswith("0x80004003")
