"""Collision geometry of a part: hull, convex pieces, its mesh, a fitted primitive, or a simplified mesh."""

from __future__ import annotations

from enum import StrEnum

import numpy as np

from swgrm.errors import MissingExtra
from swgrm.meshes.convex import decomposed
from swgrm.meshes.primitives import Primitive, fit
from swgrm.meshes.simplifying import is_installed, simplified_triangles
from swgrm.meshes.surface import Surface, surface


class Collision(StrEnum):
    """How the collision geometry of a part is made."""

    AUTO = "auto"  # the hull, cut where bodies would overlap
    NONE = "none"
    VISUAL = "visual"  # the visual mesh
    HULL = "hull"  # the convex hull
    DECOMPOSE = "decompose"  # convex pieces
    SIMPLIFY = "simplify"  # fewer triangles
    PRIMITIVE = "primitive"  # the smallest of the four below
    BOX = "box"
    CYLINDER = "cylinder"
    SPHERE = "sphere"
    CAPSULE = "capsule"


PIECES = 16  # of a part at most
FITTED = frozenset({Collision.PRIMITIVE, Collision.BOX, Collision.CYLINDER, Collision.SPHERE, Collision.CAPSULE})


def collision_shapes(body: Surface, how: Collision, faces: int) -> list[Surface | Primitive]:
    """The collision shapes of a body; a flat body has no hull and is used as it is."""
    if how == Collision.NONE or not len(body.faces):
        return []
    if how in FITTED:
        return [fit(body.vertices, "auto" if how == Collision.PRIMITIVE else str(how))]
    if how in (Collision.HULL, Collision.AUTO):
        return [hull(body)]
    if how == Collision.DECOMPOSE:
        return [*convex_pieces(body, holes=True)]
    if how == Collision.SIMPLIFY:
        return [simplified(body, faces)]
    return [body]


def convex_pieces(body: Surface, *, holes: bool = False) -> list[Surface]:
    """Convex pieces that contain a body; a flat body as it is."""
    pieces = decomposed(body, PIECES, holes=holes)
    return [hull(Surface(each.vertices, body.faces)) for each in pieces] or [body]


def hull(body: Surface) -> Surface:
    """The convex hull, wound outwards; a body without volume is returned unchanged."""
    from scipy.spatial import ConvexHull, QhullError

    try:
        found = ConvexHull(body.vertices)
    except (QhullError, ValueError):
        return body
    corners = np.sort(found.vertices)
    vertices = body.vertices[corners]
    number = np.zeros(len(body.vertices), np.int64)
    number[corners] = np.arange(len(corners))
    faces = number[found.simplices]
    a, b, c = np.moveaxis(vertices[faces], 1, 0)
    inwards = (np.cross(b - a, c - a) * found.equations[:, :3]).sum(axis=1) < 0
    faces[inwards] = faces[inwards][:, ::-1]
    return Surface(vertices, faces)


def simplified(body: Surface, faces: int) -> Surface:
    """The body with about `faces` triangles at most."""
    if len(body.faces) <= faces:
        return body
    if not is_installed():
        raise MissingExtra("Simplifying meshes", "fast-simplification", "meshes")
    return surface(simplified_triangles(body.vertices, body.faces, max(faces, 4)))
