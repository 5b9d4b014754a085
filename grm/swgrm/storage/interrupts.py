"""Interrupts (Ctrl-C) that wait for the end of steps that belong together."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager

_blocks: list[list[int]] = []  # for each block of the main thread that is entered: the interrupts that wait for its end


@contextmanager
def deferred() -> Iterator[None]:
    """An interrupt comes at the end of the block. Other threads than the main one get no interrupts anyway."""
    before = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or before is None:
        yield
        return
    came: list[int] = []
    _blocks.append(came)
    signal.signal(signal.SIGINT, lambda number, _: came.append(number))
    try:
        yield
    finally:
        _blocks.pop()
        signal.signal(signal.SIGINT, before)
        if came:
            signal.raise_signal(signal.SIGINT)


def is_waiting() -> bool:
    """Whether an interrupt waits for the end of a block: what takes long should end now."""
    return threading.current_thread() is threading.main_thread() and any(_blocks)
