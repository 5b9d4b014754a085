"""Joints that symmetric mates tie: linear relations among their positions, in trees and in loops.

A symmetric mate between three bodies makes equations of a block. Each equation takes freedom away from the block; what
it takes can be written as a relation Σ c q = 0 where the rates q̇ of the joints satisfy Σ c q̇ = 0 for every motion that
is left, not only as assembled but at every displacement that is tried, and did not satisfy it without the mate. Images
of each other move so: the two cranks of two mirrored four-bars, whichever of their links the mate connects.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from swgrm.inference.geometry.twists import Array, Ints, adjoint, unit
from swgrm.inference.joints.joint_tree import TreeJoint
from swgrm.inference.joints.scalar_joints import JointKey
from swgrm.inference.mechanism.loop_blocks import BlockBatch, LoopBlock, batch_of
from swgrm.inference.mechanism.loop_solver import settled_basis
from swgrm.inference.mechanism.solver import KinematicLoop, Mechanism
from swgrm.model import JointType
from swgrm.transforms import inverse

STEP = 0.3  # [rad, or lengths of the block] how far the block is moved at most
FEWEST, MOST = 4, 24  # displacements
SPARE = 3  # motions more than joints that must satisfy a relation of any number of joints
RELATED = 1e-5  # relative: rates that differ by less are equal
NEGLIGIBLE = 1e-5  # of a relation's largest coefficient


class SymmetricTie(NamedTuple):
    """What a symmetric mate ties: relations of joints, and whether they are all that it takes away."""

    mate: int
    relations: tuple[dict[JointKey, float], ...]
    is_complete: bool


def find_symmetric_ties(mechanism: Mechanism, joints: Sequence[TreeJoint]) -> Iterator[SymmetricTie]:
    """What each symmetric mate between three bodies ties."""
    for loop in mechanism.loops:
        if len(loop.extra):
            own = [joint for joint in joints if joint.pair.edge in loop.edges and _is_scalar(joint)]
            yield from _TiedLoop(mechanism, loop, own).ties()


def loop_rates(mechanism: Mechanism, loop: KinematicLoop, joints: Sequence[TreeJoint]) -> list[Array]:
    """The rates of scalar joints in a loop under every free motion, at several displacements.  # (joints, mobility)."""
    tied = _TiedLoop(mechanism, loop, joints)
    return [rates * tied.units[:, None] for rates in tied.rates(loop.extra)]


def _is_scalar(joint: TreeJoint) -> bool:
    return len(joint.chain) == 1 and joint.chain[0].type is not JointType.BALL


