"""Captured tessellations as surfaces: one per colour, because colours of a welded mesh would blend."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from swgrm.capture.index import triangles_by_face
from swgrm.capture.records import Appearance, PartShape
from swgrm.meshes.surface import Surface, surface
from swgrm.precision import rounded_points

if TYPE_CHECKING:
    from swgrm.transforms import Array

Colour = tuple[float, float, float, float]
PLAIN: Colour = (0.792, 0.820, 0.933, 1.0)  # SolidWorks' default for parts without an appearance


class ColouredSurface(NamedTuple):
    """The faces of a shape that have one colour."""

    colour: Colour
    surface: Surface


def colour(appearances: Sequence[Appearance | None]) -> Colour:
    """The colour of the first appearance that is not None: red, green, blue, opacity."""
    for each in appearances:
        if each is not None:
            red, green, blue, opacity = (round(min(max(v, 0.0), 1.0), 4) for v in (*each[:3], 1 - each[7]))
            return (red, green, blue, opacity)
    return PLAIN


def coloured_surfaces(
    shape: PartShape,
    document: Appearance | None = None,
    component: Appearance | None = None,
    welded: Surface | None = None,
) -> list[ColouredSurface]:
    """The visible faces of a shape by colour, in the order in which the colours first occur.

    As in SolidWorks, the appearance of the component takes precedence, then that of the face, of the feature that made
    it, of the body and of the part.
    `welded` is what `whole` returned for the shape; a part that is visible in one colour is not welded again.
    """
    by_colour: dict[Colour, list[memoryview]] = {}
    for body, face, data in triangles_by_face(shape):
        if body.visible and len(data):
            shade = colour((component, face.appearance, face.feature_appearance, body.appearance, document))
            by_colour.setdefault(shade, []).append(data)
    made = []
    for shade, parts in by_colour.items():
        is_all = sum(map(len, parts)) == len(shape.triangles)
        known = welded if is_all else None
        made.append(ColouredSurface(shade, surface(_corners(b"".join(parts))) if known is None else known))
    return [each for each in made if len(each.surface.faces)]


def whole(shape: PartShape) -> Surface:
    """All bodies of a shape as one surface, including hidden ones, for its mass."""
    return surface(_corners(shape.triangles))


def _corners(data: bytes) -> Array:
    """The corners of triangles, rounded: SolidWorks has −3e-19 where it means 0.  # (n, 3, 3)."""
    return rounded_points(np.frombuffer(data, "<f4").astype(float).reshape(-1, 3, 3))
