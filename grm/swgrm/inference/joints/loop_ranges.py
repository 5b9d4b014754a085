"""Ranges of loop joints, and limits between bodies of a loop, as ranges of the tree's joints, where mobility is one.

There every joint's position is a function of the loop's one motion, and so is what a limit mate measures. The loop is
followed to both sides of the assembled pose, in small steps that are closed by Newton's method, until the loop joint or
the measured value is at an end of its range; the positions of the other joints there are the ends of theirs. A joint
that turns back on the way gets no range.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import NamedTuple

import numpy as np

from swgrm.findings import Findings
from swgrm.inference.geometry.twists import Array
from swgrm.inference.joints.joint_tree import JointTree, TreeJoint
from swgrm.inference.joints.limit_values import gauge_of
from swgrm.inference.joints.limits import FoundLimits, narrowed
from swgrm.inference.joints.range_solving import FLAT, SAME, JointRange
from swgrm.inference.joints.scalar_joints import JointKey, MateUse
from swgrm.inference.mates.types import PlacedMate
from swgrm.inference.mechanism.loop_blocks import LoopBlock, batch_of
from swgrm.inference.mechanism.solver import KinematicLoop, Mechanism
from swgrm.model import JointType
from swgrm.transforms import inverse

STEP = 0.02  # [rad, or lengths of the block] along the loop's motion
STILL = 1e-9  # [rad or m] in a step: a joint that moves less stands still, and gets no range
MOST_STEPS = 1000
FIRST_STEPS = 10  # in which a motion does not lead back to where it began
HALVINGS = 60
Gauge = Callable[[Array, float], float]  # the measure after a motion, near the last one


def translate_ranges(limits: FoundLimits, mechanism: Mechanism, tree: JointTree) -> None:
    """Add to the limits the ranges that limited loop joints give the joints of the tree."""
    cuts = {joint.pair.edge: joint for joint in tree.loops if len(joint.chain) == 1}
    for (edge, _), span in sorted(limits.loop_ranges.items()):
        loop = next((loop for loop in mechanism.loops if edge in loop.edges and loop.mobility == 1), None)
        if loop is None or edge not in cuts or cuts[edge].chain[0].type is JointType.BALL:
            continue
        own = [joint for joint in tree.joints if joint.pair.edge in loop.edges and _is_scalar(joint)]
        mates = [use.mate for use in limits.loop_uses if use.joint.edge == edge]
        cut = cuts[edge]
        motion = _LoopMotion(mechanism, loop, (cut.parent, cut.child), partial(_position, cut), own)
        ways = motion.both_ways(0.0, span)
        for key, found in _translated(ways, own, is_assumed=span.is_assumed):
            limits.ranges[key] = narrowed(limits.ranges.get(key), found)
            limits.uses.extend(MateUse(key, mate, "its range is that of the loop joint") for mate in mates)


def translate_limits(
    mates: Sequence[PlacedMate], limits: FoundLimits, mechanism: Mechanism, tree: JointTree, findings: Findings
) -> None:
    """Add to the limits the ranges that limit mates between bodies of a loop give the joints of the tree."""
    for number, loop, bodies in limits.of_loops:
        mate, where = mates[number], f"mate {mates[number].name}"
        own = [joint for joint in tree.joints if joint.pair.edge in loop.edges and _is_scalar(joint)]
        gauge = gauge_of(mate, [joint.chain[0].axis for joint in own])
        span = JointRange(mate.minimum, mate.maximum, gauge.is_assumed)
        if not _is_inside(gauge.start, span, FLAT):
            findings.add("limit-outside", where)
            continue
        motion = _LoopMotion(mechanism, loop, bodies, gauge.after, own)
        ways = motion.both_ways(gauge.start, span)
        found = dict(_translated(ways, own, is_assumed=span.is_assumed))
        if all(way.end is None for way in ways):
            is_still = all(np.ptp(way.positions[:, 0]) < SAME for way in ways)
            findings.add("limit-unused" if is_still else "limit-never", where)
        elif not found:
            findings.add("limit-turns", where)
        elif span.is_assumed:
            findings.add("limit-side", where)
        for key, each in found.items():
            limits.ranges[key] = narrowed(limits.ranges.get(key), each)
            limits.uses.append(MateUse(key, number, "its range is what the loop that it is in allows"))


def _is_scalar(joint: TreeJoint) -> bool:
    return len(joint.chain) == 1 and joint.chain[0].type is not JointType.BALL


def _translated(
    ways: Sequence[_Way], joints: Sequence[TreeJoint], *, is_assumed: bool
) -> Iterator[tuple[JointKey, JointRange]]:
    """The ranges of the joints on the way to both ends."""
    for k, joint in enumerate(joints):
        lower: float | None = None
        upper: float | None = None
        for way in ways:
            if way.end is None:
                continue
            steps = np.diff(way.positions[:, k + 1])
            if (steps > STILL).all():
                upper = float(way.end[k + 1])
            elif (steps < -STILL).all():
                lower = float(way.end[k + 1])
        if lower is not None or upper is not None:
            yield (joint.child, 0), JointRange(lower, upper, is_assumed)


class _Way(NamedTuple):
    """What is measured and the positions of the joints along the loop's motion, one step beyond the range's end."""

    positions: Array  # (steps, 1 + joints)
    end: Array | None = None  # (1 + joints,) at the end of the range, if it was reached
    returns: bool = False  # to the assembled pose, the range's end not reached


class _LoopMotion:
    """A loop with one degree of freedom that is moved from the assembled pose, and what is measured along it."""

    def __init__(
        self,
        mechanism: Mechanism,
        loop: KinematicLoop,
        bodies: tuple[int, int],
        gauge: Gauge,
        joints: Sequence[TreeJoint],
    ) -> None:
        """`gauge` measures the motion of the second of the bodies relative to the first."""
        pairs = [mechanism.pairs[edge] for edge in loop.edges if edge in mechanism.pairs]
        self._block = LoopBlock(loop.edges, pairs, loop.extra, mechanism.equations, mechanism.labels)
        self._batch = batch_of([self._block], mechanism.equations)
        gauges: list[tuple[int, int, Gauge]] = [(*bodies, gauge)]
        gauges += [(j.parent, j.child, partial(_position, j)) for j in joints]
        self._gauges = [(self._block.nodes[one], self._block.nodes[other], each) for one, other, each in gauges]

    def both_ways(self, start: float, span: JointRange) -> list[_Way]:
        """The motion to both sides; only to one if that leads back to the assembled pose."""
        way = self._followed(1.0, start, span)
        return [way] if way.returns else [way, self._followed(-1.0, start, span)]

    def _followed(self, sign: float, start: float, span: JointRange) -> _Way:
        """The motion to one side, until what is measured is at an end of its range or nothing moves on."""
        q = np.zeros((1, len(self._block.scale)))
        found = [np.array([start, *(0.0 for _ in self._gauges[1:])])]
        direction = self._direction(q)
        if direction is None:
            return _Way(np.array(found))
        direction = direction * sign
        for _ in range(MOST_STEPS):
            following, positions = self._moved(q, STEP, direction, found[-1])
            turned = self._direction(following) if positions is not None else None
            if positions is None or turned is None:
                break
            if not _is_inside(positions[0], span):
                return _Way(np.array([*found, positions]), self._end(q, direction, found[-1], span))
            q, direction = following, turned if float((turned * direction).sum()) > 0 else -turned
            found.append(positions)
            if len(found) > FIRST_STEPS and self._is_back(q):
                return _Way(np.array(found), returns=True)
        return _Way(np.array(found))

    def _is_back(self, q: Array) -> bool:
        """Whether every body is within a step of where it was assembled."""
        off = np.abs(self._batch.motions(q)[0][0] - np.eye(4))
        return bool(off[:, :3, :3].max() < STEP and off[:, :3, 3].max() < STEP * self._block.length)

    def _end(self, q: Array, direction: Array, before: Array, span: JointRange) -> Array:
        """The positions where what is measured leaves its range, within the next step."""
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
        """The coordinates after a step, and what is measured there; None if the loop cannot be closed there."""
        following, worst = self._batch.close(q + step * direction * self._batch.scale)
        if worst[0] > 1.0:
            return following, None
        D = self._batch.motions(following)[0][0]
        positions = [
            gauge(inverse(D[one]) @ D[other], float(last))
            for (one, other, gauge), last in zip(self._gauges, before, strict=True)
        ]
        return following, np.array(positions)


def _is_inside(position: float, span: JointRange, tolerance: float = 0.0) -> bool:
    low, high = span.lower, span.upper
    return (low is None or position >= low - tolerance) and (high is None or position <= high + tolerance)


def _position(joint: TreeJoint, T: Array, last: float) -> float:
    """The position of a joint that moves its child by T; an angle is the one nearest to the last."""
    (simple,) = joint.chain
    if simple.type is JointType.PRISMATIC:
        return float(simple.axis @ T[:3, 3])
    R, u = T[:3, :3], simple.axis
    sine = float(u @ np.array([R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]])) / 2
    angle = np.arctan2(sine, (float(np.trace(R)) - 1) / 2)
    return float(angle + 2 * np.pi * np.round((last - angle) / (2 * np.pi)))
