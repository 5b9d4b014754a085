"""Collision geometry of a part: hull, convex pieces, its mesh, a fitted primitive, or a simplified mesh."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

import numpy as np

from swgrm.errors import MissingExtra
from swgrm.meshes.convex import SAME_PLANE, decomposed
from swgrm.meshes.primitives import Primitive, fit
from swgrm.meshes.simplifying import is_installed, simplified_triangles
from swgrm.meshes.surface import Surface, surface
from swgrm.precision import rounded, rounded_points
from swgrm.ties import steps_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from swgrm.transforms import Array

    Indices = NDArray[np.int64]


class Collision(StrEnum):
    """How the collision geometry of a part is made."""

    AUTO = "auto"  # hulls of few vertices, cut where bodies would overlap, few of them per body
    PARTS = "parts"  # the hull of every part, cut where bodies would overlap
    NONE = "none"
    VISUAL = "visual"  # the visual mesh
    HULL = "hull"  # the convex hull
    DECOMPOSE = "decompose"  # convex pieces
    COACD = "coacd"  # convex pieces by the library CoACD
    SIMPLIFY = "simplify"  # fewer triangles
    PRIMITIVE = "primitive"  # the smallest of the four below
    BOX = "box"
    CYLINDER = "cylinder"
    SPHERE = "sphere"
    CAPSULE = "capsule"


PIECES = 16  # of a part at most
CUT = frozenset({Collision.AUTO, Collision.PARTS})  # cut for their place in the robot
FITTED = frozenset({Collision.PRIMITIVE, Collision.BOX, Collision.CYLINDER, Collision.SPHERE, Collision.CAPSULE})


def collision_shapes(body: Surface, how: Collision, faces: int) -> list[Surface | Primitive]:
    """The collision shapes of a body; a flat body has no hull and is used as it is."""
    if how == Collision.NONE or not len(body.faces):
        return []
    if how in FITTED:
        return [rounded(fit(body.vertices, "auto" if how == Collision.PRIMITIVE else str(how)))]
    if how == Collision.AUTO:
        return [bounded(hull(body))]
    if how in (Collision.HULL, Collision.PARTS):
        return [hull(body)]
    if how == Collision.DECOMPOSE:
        return [*convex_pieces(body, holes=True)]
    if how == Collision.COACD:
        from swgrm.meshes.coacd_library import coacd_pieces

        return [*coacd_pieces(body, PIECES)]
    if how == Collision.SIMPLIFY:
        return [simplified(body, faces)]
    return [body]


def convex_pieces(body: Surface, *, holes: bool = False) -> list[Surface]:
    """Convex pieces that contain a body; a flat body as it is."""
    pieces = decomposed(body, PIECES, holes=holes)
    return [hull(Surface(each.vertices, body.faces)) for each in pieces] or [body]


def bounded(convex: Surface) -> Surface:
    """A hull of at most as many vertices as every engine of physics takes; it is inside the given one."""
    from swgrm.meshes.bounded_hull import MOST_VERTICES, bounded_points

    if len(convex.vertices) <= MOST_VERTICES:
        return convex
    return hull(Surface(bounded_points(convex.vertices), convex.faces))


def hull(body: Surface) -> Surface:
    """The convex hull, wound outwards; a body without volume is returned unchanged.

    The points are rounded first: so the hull is that of the points in its file, on every processor.
    """
    from scipy.spatial import ConvexHull, QhullError

    points = rounded_points(body.vertices)
    try:
        found = ConvexHull(points)
    except (QhullError, ValueError):
        return body
    corners = np.sort(found.vertices)
    vertices = points[corners]
    number = np.zeros(len(points), np.int64)
    number[corners] = np.arange(len(corners))
    triangles = number[found.simplices]
    a, b, c = np.moveaxis(vertices[triangles], 1, 0)
    inwards = (np.cross(b - a, c - a) * found.equations[:, :3]).sum(axis=1) < 0
    triangles[inwards] = triangles[inwards][:, ::-1]
    return Surface(vertices, _ordered(_with_fans(vertices, triangles, found.equations)))


def _with_fans(vertices: Array, triangles: Indices, planes: Array) -> Indices:
    """The triangles of a convex hull, with the diagonals of each face from its first corner.

    The library's diagonals depend on rounding; so would the bytes of the file.
    """
    size = float(np.ptp(vertices, axis=0).max())
    keys = steps_of(planes / [1, 1, 1, size], SAME_PLANE)
    _, first, face_of, counts = np.unique(keys, axis=0, return_index=True, return_inverse=True, return_counts=True)
    face_of = face_of.ravel()
    fans: list[Indices] = [triangles[counts[face_of] == 1]]
    for face in np.flatnonzero(counts > 1):
        fans.append(_fan(vertices, np.unique(triangles[face_of == face]), planes[first[face], :3]))
    found = Surface(vertices, np.concatenate(fans))
    # Planes that are nearly one may be parts of two faces. Then the triangles stay as they are.
    return found.faces if len(found.faces) == len(triangles) and found.is_closed else triangles


def _fan(vertices: Array, corners: Indices, normal: Array) -> Indices:
    """Triangles from the first corner of a convex face to its others, counter-clockwise about the normal.  # (n, 3)."""
    arms = vertices[corners] - vertices[corners].mean(axis=0)
    x = arms[0] - normal * (arms[0] @ normal)
    angles = np.arctan2(arms @ np.cross(normal, x), arms @ x)
    around = corners[np.argsort(angles)]
    around = np.roll(around, -int(around.argmin()))
    return np.column_stack([np.full(len(around) - 2, around[0]), around[1:-1], around[2:]])


def _ordered(triangles: Indices) -> Indices:
    """The triangles in the order of their corners, each from its first one."""
    starts = triangles.argmin(axis=1)[:, None]
    turned = np.take_along_axis(triangles, (starts + np.arange(3)) % 3, axis=1)
    found: Indices = turned[np.lexsort(turned.T[::-1])]
    return found


def simplified(body: Surface, faces: int) -> Surface:
    """The body with about `faces` triangles at most."""
    if len(body.faces) <= faces:
        return body
    if not is_installed():
        raise MissingExtra("Simplifying meshes", "fast-simplification", "meshes")
    return surface(simplified_triangles(body.vertices, body.faces, max(faces, 4)))
