"""Random closed chains of four to six bodies, planar and spatial, with couplings and the mobility by theory."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from scipy.spatial.transform import Rotation

from swgrm.capture import MateEntity
from swgrm.inference.geometry.twists import Array
from swgrm_mocks.builder import Assembly, AssemblyComponent
from swgrm_mocks.mates import LocalEntity, line, plane, point, shaft

Chance = np.random.Generator


class ClosedChain(NamedTuple):
    """An assembly, what it is called, its mobility by theory, how many of its pairs move, and which are coupled."""

    name: str
    assembly: Assembly
    mobility: int
    pairs: int
    coupled: tuple[tuple[str, str], ...] = ()  # two pairs of components


class _Pair(NamedTuple):
    """A pair of a closed chain, in the assembly's space: R, P, C or S, a point and an axis."""

    letter: str
    at: Array
    axis: Array


def random_chain(seed: int) -> ClosedChain:
    """The closed chain of a seed."""
    chance = np.random.default_rng(seed)
    kind = sorted(KINDS)[seed % len(KINDS)]
    name, pairs, mobility, coupling = KINDS[kind](chance)
    T = np.eye(4)
    T[:3, :3], T[:3, 3] = Rotation.random(random_state=chance).as_matrix(), chance.normal(size=3) * 0.3
    pairs = [_Pair(p.letter, T[:3, :3] @ p.at + T[:3, 3], T[:3, :3] @ _unit(p.axis)) for p in pairs]
    assembly, parts = _assembled(pairs, chance)
    count = len(pairs) if mobility else 0
    if not coupling:
        return ClosedChain(f"{kind} {name}", assembly, mobility, count)
    coupled = coupling(_Coupled(assembly, parts, pairs, chance))
    count += any("added-1" in pair for pair in coupled)
    return ClosedChain(f"{kind} {name}", assembly, mobility, count, coupled)


def _assembled(pairs: list[_Pair], chance: Chance) -> tuple[Assembly, list[AssemblyComponent]]:
    assembly = Assembly("chain")
    parts = []
    for k in range(len(pairs)):
        T = np.eye(4)
        T[:3, :3], T[:3, 3] = Rotation.random(random_state=chance).as_matrix(), chance.normal(size=3) * 0.2
        parts.append(assembly.part(f"bar{k}", T))
    parts[0].fixed()
    for k, pair in enumerate(pairs):
        _mate(assembly, parts[k], parts[(k + 1) % len(parts)], pair, chance)
    return assembly, parts


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


Pairs = tuple[tuple[str, str], ...]


class _Coupled(NamedTuple):
    """A closed chain that gets a coupling."""

    assembly: Assembly
    parts: list[AssemblyComponent]
    pairs: list[_Pair]
    chance: Chance

    def bodies(self, k: int) -> tuple[AssemblyComponent, AssemblyComponent]:
        """The two bodies of a pair."""
        return self.parts[k], self.parts[(k + 1) % len(self.parts)]

    def any_of(self, letter: str) -> int:
        """A pair of that letter."""
        return int(self.chance.choice([k for k, pair in enumerate(self.pairs) if pair.letter == letter]))

    def added(self, carrier: AssemblyComponent, pair: _Pair) -> AssemblyComponent:
        """A new body on a body of the chain."""
        T = np.eye(4)
        T[:3, :3] = Rotation.random(random_state=self.chance).as_matrix()
        body = self.assembly.part("added", T)
        _mate(self.assembly, carrier, body, pair, self.chance)
        return body

    def ratio(self) -> tuple[float, float]:
        return float(self.chance.integers(1, 9)), float(self.chance.integers(10, 19))


def _at(part: AssemblyComponent, make: Callable[[Array, Array], LocalEntity], point: Array, axis: Array) -> MateEntity:
    """An entity of a part, given in the assembly's space."""
    T = np.linalg.inv(part.T_assembly_self)
    return part.at(make(T[:3, :3] @ point + T[:3, 3], T[:3, :3] @ axis))


