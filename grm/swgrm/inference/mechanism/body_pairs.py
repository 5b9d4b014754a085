"""Pairs of bodies with mates between them: the twist space that the mates leave, as a chain of joints."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from swgrm.inference.geometry.equations import LENGTH_TOLERANCE, NOBODY, MateEquations, measured, residuals, tolerances
from swgrm.inference.geometry.twists import Array, Ints, cross, dot, exponential, lengths_of
from swgrm.inference.mechanism.chain_search import SAMPLES, SLACK, ChainFit, ChainSearch, find_chains
from swgrm.inference.mechanism.graph import Edge
from swgrm.inference.mechanism.joint_chain import JointChain, SimpleJoint, prismatic, revolute, screw
from swgrm.inference.mechanism.twist_space import TwistSpace, TwistSpaces, stacked_twist_spaces
from swgrm.inference.mechanism.twist_structure import PURE_TRANSLATION

NOT_SEARCHED = ChainFit((), is_exact=False)


class BodyPair(Struct, frozen=True, eq=False):
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


def _local_equations(equations: MateEquations, numbers: Ints, labels: Ints, high: Ints) -> MateEquations:
    """The equations between bodies 0 and 1 of their pairs; `high` is the higher body of each equation.  # (m,)."""
    chosen = equations if len(numbers) == len(equations) else equations[numbers]  # no number is there twice
    first, second, mirror = (
        (labels[side] == high).astype(np.intp) for side in (chosen.first, chosen.second, chosen.mirror)
    )
    return replace(chosen, first=first, second=second, mirror=np.where(chosen.mirror == NOBODY, NOBODY, mirror))


def find_pairs(equations: MateEquations, numbers: Ints, low: Ints, high: Ints, labels: Ints) -> list[BodyPair]:
    """The pairs that the given equations make, with their twist spaces; `low` and `high` are the bodies of each.

    Pairs with at most one degree of freedom get their chain here, all together; the others in `with_chains`.
    """
    if len(numbers) == 0:
        return []
    keys = low * len(labels) + high
    order = keys.argsort(kind="stable")
    ordered = keys.take(order)
    is_new = np.concatenate([[True], ordered[1:] != ordered[:-1]])
    group = np.empty(len(keys), dtype=np.intp)
    group[order] = is_new.cumsum() - 1
    starts = is_new.nonzero()[0]
    base = _local_equations(equations, numbers, labels, high)
    local = base.between(2 * group)  # the bodies 2k and 2k + 1 of each pair k
    free = stacked_twist_spaces(local, group, len(starts))
    found = _single_chains(free, local, group)
    pairs = []
    own, stops = numbers.take(order), [*starts.tolist(), len(keys)]
    for k, (edge, twist_space) in enumerate(zip(ordered.take(starts).tolist(), free.spaces, strict=True)):
        fit, part = found.get(k, NOT_SEARCHED), slice(stops[k], stops[k + 1])
        is_found = fit is not NOT_SEARCHED
        ends = divmod(edge, len(labels))
        pairs.append(BodyPair(ends, own[part], base, order[part], twist_space, fit.chain, is_found, fit.is_exact))
    return pairs


def with_chains(pairs: Sequence[BodyPair], orientation: Callable[[int], Array]) -> list[BodyPair]:
    """The pairs with the chains of their twist spaces; `orientation` gives that of a body.  # (3, 3)."""
    searches = [ChainSearch(pair.twist_space, pair.local, orientation(pair.edge[0])) for pair in pairs]
    return [
        replace(pair, chain=fit.chain, is_exact=fit.is_exact, has_chain=True)
        for pair, fit in zip(pairs, find_chains(searches), strict=True)
    ]


def _single_chains(free: TwistSpaces, local: MateEquations, group: Ints) -> dict[int, ChainFit]:
    """The chains of all pairs with at most one degree of freedom, computed and checked together.

    With v at the pair's centre: pitch h = ω·v/|ω|², axis through ω × v/|ω|².
    """
    dimensions = [twist_space.dimension for twist_space in free.spaces]
    fits = {k: ChainFit((), is_exact=True) for k, dimension in enumerate(dimensions) if dimension == 0}
    singles = [k for k, dimension in enumerate(dimensions) if dimension == 1]
    if not singles:
        return fits
    w, v = free.freest[:, :3].copy(), free.freest[:, 3:].copy()
    speed = lengths_of(w)
    translates = speed < PURE_TRANSLATION
    scale = np.where(translates, lengths_of(v), speed)[:, None]
    w = np.where(translates[:, None], 0.0, w / scale)
    at_centre = v / scale + cross(w, free.centres)
    pitch = dot(w, at_centre)
    pitch[np.abs(pitch) < LENGTH_TOLERANCE] = 0.0
    point = free.centres + cross(w, at_centre)
    shift = np.where(translates[:, None], at_centre * free.lengths[:, None], pitch[:, None] * w)
    off = np.abs(_residuals_along(local, group, w, point, shift)).max(axis=0) / tolerances(local)
    worst = np.zeros(len(dimensions))
    np.maximum.at(worst, group, off)
    slides, pitches, exact = translates.tolist(), pitch.tolist(), (worst <= SLACK).tolist()
    for k in singles:
        fits[k] = ChainFit((_single(slides[k], at_centre[k], w[k], point[k], pitches[k]),), exact[k])
    return fits


def _residuals_along(local: MateEquations, group: Ints, axis: Array, point: Array, shift: Array) -> Array:
    """The residuals after the higher body of each pair has rotated about its axis, and moved by the shift per radian.

    Where that is the first body of an equation, the second one moves the other way instead.  # (samples, m)
    """
    if local.has_mirrors:
        twists = np.zeros((2 * len(axis), 6))
        twists[1::2] = np.concatenate([axis, cross(point, axis) + shift], axis=1)
        return residuals(local, exponential(twists * SAMPLES[:, :1, None]))
    axis, point, shift = axis.take(group, 0), point.take(group, 0), shift.take(group, 0)
    angle = (SAMPLES[:, :1] * np.where(local.second % 2, 1.0, -1.0))[:, None, :, None]
    arms = np.array([local.b, local.x - point])
    turned = cross(axis, arms)
    arms = arms + np.sin(angle) * turned + (1 - np.cos(angle)) * cross(axis, turned)  # (samples, 2, m, 3)
    gap = arms[:, 1] + angle[:, 0] * shift + (point - local.p)
    return (measured(local.form, local.curved, local.a, arms[:, 0], gap) - local.c) / local.steepness


def _single(translates: bool, direction: Array, axis: Array, point: Array, pitch: float) -> SimpleJoint:
    if translates:
        return prismatic(direction)
    return screw(axis, point, pitch) if pitch else revolute(axis, point)
