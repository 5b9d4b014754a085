"""Runs in the judges' environment: how long yourdfpy and urchin need for URDF files, as JSON on standard output."""

from __future__ import annotations

import contextlib
import json
import logging
import sys
import tempfile
import time
import warnings
from collections.abc import Callable
from pathlib import Path

logging.disable(logging.CRITICAL)
warnings.simplefilter("ignore")

BARE = {
    "load_meshes": False,
    "build_scene_graph": False,
    "load_collision_meshes": False,
    "build_collision_scene_graph": False,
}


def best(function: Callable[[], object], repeats: int) -> float:
    """The shortest of several runs, as processor time, so that other work on the machine does not count.  # [s]."""
    times = []
    for _ in range(repeats):
        start = time.process_time()
        function()
        times.append(time.process_time() - start)
    return min(times)


def timed(function: Callable[[], object], repeats: int = 15) -> float | None:
    """The same, or nothing where the program refuses the file."""
    try:
        with contextlib.redirect_stdout(sys.stderr):
            return best(function, repeats)
    except Exception:  # noqa: BLE001 - whatever it is, there is no figure
        return None


def figures(file: str) -> dict[str, float | None]:
    """Read bare, read as users call it, and write."""
    import urchin
    import yourdfpy

    found: dict[str, float | None] = {"yourdfpy bare": timed(lambda: yourdfpy.URDF.load(file, **BARE))}
    found["yourdfpy"] = timed(lambda: yourdfpy.URDF.load(file, load_meshes=False), 5)
    found["urchin"] = timed(lambda: urchin.URDF.load(file, lazy_load_meshes=True), 5)
    with tempfile.TemporaryDirectory() as folder, contextlib.suppress(Exception):
        robot = yourdfpy.URDF.load(file, **BARE)
        found["yourdfpy write"] = timed(lambda: robot.write_xml_file(str(Path(folder) / "a.urdf")))
        other = urchin.URDF.load(file, lazy_load_meshes=True)
        found["urchin write"] = timed(lambda: other.save(str(Path(folder) / "b.urdf")), 5)
    return found


if __name__ == "__main__":
    sys.stdout.write(json.dumps({file: figures(file) for file in sys.argv[1:]}))
