"""The child process of every program of swgrm: started, limited, read, and ended.

Its standard input is a pipe that the parent holds open, and that its watchdog waits on; what it
answers is on its standard output, by lines; its standard error, which is text for people, goes to a
file. A thread may wait for the lines (`lines`), or a timer may ask for those that are there
(`take_lines`), because threads of Python rarely run inside SolidWorks.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import IO

from swgrm.errors import Cancelled, FileError, system_reason
from swgrm.processes.identity import PATIENCE, process_of
from swgrm.processes.leftovers import recorded, state_folder
from swgrm.processes.limits import ChildLimits

if sys.platform == "win32":
    from swgrm.processes.windows import CREATION_FLAGS
    from swgrm.processes.windows import JobObject as ProcessGroup
else:
    from swgrm.processes.unix import CREATION_FLAGS, ProcessGroup

CHUNK = 1 << 16  # [bytes] read at a time
MOST_CHUNKS = 1 << 10  # taken at once, because a child may write without end
MOST_TEXT = 1 << 16  # [bytes] of standard error that are kept, from its end
TEXT_FILE = "standard-error.txt"
NO_LIMITS = ChildLimits()


def python_command(module: str, *arguments: str, python: Path | str = sys.executable) -> list[str]:
    """The command that runs a module of ours in a child process.

    With `-P`, Python searches neither the current folder nor that of an input for modules: a file
    `json.py` beside a robot must not be run.
    """
    return [str(python), "-P", "-X", "utf8", "-m", module, *arguments]


class Child:
    """A child process, which ends with `end`, or with this process, even if that is killed.

    So do all processes that it starts. `is_polled` prepares it for `take_lines` instead of `lines`.
    `is_recorded` lets the next run end it, if neither this process nor the child itself can.
    """

    def __init__(
        self,
        command: Sequence[str],
        *,
        limits: ChildLimits = NO_LIMITS,
        is_polled: bool = False,
        is_recorded: bool = False,
    ) -> None:
        check_starts()
        self._resources = contextlib.ExitStack()  # what `end` closes and removes
        folder = tempfile.mkdtemp(prefix="swgrm-")
        self._resources.callback(shutil.rmtree, folder, ignore_errors=True)
        self._text_file, self._text, self._rest = Path(folder) / TEXT_FILE, b"", b""
        try:
            self.popen = self._start(command, folder)
        except BaseException:
            self._resources.close()
            raise
        self.process = process_of(self.popen.pid)
        self._resources.callback(self._close_pipes)
        self._resources.callback(self.popen.wait, PATIENCE)
        try:
            self._group = ProcessGroup(self.popen, limits)
            self._resources.callback(self._group.end)
            if is_recorded:
                self._record(folder)
            if is_polled:
                os.set_blocking(self._output.fileno(), False)
        except BaseException:
            self.popen.kill()
            self.end()
            raise
        self._resources.callback(self._keep_text)  # before its folder is removed
        _running.add(self)

    def _start(self, command: Sequence[str], folder: str) -> subprocess.Popen[bytes]:
        """Start the process; its temporary files are in the folder, which `end` removes."""
        temporary = dict.fromkeys(("TMPDIR", "TEMP", "TMP"), folder)
        environment = {**os.environ, **temporary, "PYTHONIOENCODING": "utf-8"}
        with self._text_file.open("wb") as text:
            return subprocess.Popen(  # noqa: S603 - our own command, no shell
                list(command),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=text,
                env=environment,
                start_new_session=True,
                creationflags=CREATION_FLAGS,
            )

    def _record(self, folder: str) -> None:
        try:
            self._resources.enter_context(recorded(self.process, folder))
        except OSError as error:  # a process that cannot be recorded must not run
            problem = f"the started process cannot be recorded here: {system_reason(error)}"
            remedy = "Make sure that you may write into this folder"
            raise FileError(state_folder(), problem, remedy=remedy) from error

    def __enter__(self) -> Child:
        return self

    def __exit__(self, *_: object) -> None:
        self.end()

    @property
    def _input(self) -> IO[bytes]:
        assert self.popen.stdin is not None  # noqa: S101 - it is a pipe
        return self.popen.stdin

    @property
    def _output(self) -> IO[bytes]:
        assert self.popen.stdout is not None  # noqa: S101 - it is a pipe
        return self.popen.stdout

    @property
    def text(self) -> str:
        """What it wrote to standard error; of much text the end."""
        self._keep_text()
        return self._text.decode("utf-8", "replace")

    def send(self, line: bytes) -> None:
        """Write a line to its input; nothing happens if it has ended, which its output shows."""
        with contextlib.suppress(OSError, ValueError):
            self._input.write(line + b"\n")
            self._input.flush()

    def close_input(self) -> None:
        """Let it end by itself, if it waits for input; if it works, its watchdog ends it."""
        with contextlib.suppress(OSError):
            self._input.close()

    def lines(self) -> Iterator[bytes]:
        """Its output by lines, as they come; waits for each, until it has ended."""
        for line in self._output:  # noqa: UP028 - `yield from` would close the pipe
            yield line

    def take_lines(self) -> list[bytes]:
        """The lines of its output since the last call, without waiting for more."""
        has_ended = self.popen.poll() is not None  # first, so that its last output is not missed
        chunks = [self._rest]
        with contextlib.suppress(BlockingIOError, BrokenPipeError, ValueError):
            while len(chunks) < MOST_CHUNKS and (chunk := os.read(self._output.fileno(), CHUNK)):
                chunks.append(chunk)
        *lines, self._rest = b"".join(chunks).split(b"\n")
        if has_ended and self._rest:
            lines, self._rest = [*lines, self._rest], b""
        return lines

    def kill(self) -> None:
        """Kill it and all that it started. Threads that read its output or wait for it continue."""
        self._group.end()

    def end(self) -> None:
        """End it and all that it started, and remove its temporary files; may be called again."""
        _running.discard(self)
        self._resources.close()

    @contextlib.contextmanager
    def limited(self, seconds: float) -> Iterator[threading.Event]:
        """Kill it if the block takes longer than so many seconds; 0 means no limit.

        The event is set if that happened.
        """
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

    def _keep_text(self) -> None:
        with contextlib.suppress(OSError), self._text_file.open("rb") as file:
            file.seek(max(0, file.seek(0, os.SEEK_END) - MOST_TEXT))
            self._text = file.read()

    def _close_pipes(self) -> None:
        for pipe in (self._input, self._output):
            with contextlib.suppress(OSError):
                pipe.close()


def finish(children: Sequence[Child]) -> None:
    """End children that wait for a job: they end by themselves, or are ended after a while."""
    for child in children:
        child.close_input()
    for child in children:
        with contextlib.suppress(subprocess.TimeoutExpired):
            child.popen.wait(PATIENCE)
        child.end()


_running: set[Child] = set()
_stopping = threading.Event()


def check_starts() -> None:
    """Raise `Cancelled` after `end_all`."""
    if _stopping.is_set():
        raise Cancelled("The run was stopped.")


def allow_starts() -> None:
    """Allow processes to be started again after `end_all`."""
    _stopping.clear()


def end_all() -> None:
    """Kill every child of this process, and refuse to start others; waiting threads continue."""
    _stopping.set()
    for child in tuple(_running):
        child.kill()
