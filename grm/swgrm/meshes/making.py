"""The mesh files and collision geometry of one part, made from its capture alone, in any process."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import msgspec

from swgrm.capture.records import Appearance, PartShape
from swgrm.meshes.cache import key
from swgrm.meshes.collision import Collision, bounded, collision_shapes, convex_pieces, simplified
from swgrm.meshes.files import HAS_COLOURS, as_written, decode_pieces, difference, encode, join_pieces
from swgrm.meshes.pieces import PackedPiece, pack
from swgrm.meshes.primitives import Primitive
from swgrm.meshes.surface import Surface, joined, surface
from swgrm.meshes.tessellation import PLAIN, Colour, ColouredSurface, coloured_surfaces
from swgrm.model import Box, Capsule, Cylinder, Sphere

COLLISION = "obj"  # the format of collision files, which every simulator reads (Drake reads no STL)


@dataclass(frozen=True, eq=False)
class MeshJob:
    """The inputs of a part's meshes."""

    shape: PartShape
    document: Appearance | None  # of the part
    component: Appearance | None  # of this component
    format: str
    collision: Collision
    faces: int
    visual_faces: int | None = None
    only_pieces: bool = False  # convex pieces and nothing else
    welded: Surface | None = None  # all of the shape's triangles, if that was made before

    @cached_property
    def key(self) -> str:
        """The hash of geometry, configuration, appearances and options."""
        appearances = msgspec.msgpack.encode((self.shape.bodies, self.document, self.component))
        options = (self.shape.configuration, self.format, self.collision, self.faces, self.visual_faces)
        return key(self.shape.triangles, appearances, "|".join(map(str, (*options, self.only_pieces))))


class MeshFile(msgspec.Struct, frozen=True):
    """A mesh file: its bytes, and the triangles in it for everything that would have to decode it."""

    data: bytes
    pieces: list[PackedPiece]
    colour: Colour | None = None  # of a visual mesh without colours in its file


class MeshResult(msgspec.Struct, frozen=True):
    """The result of a job: visual files, collision files and primitives, and what differs when files are read back."""

    visuals: list[MeshFile]
    collision_files: list[MeshFile]
    primitives: list[Box | Cylinder | Sphere | Capsule]
    problems: list[str]
    triangles: int
    format: str = "stl"  # of the visual files
    collision: Collision = Collision.NONE  # how the collision geometry was made


def make(job: MeshJob) -> MeshResult:
    """Makes the mesh files and collision geometry of a part, and checks each file by reading it back."""
    shown = coloured_surfaces(job.shape, job.document, job.component, job.welded)
    if not shown:
        return MeshResult([], [], [], [], 0)
    problems: list[str] = []

    def file(parts: list[ColouredSurface], form: str) -> MeshFile:
        data = encode(parts, form)
        back = decode_pieces(data, form)
        if problem := difference(join_pieces(back, "mesh"), parts):
            problems.append(f"{problem} ({form.upper()})")
        if form in HAS_COLOURS:
            return MeshFile(data, list(map(pack, back)))
        return MeshFile(data, [pack(as_written(parts[0], form))], parts[0].colour)

    if job.only_pieces:
        visuals = []
    elif job.format in HAS_COLOURS:
        visuals = [file(lighter(shown, job.visual_faces), job.format)]
    else:
        visuals = [file([part], job.format) for part in lighter(shown, job.visual_faces)]
    body = surface(joined([each.surface for each in shown]).triangles) if len(shown) > 1 else shown[0].surface
    shapes = _pieces(body, job) if job.only_pieces else collision_shapes(body, job.collision, job.faces)
    files = [file([ColouredSurface(PLAIN, each)], COLLISION) for each in shapes if isinstance(each, Surface)]
    primitives = [each for each in shapes if not isinstance(each, Surface)]
    count = sum(len(each.surface.faces) for each in shown)
    return MeshResult(visuals, files, primitives, problems, count, job.format, job.collision)


def _pieces(body: Surface, job: MeshJob) -> list[Surface | Primitive]:
    pieces = convex_pieces(body)
    return [bounded(piece) for piece in pieces] if job.collision == Collision.AUTO else [*pieces]


def lighter(shown: list[ColouredSurface], most: int | None) -> list[ColouredSurface]:
    """Surfaces with at most about so many triangles together, each reduced by the same share."""
    count = sum(len(each.surface.faces) for each in shown)
    if most is None or count <= most:
        return shown
    return [
        each._replace(surface=simplified(each.surface, max(4, len(each.surface.faces) * most // count)))
        for each in shown
    ]
