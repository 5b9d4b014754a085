"""Couplings in the direction that physics engines keep best: the faster joint as a function of the slower one."""

from __future__ import annotations

from typing import NamedTuple

from swgrm.kinematics.joint_relations import as_relation
from swgrm.model import Coupling, Relation


class OrientedCoupling(NamedTuple):
    """fast = ratio · slow + offset, |ratio| ≥ 1; without a slow joint, the fast one stays at the offset."""

    fast: str
    slow: str
    ratio: float
    offset: float


def oriented(follower: str, coupling: Coupling) -> OrientedCoupling:
    """A coupling with the faster joint first.

    An engine's error is one of the first joint's position. Ratios below one are inverted, so that it is not multiplied:
    a screw of 5 mm slips by 2 nm instead of 40 µm, and a gear of 100 : 1 does not slip.
    """
    return oriented_relation(as_relation(follower, coupling))


def oriented_relation(relation: Relation) -> OrientedCoupling:
    """A relation of one or two joints with the faster joint first: that with the smaller coefficient.

    c₁ q₁ + c₂ q₂ = b gives q₁ = −(c₂/c₁) q₂ + b/c₁.
    """
    terms = {name: c for name, c in relation.terms.items() if c != 0}
    fast = min(terms, key=lambda name: abs(terms[name]))
    (slow,) = terms.keys() - {fast} or {""}
    own = terms[fast]
    return OrientedCoupling(fast, slow, -terms.get(slow, 0.0) / own + 0.0, relation.offset / own + 0.0)
