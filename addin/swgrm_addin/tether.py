"""The tether of a child process: it ends when whoever started it is gone, however that went."""

from __future__ import annotations

import contextlib
import os
import sys
import threading
import time

PERIOD = 0.2  # [s] between looks at the input, where looking must not block


def end_with_input() -> None:
    """End this process when its standard input ends: when whoever holds the other end is gone."""
    threading.Thread(target=_watch, daemon=True).start()


def _watch() -> None:
    wait_for_end()
    os._exit(130)


if sys.platform == "win32":

    def wait_for_end() -> None:
        """Look at the pipe now and then: a read that blocks holds a lock that the process's end waits for."""
        import msvcrt

        import pywintypes
        import win32pipe

        with contextlib.suppress(OSError, pywintypes.error):
            while True:
                win32pipe.PeekNamedPipe(msvcrt.get_osfhandle(0), 0)
                time.sleep(PERIOD)

else:

    def wait_for_end() -> None:
        """Read until the end; not through sys.stdin, whose lock would be held when the interpreter shuts down."""
        with contextlib.suppress(OSError):
            while os.read(0, 1):
                pass
