"""The table of findings: every code with its severity, its sentence and its remedy.

A sentence has the facts of the case as `{fields}`; `Findings.add` fills them in. A remedy is what the user can do; it
is empty where nothing needs to be done. Each code has one meaning. docs/findings.md is generated from this table, and a
test compares it with every code that the program uses.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntEnum
from typing import NamedTuple


class Severity(IntEnum):
    """How much a finding matters: a note informs, a warning needs a look, an error makes the result wrong."""

    NOTE = 0
    WARNING = 1
    ERROR = 2


class Code(NamedTuple):
    """A kind of finding."""

    severity: Severity
    sentence: str  # a template: {fields} are the facts
    remedy: str = ""


ERROR, WARNING, NOTE = Severity.ERROR, Severity.WARNING, Severity.NOTE

CODES: Mapping[str, Code] = {
    # The robot itself.
    "axis-not-unit": Code(
        WARNING,
        "The joint axis {axis} has length {length:.9g} instead of one; it is normalised on use.",
    ),
    "axis-zero": Code(ERROR, "The joint axis {axis} has no direction.", "Set the axis."),
    "composite-broken": Code(
        WARNING,
        "The joints {joints} do not form a {type} joint; they are treated as separate joints.",
        "Remove what was added between them, or the composite joint.",
    ),
    "composite-duplicate": Code(ERROR, "{count} composite joints have this name.", "Rename all but one."),
    "composite-joint": Code(ERROR, "The composite joint consists of the joint `{joint}`, which does not exist."),
    "coupling-circle": Code(ERROR, "The joint follows itself through other joints.", "Remove one of the couplings."),
    "coupling-missing": Code(ERROR, "The joint follows `{leader}`, which does not exist."),
    "coupling-ratio": Code(WARNING, "The joint follows `{leader}` with ratio 0, so it does not move."),
    "coupling-self": Code(ERROR, "The joint follows itself.", "Remove the coupling."),
    "coupling-type": Code(
        ERROR,
        "`{joint}` is a {type} joint: only joints whose position is one number can be coupled.",
    ),
    "cut-loop-frame": Code(ERROR, "The cut loop refers to frame `{frame}`, which does not exist."),
    "dynamics-negative": Code(ERROR, "Damping or friction is negative.", "Use zero or a positive number."),
    "frame-duplicate": Code(ERROR, "{count} frames have this id.", "Rename all but one."),
    "frame-unreachable": Code(ERROR, "The frame is not connected to the root: its parent `{parent}` {reason}."),
    "joint-duplicate": Code(ERROR, "{count} joints have this name.", "Rename all but one."),
    "joint-on-root": Code(ERROR, "The root frame has a joint but no parent.", "Remove the joint."),
    "limit-negative": Code(ERROR, "The limit on {quantity} is negative ({value})."),
    "limits-ignored": Code(NOTE, "A {type} joint cannot have position limits; they are ignored."),
    "limits-reversed": Code(ERROR, "The lower limit {lower} is above the upper limit {upper}.", "Swap the limits."),
    "limits-without-zero": Code(NOTE, "The zero position is outside the limits {lower} to {upper}."),
    "link-duplicate": Code(ERROR, "{count} links have this name.", "Rename all but one."),
    "loop-frame-missing": Code(ERROR, "The loop joint refers to frame `{frame}`, which does not exist."),
    "loop-open": Code(WARNING, "At the zero position the two sides of the loop joint are {gap:.3g} m or rad apart."),
    "mass-missing": Code(
        NOTE,
        "The moving body has no mass; most simulators refuse it.",
        "Give it a mass or a material.",
    ),
    "mass-negative": Code(ERROR, "The mass is negative ({mass} kg)."),
    "mass-zero": Code(WARNING, "The mass is zero."),
    "material-duplicate": Code(ERROR, "{count} materials have this name.", "Rename all but one."),
    "material-unknown": Code(ERROR, "A shape uses the material `{material}`, which the robot does not have."),
    "mesh-file-missing": Code(ERROR, "The mesh file `{uri}` does not exist in {folder}."),
    "mesh-unnamed": Code(ERROR, "A mesh has no file name."),
    "name-empty": Code(ERROR, "A {kind} has no name."),
    "name-illegal": Code(ERROR, "The name contains control characters or has blanks at its ends.", "Rename it."),
    "not-finite": Code(ERROR, "The {quantity} is not finite: {values}."),
    "pitch-ignored": Code(WARNING, "The {type} joint has a pitch of {pitch} m; only screw joints use one."),
    "quaternion-not-unit": Code(
        WARNING,
        "The quaternion {quaternion} has length {length:.9g} instead of one; it is normalised on use.",
    ),
    "quaternion-zero": Code(ERROR, "The quaternion {quaternion} does not describe a rotation."),
    "relation-contradictory": Code(
        ERROR,
        "The relation contradicts other relations or couplings.",
        "Remove one of them or correct its offset.",
    ),
    "relation-empty": Code(ERROR, "The relation has no joints.", "Remove it."),
    "relation-joint": Code(ERROR, "The relation has the joint `{joint}`, which does not exist."),
    "relation-redundant": Code(
        WARNING, "The relation follows from other relations or couplings.", "Remove one of them."
    ),
    "relation-type": Code(
        ERROR,
        "`{joint}` is a {type} joint: only joints whose position is one number can be in a relation.",
    ),
    "relation-zero": Code(WARNING, "The coefficient of `{joint}` is zero, so the relation does not concern the joint."),
    "rgba-range": Code(WARNING, "The colour {rgba} is outside 0 to 1."),
    "root-missing": Code(ERROR, "Every frame has a parent, so there is no root."),
    "root-several": Code(ERROR, "{count} frames have no parent: {frames}. There must be exactly one root."),
    "safety-reversed": Code(WARNING, "The lower soft limit is above the upper one.", "Swap the limits."),
    "screw-without-pitch": Code(WARNING, "The pitch is zero, so the screw joint only rotates.", "Set the pitch."),
    "sensor-duplicate": Code(ERROR, "{count} sensors have this name.", "Rename all but one."),
    "sensor-rate": Code(ERROR, "The update rate must be positive; it is {rate} Hz."),
    "sensor-type": Code(NOTE, "The sensor type `{type}` is not one of the usual ones ({usual})."),
    "size-not-positive": Code(ERROR, "The size of the {shape} must be positive; it is {size}."),
    "tensor-missing": Code(NOTE, "The body has a mass of {mass} kg but no inertia tensor."),
    "tensor-not-positive": Code(ERROR, "The principal moments {moments} kg m² must all be positive."),
    "tensor-triangle": Code(
        ERROR,
        "No body has the principal moments {moments} kg m²: the two smaller must add up to at least the largest.",
    ),
    "transmission-duplicate": Code(ERROR, "{count} transmissions have this name.", "Rename all but one."),
    "transmission-joint": Code(ERROR, "The transmission drives the joint `{joint}`, which does not exist."),
    # Reading from SolidWorks.
    # Inference of joints from mates.
    # Settings and edits.
    # Mass properties.
    # Meshes.
    # Lowering a robot to what a format can hold.
    # URDF and the ROS 2 package.
    # RobotInfo.
    # Exporting.
}
