"""The coordinates of a tree: which joint moves which body, for limits and couplings."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from swgrm.inference.mechanism.joint_chain import Move
from swgrm.inference.geometry.twists import Array, exponential
from swgrm.inference.joints.joint_tree import Tree
from swgrm.model import JointType

Key = tuple[int, int]  # the child body of the joint, the move in its chain


@dataclass(frozen=True, slots=True, eq=False)
class Coordinate:
    """One scalar joint of the tree, at the assembled pose."""

    key: Key
    move: Move

    @property
    def twist(self) -> Array:
        """Its unit twist, in the assembly's space."""
        unit: Array = self.move.twists[0]
        return unit

    def motion(self, q: Array, sign: float) -> Array:
        """Where it takes what it moves, for many positions.  # (n,) → (n, 4, 4)."""
        return exponential(sign * np.asarray(q)[:, None] * self.twist)


class Coordinates:
    """The scalar joints of a tree, and the ways to its bodies."""

    def __init__(self, tree: Tree) -> None:
        self._joint = {joint.child: joint for joint in tree.joints}
        self._depth = dict.fromkeys(tree.bodies, 0)
        for joint in tree.joints:
            self._depth[joint.child] = self._depth[joint.parent] + 1

    def own(self, body: int) -> list[Coordinate]:
        """The scalar joints between a body and its parent."""
        joint = self._joint.get(body)
        moves = enumerate(joint.chain) if joint else ()
        return [Coordinate((body, k), move) for k, move in moves if move.type is not JointType.BALL]

    def between(self, first: int, second: int) -> list[tuple[Coordinate, float]]:
        """The scalar joints that move the second body relative to the first, with the sign of that motion."""
        result: list[tuple[Coordinate, float]] = []
        while first != second:
            if self._depth[first] > self._depth[second]:
                result += [(coordinate, -1.0) for coordinate in self.own(first)]
                first = self._joint[first].parent
            elif second in self._joint:
                result += [(coordinate, 1.0) for coordinate in self.own(second)]
                second = self._joint[second].parent
            elif first in self._joint:
                result += [(coordinate, -1.0) for coordinate in self.own(first)]
                first = self._joint[first].parent
            else:
                break  # two trees that are held to each other as they are
        return result
