"""Surfaces as the bytes that the page draws: corners with smooth normals, triangles, and the edges to show.

Layout, little endian: four uint32 (corners, triangle indices, edge indices, bytes per index), six float32 (the box:
low corner and size), then corners as four uint16 (x, y, z in the box, unused), normals as four int8 (x, y, z, unused),
triangle indices, padding to four bytes, and edge indices.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from swgrm.meshes.surface import Surface

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from swgrm.transforms import Array

    Indices = NDArray[np.int64]

_SMOOTH = np.cos(np.radians(35))  # faces that meet at less than this angle look like one curved face
_CREASE = np.cos(np.radians(25))  # edges of faces that meet at more than this angle are drawn


def pack(surface: Surface) -> bytes:
    """A welded surface as bytes: see the module."""
    low = surface.vertices.min(axis=0)
    size = np.maximum(np.ptp(surface.vertices, axis=0), 1e-12)
    of_corner = _corner_normals(surface)
    rounded = np.rint(of_corner * 127).astype(np.int64)
    keys = _numbers(surface.faces.reshape(-1), rounded)
    _, first, indices = np.unique(keys, return_index=True, return_inverse=True)
    corners = np.column_stack([surface.faces.reshape(-1), rounded])[first]
    edges = _edges(surface, indices.reshape(-1, 3))
    form = "<u2" if len(corners) < 1 << 16 else "<u4"
    grid = np.rint((surface.vertices[corners[:, 0]] - low) / size * 65535)
    triangles = indices.astype(form).tobytes()
    return b"".join(
        [
            np.array([len(corners), len(indices), edges.size, np.dtype(form).itemsize], "<u4").tobytes(),
            np.concatenate([low, size]).astype("<f4").tobytes(),
            np.column_stack([grid, np.zeros(len(grid))]).astype("<u2").tobytes(),
            np.column_stack([corners[:, 1:], np.zeros(len(corners))]).astype("i1").tobytes(),
            triangles,
            bytes(-len(triangles) % 4),
            edges.astype(form).tobytes(),
        ]
    )


def _numbers(vertices: Indices, normals: Indices) -> Indices:
    """Each vertex with a normal (-127 to 127) as one number, in the order of the rows.  # (n,), (n, 3) → (n,)."""
    x, y, z = normals.T + 128
    numbers: Indices = ((vertices * 256 + x) * 256 + y) * 256 + z
    return numbers


def _corner_normals(surface: Surface) -> Array:
    """The normal at each corner: the mean over the faces there that meet smoothly.  # (3m, 3)."""
    T = surface.triangles
    normals = np.cross(T[:, 1] - T[:, 0], T[:, 2] - T[:, 0])  # as long as twice the area: larger faces count more
    units = normals / np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-300)
    vertex = surface.faces.reshape(-1)
    order = np.argsort(vertex, kind="stable")
    valence = np.bincount(vertex, minlength=len(surface.vertices))
    start = np.concatenate([[0], np.cumsum(valence)[:-1]])
    corner = np.repeat(np.arange(len(vertex)), valence[vertex])  # every pair of corners that share a vertex
    within = np.arange(len(corner)) - np.repeat(np.cumsum(valence[vertex]) - valence[vertex], valence[vertex])
    other = order[start[vertex[corner]] + within] // 3
    smooth = np.einsum("ij,ij->i", units[corner // 3], units[other]) > _SMOOTH
    total = np.column_stack(
        [np.bincount(corner[smooth], normals[other[smooth], axis], minlength=len(vertex)) for axis in range(3)]
    )
    found: Array = total / np.maximum(np.linalg.norm(total, axis=1, keepdims=True), 1e-300)
    return found


def _edges(surface: Surface, indices: Indices) -> Indices:
    """The edges to draw, as pairs of corners: boundaries, and those where faces meet at an angle.  # (e, 2)."""
    T = surface.triangles
    normals = np.cross(T[:, 1] - T[:, 0], T[:, 2] - T[:, 0])
    normals /= np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-300)
    start, end = surface.faces.reshape(-1), np.roll(surface.faces, -1, axis=1).reshape(-1)
    pairs = np.column_stack([indices.reshape(-1), np.roll(indices, -1, axis=1).reshape(-1)])
    key = np.minimum(start, end) * len(surface.vertices) + np.maximum(start, end)
    order = np.argsort(key, kind="stable")
    ordered = key[order]
    first = np.flatnonzero(np.concatenate([[True], ordered[1:] != ordered[:-1]]))
    count = np.diff(np.append(first, len(ordered)))
    one, other = order[first] // 3, order[np.minimum(first + 1, len(order) - 1)] // 3
    flat = (count == 2) & (np.einsum("ij,ij->i", normals[one], normals[other]) > _CREASE)
    found: Indices = pairs[order[first[~flat]]]
    return found
