"""The watchdog of a child process: ends it when its parent has ended, even if that was killed.

The parent holds the other end of the child's standard input, which therefore ends with the parent.
"""

from __future__ import annotations

import contextlib
import os
import sys
import threading
import time
from queue import SimpleQueue

PERIOD = 0.2  # [s] between two checks of the input, on Windows
SHORT_PERIOD = 0.01  # [s] the same, where a job is waited for


def end_with_input() -> None:
    """End this process when its standard input ends."""
    threading.Thread(target=_watch, daemon=True).start()


def _watch() -> None:
    wait_for_end()
    os._exit(130)


class JobInput:
    """The lines of standard input, each a job; if it ends during a job, the process ends, too."""

    def __init__(self) -> None:
        self._lines: SimpleQueue[bytes | None] = SimpleQueue()
        self._is_busy, self._is_idle = threading.Event(), threading.Event()
        threading.Thread(target=self._read, daemon=True).start()

    def next(self) -> bytes | None:
        """Wait for the next job, since the one before is finished; None if the input has ended."""
        self.finish()
        line = self._lines.get()
        if line is not None:
            self._is_idle.clear()
            self._is_busy.set()
        return line

    def finish(self) -> None:
        """Mark the job as finished: with its answer, the parent may close the input."""
        self._is_busy.clear()
        self._is_idle.set()

    def _read(self) -> None:
        pieces: list[bytes] = []  # of a line whose end has not come
        while data := read_input(self._is_idle):
            *ends, rest = data.split(b"\n")
            for end in ends:
                self._lines.put(b"".join([*pieces, end]))
                pieces.clear()
            pieces.append(rest)
        self._lines.put(None)
        self._is_busy.wait()
        os._exit(130)


if sys.platform == "win32":

    def wait_for_end() -> None:
        """Wait until standard input ends; polled, because a blocking read would delay the exit."""
        import msvcrt

        import pywintypes
        import win32pipe

        with contextlib.suppress(OSError, pywintypes.error):
            while True:
                win32pipe.PeekNamedPipe(msvcrt.get_osfhandle(0), 0)
                time.sleep(PERIOD)

    def read_input(is_idle: threading.Event) -> bytes:
        """Wait for bytes of standard input and return them; empty at its end.

        It is polled, as above, and rarely during a job.
        """
        import msvcrt

        import pywintypes
        import win32pipe

        with contextlib.suppress(OSError, pywintypes.error):
            while True:
                available = win32pipe.PeekNamedPipe(msvcrt.get_osfhandle(0), 0)[1]
                if available:
                    return os.read(0, available)
                if is_idle.wait(PERIOD):
                    time.sleep(SHORT_PERIOD)
        return b""

else:

    def wait_for_end() -> None:
        """Wait until standard input ends; not by sys.stdin, whose lock would block the exit."""
        with contextlib.suppress(OSError):
            while os.read(0, 1):
                pass

    def read_input(is_idle: threading.Event) -> bytes:  # noqa: ARG001 - for the function on Windows
        """Wait for bytes of standard input and return them; empty at its end."""
        with contextlib.suppress(OSError):
            return os.read(0, 1 << 16)
        return b""
