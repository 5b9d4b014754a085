"""One part's mesh files and collision shapes: made from its capture alone, so that it can happen in any process."""

from __future__ import annotations

from typing import NamedTuple

import msgspec

from swgrm.capture.records import Appearance, PartShape
from swgrm.meshes.cache import key
from swgrm.meshes.collision import Collision, collision_shapes
from swgrm.meshes.files import HAS_COLOURS, encode, same
from swgrm.meshes.surface import Surface, joined, surface
from swgrm.meshes.tessellation import PLAIN, Colour, ColouredSurface, coloured_surfaces
from swgrm.model import Box, Capsule, Cylinder, Sphere


class MeshJob(NamedTuple):
    """All that a part's meshes depend on."""

    shape: PartShape
    document: Appearance | None  # how the part looks
    instance: Appearance | None  # how this instance of it looks
    format: str
    collision: Collision
    faces: int

    @property
    def key(self) -> str:
        """The hash of geometry, configuration, looks and options."""
        looks = msgspec.msgpack.encode((self.shape.bodies, self.document, self.instance))
        options = f"{self.shape.configuration}|{self.format}|{self.collision}|{self.faces}"
        return key(self.shape.triangles, looks, options)


class Visual(msgspec.Struct, frozen=True):
    """A visual mesh file; without a colour of its own, the file has its colours inside."""

    data: bytes
    colour: Colour | None


class MeshResult(msgspec.Struct, frozen=True):
    """What a job gives: visual files, collision files and primitives, and what went wrong."""

    visuals: list[Visual]
    collision_files: list[bytes]
    primitives: list[Box | Cylinder | Sphere | Capsule]
    problems: list[str]
    triangles: int
    format: str = "stl"  # of the visual files


def make(job: MeshJob) -> MeshResult:
    """Do the job."""
    shown = coloured_surfaces(job.shape, job.document, job.instance)
    if not shown:
        return MeshResult([], [], [], [], 0)
    problems: list[str] = []

    def file(parts: list[ColouredSurface], form: str) -> bytes:
        data = encode(parts, form)
        if problem := same(data, form, parts):
            problems.append(f"Read back as {form.upper()}, {problem}.")
        return data

    if job.format in HAS_COLOURS:
        visuals = [Visual(file(shown, job.format), None)]
    else:
        visuals = [Visual(file([piece], job.format), piece.colour) for piece in shown]
    body = surface(joined([piece.surface for piece in shown]).triangles) if len(shown) > 1 else shown[0].surface
    shapes = collision_shapes(body, job.collision, job.faces)
    files = [file([ColouredSurface(PLAIN, each)], "stl") for each in shapes if isinstance(each, Surface)]
    primitives = [each for each in shapes if not isinstance(each, Surface)]
    return MeshResult(
        visuals, files, primitives, problems, sum(len(piece.surface.faces) for piece in shown), job.format
    )
