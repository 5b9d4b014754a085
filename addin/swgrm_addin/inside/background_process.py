"""A subprocess in the background: started, polled for its progress, and ended, without making SolidWorks wait."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable
from typing import NamedTuple

import msgspec

CHUNK = 1 << 16  # [bytes] read at a time
MAX_OUTPUT = 1 << 26  # [bytes] cap on captured output
MAX_LINES = 200  # cap on captured lines of standard error
NO_WINDOW = 0x08000000  # CREATE_NO_WINDOW


class ProgressEvent(msgspec.Struct):
    """One line of progress."""

    step: str
    done: float  # the share of the work done (0 to 1)


class SubprocessResult(NamedTuple):
    """How a subprocess ended: its exit code, its standard output, and its standard error without the progress."""

    code: int
    output: str
    errors: str


class BackgroundProcess:
    """A running subprocess. Its standard error has progress events, one per line of JSON; other lines are kept as text.

    `end_with_parent` takes the process and returns an object that is kept until the process has ended.
    """

    def __init__(
        self, command: list[str], end_with_parent: Callable[[subprocess.Popen[bytes]], object] | None = None
    ) -> None:
        self.step, self.done = "starting", 0.0
        self._last_output = time.monotonic()
        self._output, self._rest, self._errors = bytearray(), b"", list[str]()
        self._process = subprocess.Popen(  # noqa: S603 - our own Python and arguments
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            env={**os.environ, "NO_COLOR": "1", "SWGRM_TRACEBACK": "1"},
            creationflags=NO_WINDOW if sys.platform == "win32" else 0,
        )  # fmt: skip
        # On Windows, the job object: it ends the process with this one, and limits its memory.
        self._job_object = end_with_parent(self._process) if end_with_parent else None
        self._pipes = [pipe for pipe in (self._process.stdout, self._process.stderr, self._process.stdin) if pipe]
        for pipe in self._pipes[:2]:
            os.set_blocking(pipe.fileno(), False)

    @property
    def silence(self) -> float:
        """The time since its last output [s]."""
        return time.monotonic() - self._last_output

    @property
    def id(self) -> int:
        """Its process id."""
        return self._process.pid

    def poll(self) -> SubprocessResult | None:
        """Read the output that is available; returns the result once the process has ended, otherwise None."""
        code = self._process.poll()  # first, so that output written before the end is not missed
        output, errors = (self._read(pipe.fileno()) for pipe in self._pipes[:2])
        self._output += output[: MAX_OUTPUT - len(self._output)]
        lines = (self._rest + errors).split(b"\n")
        self._rest = lines.pop() if code is None else b""
        for line in lines:
            self._parse(line)
        if code is None:
            return None
        self.end()
        return SubprocessResult(code, self._output.decode("utf-8", "replace"), "\n".join(self._errors))

    def take_lines(self) -> list[bytes]:
        """The whole lines of standard output since the last call; they are not in the result any more."""
        *lines, rest = bytes(self._output).split(b"\n")
        self._output = bytearray(rest)
        return [line for line in lines if line.strip()]

    def end(self) -> None:
        """End the process, if it has not ended, and close its pipes."""
        self._process.kill()
        self._process.wait()
        self._job_object = None
        for pipe in self._pipes:
            pipe.close()

    def _read(self, stream: int) -> bytes:
        """The output that is available, without waiting for more."""
        chunks = []
        try:
            while chunk := os.read(stream, CHUNK):
                chunks.append(chunk)
        except (BlockingIOError, BrokenPipeError):
            pass
        if chunks:
            self._last_output = time.monotonic()
        return b"".join(chunks)

    def _parse(self, line: bytes) -> None:
        try:
            event = msgspec.json.decode(line, type=ProgressEvent)
        except msgspec.DecodeError:
            if text := line.decode("utf-8", "replace").rstrip():
                self._errors = [*self._errors, text][-MAX_LINES:]
        else:
            self.step, self.done = event.step, event.done
