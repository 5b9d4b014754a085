"""Processes that we start: tied to us by their input, noted on disk, and ended by id and creation time.

A process id alone is no name: it is given again. So a process is known by its host, its id and when it was created.
What a killed run leaves behind ends by itself, because its standard input ends; what cannot (a SolidWorks, a
process that hangs) was noted in the user's state folder, and the next run on the same machine ends it.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from platform import node
from typing import IO

import msgspec

from swgrm.errors import Cancelled

if sys.platform == "win32":
    from swgrm_addin.batch import windows as system
else:
    from swgrm_addin.batch import posix as system

lock = system.lock
SAME_TIME = 2.0  # [s] by which two readings of one creation time may differ, when the clock is set
PATIENCE = 10.0  # [s] that a killed process may take to go


class Process(msgspec.Struct, frozen=True):
    """A process, wherever it runs."""

    host: str
    id: int
    created: float  # [s] since 1970


class Note(msgspec.Struct, frozen=True):
    """A process that we started, and who we were."""

    process: Process
    owner: Process
    folder: str  # for its temporary files


def process_of(identity: int) -> Process:
    """The process that has this id now, on this machine."""
    seen = system.look(identity)
    return Process(node(), identity, seen.created if seen else 0.0)


@cache
def ourselves() -> Process:
    """The process that asks."""
    return process_of(os.getpid())


def is_alive(process: Process) -> bool:
    """Whether it is here and runs; another process that got its id is not it."""
    seen = system.look(process.id) if process.host == node() else None
    return seen is not None and seen.runs and abs(seen.created - process.created) < SAME_TIME


def is_running(identity: int) -> bool:
    """Whether a process that has this id now runs on this machine."""
    seen = system.look(identity)
    return seen is not None and seen.runs


def end(process: Process) -> None:
    """End a process of this machine and all that it started, and wait until it is gone."""
    until = time.monotonic() + PATIENCE
    while is_alive(process) and time.monotonic() < until:
        system.kill(process.id)
        time.sleep(0.01)


def state_folder() -> Path:
    """Where this user's programs keep what they must remember."""
    fallback = Path.home() / ".local" / "state"
    return Path(os.environ.get("LOCALAPPDATA") or os.environ.get("XDG_STATE_HOME") or fallback) / "swgrm"


@contextlib.contextmanager
def noted(process: Process, folder: str) -> Iterator[None]:
    """Keep a note of a process while it runs; on the way out it is ended and its folder removed."""
    notes = state_folder() / "processes"
    notes.mkdir(parents=True, exist_ok=True)
    path = notes / f"{process.id}-{process.created:.0f}.json"
    path.write_bytes(msgspec.json.encode(Note(process, ourselves(), folder)))
    try:
        yield
    finally:
        _end_noted(path, process, folder)


def _end_noted(path: Path, process: Process, folder: str) -> None:
    end(process)
    shutil.rmtree(folder, ignore_errors=True)
    path.unlink(missing_ok=True)


def end_leftovers() -> list[Note]:
    """End what was noted by runs that are gone; what was still running is returned."""
    ended = []
    for path in sorted((state_folder() / "processes").glob("*.json")):
        try:
            note = msgspec.json.decode(path.read_bytes(), type=Note)
        except (OSError, msgspec.DecodeError):  # being written, or cut off by a full disk: it names nobody
            continue
        if note.owner.host != node() or is_alive(note.owner):
            continue
        if is_alive(note.process):
            ended.append(note)
        _end_noted(path, note.process, note.folder)
    return ended


class Started:
    """A process of ours that talks in lines of JSON; it and its offspring end with the block, or with us."""

    def __init__(self, command: Sequence[str], *, answers: int) -> None:
        if _stopping.is_set():
            raise Cancelled("The run was stopped.")
        out, err = (subprocess.PIPE if answers == stream else subprocess.DEVNULL for stream in (1, 2))
        folder = tempfile.mkdtemp(prefix="swgrm-")
        environment = {**os.environ, "TMPDIR": folder, "TEMP": folder, "TMP": folder, "PYTHONIOENCODING": "utf-8"}
        self.popen = subprocess.Popen(  # noqa: S603 - our own command, no shell
            list(command), stdin=subprocess.PIPE, stdout=out, stderr=err, start_new_session=True, env=environment
        )
        self._group = system.Group(self.popen)
        self.process = process_of(self.popen.pid)
        answered = self.popen.stdout if answers == 1 else self.popen.stderr
        assert answered is not None  # noqa: S101 - it was asked for
        self.answers: IO[bytes] = answered
        self._noted = contextlib.ExitStack()
        try:
            self._noted.enter_context(noted(self.process, folder))
        except OSError:  # a process that cannot be noted must not run
            self.end()
            shutil.rmtree(folder, ignore_errors=True)
            raise
        _running.add(self)

    def __enter__(self) -> Started:
        return self

    def __exit__(self, *_: object) -> None:
        self.end()

    def end(self) -> None:
        """End it and all that it started; once is enough, twice does no harm."""
        _running.discard(self)
        self._group.end()  # also what it started and then left, by its own death
        self._noted.close()
        self.popen.wait(PATIENCE)
        for stream in (self.popen.stdin, self.answers):
            with contextlib.suppress(OSError):
                if stream is not None:
                    stream.close()

    def kill(self) -> None:
        """Kill it and all that it started; who reads its answers or waits for it goes on."""
        self._group.end()

    @contextlib.contextmanager
    def limited(self, seconds: float) -> Iterator[threading.Event]:
        """Kill it if the block takes longer; the event tells whether that happened. No limit if 0."""
        late = threading.Event()

        def give_up() -> None:
            late.set()
            self.kill()

        timer = threading.Timer(seconds, give_up)
        timer.daemon = True
        if seconds > 0:
            timer.start()
        try:
            yield late
        finally:
            timer.cancel()


_running: set[Started] = set()
_stopping = threading.Event()


def let_start() -> None:
    """Processes may be started."""
    _stopping.clear()


def end_started() -> None:
    """Kill every process that was started and has not ended, and let none be started; who waits for one goes on."""
    _stopping.set()
    for started in tuple(_running):
        started.kill()
