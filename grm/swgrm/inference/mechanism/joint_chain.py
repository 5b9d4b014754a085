"""Chains of simple joints: several degrees of freedom as joints one after another."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import numpy as np

from swgrm.inference.geometry.plain_vectors import cross as plain_cross
from swgrm.inference.geometry.twists import Array, cross
from swgrm.model import JointType


class SimpleJoint(msgspec.Struct, frozen=True, eq=False, gc=False):
    """A simple joint at the assembled pose: its type, its axis and a point on it, in the assembly's space."""

    type: JointType
    axis: Array  # (3,) unit; not used for a ball joint
    point: Array  # (3,) [m]; not used for a prismatic joint
    pitch: float = 0.0  # [m/rad], screws only

    @property
    def twists(self) -> Array:
        """The unit twists of its coordinates: one, or a ball's three.  # (k, 6)."""
        return np.array(self.twist_rows)

    @property
    def twist_rows(self) -> list[tuple[float, ...]]:
        """As `twists`; in plain numbers, because these are faster one by one."""
        if self.type is JointType.PRISMATIC:
            return [(0.0, 0.0, 0.0, *self.axis.tolist())]
        point = self.point.tolist()
        if self.type is JointType.BALL:
            return [_rotation(axis, point, 0.0) for axis in _AXES]
        return [_rotation(self.axis.tolist(), point, self.pitch)]

    @property
    def size(self) -> int:
        """The number of its coordinates."""
        return 3 if self.type is JointType.BALL else 1

    @property
    def inverted(self) -> SimpleJoint:
        """The same joint from its second body to its first."""
        return self if self.type is JointType.BALL else self.along(-self.axis)

    def along(self, axis: Array) -> SimpleJoint:
        """The same joint with another axis."""
        return SimpleJoint(self.type, axis, self.point, self.pitch)


def _rotation(axis: Sequence[float], point: Sequence[float], pitch: float) -> tuple[float, ...]:
    """As `rotation_twist`, in plain numbers."""
    return (*axis, *(across + pitch * along for across, along in zip(plain_cross(point, axis), axis, strict=True)))


_AXES = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
JointChain = tuple[SimpleJoint, ...]


def prismatic(axis: Array) -> SimpleJoint:
    """A prismatic joint."""
    return SimpleJoint(JointType.PRISMATIC, axis, np.zeros(3))


def revolute(axis: Array, point: Array) -> SimpleJoint:
    """A revolute joint."""
    return SimpleJoint(JointType.REVOLUTE, axis, point)


def ball(point: Array) -> SimpleJoint:
    """A ball joint."""
    return SimpleJoint(JointType.BALL, np.array([0.0, 0.0, 1.0]), point)


def screw(axis: Array, point: Array, pitch: float) -> SimpleJoint:
    """A screw joint; the pitch is in metres per radian."""
    return SimpleJoint(JointType.SCREW, axis, point, pitch)


def twists_of(chain: JointChain) -> Array:
    """The unit twists of a chain's coordinates at the assembled pose, in order.  # (d, 6)."""
    return np.array(twist_rows_of(chain)).reshape(-1, 6)


def twist_rows_of(chain: JointChain) -> list[tuple[float, ...]]:
    """As `twists_of`, in plain numbers."""
    return [row for simple in chain for row in simple.twist_rows]


def inverted(chain: JointChain) -> JointChain:
    """The chain that leads from the second body to the first."""
    return tuple(simple.inverted for simple in reversed(chain))


def name_of(chain: JointChain) -> str:
    """The usual name of a chain (revolute, planar …), else its letters: R revolute, P prismatic, S ball, H screw."""
    if len(chain) == 1:
        return _NAMES[_LETTERS[chain[0].type]]
    letters = "".join(_LETTERS[simple.type] for simple in chain)
    revolutes = [simple for simple in chain if simple.type is JointType.REVOLUTE]
    prismatics = [simple for simple in chain if simple.type is JointType.PRISMATIC]
    if sorted(letters) == ["P", "R"] and _parallel(revolutes[0].axis, prismatics[0].axis):
        return "cylindrical"
    if letters in ("PPR", "RPP") and all(abs(revolutes[0].axis @ simple.axis) < 1e-6 for simple in prismatics):
        return "planar"
    return _NAMES.get(letters, f"chain {letters}")


def _parallel(a: Array, b: Array) -> bool:
    return bool(np.sqrt(np.add.reduce(cross(a, b) ** 2)) < 1e-6)


_LETTERS = {
    JointType.REVOLUTE: "R",
    JointType.PRISMATIC: "P",
    JointType.BALL: "S",
    JointType.SCREW: "H",
    JointType.FIXED: "",
}
_NAMES = {
    "": "fixed",
    "R": "revolute",
    "P": "prismatic",
    "H": "screw",
    "S": "ball",
    "RR": "universal",
    "PPPS": "floating",
    "SPPP": "floating",
}
