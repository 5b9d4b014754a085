"""Free directions of many sparse rows, and steps that correct them, by a sparse factorisation instead of a dense one.

The rows J, in tolerances, need not be known themselves, only a sparse system that contains them. With δ of HELD²,

    q + Jᵀ y = x,    J q − δ y = −r

has the solution q = (1 + JᵀJ/δ)⁻¹ (x − Jᵀr/δ). Its condition is that of J, not of JᵀJ. Along a direction with the
singular value σ, x keeps 1/(1 + σ²/δ) of itself: nearly all of it where the rows do not hold it (noise has σ of 0.01 or
less, typically), and 1e-8 of it where they do (σ of 1e4 or more, typically). So a few random vectors, filtered, span
the free directions and those that are held softly; how much of a violation they make is then computed exactly, in that
small space, and compared with `HELD` as in `loop_blocks`.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy.sparse import sparray
from scipy.sparse.linalg import splu

from swgrm.inference.geometry.twists import Array
from swgrm.inference.mechanism.loop_blocks import HELD

WIDTH = 8  # how many directions are sought at first
WIDER = 4  # as many times more, if more than half of them are free
PASSES = 8  # of the filter, at most
STEADY = 1e-2  # relative change of the violations between two passes, below which they are known
KNOWN = 1e3  # [tolerances] violations beyond this are not needed exactly
NOTHING = 1e-14  # relative: a direction that is shorter is rounding


class DampedRows:
    """Rows J on q, as a sparse system; the first unknowns of the system are q, its last equations those of the rows."""

    def __init__(
        self, system: sparray, size: int, count: int, product: Callable[[Array], Array], damping: float = HELD**2
    ) -> None:
        """`system` is a sparse matrix, `size` and `count` the numbers of q and of rows, `product` gives J q.

        `damping` is the δ in the system.
        """
        self.size, self.count, self.product, self._damping = size, count, product, damping
        self._solve: Callable[[Array], Array] = splu(system.tocsc()).solve
        self._length: int = system.shape[0]

    def filtered(self, x: Array) -> Array:
        """(1 + JᵀJ/δ)⁻¹ x: what the rows leave free of some directions.  # (n, k)."""
        right = np.zeros((self._length, x.shape[1]))
        right[: self.size] = x
        return self._solve(right)[: self.size]

    def step(self, off: Array) -> Array:
        """The smallest q that corrects the residuals `off` of the rows, as far as the rows hold.  # (m,) → (n,).

        The damped solution and what the filter leaves of it span the step; there, directions below `HELD` are cut off.
        """
        right = np.zeros((self._length, 1))
        right[-self.count :, 0] = -off
        parts = [self._solve(right)[: self.size]]
        for _ in range(WIDTH - 1):
            soft = self.filtered(parts[-1])
            length = np.linalg.norm(soft)
            if length <= NOTHING * np.linalg.norm(parts[0]):
                break
            parts.append(soft / length)
        Q = np.linalg.qr(np.concatenate(parts, axis=1))[0]
        U, values, Vt = np.linalg.svd(self.product(Q), full_matrices=False)
        held = values >= HELD
        return np.asarray(Q @ (Vt.T @ (-(U.T @ off) * held / np.where(held, values, 1.0))))

    def spare(self, combinations: Array) -> Array:
        """(1 + JJᵀ/δ)⁻¹ f: what of some combinations of rows follows from no direction.  # (m, k)."""
        right = np.zeros((self._length, combinations.shape[1]))
        right[-self.count :] = -combinations
        return self._damping * np.asarray(self._solve(right)[-self.count :])

    def null_space(self) -> tuple[Array, float]:
        """The free directions, orthonormal (n, k), and the least violation by a held one [tolerances] (inf: none)."""
        width = WIDTH
        while True:
            width = min(width, self.size)
            directions, values = self._least_violations(width)
            free = values < HELD
            if 2 * free.sum() <= width or width == self.size:  # else the violations near HELD are not known yet
                return directions[:, free], float(values[~free].min(initial=np.inf))
            width *= WIDER

    def _least_violations(self, width: int) -> tuple[Array, Array]:
        """Some directions that violate the rows least, and their violations.  # (n, width), (width,)."""
        X = np.random.default_rng(width).standard_normal((self.size, width))
        before = np.full(width, np.inf)
        for _ in range(PASSES):
            X = np.linalg.qr(self.filtered(X))[0]
            violated = self.product(X)
            lacking = np.zeros((max(width - self.count, 0), width))
            _, values, Vt = np.linalg.svd(np.concatenate([violated, lacking]), full_matrices=False)
            X = X @ Vt.T
            if (np.abs(values - before) <= STEADY * np.maximum(values, HELD))[values < KNOWN].all():
                break
            before = values
        return X, values
