"""Meshes: many instances of few parts, throughput beside plain trimesh on the same triangles, and the cache."""

from __future__ import annotations

import math
import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import trimesh

from swgrm import Entity, EntityKind, Frame, Link, Robot
from swgrm.capture import Capture, CaptureSource, Component, Document, Face, PartBody, PartShape
from swgrm.capture.index import Index
from swgrm.findings import Findings
from swgrm.meshes.building import _Plan, add_meshes
from swgrm.meshes.cache import Cache
from swgrm.meshes.collision import Collision
from swgrm.meshes.making import MeshJob, make
from swgrm.meshes.options import MeshOptions
from swgrm.meshes.solids import solid
from swgrm.meshes.surface import surface
from swgrm.meshes.working import _in_processes, _in_threads
from tests.bench.measure import best, row, worked

IDENTITY = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0)
PARTS = 10


def triangles(number: int, detail: int) -> np.ndarray:
    """A bumpy ball, tessellated as loose triangles."""
    ball = trimesh.creation.icosphere(subdivisions=detail)
    bumps = 1 + 0.1 * np.sin((number + 3) * ball.vertices[:, :1]) * np.cos(5 * ball.vertices[:, 1:2])
    return np.asarray((ball.vertices * bumps)[ball.faces], "<f4")


def assembly(instances: int, detail: int) -> tuple[Robot, Capture]:
    """An assembly of that many instances of ten parts."""
    shapes, documents = [], []
    for number in range(PARTS):
        data = triangles(number, detail)
        path = f"part{number}.sldprt"
        body = PartBody("b", 0, faces=(Face(len(data)),))
        shapes.append(PartShape(path, "Default", bodies=(body,), triangles=data.tobytes()))
        documents.append(Document(path, "Default", 1, "Default", material="steel"))
    components = tuple(
        Component(f"part{n % PARTS}-{n}", f"part{n % PARTS}.sldprt", "Default", n, b"", 3, 1, -1, IDENTITY)
        for n in range(instances)
    )
    frames = [Frame(id="base")]
    for component in components:
        entity = Entity(EntityKind.COMPONENT, component.name)
        frames.append(Frame(id=component.name, parent="base", entity=entity, links=(Link(name=component.name),)))
    source = CaptureSource("a.sldasm", "a", "Default", 2, "34.0.0", 4, True)
    return Robot(name="r", frames=tuple(frames)), Capture(1, source, components, tuple(documents), tuple(shapes))


def unique_parts(count: int) -> tuple[Robot, Capture]:
    """An assembly of so many different parts, whose files are all called alike; each is one triangle."""
    body = PartBody("b", 0, faces=(Face(1),))
    paths = [f"{number}/part.sldprt" for number in range(count)]
    shapes = tuple(PartShape(path, "Default", bodies=(body,), triangles=path.encode().ljust(36)) for path in paths)
    components = tuple(
        Component(f"part-{n}", path, "Default", n, b"", 3, 1, -1, IDENTITY) for n, path in enumerate(paths)
    )
    entities = [Entity(EntityKind.COMPONENT, each.name) for each in components]
    frames = [Frame(id=e.path, parent="base", entity=e, links=(Link(name=e.path),)) for e in entities]
    source = CaptureSource("a.sldasm", "a", "Default", 2, "34.0.0", 4, True)
    return Robot(name="r", frames=(Frame(id="base"), *frames)), Capture(1, source, components, (), shapes)


def ours(robot: Robot, capture: Capture, folder: Path) -> None:
    """What an export does with the triangles: weld, clean, wind, integrals, mesh, hull; each file is read back."""
    solids = {(shape.path, shape.configuration, shape.variant): solid(shape, Cache(None)) for shape in capture.shapes}
    welded = {name: each.surface for name, each in solids.items() if each.surface is not None}
    hulls = MeshOptions(collision=Collision.HULL)
    add_meshes(robot, capture, folder, hulls, Findings(), welded=welded, workers=1)


def plain_trimesh(parts: list[np.ndarray], folder: Path, *, reads_back: bool) -> None:
    """What a script with trimesh does for the same: weld, clean, wind, integrals, mesh, hull, and read both back."""
    for number, part in enumerate(parts):
        kwargs = trimesh.triangles.to_kwargs(part.astype(float))  # type: ignore[no-untyped-call]
        mesh = trimesh.Trimesh(**kwargs, process=True, validate=True)
        assert mesh.mass_properties.mass > 0
        for made, name in ((mesh, f"{number}.stl"), (mesh.convex_hull, f"{number}_hull.obj")):
            made.export(folder / name)
            back: Any = trimesh.load_mesh(folder / name, process=False) if reads_back else made
            assert len(back.faces) == len(made.faces)
            assert np.allclose(back.bounds, made.bounds, atol=1e-6)


