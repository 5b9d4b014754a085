"""Pairs of bodies with mates between them: the twist space that the mates leave, as a chain of joints."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from swgrm.inference.geometry.equations import LENGTH_TOLERANCE, NOBODY, MateEquations, residuals, tolerances
from swgrm.inference.geometry.twists import Array, Ints, cross, exponential, unit
from swgrm.inference.mechanism.chain_search import PURE_TRANSLATION, SAMPLES, SLACK, ChainFit, find_chain
from swgrm.inference.mechanism.graph import Edge
from swgrm.inference.mechanism.joint_chain import JointChain, SimpleJoint, prismatic, revolute, screw
from swgrm.inference.mechanism.twist_space import TwistSpace, twist_spaces

NOT_SEARCHED = ChainFit((), is_exact=False)


@dataclass(frozen=True, slots=True, eq=False)
class BodyPair:
    """Two bodies, the equations between them, and the twists that these leave the higher body relative to the lower."""

    edge: Edge
    numbers: Ints  # which equations of the whole stack
    stack: MateEquations  # equations of many pairs, each between bodies 0 (the lower) and 1 (the higher)
    rows: Ints  # which of these are this pair's
    twist_space: TwistSpace
    chain: JointChain = ()
    has_chain: bool = True  # False: not searched yet, because the pair may still be merged
    is_exact: bool = True  # finite motion along the chain keeps the equations
    is_refined: bool = False  # the chain has a screw's pitch, which the equations do not
    narrowed_from: JointChain | None = None  # the pair's own chain, where loops reduce its motion

    @property
    def local(self) -> MateEquations:
        """The pair's equations between bodies 0 and 1."""
        return self.stack[self.rows]


def local_equations(equations: MateEquations, numbers: Ints, labels: Ints, edges: Array) -> MateEquations:
    """The equations between bodies 2k and 2k + 1 of their pair k.  # edges: (m, 2) of each equation."""
    chosen = equations[numbers]
    k = np.arange(len(numbers)) if len(edges) == 0 else edges[:, 2]

    def side(bodies: Ints) -> Ints:
        return np.where(bodies == NOBODY, NOBODY, 2 * k + (labels[bodies] == edges[:, 1]))

    return replace(chosen, first=side(chosen.first), second=side(chosen.second), mirror=side(chosen.mirror))


def find_pairs(equations: MateEquations, numbers: Ints, ends: Ints, labels: Ints) -> list[BodyPair]:
    """The pairs that the given equations make, with their twist spaces; `ends` are the two bodies of each.  # (m, 2).

    Pairs with at most one degree of freedom get their chain here, all together; the others in `with_chain`.
    """
    if len(numbers) == 0:
        return []
    keys, group = np.unique(ends[:, 0] * len(labels) + ends[:, 1], return_inverse=True)
    edges = np.column_stack(np.divmod(keys, len(labels)))
    local = local_equations(equations, numbers, labels, np.column_stack([ends, group]))
    free = twist_spaces(local, group, len(edges))
    order = np.argsort(group, kind="stable")
    stops = np.cumsum(np.bincount(group, minlength=len(edges))).tolist()
    parts = [order[start:stop] for start, stop in pairwise([0, *stops])]
    base = replace(
        local,
        first=local.first - 2 * group,
        second=local.second - 2 * group,
        mirror=np.where(local.mirror == NOBODY, NOBODY, local.mirror - 2 * group),
    )
    found = _single_chains(free, local, group)
    pairs = []
    for k, (edge, part) in enumerate(zip(edges.tolist(), parts, strict=True)):
        fit = found.get(k, NOT_SEARCHED)
        own = numbers[part]
        pairs.append(
            BodyPair((edge[0], edge[1]), own, base, part, free[k], fit.chain, fit is not NOT_SEARCHED, fit.is_exact)
        )
    return pairs


def with_chain(pair: BodyPair, orientation: Array) -> BodyPair:
    """The pair with the chain of its twist space; `orientation` is that of its lower body.  # (3, 3)."""
    fit = find_chain(pair.twist_space, pair.local, orientation)
    return replace(pair, chain=fit.chain, is_exact=fit.is_exact, has_chain=True)


def _single_chains(free: list[TwistSpace], local: MateEquations, group: Ints) -> dict[int, ChainFit]:
    """The chains of all pairs with at most one degree of freedom, computed and checked together.

    With v at the pair's centre: pitch h = ω·v/|ω|², axis through ω × v/|ω|².
    """
    fits = {k: ChainFit((), is_exact=True) for k, twist_space in enumerate(free) if twist_space.dimension == 0}
    singles = [k for k, twist_space in enumerate(free) if twist_space.dimension == 1]
    if not singles:
        return fits
    w, v = np.split(np.array([free[k].basis[:, 0] for k in singles]), 2, axis=1)
    centre = np.array([free[k].centre for k in singles])
    length = np.array([free[k].length for k in singles])[:, None]
    speed = np.linalg.norm(w, axis=1, keepdims=True)
    translates = speed[:, 0] < PURE_TRANSLATION
    w = np.divide(w, speed, out=np.zeros_like(w), where=~translates[:, None])
    at_centre = np.divide(v, speed, out=unit(v), where=~translates[:, None]) + cross(w, centre)
    pitch = np.einsum("ij,ij->i", w, at_centre)
    pitch[np.abs(pitch) < LENGTH_TOLERANCE] = 0.0
    point = centre + cross(w, at_centre)
    turning = np.concatenate([w, cross(point, w) + pitch[:, None] * w], axis=1)
    sliding = np.concatenate([np.zeros_like(w), at_centre * length], axis=1)
    twists = np.zeros((2 * len(free), 6))
    twists[2 * np.array(singles) + 1] = np.where(translates[:, None], sliding, turning)
    worst = np.zeros(len(free))
    for sample in SAMPLES[:, 0]:
        np.maximum.at(worst, group, np.abs(residuals(local, exponential(twists * sample))) / tolerances(local))
    for row, k in enumerate(singles):
        simple = _single(translates[row], at_centre[row], w[row], point[row], float(pitch[row]))
        fits[k] = ChainFit((simple,), bool(worst[k] <= SLACK))
    return fits


def _single(translates: bool, direction: Array, axis: Array, point: Array, pitch: float) -> SimpleJoint:
    if translates:
        return prismatic(direction)
    return screw(axis, point, pitch) if pitch else revolute(axis, point)
