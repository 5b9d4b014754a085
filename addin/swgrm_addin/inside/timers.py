"""Timers on SolidWorks' message loop, whose actions never run inside themselves."""

from __future__ import annotations

from collections.abc import Callable


def one_at_a_time(action: Callable[[], object]) -> Callable[[], None]:
    """The action, which does nothing while it is running already.

    SolidWorks may handle messages inside a call (a progress bar looks for Esc, a message box waits for its button), and
    a message may be that of the timer which made the call.
    """
    is_running = False

    def tick() -> None:
        nonlocal is_running
        if is_running:
            return
        is_running = True
        try:
            action()
        finally:
            is_running = False

    return tick
