"""Meshes and materials as MuJoCo reads them: each file once, converted where MuJoCo would refuse it.

MuJoCo reads binary STL of at most 200,000 faces, OBJ and MSH. Other files become OBJ, one per colour, beside them. A
flat mesh has no volume: MuJoCo takes it for display as a shell, and never for collisions.
"""

from __future__ import annotations

import os
from pathlib import Path, PurePosixPath
from typing import NamedTuple

import numpy as np

from swgrm.errors import SwgrmError
from swgrm.findings import Findings
from swgrm.meshes.files import encode
from swgrm.meshes.store import MeshStore
from swgrm.meshes.surface import Surface, joined
from swgrm.meshes.tessellation import Colour, ColouredSurface
from swgrm.meshes.uris import resolve
from swgrm.model import Material, Mesh, Robot, Vec3
from swgrm.storage.files import reading, write_bytes
from swgrm_exporters.format import Target
from swgrm_exporters.names import Pool, ros_legal
from swgrm_exporters.numbers import Numbers
from swgrm_exporters.xmlwriting import Node, add_node

READ = (".stl", ".obj", ".msh")
MOST_FACES = 200_000  # of an STL file
LEAST_VERTICES, SOME = 4, 64
FLAT = 1e-6  # volume of a mesh, relative to the cube of its size, below which it is flat
SMALL = 1e-13  # [m³] below which MuJoCo refuses the volume of a mesh
STL_HEAD, STL_FACE = 84, 50  # [bytes]
PLAIN: Colour = (0.4, 0.4, 0.4, 1.0)  # of a converted mesh without a colour


class MeshPiece(NamedTuple):
    """A mesh asset: its name, whether it has no volume, and the colour that the file gave it."""

    name: str
    is_flat: bool
    rgba: Colour | None = None


class MeshAssets:
    """The meshes of a robot, made into assets as they are used."""

    def __init__(self, target: Target | None, findings: Findings, numbers: Numbers) -> None:
        """For a file at the target; without one no mesh is found."""
        self.target, self.findings, self.numbers = target, findings, numbers
        self.node = Node("asset")
        self.files: list[Path] = []  # that were converted
        self.bounds: dict[str, tuple[Vec3, Vec3]] = {}  # of each asset
        self._names, self._file_names = Pool(), Pool()
        self._store = (target.store if target is not None else None) or MeshStore()
        self._known: dict[tuple[str, Vec3], tuple[MeshPiece, ...]] = {}

    def pieces(self, shape: Mesh) -> tuple[MeshPiece, ...]:
        """The assets of a mesh; none if MuJoCo cannot have it, which is reported."""
        key = (shape.uri, shape.scale)
        if key not in self._known:
            self._known[key] = self._made(shape)
        return self._known[key]

    def _made(self, shape: Mesh) -> tuple[MeshPiece, ...]:
        path = located(shape.uri, self.target)
        if path is None:
            self.findings.add("mjcf-mesh-missing", f"mesh {shape.uri}")
            return ()
        try:
            found = self._pieces(shape, path)
        except SwgrmError as error:
            self.findings.add("mjcf-mesh-unreadable", f"mesh {shape.uri}", problem=str(error))
            return ()
        return found

    def _pieces(self, shape: Mesh, path: Path) -> tuple[MeshPiece, ...]:
        if path.suffix.lower() == ".msh":  # MuJoCo's own
            return (self._asset(shape.uri, shape, None),)
        reason = _refusal(path)
        if reason is None and not _is_elsewhere(shape.uri):
            surface = self._store.surface(path)
            usable = self._is_usable(surface, shape)
            return (self._asset(shape.uri, shape, surface),) if usable else ()
        pieces = _coloured(self._store, path)
        self.findings.add("mjcf-mesh-converted", f"mesh {shape.uri}", reason=reason or "its name is not a relative one")
        found = []
        for number, piece in enumerate(pieces, 1):
            if not self._is_usable(piece.surface, shape):
                continue
            uri = self._write(path, piece, number if len(pieces) > 1 else 0)
            made = self._asset(uri, shape, piece.surface)
            found.append(made._replace(rgba=piece.colour if len(pieces) > 1 else None))
        return tuple(found)

    def _is_usable(self, surface: Surface, shape: Mesh) -> bool:
        for vertices in (surface.vertices[:SOME], surface.vertices):  # nearly always, some of them are enough
            distinct = np.unique(np.round(vertices, 12), axis=0)
            if len(distinct) >= LEAST_VERTICES:
                return True
        self.findings.add("mjcf-mesh-small", f"mesh {shape.uri}", count=len(distinct))
        return False

    def _write(self, path: Path, piece: ColouredSurface, number: int) -> str:
        assert self.target is not None  # noqa: S101 - the file was found there
        stem = f"{path.stem}_{number}" if number else path.stem
        name = self._file_names.fresh(f"{stem}_mjcf")
        target = self.target.folder / "meshes" / f"{name}.obj"
        write_bytes(target, encode([piece], "obj"))
        self.files.append(target)
        return f"meshes/{target.name}"

    def _asset(self, uri: str, shape: Mesh, surface: Surface | None) -> MeshPiece:
        name = self._names.fresh(ros_legal(PurePosixPath(uri.replace("\\", "/")).stem) or "mesh")
        values = {"name": name, "file": uri}
        if shape.scale != (1.0, 1.0, 1.0):
            values["scale"] = self.numbers.texts(shape.scale)
        is_flat = surface is not None and _is_flat(surface, shape.scale)
        if is_flat:
            values["inertia"] = "shell"
        if surface is not None:
            corners = np.array([surface.vertices.min(axis=0), surface.vertices.max(axis=0)]) * shape.scale
            low, high = corners.min(axis=0).tolist(), corners.max(axis=0).tolist()
            self.bounds[name] = ((low[0], low[1], low[2]), (high[0], high[1], high[2]))
        add_node(self.node, "mesh", values)
        return MeshPiece(name, is_flat)


