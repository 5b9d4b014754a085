"""What all checks of a robot share."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from swgrm.findings import Findings
from swgrm.model import Robot

LARGEST = 1e30  # [m, kg, kg m²] beyond anything that exists; sixth powers are finite
TOLERANCE = 1e-6  # how far a unit vector's length may be off


class Checks:
    """Checks of one robot that add their findings to a collector."""

    def __init__(self, robot: Robot, findings: Findings) -> None:
        self.robot, self.findings = robot, findings
        self.add = findings.add

    def finite(self, where: str, what: str, numbers: Iterable[float | None]) -> bool:
        """Whether all numbers are finite; if not, there is a finding."""
        # A sum is NaN or infinite as soon as one number is (∞ − ∞ is NaN): one test for all.
        if math.isfinite(sum(number for number in numbers if number is not None)):
            return True
        self.add("not-finite", where, quantity=what, values=numbers)
        return False

    def computable(self, where: str, what: str, numbers: Sequence[float]) -> bool:
        """Whether all numbers are finite, and squares and products of them, too; if not, there is a finding."""
        if not self.finite(where, what, numbers):
            return False
        if max(map(abs, numbers)) <= LARGEST:
            return True
        self.add("too-large", where, quantity=what, values=numbers)
        return False
