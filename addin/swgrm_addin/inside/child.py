"""The child process that works on a capture: started, asked how far it is, ended; it never makes its host wait."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable
from typing import NamedTuple

import msgspec

CHUNK = 1 << 16  # [bytes] read at a time
KEPT = 1 << 26  # [bytes] of output; more is a child gone mad
SAID = 200  # lines of its other words that are kept
NO_WINDOW = 0x08000000  # CREATE_NO_WINDOW


class Event(msgspec.Struct):
    """One line of progress."""

    step: str
    done: float


class Outcome(NamedTuple):
    """How a child ended: its exit code, its standard output, and what else it said."""

    code: int
    output: str
    said: str


class Child:
    """A running child. Its standard error carries a line of progress at a time; other lines are kept as words."""

    def __init__(self, command: list[str], leash: Callable[[subprocess.Popen[bytes]], object] | None = None) -> None:
        self.step, self.done = "starting", 0.0
        self._heard = time.monotonic()
        self._output, self._rest, self._said = bytearray(), b"", list[str]()
        self._process = subprocess.Popen(  # noqa: S603 - our own Python, our own words
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            env={**os.environ, "NO_COLOR": "1"}, creationflags=NO_WINDOW if sys.platform == "win32" else 0,
        )  # fmt: skip
        # Held until the child ends: on Windows it ends with us, and within its share of the memory.
        self._leash = leash(self._process) if leash else None
        self._pipes = [pipe for pipe in (self._process.stdout, self._process.stderr, self._process.stdin) if pipe]
        for pipe in self._pipes[:2]:
            os.set_blocking(pipe.fileno(), False)

    @property
    def silence(self) -> float:
        """For how many seconds nothing was heard of it."""
        return time.monotonic() - self._heard

    @property
    def id(self) -> int:
        """Its process id."""
        return self._process.pid

    def poll(self) -> Outcome | None:
        """Take in what it said meanwhile; its outcome once it has ended."""
        code = self._process.poll()  # first, so that nothing said before the end is missed
        output, errors = (self._read(pipe.fileno()) for pipe in self._pipes[:2])
        self._output += output[: KEPT - len(self._output)]
        lines = (self._rest + errors).split(b"\n")
        self._rest = lines.pop() if code is None else b""
        for line in lines:
            self._take(line)
        if code is None:
            return None
        self.end()
        return Outcome(code, self._output.decode("utf-8", "replace"), "\n".join(self._said))

    def end(self) -> None:
        """End it, if it has not ended by itself."""
        self._process.kill()
        self._process.wait()
        self._leash = None
        for pipe in self._pipes:
            pipe.close()

    def _read(self, stream: int) -> bytes:
        """What has come so far, without waiting for more."""
        chunks = []
        try:
            while chunk := os.read(stream, CHUNK):
                chunks.append(chunk)
        except (BlockingIOError, BrokenPipeError):
            pass
        if chunks:
            self._heard = time.monotonic()
        return b"".join(chunks)

    def _take(self, line: bytes) -> None:
        try:
            event = msgspec.json.decode(line, type=Event)
        except msgspec.DecodeError:
            if text := line.decode("utf-8", "replace").rstrip():
                self._said = [*self._said, text][-SAID:]
        else:
            self.step, self.done = event.step, event.done
