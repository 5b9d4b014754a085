"""How benchmarks measure and print."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
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


def peak_memory() -> float:
    """The largest resident memory [MiB] of this program; `ru_maxrss` may be that of the process that started it."""
    status = Path("/proc/self/status").read_text("ascii", "replace")
    return int(status.partition("VmHWM:")[2].split()[0]) / 1024


def row(*cells: object) -> None:
    """One line of a table."""
    sys.stdout.write("  " + "  ".join(f"{cell:>14}" if i else f"{cell:<34}" for i, cell in enumerate(cells)) + "\n")
    sys.stdout.flush()
