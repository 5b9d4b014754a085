"""End to end: from a capture to all formats, as assemblies grow; each size twice in a process of its own.

A machine has up to 20 joints, and every other component is locked to one of their bodies. SWGRM_FULL=1 adds the largest
sizes. Figures of growth are exponents between assemblies whose parts have as many triangles: 1 is linear.
"""

from __future__ import annotations

import math
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

import msgspec
import numpy as np
from msgspec.structs import replace

from swgrm.capture import Capture, save
from swgrm.capture.records import Face, PartBody
from swgrm_mocks.builder import Assembly, Part, pose
from swgrm_mocks.mates import plane, shaft
from swgrm_mocks.solids import box
from tests.bench.bench_meshes import triangles
from tests.bench.measure import row
from tests.full import IS_FULL

AXIS = (0.0, 0.0, 1.0)
JOINTS = 20
EXPORT = """
import json, os, resource, sys, time
from swgrm_addin.cli import keep_to_one_thread
keep_to_one_thread()
from swgrm_addin.pipeline import export
from swgrm_exporters.formats import FORMATS
from tests.bench.measure import peak_memory
start = time.perf_counter()
done = export(sys.argv[1], sys.argv[2], formats=tuple(FORMATS))
seconds = time.perf_counter() - start
own, workers = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
worked = sum(each.ru_utime + each.ru_stime for each in (own, workers))
size = sum(file.stat().st_size for file in done.files)
print(json.dumps({"seconds": seconds, "worked": worked, "memory": peak_memory(), "bytes": size}))
"""


class Size(NamedTuple):
    """An assembly: its components, its different parts, and the subdivisions of a part's ball."""

    components: int
    parts: int
    detail: int  # 3: 1,280 triangles, 5: 20,480

    @property
    def triangles(self) -> int:
        """The triangles of one part."""
        return int(20 * 4**self.detail)


class Figures(msgspec.Struct):
    """What one export cost."""

    seconds: float
    worked: float  # [s] of processor time
    memory: float  # [MiB] the largest of the process itself
    bytes: int


SIZES = [Size(10, 10, 3), Size(100, 10, 3), Size(1_000, 100, 3)]
FULL_SIZES = [Size(1_000, 100, 5), Size(10_000, 1_000, 3)]


def machine(size: Size) -> Capture:
    """A chain of hinged bodies, to which all other components are locked."""
    assembly = Assembly("machine")
    files = [Part(f"part{n}", box(0.1, 0.1, 0.1)) for n in range(size.parts)]
    before = assembly.part(files[0]).fixed()
    bodies = [before]
    for number in range(1, size.components):
        layer, place = divmod(number, JOINTS + 1)
        T = pose(x=0.25 * layer, z=0.25 * place)
        after = assembly.part(files[number % size.parts], T)
        if number <= JOINTS:
            assembly.concentric(before.at(shaft((0, 0, 0), AXIS, 0.01)), after.at(shaft((0, 0, 0), AXIS, 0.01)))
            assembly.coincident(before.at(plane((0, 0, 0.125), AXIS)), after.at(plane((0, 0, -0.125), (0, 0, -1))))
            before = after
            bodies.append(after)
        else:
            assembly.lock(bodies[place].at(plane((0, 0, 0), AXIS)), after.at(plane((0, 0, 0), AXIS)))
    capture = assembly.capture()
    return replace(capture, shapes=tuple(replace(shape, **_ball(n, size)) for n, shape in enumerate(capture.shapes)))


def _ball(number: int, size: Size) -> dict[str, object]:
    """The body and the triangles of a part, 10 cm across."""
    data = np.asarray(0.05 * triangles(number, size.detail), "<f4")
    return {"bodies": (PartBody("ball", 0, faces=(Face(len(data)),)),), "triangles": data.tobytes()}


def measured(file: Path, folder: Path) -> Figures:
    """The cost of one export in a new process."""
    variables = {**os.environ, "SWGRM_CACHE": str(folder / "cache")}
    command = [sys.executable, "-c", EXPORT, str(file), str(folder / "out")]
    done = subprocess.run(command, env=variables, stdout=subprocess.PIPE, check=True)
    return msgspec.json.decode(done.stdout, type=Figures)


def run(sizes: list[Size] | None = None) -> None:
    """Print the table: each size with an empty cache, then with a filled one."""
    row("components, parts, triangles each", "time", "processor", "memory", "written", "growth")
    before: dict[tuple[str, int], tuple[int, float]] = {}  # by the cache and the triangles of a part
    for size in sizes or [*SIZES, *(FULL_SIZES if IS_FULL else [])]:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            save(machine(size), folder / "machine.swcap")
            for when in ("", ", again"):
                found = measured(folder / "machine.swcap", folder)
                growth = _exponent(before.get((when, size.detail)), (size.components, found.worked))
                before[when, size.detail] = (size.components, found.worked)
                row(
                    f"{size.components:,}, {size.parts:,}, {size.triangles:,}{when}",
                    f"{found.seconds:.2f} s", f"{found.worked:.2f} s", f"{found.memory:.0f} MB",
                    f"{found.bytes / 1e6:.1f} MB", growth,
                )  # fmt: skip


def _exponent(before: tuple[int, float] | None, now: tuple[int, float]) -> str:
    """The exponent of the processor time's growth with the number of components."""
    if before is None:
        return ""
    return f"{math.log(now[1] / before[1]) / math.log(now[0] / before[0]):.2f}"
