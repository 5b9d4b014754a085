"""The shapes of a robot as drawable bytes: each mesh file and primitive once, by the hash of its bytes."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from swgrm.errors import SwgrmError
from swgrm.files import read_bytes
from swgrm.findings import Findings
from swgrm.mesh_uris import resolve
from swgrm.meshes.plain_files import coloured_obj, decode_stl
from swgrm.meshes.surface import Surface, weld
from swgrm.model import Box, Capsule, Cylinder, Geometry, Mesh, Robot, Sphere
from swgrm_exporters.html.buffers import pack
from swgrm_exporters.html.simplify import simplified

Rgba = tuple[float, float, float, float]


class Piece(msgspec.Struct, frozen=True, omit_defaults=True):
    """A drawable piece of a shape: the key of its bytes, and the colour in the file if it has one."""

    mesh: str
    rgba: Rgba | None = None


class _Loaded(msgspec.Struct):
    surface: Surface
    rgba: Rgba | None = None


class Shapes:
    """The drawable pieces of every shape of a robot; `meshes` has their bytes by key."""

    def __init__(self, robot: Robot, folder: Path, max_triangles: int, findings: Findings) -> None:
        self.meshes: dict[str, bytes] = {}
        self._pieces: dict[str, list[Piece]] = {}
        loaded: dict[str, list[_Loaded]] = {}
        for _, link in robot.links():
            for shape in (*link.visuals, *link.collisions):
                if (key := _key(shape)) not in loaded:
                    loaded[key] = _load(shape, folder, findings)
        total = sum(len(each.surface.faces) for pieces in loaded.values() for each in pieces)
        share = min(1.0, max_triangles / total) if total else 1.0
        for key, pieces in loaded.items():
            self._pieces[key] = [self._add(each, share) for each in pieces]
        if share < 1:
            drawn = int(sum(np.frombuffer(data[4:8], "<u4")[0] // 3 for data in self.meshes.values()))
            findings.add("html-simplified", f"robot {robot.name}", drawn=f"{drawn:,}", total=f"{total:,}")

    def of(self, shape: Geometry) -> list[Piece]:
        """The pieces of a shape; empty if its file cannot be read."""
        return self._pieces.get(_key(shape), [])

    def _add(self, piece: _Loaded, share: float) -> Piece:
        surface = simplified(piece.surface, int(len(piece.surface.faces) * share)) if share < 1 else piece.surface
        data = pack(surface if len(surface.faces) else piece.surface)
        key = hashlib.sha256(data).hexdigest()[:20]
        self.meshes[key] = data
        return Piece(key, piece.rgba)


def _key(shape: Geometry) -> str:
    """What two shapes of one surface have in common; scale and pose are applied when it is drawn."""
    if isinstance(shape, Mesh):
        return f"mesh {shape.uri}"
    return repr(msgspec.structs.replace(shape, name="", origin=type(shape.origin)(), material=""))


def _load(shape: Geometry, folder: Path, findings: Findings) -> list[_Loaded]:
    if not isinstance(shape, Mesh):
        made: Any = _PRIMITIVES[type(shape)](import_module("trimesh.creation"), shape)
        return [_Loaded(weld(np.asarray(made.triangles)))]
    path = resolve(shape.uri, folder)
    if path is None:
        findings.add("html-mesh-missing", f"mesh {shape.uri}")
        return []
    try:
        return [each for each in _read(path) if len(each.surface.faces)]
    except (SwgrmError, OSError, ValueError) as error:
        findings.add("html-mesh-unreadable", f"mesh {shape.uri}", error=str(error))
        return []


def _read(path: Path) -> list[_Loaded]:
    data = read_bytes(path)
    suffix = path.suffix.lower()
    if suffix == ".stl" and (plain := decode_stl(data)) is not None:
        return [_Loaded(weld(plain.triangles))]
    if (
        suffix == ".obj"
        and (found := coloured_obj(data)) is not None
        and len(shades := np.unique(found[1], axis=0)) == 1
    ):
        red, green, blue = (round(round(255 * float(value)) / 255, 4) for value in shades[0])
        return [_Loaded(weld(found[0].triangles), (red, green, blue, 1.0))]
    return [_Loaded(weld(surface.triangles), rgba) for surface, rgba in coloured(data, path)]


def coloured(data: bytes, path: Path) -> list[tuple[Surface, Rgba | None]]:
    """Returns the surfaces in the bytes of a mesh file with the colours that the file gives them."""
    from io import BytesIO

    trimesh: Any = import_module("trimesh")
    try:
        scene = trimesh.load_scene(BytesIO(data), file_type=path.suffix.lower().lstrip("."), process=False)
        meshes = [mesh for mesh in scene.dump() if isinstance(mesh, trimesh.Trimesh)]
    except Exception as error:
        raise SwgrmError(f"it cannot be read: {error}") from error
    found: list[tuple[Surface, Rgba | None]] = []
    for mesh in meshes:
        colour = getattr(mesh.visual, "main_color", None)
        if colour is None:
            colour = getattr(getattr(mesh.visual, "material", None), "main_color", None)
        rgba = None
        if colour is not None and mesh.visual.defined:
            red, green, blue, opacity = (round(float(value) / 255, 4) for value in colour)
            rgba = (red, green, blue, opacity)
        found.append((Surface(np.asarray(mesh.vertices, float), np.asarray(mesh.faces, np.int64)), rgba))
    return found


_PRIMITIVES: Mapping[type, Callable[..., Any]] = {
    Box: lambda make, shape: make.box(shape.size),
    Cylinder: lambda make, shape: make.cylinder(shape.radius, shape.length, sections=48),
    Sphere: lambda make, shape: make.icosphere(subdivisions=3, radius=shape.radius),
    Capsule: lambda make, shape: make.capsule(shape.length, shape.radius),
}
