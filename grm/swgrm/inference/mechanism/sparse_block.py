"""A large block of loops, computed with sparse matrices: time and memory grow with its size, not with its cube.

The closing equations R act on the twists V of the bodies, and these follow from the rates q of the joints along the
tree: B V = S q, with B V the twist of each body relative to its parent. So J = R B⁻¹ S, which is dense where the tree
has long paths, need not be computed; `sparse_rows` gets the system of all of them.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy import sparse
from scipy.sparse.linalg import splu

from swgrm.inference.geometry.equations import MateEquations, role_rows_at
from swgrm.inference.geometry.twists import Array, Ints
from swgrm.inference.mechanism.loop_blocks import HELD, BlockBatch, LoopBlock
from swgrm.inference.mechanism.sparse_rows import DampedRows
from swgrm.inference.mechanism.sparse_stack import sparse_rows_of


class SparseBlock(BlockBatch):
    """One large block, with the interface of a batch of one."""

    def __init__(self, blocks: Sequence[LoopBlock], equations: MateEquations) -> None:
        super().__init__(blocks, equations)
        (block,) = blocks
        parents = np.array(block.parents)
        self._owner = np.repeat(np.arange(len(parents) - 1), np.diff(block.stops))  # of each joint: the body it moves
        children = np.flatnonzero(parents[1:])
        size = 6 * (len(parents) - 1)  # the root stays
        places = _six(children), _six(parents[1:][children] - 1)
        below = sparse.coo_array((np.ones(len(places[0])), places), (size, size))
        self._relative = sparse.identity(size) - below
        self._along_tree = splu(self._relative.tocsc(), permc_spec="NATURAL").solve

    def _rows(self, D: Array, twists: Array) -> DampedRows:
        """The closing equations, in tolerances, on the scaled rates of the joints."""
        n, m, size = twists.shape[1], self._tolerances.shape[1], self._relative.shape[0]
        own = (twists[0] * self.scale[0][:, None]).ravel()
        S = sparse.coo_array((own, (_six(self._owner), np.repeat(np.arange(n), 6))), (size, n))
        roles = role_rows_at(self._equations, self._place(D))
        R = sparse.coo_array((m, size))
        for rows, bodies in zip((roles.first, roles.second, roles.mirror), self._bodies, strict=True):
            if rows is not None:
                moving = np.flatnonzero(bodies > 0)
                scaled = rows[moving] / self._tolerances[0][moving, None]
                R = R + sparse_rows_of(scaled, moving, bodies[moving] - 1, (m, size))
        B, one = self._relative, sparse.identity
        damping = -(HELD**2) * one(m)
        system = sparse.block_array(
            [[one(n), None, -S.T, None], [None, None, B.T, R.T], [-S, B, None, None], [None, R, None, damping]]
        )
        S, R = S.tocsr(), R.tocsr()
        return DampedRows(system, n, m, lambda q: np.asarray(R @ self._along_tree(S @ q)))

    def null_spaces(self, D: Array, twists: Array) -> tuple[list[Array], Array]:
        """As of a batch."""
        rates, tightest = self._rows(D, twists).null_space()
        return [rates], np.array([tightest])

    def _correction(self, D: Array, twists: Array, off: Array, closed: float) -> Array:
        rows = self._rows(D, twists)
        step = rows.step(off[0])[:, None]
        corrected = np.abs(rows.product(step)).max(initial=0.0)
        return step.T if corrected >= closed else np.zeros_like(step.T)


def _six(bodies: Ints) -> Ints:
    """The places of the twists of bodies."""
    return (6 * bodies[:, None] + np.arange(6)).ravel()
