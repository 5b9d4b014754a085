"""Waits until a SolidWorks that was started can open documents."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from swgrm.errors import BusyError, SolidWorksError

START, PAUSE = 300.0, 0.5  # [s] within which SolidWorks must be ready, and between two looks at it


def wait_until_started(
    application: Any, report: Callable[[str], object] = bool, limit: float = START,
    sleep: Callable[[float], object] = time.sleep,
) -> None:  # fmt: skip
    """Wait until SolidWorks has started completely; before that, it must not be asked to open a document."""
    end = time.monotonic() + limit
    is_reported = False
    while not is_started(application):
        if time.monotonic() >= end:
            raise not_ready(limit)
        if not is_reported:
            report("Waiting until SolidWorks has started.")
            is_reported = True
        sleep(PAUSE)


def not_ready(limit: float) -> SolidWorksError:
    """The error for a SolidWorks that was not ready within that time [s]."""
    return SolidWorksError(
        f"SolidWorks was not ready within {limit:.0f} s. Start it by hand and check for a dialog, such as one about "
        "licences or one of the first start."
    )


def is_started(application: Any) -> bool:
    """Whether SolidWorks has started completely and can open documents."""
    try:
        return bool(application.StartupProcessCompleted)
    except BusyError:
        return False
