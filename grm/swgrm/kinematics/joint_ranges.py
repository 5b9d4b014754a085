"""The range of every joint of one number, with an assumption where the model has none.

    both limits    from the lower to the upper
    none           one revolution about zero, or TRAVEL to both sides of it
    lower alone    as far as without limits, 2π or 2 TRAVEL, from the lower upwards
    upper alone    the same from the upper downwards

A joint with one limit has its assumed end on the permitted side of that limit, wherever zero is.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from swgrm.model import Joint, JointType, Robot

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from swgrm.transforms import Array

TRAVEL = 0.25  # [m] of a prismatic joint without limits, to each side
SLACK = 1e-6  # relative to the range: how far a position may be outside by rounding


class JointSpan(NamedTuple):
    """The positions that a joint takes [rad or m]."""

    low: float
    high: float
    turns: bool = False  # a rotation without limits, which has no ends

    @property
    def default(self) -> float:
        """Zero, or the middle of the range if zero is outside it: what MoveIt takes as the default."""
        return 0.0 if self.low <= 0 <= self.high else (self.low + self.high) / 2

    @property
    def nearest_to_zero(self) -> float:
        """Zero, or the end of the range that is nearest to it."""
        return min(max(0.0, self.low), self.high)

    def contains(self, at: Array) -> NDArray[np.bool_]:
        """Whether positions are in the range."""
        if self.turns:
            return np.ones(np.shape(at), bool)
        slack = SLACK * max(self.high - self.low, 1e-9)
        return np.asarray((at >= self.low - slack) & (at <= self.high + slack))


def joint_span(joint: Joint) -> JointSpan:
    """The range of a joint of one number."""
    low, high = joint.limits.lower, joint.limits.upper
    if low is not None and high is not None:
        return JointSpan(min(low, high), max(low, high))
    reach = TRAVEL if joint.type is JointType.PRISMATIC else math.pi
    if low is None and high is None:
        return JointSpan(-reach, reach, turns=joint.type is not JointType.PRISMATIC)
    if low is not None:
        return JointSpan(low, low + 2 * reach)
    return JointSpan((high or 0.0) - 2 * reach, high or 0.0)


def joint_spans(robot: Robot) -> Mapping[str, JointSpan]:
    """The ranges of all moving joints of one number, by name."""
    return {
        name: joint_span(frame.joint)
        for name, frame in robot.joints.items()
        if frame.joint and not frame.is_rigid and frame.joint.type is not JointType.BALL
    }
