"""A case for every mate type and every pair of entities: features that satisfy it, and the DOF that remain."""

from collections.abc import Iterator
from itertools import combinations_with_replacement
from typing import NamedTuple

import numpy as np
from msgspec.structs import replace

from swgrm.inference.geometry import relations as rel
from swgrm.inference.geometry.twists import Array, cross, unit
from swgrm.inference.mates.entity_pairs import AT_PARALLEL, AXES
from swgrm.inference.mates.equation_system import assemble
from swgrm.inference.mates.table import MATES, WITHOUT_GEOMETRY, relations_of
from swgrm.inference.mates.types import (
    COUPLINGS,
    DIRECTED,
    GeometryKind,
    MateNotUnderstood,
    MateType,
    PlacedEntity,
    PlacedMate,
)
from swgrm.inference.mechanism.chain_search import find_chain
from swgrm.inference.mechanism.joint_chain import name_of
from swgrm.inference.mechanism.twist_space import twist_spaces

KINDS = tuple(kind for kind in GeometryKind if kind not in (GeometryKind.COMPONENT, GeometryKind.OTHER))
SPECIAL = (MateType.HINGE, MateType.WIDTH, MateType.SYMMETRIC, MateType.SLOT, MateType.CAM_FOLLOWER)
"""Mates of more than two entities, or with options or radii that matter."""
PLAIN = tuple(kind for kind, spec in MATES.items() if spec.relations and kind not in SPECIAL)


class Case(NamedTuple):
    """One cell of the table."""

    type: MateType
    entities: str
    mate: PlacedMate | None  # None: the type has no geometry, there is nothing to build


class Outcome(NamedTuple):
    """The result of a case: rows, rank, remaining DOF, the name of their joint, whether the motion is finite."""

    rows: int
    rank: int
    freedom: int
    name: str
    is_exact: bool


def vector(chance: np.random.Generator) -> Array:
    return unit(chance.normal(size=3))


def _second(relation: rel.Relation, p: Array, a: Array, chance: np.random.Generator) -> tuple[Array, Array]:
    """A point and a direction that satisfy a relation to the first ones."""
    anywhere, any_way = p + chance.normal(size=3) * 0.2, vector(chance)
    across = unit(cross(a, any_way))
    in_plane = anywhere - a * float(a @ (anywhere - p))
    on_line = p + a * chance.uniform(0.05, 0.2)
    places: dict[rel.Relation, tuple[Array, Array]] = {
        rel.point_on_point: (p, any_way),
        rel.point_on_line: (on_line, any_way),
        rel.point_on_plane: (in_plane, any_way),
        rel.point_on_circle: (in_plane, any_way),
        rel.parallel: (anywhere, -a),
        rel.perpendicular: (anywhere, across),
        rel.line_on_line: (on_line, -a),
        rel.line_in_plane: (in_plane, across),
        rel.plane_on_plane: (in_plane, -a),
        rel.circle_on_circle: (p, -a),
        rel.lines_apart: (anywhere, a),
        rel.line_over_plane: (anywhere, across),
        rel.planes_apart: (anywhere, -a),
        rel.cross_joint: (p, any_way),
    }
    return places.get(relation, (anywhere, any_way))


def _entity(kind: GeometryKind, body: int, point: Array, direction: Array) -> PlacedEntity:
    x, y, z = point.tolist()
    has_direction = kind in DIRECTED
    i, j, k = direction.tolist() if has_direction else (0.0, 0.0, 0.0)
    return PlacedEntity(kind, body, (x, y, z), (i, j, k), 0.01)


def _plain(
    mate_type: MateType, first: GeometryKind, second: GeometryKind, chance: np.random.Generator
) -> Iterator[Case]:
    meaning = MATES[mate_type].relations
    if (first, second) not in meaning and (second, first) in meaning:
        first, second = second, first
    relation = meaning.get((first, second), rel.point_on_point)
    label = f"{first} – {second}"
    variants = [(relation, label)]
    if relation in AT_PARALLEL:
        variants = [(relation, f"{label}, not parallel"), (AT_PARALLEL[relation], f"{label}, parallel")]
    for variant, described in variants:
        p, a = chance.normal(size=3) * 0.2, vector(chance)
        x, b = _second(variant, p, a, chance)
        entities = (_entity(first, 0, p, a), _entity(second, 1, x, b))
        yield Case(mate_type, described, PlacedMate(f"{mate_type}", mate_type, entities))


