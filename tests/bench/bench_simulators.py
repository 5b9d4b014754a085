"""SDF, USD and MJCF: writing and reading, and from URDF to MJCF beside MuJoCo's MjSpec, urdf2mjcf and yourdfpy."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

from swgrm.findings import Findings
from swgrm.model import Robot
from swgrm_exporters import formats
from tests.bench.bench_mjcf import CACHE
from tests.bench.bench_model import tree
from tests.bench.measure import row, worked
from tests.mechanisms import MECHANISMS

SUFFIXES = (".sdf", ".usda", ".xml")
PEERS: Mapping[str, tuple[str, str]] = {  # by name: the environment, and what converts or reads `file`
    "MjSpec": ("judges-*", "import mujoco; s = mujoco.MjSpec.from_file(file); s.compile(); s.to_xml()"),
    "yourdfpy (reads)": ("judges-*", "import yourdfpy; yourdfpy.URDF.load(file, load_meshes=False)"),
    "urdf2mjcf": (
        "engine-urdf2mjcf-*",
        "from urdf2mjcf.convert import convert_urdf_to_mjcf as c; c(file, file + '.xml', copy_meshes=False)",
    ),
}
PEER = """
import contextlib, json, logging, sys, time
from pathlib import Path
logging.disable(logging.CRITICAL)
found = {}
for file in sys.argv[2:]:
    file, times = (Path(file) if "urdf2mjcf" in sys.argv[1] else file), []
    code = sys.argv[1].replace("file + '.xml'", "file.with_suffix('.peer.xml')")
    for _ in range(4):  # the first imports
        start = time.process_time()
        try:
            with contextlib.redirect_stdout(sys.stderr):
                exec(code)
        except Exception as error:
            times = []
            break
        times.append(time.process_time() - start)
    found[str(file)] = min(times, default=None)
print(json.dumps(found))
"""


def peer_times(name: str, files: list[Path]) -> dict[str, float | None]:
    """The processor times [s] of another program by file; None where it refuses a file, empty if it is not there."""
    place, code = PEERS[name]
    for python in sorted(CACHE.glob(f"{place}/bin/python")):
        command = [str(python), "-W", "ignore", "-c", PEER, code, *map(str, files)]
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=900, cwd=files[0].parent)
        if done.returncode == 0:
            found: dict[str, float | None] = json.loads(done.stdout.splitlines()[-1])
            return found
    return {}


def run() -> None:
    """Print the figures."""
    robots = {name: MECHANISMS[name].robot for name in ("four_bar_linkage", "delta")}
    robots |= {f"tree of {size} frames": tree(size) for size in (30, 100, 300)}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        row("robot", *(f"{suffix[1:]} {verb}" for suffix in SUFFIXES for verb in ("write", "read")))
        for label, robot in robots.items():
            row(label, *(text for suffix in SUFFIXES for text in _both(robot, folder / f"robot{suffix}")))
        files = [folder / f"{number}.urdf" for number in range(len(robots))]
        for file, robot in zip(files, robots.values(), strict=True):
            formats.write(robot, file, None, Findings())
        peers = {peer: peer_times(peer, files) for peer in PEERS}
        row("from URDF to MJCF", "swgrm", *peers)
        for label, file in zip(robots, files, strict=True):
            theirs = [_text(times.get(str(file))) for times in peers.values()]
            row(label, _text(_least(partial(_convert, file))), *theirs)
    if not all(peers.values()):
        sys.stdout.write("  a program is not installed: run `make judges` once\n")


def _both(robot: Robot, file: Path) -> tuple[str, str]:
    writing = _least(partial(formats.write, robot, file, None, Findings()))
    return _text(writing), _text(_least(partial(formats.read, file)))


def _least(function: Callable[[], object]) -> float:
    """The shortest processor time [s] of three runs, which can be compared with those of the other programs."""
    return min(worked(function) for _ in range(3))


def _convert(file: Path) -> None:
    formats.write(formats.read(file), file.with_suffix(".xml"), None, Findings())


def _text(seconds: float | None) -> str:
    return "–" if seconds is None else f"{1e3 * seconds:.1f} ms"
