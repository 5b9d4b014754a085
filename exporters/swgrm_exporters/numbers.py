"""Numbers as text, in one place: rounded to a stated number of significant digits, shortest form, no minus zero."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from swgrm.precision import GivenNumbers, Precision, rounded_numbers

PRECISION = 15  # [significant digits] all that a double carries through a few operations
LARGE = 1e300  # beyond it rounding might overflow
EXACT = 17  # [significant digits] every double comes back; written in the shortest form that does


class Numbers(NamedTuple):
    """Formats numbers with a precision.

    A writer that computes numbers of its own gives the numbers of the robot: all others are rounded to the precision
    of their quantity.
    """

    precision: int = PRECISION
    given: GivenNumbers | None = None

    def text(self, value: float) -> str:
        """One number: `0.1`, `-2`, `1e-09`."""
        return _text(value, self.precision)

    def texts(self, values: Iterable[float]) -> str:
        """Several numbers, blanks between."""
        return " ".join([_text(value, self.precision) for value in values])

    def of(self, quantity: Precision, values: tuple[float, ...]) -> str:
        """Several numbers of a quantity, blanks between; those that are computed are rounded."""
        if self.given is not None:
            values = rounded_numbers(values, quantity, self.given)
        return self.texts(values)


@lru_cache(maxsize=4096)  # a robot has the same few numbers over and over
def _text(value: float, precision: int) -> str:
    if value == 0:
        return "0"
    return f"{value:.{precision}g}" if precision < EXACT and abs(value) < LARGE else repr(value).removesuffix(".0")
