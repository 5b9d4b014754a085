"""How far convex pieces deviate from the parts that they stand for: distances, and volume."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from swgrm.meshes.polytopes import Polytope

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from swgrm.transforms import Array

GRID = 20  # points along each side of the box in which volumes are compared
EXACT = 100  # points that are measured exactly: those that are farthest by the planes of the faces
STIFF = 1e3  # weight of the condition that the weights of vertices have the sum 1


class Overhang(NamedTuple):
    """The largest distances between pieces and parts, and the volumes that only one of them fills."""

    beyond: float  # [m] that a piece reaches beyond the parts
    lost: float  # [m] that a part reaches out of the pieces
    added: float  # volume of the pieces outside of the parts, as a share of that of the parts
    missing: float  # volume of the parts outside of the pieces, as such a share


def overhang(pieces: Sequence[Polytope], parts: Sequence[Polytope]) -> Overhang:
    """Measure pieces against the convex shapes of the parts.

    The pieces are measured at the middles of their faces, where a hull is farthest from what it is the
    hull of, the parts at their vertices; the volumes at the points of a grid.
    """
    beyond = _farthest(np.concatenate([_face_middles(piece) for piece in pieces]), parts)
    lost = _farthest(np.concatenate([part.vertices for part in parts]), pieces)
    grid = _grid([*pieces, *parts])
    in_pieces, in_parts = _inside_any(grid, pieces), _inside_any(grid, parts)
    filled = max(int(in_parts.sum()), 1)
    added = (in_pieces & ~in_parts).sum() / filled
    missing = (in_parts & ~in_pieces).sum() / filled
    return Overhang(beyond, lost, float(added), float(missing))


def _grid(shapes: Sequence[Polytope]) -> Array:
    """Points in the box around shapes.  # (GRID³, 3)."""
    low = np.min([shape.vertices.min(axis=0) for shape in shapes], axis=0)
    high = np.max([shape.vertices.max(axis=0) for shape in shapes], axis=0)
    # Not at round shares of the box: faces of parts are there, and rounding would decide about the points.
    shares = (np.arange(GRID) + 1 / np.sqrt(5)) / GRID
    coordinates = np.meshgrid(*(low + (high - low) * shares[:, None]).T, indexing="ij")
    return np.stack(coordinates, axis=-1).reshape(-1, 3)


def _inside_any(points: Array, shapes: Sequence[Polytope]) -> NDArray[np.bool_]:
    """Whether each point is inside any of the shapes."""
    inside = np.zeros(len(points), bool)
    for shape in shapes:
        in_box = (points >= shape.vertices.min(axis=0)) & (points <= shape.vertices.max(axis=0))
        near = np.flatnonzero(in_box.all(axis=1) & ~inside)
        inside[near] = (points[near] @ shape.normals.T <= shape.offsets).all(axis=1)
    return inside


def _face_middles(shape: Polytope) -> Array:
    """The middle of the corners of every face.  # (faces, 3)."""
    heights = shape.vertices @ shape.normals.T - shape.offsets
    near = 1e-6 * float(np.ptp(shape.vertices, axis=0).max())
    is_corner = (heights > -near).astype(float)  # (vertices, faces)
    middles: Array = (is_corner.T @ shape.vertices) / is_corner.sum(axis=0)[:, None]
    return middles


def _farthest(points: Array, shapes: Sequence[Polytope]) -> float:
    """The largest distance of the points to the nearest of the shapes.  # [m].

    The height above the planes of a shape is at most the distance, and equal to it above a face. So the
    points that are highest are measured exactly.
    """
    # The height of each point above each shape: 0 inside.
    heights = np.array([np.maximum((points @ s.normals.T - s.offsets).max(axis=1), 0.0) for s in shapes])
    farthest = 0.0
    for point in np.argsort(-heights.min(axis=0), kind="stable")[:EXACT]:
        nearest = np.inf
        for shape in np.argsort(heights[:, point], kind="stable"):
            if heights[shape, point] >= nearest:
                break
            nearest = min(nearest, distance(points[point], shapes[shape]) if heights[shape, point] else 0.0)
        farthest = max(farthest, float(nearest))
    return farthest


def distance(point: Array, shape: Polytope) -> float:
    """The distance of a point to a convex body: min ‖Σ wᵢ vᵢ − x‖ with w ≥ 0 and Σ wᵢ = 1.  # [m]."""
    from scipy.optimize import nnls

    # About the point, so that the condition on the sum and the distance have the same scale.
    corners = (shape.vertices - point).T
    size = float(np.abs(corners).max())
    matrix = np.vstack([corners / size, np.full(corners.shape[1], STIFF)])
    weights, _ = nnls(matrix, np.array([0.0, 0.0, 0.0, STIFF]))
    return float(np.linalg.norm(corners @ weights) / weights.sum())
