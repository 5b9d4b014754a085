"""The process of a mock SolidWorks instance: captures mock assemblies, one after the other.

python -m swgrm_mocks.testing.instance_server      until its standard input ends
"""

from __future__ import annotations

import os
import sys
import time
from contextlib import suppress
from multiprocessing.connection import Connection, Listener
from pathlib import Path

from swgrm.capture import save
from swgrm.errors import SwgrmError
from swgrm.processes.watchdog import end_with_input
from swgrm.storage.locks import lock
from swgrm_addin.port import Port
from swgrm_addin.reader import Request, read
from swgrm_mocks.solidworks import MemoryTransport, MockSolidWorks
from swgrm_mocks.testing.instances import READY, InstanceAnswer
from swgrm_mocks.testing.mock_assembly import inject, read_mock_assembly

LICENCES = "SWGRM_MOCK_LICENCES"  # environment variable: a folder with one file per licence; unset: unlimited
LOG = "SWGRM_MOCK_LOG"  # environment variable: a file that gets a line when a document is opened or closed


def main() -> None:
    """Accept connections and serve each request."""
    end_with_input()
    licence = _licence()
    if licence is None:
        sys.stdout.write("SolidWorks could not get a licence. Close another SolidWorks, or use fewer jobs.\n")
        sys.exit(1)
    with Listener() as listener:
        sys.stdout.write(f"{READY}{listener.address}\n")
        sys.stdout.flush()
        while True:
            with suppress(OSError, EOFError), listener.accept() as connection:
                _serve(connection)


def _serve(connection: Connection) -> None:
    """Answer one request, (document, configuration, out), with what was captured or the error that stopped it."""
    document, configuration, out = connection.recv()
    _log("open", document)
    answer: InstanceAnswer | SwgrmError
    try:
        answer = _capture(Path(document), configuration, Path(out))
    except SwgrmError as error:
        answer = error
    _log("close", document)
    connection.send(answer)


def _capture(path: Path, configuration: str, out: Path) -> InstanceAnswer:
    """Read the assembly that `path` serves through the mock's API, as a document is read from SolidWorks."""
    assembly = read_mock_assembly(path)
    time.sleep(assembly.seconds)
    faults = inject(assembly.fault, path.parent)
    served = assembly.capture(path)
    solidworks = MockSolidWorks(served, opened=False)
    solidworks.connection.delay, solidworks.connection.faults = assembly.delay, list(faults)
    application = Port(MemoryTransport(), patience=assembly.patience).wrap(solidworks.application, "ISldWorks")
    captured, findings = read(application, Request(served.source.path, configuration))
    save(captured, out)
    file = assembly.capture_file(path)
    references = [str(file)] if file else []
    return InstanceAnswer(tuple(findings), (*references, *(document.path for document in captured.documents)))


def _licence() -> object | None:
    """A licence, held until this process ends: a lock on one of the licence files. None if all are taken."""
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
