"""Convex pieces by CoACD (Wei, Liu, Ling, Su 2022), which cuts where concavity is largest; the extra `coacd`."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import Any

import numpy as np

from swgrm.errors import MissingExtra
from swgrm.meshes.bounded_hull import MOST_VERTICES
from swgrm.meshes.surface import Surface

LIBRARY = "coacd"
CONCAVITY = 0.05  # of the size of the part: pieces that are as close to their hull are not cut further
SEED = 0  # of the library's search, so that the pieces are the same in every run


def coacd_pieces(body: Surface, most: int) -> list[Surface]:
    """At most so many convex pieces of a body."""
    if find_spec(LIBRARY) is None:
        raise MissingExtra("Convex decomposition by CoACD", "coacd", "coacd")
    library: Any = import_module(LIBRARY)
    library.set_log_level("error")
    pieces = library.run_coacd(
        library.Mesh(body.vertices, body.faces),
        threshold=CONCAVITY,
        max_convex_hull=most,
        decimate=True,
        max_ch_vertex=MOST_VERTICES,
        seed=SEED,
    )
    return [Surface(np.asarray(vertices, float), np.asarray(faces, np.int64)) for vertices, faces in pieces]
