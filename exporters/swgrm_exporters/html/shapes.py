"""The shapes of a robot as drawable bytes: each mesh file and primitive once, by the hash of its bytes."""

from __future__ import annotations

import hashlib
import math
import zlib
from collections.abc import Callable, Mapping
from functools import cached_property
from importlib import import_module
from typing import Any, TypeVar

import msgspec
import numpy as np

from swgrm.errors import SwgrmError
from swgrm.findings import Findings
from swgrm.meshes.cache import Cache, default_folder, key
from swgrm.meshes.pieces import FilePiece
from swgrm.meshes.simplifying import is_installed
from swgrm.meshes.store import MeshFiles
from swgrm.meshes.surface import weld
from swgrm.model import Box, Capsule, Cylinder, Geometry, Mesh, Robot, Sphere
from swgrm_exporters.html.buffers import pack
from swgrm_exporters.html.simplify import simplified

T = TypeVar("T")
Rgba = tuple[float, float, float, float]


class Piece(msgspec.Struct, frozen=True):
    """A drawable piece of a shape: the key of its bytes, and the colour in the file if it has one."""

    mesh: str
    rgba: Rgba | None = None
    triangles: int = 0
    data: bytes = b""  # compressed


class _Drawing:
    """A shape, as it is drawn; its surfaces are loaded only if the cache does not have what is made of them.

    `source` is everything that the surfaces depend on.
    """

    def __init__(self, source: bytes, load: Callable[[], list[FilePiece]], cache: Cache) -> None:
        self._source, self._load, self._cache = hashlib.sha256(source).digest(), load, cache
        self.triangles = self._kept("triangles", int, lambda: sum(len(each.surface.faces) for each in self._loaded))

    @cached_property
    def _loaded(self) -> list[FilePiece]:
        return self._load()

    def pieces(self, share: float) -> list[Piece]:
        """Its pieces with a share of their triangles."""
        what = f"pieces {share} {is_installed()}" if share < 1 else "pieces"  # without the library, others are made
        return self._kept(what, list[Piece], lambda: [_packed(each, share) for each in self._loaded])

    def _kept(self, what: str, kind: type[T], make: Callable[[], T]) -> T:
        return self._cache.kept(key("page", what, self._source), kind, make)


class Shapes:
    """The drawable pieces of every shape of a robot; `meshes` has their bytes by key, compressed by zlib."""

    def __init__(self, robot: Robot, meshes: MeshFiles, max_triangles: int, findings: Findings) -> None:
        cache = Cache(default_folder())
        found: dict[str, _Drawing | None] = {}
        for _, link in robot.links():
            for shape in (*link.visuals, *link.collisions):
                if (name := _name(shape)) not in found:
                    found[name] = _drawing(shape, meshes, cache, findings)
        drawings = {name: drawing for name, drawing in found.items() if drawing}
        total = sum(drawing.triangles for drawing in drawings.values())
        share = _step_below(max_triangles / total) if total > max_triangles else 1.0
        self._pieces = {name: drawing.pieces(share) for name, drawing in drawings.items()}
        every = {piece.mesh: piece for pieces in self._pieces.values() for piece in pieces}
        self.meshes = {mesh: piece.data for mesh, piece in every.items()}
        if share < 1:
            drawn = sum(piece.triangles for piece in every.values())
            findings.add("html-simplified", f"robot {robot.name}", drawn=f"{drawn:,}", total=f"{total:,}")

    def of(self, shape: Geometry) -> list[Piece]:
        """The pieces of a shape; empty if its file cannot be read."""
        return self._pieces.get(_name(shape), [])


def _step_below(share: float) -> float:
    """The next power of 2^(1/4) below: when a robot changes a little, the drawings in the cache stay valid."""
    # One half is a step, on every processor.
    return float(2 ** (math.floor(4 * math.log2(share) + 1e-9) / 4)) if share > 0 else 0.0


def _packed(piece: FilePiece, share: float) -> Piece:
    surface = simplified(piece.surface, int(len(piece.surface.faces) * share)) if share < 1 else piece.surface
    drawn = surface if len(surface.faces) else piece.surface
    data = pack(drawn)
    rgba = None
    if piece.colour is not None:
        red, green, blue, opacity = (round(value, 4) for value in piece.colour)
        rgba = (red, green, blue, opacity)
    return Piece(hashlib.sha256(data).hexdigest()[:20], rgba, len(drawn.faces), zlib.compress(data, 9))


def _name(shape: Geometry) -> str:
    """What two shapes of one surface have in common; scale and pose are applied when it is drawn."""
    if isinstance(shape, Mesh):
        return f"mesh {shape.uri}"
    return repr(msgspec.structs.replace(shape, name="", origin=type(shape.origin)(), material=""))


def _drawing(shape: Geometry, meshes: MeshFiles, cache: Cache, findings: Findings) -> _Drawing | None:
    if not isinstance(shape, Mesh):
        return _Drawing(_name(shape).encode(), lambda: _primitive(shape), cache)
    path = meshes.path(shape.uri)
    if path is None:
        findings.add("html-mesh-missing", f"mesh {shape.uri}")
        return None
    try:
        source = f"{path.suffix.lower()} {meshes.digest(shape.uri)}"
        return _Drawing(source.encode(), lambda: meshes.welded_pieces(shape.uri) or [], cache)
    except (SwgrmError, OSError, ValueError) as error:
        findings.add("html-mesh-unreadable", f"mesh {shape.uri}", error=str(error))
        return None


def _primitive(shape: Geometry) -> list[FilePiece]:
    made: Any = _PRIMITIVES[type(shape)](import_module("trimesh.creation"), shape)
    return [FilePiece(weld(np.asarray(made.triangles)))]


_PRIMITIVES: Mapping[type, Callable[..., Any]] = {
    Box: lambda make, shape: make.box(shape.size),
    Cylinder: lambda make, shape: make.cylinder(shape.radius, shape.length, sections=48),
    Sphere: lambda make, shape: make.icosphere(subdivisions=3, radius=shape.radius),
    Capsule: lambda make, shape: make.capsule(shape.length, shape.radius),
}
