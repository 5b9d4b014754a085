"""Mesh files: encoding with colours, reproducible byte for byte, and decoding to check what was written."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from swgrm.errors import FileError, MissingExtra, SwgrmError
from swgrm.meshes.pieces import FilePiece
from swgrm.meshes.plain_files import decode_obj, decode_stl, encode_obj, encode_stl
from swgrm.meshes.surface import Surface, bounds, joined
from swgrm.meshes.tessellation import Colour, ColouredSurface
from swgrm.precision import rounded_points
from swgrm.storage.files import read_bytes

FLOAT32 = 1e-6  # relative rounding of numbers in STL and GLB


def encode(surfaces: Sequence[ColouredSurface], form: str) -> bytes:
    """The bytes of a mesh file in a format."""
    if form not in ENCODERS:
        raise SwgrmError(f"Meshes cannot be written as `{form}`: choose one of {', '.join(ENCODERS)}.")
    return ENCODERS[form](surfaces)


def _stl(surfaces: Sequence[ColouredSurface]) -> bytes:
    """Binary STL, without colours."""
    return encode_stl(joined([each.surface for each in surfaces]))


def _obj(surfaces: Sequence[ColouredSurface]) -> bytes:
    """Wavefront OBJ with the colour beside each corner, so that no second file is needed."""
    colours = [np.tile(_shade(each.colour)[:3], (len(each.surface.vertices), 1)) for each in surfaces]
    return encode_obj(joined([each.surface for each in surfaces]), np.concatenate(colours))


def _shade(colour: Sequence[float]) -> Colour:
    """A colour as an OBJ file has it: in 255 steps, and opaque."""
    red, green, blue = (round(255 * value) / 255 for value in colour[:3])
    return (red, green, blue, 1.0)


def _trimesh() -> Any:  # noqa: ANN401 - trimesh is only partly annotated
    return import_module("trimesh")


def _scene(surfaces: Sequence[ColouredSurface]) -> Any:  # noqa: ANN401 - trimesh is only partly annotated
    trimesh = _trimesh()
    scene = trimesh.Scene()
    for number, each in enumerate(surfaces):
        material = trimesh.visual.material.PBRMaterial(
            name=f"colour_{number + 1}",
            baseColorFactor=[round(255 * value) for value in each.colour],
            metallicFactor=0.0,
            roughnessFactor=0.6,
            alphaMode="BLEND" if each.colour[3] < 1 else "OPAQUE",
        )
        mesh = trimesh.Trimesh(
            each.surface.vertices,
            each.surface.faces,
            process=False,
            visual=trimesh.visual.TextureVisuals(material=material),
        )
        scene.add_geometry(mesh, geom_name=f"piece_{number + 1}", node_name=f"node_{number + 1}")
    return scene


def _glb(surfaces: Sequence[ColouredSurface]) -> bytes:
    data: bytes = _scene(surfaces).export(file_type="glb")
    return data


def _dae(surfaces: Sequence[ColouredSurface]) -> bytes:
    if find_spec("collada") is None:  # trimesh needs it for this format
        raise MissingExtra("Writing DAE meshes", "pycollada", "meshes")
    meshes = list(_scene(surfaces).geometry.values())
    data: bytes = import_module("trimesh.exchange.dae").export_collada(meshes)
    data = re.sub(rb"<(created|modified)>[^<]*</", rb"<\1>2000-01-01T00:00:00</", data)
    data = data.replace(b"<up_axis>Y_UP</up_axis>", b'<unit name="meter" meter="1"/>\n    <up_axis>Z_UP</up_axis>')
    ids: dict[bytes, bytes] = {}  # pycollada names effects at random
    return re.sub(rb"\b[0-9a-f]{32}\b", lambda found: ids.setdefault(found[0], b"effect_%d" % (len(ids) + 1)), data)


ENCODERS: Mapping[str, Callable[[Sequence[ColouredSurface]], bytes]] = {
    "stl": _stl,
    "glb": _glb,
    "dae": _dae,
    "obj": _obj,
}
HAS_COLOURS = frozenset({"glb", "dae"})  # the other formats need one file per colour


def as_written(given: ColouredSurface, form: str) -> FilePiece:
    """The piece that an STL or OBJ file of a surface has: the vertices as the file rounds them.

    An STL file repeats the vertices of each triangle. Here triangles share them, so that nobody has to weld them.
    """
    vertices, faces = given.surface
    if form == "stl":
        return FilePiece(Surface(vertices.astype("<f4").astype(float), faces))
    return FilePiece(Surface(rounded_points(vertices), faces), _shade(given.colour))


def decode(data: bytes, form: str, path: Path | str = "mesh") -> Surface:
    """The surface in the bytes of a mesh file: all its meshes, at their poses in the file's scene."""
    return join_pieces(decode_pieces(data, form, path), path)