def _wheel(chain: _Coupled) -> Pairs:
    """A wheel on one body of a revolute pair, geared to the other body: as mobile as before."""
    k = chain.any_of("R")
    pair, (carrier, turning) = chain.pairs[k], chain.bodies(k)
    beside = pair.at + 0.1 * _unit(np.cross(pair.axis, chain.chance.normal(size=3)))
    wheel = chain.added(carrier, _Pair("R", beside, pair.axis))
    chain.assembly.gear(
        _at(turning, line, pair.at, pair.axis), _at(wheel, line, beside, pair.axis), ratio=chain.ratio()
    )
    return (carrier.name, turning.name), (carrier.name, wheel.name)


def _pinion(chain: _Coupled) -> Pairs:
    """A pinion on one body of a prismatic pair, whose other body is its rack: as mobile as before."""
    k = chain.any_of("P")
    pair, (carrier, rack) = chain.pairs[k], chain.bodies(k)
    axis = _unit(np.cross(pair.axis, chain.chance.normal(size=3)))
    pinion = chain.added(carrier, _Pair("R", pair.at, axis))
    ends = _at(rack, line, pair.at + 0.02 * np.cross(axis, pair.axis), pair.axis), _at(pinion, line, pair.at, axis)
    chain.assembly.rack_pinion(*ends, diameter=0.04)
    return (carrier.name, rack.name), (carrier.name, pinion.name)


def _nut(chain: _Coupled) -> Pairs:
    """A nut that turns in one body of a prismatic pair, on a screw that is its other body: as mobile as before."""
    k = chain.any_of("P")
    pair, (carrier, screw) = chain.pairs[k], chain.bodies(k)
    nut = chain.added(carrier, _Pair("R", pair.at, pair.axis))
    ends = (_at(part, lambda p, d: shaft(p, d, 0.01), pair.at, pair.axis) for part in (nut, screw))
    chain.assembly.screw(*ends, lead=float(chain.chance.uniform(0.002, 0.02)))
    return (carrier.name, screw.name), (carrier.name, nut.name)


def _slide(chain: _Coupled) -> Pairs:
    """A slide on one body of a prismatic pair, coupled to the other body: as mobile as before."""
    k = chain.any_of("P")
    pair, (carrier, moving) = chain.pairs[k], chain.bodies(k)
    axis = _unit(chain.chance.normal(size=3))
    slide = chain.added(carrier, _Pair("P", pair.at, axis))
    ends = _at(moving, line, pair.at, pair.axis), _at(slide, line, pair.at, axis)
    chain.assembly.linear_coupler(*ends, ratio=chain.ratio(), references=(carrier.name, carrier.name))
    return (carrier.name, moving.name), (carrier.name, slide.name)


def _geared_cranks(chain: _Coupled) -> Pairs:
    """The two bodies on the base geared to each other: one degree of freedom less, and no body more."""
    last = len(chain.pairs) - 1
    first, second = chain.pairs[0], chain.pairs[last]
    ends = _at(chain.parts[1], line, first.at, first.axis), _at(chain.parts[last], line, second.at, second.axis)
    chain.assembly.gear(*ends, ratio=chain.ratio())
    return (chain.parts[0].name, chain.parts[1].name), (chain.parts[0].name, chain.parts[last].name)


class _Made(NamedTuple):
    """The letters of a chain, its pairs, its mobility, and what couples it."""

    letters: str
    pairs: list[_Pair]
    mobility: int
    coupling: Callable[[_Coupled], Pairs] | None = None  # adds a coupling; returns what it couples


X, Z = np.eye(3)[0], np.eye(3)[2]


def _unit(v: Array) -> Array:
    found: Array = v / np.linalg.norm(v)
    return found


def _polygon(count: int, chance: Chance) -> Array:
    """Corners of a polygon in the plane z = 0, none near its neighbours, no three of them in line."""
    angles = 2 * np.pi * (np.arange(count) + chance.uniform(-0.3, 0.3, count)) / count
    radii = chance.uniform(0.1, 0.3, count)
    return np.column_stack([radii * np.cos(angles), radii * np.sin(angles), np.zeros(count)])


