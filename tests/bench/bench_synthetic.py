"""Synthetic robots: drawn, as URDF and as RobotInfo, per second and per joint; and a sweep of 1,000 in parallel."""

from __future__ import annotations

import tempfile
from functools import partial
from os import cpu_count
from pathlib import Path
from time import perf_counter

from swgrm_exporters.formats import read
from swgrm_exporters.robotinfo.writer import to_document
from swgrm_exporters.yamltext import dump
from swgrm_mocks import MixedChainGenerator
from swgrm_mocks.synthetic.sweep import write_robots
from tests.bench.measure import best, row

SIZES = (1, 10, 100, 1_000)
SWEPT = 1_000


def draw(dof: int) -> MixedChainGenerator:
    generator = MixedChainGenerator(dof, seed=1)
    assert len(generator.robot.frames) == dof + 1
    return generator


def robot_info(dof: int) -> str:
    return dump(to_document(draw(dof).robot))


def run() -> None:
    """Print the figures."""
    row("joints", "drawn/s", "URDF/s", "RobotInfo/s", "read/s", "µs/joint URDF", "µs/joint YAML")
    with tempfile.TemporaryDirectory() as folder:
        for dof in SIZES:
            file = Path(folder) / "r.yml"
            file.write_text(robot_info(dof))
            steps = (
                partial(draw, dof),
                lambda dof=dof: draw(dof).to_urdf_string(),
                partial(robot_info, dof),
                partial(read, file),
            )
            times = [best(step, 3) for step in steps]
            rates = [f"{1 / t:,.1f}" for t in times]
            row(f"{dof:,}", *rates, f"{times[1] / dof * 1e6:.0f}", f"{times[2] / dof * 1e6:.0f}")
        batch = MixedChainGenerator.batch_generate([10, 20, 30, 40], SWEPT // 20, [0.1, 0.2, 0.3, 0.4, 0.5], seed=1)
        seconds = {}
        for workers in (1, cpu_count() or 1):
            start = perf_counter()
            write_robots(batch, Path(folder) / str(workers), workers=workers)
            seconds[workers] = perf_counter() - start
        figures = ", ".join(f"{workers} workers {t:.1f} s" for workers, t in seconds.items())
        row(f"sweep of {len(batch):,} robots", figures, f"{seconds[1] / min(seconds.values()):.2f}×")
