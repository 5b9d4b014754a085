"""Chains of simple joints: several degrees of freedom as joints one after another."""

from __future__ import annotations

import msgspec
import numpy as np

from swgrm.inference.geometry.twists import Array, Mask, cross, exponential, rotation_twist, translation_twist
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
        if self.type is JointType.PRISMATIC:
            return translation_twist(self.axis)[None]
        if self.type is JointType.BALL:
            return rotation_twist(np.eye(3), np.broadcast_to(self.point, (3, 3)))
        return rotation_twist(self.axis, self.point, self.pitch)[None]

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
    return np.concatenate([simple.twists for simple in chain]) if chain else np.zeros((0, 6))


def inverted(chain: JointChain) -> JointChain:
    """The chain that leads from the second body to the first."""
    return tuple(simple.inverted for simple in reversed(chain))


def motion(chain: JointChain, q: Array) -> Array:
    """Where the second body goes relative to the first: exp(ξ₁q₁) exp(ξ₂q₂) ….  # (4, 4)."""
    T = np.eye(4)
    for step in exponential(twists_of(chain) * np.asarray(q)[:, None]):
        T = T @ step
    return T


def is_rotational(chain: JointChain) -> Mask:
    """Whether each coordinate of a chain is an angle; the others are lengths.  # (d,)."""
    turning: Mask = (twists_of(chain)[:, :3] != 0).any(axis=1, keepdims=True)[:, 0]
    return turning


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
    return bool(np.linalg.norm(cross(a, b)) < 1e-6)


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