def _planar(chance: Chance) -> _Made:
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
    return _Made("".join(letters), pairs, count - 3)


def _spherical(chance: Chance) -> _Made:
    """Revolute pairs with axes through one point: n − 3."""
    count = int(chance.integers(4, 7))
    axes = _polygon(count, chance) + 0.3 * Z
    return _Made("R" * count, [_Pair("R", axis * chance.uniform(0.5, 1.5), axis) for axis in axes], count - 3)


def _bennett(chance: Chance) -> _Made:
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
    return _Made("RRRR", pairs, 1)


def _sarrus(chance: Chance) -> _Made:
    """Two sets of three parallel revolute pairs: 1."""
    bend = chance.uniform(0.5, 2.5)
    pairs = []
    for turn, sides in ((0.0, (0, 1, 2)), (bend, (2, 1, 0))):
        out, along = np.array([np.cos(turn), np.sin(turn), 0]), np.array([-np.sin(turn), np.cos(turn), 0])
        knee = chance.uniform(0.2, 0.4)
        places = {0: 0.1 * out, 1: knee * out + 0.1 * Z, 2: 0.1 * out + chance.uniform(0.18, 0.25) * Z}
        pairs += [_Pair("R", places[side], along) for side in sides]
    return _Made("RRRRRR", pairs, 1)


def _with_axes(letters: str, mobility: int) -> Callable[[Chance], _Made]:
    """A chain in space with axes and points that have nothing in common."""

    def make(chance: Chance) -> _Made:
        corners = _polygon(len(letters), chance) + chance.uniform(-0.1, 0.1, (len(letters), 1)) * Z
        axes = [_unit(chance.normal(size=3)) for _ in letters]
        return _Made(letters, [_Pair(*each) for each in zip(letters, corners, axes, strict=True)], mobility)

    return make


def _translating(chance: Chance) -> _Made:
    """Prismatic pairs in all directions: n − 3."""
    count = int(chance.integers(4, 7))
    pairs = [_Pair("P", corner, _unit(chance.normal(size=3))) for corner in _polygon(count, chance)]
    return _Made("P" * count, pairs, count - 3)


def _with(
    make: Callable[[Chance], _Made], coupling: Callable[[_Coupled], Pairs], needs: str = ""
) -> Callable[[Chance], _Made]:
    """A chain with a coupling; `needs` is a letter that must be among its pairs."""

    def made(chance: Chance) -> _Made:
        while needs not in (found := make(chance)).letters:
            pass
        return found._replace(coupling=coupling)

    return made


def _with_geared_cranks(chance: Chance) -> _Made:
    """Five or six parallel revolute pairs, the two on the base geared to each other: n − 4."""
    while set((found := _planar(chance)).letters) != {"R"} or len(found.letters) == 4:
        pass
    return found._replace(mobility=found.mobility - 1, coupling=_geared_cranks)


KINDS: dict[str, Callable[[Chance], _Made]] = {
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
    "planar, a wheel": _with(_planar, _wheel),
    "planar, a pinion": _with(_planar, _pinion, "P"),
    "planar, a nut": _with(_planar, _nut, "P"),
    "planar, a slide": _with(_planar, _slide, "P"),
    "planar, geared cranks": _with_geared_cranks,
    "spherical, a wheel": _with(_spherical, _wheel),
    "translating, a pinion": _with(_translating, _pinion),
    "translating, a nut": _with(_translating, _nut),
    "RCCC, a wheel": _with(_with_axes("RCCC", 1), _wheel),
    "RSSP, a pinion": _with(_with_axes("RSSP", 2), _pinion),
    "Bennett, a wheel": _with(_bennett, _wheel),
    "rigid, 5R": _with_axes("RRRRR", 0),
    "rigid, 6R": _with_axes("RRRRRR", 0),
}