class _TiedLoop:
    """A block with equations of symmetric mates, at displacements where its mobility is its own."""

    def __init__(self, mechanism: Mechanism, loop: KinematicLoop, joints: Sequence[TreeJoint]) -> None:
        self._mechanism, self._loop, self._joints = mechanism, loop, joints
        self._block, batch = self._opened(loop.extra)
        self.units = np.array(
            [self._block.length if j.chain[0].type is JointType.PRISMATIC else 1.0 for j in joints], float
        )
        self._poses = list(self._displaced(batch))

    def _opened(self, extra: Ints) -> tuple[LoopBlock, BlockBatch]:
        """The block with some of its equations between three bodies; it is opened alike whichever they are."""
        mechanism, loop = self._mechanism, self._loop
        pairs = [mechanism.pairs[edge] for edge in loop.edges if edge in mechanism.pairs]
        block = LoopBlock(loop.edges, pairs, extra, mechanism.equations, mechanism.labels)
        return block, batch_of([block], mechanism.equations)

    def _displaced(self, batch: BlockBatch) -> Iterator[tuple[Array, Array]]:
        """Motions of bodies and twists of joints: as assembled, if nothing more is free there, and displaced."""
        at_rest = batch.motions(np.zeros(batch.scale.shape))
        ((free,), _) = batch.null_spaces(*at_rest)
        if free.shape[1] == self._loop.mobility:
            yield at_rest
        mobility = max(1, self._loop.mobility)
        enough = min(max(FEWEST, (len(self._joints) + SPARE) // mobility + 1), MOST)
        for k in range(1, enough + 1) if free.shape[1] else ():
            step = STEP * np.cos(2.4 * k)
            direction = settled_basis(free) @ np.cos(np.arange(1, free.shape[1] + 1) * (1.7 * k))
            q, worst = batch.close(step * (direction / np.abs(direction).max())[None] * batch.scale)
            displaced = batch.motions(q)
            ((rates,), _) = batch.null_spaces(*displaced)
            if worst[0] <= 1.0 and rates.shape[1] == self._loop.mobility:
                yield displaced

    def ties(self) -> Iterator[SymmetricTie]:
        """What each mate ties beyond those before it."""
        extra = self._loop.extra
        mates = self._mechanism.equations.mate[extra]
        before = self.rates(extra[:0])
        for number in sorted(set(mates.tolist())):
            after = self.rates(extra[mates <= number])
            taken = min((b.shape[1] - a.shape[1] for a, b in zip(after, before, strict=True)), default=1)
            found = self._relations(after, before, taken) if len(after) > 1 and len(self._joints) > 1 else []
            yield SymmetricTie(number, tuple(found), len(found) >= taken)
            before = after

    def rates(self, extra: Ints) -> list[Array]:
        """The joints' rates under every free motion at each displacement, in radians or lengths.  # (joints, k)."""
        block, batch = self._opened(extra)
        nodes, result = block.nodes, []
        for D, twists in self._poses:
            ((free,), _) = batch.null_spaces(D, twists)
            rows = np.zeros((len(self._joints), free.shape[1]))
            for row, joint in zip(rows, self._joints, strict=True):
                parent, child = nodes[joint.parent], nodes[joint.child]
                moving, weights = block.between(parent, child)
                twist = twists[0][moving].T @ (weights[:, None] * free[moving])
                relative = adjoint(inverse(D[0, parent])) @ twist
                part = relative[3:] if joint.chain[0].type is JointType.PRISMATIC else relative[:3]
                row[:] = joint.chain[0].axis @ part
            result.append(rows / self.units[:, None])
        return result

    def _relations(self, after: Sequence[Array], before: Sequence[Array], taken: int) -> list[dict[JointKey, float]]:
        """As many relations as the mate takes freedom away: of fewest joints, then of those nearest to the root."""
        left = np.concatenate(after, axis=1)
        found = [*_pairs(left)]
        if left.shape[1] >= len(left) + SPARE:
            U, values, _ = np.linalg.svd(left)
            found += [*_reduced(U[:, int((values > RELATED * max(1.0, values.max())).sum()) :].T)]
        moving = np.concatenate(before, axis=1)
        chosen: list[Array] = []
        for row in sorted(found, key=lambda row: ((row != 0).sum(), tuple(np.flatnonzero(row)))):
            if len(chosen) < taken and _rank(np.array([*chosen, row]) @ moving) > len(chosen):
                chosen.append(self._fitted(row, after[0]))
        keys = [(joint.child, 0) for joint in self._joints]
        scaled = (row / self.units for row in chosen)
        return [{key: float(c) for key, c in zip(keys, row, strict=True) if c} for row in scaled]

    @staticmethod
    def _fitted(row: Array, rates: Array) -> Array:
        """The relation of two joints with the ratio that their rates have as assembled, which is the most exact."""
        own = np.flatnonzero(row)
        if len(own) != 2 or not np.abs(rates[own[0]]).max() > RELATED:
            return row
        first, second = rates[own]
        fitted = np.zeros_like(row)
        fitted[own] = 1.0, -float(first @ second) / float(second @ second)
        return fitted


def _pairs(rates: Array) -> Iterator[Array]:
    """The relations of two joints whose rates are proportional."""
    directions = unit(rates)
    alike = np.abs(directions @ directions.T)
    for i, j in np.argwhere(np.triu(alike > 0.5, 1)).tolist():
        sign = np.sign(directions[i] @ directions[j])
        if np.abs(directions[i] - sign * directions[j]).max() < RELATED:
            row = np.zeros(len(rates))
            row[i], row[j] = 1.0, -sign * np.linalg.norm(rates[i]) / np.linalg.norm(rates[j])
            yield row


def _reduced(rows: Array) -> Array:
    """The reduced row echelon form, with zeros for what is negligible.  # (m, n)."""
    rows = rows.copy()
    done = 0
    for column in range(rows.shape[1]):
        left = np.abs(rows[done:, column])
        if done == len(rows) or not left.max() > NEGLIGIBLE:
            continue
        pivot = done + int(left.argmax())
        rows[[done, pivot]] = rows[[pivot, done]]
        rows[done] /= rows[done, column]
        others = np.arange(len(rows)) != done
        rows[others] -= rows[others, column, None] * rows[done]
        done += 1
    small = np.abs(rows) < NEGLIGIBLE * np.abs(rows).max(axis=1, keepdims=True, initial=1.0)
    result: Array = np.where(small, 0.0, rows)
    return result


def _rank(matrix: Array) -> int:
    return int((np.linalg.svd(matrix, compute_uv=False) > RELATED * 10).sum())
