"""The pieces of a mesh file: its triangles by colour, as arrays, and packed for the cache and for temporary files."""

from __future__ import annotations

from typing import NamedTuple

import msgspec
import numpy as np

from swgrm.meshes.surface import Surface
from swgrm.meshes.tessellation import Colour


class FilePiece(NamedTuple):
    """The triangles of a mesh file that have one colour; None if the file gives them none."""

    surface: Surface
    colour: Colour | None = None


class PackedPiece(msgspec.Struct, frozen=True):
    """The same as bytes. Vertices that 32 bits hold exactly, as those of STL files, take no more than that."""

    vertices: bytes
    faces: bytes
    is_single: bool  # whether the vertices have 32 bits
    colour: Colour | None = None

    def unpack(self) -> FilePiece:
        """The piece as arrays."""
        vertices = np.frombuffer(self.vertices, "<f4" if self.is_single else "<f8").astype(float)
        faces = np.frombuffer(self.faces, "<u4").astype(np.int64)
        return FilePiece(Surface(vertices.reshape(-1, 3), faces.reshape(-1, 3)), self.colour)


def pack(piece: FilePiece) -> PackedPiece:
    """A piece as bytes."""
    vertices, faces = piece.surface
    with np.errstate(over="ignore"):  # a number that is too large for 32 bits is infinite there, and so not the same
        single = vertices.astype("<f4")
    is_single = np.array_equal(single, vertices)
    packed_vertices = (single if is_single else vertices.astype("<f8")).tobytes()
    return PackedPiece(packed_vertices, faces.astype("<u4").tobytes(), is_single, piece.colour)
