"""How benchmarks measure and print."""

from __future__ import annotations

import sys
from collections.abc import Callable
from time import perf_counter, process_time


def best(function: Callable[[], object], repeats: int = 5) -> float:
    """The shortest time [s] of several runs: the one least disturbed by other processes."""
    times = []
    for _ in range(repeats):
        start = perf_counter()
        function()
        times.append(perf_counter() - start)
    return min(times)


def worked(function: Callable[[], object]) -> float:
    """The processor time [s] of one run, which a busy machine disturbs least."""
    start = process_time()
    function()
    return process_time() - start


def row(*cells: object) -> None:
    """One line of a table."""
    sys.stdout.write("  " + "  ".join(f"{cell:>14}" if i else f"{cell:<34}" for i, cell in enumerate(cells)) + "\n")
    sys.stdout.flush()
