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
from swgrm.files import read_bytes
from swgrm.meshes.plain_files import decode_obj, decode_stl, encode_obj, encode_stl
from swgrm.meshes.surface import Surface, bounds, joined
from swgrm.meshes.tessellation import ColouredSurface

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
    colours = [
        np.tile(np.round(255 * np.array(each.colour[:3])) / 255, (len(each.surface.vertices), 1)) for each in surfaces
    ]
    return encode_obj(joined([each.surface for each in surfaces]), np.concatenate(colours))


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


PLAIN_DECODERS: Mapping[str, Callable[[bytes], Surface | None]] = {"stl": decode_stl, "obj": decode_obj}


def decode(data: bytes, form: str, path: Path | str = "mesh") -> Surface:
    """The surface in the bytes of a mesh file: all its meshes, at their poses in the file's scene."""
    if form in PLAIN_DECODERS and (found := PLAIN_DECODERS[form](data)) is not None and len(found.faces):
        return found
    trimesh = _trimesh()
    try:
        loaded = trimesh.load_scene(io.BytesIO(data), file_type=form, process=False)
        meshes = [mesh for mesh in loaded.dump() if isinstance(mesh, trimesh.Trimesh)]
    except Exception as error:
        raise FileError(path, f"it cannot be read as {form.upper()}: {error}") from error
    surfaces = [Surface(np.asarray(m.vertices, float), np.asarray(m.faces, np.int64)) for m in meshes]
    if not surfaces or not any(len(each.faces) for each in surfaces):
        raise FileError(path, "it contains no triangles")
    return joined(surfaces)


def load(path: Path) -> Surface:
    """The surface in a mesh file."""
    return decode(read_bytes(path), path.suffix.lower().lstrip("."), path)


def difference(data: bytes, form: str, surfaces: Sequence[ColouredSurface]) -> str:
    """How the bytes of a mesh file differ from the mesh; empty if they do not."""
    back = decode(data, form)
    wanted = surfaces[0].surface if len(surfaces) == 1 else joined([each.surface for each in surfaces])
    if len(back.faces) != len(wanted.faces):
        return f"it has {len(back.faces)} triangles instead of {len(wanted.faces)}"
    if len(wanted.faces) == 0:
        return ""
    a, b = (np.concatenate(bounds(each.used_vertices)) for each in (wanted, back))
    off = float(np.abs(a - b).max())
    return "" if off <= FLOAT32 * max(wanted.size, float(np.abs(a).max())) else f"it deviates by {off:.3g} m"
