"""Whether two convex bodies have a point in common, by a small linear program.

The largest ball inside both has centre x and radius t: maximize t with n · x + t ≤ d for every face. An interior point
method (Mehrotra 1992) solves it in the four unknowns. Every answer has a certificate: a point that is far enough inside
both, or multipliers λ ≥ 0 of the faces, which bound t from above by λ · d. Where neither is found, SciPy decides.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from swgrm.meshes.polytopes import Polytope

if TYPE_CHECKING:
    from swgrm.transforms import Array

INSIDE = 1e-7  # [m] radius of a ball that must fit inside both
SURE = 2.0  # a radius this many times larger or smaller than INSIDE is certain
STEPS = 30
GOAL = np.array([0.0, 0.0, 0.0, 1.0])


def have_common_point(one: Polytope, other: Polytope) -> bool:
    """Whether a small ball is inside both bodies."""
    if _contains_any(one, other.vertices) or _contains_any(other, one.vertices):
        return True
    planes, middle = np.concatenate([one.normals, other.normals]), one.vertices.mean(axis=0)
    room = np.concatenate([one.offsets, other.offsets]) - planes @ middle
    reach = float(np.linalg.norm(one.vertices - middle, axis=1).max())
    found = ball_fits(planes, room, reach)
    return _solved(planes, room) if found is None else found


def _contains_any(body: Polytope, points: Array) -> bool:
    return bool((points @ body.normals.T < body.offsets - INSIDE).all(axis=1).any())


def ball_fits(planes: Array, room: Array, reach: float) -> bool | None:
    """Whether a ball fits below all planes n · x = d, within `reach` of the origin; None: not decided.

    Primal: s = d − A y ≥ 0 with y = (x, t) and A = (n, 1). Dual: Aᵀ λ = (0, 0, 0, 1), λ ≥ 0.
    """
    A = np.column_stack([planes, np.ones(len(planes))])
    y = GOAL * (float(room.min()) - reach)
    multipliers = np.full(len(planes), 1.0 / len(planes))
    for _ in range(STEPS):
        slack = room - A @ y
        least = float(slack.min())
        if y[3] + least > SURE * INSIDE:
            return True
        push = multipliers @ planes  # 0 at a solution of the dual
        bound = float(multipliers @ room) + float(np.linalg.norm(push)) * reach
        if bound < float(multipliers.sum()) * INSIDE / SURE:
            return False
        if not least > 0:  # at the solution, within rounding
            return None
        try:
            y, multipliers = _step(A, y, slack, multipliers)
        except np.linalg.LinAlgError:
            return None
    return None


def _step(A: Array, y: Array, slack: Array, multipliers: Array) -> tuple[Array, Array]:
    """The next iterate: a step that predicts, and one that is corrected and centred."""
    weights = multipliers / slack
    matrix = (A.T * weights) @ A
    lacking = GOAL - multipliers @ A
    gap = float(multipliers @ slack) / len(slack)

    def direction(target: Array) -> tuple[Array, Array, Array]:
        """The step for which the products λ s change by `target`."""
        along = np.asarray(np.linalg.solve(matrix, lacking - (target / slack) @ A), float)
        falls = A @ along
        return along, -falls, (target + multipliers * falls) / slack

    _, change, rise = direction(-multipliers * slack)
    ahead = float((slack + _length(slack, change) * change) @ (multipliers + _length(multipliers, rise) * rise))
    centre = gap * (ahead / len(slack) / gap) ** 3
    along, change, rise = direction(centre - multipliers * slack - change * rise)
    return (
        y + 0.99 * _length(slack, change) * along,
        multipliers + 0.99 * _length(multipliers, rise) * rise,
    )


def _length(values: Array, change: Array) -> float:
    """The longest step, at most 1, that keeps the values positive."""
    shrinks = change < 0
    return min(1.0, float((values[shrinks] / -change[shrinks]).min(initial=np.inf)))


def _solved(planes: Array, room: Array) -> bool:
    from scipy.optimize import linprog

    within = np.column_stack([planes, np.ones(len(planes))])
    found = linprog([0, 0, 0, -1], within, room, bounds=[(None, None)] * 3 + [(None, 1.0)], method="highs")
    return bool(found.status == 0 and found.x[3] > INSIDE)
