"""Binary STL, and OBJ as swgrm writes it, with numpy alone; other files are read by trimesh, which is slow to load."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from swgrm.meshes.surface import Surface

if TYPE_CHECKING:
    from swgrm.transforms import Array

HEADER = 80  # [bytes] of an STL file, before the number of its triangles
TRIANGLE = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("attribute", "<u2")])
FLAT = 1e-13  # [m²] a triangle with a smaller cross product has no normal
END = "\n\n"  # of an OBJ file
NUMBERS = 6  # of a corner in an OBJ file: position and colour


def encode_stl(given: Surface) -> bytes:
    """Returns binary STL, with unit normals."""
    packed = np.zeros(len(given.faces), TRIANGLE)
    packed["corners"] = corners = given.triangles
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 1])
    lengths = np.sqrt(np.dot(normals * normals, [1.0, 1.0, 1.0]))
    solid = lengths > FLAT
    packed["normal"][solid] = normals[solid] * (lengths[solid] ** -1)[:, None]
    data: bytes = packed.tobytes()
    return bytes(HEADER) + len(packed).to_bytes(4, "little") + data


def decode_stl(data: bytes) -> Surface | None:
    """Returns the surface of a binary STL file; None if it is another kind of file."""
    start = HEADER + 4
    if len(data) < start or (len(data) - start) != int.from_bytes(data[HEADER:start], "little") * TRIANGLE.itemsize:
        return None
    vertices = np.frombuffer(data, TRIANGLE, offset=start)["corners"].reshape(-1, 3).astype(float)
    return Surface(vertices, np.arange(len(vertices)).reshape(-1, 3))


def encode_obj(given: Surface, colours: Array) -> bytes:
    """Returns OBJ with the colour (0 to 1) beside each corner."""
    rows = np.column_stack([given.vertices, colours]).ravel().tolist()
    corner, triangle = "v " + " ".join(["%.9f"] * NUMBERS) + "\n", "f %d %d %d\n"
    vertices, faces = given.vertices, given.faces
    text = (corner * len(vertices)) % tuple(rows) + (triangle * len(faces)) % tuple((faces + 1).ravel().tolist())
    return (text + END).encode()


def decode_obj(data: bytes) -> Surface | None:
    """Returns the surface of an OBJ file that `encode_obj` has written; None if it is another kind of file."""
    found = coloured_obj(data)
    return None if found is None else found[0]


def coloured_obj(data: bytes) -> tuple[Surface, Array] | None:
    """Returns the same, and the colours of the corners."""
    head, _, tail = data.partition(b"\nf ")
    if not head.startswith(b"v ") or not tail:
        return None
    corners, triangles = head[2:].replace(b"\nv ", b" ").split(), tail.replace(b"\nf ", b" ").split()
    if len(corners) != NUMBERS * (head.count(b"\n") + 1) or len(triangles) != 3 * (tail.rstrip().count(b"\n") + 1):
        return None
    try:
        rows = np.array(list(map(float, corners))).reshape(-1, NUMBERS)
        faces = np.array(list(map(int, triangles)), np.int64).reshape(-1, 3) - 1
    except ValueError:
        return None
    is_valid = faces.min() >= 0 and faces.max() < len(rows)
    return (Surface(np.ascontiguousarray(rows[:, :3]), faces), rows[:, 3:]) if is_valid else None
