"""The processor time of each format in one export: `python -m tests.bench.format_shares`.

    3D page                                                        1.39 s   22%

Twenty parts of 20,480 triangles, nineteen of which turn on the first, are exported into eight formats with an empty
cache. What is not in a format is reading, inference, weighing and making meshes.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections import defaultdict
from pathlib import Path
from time import process_time
from typing import Any
from unittest.mock import patch

from swgrm.capture import Capture, encode
from swgrm_addin.pipeline import read, understand, write
from swgrm_exporters.format import Format
from swgrm_mocks.builder import STEEL, Assembly, Part, pose
from swgrm_mocks.mates import plane, shaft
from swgrm_mocks.solids import Solid, SolidFace
from tests.bench.bench_meshes import triangles
from tests.bench.structure import FORMATS

PARTS, DETAIL = 20, 5  # a ball of detail 5 has 20,480 triangles
SIZE, APART = 0.1, 0.3  # [m] of a ball, and between two of them
Z = (0.0, 0.0, 1.0)


def balls() -> Capture:
    """Different balls in a row, all on hinges of the first, which is fixed."""
    assembly = Assembly("balls")
    base = assembly.part(Part("ball 0", _ball(0), STEEL)).fixed()
    for number in range(1, PARTS):
        x = APART * number
        ball = assembly.part(Part(f"ball {number}", _ball(number), STEEL), pose(x))
        assembly.concentric(base.at(shaft((x, 0, 0), Z, SIZE)), ball.at(shaft((0, 0, 0), Z, SIZE)))
        assembly.coincident(base.at(plane((x, 0, 0), Z)), ball.at(plane((0, 0, 0), Z)))
    return assembly.capture()


def _ball(number: int) -> Solid:
    return Solid((SolidFace(SIZE * triangles(number, DETAIL).astype(float)),))


def measure_formats(capture: Capture, formats: tuple[str, ...]) -> dict[str, float]:
    """The processor time [s] of an export by the titles of its formats, and that of `everything else`."""
    times: defaultdict[str, float] = defaultdict(float)
    write_format = Format.write

    def timed(form: Format, *arguments: Any) -> list[Path]:
        start = process_time()
        files = write_format(form, *arguments)
        times[form.title] += process_time() - start
        return files

    with tempfile.TemporaryDirectory() as folder, patch.dict(os.environ, SWGRM_CACHE=str(Path(folder, "cache"))):
        source = Path(folder, "balls.swcap")
        source.write_bytes(encode(capture))
        start = process_time()
        with patch.object(Format, "write", timed):
            write(understand(read(str(source))), Path(folder, "out"), formats)
        times["everything else"] = process_time() - start - sum(times.values())
    return times


def main() -> None:
    """Print the table."""
    times = measure_formats(balls(), FORMATS)
    total = sum(times.values())
    for title, seconds in sorted(times.items(), key=lambda item: -item[1]):
        sys.stdout.write(f"{title:<60}{seconds:>7.2f} s{seconds / total:>6.0%}\n")


if __name__ == "__main__":
    main()
