"""The rows of a large block as a sparse matrix: their rank, and which pairs follow from the others.

The rows of a pair can be left out if each combination of them is also one of the other rows. With the projector on the
left null space of all rows, M = (1 + RRᵀ/δ)⁻¹, that is so if the part of M in the pair's own rows has no eigenvalue
near zero: above `DEPENDENT`². δ is (`DEPENDENT` `HELD`)², so that a direction that the rows hold with σ adds at most
1/(1 + σ²/δ). A direction with σ between `DEPENDENT` and `HELD`, which is rare, is held here and free in a dense stack.
Rows that are left out are taken out of M by a Schur complement, and now and then by factorising again.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np
from scipy import sparse
from scipy.sparse import sparray

from swgrm.inference.geometry.twists import Array, Ints
from swgrm.inference.mechanism.graph import Edge
from swgrm.inference.mechanism.loop_blocks import HELD
from swgrm.inference.mechanism.redundancy import DEPENDENT, places_of
from swgrm.inference.mechanism.sparse_rows import DampedRows

MOST_LEFT_OUT = 200  # rows, before the others are factorised again
PROBES = 16  # random combinations that show at once which pairs cannot be left out
FAINT = 0.1  # of what the probes must show of a pair that can be left out
SEEN = FAINT * DEPENDENT**2


class SparseRowStack:
    """Rows in tolerances on the twists of bodies; some of them may be left out."""

    def __init__(self, rows: sparray, pair: Ints) -> None:
        """`rows` is a sparse matrix, `pair` the pair of each row.  # (m, n), (m, 2)."""
        self._rows, self._pair = rows.tocsr(), pair
        self._left_out: Ints = np.zeros(0, dtype=np.intp)
        self._columns: Array = np.zeros((len(pair), 0))  # of M, at the rows that are left out
        self._last: tuple[Edge, Array] | None = None  # the columns of M of the pair that was looked at last

    @property
    def rank(self) -> int:
        """How many independent directions the rows hold."""
        kept = np.setdiff1d(np.arange(len(self._pair)), self._left_out)
        rows = self._rows[kept]
        return int(rows.shape[1]) - int(damped_rows(rows, HELD**2).null_space()[0].shape[1])

    @cached_property
    def _inverse(self) -> DampedRows:
        return damped_rows(self._rows, (DEPENDENT * HELD) ** 2)

    @cached_property
    def _probes(self) -> Array:
        random = np.random.default_rng(len(self._pair))
        return self._inverse.spare(random.standard_normal((len(self._pair), PROBES)))

    @cached_property
    def _places(self) -> dict[Edge, Ints]:
        return places_of(self._pair)

    @cached_property
    def _hopeless(self) -> set[Edge]:
        """The pairs that the probes show to be needed; those with the same number of rows are computed together."""
        sizes: dict[int, list[Edge]] = {}
        for edge, places in self._places.items():
            if len(places) <= PROBES:
                sizes.setdefault(len(places), []).append(edge)
        hopeless: set[Edge] = set()
        for edges in sizes.values():
            rows = np.array([self._places[edge] for edge in edges])  # (pairs, size)
            least = np.linalg.svd(self._probes[rows], compute_uv=False).min(axis=1)
            hopeless.update(edge for edge, value in zip(edges, least.tolist(), strict=True) if value < SEEN)
        return hopeless

    def is_replaceable(self, edge: Edge) -> bool:
        """Whether the rows of a pair follow from the others."""
        if edge in self._hopeless:
            return False
        own = self._places[edge]
        units = np.zeros((len(self._pair), len(own)))
        units[own, np.arange(len(own))] = 1.0
        columns = self._inverse.spare(units)
        self._last = edge, columns
        gone = self._left_out
        across = columns[gone]
        within = columns[own] - self._columns[own] @ np.linalg.solve(self._columns[gone], across)
        return bool(np.linalg.eigvalsh(within).min() > DEPENDENT**2)

    def without(self, edge: Edge) -> SparseRowStack:
        """The stack with the rows of a pair left out, which were found to be replaceable just before."""
        assert self._last is not None  # noqa: S101 - see above
        assert self._last[0] == edge  # noqa: S101 - see above
        self._columns = np.concatenate([self._columns, self._last[1]], axis=1)
        self._left_out = np.concatenate([self._left_out, self._places[edge]])
        if len(self._left_out) <= MOST_LEFT_OUT:
            return self
        kept = np.setdiff1d(np.arange(len(self._pair)), self._left_out)
        return SparseRowStack(self._rows[kept], self._pair[kept])


def damped_rows(rows: sparray, damping: float) -> DampedRows:
    """Rows that are a sparse matrix."""
    m, n = rows.shape
    one = sparse.identity
    system = sparse.block_array([[one(n), rows.T], [rows, -damping * one(m)]])
    return DampedRows(system, n, m, lambda q: np.asarray(rows @ q), damping)


def sparse_rows_of(values: Array, row: Ints, body: Ints, shape: tuple[int, int]) -> sparray:
    """Rows on the twists of bodies as a sparse matrix; entries at one place add up.  # (k, 6), (k,), (k,)."""
    places = (np.repeat(row, 6), (6 * body[:, None] + np.arange(6)).ravel())
    return sparse.coo_array((values.ravel(), places), shape)
