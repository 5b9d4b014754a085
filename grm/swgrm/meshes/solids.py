"""Size and volume integrals of a part's tessellation, kept in the cache, and its welded surface for the mesh files."""

from __future__ import annotations

from typing import NamedTuple

import msgspec
import numpy as np

from swgrm.capture.records import BYTES_PER_TRIANGLE, PartShape
from swgrm.meshes.cache import Cache, key
from swgrm.meshes.surface import Integrals, Surface, volume_integrals
from swgrm.meshes.tessellation import whole

FEW = 500  # triangles: the integrals of fewer take less time than a file of the cache


class WeldedSolid(NamedTuple):
    """All bodies of a part, including hidden ones: what its mass is compared with."""

    size: float  # [m] the diagonal of the bounding box
    integrals: Integrals | None  # None if the surface is not closed
    surface: Surface | None  # None if size and integrals come from the cache


class _Stored(msgspec.Struct, frozen=True):
    """A solid in the cache: its size; volume, centre and tensor if it is closed."""

    size: float
    integrals: tuple[float, tuple[float, ...], tuple[float, ...]] | None


def solid(shape: PartShape, cache: Cache) -> WeldedSolid:
    """The solid of a part's triangles, from the cache or welded."""
    if len(shape.triangles) < FEW * BYTES_PER_TRIANGLE or cache.folder is None:
        return _welded(shape)
    name = key("solid", shape.triangles)
    if (stored := cache.load(name, _Stored)) is not None:
        return _solid(stored)
    found = _welded(shape)
    cache.put(name, msgspec.msgpack.encode(_stored(found)))
    return found


def _welded(shape: PartShape) -> WeldedSolid:
    body = whole(shape)
    return WeldedSolid(body.size, volume_integrals(body) if body.is_closed else None, body)


def _stored(given: WeldedSolid) -> _Stored:
    found = given.integrals
    numbers = found and (found.volume, tuple(found.centre.tolist()), tuple(found.tensor.ravel().tolist()))
    return _Stored(given.size, numbers)


def _solid(stored: _Stored) -> WeldedSolid:
    if stored.integrals is None:
        return WeldedSolid(stored.size, None, None)
    volume, centre, tensor = stored.integrals
    return WeldedSolid(stored.size, Integrals(volume, np.array(centre), np.array(tensor).reshape(3, 3)), None)
