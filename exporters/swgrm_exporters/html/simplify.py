"""Fewer triangles for the page: by quadric error where `fast_simplification` is installed, else by clusters."""

from __future__ import annotations

from typing import Any

import numpy as np

from swgrm.meshes.simplifying import is_installed, simplified_triangles
from swgrm.meshes.surface import Surface, weld


def simplified(surface: Surface, triangles: int) -> Surface:
    """A surface of about that many triangles, or the given one if it has no more."""
    if len(surface.faces) <= max(triangles, 4):
        return surface
    if is_installed():
        return weld(simplified_triangles(surface.vertices.astype("f4"), surface.faces, triangles))
    return clustered(surface, triangles)


def clustered(surface: Surface, triangles: int) -> Surface:
    """The surface with vertices of one grid cell merged at their mean; the finest grid that is small enough."""
    low, size = surface.vertices.min(axis=0), float(np.ptp(surface.vertices, axis=0).max()) or 1.0
    coarse, fine = 1, 1 << 12
    found = _merged(surface, low, size / coarse)
    while fine - coarse > 1:
        cells = (coarse + fine) // 2
        tried = _merged(surface, low, size / cells)
        if len(tried.faces) <= triangles:
            coarse, found = cells, tried
        else:
            fine = cells
    return found


def _merged(surface: Surface, low: Any, cell: float) -> Surface:  # noqa: ANN401 - an array
    _, number = np.unique(np.floor((surface.vertices - low) / cell), axis=0, return_inverse=True)
    number = number.reshape(-1)
    count = np.bincount(number)
    means = np.column_stack([np.bincount(number, surface.vertices[:, axis]) / count for axis in range(3)])
    return weld(means[number[surface.faces]])
