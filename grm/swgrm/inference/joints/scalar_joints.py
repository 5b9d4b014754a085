"""The scalar joints of a tree (one coordinate each): which of them moves which body, for limits and couplings."""

from __future__ import annotations

from functools import cached_property
from typing import NamedTuple

import numpy as np
from msgspec import Struct

from swgrm.inference.geometry.twists import Array, exponential
from swgrm.inference.joints.joint_tree import JointTree
from swgrm.inference.mechanism.joint_chain import SimpleJoint
from swgrm.model import JointType

JointKey = tuple[int, int]  # the child body of the joint, the simple joint in its chain


class MateUse(NamedTuple):
    """A limit or coupling mate that acts on a joint, and a note on what was assumed of it."""

    joint: JointKey
    mate: int
    note: str = ""


class ScalarJoint(Struct, frozen=True, eq=False, dict=True):
    """One scalar joint of the tree, at the assembled pose."""

    key: JointKey
    joint: SimpleJoint

    @cached_property
    def twist(self) -> Array:
        """Its unit twist, in the assembly's space."""
        unit: Array = self.joint.twists[0]
        return unit

    def motion(self, q: Array, sign: float) -> Array:
        """The motions of the bodies behind it at many positions.  # (n,) → (n, 4, 4)."""
        return exponential(sign * np.asarray(q)[:, None] * self.twist)


class ScalarJoints:
    """The scalar joints of a tree, and the paths between its bodies."""

    def __init__(self, tree: JointTree) -> None:
        self._joint = {joint.child: joint for joint in tree.joints}
        self._depth = dict.fromkeys(tree.bodies, 0)
        for joint in tree.joints:
            self._depth[joint.child] = self._depth[joint.parent] + 1

    def own(self, body: int) -> list[ScalarJoint]:
        """The scalar joints between a body and its parent."""
        joint = self._joint.get(body)
        chain = enumerate(joint.chain) if joint else ()
        return [ScalarJoint((body, k), simple) for k, simple in chain if simple.type is not JointType.BALL]

    def path(self, first: int, second: int) -> list[tuple[ScalarJoint, float]] | None:
        """As `between`; None if a ball joint is in the way, or the bodies are not connected."""
        above = [self._above(body) for body in (first, second)]
        if above[0][-1] != above[1][-1]:
            return None
        balls = {body for body in {*above[0]} ^ {*above[1]} if self._has_ball(body)}
        return None if balls else self.between(first, second)

    def _above(self, body: int) -> list[int]:
        """The body and those that carry it, up to the root."""
        found = [body]
        while found[-1] in self._joint:
            found.append(self._joint[found[-1]].parent)
        return found

    def _has_ball(self, body: int) -> bool:
        return body in self._joint and any(s.type is JointType.BALL for s in self._joint[body].chain)

    def carriers(self, first: int, second: int) -> list[int]:
        """The bodies that may carry two others: the nearest common one, those between it and them, those above it."""
        one, other = self._above(first), self._above(second)
        common = [body for body in one if body in other]
        between = [body for body in (*one[1:], *other[1:]) if body not in common]
        found = [*common[:1], *between, *common[1:]]
        return [body for body in found if body not in (first, second)]

    def chain(self, first: int, second: int) -> list[tuple[ScalarJoint, float]]:
        """As `between`, in the order of the bodies from the first to the second: their motions multiply in it."""
        one, other = self._above(first), self._above(second)
        rising = [body for body in one if body not in other]
        falling = [body for body in other if body not in one]
        up = [(scalar, -1.0) for body in rising for scalar in reversed(self.own(body))]
        return [*up, *((scalar, 1.0) for body in reversed(falling) for scalar in self.own(body))]

    def between(self, first: int, second: int) -> list[tuple[ScalarJoint, float]]:
        """The scalar joints that move the second body relative to the first, with the sign of that motion."""
        result: list[tuple[ScalarJoint, float]] = []
        while first != second:
            if self._depth[first] > self._depth[second]:
                result += [(scalar, -1.0) for scalar in self.own(first)]
                first = self._joint[first].parent
            elif second in self._joint:
                result += [(scalar, 1.0) for scalar in self.own(second)]
                second = self._joint[second].parent
            elif first in self._joint:
                result += [(scalar, -1.0) for scalar in self.own(first)]
                first = self._joint[first].parent
            else:
                break  # two trees that no mate connects
        return result
