"""Ranges of loop joints as ranges of the tree's joints, in loops with one degree of freedom.

There every joint's position is a function of the loop's one motion. The loop is followed to both sides of the
assembled pose, in small steps that are closed by Newton's method, until the loop joint is at an end of its range; the
positions of the other joints there are the ends of theirs. A joint that turns back on the way gets no range.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from swgrm.inference.geometry.twists import Array
from swgrm.inference.joints.joint_tree import JointTree, TreeJoint
from swgrm.inference.joints.limits import FoundLimits, JointRange
from swgrm.inference.joints.scalar_joints import JointKey, MateUse
from swgrm.inference.mechanism.loop_blocks import BlockBatch, LoopBlock
from swgrm.inference.mechanism.solver import KinematicLoop, Mechanism
from swgrm.model import JointType
from swgrm.transforms import inverse

STEP = 0.02  # [rad, or lengths of the block] along the loop's motion
MOST_STEPS = 1000
HALVINGS = 60


def translate_ranges(limits: FoundLimits, mechanism: Mechanism, tree: JointTree) -> None:
    """Add to the limits the ranges that limited loop joints give the joints of the tree."""
    cuts = {joint.pair.edge: joint for joint in tree.loops if len(joint.chain) == 1}
    for (edge, _), span in sorted(limits.loop_ranges.items()):
        loop = next((loop for loop in mechanism.loops if edge in loop.edges and loop.mobility == 1), None)
        if loop is None or edge not in cuts or cuts[edge].chain[0].type is JointType.BALL:
            continue
        own = [joint for joint in tree.joints if joint.pair.edge in loop.edges and _is_scalar(joint)]
        mates = [use.mate for use in limits.loop_uses if use.joint.edge == edge]
        for key, found in _translated(mechanism, loop, cuts[edge], span, own):
            before = limits.ranges.get(key)
            limits.ranges[key] = before.narrowed(found) if before else found
            limits.uses.extend(MateUse(key, mate, "its range is that of the loop joint") for mate in mates)


def _is_scalar(joint: TreeJoint) -> bool:
    return len(joint.chain) == 1 and joint.chain[0].type is not JointType.BALL


def _translated(
    mechanism: Mechanism, loop: KinematicLoop, cut: TreeJoint, span: JointRange, joints: Sequence[TreeJoint]
) -> Iterator[tuple[JointKey, JointRange]]:
    """The ranges of the joints while the loop joint is in its range."""
    motion = _LoopMotion(mechanism, loop, [cut, *joints])
    ways = [motion.followed(sign, span) for sign in (1.0, -1.0)]
    for k, joint in enumerate(joints):
        lower: float | None = None
        upper: float | None = None
        for way in ways:
            positions = way.positions[:, k + 1]
            steps = np.diff(positions)
            if way.has_ended and (steps > 0).all():
                upper = float(positions[-1])
            elif way.has_ended and (steps < 0).all():
                lower = float(positions[-1])
        if lower is not None or upper is not None:
            yield (joint.child, 0), JointRange(lower, upper, span.is_assumed)


class _Way(NamedTuple):
    """The positions of the joints along the loop's motion, and whether it ended because of the range."""

    positions: Array  # (steps, joints)
    has_ended: bool


class _LoopMotion:
    """A loop with one degree of freedom that is moved from the assembled pose."""

    def __init__(self, mechanism: Mechanism, loop: KinematicLoop, joints: Sequence[TreeJoint]) -> None:
        pairs = [mechanism.pairs[edge] for edge in loop.edges if edge in mechanism.pairs]
        self._block = LoopBlock(loop.edges, pairs, loop.extra, mechanism.equations, mechanism.labels)
        self._batch = BlockBatch([self._block], mechanism.equations)
        self._joints = joints

    def followed(self, sign: float, span: JointRange) -> _Way:
        """The motion to one side, until the first joint is at an end of its range or nothing moves on."""
        q = np.zeros((1, len(self._block.scale)))
        found = [np.zeros(len(self._joints))]
        direction = self._direction(q)
        if direction is None:
            return _Way(np.array(found), has_ended=False)
        direction = direction * sign
        for _ in range(MOST_STEPS):
            following, positions = self._moved(q, STEP, direction, found[-1])
            turned = self._direction(following) if positions is not None else None
            if positions is None or turned is None:
                break
            if not _is_inside(positions[0], span):
                found.append(self._end(q, direction, found[-1], span))
                return _Way(np.array(found), has_ended=True)
            q, direction = following, turned if float((turned * direction).sum()) > 0 else -turned
            found.append(positions)
        return _Way(np.array(found), has_ended=False)

    def _end(self, q: Array, direction: Array, before: Array, span: JointRange) -> Array:
        """The positions where the first joint leaves its range, within the next step."""
        low, high, positions = 0.0, STEP, before
        for _ in range(HALVINGS):
            middle = (low + high) / 2
            _, there = self._moved(q, middle, direction, before)
            if there is not None and _is_inside(there[0], span):
                low, positions = middle, there
            else:
                high = middle
        return positions

    def _direction(self, q: Array) -> Array | None:
        """The one free direction, in scaled coordinates; None where there is not just one."""
        ((rates,), _) = self._batch.null_spaces(*self._batch.motions(q))
        return rates[:, 0] / np.abs(rates).max() if rates.shape[1] == 1 else None

    def _moved(self, q: Array, step: float, direction: Array, before: Array) -> tuple[Array, Array | None]:
        """The coordinates after a step, and the joints' positions; None if the loop cannot be closed there."""
        following, worst = self._batch.close(q + step * direction * self._batch.scale)
        if worst[0] > 1.0:
            return following, None
        D = self._batch.motions(following)[0][0]
        ends = ((D[self._block.nodes[j.parent]], D[self._block.nodes[j.child]]) for j in self._joints)
        positions = [
            _position(joint, inverse(parent) @ child, float(last))
            for joint, (parent, child), last in zip(self._joints, ends, before, strict=True)
        ]
        return following, np.array(positions)


def _is_inside(position: float, span: JointRange) -> bool:
    return (span.lower is None or position >= span.lower) and (span.upper is None or position <= span.upper)


def _position(joint: TreeJoint, T: Array, last: float) -> float:
    """The position of a joint that moves its child by T; an angle is the one nearest to the last."""
    (simple,) = joint.chain
    if simple.type is JointType.PRISMATIC:
        return float(simple.axis @ T[:3, 3])
    R, u = T[:3, :3], simple.axis
    sine = float(u @ np.array([R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]])) / 2
    angle = np.arctan2(sine, (float(np.trace(R)) - 1) / 2)
    return float(angle + 2 * np.pi * np.round((last - angle) / (2 * np.pi)))
