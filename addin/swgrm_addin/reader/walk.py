"""The state that the reader's steps share: port, progress, findings, and validation of numbers."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from swgrm.errors import Cancelled
from swgrm.findings import Findings
from swgrm_addin.port import Port

ProgressCallback = Callable[[float, str], object]


class Walk:
    """The reading of one document."""

    def __init__(self, port: Port, report: ProgressCallback, guard: Any, findings: Findings) -> None:
        self.port, self.guard, self.findings = port, guard, findings
        self._report, self._fraction = report, 0.0

    def progress(self, fraction: float, what: str) -> None:
        """Report the progress (0 to 1), at most a hundred times and never backwards."""
        if fraction >= self._fraction + 0.01:
            self._fraction = fraction
            self._report(fraction, what)

    def numbers(self, values: tuple[float, ...], where: str, *, count: int = 0) -> tuple[float, ...]:
        """The numbers, or none and a finding if one is not finite or the count is wrong."""
        if all(map(math.isfinite, values)) and len(values) in (0, count or len(values)):
            return values
        self.findings.add("bad-numbers", where, count=len(values))
        return ()

    def optional(self, values: tuple[float, ...], where: str, count: int) -> tuple[float, ...] | None:
        """The numbers, or None and a finding as in `numbers`; None if there are none."""
        return self.numbers(values, where, count=count) or None


def appearance(values: tuple[float, ...]) -> tuple[float, ...] | None:
    """The nine values of an appearance, unchanged; None if none is set: SolidWorks then returns nothing, or all -1."""
    is_set = len(values) == 9 and all(map(math.isfinite, values)) and set(values) != {-1.0}
    return values if is_set else None


def cancelled(what: str) -> Cancelled:
    """The error for the user's Cancel."""
    return Cancelled(f"Cancelled while reading {what}. Nothing was changed or written.")