def join_pieces(pieces: Sequence[FilePiece], path: Path | str) -> Surface:
    """The pieces of a mesh file as one surface; a FileError if they have no triangles."""
    if not any(len(piece.surface.faces) for piece in pieces):
        raise FileError(path, "it contains no triangles")
    return pieces[0].surface if len(pieces) == 1 else joined([piece.surface for piece in pieces])


def decode_pieces(data: bytes, form: str, path: Path | str = "mesh") -> list[FilePiece]:
    """The meshes in the bytes of a mesh file, at their poses in the file's scene, with the colours in the file."""
    piece = PLAIN_DECODERS[form](data) if form in PLAIN_DECODERS else None
    if piece is not None and len(piece.surface.faces):
        return [piece]
    trimesh = _trimesh()
    try:
        loaded = trimesh.load_scene(io.BytesIO(data), file_type=form, process=False)
        meshes = [mesh for mesh in loaded.dump() if isinstance(mesh, trimesh.Trimesh)]
    except Exception as error:
        raise FileError(path, f"it cannot be read as {form.upper()}: {error}") from error
    pieces = []
    for mesh in meshes:
        surface = Surface(np.asarray(mesh.vertices, float), np.asarray(mesh.faces, np.int64))
        pieces.append(FilePiece(surface, _colour(mesh.visual)))
    return pieces


def _colour(visual: Any) -> Colour | None:  # noqa: ANN401 - trimesh is only partly annotated
    """The main colour of a mesh of trimesh, whether its vertices have it or its material; None if it has none."""
    if not visual.defined:
        return None
    colour = getattr(visual, "main_color", None)
    if colour is None:
        colour = getattr(getattr(visual, "material", None), "main_color", None)
    if colour is None:
        return None
    red, green, blue, opacity = (float(value) / 255 for value in colour)
    return (red, green, blue, opacity)


def _stl_piece(data: bytes) -> FilePiece | None:
    surface = decode_stl(data)
    return None if surface is None else FilePiece(surface)


def _obj_piece(data: bytes) -> FilePiece | None:
    """The piece of an OBJ file whose corners have one colour, as `encode` writes it for one surface."""
    decoded = decode_obj(data)
    if decoded is None:
        return None
    surface, colours = decoded
    has_one_colour = (colours == colours[0]).all()
    return FilePiece(surface, _shade(colours[0].tolist())) if has_one_colour else None


PLAIN_DECODERS: Mapping[str, Callable[[bytes], FilePiece | None]] = {"stl": _stl_piece, "obj": _obj_piece}


def load(path: Path) -> Surface:
    """The surface in a mesh file."""
    return decode(read_bytes(path), path.suffix.lower().lstrip("."), path)


def difference(back: Surface, surfaces: Sequence[ColouredSurface]) -> str:
    """How the surface that a mesh file was decoded to differs from the mesh; empty if it does not."""
    wanted = surfaces[0].surface if len(surfaces) == 1 else joined([each.surface for each in surfaces])
    if len(back.faces) != len(wanted.faces):
        return f"it has {len(back.faces)} triangles instead of {len(wanted.faces)}"
    if len(wanted.faces) == 0:
        return ""
    a, b = (np.concatenate(bounds(each.used_vertices)) for each in (wanted, back))
    off = float(np.abs(a - b).max())
    return "" if off <= FLOAT32 * max(wanted.size, float(np.abs(a).max())) else f"it deviates by {off:.3g} m"
