"""Compares this work tree with another one: `python -m tests.bench.compare FOLDER [RUNS [WORD]]`.

    git worktree add /tmp/before COMMIT
    python -m tests.bench.compare /tmp/before

The table has processor times and their ratios; with WORD, only the rows that contain it. Every figure is the least of
RUNS runs, of four times as many if they are short, which alternate between the two trees, so that a busy machine
disturbs both alike. Both trees run in the same environment, which needs the libraries of both (up to commit 37a3842
typer), each with its own bytecode and its own cache of meshes.
"""

from __future__ import annotations

import math
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from swgrm.capture import encode
from swgrm_mocks.samples import SAMPLES, sample
from tests.bench.bench_inference import OPEN
from tests.bench.measure import row

HERE = Path(__file__).parents[2]
PACKAGES = ("grm", "exporters", "mocks", "addin")
LONG = 5.0  # [s]
DOCUMENTS, KINDS = 24, ("four_bar", "gripper", "lead_screw", "spline_quill", "planetary", "arm", "mobile_base")

TIMED = "from time import process_time as now\n"
PORT = (
    TIMED
    + """
from swgrm_addin.port import Port
class Constant:
    def invoke(self, target, member, args): return "34.0.0"
application = Port(Constant()).wrap(object(), "ISldWorks")
start = now()
for _ in range(20_000): application.RevisionNumber()
print(now() - start)
"""
)
INFERENCE = (
    TIMED
    + """
import sys
from pathlib import Path
from swgrm.capture import load
from swgrm.inference import infer
captures = [load(path) for path in sorted(Path(sys.argv[1]).glob(sys.argv[2]))]
assert captures
times = []
for _ in range(40):
    start = now()
    for each in captures: infer(each)
    times.append(now() - start)
print(min(times))
"""
)
HOST = (
    TIMED
    + """
import sys
import numpy as np
from msgspec.structs import replace
from swgrm.capture import save
from swgrm_mocks.samples import sample
given = sample("four_bar")
shape = given.shapes[0]
body = replace(shape.bodies[0], faces=(replace(shape.bodies[0].faces[0], triangles=2000),))
waves = [np.round(np.sin(7 * np.linspace(n, n + 1, 18000)), 5).astype("<f4").tobytes() for n in range(200)]
shapes = tuple(replace(shape, path=f"{n}.sldprt", bodies=(body,), triangles=wave) for n, wave in enumerate(waves))
start = now()
try: save(replace(given, shapes=shapes), sys.argv[1] + "/host.swcap", compressed=False)
except TypeError: save(replace(given, shapes=shapes), sys.argv[1] + "/host.swcap")
print(now() - start)
"""
)
PLAN = (
    TIMED
    + """
from swgrm import Entity, EntityKind, Frame, Link, Robot
from swgrm.capture import Capture, CaptureSource, Component, Document, Face, PartBody, PartShape
from swgrm.capture.index import Index
from swgrm.findings import Findings
from swgrm.meshes.building import _Plan
from swgrm.meshes.options import MeshOptions
I = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0)
names = [f"part{n}" for n in range(5_000)]
body = PartBody("b", 0, faces=(Face(1),))
shapes = tuple(PartShape(f"{n}.sldprt", "Default", bodies=(body,), triangles=n.encode().ljust(36)) for n in names)
components = tuple(Component(f"{n}-1", f"{n}.sldprt", "Default", 1, b"", 3, 1, -1, I) for n in names)
frames = [Frame(id=c.name, parent="base", entity=Entity(EntityKind.COMPONENT, c.name), links=(Link(name=c.name),))
          for c in components]
source = CaptureSource("a.sldasm", "a", "Default", 2, "34.0.0", 4, True)
capture = Capture(1, source, components, (), shapes)
start = now()
_Plan(Robot(name="r", frames=(Frame(id="base"), *frames)), Index(capture), MeshOptions(), Findings())
print(now() - start)
"""
)


