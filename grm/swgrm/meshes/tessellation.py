"""From a captured shape to coloured coloured_surfaces: one surface per colour, because colours on a welded mesh blend."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from swgrm.capture.index import triangles_by_face
from swgrm.capture.records import Appearance, PartShape
from swgrm.meshes.surface import Surface, surface

Colour = tuple[float, float, float, float]
PLAIN: Colour = (0.792, 0.820, 0.933, 1.0)  # SolidWorks' own default for parts without any appearance


class ColouredSurface(NamedTuple):
    """A part of a mesh that has one colour."""

    colour: Colour
    surface: Surface


def colour(appearances: Sequence[Appearance | None]) -> Colour:
    """The colour of the first appearance that is there: red, green, blue, and opacity from transparency."""
    for each in appearances:
        if each is not None:
            red, green, blue, opacity = (round(min(max(v, 0.0), 1.0), 4) for v in (*each[:3], 1 - each[7]))
            return (red, green, blue, opacity)
    return PLAIN


def coloured_surfaces(
    shape: PartShape, document: Appearance | None = None, instance: Appearance | None = None
) -> list[ColouredSurface]:
    """The visible faces of a shape by colour, in the order in which the colours first occur.

    SolidWorks' rule: the instance's own appearance hides all others; then the face's, the body's, the part's.
    """
    by_colour: dict[Colour, list[np.ndarray]] = {}
    for body, face, data in triangles_by_face(shape):
        if body.visible and len(data):
            look = colour((instance, face.appearance, body.appearance, document))
            by_colour.setdefault(look, []).append(np.frombuffer(data, "<f4").astype(float).reshape(-1, 3, 3))
    made = [ColouredSurface(look, surface(np.concatenate(parts))) for look, parts in by_colour.items()]
    return [piece for piece in made if len(piece.surface.faces)]


def solid(shape: PartShape) -> Surface:
    """All bodies of a shape as one surface, whatever their colours and whether they are shown: what weighs."""
    return surface(np.frombuffer(shape.triangles, "<f4").astype(float).reshape(-1, 3, 3))
