"""The frames of sketches and coordinate systems, from what is selected in a document."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from swgrm.transforms import Array, column_matrix
from swgrm_mocks.modelling.topology import ModelledFace, picked
from swgrm_mocks.solidworks.features import MockReferenceGeometry

Selection = Sequence[tuple[Any, int]]  # objects with their marks


def selected_plane(selection: Selection) -> Array | None:
    """The frame of the selected plane or planar face: z is its normal."""
    item = selection[0][0] if selection else None
    if isinstance(item, MockReferenceGeometry) and item.record.kind == "plane":
        return column_matrix(item.record.numbers)
    if isinstance(item, ModelledFace) and item.face.surface.type == 3:
        return _frame_of_face(item)
    return None


def marked_frame(selection: Selection, origin: int, x: int, y: int) -> Array | None:
    """The frame at the vertex with one mark, along edges with others."""
    marked = {mark: picked(item).entity for item, mark in selection}
    if origin not in marked:
        return None
    T = np.eye(4)
    T[:3, 3] = marked[origin].point
    if x in marked:
        along = np.array(marked[x].direction)
        side = np.array(marked[y].direction) if y in marked else np.eye(3)[int(np.argmin(np.abs(along)))]
        z = np.cross(along, side)
        z /= np.linalg.norm(z)
        T[:3, :3] = np.column_stack([along, np.cross(z, along), z])
    return T


def _frame_of_face(item: ModelledFace) -> Array:
    """The frame of a sketch on a face: at the foot of the origin, with axes as on the plane beside it."""
    surface = item.face.surface
    normal = np.array(surface.direction)
    k = int(np.argmax(np.abs(normal)))
    x = {0: (0.0, 0.0, -1.0), 1: (1.0, 0.0, 0.0), 2: (1.0, 0.0, 0.0)}[k]
    along = np.array(x) * (np.sign(normal[k]) if k != 1 else 1.0)
    along = along - normal * (along @ normal)
    along /= np.linalg.norm(along)
    T = np.eye(4)
    T[:3, :3] = np.column_stack([along, np.cross(normal, along), normal])
    T[:3, 3] = normal * (normal @ np.array(surface.point))
    return T
