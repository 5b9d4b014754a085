"""Search for the chain of simple joints that moves as a twist space allows.

A twist space has r independent rotations and t pure translations. Spaces that do not change as they move (one
dimension, cylindrical, ball, planar, floating, …) give their chain directly. The others depend on which body has which
entity (a pin may translate in a slot of either body), so candidates are built from the entities of the mates, and the
first one that *moves finitely* without violating the mates is taken.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations, permutations
from typing import NamedTuple

import numpy as np
from msgspec import Struct

from swgrm.inference.geometry.equations import (
    ANGLE_TOLERANCE,
    LENGTH_TOLERANCE,
    MateEquations,
    residuals,
    role_rows,
    tolerances,
)
from swgrm.inference.geometry.twists import Array, cross, cross_matrix, exponential, rotation_twist, unit
from swgrm.inference.mechanism.joint_chain import (
    JointChain,
    SimpleJoint,
    ball,
    inverted,
    prismatic,
    revolute,
    screw,
    twists_of,
)
from swgrm.inference.mechanism.twist_space import TwistSpace
from swgrm.inference.mechanism.twist_structure import TwistStructure, alike, decompose

SLACK = 10.0  # a chain may violate the mates by this many tolerances at finite displacements


class ChainFit(Struct, frozen=True):
    """A chain, and whether finite motion along it keeps the mates."""

    chain: JointChain
    is_exact: bool


class ChainSearch(NamedTuple):
    """What the chain of a pair is searched by."""

    twist_space: TwistSpace
    equations: MateEquations  # the pair's own, between bodies 0 and 1
    reference: Array  # (3, 3) the orientation of the first body: decides between directions that are left open


def find_chains(searches: Sequence[ChainSearch]) -> list[ChainFit]:
    """The chains of twist spaces; the next candidates of all that are open are tried together."""
    structures = decompose([each.twist_space for each in searches], [each.reference for each in searches])
    options = [
        candidates(structure, each.equations, each.reference)
        for structure, each in zip(structures, searches, strict=True)
    ]
    fits: dict[int, ChainFit] = {}
    fallback: dict[int, JointChain] = {}
    while len(fits) < len(searches):
        following: list[tuple[int, JointChain, Array]] = []
        for place, option in enumerate(options):
            if place in fits:
                continue
            if (chain := next(option, None)) is None:
                chain = fallback.get(place) or _nearest_chain(structures[place])
                fits[place] = ChainFit(chain, is_exact=False)
            else:
                following.append((place, chain, twists_of(chain)))
        spanning = _spans([searches[place].twist_space for place, _, _ in following], [each[2] for each in following])
        tried = [each for each, spans in zip(following, spanning, strict=True) if spans]
        for place, chain, _ in tried:
            fallback.setdefault(place, chain)
        moves = _move_finitely([searches[place] for place, _, _ in tried], [twists for _, _, twists in tried])
        for (place, chain, _), is_exact in zip(tried, moves, strict=True):
            if is_exact:
                fits[place] = ChainFit(chain, is_exact=True)
    return [fits[place] for place in range(len(searches))]


def find_chain(twist_space: TwistSpace, equations: MateEquations, reference: Array) -> ChainFit:
    """The chain of one twist space."""
    return find_chains([ChainSearch(twist_space, equations, reference)])[0]


def _single(structure: TwistStructure) -> SimpleJoint:
    """One rotation without translations: h = ω·v/|ω|², axis through c + ω × v/|ω|²."""
    w, v = structure.rotations[0, :3], structure.rotations[0, 3:]
    point = structure.centre + cross(w, v)
    pitch = float(w @ v)
    return revolute(w, point) if abs(pitch) < LENGTH_TOLERANCE else screw(w, point, pitch)


def candidates(structure: TwistStructure, equations: MateEquations, reference: Array) -> Iterator[JointChain]:
    """Chains that may move as the twist space does, the simplest first."""
    yield from _direct(structure)
    if len(structure.rotations) == 0 or (len(structure.rotations) == 1 and len(structure.translations) == 0):
        return
    yield from _crossing(equations)
    low, high = _sides(equations, reference)
    yield from _compound(structure, low, high)
    for chain in _compound(structure, high, low):
        yield inverted(chain)


def _direct(structure: TwistStructure) -> Iterator[JointChain]:
    r, t = len(structure.rotations), len(structure.translations)
    translations = tuple(prismatic(axis) for axis in structure.translations)
    if r == 0:
        yield translations
    elif r == 1 and t == 0:
        yield (_single(structure),)
    elif r == 1:
        yield (*translations, _single(structure))
    elif r == 3 and t in (0, 3):
        yield (*translations, ball(_common_point(structure)))


def _crossing(equations: MateEquations) -> Iterator[JointChain]:
    """Chains for two crossing lines: joints on the one, a rotation about their normal, joints on the other."""
    for index in np.flatnonzero(equations.is_skew):
        one = equations[np.array([index])]
        force = role_rows(one).second[0]
        normal = force[3:]
        foot = cross(normal, force[:3])  # the point of the normal's line nearest the origin
        a, b, p, x = one.a[0], one.b[0], one.p[0], one.x[0]
        chain = (revolute(a, p), prismatic(a), revolute(normal, foot), prismatic(b), revolute(b, x))
        yield chain if one.first[0] == 0 else inverted(chain)


def _common_point(structure: TwistStructure) -> Array:
    """The point that the rotations leave in place, in the least-squares sense: v + ω × (x − c) = 0."""
    A = cross_matrix(structure.rotations[:, :3]).reshape(-1, 3)
    b = -structure.rotations[:, 3:].reshape(-1)
    return structure.centre + np.linalg.lstsq(A, b, rcond=None)[0]


class _Side(Struct, frozen=True):
    """The points and directions of a body's entities in the mates of a pair."""

    points: Array  # (k, 3)
    directions: Array  # (k, 3)


