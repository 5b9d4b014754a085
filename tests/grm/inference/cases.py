"""A case for every mate type and every pair of entities: features that satisfy it, and what it leaves free."""

from collections.abc import Iterator
from itertools import combinations_with_replacement
from typing import NamedTuple

import numpy as np

from swgrm.inference import relations as rel
from swgrm.inference.chains import name_of
from swgrm.inference.freedom import freedoms
from swgrm.inference.geometry import Array, cross, unit
from swgrm.inference.mates import COUPLINGS, Feature, Kind, Mate, MateType, NotUnderstood
from swgrm.inference.meanings import AT_PARALLEL, MEANINGS, SILENT, Tie, assemble, ties
from swgrm.inference.reading import read

KINDS = tuple(kind for kind in Kind if kind is not Kind.OTHER)
PLAIN = tuple(t for t in MEANINGS if t not in (MateType.HINGE, MateType.WIDTH, MateType.SYMMETRIC, MateType.SLOT))


class Case(NamedTuple):
    """One cell of the table."""

    type: MateType
    entities: str
    mate: Mate | None  # none: there is nothing to build, the type carries no geometry


class Outcome(NamedTuple):
    """What a case comes to: its rows, what it leaves, what that is called, whether it moves finitely."""

    rows: int
    rank: int
    freedom: int
    name: str
    is_exact: bool


def vector(chance: np.random.Generator) -> Array:
    return unit(chance.normal(size=3))


def _second(relation: rel.Relation, p: Array, a: Array, chance: np.random.Generator) -> tuple[Array, Array]:
    """A point and a direction that stand in a relation to the first ones."""
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


def _feature(kind: Kind, body: int, point: Array, direction: Array) -> Feature:
    x, y, z = point.tolist()
    has_direction = kind not in (Kind.POINT, Kind.SPHERE)
    i, j, k = direction.tolist() if has_direction else (0.0, 0.0, 0.0)
    return Feature(kind, body, (x, y, z), (i, j, k), 0.01)


def _plain(mate_type: MateType, first: Kind, second: Kind, chance: np.random.Generator) -> Iterator[Case]:
    meaning = MEANINGS[mate_type]
    if (first, second) not in meaning and (second, first) in meaning:
        first, second = second, first
    relation = meaning.get((first, second), rel.point_on_point)
    label = f"{first} – {second}"
    variants = [(relation, label)]
    if relation in AT_PARALLEL:
        variants = [(relation, f"{label}, not parallel"), (AT_PARALLEL[relation], f"{label}, parallel")]
    for variant, entities in variants:
        p, a = chance.normal(size=3) * 0.2, vector(chance)
        x, b = _second(variant, p, a, chance)
        features = (_feature(first, 0, p, a), _feature(second, 1, x, b))
        yield Case(mate_type, entities, Mate(f"{mate_type}", mate_type, features))


def _special(chance: np.random.Generator) -> Iterator[Case]:
    p, a = chance.normal(size=3) * 0.2, vector(chance)
    across = unit(cross(a, vector(chance)))
    at = p + 0.1 * a
    plane = lambda body, shift, normal: _feature(Kind.PLANE, body, p + shift, normal)  # noqa: E731 - short
    line = lambda body, shift: _feature(Kind.CYLINDER, body, p + shift, a)  # noqa: E731 - short
    hinge = (line(0, 0 * a), line(1, 0.1 * a), plane(0, 0 * a, a), plane(1, across, -a))
    yield Case(MateType.HINGE, "2 axes, 2 planes", Mate("hinge", MateType.HINGE, hinge))
    locked = (line(0, 0 * a), line(1, 0.1 * a))
    yield Case(
        MateType.CONCENTRIC, "2 axes, rotation locked", Mate("c", MateType.CONCENTRIC, locked, lock_rotation=True)
    )
    groove = (plane(0, 0.01 * a, a), plane(0, -0.01 * a, -a))
    tab = (plane(1, 0.008 * a, a), plane(1, -0.008 * a, -a))
    pin = _feature(Kind.CYLINDER, 1, p, across)
    yield Case(MateType.WIDTH, "4 planes", Mate("width", MateType.WIDTH, groove + tab))
    yield Case(MateType.WIDTH, "4 planes, free", Mate("width", MateType.WIDTH, groove + tab, free=True))
    yield Case(MateType.WIDTH, "2 planes, cylinder", Mate("width", MateType.WIDTH, (*groove, pin)))
    slot_side = plane(0, 0.02 * across, across)
    yield Case(MateType.SLOT, "plane, cylinder", Mate("slot", MateType.SLOT, (slot_side, line(1, 0 * a))))
    yield Case(MateType.SLOT, "2 axes, centred", Mate("slot", MateType.SLOT, (line(0, 0 * a), line(1, 0.1 * a))))
    free = (line(0, 0 * a), line(1, 0.03 * across))
    yield Case(MateType.SLOT, "2 axes, free", Mate("slot", MateType.SLOT, free, free=True))
    mirror = plane(0, 0 * a, a)
    for kind in (Kind.POINT, Kind.LINE, Kind.PLANE, Kind.CYLINDER, Kind.SPHERE, Kind.CIRCLE, Kind.CONE):
        d = vector(chance)
        d_seen = d - 2 * a * float(a @ d)
        first, second = _feature(kind, 0, at, d), _feature(kind, 1, at - 0.2 * a, d_seen)
        yield Case(MateType.SYMMETRIC, f"2 × {kind}, plane", Mate("sym", MateType.SYMMETRIC, (first, second, mirror)))


def cases() -> Iterator[Case]:
    """Every cell: all mate types, all pairs of kinds."""
    chance = np.random.default_rng(6)
    for mate_type in PLAIN:
        for first, second in combinations_with_replacement(KINDS, 2):
            yield from _plain(mate_type, first, second, chance)
    yield from _special(chance)
    yield from (Case(mate_type, "any", None) for mate_type in sorted(COUPLINGS | SILENT))


def outcome(mate: Mate) -> Outcome:
    """What a mate leaves between its two bodies; `NotUnderstood` if it has no meaning."""
    tied: list[tuple[int, Tie]] = [(0, tie) for tie in ties(mate)]
    equations = assemble(tied)
    free = freedoms(equations, np.zeros(len(equations), dtype=np.intp), 1)[0]
    reading = read(free, equations, np.eye(3))
    return Outcome(len(equations), 6 - free.dimension, free.dimension, name_of(reading.chain), reading.is_exact)


def table() -> str:
    """The table of the documentation: one line per mate type and outcome, with every pair of entities that has it."""
    grouped: dict[tuple[str, str, str, str], list[str]] = {}
    for case in cases():
        key: tuple[str, str, str, str]
        if case.mate is None:
            what = "a coupling between joints" if case.type in COUPLINGS else "a finding: no usable geometry in the API"
            key = (case.type, "–", "–", what)
        else:
            try:
                result = outcome(case.mate)
                key = (case.type, str(result.rank), str(result.freedom), result.name)
            except NotUnderstood:
                key = (case.type, "–", "–", "a finding: no meaning known")
        grouped.setdefault(key, []).append(case.entities)
    lines = ["| mate | entities | rows | freedom | is |", "|---|---|---|---|---|"]
    everything = len(list(combinations_with_replacement(KINDS, 2)))
    for (mate_type, rank, freedom, name), entities in grouped.items():
        shown = "any" if len(entities) == everything else ", ".join(entities)
        lines.append(f"| {mate_type} | {shown} | {rank} | {freedom} | {name} |")
    return "\n".join(lines)
