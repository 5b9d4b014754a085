"""The collision geometry of links, and a quick test that leaves out pairs of links that are clearly apart."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from swgrm.errors import SwgrmError
from swgrm.meshes.overlaps import hull_points
from swgrm.meshes.store import MeshFiles
from swgrm.meshes.surface import Surface
from swgrm.model import Geometry, Mesh
from swgrm.ties import first_smallest, principal_axes
from swgrm_exporters.moveit.fcl_library import CollisionShape, mesh_shape, primitive_shape

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from swgrm.transforms import Array

    Indices = NDArray[np.int64]

ROUND = 1.05  # around points of a cylinder, sphere or capsule, which are on it at intervals


class LinkSolid(NamedTuple):
    """The collision geometry of a link, with the sphere and the box around it, in the frame that carries it."""

    name: str
    frame: str
    shapes: tuple[CollisionShape, ...]
    centre: Array  # (3,) [m] of the box and the sphere
    axes: Array  # (3, 3) the box's axes as columns
    half: Array  # (3,) [m] half of the box's size
    radius: float  # [m]


def link_solid(name: str, frame: str, collisions: Sequence[Geometry], meshes: MeshFiles) -> LinkSolid | None:
    """The geometry of a link; None if it has none, or if its mesh files cannot be read."""
    points: list[Array] = []
    vertices: list[Array] = []
    faces: list[Indices] = []
    shapes: list[CollisionShape] = []
    count = 0  # of vertices so far
    for shape in collisions:
        T = shape.origin.matrix
        if isinstance(shape, Mesh):
            if (found := _surface(shape.uri, meshes)) is not None:
                placed = found.vertices * shape.scale @ T[:3, :3].T + T[:3, 3]
                faces.append(found.faces + count)
                count += len(placed)
                vertices.append(placed)
                points.append(placed)
            continue
        made = primitive_shape(shape)
        if made is not None:
            shapes.append(made)
            points.append((hull_points(shape) * ROUND) @ T[:3, :3].T + T[:3, 3])
    if vertices:
        shapes.insert(0, mesh_shape(np.concatenate(vertices), np.concatenate(faces)))
    return _bounded(name, frame, tuple(shapes), np.concatenate(points)) if shapes else None


def _surface(uri: str, meshes: MeshFiles) -> Surface | None:
    """The surface of a mesh file; None if it is absent or cannot be read."""
    try:
        return meshes.surface(uri)
    except SwgrmError:
        return None


def _bounded(name: str, frame: str, shapes: tuple[CollisionShape, ...], points: Array) -> LinkSolid:
    """The solid in the smaller of two boxes: along the frame's axes, and along the principal axes."""
    boxes = []
    principal = principal_axes(np.cov(points.T) + 1e-12 * np.eye(3))[1]
    for axes in (np.eye(3), principal):
        along = points @ axes
        low, high = along.min(axis=0), along.max(axis=0)
        boxes.append((float(np.prod(high - low)), axes, axes @ (low + high) / 2, (high - low) / 2))
    _, axes, centre, half = boxes[first_smallest([volume for volume, *_ in boxes])]
    radius = float(np.linalg.norm(points - centre, axis=1).max())
    return LinkSolid(name, frame, shapes, centre, axes, half, radius)


class NearPairs:
    """Finds the pairs of solids whose spheres and boxes touch, for many states at once."""

    def __init__(self, solids: Sequence[LinkSolid]) -> None:
        self._centres = np.array([each.centre for each in solids])
        self._axes = np.array([each.axes for each in solids])
        self._half = np.array([each.half for each in solids])
        self._radii = np.array([each.radius for each in solids])

    def find(self, T: Array, ones: Indices, others: Indices) -> tuple[Indices, Indices]:
        """The numbers of states and pairs that may touch, states in order.  # T: (states, solids, 4, 4)."""
        R = T[..., :3, :3]
        centres = (R @ self._centres[..., None])[..., 0] + T[..., :3, 3]
        by_axis = np.ascontiguousarray(np.moveaxis(centres, -1, 0))
        x, y, z = (each.take(others, axis=1) - each.take(ones, axis=1) for each in by_axis)  # (states, pairs) each
        reach = self._radii[ones] + self._radii[others]
        states, pairs = np.nonzero(x * x + y * y + z * z <= reach * reach)
        one, other = ones[pairs], others[pairs]
        axes = R @ self._axes
        apart = np.column_stack([each[states, pairs] for each in (x, y, z)])
        near = boxes_touch(axes[states, one], self._half[one], axes[states, other], self._half[other], apart)
        return states[near], pairs[near]


def boxes_touch(A: Array, a: Array, B: Array, b: Array, t: Array) -> NDArray[np.bool_]:
    """Whether boxes touch: axes as columns of A and B, half sizes a and b, t from the first centre to the second.

    The separating axis theorem, with the 15 axes of Gottschalk, Lin and Manocha (1996).  # (n,) of bool.
    """
    C = np.swapaxes(A, -1, -2) @ B  # (n, 3, 3)
    Q = np.abs(C) + 1e-9  # edges that are parallel
    s = (np.swapaxes(A, -1, -2) @ t[..., None])[..., 0]
    apart = (np.abs(s) > a + (Q @ b[..., None])[..., 0]).any(axis=-1)
    along = (np.swapaxes(C, -1, -2) @ s[..., None])[..., 0]
    apart |= (np.abs(along) > b + (np.swapaxes(Q, -1, -2) @ a[..., None])[..., 0]).any(axis=-1)
    for i in range(3):
        j, k = (i + 1) % 3, (i + 2) % 3
        for x in range(3):
            y, z = (x + 1) % 3, (x + 2) % 3
            reach = a[:, j] * Q[:, k, x] + a[:, k] * Q[:, j, x] + b[:, y] * Q[:, i, z] + b[:, z] * Q[:, i, y]
            apart |= np.abs(s[:, k] * C[:, j, x] - s[:, j] * C[:, k, x]) > reach
    return np.asarray(~apart)
