"""Watchdog of a subprocess: ends it when its parent process has ended, even if the parent was killed.

The parent holds the other end of the subprocess's standard input, which therefore ends with the parent.
"""

from __future__ import annotations

import contextlib
import os
import sys
import threading
import time

PERIOD = 0.2  # [s] between two checks of the input, on Windows


def end_with_input() -> None:
    """End this process when its standard input ends."""
    threading.Thread(target=_watch, daemon=True).start()


def _watch() -> None:
    wait_for_end()
    os._exit(130)


if sys.platform == "win32":

    def wait_for_end() -> None:
        """Wait until standard input ends. It is polled, because a blocking read would delay the process's exit."""
        import msvcrt

        import pywintypes
        import win32pipe

        with contextlib.suppress(OSError, pywintypes.error):
            while True:
                win32pipe.PeekNamedPipe(msvcrt.get_osfhandle(0), 0)
                time.sleep(PERIOD)

else:

    def wait_for_end() -> None:
        """Wait until standard input ends. It is not read by sys.stdin, whose lock would block the process's exit."""
        with contextlib.suppress(OSError):
            while os.read(0, 1):
                pass
