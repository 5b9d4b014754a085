"""Runs in the judges' environment: swgrm, yourdfpy and urchin on URDF files in turn; prints their times as JSON."""

from __future__ import annotations

import contextlib
import json
import logging
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Mapping
from pathlib import Path

logging.disable(logging.CRITICAL)
warnings.simplefilter("ignore")

ROUNDS = 25  # the shortest is used, and a busy machine disturbs most of them
BARE = {
    "load_meshes": False,
    "build_scene_graph": False,
    "load_collision_meshes": False,
    "build_collision_scene_graph": False,
}


def times(functions: Mapping[str, Callable[[], object]]) -> dict[str, float | None]:
    """The shortest processor time [s] of several runs of each, in turn; None if it refuses the file."""
    best: dict[str, float | None] = {}
    for _ in range(ROUNDS):
        for name, function in functions.items():
            if name in best and best[name] is None:
                continue
            start = time.process_time()
            try:
                with contextlib.redirect_stdout(sys.stderr):
                    function()
            except Exception:  # noqa: BLE001 - a peer may raise anything
                best[name] = None
                continue
            best[name] = min(best.get(name) or 1e9, time.process_time() - start)
    return best


def figures(file: str, folder: Path) -> dict[str, float | None]:
    """Reading and writing by each: yourdfpy without scene graphs, and both peers as their users call them."""
    import urchin
    import yourdfpy

    from swgrm_exporters.formats import read, write

    found = times(
        {
            "read": lambda: read(file),
            "yourdfpy bare": lambda: yourdfpy.URDF.load(file, **BARE),
            "yourdfpy": lambda: yourdfpy.URDF.load(file, load_meshes=False),
            "urchin": lambda: urchin.URDF.load(file, lazy_load_meshes=True),
        }
    )
    robot, bare = read(file), yourdfpy.URDF.load(file, **BARE)
    writers: dict[str, Callable[[], object]] = {
        "write": lambda: write(robot, folder / "a.urdf"),
        "yourdfpy write": lambda: bare.write_xml_file(str(folder / "b.urdf")),
    }
    with contextlib.suppress(Exception):
        full = urchin.URDF.load(file, lazy_load_meshes=True)
        writers["urchin write"] = lambda: full.save(str(folder / "c.urdf"))
    return found | times(writers)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as name:
        sys.stdout.write(json.dumps({file: figures(file, Path(name)) for file in sys.argv[1:]}))
