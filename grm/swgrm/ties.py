"""Choices among computed numbers: what is equal but for rounding is decided by a stated order, not by the last digit.

The last digits of a computed number depend on the processor. Where two candidates are equal by design (two halves of a
symmetric part, the axes of a square), they must not decide.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from swgrm.transforms import Array

EQUAL = 1e-6  # relative: numbers that differ by less are equal
OFF_GRID = 1.0471975511965976  # π/3: steps of this length have no border at a number that somebody designed


def first_largest(values: Sequence[float] | Array, margin: float = EQUAL) -> int:
    """The place of the first value that is the largest but for `margin`, relative to the largest absolute value."""
    numbers = np.asarray(values, float)
    least = numbers.max() - margin * np.abs(numbers).max()
    return int((numbers >= least).argmax())


def first_smallest(values: Sequence[float] | Array, margin: float = EQUAL) -> int:
    """As `first_largest`, of the smallest value."""
    return first_largest(-np.asarray(values, float), margin)


def leading_components(vectors: Array, margin: float = EQUAL) -> NDArray[np.intp]:
    """The place of the longest component of each vector, the first of those that are equal.  # (..., n) → (...)."""
    lengths = np.abs(vectors)
    longest = lengths.max(axis=-1, keepdims=True)
    first: NDArray[np.intp] = (lengths >= longest * (1 - margin)).argmax(axis=-1)
    return first


def steps_of(values: Array, step: float) -> NDArray[np.int64]:
    """Whole numbers that are equal where values are equal but for rounding, in the order of the values.

    The steps are about `step` long. Designed values are fractions of ten and halves; none is on a border of steps.
    """
    return np.rint(np.asarray(values, float) / (OFF_GRID * step)).astype(np.int64)


def ranks_of(values: Array, margin: float) -> NDArray[np.intp]:
    """The rank of each value, from zero; values that follow each other by at most `margin` have the same rank.

    Unlike `steps_of`, it has no border that noise can move a group of equal values across. It needs all values at once.
    """
    numbers = np.asarray(values, float)
    order = numbers.argsort(kind="stable")
    is_next = np.diff(numbers[order], prepend=numbers[order[:1]]) > margin
    ranks = np.empty(len(numbers), np.intp)
    ranks[order] = is_next.cumsum()
    return ranks


def principal_axes(matrix: Array, margin: float = EQUAL) -> tuple[Array, Array]:
    """The eigenvalues of a symmetric matrix, ascending, and its eigenvectors in columns.  # (3, 3) → (3,), (3, 3).

    An eigenvector has two directions, and where eigenvalues are equal any rotation among theirs is as good. Here they
    follow the coordinate axes: each is the projection of that axis which is longest in what is left of its eigenspace.
    """
    values, vectors = np.linalg.eigh(matrix)
    size = float(np.abs(values).max())
    starts = [0, *(k for k in (1, 2) if values[k] - values[k - 1] > margin * size), 3]
    axes: list[Array] = []
    for start, stop in pairwise(starts):
        space = vectors[:, start:stop]
        projector = space @ space.T
        for _ in range(stop - start):
            lengths = np.linalg.norm(projector, axis=0)
            column = projector[:, first_largest(lengths, margin)]
            axis = column / np.linalg.norm(column)
            projector = projector - np.outer(axis, axis)
            axes.append(axis)
    return values, np.column_stack(axes)
