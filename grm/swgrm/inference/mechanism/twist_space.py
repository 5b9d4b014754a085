"""Twist spaces: the motions that the rows of mates leave free, as null spaces cut at physical tolerances.

A motion of about one radian, or of the pair's own length L, counts as free while it violates the rows by less than
a micrometre or ten microradians. With each row divided by its tolerance and the twist scaled as (ω, v/L), the
singular value of a direction *is* that violation in tolerances: below one it is free.
"""

from __future__ import annotations

import msgspec
import numpy as np

from swgrm.inference.geometry.equations import MateEquations, rows_on, tolerances
from swgrm.inference.geometry.twists import Array, Ints, cross

SHORTEST_PAIR = 0.01  # [m] the length of a pair whose mates all act at one point
NEARLY = 100.0  # a direction held by less than this many tolerances is reported


class TwistSpace(msgspec.Struct, frozen=True, gc=False):
    """The twists that the mates between two bodies leave free."""

    basis: Array  # (6, d) orthonormal in (ω, v/L) about `centre`; v is given at the origin
    centre: Array  # (3,) [m] a point near the pair
    length: float  # [m] the pair's length L
    tightest: float  # the smallest violation among the directions that are held, in tolerances (inf: none held)

    @property
    def dimension(self) -> int:
        """How many independent motions there are."""
        return int(self.basis.shape[1])

    @property
    def is_doubtful(self) -> bool:
        """Whether a direction is held by less than `NEARLY` tolerances."""
        return self.tightest < NEARLY


def twist_spaces(equations: MateEquations, group: Ints, count: int) -> list[TwistSpace]:
    """The twist space of each of `count` pairs: the motions of the body 2k + 1 relative to the body 2k.

    `group` is the pair k of each equation.
    """
    own = rows_on(equations, 2 * group + 1)
    centres, lengths = _extents(equations, group, count)
    per_pair = np.bincount(group, minlength=count)
    order = np.argsort(group, kind="stable")
    starts = np.concatenate([[0], np.cumsum(per_pair)])
    result: list[TwistSpace | None] = [None] * count
    for size in np.unique(per_pair):
        pairs = np.flatnonzero(per_pair == size)
        index = order[starts[pairs][:, None] + np.arange(size)[None, :]]  # (pairs, size)
        scaled = _scaled(own[index], tolerances(equations)[index], centres[pairs], lengths[pairs])
        for pair, twist_space in zip(pairs.tolist(), _null_spaces(scaled, centres[pairs], lengths[pairs]), strict=True):
            result[pair] = twist_space
    return [twist_space for twist_space in result if twist_space is not None]


def _extents(equations: MateEquations, group: Ints, count: int) -> tuple[Array, Array]:
    """The centre and the length of each pair, from the points that its equations act at."""
    number = np.maximum(np.bincount(group, minlength=count), 1)
    middle = (equations.p + equations.x) / 2
    centres = np.stack([np.bincount(group, middle[:, k], count) for k in range(3)], axis=1) / number[:, None]
    reach = np.zeros(count)
    np.maximum.at(reach, group, np.linalg.norm(middle - centres[group], axis=1))
    return centres, np.maximum(reach, SHORTEST_PAIR)


def _scaled(own: Array, tolerance: Array, centres: Array, lengths: Array) -> Array:
    """Rows on (ω, v/L) about the centre, in tolerances.  # (pairs, size, 6)."""
    moment, force = own[..., :3], own[..., 3:]
    moment = moment - cross(centres[:, None, :], force)
    return np.concatenate([moment, force * lengths[:, None, None]], axis=-1) / tolerance[..., None]


def _null_spaces(scaled: Array, centres: Array, lengths: Array) -> list[TwistSpace]:
    """The twist spaces that stacks of scaled rows leave, v carried from the centre to the origin: v − ω × c."""
    values, vectors = np.zeros((len(scaled), 6)), np.broadcast_to(np.eye(6), (len(scaled), 6, 6))
    if scaled.shape[1]:
        _, some, vectors = np.linalg.svd(scaled, full_matrices=True)
        values[:, : some.shape[1]] = some
    ranks = (values >= 1.0).sum(axis=1)
    twists = vectors.copy()
    twists[..., 3:] = twists[..., 3:] * lengths[:, None, None] - cross(twists[..., :3], centres[:, None, :])
    tightest = np.where(ranks > 0, values[np.arange(len(values)), ranks - 1], np.inf)
    numbers = zip(twists, ranks.tolist(), centres, lengths.tolist(), tightest.tolist(), strict=True)
    return [TwistSpace(own[rank:].T, centre, length, least) for own, rank, centre, length, least in numbers]
