"""SolidWorks as a seat: one of our own, started and ended by its process id, or the one that the user has open.

    python -m swgrm_addin.batch.solidworks PROCESS     waits until the SolidWorks with that process id is ready

No COM happens in the batch's own process: a call to a SolidWorks that hangs would hang it, too.
"""

from __future__ import annotations

import re
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from swgrm.errors import LostError, SolidWorksError
from swgrm_addin.batch.processes import Started, is_alive, is_running
from swgrm_addin.instances import Captured
from swgrm_addin.tether import end_with_input

START = 300.0  # [s] that SolidWorks may take until it answers
READY = "ready"


class SolidWorksSeat:
    """A SolidWorks that we started."""

    def __init__(self, command: Sequence[str]) -> None:
        self._started = Started(command, answers=1)
        identity = self._started.process.id
        self.address = f"process:{identity}"
        waiting = [sys.executable, "-m", "swgrm_addin.batch.solidworks", str(identity)]
        with Started(waiting, answers=1) as waiter, waiter.limited(START):
            is_ready = waiter.answers.readline().decode().strip() == READY
        if not is_ready:
            self.end()
            raise SolidWorksError(
                f"SolidWorks did not get ready within {START:.0f} s. Start it by hand and see what it asks for: "
                "a licence that is not free, or a dialog of the first start."
            )

    def is_alive(self) -> bool:
        """Whether it runs."""
        return is_alive(self._started.process)

    def end(self) -> None:
        """End it."""
        self._started.end()


class AttachedSeat:
    """The SolidWorks that the user has open: used, never ended."""

    address = "running:"

    def is_alive(self) -> bool:
        """The next document will find out."""
        return True

    def end(self) -> None:
        """It is the user's."""


def start() -> SolidWorksSeat:
    """A SolidWorks of our own."""
    return SolidWorksSeat([program()])


def attach() -> AttachedSeat:
    """The SolidWorks that the user has open."""
    if sys.platform == "win32":
        return AttachedSeat()
    raise _absent()


def program() -> str:
    """The program that COM would start as SolidWorks: the release that was registered last."""
    if sys.platform == "win32":
        import winreg

        from swgrm_addin.com.reach import PROGID

        try:
            clsid = winreg.QueryValue(winreg.HKEY_CLASSES_ROOT, rf"{PROGID}\CLSID")
            command = winreg.QueryValue(winreg.HKEY_CLASSES_ROOT, rf"CLSID\{clsid}\LocalServer32")
        except OSError as error:
            raise SolidWorksError("No SolidWorks is registered on this machine. Install it, or repair it.") from error
        return executable(command)
    raise _absent()


def executable(command: str) -> str:
    """The program of a command of the registry, without what asks it to serve COM alone: users start it so."""
    found = re.match(r'\s*"?(.+?\.exe)\b', command, re.IGNORECASE)
    if found is None:
        raise SolidWorksError(f"SolidWorks is registered as `{command}`, which is no program. Repair its installation.")
    return found[1]


def capture(address: str, document: Path, configuration: str, out: Path) -> Captured:
    """Have the SolidWorks with that process id ("": the one that runs) capture a document.

    Where the add-in is loaded that takes one call, and it reads in process; else every call goes between processes.
    """
    from swgrm.capture import load, save
    from swgrm_addin import remote
    from swgrm_addin.com.reach import by_process, running
    from swgrm_addin.reader import Request, read

    if address and not is_running(int(address)):  # COM may wait for a dead one as if it would come back
        raise LostError(f"SolidWorks (process {address}) has ended before it could read {document}.")
    application = by_process(int(address)) if address else running()
    said = remote.capture(application, str(document), str(out), configuration)
    if said is not None:
        return Captured(tuple(known.path for known in load(out).documents), said)
    captured, findings = read(application, Request(str(document), configuration, out_of_process=True))
    save(captured, out)
    return Captured(tuple(known.path for known in captured.documents), tuple(findings))


def is_ready(application: Any) -> bool:  # noqa: ANN401 - what comes over COM is anything
    """Whether SolidWorks has started up and may be asked to open documents."""
    return bool(application.StartupProcessCompleted)


def main(identity: int) -> None:
    """Wait until it is ready, and say so; whoever waits for us has a time limit."""
    end_with_input()
    from swgrm_addin.com.reach import by_process

    while True:
        try:
            if is_ready(by_process(identity)):
                break
        except SolidWorksError:  # it is not entered in the table of running objects yet
            pass
        time.sleep(0.5)
    sys.stdout.write(f"{READY}\n")
    sys.stdout.flush()


def _absent() -> SolidWorksError:
    return SolidWorksError(
        f"No SolidWorks is on this machine ({sys.platform}). Run the batch where it is, or capture the documents there."
    )


if __name__ == "__main__":
    main(int(sys.argv[1]))
