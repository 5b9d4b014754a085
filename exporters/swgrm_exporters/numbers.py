"""Numbers as text, in one place: rounded to a stated number of significant digits, shortest form, no minus zero."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

PRECISION = 15  # [significant digits] all that a double carries through a few operations
LARGE = 1e300  # beyond it rounding might overflow
EXACT = 17  # [significant digits] every double comes back; written in the shortest form that does


class Numbers(NamedTuple):
    """Formats numbers with a precision."""

    precision: int = PRECISION

    def text(self, value: float) -> str:
        """One number: `0.1`, `-2`, `1e-09`."""
        return _text(value, self.precision)

    def texts(self, values: Iterable[float]) -> str:
        """Several numbers, blanks between."""
        return " ".join([_text(value, self.precision) for value in values])

    def pose(self, values: Iterable[float]) -> str:
        """Metres or radians of a pose, blanks between; below 1e-15 is only the rounding of products, and is zero."""
        return " ".join([_pose_text(value, self.precision) for value in values])


@lru_cache(maxsize=4096)  # a robot has the same few numbers over and over
def _text(value: float, precision: int) -> str:
    if value == 0:
        return "0"
    return f"{value:.{precision}g}" if precision < EXACT and abs(value) < LARGE else repr(value).removesuffix(".0")


@lru_cache(maxsize=4096)
def _pose_text(value: float, precision: int) -> str:
    return _text(round(value, 15), precision)
