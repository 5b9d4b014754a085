"""Meshes: many instances of few parts, throughput beside plain trimesh on the same triangles, and the cache."""

from __future__ import annotations

import tempfile
from pathlib import Path

import numpy as np
import trimesh

from swgrm import Entity, EntityKind, Frame, Link, Robot
from swgrm.capture import Capture, CaptureSource, Component, Document, Face, PartBody, PartShape
from swgrm.findings import Findings
from swgrm.meshes.building import add_meshes
from swgrm.meshes.cache import Cache
from swgrm.meshes.collision import Collision
from swgrm.meshes.options import MeshOptions
from swgrm.meshes.surface import surface
from tests.bench.measure import best, row

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


def plain_trimesh(parts: list[np.ndarray], folder: Path) -> None:
    """What a script with trimesh does with the same triangles: weld, clean, hull, write both."""
    for number, part in enumerate(parts):
        mesh = trimesh.Trimesh(**trimesh.triangles.to_kwargs(part.astype(float)))  # type: ignore[no-untyped-call]
        mesh.merge_vertices()
        mesh.update_faces(mesh.nondegenerate_faces())
        mesh.export(folder / f"{number}.stl")
        mesh.convex_hull.export(folder / f"{number}_hull.stl")


def run() -> None:
    """Print the figures."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        row("instances of 10 parts", "triangles", "mesh work", "parts made")
        for instances in (10, 100, 1_000):
            robot, capture = assembly(instances, 4)
            made = add_meshes(robot, capture, folder, None, Findings())
            time = best(lambda r=robot, c=capture: add_meshes(r, c, folder, None, Findings(), workers=1), 3)  # type: ignore[misc]
            count = sum(len(shape.triangles) // 36 for shape in capture.shapes)
            row(f"{instances:,}", f"{count:,}", f"{time * 1e3:.0f} ms", made.made)
        robot, capture = assembly(10, 5)
        parts = [np.frombuffer(shape.triangles, "<f4").reshape(-1, 3, 3) for shape in capture.shapes]
        count = sum(map(len, parts))
        ours = best(lambda: add_meshes(robot, capture, folder, None, Findings(), workers=1), 3)
        theirs = best(lambda: plain_trimesh(parts, folder), 3)
        row("throughput, hull too", f"{count:,}", f"{count / ours / 1e3:.0f} k/s", "trimesh", f"{theirs / ours:.2f}×")
        weld = best(lambda: [surface(part.astype(float)) for part in parts], 3)
        row("weld, clean and wind alone", f"{count:,}", f"{count / weld / 1e3:.0f} k/s")
        cache = folder / "cache"
        first = best(lambda: add_meshes(robot, capture, folder, None, Findings(), cache=Cache(cache), workers=1), 1)
        second = best(lambda: add_meshes(robot, capture, folder, None, Findings(), cache=Cache(cache)), 3)
        row("again, from the cache", "", f"{second * 1e3:.0f} ms", "first", f"{first / second:.1f}×")
        options = MeshOptions(collision=Collision.PRIMITIVE)
        fitted = best(lambda: add_meshes(robot, capture, folder, options, Findings(), workers=1), 1)
        row("primitives fitted", f"{count:,}", f"{fitted * 1e3:.0f} ms")
