"""Faults between processes: each one is an error of ours, nothing hangs, and no process is left running."""

from __future__ import annotations

import gc
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from tests.contract.full_capture import full_capture
from tests.contract.transports import AnotherProcess, MockBehaviour, running

from swgrm.capture.file import save
from swgrm.errors import BusyError, LostError, SolidWorksError
from swgrm.solidworks.api_slice import ComError
from swgrm_addin.com import reach
from swgrm_addin.reader import Request, read
from swgrm_mocks.testing.com_registration import registered

BROKEN_PROGID = "swgrm.FaultTest.Broken"


@contextmanager
def served(progid: str, *words: str) -> Iterator[subprocess.Popen[str]]:
    """A server under the ProgID, killed if the test takes too long, so that its calls fail."""
    command = [sys.executable, "-X", "utf8", *words]
    with registered(progid, LocalServer32=subprocess.list2cmdline(command)), running(command) as server:
        limit = threading.Timer(60, server.kill)
        limit.start()
        try:
            yield server
        finally:
            limit.cancel()
            gc.collect()


@pytest.fixture(scope="module")
def broken() -> Iterator[Any]:
    """The application of a server that misbehaves."""
    with served(BROKEN_PROGID, "-m", "tests.com.broken_server", BROKEN_PROGID):
        application = reach.started(BROKEN_PROGID)
        yield application
        del application


@pytest.fixture
def progid(request: pytest.FixtureRequest) -> str:
    """A ProgID of the test's own: Wine sends clients to a server that was killed for some time."""
    return f"swgrm.FaultTest.At{request.node.callspec.params['at']}"


@pytest.fixture
def healthy(progid: str, tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    """A server that works until it is killed."""
    capture = tmp_path / "every.swcap"
    save(full_capture(), capture)
    with served(progid, "-m", "swgrm_mocks.testing.com_server", progid, str(capture)) as server:
        yield server


def test_an_exception_in_the_server_is_an_error_that_names_the_call(broken: Any) -> None:
    with pytest.raises(SolidWorksError, match=r"(?s)ISldWorks\.RevisionNumber.*raised by the test") as error:
        broken.RevisionNumber()
    assert not isinstance(error.value, LostError | BusyError)
    assert broken.ActiveDoc.GetTitle() == "every"


def test_a_text_where_an_object_was_expected_is_an_error(broken: Any) -> None:
    with pytest.raises(SolidWorksError, match="GetOpenDocumentByName"):
        broken.GetOpenDocumentByName("").GetTitle()


def test_no_value_where_one_was_expected_is_an_error(broken: Any) -> None:
    with pytest.raises(SolidWorksError, match="no value was returned where a long was expected"):
        broken.SendMsgToUser2("", 1, 1)


def test_no_value_of_an_optional_member_is_its_default(broken: Any) -> None:
    assert broken.CommandInProgress is False


def test_calls_are_repeated_until_an_open_dialog_is_closed(broken: Any) -> None:
    pauses: list[float] = []

    def sleep(seconds: float) -> None:
        pauses.append(seconds)
        time.sleep(seconds)

    broken.port.sleep = sleep
    broken.CloseDoc("opens the dialog")
    assert broken.ActiveDoc.GetTitle() == "every"
    assert pauses


def test_a_dialog_that_stays_open_is_an_error(broken: Any) -> None:
    broken.port.sleep, broken.port.patience = time.sleep, 0.2
    broken.CloseDoc("opens the dialog")
    with pytest.raises(BusyError, match=r"Close its open dialogs") as error:
        assert broken.ActiveDoc
    assert isinstance(error.value.__cause__, ComError)
    assert error.value.__cause__.hresult == 0x80010001
    broken.port.patience = 60.0
    assert broken.ActiveDoc.GetTitle() == "every"


class KillsAt:
    """A transport that kills the server before its n-th call."""

    def __init__(self, transport: Any, server: subprocess.Popen[str], at: int) -> None:
        self.transport, self.server, self.left = transport, server, at

    def __getattr__(self, name: str) -> Any:
        self.left -= 1
        if self.left == 0:
            self.server.kill()
            self.server.wait(20)
        return getattr(self.transport, name)


@pytest.mark.parametrize("at", [1, 40, 400])
def test_a_server_killed_between_calls_is_a_lost_connection(
    healthy: subprocess.Popen[str], progid: str, at: int
) -> None:
    application = reach.started(progid)
    application.port.transport = KillsAt(application.port.transport, healthy, at)
    with pytest.raises(LostError, match="was lost"):
        read(application, Request(out_of_process=True))
    assert healthy.poll() is not None
    with pytest.raises(LostError):
        application.RevisionNumber()


def test_a_server_killed_during_a_call_is_a_lost_connection() -> None:
    way = AnotherProcess()
    application = way.application(full_capture(), behaviour=MockBehaviour(delay=30.0))
    killer = threading.Timer(1.0, way.server.kill)
    killer.start()
    with pytest.raises(LostError, match=r"was lost.*RevisionNumber"):
        application.RevisionNumber()
    killer.join()
    del application
    way.close()
    assert way.server.poll() is not None
