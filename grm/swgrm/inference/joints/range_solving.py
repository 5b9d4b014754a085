"""The range of a joint's position on which a value that depends on it stays within its bounds."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from msgspec import Struct

from swgrm.inference.geometry.twists import Array

SAME = 1e-7  # [m or rad] a value that changes less than this does not depend on the joint
FLAT = 1e-5  # [rad or m] nearer than this to a turning point, a value has no side
GRID = 721
CHUNK = 128  # points of the grid that are computed at once
FINER = 65  # points of each finer grid in an interval that contains a bound
RESOLUTION = 2e-16  # of a bound, relative beyond 1
_PARTS: Array = np.arange(float(FINER))

Value = Callable[[Array], Array]
Bounds = tuple[float, float]  # the minimum and the maximum of a value


class JointRange(Struct, frozen=True):
    """The positions that a limit mate allows a joint."""

    lower: float | None
    upper: float | None
    is_assumed: bool = False  # the side was not settled by geometry
    is_outside: bool = False  # the assembled pose is out of range

    def scaled(self, factor: float) -> JointRange:
        """The range of a joint that is `factor` times this one."""
        bounds = [bound if bound is None else bound * factor for bound in (self.lower, self.upper)]
        lower, upper = bounds if factor > 0 else bounds[::-1]
        return JointRange(lower, upper, self.is_assumed)

    def narrowed(self, other: JointRange) -> JointRange:
        """What two limits allow together."""
        lowers = [bound for bound in (self.lower, other.lower) if bound is not None]
        uppers = [bound for bound in (self.upper, other.upper) if bound is not None]
        return JointRange(max(lowers, default=None), min(uppers, default=None), self.is_assumed or other.is_assumed)


def solve_range(bounds: Bounds | None, value: Value, reach: float, *, is_assumed: bool) -> JointRange | None:
    """The interval around zero on which a continuous value stays within its bounds; None if it does not change."""
    if bounds is None:
        return None
    start = float(value(np.zeros(1))[0])
    grid: Array = np.arange(GRID + 1.0) * (reach / GRID)
    exits = [_exit(value, side, start, bounds) for side in (grid, -grid)]
    if not any(found.changes for found in exits):
        return None
    if not bounds[0] - FLAT <= start <= bounds[1] + FLAT:
        return JointRange(None, None, is_outside=True)
    upper, lower = (_crossing(value, *found.crossing) if found.crossing else None for found in exits)
    return JointRange(lower, upper, is_assumed)


class _Exit(NamedTuple):
    """Whether a value changes along a grid, and where it leaves its bounds: the bound, and the interval of the grid."""

    changes: bool
    crossing: tuple[float, float, float] | None


def _exit(value: Value, grid: Array, start: float, bounds: tuple[float, float]) -> _Exit:
    """The first interval of the grid in which the value leaves the bounds; no more of the grid is computed."""
    low, high = bounds
    changes, crossing = False, None
    for first in range(0, len(grid), CHUNK):
        values = value(grid[first : first + CHUNK])
        changes = changes or not np.abs(values - start).max() < SAME
        outside = np.flatnonzero(~((values >= low - SAME) & (values <= high + SAME)))
        if len(outside) and not crossing:
            k = first + int(outside[0])
            bound = high if values[k - first] > high else low
            crossing = bound, float(grid[max(k - 1, 0)]), float(grid[k])
        if crossing and changes:
            break
    return _Exit(changes, crossing)


def _crossing(value: Value, bound: float, a: float, b: float) -> float:
    """Where a continuous value crosses a bound between a and b; a where it does not.

    Each round evaluates a finer grid at once, and keeps the first interval whose ends differ in sign.
    """
    while True:
        q = _PARTS * ((b - a) / (FINER - 1)) + a
        q[-1] = b
        values = value(q) - bound
        changes = values[:-1] * values[1:] <= 0
        k = int(changes.argmax())
        if not changes[k]:
            return a
        ends = float(q[k]), float(q[k + 1])
        if ends == (a, b) or abs(ends[1] - ends[0]) <= RESOLUTION * max(1.0, abs(ends[0])):
            return ends[int(abs(values[k + 1]) < abs(values[k]))]
        a, b = ends


def solve_linear_range(
    bounds: Bounds | None, line: tuple[float, float], reach: float, *, is_assumed: bool
) -> JointRange | None:
    """As `solve_range`, of a value with a start and a slope: the same numbers, found by bisection of the grids."""
    start, slope = line
    if bounds is None or abs(slope * reach) < SAME:
        return None
    low, high = bounds
    if not low - FLAT <= start <= high + FLAT:
        return JointRange(None, None, is_outside=True)
    ends: list[float | None] = []
    for step in (reach / GRID, -(reach / GRID)):

        def is_outside(k: int, step: float = step) -> bool:
            return not low - SAME <= start + slope * (k * step) <= high + SAME

        k = 0 if is_outside(0) else bisect_left(range(GRID + 1), True, key=is_outside)
        bound = high if start + slope * (k * step) > high else low
        ends.append(_linear_crossing((start, slope), bound, max(k - 1, 0) * step, k * step) if k <= GRID else None)
    upper, lower = ends
    return JointRange(lower, upper, is_assumed)


def _linear_crossing(line: tuple[float, float], bound: float, a: float, b: float) -> float:
    """As `_crossing`; on the finer grids the values on one side of the bound come before those on the other."""
    start, slope = line

    def off(q: float) -> float:
        return start + slope * q - bound

    while True:
        step, first = (b - a) / (FINER - 1), off(a)

        def is_across(k: int, a: float = a, step: float = step, first: float = first) -> bool:
            return first * (start + slope * (k * step + a) - bound) <= 0

        k = bisect_left(range(1, FINER - 1), True, key=is_across)
        if k == FINER - 2 and not first * off(b) <= 0:
            return a
        ends = k * step + a, (k + 1) * step + a if k < FINER - 2 else b
        if ends == (a, b) or abs(ends[1] - ends[0]) <= RESOLUTION * max(1.0, abs(ends[0])):
            return ends[int(abs(off(ends[1])) < abs(off(ends[0])))]
        a, b = ends