def _special(chance: np.random.Generator) -> Iterator[Case]:
    p, a = chance.normal(size=3) * 0.2, vector(chance)
    across = unit(cross(a, vector(chance)))
    at = p + 0.1 * a

    def plane(body: int, shift: Array, normal: Array) -> PlacedEntity:
        return _entity(GeometryKind.PLANE, body, p + shift, normal)

    def line(body: int, shift: Array) -> PlacedEntity:
        return _entity(GeometryKind.CYLINDER, body, p + shift, a)

    hinge = (line(0, 0 * a), line(1, 0.1 * a), plane(0, 0 * a, a), plane(1, across, -a))
    yield Case(MateType.HINGE, "2 axes, 2 planes", PlacedMate("hinge", MateType.HINGE, hinge))
    locked = (line(0, 0 * a), line(1, 0.1 * a))
    yield Case(
        MateType.CONCENTRIC, "2 axes, rotation locked", PlacedMate("c", MateType.CONCENTRIC, locked, lock_rotation=True)
    )
    groove = (plane(0, 0.01 * a, a), plane(0, -0.01 * a, -a))
    tab = (plane(1, 0.008 * a, a), plane(1, -0.008 * a, -a))
    pin = _entity(GeometryKind.CYLINDER, 1, p, across)
    yield Case(MateType.WIDTH, "4 planes", PlacedMate("width", MateType.WIDTH, groove + tab))
    yield Case(MateType.WIDTH, "4 planes, free", PlacedMate("width", MateType.WIDTH, groove + tab, free=True))
    yield Case(MateType.WIDTH, "2 planes, cylinder", PlacedMate("width", MateType.WIDTH, (*groove, pin)))
    yield from _slots(p, a, across)
    yield from _cams(p, a, across)
    mirror = plane(0, 0 * a, a)
    for kind in (
        GeometryKind.POINT,
        GeometryKind.LINE,
        GeometryKind.PLANE,
        GeometryKind.CYLINDER,
        GeometryKind.SPHERE,
        GeometryKind.CIRCLE,
        GeometryKind.CONE,
        GeometryKind.COMPONENT,
    ):
        d = vector(chance)
        d_seen = d - 2 * a * float(a @ d)
        first, second = _entity(kind, 0, at, d), _entity(kind, 1, at - 0.2 * a, d_seen)
        yield Case(
            MateType.SYMMETRIC, f"2 × {kind}, plane", PlacedMate("sym", MateType.SYMMETRIC, (first, second, mirror))
        )


def _slots(p: Array, a: Array, across: Array) -> Iterator[Case]:
    """A slot by each of its faces, and a pin along `a` in it, 30 mm away from the end of the slot."""
    faces = {
        "side plane": _entity(GeometryKind.PLANE, 0, p + 0.01 * across, across),
        "bottom plane": _entity(GeometryKind.PLANE, 0, p - 0.02 * a, a),
        "end cylinder": _entity(GeometryKind.CYLINDER, 0, p + 0.03 * cross(a, across), -a),
    }
    pin = _entity(GeometryKind.CYLINDER, 1, p, a)
    for name, face in faces.items():
        held, free = (PlacedMate("slot", MateType.SLOT, (face, pin), free=is_free) for is_free in (False, True))
        yield Case(MateType.SLOT, f"{name}, pin, held", held)
        yield Case(MateType.SLOT, f"{name}, pin, free", free)


def _cams(p: Array, a: Array, across: Array) -> Iterator[Case]:
    """The first face of a cam, and each kind of follower on it; all radii are 10 mm."""
    followers = {
        "point": (_entity(GeometryKind.POINT, 1, p, a), 0.0),
        "line": (_entity(GeometryKind.LINE, 1, p, a), 0.0),
        "plane": (_entity(GeometryKind.PLANE, 1, p + 0.05 * a, across), 0.0),
        "cylinder": (_entity(GeometryKind.CYLINDER, 1, p, a), 0.01),
        "sphere": (_entity(GeometryKind.SPHERE, 1, p, a), 0.01),
    }
    for name, (follower, radius) in followers.items():
        follower = replace(follower, radius=radius)
        cylinder = _entity(GeometryKind.CYLINDER, 0, p + (0.01 + radius) * across, a)
        flat = replace(_entity(GeometryKind.PLANE, 0, p + radius * across, across), radius=0.0)
        for cam in (cylinder, flat) if name != "plane" else (cylinder,):
            mate = PlacedMate("cam", MateType.CAM_FOLLOWER, (cam, follower))
            yield Case(MateType.CAM_FOLLOWER, f"{cam.kind}, {name}", mate)


