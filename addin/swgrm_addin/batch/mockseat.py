"""A mock SolidWorks in a process of its own: opens mock assemblies, and misbehaves as they say.

    python -m swgrm_addin.batch.mockseat      until its standard input ends

A mock assembly is a file `NAME.mock.json` that names what the mock SolidWorks shall serve.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from multiprocessing.connection import Client, Connection, Listener
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import msgspec

from swgrm.errors import FileError, SolidWorksError, SwgrmError
from swgrm.files import read_bytes
from swgrm.findings import Finding
from swgrm_addin.batch.processes import Started, is_alive, lock
from swgrm_addin.instances import Captured
from swgrm_addin.tether import end_with_input

if TYPE_CHECKING:
    from swgrm_mocks.solidworks import Fault

START = 60.0  # [s] that it may take to start
LICENCES = "SWGRM_MOCK_LICENCES"  # a folder with one file per licence: without it there are enough
LOG = "SWGRM_MOCK_LOG"  # a file that gets a line when a document is opened and when it is closed


class Mischief(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What goes wrong when the document is opened, and how often: as often as it is opened, or only at first."""

    kind: Literal["hang", "crash", "busy", "licence"]
    times: int = 0  # 0: always
    mark: str = ""  # a file that remembers how often it happened
    calls: int = sys.maxsize  # of the API that fail while it is busy or has no licence


class MockAssembly(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename="camel"):
    """The file: what is served, how slowly, and what goes wrong."""

    serves: str  # a sample, as `mock:NAME`, or a capture beside the file
    mischief: Mischief | None = None
    seconds: float = 0.0  # [s] that opening takes
    delay: float = 0.0  # [s] per call of the API
    patience: float = 60.0  # [s] that a busy one is asked again


class Request(msgspec.Struct, frozen=True):
    """Capture this document into that file: the one call that a document takes."""

    document: str
    configuration: str
    out: str


class Answer(msgspec.Struct, frozen=True):
    """The files that were read and what there is to say; or the kind of error, and its message."""

    references: tuple[str, ...] = ()
    findings: tuple[Finding, ...] = ()
    error: str = ""
    message: str = ""


class MockSeat:
    """The mock's process, as the batch holds it."""

    def __init__(self) -> None:
        self._started = Started([sys.executable, "-m", "swgrm_addin.batch.mockseat"], answers=1)
        with self._started.limited(START):
            line = self._started.answers.readline().decode().strip()
        self.address = f"mock:{line.removeprefix('serving ')}"
        if not line.startswith("serving "):
            self.end()
            raise SolidWorksError(line or "The mock SolidWorks ended before it was ready.")

    def is_alive(self) -> bool:
        """Whether it runs."""
        return is_alive(self._started.process)

    def end(self) -> None:
        """End it."""
        self._started.end()


def start() -> MockSeat:
    """A new mock SolidWorks."""
    return MockSeat()


def capture(address: str, document: Path, configuration: str, out: Path) -> Captured:
    """Have the seat at that address capture a document."""
    from swgrm import errors

    try:
        with Client(address) as connection:
            connection.send_bytes(msgspec.json.encode(Request(str(document), configuration, str(out))))
            answer = msgspec.json.decode(connection.recv_bytes(), type=Answer)
    except (OSError, EOFError) as error:
        raise errors.LostError(f"SolidWorks went away while reading {document}. It may have crashed on it.") from error
    if answer.error:
        kind: type[SwgrmError] = getattr(errors, answer.error, SwgrmError)
        raise kind.__new__(kind, answer.message)  # the sentence is complete
    return Captured(answer.references, answer.findings)


def main() -> None:
    """Serve, one document after the other."""
    end_with_input()
    licence = _licence()
    if licence is None:
        sys.stdout.write("SolidWorks could not get a licence. Close another SolidWorks, or use fewer jobs.\n")
        sys.exit(1)
    with Listener() as listener:
        sys.stdout.write(f"serving {listener.address}\n")
        sys.stdout.flush()
        while True:
            with suppress(OSError, EOFError), listener.accept() as connection:
                _serve(connection)


def _serve(connection: Connection) -> None:
    request = msgspec.json.decode(connection.recv_bytes(), type=Request)
    _log("open", request.document)
    try:
        answer = Answer(*_opened(request))
    except SwgrmError as error:
        answer = Answer(error=type(error).__name__, message=str(error))
    _log("close", request.document)
    connection.send_bytes(msgspec.json.encode(answer))


def _opened(request: Request) -> Captured:
    path = Path(request.document)
    try:
        assembly = msgspec.json.decode(read_bytes(path), type=MockAssembly)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise FileError(path, f"it is no mock assembly: {error}") from error
    time.sleep(assembly.seconds)
    return _read(assembly, path, request, _misbehave(assembly.mischief, path))


def _read(assembly: MockAssembly, path: Path, request: Request, faults: Sequence[Fault]) -> Captured:
    """Open what is served and read it through the mock's API, as a document is read from SolidWorks."""
    from swgrm.capture import load, save
    from swgrm_addin.port import Port
    from swgrm_addin.reader import Request as Reading
    from swgrm_addin.reader import read
    from swgrm_mocks.samples import sample
    from swgrm_mocks.solidworks import MemoryTransport, MockSolidWorks

    is_sample = assembly.serves.startswith("mock:")
    served = path.parent / assembly.serves
    there = sample(assembly.serves.removeprefix("mock:")) if is_sample else load(served)
    solidworks = MockSolidWorks(there, opened=False)
    solidworks.connection.delay, solidworks.connection.faults = assembly.delay, list(faults)
    application = Port(MemoryTransport(), patience=assembly.patience).wrap(solidworks.application, "ISldWorks")
    captured, findings = read(application, Reading(there.source.path, request.configuration))
    save(captured, request.out)
    references = [] if is_sample else [str(served)]
    return Captured((*references, *(document.path for document in captured.documents)), tuple(findings))


def _misbehave(mischief: Mischief | None, path: Path) -> Sequence[Fault]:
    """Hang or crash; or what shall go wrong in the calls to come."""
    if mischief is None or (mischief.times and _happened(path.parent / mischief.mark, mischief.times)):
        return ()
    from swgrm_mocks.solidworks.dispatch import E_FAIL, RETRY_LATER, Fault

    match mischief.kind:
        case "hang":
            time.sleep(1e6)
        case "crash":
            os._exit(1)
        case "busy":
            return (Fault(1, hresult=RETRY_LATER, times=mischief.calls),)
        case "licence":
            return (Fault(1, hresult=E_FAIL, times=mischief.calls, description="the licence was lost"),)
    return ()


def _happened(mark: Path, times: int) -> bool:
    """Whether it happened so often already; if not, it is marked as happening once more."""
    with mark.open("ab+") as file:
        if file.tell() >= times:
            return True
        file.write(b".")
    return False


def _licence() -> object | None:
    """A licence, held until this process ends: a lock on one of the files that stand for them."""
    if LICENCES not in os.environ:
        return True
    files = (path.open("ab") for path in sorted(Path(os.environ[LICENCES]).iterdir()))
    return next((file for file in files if lock(file.fileno())), None)


def _log(step: str, document: str) -> None:
    if LOG in os.environ:
        with Path(os.environ[LOG]).open("a", encoding="utf-8") as file:
            file.write(f"{os.getpid()} {step} {document}\n")


if __name__ == "__main__":
    main()
