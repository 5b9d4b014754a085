"""Random closed chains of four to six bodies, planar and spatial, with the mobility that theory gives them."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from scipy.spatial.transform import Rotation

from swgrm.capture import MateEntity
from swgrm.inference.geometry.twists import Array
from swgrm_mocks.builder import Assembly, AssemblyComponent
from swgrm_mocks.mates import LocalEntity, plane, point, shaft

Chance = np.random.Generator


class ClosedChain(NamedTuple):
    """An assembly, what it is called, its mobility by theory, and how many of its pairs move."""

    name: str
    assembly: Assembly
    mobility: int
    pairs: int


class _Pair(NamedTuple):
    """A pair of a closed chain, in the assembly's space: R, P, C or S, a point and an axis."""

    letter: str
    at: Array
    axis: Array


def random_chain(seed: int) -> ClosedChain:
    """The closed chain of a seed."""
    chance = np.random.default_rng(seed)
    kind = sorted(KINDS)[seed % len(KINDS)]
    name, pairs, mobility = KINDS[kind](chance)
    T = np.eye(4)
    T[:3, :3], T[:3, 3] = Rotation.random(random_state=chance).as_matrix(), chance.normal(size=3) * 0.3
    pairs = [_Pair(p.letter, T[:3, :3] @ p.at + T[:3, 3], T[:3, :3] @ _unit(p.axis)) for p in pairs]
    return ClosedChain(f"{kind} {name}", _assembled(pairs, chance), mobility, len(pairs) if mobility else 0)


def _assembled(pairs: list[_Pair], chance: Chance) -> Assembly:
    assembly = Assembly("chain")
    parts = []
    for k in range(len(pairs)):
        T = np.eye(4)
        T[:3, :3], T[:3, 3] = Rotation.random(random_state=chance).as_matrix(), chance.normal(size=3) * 0.2
        parts.append(assembly.part(f"bar{k}", T))
    parts[0].fixed()
    for k, pair in enumerate(pairs):
        _mate(assembly, parts[k], parts[(k + 1) % len(parts)], pair, chance)
    return assembly


def _mate(assembly: Assembly, one: AssemblyComponent, other: AssemblyComponent, pair: _Pair, chance: Chance) -> None:
    """The mates of a pair; entities on one axis may be anywhere along it."""

    def both(make: Callable[[Array, Array], LocalEntity], direction: Array, *, slack: float = 0.0) -> list[MateEntity]:
        found = []
        for part in (one, other):
            T = np.linalg.inv(part.T_assembly_self)
            at = pair.at + slack * chance.uniform(-1, 1) * direction
            found.append(part.at(make(T[:3, :3] @ at + T[:3, 3], T[:3, :3] @ direction)))
        return found

    across = _unit(np.cross(pair.axis, chance.normal(size=3)))
    if pair.letter in "RC":
        assembly.concentric(*both(lambda p, d: shaft(p, d, 0.01), pair.axis, slack=0.05))
    if pair.letter == "R":
        assembly.coincident(*both(plane, pair.axis))
    elif pair.letter == "P":
        assembly.coincident(*both(plane, across))
        assembly.coincident(*both(plane, np.cross(pair.axis, across)))
    elif pair.letter == "S":
        assembly.coincident(*both(lambda p, _: point(p), pair.axis))


Made = tuple[str, list[_Pair], int]
X, Z = np.eye(3)[0], np.eye(3)[2]


def _unit(v: Array) -> Array:
    found: Array = v / np.linalg.norm(v)
    return found


def _polygon(count: int, chance: Chance) -> Array:
    """Corners of a polygon in the plane z = 0, none near its neighbours, no three of them in line."""
    angles = 2 * np.pi * (np.arange(count) + chance.uniform(-0.3, 0.3, count)) / count
    radii = chance.uniform(0.1, 0.3, count)
    return np.column_stack([radii * np.cos(angles), radii * np.sin(angles), np.zeros(count)])