def located(uri: str, target: Target | None) -> Path | None:
    """The file that a URI names: in the folder that is written, or where its files will be."""
    folders = [] if target is None else dict.fromkeys((target.folder, target.place))
    return next((path for folder in folders if (path := resolve(uri, folder)) is not None), None)


def _is_elsewhere(uri: str) -> bool:
    return "://" in uri


def _refusal(path: Path) -> str | None:
    """Why MuJoCo would refuse a file; None if it reads it."""
    kind = path.suffix.lower()
    if kind not in READ:
        return f"MuJoCo does not read {kind.lstrip('.').upper()}"
    if kind != ".stl":
        return None
    with reading(path) as file:
        head = file.read(STL_HEAD)
        size = file.seek(0, os.SEEK_END)
    count = int.from_bytes(head[80:], "little") if len(head) == STL_HEAD else 0
    if size != STL_HEAD + STL_FACE * count:
        return "MuJoCo reads binary STL only"
    return f"it has {count:,} triangles, MuJoCo reads {MOST_FACES:,}" if count > MOST_FACES else None


def _is_flat(surface: Surface, scale: Vec3) -> bool:
    """Whether a mesh encloses no volume that MuJoCo can use: V = Σ a · (b × c) / 6."""
    a, b, c = np.moveaxis(surface.triangles * np.array(scale) - surface.vertices.mean(axis=0) * scale, 1, 0)
    volume = abs(float(np.einsum("ij,ij->", a, np.cross(b, c)))) / 6
    size = float(np.linalg.norm(np.ptp(surface.vertices * np.array(scale), axis=0)))
    return volume < max(SMALL, FLAT * size**3)


def _coloured(store: MeshStore, path: Path) -> list[ColouredSurface]:
    """The surfaces of a mesh file, one per colour."""
    whole = store.surface(path)  # a FileError if it has no triangles
    groups: dict[Colour, list[Surface]] = {}
    for piece in store.pieces(path):
        groups.setdefault(piece.colour or PLAIN, []).append(piece.surface)
    if len(groups) > 1:
        return [ColouredSurface(colour, joined(surfaces)) for colour, surfaces in groups.items()]
    (colour,) = groups
    if path.suffix.lower() == ".stl":  # whose triangles share no vertices
        whole = Surface(whole.triangles.reshape(-1, 3), np.arange(3 * len(whole.faces)).reshape(-1, 3))
    return [ColouredSurface(colour, whole)]


def add_materials(asset: Node, robot: Robot, target: Target | None, findings: Findings, numbers: Numbers) -> None:
    """Add the robot's materials; a texture needs a PNG file."""
    for material in robot.materials:
        values = {"name": material.name}
        if material.rgba is not None:
            values["rgba"] = numbers.texts(material.rgba)
        if material.texture and _has_png(material, target):
            values["texture"] = material.name
            add_node(asset, "texture", {"name": material.name, "type": "2d", "file": material.texture})
        elif material.texture:
            findings.add("mjcf-texture", f"material {material.name}", file=material.texture)
        add_node(asset, "material", values)


def _has_png(material: Material, target: Target | None) -> bool:
    path = located(material.texture, target)
    return path is not None and path.suffix.lower() == ".png" and "://" not in material.texture
