"""Binary STL, and OBJ as swgrm writes it, with numpy alone; other files are read by trimesh, which is slow to load."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from swgrm.meshes.surface import Surface, cross
from swgrm.precision import VERTEX, rounded_points

if TYPE_CHECKING:
    from swgrm.meshes.surface import Indices
    from swgrm.transforms import Array

HEADER = 80  # [bytes] of an STL file, before the number of its triangles
TRIANGLE = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("attribute", "<u2")])
FLAT = 1e-13  # [m²] a triangle with a smaller cross product has no normal
END = "\n\n"  # of an OBJ file
NUMBERS = 6  # of a corner in an OBJ file: position and colour
DECIMALS = VERTEX.digits  # of each of them
EXACT = 1 << 53  # below this, every integer is a number of 64 bits


def encode_stl(given: Surface) -> bytes:
    """Binary STL, with unit normals."""
    packed = np.zeros(len(given.faces), TRIANGLE)
    packed["corners"] = given.triangles
    a, b, c = np.moveaxis(np.ascontiguousarray(given.vertices.T)[:, given.faces.T], 1, 0)  # (3, m) each, by coordinate
    normals = np.ascontiguousarray(cross(b - a, c - b).T)
    x, y, z = normals.T
    lengths = np.sqrt(x * x + y * y + z * z)  # no product of matrices, whose last digits depend on the processor
    solid = lengths > FLAT
    packed["normal"][solid] = normals[solid] * (lengths[solid] ** -1)[:, None]
    data: bytes = packed.tobytes()
    return bytes(HEADER) + len(packed).to_bytes(4, "little") + data


def decode_stl(data: bytes) -> Surface | None:
    """The surface of a binary STL file; None if it is another kind of file."""
    start = HEADER + 4
    if len(data) < start or (len(data) - start) != int.from_bytes(data[HEADER:start], "little") * TRIANGLE.itemsize:
        return None
    vertices = np.frombuffer(data, TRIANGLE, offset=start)["corners"].reshape(-1, 3).astype(float)
    return Surface(vertices, np.arange(len(vertices)).reshape(-1, 3))


def encode_obj(given: Surface, colours: Array) -> bytes:
    """OBJ with the colour (0 to 1) beside each corner."""
    position, triangle, colour = "v %.9f %.9f %.9f ", "f %d %d %d\n", "%.9f %.9f %.9f\n"
    vertices, faces = rounded_points(given.vertices), given.faces
    if len(colours) and (colours == colours[0]).all():
        same = position + colour % tuple(colours[0].tolist())
        text = (same * len(vertices)) % tuple(vertices.ravel().tolist())
    else:
        rows = np.column_stack([vertices, colours]).ravel().tolist()
        text = ((position + colour) * len(vertices)) % tuple(rows)
    return (text + (triangle * len(faces)) % tuple((faces + 1).ravel().tolist()) + END).encode()


def decode_obj(data: bytes) -> tuple[Surface, Array] | None:
    """The surface of an OBJ file that `encode_obj` has written, and the colours of its corners (0 to 1).

    None if it is another kind of file.
    """
    head, _, tail = data.partition(b"\nf ")
    if not head.startswith(b"v ") or not tail:
        return None
    corners, triangles = _decimals(head[2:].replace(b"\nv ", b" ")), _integers(tail.replace(b"\nf ", b" ").rstrip())
    if corners is None or triangles is None:
        return None
    if len(corners) != NUMBERS * (head.count(b"\n") + 1) or len(triangles) != 3 * (tail.rstrip().count(b"\n") + 1):
        return None
    rows, faces = corners.reshape(-1, NUMBERS), triangles.reshape(-1, 3) - 1
    is_valid = faces.min() >= 0 and faces.max() < len(rows)
    return (Surface(np.ascontiguousarray(rows[:, :3]), faces), rows[:, 3:]) if is_valid else None


def _decimals(text: bytes) -> Array | None:
    """Numbers with nine decimals, as `float` reads each of them; None if one of the texts is none.

    Where all have nine decimals, they are read as integers: the quotient of two integers below 2⁵³ is the nearest
    number to the decimal one.
    """
    characters = np.frombuffer(text + b" ", np.uint8)
    points = np.flatnonzero(characters == ord("."))
    is_plain = (
        len(points) == text.count(b" ") + 1
        and points[-1] + DECIMALS + 1 == len(text)
        and (characters[points + DECIMALS + 1] == ord(" ")).all()
        and b"-0.000000000" not in text
    )
    whole = _integers(text.replace(b".", b"")) if is_plain else None
    if whole is not None and np.abs(whole).max() < EXACT:
        return whole / 10.0**DECIMALS
    try:
        return np.array(list(map(float, text.split())))
    except ValueError:
        return None


def _integers(text: bytes) -> Indices | None:
    """Integers separated by spaces; None if there is anything else."""
    if text.translate(None, b"0123456789- ") or text.count(b"-") != (b" " + text).count(b" -") or b"- " in text + b" ":
        return None
    numbers: Indices = np.fromstring(text, np.int64, sep=" ")
    return numbers
