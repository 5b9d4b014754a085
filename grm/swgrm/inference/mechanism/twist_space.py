"""Twist spaces: the motions that the rows of mates leave free, as null spaces cut at physical tolerances.

A motion of about one radian, or of the pair's own length L, counts as free while it violates the rows by less than
a micrometre or ten microradians. With each row divided by its tolerance and the twist scaled as (ω, v/L), the
singular value of a direction *is* that violation in tolerances: below one it is free.
"""

from __future__ import annotations

from typing import NamedTuple

import msgspec
import numpy as np

from swgrm.inference.geometry.equations import MateEquations, rows_on, tolerances
from swgrm.inference.geometry.twists import Array, Ints, cross, lengths_of

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


class TwistSpaces(NamedTuple):
    """The twist spaces of many pairs."""

    spaces: list[TwistSpace]
    centres: Array  # (pairs, 3)
    lengths: Array  # (pairs,)
    freest: Array  # (pairs, 6) the twist that violates the rows of each least


def twist_spaces(equations: MateEquations, group: Ints, count: int) -> list[TwistSpace]:
    """As `stacked_twist_spaces`, without the stacks."""
    return stacked_twist_spaces(equations, group, count).spaces


def stacked_twist_spaces(equations: MateEquations, group: Ints, count: int) -> TwistSpaces:
    """The twist space of each of `count` pairs: the motions of the body 2k + 1 relative to the body 2k.

    `group` is the pair k of each equation.
    """
    own, tolerance = rows_on(equations, 2 * group + 1), tolerances(equations)
    per_pair = np.bincount(group, minlength=count)
    centres, lengths = _extents(equations, group, per_pair)
    order = group.argsort(kind="stable")
    starts = per_pair.cumsum() - per_pair
    spaces: list[TwistSpace | None] = [None] * count
    freest = np.empty((count, 6))
    for size in np.bincount(per_pair).nonzero()[0].tolist():
        pairs = (per_pair == size).nonzero()[0]
        index = order.take(starts.take(pairs)[:, None] + np.arange(size))  # (pairs, size)
        centre, length = centres.take(pairs, 0), lengths.take(pairs)
        scaled = _scaled(own.take(index, 0), tolerance.take(index), centre, length)
        found, freest[pairs] = _null_spaces(scaled, centre, length)
        for pair, twist_space in zip(pairs.tolist(), found, strict=True):
            spaces[pair] = twist_space
    return TwistSpaces([space for space in spaces if space is not None], centres, lengths, freest)


def _extents(equations: MateEquations, group: Ints, per_pair: Ints) -> tuple[Array, Array]:
    """The centre and the length of each pair, from the points that its equations act at."""
    middle = (equations.p + equations.x) / 2
    centres = np.empty((len(per_pair), 3))
    for k in range(3):
        centres[:, k] = np.bincount(group, middle[:, k], len(per_pair))
    centres /= np.maximum(per_pair, 1)[:, None]
    reach = np.zeros(len(per_pair))
    np.maximum.at(reach, group, lengths_of(middle - centres.take(group, 0)))
    return centres, np.maximum(reach, SHORTEST_PAIR)


def _scaled(own: Array, tolerance: Array, centres: Array, lengths: Array) -> Array:
    """Rows on (ω, v/L) about the centre, in tolerances.  # (pairs, size, 6)."""
    moment, force = own[..., :3], own[..., 3:]
    moment = moment - cross(centres[:, None, :], force)
    return np.concatenate([moment, force * lengths[:, None, None]], axis=-1) / tolerance[..., None]


def _null_spaces(scaled: Array, centres: Array, lengths: Array) -> tuple[list[TwistSpace], Array]:
    """The twist spaces that stacks of scaled rows leave, v carried from the centre to the origin: v − ω × c.

    And the last twist of each.  # (pairs, 6)
    """
    _, values, twists = np.linalg.svd(scaled, full_matrices=scaled.shape[1] < 6)
    if scaled.shape[1] < 6:
        values = np.concatenate([values, np.zeros((len(scaled), 6 - scaled.shape[1]))], axis=1)
    ranks = (values >= 1.0).sum(axis=1).tolist()
    turning = twists[..., :3].copy()
    twists[..., 3:] = twists[..., 3:] * lengths[:, None, None] - cross(turning, centres[:, None, :])
    numbers = zip(twists, ranks, centres, lengths.tolist(), values.tolist(), strict=True)
    spaces = [
        TwistSpace(own[rank:].T, centre, length, violations[rank - 1] if rank else np.inf)
        for own, rank, centre, length, violations in numbers
    ]
    return spaces, twists[:, 5]
