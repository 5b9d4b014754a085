"""The tether of a child process: it ends when whoever started it is gone, however that went."""

from __future__ import annotations

import contextlib
import os
import threading


def end_with_input() -> None:
    """End this process when its standard input ends: when whoever holds the other end is gone."""

    def watch() -> None:
        with contextlib.suppress(OSError):
            while os.read(0, 1):  # not sys.stdin: its lock would be held when the interpreter shuts down
                pass
        os._exit(130)

    threading.Thread(target=watch, daemon=True).start()
