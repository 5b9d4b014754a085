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
    "setting-ignored": Code(WARNING, "The setting `{setting}` has no effect on a {type} joint.", "Remove the setting."),
    "type-overridden": Code(WARNING, "The settings make this a {type} joint; without them it is {old}."),
    # Mass properties.
    "density-default": Code(
        WARNING,
        "The part has no material, so SolidWorks uses the density of water ({density:g} kg/m³).",
        "Assign a material in SolidWorks.",
    ),
    "mass-of-assembly": Code(
        NOTE,
        "The mass was entered by hand for the whole sub-assembly, so its parts have no mass of their own.",
    ),
    "mass-overridden": Code(
        NOTE,
        "Mass properties of the part were entered by hand in SolidWorks: {quantities}.",
    ),
    "mass-unchecked": Code(NOTE, "The mesh of the part is not closed, so the mass is not compared with it."),
    "mass-unknown": Code(
        WARNING,
        "SolidWorks returned no mass properties, so the component has no mass.",
        "Give it a mass in the settings, section `mass`.",
    ),
    # Meshes.
    "mesh-absent": Code(WARNING, "{count} of {total} mesh files do not exist: {files}.", "Check the paths."),
    "mesh-centre": Code(
        WARNING,
        "The centre of mass is at {stated} m and that of the mesh at {expected} m: they are {distance:.4g} m apart, "
        "{share:.0%} of the size.",
        "Check the material and the overridden mass properties of the parts.",
    ),
    "mesh-elsewhere": Code(
        NOTE,
        "{count} of {total} mesh files are in packages that were not found: {files}.",
    ),
    "mesh-hollow": Code(NOTE, "The mesh encloses no volume, so mass and inertia tensor are not compared with it."),
    "mesh-mass": Code(
        WARNING,
        "The mass is {stated:.6g} kg, but the mesh at {density:g} kg/m³ has {expected:.6g} kg.",
        "Check the material and the overridden mass properties of the part.",
    ),
    "mesh-open": Code(NOTE, "The mesh is not closed, so mass and inertia tensor are compared only roughly."),
    "mesh-readback": Code(ERROR, "A mesh file differs from the tessellation when it is read back: {problem}."),
    "mesh-tensor": Code(
        WARNING,
        "The inertia tensor is {stated} kg m² and that of the mesh {expected} kg m²: they differ by {share:.0%}.",
        "Check the material and the overridden mass properties of the parts.",
    ),
    "mesh-tensor-sign": Code(
        WARNING,
        "The inertia tensor is {stated} kg m² and that of the mesh {expected} kg m²: they differ by {share:.0%}, but "
        "agree if the products of inertia change their sign.",
        "Use the other sign convention for the products of inertia.",
    ),
    "mesh-unreadable": Code(WARNING, "A mesh cannot be compared with the mass: {problem}"),
    "triangles-missing": Code(
        WARNING,
        "SolidWorks returned no triangles, so the component is not visible in the robot.",
        "Check that the component is resolved and has visible bodies.",
    ),
    # Lowering a robot to what a format can hold.
    "ball-split": Code(NOTE, "The format has no ball joints; this one is written as three revolute joints ({joints})."),
    "capsule-split": Code(NOTE, "The format has no capsules; a capsule is written as a cylinder and two spheres."),
    "coupling-resolved": Code(
        NOTE,
        "The joint follows `{follower}`, which follows another joint; it is written as following `{leader}`.",
    ),
    "frames-dropped": Code(NOTE, "{count} frames that nothing refers to are left out."),
    "links-merged": Code(NOTE, "The format has one link per frame; {links} are merged into the first of them."),
    "loop-cut": Code(
        WARNING,
        "The format has no loops; the {type} joint between `{parent}` and `{child}` is cut. The frames "
        "`{parent_side}` and `{child_side}` mark its two sides and keep its data as `loop` properties, which "
        "simulators ignore.",
        "Close the loop in the simulator.",
    ),
    "merged-rigid": Code(NOTE, "{count} rigid frames are merged into the bodies that carry them."),
    "reference-lost": Code(
        WARNING,
        "The property `{key}` refers to `{name}`, which is split, cut or merged in the file.",
        "Correct the reference in the file.",
    ),
    "relation-coupled": Code(
        NOTE,
        "The format has no relations among joints; `{follower}` is written as following `{leader}`.",
    ),
    "relation-dropped": Code(
        WARNING,
        "The format has no relations among joints; this one is not written: {relation}.",
        "Keep the joints in this relation in the controller.",
    ),
    "renamed": Code(NOTE, "The {kind} is written as `{name}`, because the format does not allow its own name."),
    "screw-split": Code(
        NOTE,
        "The format has no screw joints; this one is written as a revolute joint and a prismatic joint that follows "
        "it ({joints}).",
    ),
    "virtual-inertia": Code(
        NOTE,
        "{count} moving links without mass are written with {mass:g} kg, because simulators reject massless links: "
        "{links}.",
    ),
    # URDF and the ROS 2 package.
    "limit-default": Code(
        NOTE,
        "The <limit> has neither `lower` nor `upper`. Both are zero by default in URDF, so the joint cannot move.",
    ),
    "limit-missing": Code(
        WARNING,
        "A {type} joint needs a <limit> and has none; it is read as unlimited.",
        "Add a <limit>.",
    ),
    "limits-assumed": Code(NOTE, "URDF needs values that the model does not have, so defaults are written: {values}."),
    "limits-dropped": Code(NOTE, "A {type} joint has no position limits in URDF; {lower} and {upper} are not read."),
    "material-conflict": Code(NOTE, "The material is defined in several ways; this definition is read as `{name}`."),
    "prop-unwritable": Code(WARNING, "The property `{key}` cannot be written: {reason}."),
    "remark-stale": Code(NOTE, "The <swgrm> element refers to this {kind}, which is no longer in the file."),
    "sensor-misspelt": Code(NOTE, "The sensor type `{type}` is read as `{meant}`."),
    "sensor-unplaced": Code(
        WARNING,
        "The sensor has no <parent>; it is attached to the root link.",
        "Add a <parent>.",
    ),
    "setting-overridden": Code(WARNING, "A ROS 2 package uses `{value}` here; the setting `{given}` is ignored."),
    "tensor-assumed": Code(NOTE, "The link has a mass but no inertia tensor; zeros are written."),
    # RobotInfo.
    "robotinfo-coupling": Code(
        WARNING,
        "RobotInfo has no couplings; the joint is written as passive, and the controller must set it to {law}.",
    ),
    "robotinfo-default": Code(
        NOTE,
        "RobotInfo needs a limit on {quantity} above zero and the model has none; {value:g} is written.",
    ),
    "robotinfo-ignored": Code(WARNING, "Robot Raconteur's parser ignores this field, because it can be of any type."),
    "robotinfo-joint-left-out": Code(NOTE, "The joint is in none of the chosen chains and is not written."),
    "robotinfo-joint-unused": Code(WARNING, "The joint is in no chain and is not read."),
    "robotinfo-link-count": Code(
        WARNING,
        "The list has {count} entries for {links} links; extra entries are not read.",
    ),
    "robotinfo-massless": Code(NOTE, "The link has no mass; its entry in `link_inertias` is zero."),
    "robotinfo-misindexed": Code(
        WARNING,
        "RobotUtil and general_robotics_toolbox give this chain the types, limits and names of the robot's first "
        "joints, whatever its `joint_numbers` are.",
        "Write one file per chain for them (option `split`).",
    ),
    "robotinfo-misread": Code(
        WARNING,
        'Robot Raconteur\'s parser reads the text "{text}" as true.',
        "Remove the quotes.",
    ),
    "robotinfo-prop": Code(WARNING, "The property `{key}` does not fit RobotInfo. {problem}"),
    "robotinfo-prop-computed": Code(
        NOTE,
        "The property `{key}` is ignored, because the value follows from the model.",
    ),
    "robotinfo-quaternion": Code(
        WARNING,
        "The quaternion has length {length:.9g} instead of one; it is normalised here, but not by other programs.",
    ),
    "robotinfo-refused": Code(WARNING, "Not accepted by {programs}: {reason}."),
    "robotinfo-unknown-key": Code(WARNING, "The key `{key}` is not known, and other programs ignore it.{hint}"),
    "robotinfo-unlimited": Code(
        NOTE,
        "RobotInfo needs position limits; the missing {bounds} limit is written as ±{value:g}.",
    ),
    "robotinfo-wrong": Code(WARNING, "The value does not fit the RobotInfo schema: {problem}"),
    # Exporting.
}