def least(function: Callable[[], object], runs: int) -> float:
    """The least processor time of several runs [s]."""
    return min(worked(function) for _ in range(runs))


def run() -> None:
    """Print the figures."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        row("instances of 10 parts", "triangles", "mesh work", "parts made")
        for instances in (10, 100, 1_000):
            robot, capture = assembly(instances, 4)
            made = add_meshes(robot, capture, folder, None, Findings())
            seconds = best(lambda r=robot, c=capture: add_meshes(r, c, folder, None, Findings(), workers=1), 3)  # type: ignore[misc]
            count = sum(len(shape.triangles) // 36 for shape in capture.shapes)
            row(f"{instances:,}", f"{count:,}", f"{seconds * 1e3:.0f} ms", made.made)
        for detail in (3, 5):
            _throughput(detail, folder)
        _cached(*assembly(10, 5), folder)
    _planning()
    _parallel()


def _throughput(detail: int, folder: Path) -> None:
    """Processor time beside plain trimesh; a busy machine disturbs both alike."""
    robot, capture = assembly(10, detail)
    parts = [np.frombuffer(shape.triangles, "<f4").reshape(-1, 3, 3) for shape in capture.shapes]
    count = sum(map(len, parts))
    own = least(lambda: ours(robot, capture, folder), 5)
    row(f"mesh, hull and integrals of {len(parts[0]):,}", f"{count:,}", f"{count / own / 1e3:.0f} k/s")
    for reads_back in (True, False):
        theirs = least(lambda how=reads_back: plain_trimesh(parts, folder, reads_back=how), 5)  # type: ignore[misc]
        row(f"trimesh, files read back: {reads_back}", "", f"{count / theirs / 1e3:.0f} k/s", f"{theirs / own:.2f}×")
    weld = least(lambda: [surface(part.astype(float)) for part in parts], 5)
    row("weld, clean and wind alone", f"{count:,}", f"{count / weld / 1e3:.0f} k/s")


def _cached(robot: Robot, capture: Capture, folder: Path) -> None:
    cache = folder / "cache"
    first = best(lambda: add_meshes(robot, capture, folder, None, Findings(), cache=Cache(cache), workers=1), 1)
    second = best(lambda: add_meshes(robot, capture, folder, None, Findings(), cache=Cache(cache)), 3)
    row("again, from the cache", "", f"{second * 1e3:.0f} ms", "first", f"{first / second:.1f}×")
    options = MeshOptions(collision=Collision.PRIMITIVE)
    fitted = best(lambda: add_meshes(robot, capture, folder, options, Findings(), workers=1), 1)
    row("primitives fitted", "", f"{fitted * 1e3:.0f} ms")


def _planning() -> None:
    """Naming and planning of different parts with one file name: the growth is 1 if they are linear."""
    times = {}
    for count in (1_000, 10_000):
        robot, capture = unique_parts(count)
        index = Index(capture)
        times[count] = least(lambda r=robot, i=index: _Plan(r, i, MeshOptions(), Findings()), 3)  # type: ignore[misc]
        row(f"{count:,} different parts planned", "", f"{times[count] * 1e3:.0f} ms")
    row("growth", "", f"{math.log10(times[10_000] / times[1_000]):.2f}")


def _parallel() -> None:
    """The same jobs one after the other, in threads and in processes, which are started for them."""
    _, capture = assembly(10, 5)
    jobs = [MeshJob(shape, None, None, "stl", Collision.HULL, 0) for shape in capture.shapes]
    todo = [(f"{turn} {number}", job) for turn in range(4) for number, job in enumerate(jobs)]
    count = os.cpu_count() or 1
    alone = best(lambda: [make(job) for _, job in todo], 3)
    for what, pool in (("threads", _in_threads), ("processes", _in_processes)):
        seconds = best(lambda p=pool: list(p(todo, count)), 3)  # type: ignore[misc]
        row(f"{count} {what}", "", f"{seconds * 1e3:.0f} ms", "one", f"{alone / seconds:.2f}×")