def cases() -> Iterator[Case]:
    """Every cell: all mate types, all pairs of kinds."""
    chance = np.random.default_rng(6)
    for mate_type in PLAIN:
        for first, second in combinations_with_replacement(KINDS, 2):
            yield from _plain(mate_type, first, second, chance)
    yield from _special(chance)
    yield from (Case(mate_type, "any", None) for mate_type in sorted(COUPLINGS | WITHOUT_GEOMETRY))


def outcome(mate: PlacedMate) -> Outcome:
    """The DOF that a mate leaves between its two bodies; raises `MateNotUnderstood` if it has no equations."""
    equations = assemble([(0, related) for related in relations_of(mate)])
    free = twist_spaces(equations, np.zeros(len(equations), dtype=np.intp), 1)[0]
    fit = find_chain(free, equations, np.eye(3))
    return Outcome(len(equations), 6 - free.dimension, free.dimension, name_of(fit.chain), fit.is_exact)


def understood_cases() -> Iterator[Case]:
    """The cells of mates that give equations."""
    for case in cases():
        if case.mate is not None:
            try:
                relations_of(case.mate)
            except MateNotUnderstood:
                continue
            yield case


COLUMNS = (
    MateType.COINCIDENT, MateType.CONCENTRIC, MateType.PARALLEL, MateType.PERPENDICULAR, MateType.TANGENT,
    MateType.DISTANCE, MateType.ANGLE,
)  # fmt: skip


def matrix() -> str:
    """The tables of the documentation: what every mate that is understood leaves between its two bodies."""
    cells: dict[str, dict[MateType, str]] = {}
    others: dict[tuple[MateType, str], list[str]] = {}
    for case in understood_cases():
        assert case.mate is not None
        result = outcome(case.mate)
        name = result.name.removeprefix("chain ")
        left = f"{result.freedom} {name}" if result.freedom else name
        if case.type in COLUMNS and " – " in case.entities:
            pair, _, variant = case.entities.partition(", ")
            row = cells.setdefault(_in_order(pair), {})
            row[case.type] = f"{row[case.type]}; ∥ {left}" if variant == "parallel" else left
        else:
            others.setdefault((case.type, left), []).append(case.entities)
    rows: dict[tuple[str, ...], list[str]] = {}
    for first, second in combinations_with_replacement(KINDS, 2):
        if named := cells.get(f"{first} – {second}"):
            rows.setdefault(tuple(named.get(kind, "") for kind in COLUMNS), []).append(f"{first} – {second}")
    lines = [f"| entities | {' | '.join(COLUMNS)} |", "|---" * (len(COLUMNS) + 1) + "|"]
    lines += [f"| {', '.join(pairs)} | {' | '.join(row)} |" for row, pairs in rows.items()]
    lines += ["", "| mate | entities | leaves |", "|---|---|---|"]
    lines += [f"| {kind} | {_shortened(entities)} | {left} |" for (kind, left), entities in others.items()]
    lines += [f"| {', '.join(sorted(COUPLINGS))} | any | a coupling between joints |"]
    lines += [f"| {', '.join(sorted(WITHOUT_GEOMETRY))} | any | not used: no usable geometry in the API |"]
    return "\n".join(lines)


def _in_order(pair: str) -> str:
    return " – ".join(sorted(pair.split(" – "), key=KINDS.index))


def _shortened(entities: list[str]) -> str:
    pairs = {_in_order(pair) for pair in entities if " – " in pair}
    for name, kinds in (("any", KINDS), ("2 axes", tuple(kind for kind in KINDS if kind in AXES))):
        if pairs == {f"{a} – {b}" for a, b in combinations_with_replacement(kinds, 2)}:
            return name
    return "; ".join(entities)
