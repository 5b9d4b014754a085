"""Search for the chain of simple joints that moves as a twist space allows.

A twist space has r independent rotations and t pure translations. Spaces that do not change as they move (one
dimension, cylindrical, ball, planar, floating, …) give their chain directly. The others depend on which body has which
entity (a pin may translate in a slot of either body), so candidates are built from the entities of the mates, and the
first one that *moves finitely* without violating the mates is taken.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import combinations, permutations

import numpy as np

from swgrm.inference.geometry.equations import (
    ANGLE_TOLERANCE,
    LENGTH_TOLERANCE,
    EquationForm,
    MateEquations,
    residuals,
    role_rows,
    tolerances,
)
from swgrm.inference.geometry.twists import Array, cross, cross_matrix, rotation_twist, unit
from swgrm.inference.mechanism.joint_chain import (
    JointChain,
    SimpleJoint,
    ball,
    inverted,
    is_rotational,
    motion,
    prismatic,
    revolute,
    screw,
    twists_of,
)
from swgrm.inference.mechanism.twist_space import TwistSpace

PURE_TRANSLATION = 1e-4  # [rad per L] a twist that rotates less than this is a translation
SLACK = 10.0  # a chain may violate the mates by this many tolerances at finite displacements


@dataclass(frozen=True, slots=True)
class TwistStructure:
    """The rotations and translations of a twist space."""

    rotations: Array  # (r, 6) twists with orthonormal ω, translations taken out; v at the centre
    translations: Array  # (t, 3) orthonormal directions of pure translation
    centre: Array  # (3,)
    length: float


@dataclass(frozen=True, slots=True)
class ChainFit:
    """A chain, and whether finite motion along it keeps the mates."""

    chain: JointChain
    is_exact: bool


def find_chain(twist_space: TwistSpace, equations: MateEquations, reference: Array) -> ChainFit:
    """The chain of a pair's twist space.

    `equations` are the pair's own, between bodies 0 and 1; `reference` is the orientation of the first body, which
    decides between directions that the twist space leaves open.  # (3, 3)
    """
    structure = decompose(twist_space, reference)
    fallback: JointChain = ()
    for chain in candidates(structure, equations, reference):
        if not spans(chain, twist_space):
            continue
        fallback = fallback or chain
        if moves_finitely(chain, equations, twist_space.length):
            return ChainFit(chain, is_exact=True)
    return ChainFit(fallback or _nearest_chain(structure), is_exact=False)


def decompose(twist_space: TwistSpace, reference: Array) -> TwistStructure:
    """Rotations and pure translations of a space of twists."""
    L, c = twist_space.length, twist_space.centre
    basis = twist_space.basis.T.copy()  # (d, 6)
    basis[:, 3:] += cross(basis[:, :3], c)  # v at the centre
    U, values, Vt = (
        np.linalg.svd(basis[:, :3], full_matrices=True) if len(basis) else (np.eye(0), np.zeros(0), np.eye(3))
    )
    r = int((values > PURE_TRANSLATION).sum())
    turning = U[:, :r].T @ basis / values[:r, None]  # ω rows are Vt[:r]
    translations = _aligned_basis((U[:, r:].T @ basis)[:, 3:] / L, reference)
    turning[:, 3:] -= (turning[:, 3:] @ translations.T) @ translations
    axes = _aligned_basis(Vt[:r], reference)
    return TwistStructure((axes @ Vt[:r].T) @ turning, translations, c, L)


def _aligned_basis(vectors: Array, reference: Array) -> Array:
    """An orthonormal basis of the span that follows the reference axes as far as it can.  # (k, 3) → (k, 3)."""
    span = np.linalg.qr(vectors.T)[0].T  # (k, 3)
    chosen: list[Array] = []
    for _ in range(len(span)):
        left = span.T @ span - sum((np.outer(v, v) for v in chosen), np.zeros((3, 3)))
        seen = left @ reference  # the reference axes as far as the rest of the span holds them
        lengths = np.linalg.norm(seen, axis=0)
        chosen.append(unit(seen[:, int(np.argmax(lengths > lengths.max() - 1e-6))]))  # the first of the longest
    return np.array(chosen).reshape(-1, 3)


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
    for index in np.flatnonzero(equations.form == EquationForm.SKEW):
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


@dataclass(frozen=True, slots=True)
class _Side:
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
    kept: list[Array] = []
    for vector in vectors:
        if not signed and not vector.any():
            continue
        near = (min(np.linalg.norm(vector - k), np.inf if signed else np.linalg.norm(vector + k)) for k in kept)
        if all(gap > 1e-7 for gap in near):
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


def spans(chain: JointChain, twist_space: TwistSpace) -> bool:
    """Whether the chain's twists span the twist space at the assembled pose: as many, and independent."""
    twists = twists_of(chain)
    if len(twists) != twist_space.dimension:
        return False
    scaled = twists.copy()
    scaled[:, 3:] = (scaled[:, 3:] + cross(twists[:, :3], twist_space.centre)) / twist_space.length
    return len(scaled) == 0 or bool(np.linalg.svd(unit(scaled), compute_uv=False)[-1] > 1e-5)


# Displacements that share no symmetry: fractions of a radian, or of the pair's length.
SAMPLES = np.array([[0.31, -0.57, 0.43, 0.61, -0.37, 0.53], [-0.71, 0.23, -0.29, -0.47, 0.59, -0.67]])


def moves_finitely(chain: JointChain, equations: MateEquations, length: float) -> bool:
    """Whether finite motion along the chain keeps the equations (between bodies 0 and 1)."""
    scale = np.where(is_rotational(chain), 1.0, length) if chain else np.zeros(0)
    # Crossing lines that become parallel on the way change the side of their normal: they are moved less.
    reach = 0.1 if (equations.form == EquationForm.SKEW).any() else 1.0
    for sample in SAMPLES * reach:
        motions = np.stack([np.eye(4), motion(chain, sample[: len(scale)] * scale)])
        if (np.abs(residuals(equations, motions)) > SLACK * tolerances(equations)).any():
            return False
    return True


def _nearest_chain(structure: TwistStructure) -> JointChain:
    """Joints with the right twists at the assembled pose, for when no chain moves exactly as the mates allow."""
    revolutes = tuple(revolute(row[:3], structure.centre + cross(row[:3], row[3:])) for row in structure.rotations)
    return (*(prismatic(axis) for axis in structure.translations), *revolutes)
