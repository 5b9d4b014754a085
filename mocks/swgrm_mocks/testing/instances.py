"""Mock SolidWorks instances for the batch: started as processes of their own, and asked for captures.

The batch finds `start` and `capture` by the scheme `mock`, in the tables of swgrm_addin.batch.instance_pool and
swgrm_addin.instances.
"""

from __future__ import annotations

from multiprocessing.connection import Client
from pathlib import Path
from typing import NamedTuple

from swgrm.capture import load
from swgrm.errors import LostError, SolidWorksError, SwgrmError
from swgrm.findings import Finding
from swgrm.processes.child import Child, python_command
from swgrm.processes.identity import is_alive
from swgrm_addin.instances import Captured

START = 60.0  # [s] within which an instance must be ready
READY = "serving "  # followed by the address, on the instance's standard output


class InstanceAnswer(NamedTuple):
    """What an instance answers, when the capture is in its file."""

    findings: tuple[Finding, ...]
    references: tuple[str, ...]


class MockInstance:
    """A running mock SolidWorks, with the interface that the batch expects of an instance."""

    def __init__(self) -> None:
        self._child = Child(python_command("swgrm_mocks.testing.instance_server"), is_recorded=True)
        with self._child.limited(START):
            line = next(self._child.lines(), b"").decode().strip()
        self.address = f"mock:{line.removeprefix(READY)}"
        if not line.startswith(READY):
            self.end()
            raise SolidWorksError(line or "The mock SolidWorks ended before it was ready.")

    def is_alive(self) -> bool:
        """Whether its process runs."""
        return is_alive(self._child.process)

    def end(self) -> None:
        """End its process."""
        self._child.end()


def start() -> MockInstance:
    """Start a mock SolidWorks."""
    return MockInstance()


def capture(address: str, document: Path, configuration: str, file: Path) -> Captured:
    """Have the instance at `address` capture a mock assembly into the file, and load it."""
    try:
        with Client(address) as connection:
            connection.send((str(document), configuration, str(file)))
            answer: InstanceAnswer | SwgrmError = connection.recv()
    except (OSError, EOFError) as error:
        raise LostError(
            f"The connection to SolidWorks was lost while reading {document}. It may have crashed."
        ) from error
    if isinstance(answer, SwgrmError):
        raise answer
    return Captured(load(file), answer.findings, answer.references)
