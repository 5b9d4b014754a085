"""URDF: reading and writing the largest real robots, beside yourdfpy and urchin in the same run, in processor time."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from functools import partial
from pathlib import Path

from swgrm_exporters.registry import read
from swgrm_exporters.urdf import dumps, loads, write
from tests.bench.bench_model import tree
from tests.bench.measure import row
from tests.bench.urdf_peers import best

PEERS = Path("build/judges/bin/python")
LARGEST = 6


def real_robots() -> list[Path]:
    """The largest of the real robots that `make judges` installed."""
    found = Path("build/judges/lib").glob(
        "python3.*/site-packages/cmeel.prefix/share/example-robot-data/robots/**/*.urdf"
    )
    return sorted(found, key=lambda path: -path.stat().st_size)[:LARGEST]


def peers(files: list[Path]) -> dict[str, dict[str, float | None]]:
    command = [str(PEERS), str(Path(__file__).with_name("urdf_peers.py")), *map(str, files)]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=900)
    result: dict[str, dict[str, float | None]] = json.loads(done.stdout)
    return result


def said(theirs: float | None, ours: float) -> str:
    return "refused" if theirs is None else f"{theirs / ours:.1f}×"


def run() -> None:
    """Print the figures."""
    files = real_robots()
    if not files:
        sys.stdout.write("  the real robots are not here: run `make judges` once\n")
        return
    theirs = peers(files)
    row("file", "bytes", "read", "yourdfpy bare", "yourdfpy", "urchin", "write", "yourdfpy", "urchin")
    with tempfile.TemporaryDirectory() as folder:
        for file in files:
            reading = best(partial(read, file), 15)
            robot = read(file).robot
            writing = best(partial(write, robot, Path(folder) / "a.urdf", {}), 15)
            other = theirs[str(file)]
            row(
                file.name,
                f"{file.stat().st_size:,}",
                f"{reading * 1e3:.1f} ms",
                *(said(other.get(name), reading) for name in ("yourdfpy bare", "yourdfpy", "urchin")),
                f"{writing * 1e3:.1f} ms",
                *(said(other.get(name), writing) for name in ("yourdfpy write", "urchin write")),
            )
    row("generated, frames", "bytes", "read", "write", "µs/frame read")
    for size in (100, 1_000, 10_000):
        data = dumps(tree(size)).data
        robot = loads(data).robot
        reading, writing = best(partial(loads, data), 3), best(partial(dumps, robot), 3)
        figures = (f"{reading * 1e3:.1f} ms", f"{writing * 1e3:.1f} ms", f"{reading / size * 1e6:.0f}")
        row(f"{size:,}", f"{len(data):,}", *figures)