def _planar(chance: Chance) -> Made:
    """Revolute pairs with parallel axes, up to two prismatic ones in the plane, up to one cylindrical: n − 3."""
    count = int(chance.integers(4, 7))
    letters = ["R"] * count
    for k in chance.choice(count, int(chance.integers(0, 3)), replace=False):
        letters[k] = "P"
    if chance.random() < 0.4:
        letters[letters.index("R")] = "C"
    pairs = []
    for letter, corner in zip(letters, _polygon(count, chance), strict=True):
        axis = Rotation.from_rotvec(chance.uniform(0, 2 * np.pi) * Z).apply(X) if letter == "P" else Z
        height = chance.uniform(-0.05, 0.05) * Z
        pairs.append(_Pair(letter, corner + height, axis))
    return "".join(letters), pairs, count - 3


def _spherical(chance: Chance) -> Made:
    """Revolute pairs with axes through one point: n − 3."""
    count = int(chance.integers(4, 7))
    axes = _polygon(count, chance) + 0.3 * Z
    return "R" * count, [_Pair("R", axis * chance.uniform(0.5, 1.5), axis) for axis in axes], count - 3


def _bennett(chance: Chance) -> Made:
    """Opposite sides alike, a/sin α = b/sin β, tan(θ₁/2) tan(θ₂/2) = sin((β + α)/2) / sin((β − α)/2)."""
    a, alpha, theta = chance.uniform(0.1, 0.3), chance.uniform(0.4, 0.7), chance.uniform(0.5, 1.5)
    beta = alpha + chance.uniform(0.3, 0.7)
    b = a * np.sin(beta) / np.sin(alpha)
    other = 2 * np.arctan(np.sin((beta + alpha) / 2) / np.sin((beta - alpha) / 2) / np.tan(theta / 2))
    T, pairs = np.eye(4), []
    for angle, side, twist in ((theta, a, alpha), (other, b, beta), (-theta, a, alpha), (-other, b, beta)):
        pairs.append(_Pair("R", T[:3, 3].copy(), T[:3, 2].copy()))
        c, s, ca, sa = np.cos(angle), np.sin(angle), np.cos(twist), np.sin(twist)
        T = T @ np.array([[c, -s * ca, s * sa, side * c], [s, c * ca, -c * sa, side * s], [0, sa, ca, 0], [0, 0, 0, 1]])
    return "RRRR", pairs, 1


def _sarrus(chance: Chance) -> Made:
    """Two sets of three parallel revolute pairs: 1."""
    bend = chance.uniform(0.5, 2.5)
    pairs = []
    for turn, sides in ((0.0, (0, 1, 2)), (bend, (2, 1, 0))):
        out, along = np.array([np.cos(turn), np.sin(turn), 0]), np.array([-np.sin(turn), np.cos(turn), 0])
        knee = chance.uniform(0.2, 0.4)
        places = {0: 0.1 * out, 1: knee * out + 0.1 * Z, 2: 0.1 * out + chance.uniform(0.18, 0.25) * Z}
        pairs += [_Pair("R", places[side], along) for side in sides]
    return "RRRRRR", pairs, 1


def _with_axes(letters: str, mobility: int) -> Callable[[Chance], Made]:
    """A chain in space with axes and points that have nothing in common."""

    def make(chance: Chance) -> Made:
        corners = _polygon(len(letters), chance) + chance.uniform(-0.1, 0.1, (len(letters), 1)) * Z
        axes = [_unit(chance.normal(size=3)) for _ in letters]
        return letters, [_Pair(*each) for each in zip(letters, corners, axes, strict=True)], mobility

    return make


def _translating(chance: Chance) -> Made:
    """Prismatic pairs in all directions: n − 3."""
    count = int(chance.integers(4, 7))
    pairs = [_Pair("P", corner, _unit(chance.normal(size=3))) for corner in _polygon(count, chance)]
    return "P" * count, pairs, count - 3


KINDS: dict[str, Callable[[Chance], Made]] = {
    "planar": _planar,
    "planar, again": _planar,
    "planar, once more": _planar,
    "spherical": _spherical,
    "translating": _translating,
    "Bennett": _bennett,
    "Sarrus": _sarrus,
    "RSSR": _with_axes("RSSR", 2),
    "RSSP": _with_axes("RSSP", 2),
    "RCCC": _with_axes("RCCC", 1),
    "RSCR": _with_axes("RSCR", 1),
    "RSRRR": _with_axes("RSRRR", 1),
    "RCRCR": _with_axes("RCRCR", 1),
    "RRCRP": _with_axes("RRCRP", 0),
    "rigid, 5R": _with_axes("RRRRR", 0),
    "rigid, 6R": _with_axes("RRRRRR", 0),
}