def _sides(equations: MateEquations, reference: Array) -> tuple[_Side, _Side]:
    def side(body: int) -> _Side:
        first, second = equations.first == body, equations.second == body
        points = np.concatenate([equations.p[first], equations.x[second]])
        directions = np.concatenate([equations.a[first], equations.b[second], reference.T])
        return _Side(_distinct(points), _distinct(directions, signed=False))

    return side(0), side(1)


def _distinct(vectors: Array, *, signed: bool = True) -> Array:
    """The vectors that differ; if the sign does not matter, from each other's opposites too, and none that is zero."""
    kept: list[list[float]] = []
    for vector in vectors.tolist():
        if not signed and not any(vector):
            continue
        ways = [vector] if signed else [vector, [-x for x in vector]]
        if all(math.dist(way, other) > 1e-7 for other in kept for way in ways):
            kept.append(vector)
    return np.array(kept).reshape(-1, 3)


def _compound(structure: TwistStructure, near: _Side, far: _Side) -> Iterator[JointChain]:
    """Chains [revolute about entities of the near body] [prismatic] [revolute about entities of the far body]."""
    r, t = len(structure.rotations), len(structure.translations)
    inside = _within(structure)
    for orbits in range(min(t, 2) + 1):
        for orbit in _orbits(inside, near, orbits):
            for translations in _prismatics(structure, near, orbit, t - orbits):
                for revolutes in _revolutes(structure, inside, near, far, r):
                    yield (*orbit, *translations, *revolutes)


def _orbits(inside: Callable[[Array], bool], near: _Side, count: int) -> Iterator[JointChain]:
    revolutes = [
        revolute(axis, point)
        for point in (near.points if count else ())
        for axis in near.directions
        if inside(rotation_twist(axis, point))
    ]
    yield from combinations(revolutes, count)


def _prismatics(structure: TwistStructure, near: _Side, orbit: JointChain, count: int) -> Iterator[JointChain]:
    if count == len(structure.translations):
        yield tuple(prismatic(axis) for axis in structure.translations)
        return
    options = [
        d for d in near.directions if np.linalg.norm(d - structure.translations.T @ (structure.translations @ d)) < 1e-6
    ]
    options += [simple.axis for simple in orbit]
    for chosen in combinations(_distinct(np.array(options).reshape(-1, 3), signed=False), count):
        yield tuple(prismatic(axis) for axis in chosen)


