"""Processes that a run starts: each ends with the run, or is ended by the next run.

A process is identified by its host, its id and its creation time, because the system reuses ids.
If a run is killed, the standard input of its subprocesses ends, and they end themselves. Those that cannot (SolidWorks,
or a process that hangs) are recorded in the user's state folder, and the next run on the same machine ends them.
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

from swgrm.errors import Cancelled, FileError, system_reason

if sys.platform == "win32":
    from swgrm_addin.batch import windows as system
    from swgrm_addin.batch.windows import JobObject as ProcessGroup
else:
    from swgrm_addin.batch import posix as system
    from swgrm_addin.batch.posix import ProcessGroup

SAME_TIME = 2.0  # [s] tolerance between two readings of a creation time, which differ when the clock is adjusted
PATIENCE = 10.0  # [s] within which a killed process must end


class Process(msgspec.Struct, frozen=True):
    """The identity of a process, on any machine."""

    host: str
    id: int
    created: float  # [s] since 1970


class ProcessRecord(msgspec.Struct, frozen=True):
    """A started process, and the process that started it."""

    process: Process
    owner: Process
    folder: str  # for its temporary files


def process_of(identity: int) -> Process:
    """The process of this machine that has this id now."""
    state = system.process_state(identity)
    return Process(node(), identity, state.created if state else 0.0)


@cache
def current_process() -> Process:
    """The process that calls this function."""
    return process_of(os.getpid())


def is_alive(process: Process) -> bool:
    """Whether a process of this machine runs; False if another process has its id."""
    state = system.process_state(process.id) if process.host == node() else None
    return state is not None and state.runs and abs(state.created - process.created) < SAME_TIME


def is_running(identity: int) -> bool:
    """Whether any process of this machine has this id and runs."""
    state = system.process_state(identity)
    return state is not None and state.runs


def end(process: Process) -> None:
    """End a process of this machine with all that it started, and wait until it has ended."""
    until = time.monotonic() + PATIENCE
    while is_alive(process) and time.monotonic() < until:
        system.kill(process.id)
        time.sleep(0.01)


def state_folder() -> Path:
    """The folder for swgrm's state of this user."""
    fallback = Path.home() / ".local" / "state"
    return Path(os.environ.get("LOCALAPPDATA") or os.environ.get("XDG_STATE_HOME") or fallback) / "swgrm"


@contextlib.contextmanager
def recorded(process: Process, folder: str) -> Iterator[None]:
    """Record a process while the block runs; then end it, and remove its folder and the record."""
    records = state_folder() / "processes"
    records.mkdir(parents=True, exist_ok=True)
    path = records / f"{process.id}-{process.created:.0f}.json"
    path.write_bytes(msgspec.json.encode(ProcessRecord(process, current_process(), folder)))
    try:
        yield
    finally:
        _end_recorded(path, process, folder)


def _end_recorded(path: Path, process: Process, folder: str) -> None:
    end(process)
    shutil.rmtree(folder, ignore_errors=True)
    path.unlink(missing_ok=True)


def end_leftovers() -> list[ProcessRecord]:
    """End the recorded processes of runs that have ended; returns those that were still running."""
    ended = []
    for path in sorted((state_folder() / "processes").glob("*.json")):
        try:
            record = msgspec.json.decode(path.read_bytes(), type=ProcessRecord)
        except (OSError, msgspec.DecodeError):  # being written, or cut off by a full disk
            continue
        if record.owner.host != node() or is_alive(record.owner):
            continue
        if is_alive(record.process):
            ended.append(record)
        _end_recorded(path, record.process, record.folder)
    return ended


class OwnedProcess:
    """A subprocess whose output is read by lines; it and all that it starts end with the block or with this process.

    `answers` is the stream to read: 1 for standard output, 2 for standard error; the other one is discarded.
    """

    def __init__(self, command: Sequence[str], *, answers: int) -> None:
        check_starts()
        out, err = (subprocess.PIPE if answers == stream else subprocess.DEVNULL for stream in (1, 2))
        folder = tempfile.mkdtemp(prefix="swgrm-")
        environment = {**os.environ, "TMPDIR": folder, "TEMP": folder, "TMP": folder, "PYTHONIOENCODING": "utf-8"}
        self.popen = subprocess.Popen(  # noqa: S603 - our own command, no shell
            list(command), stdin=subprocess.PIPE, stdout=out, stderr=err, start_new_session=True, env=environment
        )
        self._group = ProcessGroup(self.popen)
        self.process = process_of(self.popen.pid)
        stream = self.popen.stdout if answers == 1 else self.popen.stderr
        assert stream is not None  # noqa: S101 - it is a pipe
        self.answers: IO[bytes] = stream
        self._record = contextlib.ExitStack()
        try:
            self._record.enter_context(recorded(self.process, folder))
        except OSError as error:  # a process that cannot be recorded must not run
            self.end()
            shutil.rmtree(folder, ignore_errors=True)
            problem = f"the started process cannot be recorded here: {system_reason(error)}"
            raise FileError(state_folder(), problem, remedy="Make sure that you may write into this folder") from error
        _running.add(self)

    def __enter__(self) -> OwnedProcess:
        return self

    def __exit__(self, *_: object) -> None:
        self.end()

    def end(self) -> None:
        """End it and all that it started; may be called again."""
        _running.discard(self)
        self._group.end()  # also the processes that it started before it ended by itself
        self._record.close()
        self.popen.wait(PATIENCE)
        for stream in (self.popen.stdin, self.answers):
            with contextlib.suppress(OSError):
                if stream is not None:
                    stream.close()

    def kill(self) -> None:
        """Kill it and all that it started. Threads that read its output or wait for it continue."""
        self._group.end()

    @contextlib.contextmanager
    def limited(self, seconds: float) -> Iterator[threading.Event]:
        """Kill it if the block takes longer than so many seconds (0: no limit); the event is set if that happened."""
        timed_out = threading.Event()

        def time_out() -> None:
            timed_out.set()
            self.kill()

        timer = threading.Timer(seconds, time_out)
        timer.daemon = True
        if seconds > 0:
            timer.start()
        try:
            yield timed_out
        finally:
            timer.cancel()


_running: set[OwnedProcess] = set()
_stopping = threading.Event()


def check_starts() -> None:
    """Raise `Cancelled` after `end_all`."""
    if _stopping.is_set():
        raise Cancelled("The run was stopped.")


def allow_starts() -> None:
    """Allow processes to be started again after `end_all`."""
    _stopping.clear()


def end_all() -> None:
    """Kill every started process, and refuse to start others. Threads that wait for one continue."""
    _stopping.set()
    for process in tuple(_running):
        process.kill()
