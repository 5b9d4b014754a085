"""MJCF: writing and reading of samples and of larger trees, beside MuJoCo's own MjSpec on the same files."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from functools import partial
from pathlib import Path

from swgrm_exporters.mjcf.reader import loads
from swgrm_exporters.mjcf.writer import dumps
from tests.bench.bench_model import tree
from tests.bench.measure import best, row
from tests.mechanisms import MECHANISMS

CACHE = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "swgrm"
PEER = """
import json, sys, time, mujoco
found = {}
for file in sys.argv[1:]:
    times = []
    for _ in range(5):
        start = time.process_time(); spec = mujoco.MjSpec.from_file(file); middle = time.process_time()
        spec.compile(); spec.to_xml(); times.append((middle - start, time.process_time() - middle))
    found[file] = [min(each[0] for each in times), min(each[1] for each in times)]
print(json.dumps(found))
"""


def mujoco_times(files: list[Path]) -> dict[str, list[float]]:
    """MuJoCo's times [s] to read, and to compile and write each file; empty if it is not installed."""
    pythons = sorted(CACHE.glob("judges-*/bin/python"))
    for python in pythons:
        command = [str(python), "-c", PEER, *map(str, files)]
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=600, cwd=files[0].parent)
        if done.returncode == 0:
            found: dict[str, list[float]] = json.loads(done.stdout)
            return found
    return {}


def run() -> None:
    """Print the figures."""
    robots = {name: each.robot for name, each in MECHANISMS.items()}
    robots |= {f"tree of {size} frames": tree(size) for size in (30, 100, 300)}
    row("robot", "bytes", "write", "read", "MjSpec read", "MjSpec compile, write")
    with tempfile.TemporaryDirectory() as name:
        files = {label: Path(name) / f"{number}.xml" for number, label in enumerate(robots)}
        for label, file in files.items():
            file.write_bytes(dumps(robots[label]))
        peers = mujoco_times(list(files.values()))
        if not peers:
            sys.stdout.write("  MuJoCo is not installed: run `make judges` once\n")
        for label, file in files.items():
            data = file.read_bytes()
            own = (best(partial(dumps, robots[label]), 3), best(partial(loads, data), 3))
            theirs = peers.get(str(file), ())
            row(label, f"{len(data):,}", *(f"{1e3 * each:.1f} ms" for each in (*own, *theirs)))
