"""Access to an application: by ProgID, as the running one, by process id; and the errors if there is none."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
import time
import winreg
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import pythoncom
from tests.contract.full_capture import full_capture
from tests.contract.transports import running

from swgrm.capture.file import save
from swgrm.errors import SolidWorksError
from swgrm_addin.com import reach
from swgrm_mocks.testing.com_registration import id_of, registered

PROGID = "swgrm.ReachTest"


@pytest.fixture
def command(tmp_path: Path) -> Iterator[list[str]]:
    """The command that serves a mock, registered."""
    capture = tmp_path / "every.swcap"
    save(full_capture(), capture)
    words = [sys.executable, "-X", "utf8", "-m", "swgrm_mocks.testing.com_server", PROGID, str(capture)]
    with registered(PROGID, LocalServer32=subprocess.list2cmdline(words)):
        yield words


def test_a_running_application_is_reached_in_three_ways(command: list[str]) -> None:
    ways: list[Callable[[int], Any]] = [
        lambda _: reach.started(PROGID),
        lambda _: reach.running(PROGID),
        reach.by_process,
    ]
    with running(command) as server:
        assert [way(server.pid).RevisionNumber() for way in ways] == ["33.1.0"] * 3
        assert reach.running(PROGID).ActiveDoc.GetTitle() == "every"
        gc.collect()


@pytest.mark.usefixtures("command")
def test_com_starts_the_application_and_it_ends_when_it_is_unused() -> None:
    application = reach.started(PROGID)
    assert application.RevisionNumber() == "33.1.0"
    del application
    gc.collect()
    for _ in range(100):
        try:
            reach.running(PROGID)
        except SolidWorksError:
            return
        gc.collect()
        time.sleep(0.2)
    pytest.fail("the server did not end")


@pytest.mark.usefixtures("command")
def test_no_running_application_is_an_error_with_a_remedy() -> None:
    with pytest.raises(SolidWorksError, match=r"No running SolidWorks.*Start it"):
        reach.running(PROGID)


def test_a_solidworks_that_refuses_to_be_started_is_used_if_it_runs(
    command: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Some editions can be reached only after the user has started them."""

    def refuse(*_: object) -> None:
        raise pythoncom.com_error(0x80080005 - 2**32, "Server execution failed", None, None)

    monkeypatch.setattr(reach.pythoncom, "CoCreateInstance", refuse)
    with pytest.raises(SolidWorksError, match=r"could not be started by another program.*Maker.*Start SolidWorks by"):
        reach.started(PROGID)
    with running(command):
        assert reach.started(PROGID).RevisionNumber() == "33.1.0"
        gc.collect()


def test_an_application_that_is_not_installed_is_an_error() -> None:
    with pytest.raises(SolidWorksError, match=r"could not be started.*swgrm\.Nothing.*installed"):
        reach.started("swgrm.Nothing")


def test_a_process_that_is_not_solidworks_is_an_error() -> None:
    with pytest.raises(SolidWorksError, match=f"process id {os.getpid()}"):
        reach.by_process(os.getpid())


def keys() -> dict[str, list[str]]:
    """The keys of the registry at the places where a registration writes."""
    return {path: list(_below(path)) for path in ("", "CLSID", "TypeLib", "Interface")}


def _below(path: str) -> Iterator[str]:
    with winreg.OpenKey(winreg.HKEY_CLASSES_ROOT, path) as key:
        for number in range(winreg.QueryInfoKey(key)[0]):
            yield winreg.EnumKey(key, number)


def test_the_registry_is_restored() -> None:
    before = keys()
    with registered("swgrm.Passing", LocalServer32="nothing.exe"):
        assert winreg.QueryValue(winreg.HKEY_CLASSES_ROOT, r"swgrm.Passing\CLSID") == id_of("swgrm.Passing")
    assert keys() == before
