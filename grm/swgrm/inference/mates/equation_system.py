"""The equations of all mates as one stack; mates that cannot be used become findings."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Sequence

import numpy as np

from swgrm.findings import Findings
from swgrm.inference.geometry import relations as rel
from swgrm.inference.geometry.equations import NOBODY, MateEquations, tolerances
from swgrm.inference.geometry.relations import EntityStack, Relation, equations_of, stack_equations
from swgrm.inference.geometry.twists import Array
from swgrm.inference.mates.compound import screw_axis, stacked
from swgrm.inference.mates.entity_pairs import RelatedEntities
from swgrm.inference.mates.table import held_relations
from swgrm.inference.mates.types import COUPLINGS, GeometryKind, MateNotUnderstood, PlacedEntity, PlacedMate

UNSATISFIED = 20.0  # tolerances: a mate that the assembled pose misses by more than this is not used


def build_equations(
    mates: Sequence[PlacedMate], used: Collection[int], axes: Collection[int], findings: Findings
) -> MateEquations:
    """The equations of the mates, without those with a number in `used`.

    Couplings have none, except the screw mates with a number in `axes`: they hold their common axis.
    """
    related: list[tuple[int, RelatedEntities]] = []
    for number, mate in enumerate(mates):
        if number in used or (mate.type in COUPLINGS and number not in axes):
            continue
        try:
            held = [screw_axis(mate)] if mate.type in COUPLINGS else held_relations(mate)
            related += [(number, each) for each in held]
        except MateNotUnderstood as reason:
            findings.add("mate-not-understood", f"mate {mate.name}", reason=reason)
    return _satisfied(assemble(related), mates, findings)


def _satisfied(equations: MateEquations, mates: Sequence[PlacedMate], findings: Findings) -> MateEquations:
    """The equations without those of mates that the assembled pose does not satisfy."""
    found = missed(equations)
    for number, off in found.items():
        findings.add("mate-unsatisfied", f"mate {mates[number].name}", off=off)
    return equations[~np.isin(equations.mate, list(found))] if found else equations


def missed(equations: MateEquations) -> dict[int, float]:
    """The mates that the assembled pose does not satisfy, with how far off it is [m or rad]."""
    off = np.abs(equations.c - equations.intended)
    is_off = off / tolerances(equations) > UNSATISFIED
    if not is_off.any():
        return {}
    numbers = sorted(set(equations.mate[is_off].tolist()))
    return {number: float(off[(equations.mate == number) & is_off].max()) for number in numbers}


def assemble(related: Sequence[tuple[int, RelatedEntities]]) -> MateEquations:
    """The equations of related entities, each with its mate's number, as one stack.

    Entities in one relation are computed together.
    """
    groups: dict[tuple[Relation, bool], list[tuple[int, RelatedEntities]]] = defaultdict(list)
    for number, each in related:
        groups[each.relation, each.mirror is not None].append((number, each))
    members = [member for group in groups.values() for member in group]
    if not members:
        return NO_EQUATIONS
    entities = [each for _, each in members]
    has_mirror = any(mirrored for _, mirrored in groups)
    both = stacked([*(each.first for each in entities), *(each.second for each in entities)])
    return stack_equations(
        [(relation, len(group)) for (relation, _), group in groups.items()],
        both[: len(members)],
        both[len(members) :],
        np.array([number for number, _ in members], dtype=np.intp),
        stacked([each.mirror or _NO_MIRROR for each in entities]) if has_mirror else None,
    )


_NO_MIRROR = PlacedEntity(GeometryKind.PLANE, NOBODY, (0.0, 0.0, 0.0))
_EMPTY: Array = np.zeros((0, 3))
_NONE = EntityStack(np.zeros(0, dtype=np.intp), _EMPTY, _EMPTY)
NO_EQUATIONS = equations_of(rel.point_on_plane, _NONE, _NONE, np.zeros(0, dtype=np.intp))
