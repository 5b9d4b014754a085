"""Transports to a mock SolidWorks: in memory, over COM in the same process, and over COM in another process."""

from __future__ import annotations

import gc
import itertools
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import msgspec

from swgrm.capture import Capture
from swgrm_addin.port import Port
from swgrm_mocks.solidworks import Fault, MemoryTransport, MockSolidWorks

NAMES = ["in memory", "in process", "another process"] if sys.platform == "win32" else ["in memory"]


class MockBehaviour(msgspec.Struct, frozen=True):
    """The behaviour of the mock: quirks, latency, injected faults, and the need for QueryInterface."""

    needs_query: bool = False
    faults: tuple[Fault, ...] = ()
    delay: float = 0.0  # [s] per call
    quirks: tuple[str, ...] = ()

    def session(self, *captures: Capture) -> MockSolidWorks:
        """A mock with this behaviour."""
        session = MockSolidWorks(*captures, quirks=self.quirks)
        session.connection.needs_query = self.needs_query
        session.connection.faults.extend(self.faults)
        session.connection.delay = self.delay
        return session


PLAIN = MockBehaviour()
_numbers = itertools.count(1)


class InMemory:
    """The pointers of the mock, called directly."""

    name = "in memory"

    def application(self, *captures: Capture, behaviour: MockBehaviour = PLAIN, **port: Any) -> Any:
        """ISldWorks of a new mock with these captures."""
        return Port(MemoryTransport(), **port).wrap(behaviour.session(*captures).application, "ISldWorks")

    def close(self) -> None:
        """Does nothing."""


class InProcess(InMemory):
    """The pointers of the mock as COM objects in the same process."""

    name = "in process"

    def application(self, *captures: Capture, behaviour: MockBehaviour = PLAIN, **port: Any) -> Any:
        """ISldWorks of a new mock with these captures."""
        from swgrm_addin.com.transport import ComTransport
        from swgrm_mocks.testing.com_objects import wrapped

        return Port(ComTransport(), **port).wrap(wrapped(behaviour.session(*captures).application), "ISldWorks")


class AnotherProcess(InMemory):
    """COM objects of a server process, which creates a new mock for each client."""

    name = "another process"

    def __init__(self) -> None:
        from swgrm_mocks.testing.com_registration import registered

        self.stack = ExitStack()
        self.progid = f"swgrm.Contract.N{next(_numbers)}"
        command = [sys.executable, "-X", "utf8", "-m", "tests.contract.server", self.progid]
        self.stack.enter_context(registered(self.progid, LocalServer32=subprocess.list2cmdline(command)))
        self.folder = Path(self.stack.enter_context(tempfile.TemporaryDirectory()))
        self.server = self.stack.enter_context(running(command))

    def application(self, *captures: Capture, behaviour: MockBehaviour = PLAIN, **port: Any) -> Any:
        """ISldWorks of a new mock with these captures."""
        import pythoncom

        from swgrm_addin.com.transport import ComTransport

        file = self.folder / "captures.msgpack"
        file.write_bytes(msgspec.msgpack.encode((captures, behaviour)))
        control = pythoncom.CoCreateInstance(self.progid, None, pythoncom.CLSCTX_LOCAL_SERVER, pythoncom.IID_IDispatch)
        made = control.Invoke(control.GetIDsOfNames("Make"), 0, pythoncom.DISPATCH_METHOD, True, str(file))
        return Port(ComTransport(), **port).wrap(made, "ISldWorks")

    def close(self) -> None:
        """Releases the pointers to the server and ends it by closing its input."""
        gc.collect()
        self.stack.close()


@contextmanager
def running(command: list[str]) -> Iterator[subprocess.Popen[str]]:
    """Starts a server and waits until it is ready; ends it by closing its input, or kills it."""
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        assert server.stdin is not None
        try:
            assert server.stdout.readline().startswith("serving")
            yield server
        finally:
            server.stdin.close()
            try:
                server.wait(20)
            except subprocess.TimeoutExpired:
                server.kill()
                raise


MAKERS = {transport.name: transport for transport in (InMemory, InProcess, AnotherProcess)}