class Tree:
    """A work tree, with a folder for what it makes."""

    def __init__(self, root: Path, folder: Path) -> None:
        self.folder = folder
        folder.mkdir()
        paths = os.pathsep.join(str(root / each) for each in PACKAGES)
        own = {"SWGRM_CACHE": "cache", "XDG_STATE_HOME": "state", "XDG_CONFIG_HOME": "config"}
        self.environment = {**os.environ, **{name: str(folder / value) for name, value in own.items()}}
        self.environment |= {"PYTHONPATH": paths, "PYTHONPYCACHEPREFIX": str(folder / "bytecode")}
        self.environment["OPENBLAS_NUM_THREADS"] = "1"  # as in the command; starting threads takes time
        self.environment.pop("PYTHONDONTWRITEBYTECODE", None)

    def command(self, *arguments: str | Path) -> float:
        """The processor time [s] of a command and all that it starts."""
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        self.run(*map(str, arguments))
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    def swgrm(self, *arguments: str | Path) -> float:
        """The same, of `swgrm`."""
        return self.command("-m", "swgrm_addin", *arguments)

    def timed(self, code: str, *arguments: str | Path) -> float:
        """The processor time [s] that the code prints; its arguments are the tree's folder, if none are given."""
        return float(self.run("-c", code, *map(str, arguments or (self.folder,))))

    def run(self, *arguments: str) -> str:
        """What Python prints with these arguments, in the environment of the tree."""
        done = subprocess.run(
            [sys.executable, *arguments],
            env=self.environment,
            cwd=self.folder,
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            sys.exit(f"{arguments} failed in {self.environment['PYTHONPATH']}:\n{done.stderr}")
        return done.stdout

    def export(self, name: str, documents: Path, *, first: bool) -> float:
        """Export a sample's capture, with an empty cache or with a filled one."""
        if first:
            shutil.rmtree(self.folder / "cache", ignore_errors=True)
        return self.swgrm("export", documents / f"{name}.swcap", "-o", self.folder / name, "--force")

    def batch(self, documents: Path, *, first: bool) -> float:
        """Export all captures of a folder anew with two processes; the elapsed time [s], which users wait."""
        for name in ("batch", *(["cache"] if first else [])):
            shutil.rmtree(self.folder / name, ignore_errors=True)
        start = time.perf_counter()
        self.swgrm("batch", documents, "-o", self.folder / "batch", "--jobs", "2")
        return time.perf_counter() - start


def figures(documents: Path, many: Path, inferred: Path) -> dict[str, Callable[[Tree], float]]:
    """What is measured."""
    return {
        "import click": lambda tree: tree.command("-c", "import click"),
        "swgrm --help": lambda tree: tree.swgrm("--help"),
        "swgrm show mock:four_bar": lambda tree: tree.swgrm("show", "mock:four_bar"),
        "export four_bar, empty cache": lambda tree: tree.export("four_bar", documents, first=True),
        "export four_bar again": lambda tree: tree.export("four_bar", documents, first=False),
        "export arm, empty cache": lambda tree: tree.export("arm", documents, first=True),
        "export arm again": lambda tree: tree.export("arm", documents, first=False),
        f"batch of {DOCUMENTS} captures, empty cache, elapsed": lambda tree: tree.batch(many, first=True),
        f"batch of {DOCUMENTS} captures again, elapsed": lambda tree: tree.batch(many, first=False),
        "20,000 calls through the port": lambda tree: tree.timed(PORT),
        "all samples inferred": lambda tree: tree.timed(INFERENCE, inferred, "sample_*"),
        "arm inferred": lambda tree: tree.timed(INFERENCE, inferred, "sample_arm.*"),
        "chain of 10 bodies inferred": lambda tree: tree.timed(INFERENCE, inferred, "chain.*"),
        "tree of 10 bodies inferred": lambda tree: tree.timed(INFERENCE, inferred, "tree.*"),
        "four-bars of 10 bodies inferred": lambda tree: tree.timed(INFERENCE, inferred, "four_bars.*"),
        "400,000 triangles saved in the host": lambda tree: tree.timed(HOST),
        "5,000 different parts planned": lambda tree: tree.timed(PLAN),
    }


def main(other: Path, runs: int, word: str) -> None:
    """Print the table."""
    with tempfile.TemporaryDirectory() as name:
        documents, many, inferred = Path(name, "documents"), Path(name, "many"), Path(name, "inferred")
        for folder in (documents, many, inferred):
            folder.mkdir()
        small = {make.__name__: make(10) for make in OPEN} | {f"sample_{each}": sample(each) for each in SAMPLES}
        for each, capture in small.items():
            (inferred / f"{each}.swcap").write_bytes(encode(capture))
        for kind in KINDS:
            (documents / f"{kind}.swcap").write_bytes(encode(sample(kind)))
        for number in range(DOCUMENTS):
            (many / f"{number:02}.swcap").write_bytes((documents / f"{KINDS[number % len(KINDS)]}.swcap").read_bytes())
        trees = (Tree(other, Path(name, "before")), Tree(HERE, Path(name, "after")))
        row("processor time", "before", "after", "before / after", "after / numpy")
        numpy = math.inf  # measured again with each row, since the machine may be disturbed for a while
        for what, measure in figures(documents, many, inferred).items():
            if word not in what:
                continue
            first = [measure(tree) for tree in trees]  # compiles, and fills the cache
            times = [[measure(tree) for tree in trees] for _ in range(runs if max(first) > LONG else 4 * runs)]
            before, after = (min(each) for each in zip(*times, strict=True))
            numpy = min(numpy, *(trees[1].command("-c", "import numpy") for _ in range(4 * runs)))
            row(what, _time(before), _time(after), f"{before / after:.2f}", f"{after / numpy:.2f}")


def _time(seconds: float) -> str:
    return f"{seconds:.3f} s" if seconds > 0.1 else f"{1000 * seconds:.2f} ms"


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    folder, runs, word = (*sys.argv[1:4], *("", "3", "")[len(sys.argv) - 1 :])
    main(Path(folder).absolute(), int(runs), word)
