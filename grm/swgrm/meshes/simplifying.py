"""Fewer triangles by quadric error metrics (Garland and Heckbert 1997), with the library `fast_simplification`."""

from __future__ import annotations

import threading
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from swgrm.meshes.surface import Indices
    from swgrm.transforms import Array

LIBRARY = "fast_simplification"
_lock = threading.Lock()  # the library keeps the mesh in global variables


def is_installed() -> bool:
    """Whether the library is there; it belongs to the extra `meshes`."""
    return find_spec(LIBRARY) is not None


def simplified_triangles(vertices: Array, faces: Indices, count: int) -> Array:
    """About `count` triangles instead of the given ones.  # (k, 3, 3)."""
    simplify: Any = import_module(LIBRARY).simplify
    with _lock:
        points, kept = simplify(vertices, faces, target_count=count)
    triangles: Array = np.asarray(points, float)[np.asarray(kept)]
    return triangles
