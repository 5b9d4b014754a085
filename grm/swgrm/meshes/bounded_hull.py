"""Convex hulls of few vertices: of all vertices those that matter most to the shape.

Engines of physics bound the vertices of a convex shape (PhysX on a graphics card: 64), and the time
for a contact grows with them. The hull of a turned part has hundreds, most of them around a circle.
"""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

import numpy as np

from swgrm.meshes.convex import polytope
from swgrm.ties import EQUAL, first_largest, ranks_of

if TYPE_CHECKING:
    from swgrm.transforms import Array

MOST_VERTICES = 64
AT_ONCE = 6  # vertices that are added before the hull is computed again
# The directions of the faces, edges and corners of a cube: the hull begins with the outermost vertices.
DIRECTIONS = np.array([direction for direction in product((-1.0, 0.0, 1.0), repeat=3) if any(direction)])


def bounded_points(points: Array, most: int = MOST_VERTICES) -> Array:
    """At most so many of the points, in their order, whose hull is nearly that of all of them.  # (n, 3).

    The hull of the chosen points grows from the outermost ones. The next points are those that are
    farthest outside of it, so that the largest deviation falls first. It is inside the hull of all
    points, and so it touches nothing that this did not touch.
    """
    if len(points) <= most:
        return points
    size = float(np.ptp(points, axis=0).max())
    chosen = {first_largest(points @ direction) for direction in DIRECTIONS}
    while len(chosen) < most:
        added = _farthest(points, sorted(chosen), EQUAL * size)[: most - len(chosen)]
        if not added:
            break
        chosen.update(added)
    subset: Array = points[sorted(chosen)]
    return subset


def _farthest(points: Array, chosen: list[int], margin: float) -> list[int]:
    """Points outside of the hull of the chosen ones, the farthest first, no two of them above one face."""
    shape = polytope(points[chosen])
    if shape is None:  # the chosen points are in a plane, so the points in between make no volume either
        return []
    heights = points @ shape.normals.T - shape.offsets  # (points, faces)
    tops = heights.max(axis=0)
    outside = np.flatnonzero(tops > margin)
    points_above = (heights[:, outside] >= tops[outside] - margin).argmax(axis=0)
    # Facets around a cylinder are equally far from its true surface. Then the order of the points decides, not that
    # of the faces, which depends on rounding.
    by_height = np.lexsort((points_above, ranks_of(-tops[outside], margin)))
    return list(dict.fromkeys(points_above[by_height].tolist()))[:AT_ONCE]
