"""The mates of an assembly as terms between the bodies that the solver moves."""

from __future__ import annotations

import numpy as np

from swgrm_mocks.modelling.assembly_units import AssemblyUnits
from swgrm_mocks.modelling.mate_terms import MateTerms, MotionCoupling, renumbered
from swgrm_mocks.modelling.mate_terms import moved as moved_equations
from swgrm_mocks.modelling.model_mates import ModelMate


def terms_between(mate: ModelMate, prefix: str, units: AssemblyUnits) -> MateTerms:
    """The terms of a mate between the bodies of the assembly."""
    where = [units.where[_joined(prefix, name)] for name in mate.terms.components]
    nodes = np.array([unit for unit, _ in where], dtype=np.intp)
    transforms = np.stack([T for _, T in where])
    terms = MateTerms(
        mate.terms.components,
        [renumbered(moved_equations(each, transforms), nodes) for each in mate.terms.held],
        mate.terms.value.mapped(transforms, nodes) if mate.terms.value else None,
        mate.terms.target,
        mate.terms.limits,
    )
    if coupling := mate.terms.coupling:
        tracks = [
            track._replace(
                body=int(nodes[track.body]),
                reference=int(nodes[track.reference]),
                point=transforms[track.body][:3, :3] @ track.point + transforms[track.body][:3, 3],
                direction=transforms[track.body][:3, :3] @ track.direction,
            )
            for track in (coupling.leader, coupling.follower)
        ]
        terms.coupling = MotionCoupling(tracks[0], tracks[1], coupling.ratio, mate.off.get(prefix, 0.0))
    return terms


def _joined(prefix: str, name: str) -> str:
    return f"{prefix}/{name}" if prefix and name else prefix or name
