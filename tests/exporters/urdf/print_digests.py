"""Prints the SHA-256 of some random robots as URDF, as a process of its own with another clock.

python -m tests.exporters.urdf.print_digests SECONDS      the clock is SECONDS ahead
"""

from __future__ import annotations

import datetime
import hashlib
import locale
import sys
import time
from typing import Self

ROBOTS = 40


def set_clock(ahead: float) -> None:
    """Replace the clocks of `time` and `datetime`, before other modules import from them."""
    now = time.time
    moment = now() + ahead

    class Moved(datetime.datetime):
        @classmethod
        def now(cls, tz: datetime.tzinfo | None = None) -> Self:
            return cls.fromtimestamp(moment, tz)

    time.time = lambda: now() + ahead
    datetime.datetime = Moved  # type: ignore[misc] # on purpose


def main(ahead: float) -> None:
    """Print a line per robot."""
    set_clock(ahead)
    locale.setlocale(locale.LC_ALL, "")  # as the environment has it
    from tests.robots import Draw

    from swgrm_exporters.urdf.writer import dumps

    for seed in range(ROBOTS):
        data = dumps(Draw(seed, strange=seed % 2 == 0).robot(2 + seed % 7))
        sys.stdout.write(f"{hashlib.sha256(data).hexdigest()}\n")


if __name__ == "__main__":
    main(float(sys.argv[1]))
