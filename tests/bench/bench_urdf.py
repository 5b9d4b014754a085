"""URDF: the largest real robots beside yourdfpy and urchin, in turn in one process, in processor time; and growth."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from functools import partial
from pathlib import Path

import swgrm
import swgrm_exporters
from swgrm_exporters.urdf.reader import loads
from swgrm_exporters.urdf.writer import dumps
from tests.bench.bench_model import tree
from tests.bench.measure import best, row

PEERS = Path("build/judges/bin/python")
LARGEST = 6


def real_robots() -> list[Path]:
    """The largest of the real robots that `make judges` installed."""
    robots = "python3.*/site-packages/cmeel.prefix/share/example-robot-data/robots/**/*.urdf"
    return sorted(Path("build/judges/lib").glob(robots), key=lambda path: -path.stat().st_size)[:LARGEST]


def measured(files: list[Path]) -> dict[str, dict[str, float | None]]:
    """The times [s] of swgrm and its peers for each file."""
    ours = os.pathsep.join(str(Path(file).parents[1]) for file in (swgrm.__file__, swgrm_exporters.__file__))
    command = [str(PEERS), str(Path(__file__).with_name("urdf_peers.py")), *map(str, files)]
    environment = {**os.environ, "PYTHONPATH": ours}
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=900, env=environment)
    result: dict[str, dict[str, float | None]] = json.loads(done.stdout)
    return result


def run() -> None:
    """Print the figures: our time, and how many times as long the others took."""
    if files := real_robots():
        row("file", "bytes", "read", "yourdfpy bare", "yourdfpy", "urchin", "write", "yourdfpy", "urchin")
        for file, figures in measured(files).items():
            cells = []
            for own, others in (
                ("read", ("yourdfpy bare", "yourdfpy", "urchin")),
                ("write", ("yourdfpy write", "urchin write")),
            ):
                ours = figures[own] or 0.0
                cells.append(f"{ours * 1e3:.1f} ms")
                cells += [f"{other / ours:.1f}×" if (other := figures.get(name)) else "refused" for name in others]
            row(Path(file).name, f"{Path(file).stat().st_size:,}", *cells)
    else:
        sys.stdout.write("  the real robots are not installed: run `make judges` once\n")
    row("generated, frames", "bytes", "read", "write", "µs/frame read")
    for size in (100, 1_000, 10_000):
        data = dumps(tree(size))
        robot = loads(data)
        reading, writing = best(partial(loads, data), 3), best(partial(dumps, robot), 3)
        texts = (f"{reading * 1e3:.1f} ms", f"{writing * 1e3:.1f} ms", f"{reading / size * 1e6:.0f}")
        row(f"{size:,}", f"{len(data):,}", *texts)
