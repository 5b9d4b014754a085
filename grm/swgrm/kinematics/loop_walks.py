"""Many closed configurations of a robot with loops at once, reached from the assembled pose without opening a loop.

Walkers start at the assembled pose. Each step goes along the directions that the loops leave free, by a random length,
and is closed again by Newton's method, all walkers at once; one that would leave the ranges of its joints goes to their
limits, one that does not close goes less far, and both take another direction. So every state can be reached, and other
assembly modes are not.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from swgrm.kinematics.closed_loops import axis_triple, between_sides
from swgrm.kinematics.joint_ranges import JointSpan, joint_span
from swgrm.model import JointType, LoopJoint, Robot
from swgrm.transforms import rotation_vectors

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from swgrm.kinematics.forward import Poses
    from swgrm.transforms import Array

    Mask = NDArray[np.bool_]

WALKERS = 128
STRIDE = 0.1  # of the joints' ranges: the longest step
SHORTEST = 0.02  # of the longest step
TURN = 0.03  # of the joints' ranges: how much the direction of a walker changes from one step to the next
PARTS = 2  # of a step are tried until one is in the ranges
ITERATIONS = 8  # of Newton's method
CLOSED = 1e-8  # [m and rad] a loop with smaller gaps is closed
SCALAR = (JointType.REVOLUTE, JointType.PRISMATIC, JointType.SCREW)
DAMPING = 1e-12  # relative: keeps redundant equations solvable


class LoopWalks:
    """Closed configurations of the joints in a robot's loops; all arrays have the walkers along their first axis."""

    def __init__(self, robot: Robot) -> None:
        self.robot, self.loops = robot, robot.mechanism.loops
        self.kinematics = self.loops.kinematics
        self.spans = robot.mechanism.ranges
        self._followers = self.kinematics.followers
        self.joints = self.loops.joints

    def states(self, count: int, random: np.random.Generator) -> dict[str, Array]:
        """At least `count` closed configurations, if there is motion; the assembled pose alone if it is not closed."""
        here = {name: np.repeat(at[None], WALKERS, axis=0) for name, at in self.loops.start().items()}
        start, is_closed = self._closed(here)
        found = [{name: start[name][:1] for name in self.joints}]
        if not is_closed.all():
            return found[0]
        here, going = start, self._free(start, random.normal(size=(WALKERS, self.loops.size)))
        for _ in range(math.ceil(count / WALKERS)):
            here, is_whole = self._stepped(here, going * random.uniform(SHORTEST, 1.0, (WALKERS, 1)))
            fresh = self._scale * random.normal(size=going.shape)
            going = self._free(here, np.where(is_whole[:, None], going + TURN * fresh, fresh))
            found.append({name: here[name] for name in self.joints})
        return {name: np.concatenate([each[name] for each in found]) for name in self.joints}

    # ---- steps

    def _stepped(self, here: dict[str, Array], step: Array) -> tuple[dict[str, Array], Mask]:
        """The configurations after a step, or after a part of it that is possible, and which steps are whole."""
        share = np.ones(WALKERS)
        for _ in range(1 + PARTS):
            there, is_closed = self._closed(self.loops.moved(here, share[:, None] * step))
            is_good = is_closed & self._is_inside(there)
            if is_good.all():
                break
            part = np.where(is_closed, self._part(here, there), 0.5)
            share = np.where(is_good, share, share * part)
        return {name: _where(is_good, there[name], here[name]) for name in here}, is_good & (share == 1.0)

    def _part(self, here: Mapping[str, Array], there: Mapping[str, Array]) -> Array:
        """The part of the way at which the first joint is at its limit, if they move evenly.  # (w,)."""
        part = np.ones(WALKERS)
        for (span, start), (_, end) in zip(self._limited(here), self._limited(there), strict=True):
            to_limit = np.where(end > start, span.high, span.low) - start
            is_beyond = np.abs(end - start) > np.abs(to_limit)
            part = np.minimum(part, np.divide(to_limit, end - start, out=np.ones(WALKERS), where=is_beyond))
        return np.asarray(part)

    @cached_property
    def _scale(self) -> Array:
        """The range of each column.  # (n,)."""
        scale = np.zeros(self.loops.size)
        for name in self.joints:
            span = self.spans.get(name)
            scale[self.loops.columns[name]] = math.pi if span is None else span.high - span.low
        return scale

    def _free(self, q: Mapping[str, Array], wanted: Array) -> Array:
        """The directions that are nearest to the wanted ones and open no loop, as long as a stride.  # (w, n)."""
        J = self.loops.jacobian(self.kinematics.poses(q)) * self._scale
        z = wanted / np.where(self._scale > 0, self._scale, 1.0)
        z = (z - _least(J, (J @ z[..., None])[..., 0])) * (self._scale > 0)
        length = np.abs(z).max(axis=1, keepdims=True)
        return np.asarray(STRIDE * self._scale * z / np.where(length > 1e-9, length, np.inf))

    def _closed(self, q: dict[str, Array]) -> tuple[dict[str, Array], Mask]:
        """The nearest closed configurations, and which of them are closed."""
        for _ in range(ITERATIONS):
            poses = self.kinematics.poses(q)
            gap = self.loops.gaps(poses)
            is_closed = np.abs(gap).max(axis=1, initial=0.0) < CLOSED
            if is_closed.all():
                break
            step = -self._scale * _least(self.loops.jacobian(poses) * self._scale, gap)
            size = np.abs(step / np.where(self._scale > 0, self._scale, 1.0)).max(axis=1, keepdims=True)
            step *= np.minimum(1.0, 2 * STRIDE / np.maximum(size, 1e-300))
            q = self.loops.moved(q, np.where(is_closed[:, None], 0.0, step))
        return q, np.asarray(is_closed)

    def _is_inside(self, q: Mapping[str, Array]) -> Mask:
        inside = np.ones(WALKERS, bool)
        for span, at in self._limited(q):
            inside &= span.contains(at)
        return inside

    def _limited(self, q: Mapping[str, Array]) -> Iterator[tuple[JointSpan, Array]]:
        """The ranges of the joints of loops, and their positions."""
        scalars = {name: at for name, at in q.items() if at.ndim == 1}
        for name, at in self.kinematics.positions(scalars).items():
            span = self.spans.get(name)
            if span is not None and name in self._touched and not span.turns:
                yield span, at
        poses = self.kinematics.poses(q)
        for loop in self.robot.loop_joints:
            limits = loop.joint.limits
            if loop.joint.type in SCALAR and (limits.lower is not None or limits.upper is not None):
                yield joint_span(loop.joint), _loop_position(loop, poses)

    @cached_property
    def _touched(self) -> set[str]:
        """The joints of the loops and those that follow them."""
        return {*self.joints, *(name for name, each in self._followers.items() if set(each.terms) & set(self.joints))}


def _least(J: Array, gap: Array) -> Array:
    """The least step x with J x = gap: x = Jᵀ (J Jᵀ + λ I)⁻¹ gap.  # (w, n)."""
    A = J @ np.swapaxes(J, -1, -2)
    damping = DAMPING * np.trace(A, axis1=-2, axis2=-1)[:, None, None] + 1e-300
    y = np.linalg.solve(A + damping * np.eye(A.shape[-1]), gap[..., None])
    return np.asarray((np.swapaxes(J, -1, -2) @ y)[..., 0])


def _loop_position(loop: LoopJoint, poses: Poses) -> Array:
    """The positions of a joint that closes a loop; angles from −π to π.  # (w,)."""
    T = between_sides(loop, poses)
    a, _, _ = axis_triple(loop.joint.axis)
    displacement = T[..., :3, 3] if loop.joint.type is JointType.PRISMATIC else rotation_vectors(T[..., :3, :3])
    return np.asarray(displacement @ a)


def _where(mask: Mask, one: Array, other: Array) -> Array:
    return np.asarray(np.where(mask.reshape(-1, *([1] * (one.ndim - 1))), one, other))