def _revolutes(
    structure: TwistStructure, inside: Callable[[Array], bool], near: _Side, far: _Side, count: int
) -> Iterator[JointChain]:
    points = [*far.points, structure.centre]
    if count == 3:
        points = [_common_point(structure), *points]
        yield from ((ball(point),) for point in points if all(inside(twist) for twist in ball(point).twists))
    elif count == 1:
        axis = structure.rotations[0, :3]
        yield from ((revolute(axis, point),) for point in points if inside(rotation_twist(axis, point)))
    elif count == 2:
        options = np.concatenate([near.directions, far.directions, structure.rotations[:, :3]])
        revolutes = [
            [revolute(axis, point) for point in [*near.points, *points] if inside(rotation_twist(axis, point))][:2]
            for axis in _distinct(options, signed=False)
        ]
        for one, other in permutations([choice for choice in revolutes if choice], 2):
            yield from ((first, second) for first in one for second in other)


def _within(structure: TwistStructure) -> Callable[[Array], bool]:
    """Whether a twist belongs to the space."""

    def check(twist: Array) -> bool:
        w = twist[:3]
        v = twist[3:] + cross(w, structure.centre)
        weights = structure.rotations[:, :3] @ w
        rest = v - weights @ structure.rotations[:, 3:]
        rest -= structure.translations.T @ (structure.translations @ rest)
        lost = np.linalg.norm(w - weights @ structure.rotations[:, :3])
        return bool(lost < SLACK * ANGLE_TOLERANCE and np.linalg.norm(rest) < SLACK * LENGTH_TOLERANCE)

    return check


def _spans(spaces: Sequence[TwistSpace], twists: Sequence[Array]) -> list[bool]:
    """Whether each chain's twists span its twist space at the assembled pose: as many, and independent."""
    found = [len(own) == space.dimension for own, space in zip(twists, spaces, strict=True)]
    for places in alike(len(own) for own in twists):
        scaled = np.array([twists[place] for place in places])  # (n, d, 6)
        centres = np.array([spaces[place].centre for place in places])[:, None]
        lengths = np.array([spaces[place].length for place in places])[:, None, None]
        scaled[..., 3:] = (scaled[..., 3:] + cross(scaled[..., :3], centres)) / lengths
        if scaled.shape[1]:
            least = np.linalg.svd(unit(scaled), compute_uv=False)[:, -1]
            for place, independent in zip(places, (least > 1e-5).tolist(), strict=True):
                found[place] = found[place] and independent
    return found


# Displacements that share no symmetry: fractions of a radian, or of the pair's length.
SAMPLES = np.array([[0.31, -0.57, 0.43, 0.61, -0.37, 0.53], [-0.71, 0.23, -0.29, -0.47, 0.59, -0.67]])


def _move_finitely(searches: Sequence[ChainSearch], twists: Sequence[Array]) -> list[bool]:
    """Whether finite motion along each chain, exp(ξ₁q₁) exp(ξ₂q₂) …, keeps the equations of its pair."""
    if not searches:
        return []
    count, longest = len(searches), max(map(len, twists))
    own = np.zeros((count, longest, 6))
    for k, each in enumerate(twists):
        own[k, : len(each)] = each
    equations = MateEquations.stack([each.equations for each in searches])
    group = np.repeat(np.arange(count), [len(each.equations) for each in searches])
    # Crossing lines that become parallel on the way change the side of their normal: they are moved less.
    reach = np.ones((count, 1))
    reach[group[equations.is_skew]] = 0.1
    lengths = np.array([each.twist_space.length for each in searches])[:, None]
    scale = np.where(own[..., :3].any(axis=-1), 1.0, lengths)
    q = SAMPLES[:, None, :longest] * reach * scale  # (samples, chains, d)
    steps = exponential(own * q[..., None])
    motions = np.empty((len(SAMPLES), 2 * count, 4, 4))  # of the bodies 2k and 2k + 1 of chain k
    motions[:] = np.eye(4)
    for k in range(longest):
        motions[:, 1::2] = motions[:, 1::2] @ steps[:, :, k]
    off = np.abs(residuals(equations.between(2 * group), motions)) > SLACK * tolerances(equations)
    broken = set(group[off.any(axis=0)].tolist())
    return [k not in broken for k in range(count)]


def _nearest_chain(structure: TwistStructure) -> JointChain:
    """Joints with the right twists at the assembled pose, for when no chain moves exactly as the mates allow."""
    revolutes = tuple(revolute(row[:3], structure.centre + cross(row[:3], row[3:])) for row in structure.rotations)
    return (*(prismatic(axis) for axis in structure.translations), *revolutes)
