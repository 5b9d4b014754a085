"""Linear relations among joint positions, solved for some of the joints by elimination.

A relation is Σ coefficient · position = offset; so is a coupling: position − ratio · leader = offset.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from swgrm.model import Coupling, Relation

_CANCELLED = 1e-12  # relative: a difference below this is rounding
_ALIKE = 1e-9  # relative: shares that differ by less are equal


class Solution(NamedTuple):
    """Relations solved for some joints, and what they demand of the others."""

    followers: Mapping[str, Relation]  # the joint: its position is offset + Σ coefficient · position of other joints
    conditions: Mapping[int, Relation]  # by the relation's number: what is left of it without the followers

    @property
    def redundant(self) -> list[int]:
        """The numbers of relations that follow from others."""
        return [number for number, left in self.conditions.items() if not left.terms and left.offset == 0]

    @property
    def contradictory(self) -> list[int]:
        """The numbers of relations that contradict others."""
        return [number for number, left in self.conditions.items() if not left.terms and left.offset != 0]


def as_relation(joint: str, coupling: Coupling) -> Relation:
    """The relation that a coupling is."""
    return Relation({joint: 1.0, coupling.joint: -coupling.ratio}, coupling.offset)


def as_coupling(relation: Relation, follower: str) -> Coupling:
    """The coupling that a relation of two joints is."""
    (leader,) = relation.terms.keys() - {follower}
    own = relation.terms[follower]
    return Coupling(leader, -relation.terms[leader] / own, relation.offset / own)


def relation_name(relation: Relation) -> str:
    """What a relation is called in findings: `relation of elbow, wrist`."""
    return f"relation of {', '.join(relation.terms)}"


def relation_text(relation: Relation) -> str:
    """A relation for people: `1 · elbow − 2 · wrist = 0.5`."""
    terms = [f"{'−' if c < 0 else '+'} {abs(c):.9g} · `{name}`" for name, c in relation.terms.items()]
    return f"{' '.join(terms).removeprefix('+ ')} = {relation.offset:.9g}"


def with_leaders(relation: Relation, couplings: Mapping[str, Coupling]) -> Relation:
    """The relation in terms of joints that follow no other; the couplings are in the order leaders first."""
    for name in reversed(list(couplings)):
        if name in relation.terms:
            relation = _eliminated(relation, name, as_relation(name, couplings[name]))
    return relation


def solve(relations: Sequence[Relation], candidates: Iterable[str]) -> Solution:
    """Relations solved for as many joints as possible; the first candidates are preferred.

    Gauss-Jordan elimination; of the relations that have a candidate, the one with the largest share of it is taken, the
    earlier of two alike.
    """
    rows = {number: Relation({n: c for n, c in r.terms.items() if c}, r.offset) for number, r in enumerate(relations)}
    solved: dict[str, Relation] = {}
    for joint in candidates:
        shares = {number: _share(row, joint) for number, row in rows.items()}
        if not any(shares.values()):
            continue
        largest = max(shares.values())
        first = next(number for number, share in shares.items() if share >= largest * (1 - _ALIKE))
        row = rows.pop(first)
        row = _scaled(row, 1 / row.terms[joint])
        rows = {number: _eliminated(other, joint, row) for number, other in rows.items()}
        solved = {name: _eliminated(other, joint, row) for name, other in solved.items()} | {joint: row}
    followers = {joint: _solved_for(row, joint) for joint, row in solved.items()}
    return Solution(followers, rows)


def _share(row: Relation, joint: str) -> float:
    largest = max(map(abs, row.terms.values()), default=0.0)
    return abs(row.terms.get(joint, 0.0)) / largest if largest else 0.0


def _scaled(row: Relation, factor: float) -> Relation:
    return Relation({name: value * factor for name, value in row.terms.items()}, row.offset * factor)


def _eliminated(row: Relation, joint: str, pivot: Relation) -> Relation:
    """The row without a joint whose coefficient in the pivot is one."""
    factor = row.terms.get(joint, 0.0)
    if factor == 0:
        return row
    terms = {
        name: _difference(row.terms.get(name, 0.0), factor * pivot.terms.get(name, 0.0))
        for name in (*row.terms, *(each for each in pivot.terms if each not in row.terms))
        if name != joint
    }
    left = {name: value for name, value in terms.items() if value != 0}
    return Relation(left, _difference(row.offset, factor * pivot.offset))


def _difference(a: float, b: float) -> float:
    return 0.0 if abs(a - b) <= _CANCELLED * (abs(a) + abs(b)) else a - b


def _solved_for(row: Relation, joint: str) -> Relation:
    return Relation({name: -value for name, value in row.terms.items() if name != joint}, row.offset)
