"""Recognises mesh and picture files by their content, before they are copied into an export.

A robot file of somebody else names any file, also through links, and exports are published. So what is copied must be
what its ending states. STL, OBJ, PLY and OFF are decoded. The other formats may refer to themselves many times, or need
libraries that are not installed: of them, the beginning is checked.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Mapping
from pathlib import Path

import numpy as np

from swgrm.errors import FileError
from swgrm.meshes.files import decode

PICTURES: Mapping[str, tuple[bytes, ...]] = {
    ".png": (b"\x89PNG\r\n\x1a\n",),
    ".jpg": (b"\xff\xd8\xff",),
    ".jpeg": (b"\xff\xd8\xff",),
    ".bmp": (b"BM",),
    ".tif": (b"II*\0", b"MM\0*"),
    ".tiff": (b"II*\0", b"MM\0*"),
}
TGA_KINDS, TGA_DEPTHS = (1, 2, 3, 9, 10, 11), (8, 15, 16, 24, 32)
MSH_HEAD = struct.Struct("<4i")  # MuJoCo's: the numbers of positions, normals, texture coordinates and faces
HEAD = 4096  # [bytes] of a text in which its first words are looked for


def check_content(path: Path, data: bytes) -> None:
    """Raises FileError if the content of a mesh or picture file is not what its ending states."""
    ending = path.suffix.lower()
    is_recognised = RECOGNISERS.get(ending)
    if is_recognised is None:
        vertices = decode(data, ending.lstrip("."), path).vertices
        if not np.isfinite(vertices).all():
            raise FileError(path, "it has numbers that are not finite")
    elif not is_recognised(data):
        raise FileError(path, f"it is not a {ending.lstrip('.').upper()} file")


def _begins(*starts: bytes) -> Callable[[bytes], bool]:
    return lambda data: data.startswith(starts)


def _is_collada(data: bytes) -> bool:
    return b"<COLLADA" in data[:HEAD]


def _is_gltf(data: bytes) -> bool:
    return data.lstrip()[:1] == b"{" and b'"asset"' in data


def _is_msh(data: bytes) -> bool:
    """MuJoCo's binary format, whose size follows from its head, or Gmsh's."""
    if data.startswith(b"$MeshFormat"):
        return True
    if len(data) < MSH_HEAD.size:
        return False
    positions, normals, coordinates, faces = MSH_HEAD.unpack_from(data)
    size: int = MSH_HEAD.size + 4 * (3 * positions + 3 * normals + 2 * coordinates + 3 * faces)
    return len(data) == size


def _is_mesh(data: bytes) -> bool:
    """Medit's or Gamma's text, or OGRE's binary format."""
    return b"MeshVersionFormatted" in data[:HEAD] or b"[MeshSerializer_v" in data[:64]


def _is_tga(data: bytes) -> bool:
    """TGA has no mark at its beginning: the kind of map, the kind of picture and the bits of a pixel must be known."""
    return len(data) > 18 and data[1] in (0, 1) and data[2] in TGA_KINDS and data[16] in TGA_DEPTHS


RECOGNISERS: Mapping[str, Callable[[bytes], bool]] = {
    ".dae": _is_collada,
    ".glb": _begins(b"glTF"),
    ".gltf": _is_gltf,
    ".3mf": _begins(b"PK\x03\x04"),
    ".msh": _is_msh,
    ".mesh": _is_mesh,
    ".tga": _is_tga,
    **{ending: _begins(*starts) for ending, starts in PICTURES.items()},
}
"""The endings of `swgrm.meshes.uris` that are recognised by their beginning; the others are decoded."""
