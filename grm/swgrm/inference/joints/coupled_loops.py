"""What couplings take away from a mechanism whose loops relate the coupled joints already."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from swgrm.inference.joints.joint_motions import Terms
from swgrm.inference.joints.joint_tree import TreeJoint
from swgrm.inference.joints.scalar_joints import JointKey
from swgrm.inference.joints.symmetric_ties import loop_rates
from swgrm.inference.mechanism.solver import Mechanism
from swgrm.model import JointType

RELATED = 1e-5  # relative: rates that differ by less are equal


class TakenFreedom(NamedTuple):
    """How many degrees of freedom relations take away, and the joints of loops that they keep from moving."""

    rank: int
    blocked: frozenset[JointKey] = frozenset()


def taken_in_loops(relations: Sequence[Terms], mechanism: Mechanism, joints: Sequence[TreeJoint]) -> TakenFreedom:
    """What independent relations take away: fewer degrees of freedom, where a loop relates its joints likewise."""
    scalar = {(j.child, 0): j for j in joints if len(j.chain) == 1 and j.chain[0].type is not JointType.BALL}
    keys = sorted({key for terms in relations for key in terms})
    alone, motions = set(range(len(keys))), []  # joints that move by themselves; rates of those that loops relate
    for loop in mechanism.loops if keys else ():
        own = [k for k, key in enumerate(keys) if key in scalar and scalar[key].pair.edge in loop.edges]
        if len(own) > 1 and (rates := loop_rates(mechanism, loop, [scalar[keys[k]] for k in own])):
            motions.append(np.zeros((len(keys), rates[-1].shape[1])))
            motions[-1][own] = rates[-1]
            alone -= {*own}
    if not motions:
        return TakenFreedom(len(relations))
    free = np.concatenate([np.eye(len(keys))[:, sorted(alone)], *motions], axis=1)
    rows = np.array([[terms.get(key, 0.0) for key in keys] for terms in relations])
    size = np.abs(rows) @ np.abs(free).max(axis=1)
    _, values, directions = np.linalg.svd(rows @ free / np.maximum(size, 1e-12)[:, None])
    rank = int((values > RELATED).sum())
    left = np.abs(free @ directions[rank:].T).max(axis=1, initial=0.0)
    still = left <= RELATED * np.abs(free).max(axis=1)
    return TakenFreedom(rank, frozenset(key for k, key in enumerate(keys) if k not in alone and still[k]))
