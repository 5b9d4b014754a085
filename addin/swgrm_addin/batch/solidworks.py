"""SolidWorks instances for the batch: started and ended by their process id, or the one that the user has open.

    python -m swgrm_addin.batch.solidworks PROCESS     waits until the SolidWorks with that process id is ready

The batch's own process makes no COM calls, because a call to a SolidWorks that hangs does not return.
"""

from __future__ import annotations

import re
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from swgrm.errors import LostError, SolidWorksError
from swgrm_addin.batch.processes import OwnedProcess, is_alive, is_running
from swgrm_addin.editions import check_startable
from swgrm_addin.instances import Captured
from swgrm_addin.parent_watchdog import end_with_input
from swgrm_addin.starting import START, is_started, not_ready

NO_DIALOGS = "/r"  # SolidWorks' option that leaves out the dialogs of its first start, journal and recovery
READY = "ready"


class StartedInstance:
    """A SolidWorks instance that the batch started; it is ready when the constructor returns."""

    def __init__(self, command: Sequence[str]) -> None:
        self._process = OwnedProcess(command, answers=1)
        identity = self._process.process.id
        self.address = f"process:{identity}"
        waiting = [sys.executable, "-P", "-m", "swgrm_addin.batch.solidworks", str(identity)]
        with OwnedProcess(waiting, answers=1) as waiting_process, waiting_process.limited(START):
            is_ready = waiting_process.answers.readline().decode().strip() == READY
        if not is_ready:
            self.end()
            raise not_ready(START)

    def is_alive(self) -> bool:
        """Whether its process runs."""
        return is_alive(self._process.process)

    def end(self) -> None:
        """End its process."""
        self._process.end()


class AttachedInstance:
    """The SolidWorks that the user has open; it is never ended."""

    address = "running:"

    def is_alive(self) -> bool:
        """Always True: the next document fails with an error if it has ended."""
        return True

    def end(self) -> None:
        """Do nothing, since the instance belongs to the user."""


def start() -> StartedInstance:
    """Start a SolidWorks instance, without the dialogs of its start."""
    found = program()
    check_startable(Path(found))
    return StartedInstance([found, NO_DIALOGS])


def attach() -> AttachedInstance:
    """The SolidWorks that the user has open."""
    if sys.platform == "win32":
        return AttachedInstance()
    raise _not_installed()


def program() -> str:
    """The path of the program that COM would start as SolidWorks: the release that was registered last."""
    if sys.platform == "win32":
        import winreg

        from swgrm_addin.com.reach import PROGID

        try:
            clsid = winreg.QueryValue(winreg.HKEY_CLASSES_ROOT, rf"{PROGID}\CLSID")
            command = winreg.QueryValue(winreg.HKEY_CLASSES_ROOT, rf"CLSID\{clsid}\LocalServer32")
        except OSError as error:
            raise SolidWorksError(
                "SolidWorks is not registered on this machine. Install SolidWorks, or repair its installation."
            ) from error
        return executable(command)
    raise _not_installed()


def executable(command: str) -> str:
    """The path of the program in a registry command, without options such as `/automation`, which hide its window."""
    found = re.match(r'\s*"?(.+?\.exe)\b', command, re.IGNORECASE)
    if found is None:
        raise SolidWorksError(
            f"SolidWorks is registered as `{command}`, which is not a program. Repair its installation."
        )
    return found[1]


def capture(address: str, document: Path, configuration: str, out: Path) -> Captured:
    """Have the SolidWorks with that process id ("": the running one) capture a document into a file.

    If the add-in is loaded there, or can be, it takes an order and reads inside its process; otherwise every API call
    goes from process to process.
    """
    from swgrm_addin.com.reach import by_process, running
    from swgrm_addin.document_reading import read_document
    from swgrm_addin.reader import Request

    if address and not is_running(int(address)):  # COM may wait for a process that has ended
        raise LostError(f"SolidWorks (process {address}) ended before it could read {document}.")
    application = by_process(int(address)) if address else running()
    reading = read_document(application, Request(str(document), configuration, out_of_process=True), out)
    return Captured(tuple(known.path for known in reading.capture.documents), reading.findings, str(reading))


def main(identity: int) -> None:
    """Wait until the SolidWorks with that process id is ready, then print `ready`; the caller has a time limit."""
    end_with_input()
    from swgrm_addin.com.reach import by_process

    while True:
        try:
            if is_started(by_process(identity)):
                break
        except SolidWorksError:  # it is not in the running object table yet
            pass
        time.sleep(0.5)
    sys.stdout.write(f"{READY}\n")
    sys.stdout.flush()


def _not_installed() -> SolidWorksError:
    return SolidWorksError(
        f"SolidWorks is not installed on this machine ({sys.platform}). Run the batch where it is installed, or "
        "capture the documents there."
    )


if __name__ == "__main__":
    main(int(sys.argv[1]))
