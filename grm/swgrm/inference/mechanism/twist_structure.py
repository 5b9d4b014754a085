"""The rotations and pure translations of twist spaces."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Sequence

import numpy as np
from msgspec import Struct

from swgrm.inference.geometry.twists import Array, cross, unit
from swgrm.inference.mechanism.twist_space import TwistSpace

PURE_TRANSLATION = 1e-4  # [rad per L] a twist that rotates less than this is a translation


class TwistStructure(Struct, frozen=True):
    """The rotations and translations of a twist space."""

    rotations: Array  # (r, 6) twists with orthonormal ω, translations taken out; v at the centre
    translations: Array  # (t, 3) orthonormal directions of pure translation
    centre: Array  # (3,)
    length: float


def alike(keys: Iterable[Hashable]) -> list[list[int]]:
    """The places of equal keys, so that what has one shape can be computed together."""
    places: dict[Hashable, list[int]] = defaultdict(list)
    for place, key in enumerate(keys):
        places[key].append(place)
    return list(places.values())


def decompose(spaces: Sequence[TwistSpace], references: Sequence[Array]) -> list[TwistStructure]:
    """The structures of twist spaces; directions that a space leaves open follow its reference axes.  # (3, 3) each."""
    found: dict[int, TwistStructure] = {}
    for places in alike(space.dimension for space in spaces):
        own = [spaces[place] for place in places]
        basis = np.array([space.basis.T for space in own])  # (n, d, 6)
        centres, lengths = np.array([space.centre for space in own]), np.array([space.length for space in own])
        basis[..., 3:] += cross(basis[..., :3], centres[:, None])  # v at the centre
        axes = np.array([references[place] for place in places])
        for place, space, structure in zip(places, own, _structures(basis, lengths, axes), strict=True):
            found[place] = TwistStructure(*structure, space.centre, space.length)
    return [found[place] for place in range(len(spaces))]


def _structures(basis: Array, lengths: Array, references: Array) -> list[tuple[Array, Array]]:
    """The rotations and translations of twists (ω, v) of one dimension.  # (n, d, 6)."""
    if not basis.shape[1]:
        return [(np.zeros((0, 6)), np.zeros((0, 3)))] * len(basis)
    U, values, Vt = np.linalg.svd(basis[..., :3], full_matrices=True)
    ranks = (values > PURE_TRANSLATION).sum(axis=1).tolist()
    found: dict[int, tuple[Array, Array]] = {}
    for places in alike(ranks):
        r = ranks[places[0]]
        left, twists, R = U[places], basis[places], references[places]
        turning = _transposed(left[..., :r]) @ twists / values[places, :r, None]  # ω rows are Vt[:r]
        sliding = (_transposed(left[..., r:]) @ twists)[..., 3:] / lengths[places, None, None]
        translations = _aligned_bases(sliding, R)
        turning[..., 3:] -= (turning[..., 3:] @ _transposed(translations)) @ translations
        span = Vt[places, :r]
        rotations = (_aligned_bases(span, R) @ _transposed(span)) @ turning
        found.update(zip(places, zip(rotations, translations, strict=True), strict=True))
    return [found[place] for place in range(len(basis))]


def _aligned_bases(vectors: Array, references: Array) -> Array:
    """Orthonormal bases of the spans that follow the reference axes as far as they can.  # (n, k, 3) → (n, k, 3)."""
    chosen = np.zeros_like(vectors)
    if not chosen.size:
        return chosen
    span = _transposed(np.linalg.qr(_transposed(vectors))[0])  # (n, k, 3)
    within, taken = _transposed(span) @ span, np.zeros((len(span), 3, 3))
    for k in range(span.shape[1]):
        seen = (within - taken) @ references  # the reference axes as far as the rest of the span holds them
        lengths = np.sqrt((seen * seen).sum(axis=1))
        first = (lengths > lengths.max(axis=1, keepdims=True) - 1e-6).argmax(axis=1)  # of the longest
        v = chosen[:, k] = unit(seen[np.arange(len(seen)), :, first])
        taken = taken + v[:, :, None] * v[:, None, :]
    return chosen


def _transposed(matrices: Array) -> Array:
    return np.swapaxes(matrices, -1, -2)
