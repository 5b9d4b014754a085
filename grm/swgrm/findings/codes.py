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
    """How much a finding matters: a note informs, a warning needs review, an error makes the result wrong."""

    NOTE = 0
    WARNING = 1
    ERROR = 2


class Code(NamedTuple):
    """A kind of finding."""

    severity: Severity
    sentence: str  # a template: {fields} are the facts
    remedy: str = ""  # as it is printed: without facts


ERROR, WARNING, NOTE = Severity.ERROR, Severity.WARNING, Severity.NOTE

CODES: Mapping[str, Code] = {
    # The robot itself.
    "axis-not-unit": Code(
        WARNING,
        "The joint axis {axis} has length {length:.9g} instead of one; it is normalised on use.",
    ),
    "axis-zero": Code(
        ERROR, "The joint axis {axis} has length zero, so it has no direction.", "Set the direction of the axis."
    ),
    "composite-broken": Code(
        WARNING,
        "The joints {joints} do not form a {type} joint; they are treated as separate joints.",
        "Remove what was added between them, or the composite joint.",
    ),
    "composite-duplicate": Code(ERROR, "{count} composite joints have this name.", "Rename all but one."),
    "composite-joint": Code(
        ERROR,
        "The composite joint consists of the joint `{joint}`, which does not exist.",
        "Correct the name of the joint, or remove the composite joint.",
    ),
    "coupling-circle": Code(ERROR, "The joint follows itself through other joints.", "Remove one of the couplings."),
    "coupling-missing": Code(
        ERROR,
        "The joint follows `{leader}`, which does not exist.",
        "Correct the name of the joint to follow, or remove the coupling.",
    ),
    "coupling-ratio": Code(
        WARNING,
        "The joint follows `{leader}` with ratio 0, so it does not move.",
        "Set another ratio, or make the joint fixed.",
    ),
    "coupling-self": Code(ERROR, "The joint follows itself.", "Remove the coupling."),
    "coupling-type": Code(
        ERROR,
        "`{joint}` is a {type} joint, but only joints whose position is one number can be coupled.",
        "Remove the coupling.",
    ),
    "cut-loop-frame": Code(
        ERROR,
        "The cut loop refers to frame `{frame}`, which does not exist.",
        "Correct the id of the frame, or remove the cut loop.",
    ),
    "dynamics-negative": Code(ERROR, "Damping or friction is negative.", "Use zero or a positive number."),
    "frame-duplicate": Code(ERROR, "{count} frames have this id.", "Rename all but one."),
    "frame-unreachable": Code(
        ERROR,
        "The frame is not connected to the root: its parent `{parent}` {reason}.",
        "Correct the parent of the frame.",
    ),
    "joint-duplicate": Code(ERROR, "{count} joints have this name.", "Rename all but one."),
    "joint-on-root": Code(ERROR, "The root frame has a joint but no parent.", "Remove the joint."),
    "limit-negative": Code(ERROR, "The limit on {quantity} is negative ({value}).", "Use a positive number."),
    "limits-ignored": Code(NOTE, "A {type} joint cannot have position limits; they are ignored."),
    "limits-reversed": Code(ERROR, "The lower limit {lower} is above the upper limit {upper}.", "Swap the limits."),
    "limits-without-zero": Code(
        NOTE,
        "The zero position is outside the limits {lower} to {upper}.",
        "To move the zero position, use `zero` under `joints` in the settings.",
    ),
    "link-duplicate": Code(ERROR, "{count} links have this name.", "Rename all but one."),
    "loop-frame-missing": Code(
        ERROR,
        "The loop joint refers to frame `{frame}`, which does not exist.",
        "Correct the id of the frame, or remove the loop joint.",
    ),
    "loop-open": Code(
        WARNING,
        "At the zero position the two sides of the loop joint are {gap:.3g} m or rad apart.",
        "Check the poses of the frames on both sides of the joint.",
    ),
    "mass-missing": Code(
        NOTE, "The moving body has no mass; most simulators refuse such a body.", "Give it a mass or a material."
    ),
    "mass-negative": Code(ERROR, "The mass of the link is negative ({mass} kg).", "Correct the mass."),
    "mass-zero": Code(WARNING, "The mass of the link is zero.", "Set the mass, or remove the inertial properties."),
    "mass-zero-rigid": Code(NOTE, "Mass and inertia tensor of the rigid link are zero; it has no mass of its own."),
    "material-duplicate": Code(ERROR, "{count} materials have this name.", "Rename all but one."),
    "material-unknown": Code(
        ERROR,
        "A shape uses the material `{material}`, which the robot does not have.",
        "Add the material to the robot, or correct its name.",
    ),
    "mesh-file-missing": Code(
        ERROR, "The mesh file `{uri}` does not exist in the folder of the robot file.", "Check the file name."
    ),
    "mesh-unnamed": Code(ERROR, "A mesh has no file name.", "Set the file name of the mesh."),
    "name-empty": Code(ERROR, "A {kind} has no name.", "Give it a name."),
    "name-illegal": Code(ERROR, "The name contains control characters or has blanks at its ends.", "Rename it."),
    "not-finite": Code(ERROR, "The {quantity} is not finite: {values}.", "Correct the numbers."),
    "pitch-ignored": Code(
        WARNING,
        "The {type} joint has a pitch of {pitch} m; only screw joints use one.",
        "Remove the pitch, or make the joint a screw joint.",
    ),
    "quaternion-not-unit": Code(
        WARNING,
        "The quaternion {quaternion} has length {length:.9g} instead of one; it is normalised on use.",
    ),
    "quaternion-zero": Code(
        ERROR, "The quaternion {quaternion} does not describe a rotation.", "Use 0, 0, 0, 1 for no rotation."
    ),
    "relation-contradictory": Code(
        ERROR,
        "The relation contradicts other relations or couplings.",
        "Remove one of them or correct its offset.",
    ),
    "relation-empty": Code(ERROR, "The relation has no joints.", "Remove it."),
    "relation-joint": Code(
        ERROR,
        "The relation refers to the joint `{joint}`, which does not exist.",
        "Correct the name of the joint, or remove the relation.",
    ),
    "relation-redundant": Code(
        WARNING, "The relation follows from other relations or couplings.", "Remove one of them."
    ),
    "relation-type": Code(
        ERROR,
        "`{joint}` is a {type} joint, but only joints whose position is one number can be in a relation.",
        "Remove the joint from the relation.",
    ),
    "relation-zero": Code(
        WARNING,
        "The coefficient of `{joint}` is zero, so the relation does not affect this joint.",
        "Remove the joint from the relation.",
    ),
    "rgba-range": Code(
        WARNING, "The colour {rgba} has components outside the range 0 to 1.", "Use numbers from 0 to 1."
    ),
    "root-missing": Code(
        ERROR, "Every frame has a parent, so there is no root.", "Remove the parent of the frame that is the root."
    ),
    "root-several": Code(
        ERROR,
        "{count} frames have no parent: {frames}. There must be exactly one root.",
        "Give all but one of them a parent.",
    ),
    "safety-reversed": Code(WARNING, "The lower soft limit is above the upper one.", "Swap the limits."),
    "screw-without-pitch": Code(WARNING, "The pitch is zero, so the screw joint only rotates.", "Set the pitch."),
    "sensor-duplicate": Code(ERROR, "{count} sensors have this name.", "Rename all but one."),
    "sensor-rate": Code(ERROR, "The update rate must be positive; it is {rate} Hz.", "Set a positive rate."),
    "sensor-type": Code(NOTE, "The sensor type `{type}` is not one of the usual ones ({usual})."),
    "size-not-positive": Code(ERROR, "The size of the {shape} must be positive; it is {size}.", "Correct the size."),
    "tensor-missing": Code(NOTE, "The body has a mass of {mass} kg but no inertia tensor.", "Set the inertia tensor."),
    "tensor-not-positive": Code(
        ERROR, "The principal moments {moments} kg m² must all be positive.", "Correct the inertia tensor."
    ),
    "tensor-triangle": Code(
        ERROR,
        "No rigid body can have the principal moments {moments} kg m²: the sum of the two smaller ones must "
        "be at least the largest.",
        "Correct the inertia tensor.",
    ),
    "too-large": Code(
        ERROR, "The {quantity} is too large to compute with: {values}.", "Correct the numbers; lengths are in metres."
    ),
    "transmission-duplicate": Code(ERROR, "{count} transmissions have this name.", "Rename all but one."),
    "transmission-joint": Code(
        ERROR,
        "The transmission drives the joint `{joint}`, which does not exist.",
        "Correct the name of the joint, or remove the transmission.",
    ),
    # Reading from SolidWorks.
    "body-without-triangles": Code(
        WARNING,
        "SolidWorks returned no triangles for the solid body `{body}`, neither those of the display nor new ones.",
        "Check that the component is resolved, rebuild the document (Ctrl+Q), and read it again.",
    ),
    "calls-failed": Code(NOTE, "Calls to SolidWorks failed while the document was read ({count}): {members}."),
    "command-in-progress": Code(
        WARNING,
        "Before reading, CommandInProgress was set in SolidWorks: another program is at work, or ended without undoing "
        "it. It was left as it is. While it is set, SolidWorks does not redraw its windows.",
        "If no other program uses SolidWorks and its windows are not redrawn, save your work and restart SolidWorks.",
    ),
    "default-used": Code(
        NOTE, "This call failed ({count} ×: {problem}); the robot does not depend on it, or another way was taken."
    ),
    "document-changed": Code(
        WARNING,
        "SolidWorks could not be restored to its state before reading: {problem}",
        "Check the document in SolidWorks.",
    ),
    "document-left-open": Code(WARNING, "SolidWorks did not close the document after reading.", "Close it by hand."),
    "document-marked": Code(
        NOTE, "SolidWorks marks the document as changed after reading it. No command of swgrm changes a document."
    ),
    "document-not-loaded": Code(
        WARNING,
        "SolidWorks did not load {path} (state {state} of the component, result {result} of resolving it). Its "
        "material, its properties and the mates in it are left out; bodies, mass and coordinate systems are those that "
        "SolidWorks returns through the component.",
        "Check that the file exists, resolve the component in SolidWorks, and read the assembly again.",
    ),
    "exploded": Code(
        NOTE, "The assembly was shown exploded. It was collapsed while it was read, and then exploded again."
    ),
    "exploded-inside": Code(
        WARNING,
        "The sub-assembly is shown exploded in its own window, so the poses in its file are wrong; its mates are read "
        "relative to them.",
        "Collapse the sub-assembly, and read the assembly again.",
    ),
    "mates-missing": Code(
        WARNING,
        "Mates of the components ({count}) are not in the feature trees that were read, and are not used: {mates}.",
        "Rebuild the document (Ctrl+Q) and try again.",
    ),
    "not-read": Code(
        WARNING,
        "It could not be read completely: {effect} ({member}: {problem}).",
        "Rebuild the document (Ctrl+Q) and try again; if the same is reported, send us the file of `swgrm report`.",
    ),
    "opened-for-writing": Code(
        NOTE,
        "SolidWorks opened the file read-only without its features and mates, so it was closed and opened for writing. "
        "Nothing was saved.",
    ),
    "opened-with-problem": Code(
        WARNING,
        "SolidWorks opened the file and reported a problem: {problem}.",
        "Open the file in SolidWorks by hand and check its messages.",
    ),
    "other-file": Code(
        WARNING,
        "The component refers to {path}, but SolidWorks loaded {loaded}.",
        "Close other documents with parts of the same name, and check the references of the assembly.",
    ),
    "speed-pak": Code(
        WARNING,
        "The sub-assembly is a SpeedPak: SolidWorks loads only some of its faces, so its mass, meshes and mates are "
        "incomplete.",
        "Use a configuration without SpeedPak.",
    ),
    # Inference of joints from mates.
    "base-floats": Code(
        WARNING,
        "The base of the robot is not held: mates to the assembly's own geometry leave it {dof} degrees of freedom.",
        "Fix the base component, or name it with `base: root` in the settings.",
    ),
    "base-free": Code(
        NOTE,
        "Nothing holds the base of the robot: no component is fixed or mated to the assembly's own geometry.",
        "Fix the base component unless the robot is mobile.",
    ),
    "cam-assumed": Code(
        WARNING,
        "SolidWorks reports only the first face of the cam, so the follower is assumed to stay on it.",
        "Check the motion; if the cam has other faces, leave the mate out with `ignore` under `mates` in the settings.",
    ),
    "clocking": Code(
        NOTE,
        "Without {mates}, {bodies} would be connected by a {joint} joint; with these mates that motion is blocked.",
        "If the mates only pose the model, list them under `mates: ignore` in the settings.",
    ),
    "clocking-loop": Code(
        WARNING,
        "The mate only holds a direction between {bodies}, and the loop that it is in moves less because of it.",
        "If the mate only poses the model, list it under `mates: ignore` in the settings.",
    ),
    "convention": Code(NOTE, "The base frame is {place}."),
    "copy": Code(NOTE, "The component has no mates of its own; it is mated like `{twin}`, which is the same part."),
    "copy-blocks": Code(
        WARNING,
        "Mates that were copied from another component of the same part would block joints between {bodies}; those to "
        "{left_out} are left out.",
        "Mate the component.",
    ),
    "copy-uncoupled": Code(
        NOTE,
        "The component is mated like `{twin}`, but without the coupling `{mate}`, whose other part does not reach it.",
        "If it moves with that part, use `follows` under `joints` in the settings.",
    ),
    "copy-undecided": Code(
        NOTE,
        "The component has no mates, and the other components of the same part are mated in different ways, or far "
        "from it.",
        "Mate the component.",
    ),
    "coupling-assumed": Code(NOTE, "The coupling assumes {assumption}.", "Check the direction of motion."),
    "coupling-blocks": Code(
        WARNING,
        "With this mate the closed loop that its joints are in cannot move.",
        "Check the ratio and the direction of the mate.",
    ),
    "coupling-duplicate": Code(
        WARNING,
        "The mate is not used: other mates already couple its joints, and with this one they could not move.",
        "Check the ratio and the direction of the mate.",
    ),
    "coupling-redundant": Code(NOTE, "The mate adds nothing: other mates couple its joints in the same way."),
    "coupling-unused": Code(
        WARNING,
        "The mate does not couple two joints: {reason}.",
        "Couple the joints with `follows` under `joints` in the settings.",
    ),
    "disconnected": Code(
        WARNING,
        "No usable mate connects the component to the base; it is fixed to the base where it is.",
        "Check for a missing mate.",
    ),
    "envelope": Code(NOTE, "The component is an envelope and is left out."),
    "fastener": Code(
        NOTE,
        "The component is a fastener ({signs}): it is rigid with the part that it is in.",
        "If it is not a fastener, set it to `false` under `fasteners` in the settings; to `pivot` if parts turn on it.",
    ),
    "fastener-holds": Code(
        WARNING,
        "Only this fastener connects {bodies}, so they are one body; by their mates they could move.",
        "If they move on it, set it to `pivot` under `fasteners` in the settings; if it is not a fastener, to `false`. "
        "`true` confirms that it clamps them.",
    ),
    "fixed-flexible": Code(
        NOTE, "The sub-assembly is fixed and flexible; its mates alone hold its parts, as in SolidWorks."
    ),
    "fixed-joint": Code(
        WARNING,
        "The component is fixed in SolidWorks, and so it cannot move. If it were not, it would be connected to {other} "
        "by a {joint} joint.",
        "If it moves, let it float in SolidWorks.",
    ),
    "gear-radii": Code(
        WARNING,
        "By its numbers, the second gear turns {ratio} times as far as the first; by the radii of the mated entities "
        "it would turn {by_radii} times as far. The numbers are used, as SolidWorks does.",
        "Move the gears in SolidWorks. If the numbers are the wrong way round, swap them in the mate.",
    ),
    "geometry-left-out": Code(
        NOTE,
        "Reference geometry was left out: {count} × {kind}.",
        "Include it with `frames` in the settings.",
    ),
    "geometry-unreadable": Code(
        NOTE,
        "SolidWorks returned unusable numbers for reference geometry ({count} ×), which is left out.",
        "Rebuild the assembly in SolidWorks.",
    ),
    "joint-axis-numbers": Code(
        WARNING,
        "The axis that the settings give for the joint's frame is {angle:.3g}° off the axis that the mates leave; the "
        "latter is used.",
        "Correct `frame` of the joint, or define the joint with `parent`, `child` and `axis`.",
    ),
    "joint-frame": Code(
        WARNING,
        "The coordinate system `{frame}` is {distance:.3g} mm off the joint axis and is moved onto it.",
        "Place the coordinate system on the joint axis.",
    ),
    "joint-frame-numbers": Code(
        WARNING,
        "The frame that the settings give for the joint by numbers is {distance:.3g} mm off the joint axis and is "
        "moved onto it.",
        "Correct `frame` of the joint, or name a coordinate system that is on the axis.",
    ),
    "limit-loop": Code(
        WARNING,
        "The mate is not used as a joint limit: it limits the motion of a closed loop ({bodies}), which has {mobility} "
        "degrees of freedom. Its value depends on the joints of {deciding} together, so none has a fixed range.",
        "Set the limits under `joints` in the settings.",
    ),
    "limit-never": Code(
        NOTE, "The mate limits nothing: the closed loop that it is in does not reach the ends of its range."
    ),
    "limit-order": Code(
        WARNING,
        "SolidWorks returned limits whose minimum ({minimum}) is not below their maximum ({maximum}), with the current "
        "value {value}; {used}.",
        "Compare the range of the joint with the one in SolidWorks, and set it under `joints` in the settings.",
    ),
    "limit-outside": Code(
        WARNING,
        "The assembled position is outside the limits of the mate, so they are not used.",
        "Check the limits of the mate.",
    ),
    "limit-rigid": Code(NOTE, "The mate is not used as a joint limit: its entities are on the same body."),
    "limit-several": Code(
        WARNING,
        "The mate is not used as a joint limit: its value depends on more than one joint, those of {bodies}.",
        "Set the limits under `joints` in the settings.",
    ),
    "limit-side": Code(
        WARNING,
        "The assembled position is at an end of the measured range (an angle of 0° or 180°, or a distance of 0), or at "
        "an angle of 90° or 270° without a known alignment, so the direction in which the joint moves is assumed.",
        "Check the sign of the joint's limits.",
    ),
    "limit-turns": Code(
        WARNING,
        "The mate is not used as a joint limit: every joint of the closed loop that it is in turns back before the "
        "limit is reached.",
        "Set the limits under `joints` in the settings.",
    ),
    "limit-unused": Code(
        WARNING,
        "The mate is not used as a joint limit: no revolute, prismatic or screw joint changes its value.",
        "Set the limits under `joints` in the settings.",
    ),
    "loop": Code(NOTE, "{count} bodies form a closed loop with mobility {mobility}: {bodies}."),
    "loop-nearly-aligned": Code(
        WARNING,
        "{count} bodies form a closed loop that is rigid only because mated geometry differs by {tolerances:.1f} × "
        "tolerance: {bodies}.",
        "Align the mated geometry exactly.",
    ),
    "mate-broken": Code(NOTE, "The mate refers to geometry that is suppressed or missing, and is not used."),
    "mate-component": Code(
        WARNING, "The mate refers to the component `{component}`, which is not part of the robot, and is not used."
    ),
    "mate-contradicted": Code(
        WARNING,
        "The assembled pose contradicts the mate: {problem}. It was read with these entities: {entities}. {hint}",
        "Rebuild the assembly in SolidWorks and export it again. If this is reported again, send us the file "
        "of `swgrm report`: swgrm may read the entities of this mate wrongly.",
    ),
    "mate-failed": Code(
        WARNING,
        "The mate failed in SolidWorks (error {error}) and is not used.",
        "Repair or suppress the mate.",
    ),
    "mate-in-joints": Code(
        NOTE,
        "The mate makes no joint of its own between {bodies}: other joints connect them, and move only as it allows.",
    ),
    "mate-left-out": Code(NOTE, "The mate is not used, because a convention in the settings decides so."),
    "mate-lost": Code(
        WARNING,
        "What an entity of the mate referred to exists no longer. SolidWorks reports no error, but the mate holds "
        "nothing, and is not used.",
        "Edit the mate in SolidWorks, and select the entity again.",
    ),
    "mate-not-understood": Code(
        WARNING,
        "The mate is not used: {reason}.",
        "Check the joints of its components; if one is wrong, use another type of mate.",
    ),
    "mate-over-defined": Code(
        WARNING,
        "SolidWorks reports that the mate contradicts others (error {error}). The assembled pose satisfies it, so it "
        "is used.",
        "Find the superfluous mate among those with an error, and delete it.",
    ),
    "mate-redundant": Code(
        NOTE, "The mate is redundant: other mates already hold {bodies} in this way, so it closes no loop of the robot."
    ),
    "mate-reference": Code(
        NOTE,
        "SolidWorks returns no reference for entities of this kind, so it is not known whether those of the mate still "
        "exist. The mate is used.",
    ),
    "mate-suppressed": Code(NOTE, "The mate is suppressed and is not used."),
    "mate-unsatisfied": Code(
        WARNING,
        "The mate is not used: the components are {off:.3g} m or rad away from where it requires them.",
        "Rebuild the assembly in SolidWorks.",
    ),
    "mirror-image": Code(
        NOTE,
        "The component is the image of `{source}` by the mirror feature `{feature}`, and moves as its image.",
        "If it can move by itself, set it to `independent` under `mirrors` in the settings.",
    ),
    "mirror-independent": Code(
        NOTE,
        "The component is the image of `{source}` by the mirror feature `{feature}`. It has the mates of its source, "
        "reflected, and moves by itself; SolidWorks moves it as the image.",
        "To let it follow its source, set it to `tied` under `mirrors` in the settings; `all: tied` ties all images.",
    ),
    "mirror-not-found": Code(
        NOTE,
        "Where the mirror feature `{feature}` puts the image of this component, there is none without mates, so "
        "nothing follows it.",
    ),
    "mirror-unused": Code(
        WARNING,
        "The component is the image of `{source}` by the mirror feature `{feature}`, but does not follow it: the "
        "source is mated to components that move relative to the plane and are not mirrored.",
        "Mate the component, or mirror the components that its source is mated to as well.",
    ),
    "nearly-aligned": Code(
        WARNING,
        "{bodies} are rigid only because the geometry of {mates} is misaligned by {tolerances:.1f} times the "
        "tolerance; it may be meant to be aligned.",
        "Align the mated geometry exactly.",
    ),
    "nearly-free": Code(
        WARNING,
        "A degree of freedom is blocked only because mated geometry is misaligned by {tolerances:.1f} times "
        "the tolerance.",
        "Align the mated geometry exactly.",
    ),
    "no-pose": Code(
        ERROR,
        "The position of the component is not finite; the component is left out.",
        "Rebuild the assembly in SolidWorks.",
    ),
    "not-a-joint": Code(
        WARNING,
        "No chain of joints moves exactly as the mates allow; the joint is right at the assembled position only.",
        "Check for a missing mate.",
    ),
    "opened": Code(
        NOTE,
        "SolidWorks solves the sub-assembly as rigid, but its own mates let parts of it move ({parts}); they "
        "move in the robot.",
        "Set it to `never` under `subAssemblies` in the settings to keep it rigid; `all: asSolved` keeps rigid what "
        "SolidWorks solves as rigid.",
    ),
    "opened-loose": Code(
        WARNING,
        "SolidWorks solves the sub-assembly as rigid, but its own mates let parts of it move ({count}: {parts}). It "
        "looks like a bought unit whose parts are not meant as joints; they move in the robot.",
        "Set it to `never` under `subAssemblies` in the settings to keep it rigid; `all: asSolved` keeps rigid what "
        "SolidWorks solves as rigid.",
    ),
    "other-configuration": Code(
        WARNING,
        "The component uses the configuration `{wanted}`, but its file was read in `{active}`; {what} may differ.",
        "Activate the configuration in that file and read the assembly again.",
    ),
    "parked": Code(
        NOTE,
        "Without the mate, {bodies} would be connected by a {joint} joint; with it that motion is blocked.",
        "If the mate only parks the model, list it under `mates: ignore` in the settings.",
    ),
    "parked-loop": Code(
        NOTE,
        "The mate connects {bodies} and closes a loop. Without it, the bodies of the loop would have {free} degrees of "
        "freedom instead of {mobility}.",
        "If the mate only parks the model, list it under `mates: ignore` in the settings.",
    ),
    "path-assumed": Code(
        WARNING,
        "SolidWorks does not report the options of a path mate, so its point is assumed to move along the whole path "
        "and to rotate freely.",
        "Hold what the mate holds with other mates, or check the joint.",
    ),
    "resting": Code(
        WARNING,
        "The mate brings planes of two sub-assemblies into contact and blocks {held} ({bodies}).",
        "If they only rest on each other, list the mate under `mates: ignore` in the settings.",
    ),
    "root": Code(NOTE, "The body of this component is the base of the robot: {reason}."),
    "rotation-locked": Code(
        NOTE,
        "The mate locks the rotation. Without that, {bodies} would be connected by a {joint} joint.",
        "If they turn, switch Lock Rotation off in the mate in SolidWorks.",
    ),
    "slot-assumed": Code(
        NOTE,
        "The first entity of the mate is assumed to be the slot, and the second one the pin that rotates in it.",
        "If it is the other way round, select the slot first.",
    ),
    "slot-direction": Code(
        WARNING,
        "SolidWorks does not report along which line the slot runs, so only the directions of the axes are "
        "constrained.",
        "Add a mate that holds the pin in the slot.",
    ),
    "suppressed": Code(NOTE, "The component is suppressed and is left out, with the components in it."),
    "symmetry-unused": Code(
        WARNING,
        "The mate connects three bodies, but what it holds is not a linear relation of joints; the robot moves more "
        "freely than the assembly.",
        "Couple the joints with `follows` under `joints` in the settings.",
    ),
    "thin-pin": Code(
        WARNING,
        "The joint rotates on a pin of {diameter:.3g} mm inside `{unit}`.",
        "If this is not a joint, use `links: join` or `subAssemblies` in the settings.",
    ),
    "turned-rigid": Code(
        WARNING,
        "Small turned parts, which could only rotate about their own axis, are rigid with the parts that they are in "
        "({count} ×): {parts}.",
        "If one of them is a joint, set its component or its file name to `false` under `fasteners` in the settings; "
        "`true` confirms it. `byShape: false` there makes joints of all of them.",
    ),
    "unattached": Code(
        WARNING,
        "Components without mates: {count}. They are fixed to the base where they are, and stay there when the robot "
        "moves.",
        "Mate the components, join them to a link with `links: join`, or leave them out with `links: leaveOut` in the "
        "settings.",
    ),
    "universal-assumed": Code(
        NOTE,
        "The cross of the universal joint is assumed to be perpendicular to both shafts in the assembled position.",
    ),
    # Settings and edits.
    "angle-without-unit": Code(
        WARNING,
        "`{setting}: {value}` has no unit, so it is in radians: {degrees}.",
        "Write the unit behind the number: `deg` or `rad`.",
    ),
    "defaults-used": Code(
        NOTE,
        "Your own defaults were used below the settings of this robot: {path}.",
        "To remove what the self-test wrote there, run `swgrm selftest --apply --undo`.",
    ),
    "joint-folder": Code(
        NOTE,
        "The mate folder `{folder}` decides: the pairs of components of its mates ({count}) are joints, and everything "
        "else is rigid.",
        "To infer all joints from the mates, rename the folder, or set `folder` under `mates` in the settings.",
    ),
    "joint-gone": Code(
        WARNING,
        "The settings of this joint are not used: `{first}` and `{second}` {why}.",
        "Remove the joint from the settings, or correct its `between`.",
    ),
    "joint-renamed": Code(
        WARNING,
        "The settings of `{key}` are used for this joint, because it is now the one between `{first}` and `{second}`.",
        "Rename it in the settings to this joint's name.",
    ),
    "joint-reversed": Code(
        WARNING,
        "The settings were written for a joint from `{first}` to `{second}`; it now leads the other way, so that its "
        "positive direction may differ.",
        "Check `lower`, `upper`, `zero` and `flip` of the joint, then exchange the two names in `between`.",
    ),
    "joint-settings-twice": Code(
        WARNING,
        "The settings of `{key}` are not used: they mean the joint between `{first}` and `{second}`, which is now "
        "called `{name}` and has settings under that name.",
        "Remove one of the two from the settings.",
    ),
    "length-without-unit": Code(
        WARNING,
        "`{setting}: {value}` has no unit, so it is in metres.",
        "Write the unit behind the number: `mm` or `m`.",
    ),
    "limits-of-other-type": Code(
        WARNING,
        "The limits of the {old} joint are dropped, because the settings make it a {type} joint.",
        "Set `lower` and `upper` of the joint, if its new type has them.",
    ),
    "property-wrong": Code(
        WARNING,
        "The custom property `{key}` is not used. {problem}",
        "Correct or remove the property in SolidWorks.",
    ),
    "setting-ignored": Code(WARNING, "The setting `{setting}` has no effect on a {type} joint.", "Remove the setting."),
    "settings-unused": Code(
        WARNING,
        "These settings decide how an assembly is understood, and have no effect on a robot file: {sections}.",
        "Export the assembly with these settings.",
    ),
    "type-overridden": Code(WARNING, "The settings make this a {type} joint; without them it is {old}."),
    # Coming from another exporter.
    "old-axis": Code(
        WARNING,
        "The old robot's axis is {angle:.3g}° and {distance:.3g} mm off the axis that the mates leave. The mates' is "
        "used, and the joint's frame is the inferred one.",
        "If the assembly has changed since, nothing needs to be done. Otherwise correct the mates.",
    ),
    "old-base": Code(
        WARNING,
        "The base's frame of the old robot was not found in the assembly (tried: {tried}). All frames are inferred.",
        "Draw a coordinate system `Origin_global` in the assembly where the old base's frame is.",
    ),
    "old-component-ambiguous": Code(
        WARNING,
        "The old robot has the component `{component}` in this link, which may be any of {candidates}; it is not used.",
        "Write the full name of the component into the old file.",
    ),
    "old-component-unknown": Code(
        WARNING,
        "The old robot has the component `{component}` in this link, and the assembly has none of that name.{hint}",
        "Write the component's present name into the old file, and run the command again.",
    ),
    "old-coupling": Code(
        WARNING,
        "The joint follows `{leader}` because of a mate; the old robot's does not. The mate's coupling is used.",
        "If the joint is to move on its own, name the mate under `mates: ignore` in the settings.",
    ),
    "old-frame-link": Code(
        WARNING,
        "The link has no parts, and the assembly has no coordinate system for it on `{parent}`; it is left out.",
        "Draw a coordinate system of the link's name there, and run the command again.",
    ),
    "old-frame-missing": Code(
        WARNING,
        "The old robot places the joint by `{frame}`, which the assembly does not have. The frame is inferred.",
        "Draw the coordinate system again, or use the old URDF, which has its numbers.",
    ),
    "old-joint-lost": Code(
        WARNING,
        "The old robot has a joint here ({old}), but `{parent}` and `{child}` are one body, and its axis is not known.",
        "Define the joint with `parent`, `child` and `axis` under `joints` in the settings.",
    ),
    "old-leader": Code(
        WARNING,
        "The old robot's joint follows `{leader}`, which was not found; it moves on its own.",
        "Set `follows` of the joint in the settings.",
    ),
    "old-left-out": Code(
        WARNING,
        "Parts of the assembly ({count}) are in no link of the old robot, so they are left out: {names}.",
        "To keep some, remove them from `links: leaveOut` in the settings.",
    ),
    "old-limits": Code(
        WARNING,
        "The limits of the old robot are {old}, those of the mates {new} (rad or m). Those of the old robot are used, "
        "where it has some.",
        "Change the limits of the joint in the settings if the mates are right.",
    ),
    "old-link-ambiguous": Code(
        WARNING,
        "The link may be the body of any of {candidates}; it is left out.",
        "Put the classic exporter's CSV beside the URDF: it has the components. Or rename the link in the old file.",
    ),
    "old-link-split": Code(
        WARNING,
        "The link's components are one body in the old robot, and several by their mates ({bodies}). They are joined.",
        "Remove the group from `links: join` in the settings if they are to move.",
    ),
    "old-link-unknown": Code(
        WARNING,
        "No component could be matched to the link; it is left out.{hint}",
        "Rename the link in the old file to the name of its component, and run the command again.",
    ),
    "old-mass": Code(
        WARNING,
        "The {what} of the old robot's link is {old}, that of the assembly {new}.",
        "With `--masses` the settings have the old one's. Otherwise check material and density of the parts.",
    ),
    "old-name-taken": Code(
        WARNING,
        "The assembly has a frame of this name that is not this link, so the link cannot be renamed.",
        "Rename the component or coordinate system in SolidWorks.",
    ),
    "old-posed": Code(
        NOTE,
        "The assembly is posed differently from when the old robot was exported: this joint is at {position}. The old "
        "zero is kept.",
    ),
    "old-root": Code(NOTE, "The base of the old robot is `{old}`; without the settings it would be `{new}`."),
    "old-setting-kept": Code(
        NOTE,
        "Your settings have {own}, the old robot {old}. Yours is kept.",
        "To use the old one's, write it into the settings.",
    ),
    "old-tree": Code(
        WARNING,
        "The old robot has a joint from `{parent}` to `{child}`; here there is {new}. The joint is inferred.",
        "Compare the mates of the two components with the old joint.",
    ),
    "old-type": Code(
        WARNING,
        "The joint is {old} in the old robot, and {new} by its mates. The old type is used where that is possible.",
        "Remove the type from the settings if the mates are right.",
    ),
    # Mass properties.
    "density-default": Code(
        WARNING,
        "The part has no material, so SolidWorks uses the density of water ({density:g} kg/m³).",
        "Assign a material in SolidWorks.",
    ),
    "inertia-chosen": Code(
        NOTE,
        "The inertia tensor {used} kg m² from {source} is used, because {reason}; that from {first} is {other} kg m².",
    ),
    "mass-from-document": Code(
        NOTE,
        "The mass properties are those of the part's own document (IMassProperty), because the assembly returned none.",
    ),
    "mass-not-calculated": Code(
        WARNING,
        "SolidWorks returned the mass {mass:g} kg with volume 0 and surface area 0, although the part has solid "
        "bodies; this mass is not used.",
        "Rebuild the document (Ctrl+Q) and read it again.",
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
    "mirror-mass": Code(
        WARNING,
        "The part is the mirror image of {source}. SolidWorks does not pass its material and its entered mass "
        "properties on, and returned {own:.4g} kg at the density of water. The mass properties of {source} are used, "
        "mirrored: {mass:.4g} kg.",
        "Assign the material in the mirrored part, too.",
    ),
    "mirror-without-material": Code(
        WARNING,
        "The part is the mirror image of {source}, whose mass is not known here. SolidWorks does not pass the material "
        "on to a mirrored part, and uses the density of water ({density:g} kg/m³).",
        "Assign the material in the mirrored part, or set its mass under `mass` in the settings.",
    ),
    "override-unknown": Code(
        WARNING,
        "SolidWorks does not report for this configuration whether mass properties were entered by hand, because "
        "another one is active in the part. These deviate from the mesh, and are taken as entered: {quantities}.",
        "Check these values in SolidWorks.",
    ),
    # Meshes.
    "collision-cut": Code(
        NOTE,
        "The collision shapes of the two bodies overlapped by {depth:.3g} mm; they were cut apart, so that simulators "
        "do not hold the joints.",
    ),
    "collision-left-out": Code(
        NOTE, "The component has no collision shape: it is inside another body, or moves through it."
    ),
    "collision-many": Code(
        NOTE,
        "The body has {count} collision shapes, more than {most}: fewer would touch other bodies.",
        "Choose a simpler shape for some of its parts under `links` in the section `meshes`.",
    ),
    "collision-merged": Code(
        NOTE,
        "{before} collision shapes of the body were merged to {after}. They reach up to {beyond:.2g} mm beyond the "
        "shapes of its parts and fill {added:.2g} % more space; parts reach up to {lost:.2g} mm out of them, with "
        "{missing:.2g} % of their volume.",
        "Set `collision: parts` in the section `meshes` for shapes of every part.",
    ),
    "collision-overlap": Code(
        NOTE,
        "The collision shapes of the two bodies overlap by {depth:.3g} mm, as assembled or in the range of the joint "
        "between them; a simulator that does not ignore their contacts holds them.",
        "Set `collision: auto` in the section `meshes`, or make the simulator ignore the pair.",
    ),
    "file-not-copied": Code(
        WARNING,
        "The file is not copied: {problem}.",
        "Check the file; what it contains must be what its ending states.",
    ),
    "mesh-absent": Code(
        WARNING, "Mesh files do not exist ({count} of {total}): {files}.", "Check the paths of the files."
    ),
    "mesh-box": Code(
        WARNING,
        "The box of the body `{body}` is {box} m, but its triangles are in {seen} m: they differ by {off:.4g} m.",
        "Rebuild the document (Ctrl+Q) and read it again.",
    ),
    "mesh-centre": Code(
        WARNING,
        "The centre of mass is at {stated} m and that of the mesh at {expected} m: they are {distance:.4g} m apart, "
        "{share:.0%} of the size.",
        "Check the material and the overridden mass properties of the parts.",
    ),
    "mesh-elsewhere": Code(
        NOTE,
        "Mesh files are in packages that were not found ({count} of {total}): {files}.",
    ),
    "mesh-hollow": Code(NOTE, "The mesh encloses no volume, so mass and inertia tensor are not compared with it."),
    "mesh-mass": Code(
        WARNING,
        "The mass is {stated:.6g} kg, but the mesh at {density:g} kg/m³ has {expected:.6g} kg.",
        "Check the material and the overridden mass properties of the part.",
    ),
    "mesh-open": Code(NOTE, "The mesh is not closed, so mass and inertia tensor are compared only roughly."),
    "mesh-readback": Code(
        ERROR,
        "A mesh file differs from the tessellation when it is read back: {problem}.",
        "Use another mesh format and report the error.",
    ),
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
    "mesh-unreadable": Code(WARNING, "The mesh cannot be compared with the mass: {problem}", "Check the mesh file."),
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
    "frames-dropped": Code(NOTE, "Frames that nothing refers to ({count}) are left out."),
    "geometry-in-grm": Code(
        NOTE,
        "Planes, axes and points ({count}) are in the GRM file only.",
        "Set `referenceGeometry: true` under the format in the settings to write them as links.",
    ),
    "left-out": Code(NOTE, "The format has no place for {what}: other programs do not get this."),
    "limits-parted": Code(
        NOTE,
        "Both limits of the joint are {at:g}, so it is held there. Simulators take equal limits as none, so they are "
        "written {apart:g} to either side.",
    ),
    "links-merged": Code(NOTE, "The {count} links of this body became one link, `{name}`."),
    "links-moved": Code(
        NOTE,
        "Links of rigid frames ({count}) are moved to the bodies that carry them, because the format would give them a "
        "mass of their own: {links}. The frames stay.",
    ),
    "loop-body-split": Code(
        NOTE,
        "The format cannot close a loop with this {type} joint directly. Body `{body}` is written as two halves, each "
        "with half of its mass: the joint moves `{half}`, which is welded to the other half.",
    ),
    "loop-cut": Code(
        WARNING,
        "The format has no loops; the {type} joint between `{parent}` and `{child}` is cut. The frames "
        "`{parent_side}` and `{child_side}` mark its two sides and keep its data as `loop` props, which "
        "simulators ignore.",
        "Close the loop in the simulator.",
    ),
    "merged-rigid": Code(NOTE, "Rigid frames ({count}) are merged into the bodies that carry them."),
    "note-stale": Code(NOTE, "The note of swgrm in the file names this frame, which is no longer in the file."),
    "prop-conflict": Code(
        WARNING,
        "The prop `{key}` is `{kept}` on `{kept_of}` and `{other}` on `{other_of}`, which become one link; the second "
        "value is kept as `{new_key}`.",
        "Give the prop one value, or keep the frames apart with `merge: none` in the section `urdf` of the settings.",
    ),
    "reference-lost": Code(
        WARNING,
        "The prop `{key}` refers to `{name}`, which is split, cut or merged in the file.",
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
    "renamed": Code(
        NOTE,
        "The {kind} `{old}` is written as `{name}`, because not every program that reads the format accepts it.",
        "To keep names in any script in a URDF file, set `names: keep` in the section `urdf` of the settings.",
    ),
    "screw-split": Code(
        NOTE,
        "The format has no screw joints; this one is written as a revolute joint and a prismatic joint that follows "
        "it ({joints}).",
    ),
    "simulation-dropped": Code(NOTE, "The format has no place for {what}: other programs do not get this."),
    "tensor-assumed": Code(
        WARNING,
        "The link has a mass, but neither an inertia tensor nor a simple shape to compute one from; moments of "
        "{moment:g} kg m² are written.",
        "Set the inertia tensor of the link.",
    ),
    "tensor-nudged": Code(
        NOTE,
        "The largest principal moment of inertia is larger than the sum of the other two by {share:.1g} of itself, "
        "which simulators refuse; the other two are written larger by that.",
    ),
    "tensor-of-shape": Code(
        NOTE,
        "The link has a mass but no inertia tensor; that of its shapes with a uniform density is written.",
        "Set the inertia tensor of the link if its mass is not spread evenly.",
    ),
    "virtual-inertia": Code(
        NOTE,
        "Moving links without mass ({count}) are written with {mass:g} kg, because simulators reject massless links: "
        "{links}.",
    ),
    # MoveIt.
    "moveit-acceleration": Code(
        NOTE,
        "MoveIt needs acceleration limits; those of joints that have none ({count}) are assumed in joint_limits.yaml: "
        "{joints}.",
        "Set `acceleration` of the joints in the settings, or the option `moveit.acceleration`.",
    ),
    "moveit-groups": Code(
        NOTE,
        "Planning groups with their numbers of joints: {groups}.",
        "To change them, set `groups` and `endEffectors` in the section `moveit` of the settings.",
    ),
    "moveit-no-groups": Code(
        WARNING,
        "No joint follows trajectories, so there is no planning group and MoveIt has nothing to plan for.",
        "Check that the robot has joints that move, and that their actuators are of the type `position`.",
    ),
    "moveit-pairs": Code(
        NOTE,
        "Pairs of links that MoveIt does not check for collisions: {counts}; {states} states were sampled.",
    ),
    "srdf-row-dropped": Code(
        WARNING,
        "The file had {row}, which names the {missing}; the robot does not have it, so the element is not kept.",
        "Add it again with the new name.",
    ),
    "srdf-unreadable": Code(
        WARNING,
        "The SRDF file that was edited cannot be read, so nothing is taken over from it: {problem}",
        "Copy your own elements out of the .bak file.",
    ),
    # MJCF.
    "mjcf-dropped": Code(NOTE, "MuJoCo has no {what}; the file keeps them in its <custom> text, for swgrm alone."),
    "mjcf-geom": Code(WARNING, "The model has no shape of the type `{type}`; the geom is not read."),
    "mjcf-ignored": Code(NOTE, "Elements of MJCF that the model has no place for are not read: {what}."),
    "mjcf-inertia": Code(
        WARNING,
        "MuJoCo would compute the inertia of this body from its meshes or ellipsoids; that part is not read.",
        "Write an <inertial> into the body, such as the one that `mj_saveLastXML` writes.",
    ),
    "mjcf-made": Code(
        WARNING,
        "Bodies that MuJoCo makes of other elements are not read: {what}.",
        "Save the model with MuJoCo, and read that file: `mujoco.MjSpec.from_file(FILE)`, then `compile` and `to_xml`.",
    ),
    "mjcf-mesh-converted": Code(NOTE, "The mesh is written as OBJ for MuJoCo: {reason}."),
    "mjcf-mesh-flat": Code(
        WARNING,
        "The mesh is flat, so MuJoCo cannot use it for collisions; it is not written for link `{link}`.",
        "Set another collision shape for the component, such as `box`.",
    ),
    "mjcf-mesh-missing": Code(
        WARNING,
        "The mesh file does not exist here; MuJoCo would refuse the model, so the shape is not written.",
        "Put the file where the robot names it, and export again.",
    ),
    "mjcf-mesh-small": Code(
        WARNING,
        "The mesh has {count} different corners, MuJoCo needs four; it is not written.",
        "Check the mesh file.",
    ),
    "mjcf-mesh-unreadable": Code(
        WARNING, "The mesh cannot be read, so it is not written: {problem}", "Check the mesh file."
    ),
    "mjcf-sensor": Code(NOTE, "No MuJoCo sensor is written for the type `{type}`; the sensor has a site only."),
    "mjcf-texture": Code(
        NOTE, "MuJoCo reads textures from PNG files that exist; `{file}` is not written.", "Use a PNG file."
    ),
    # ROS 2.
    "ros2-control-replaced": Code(
        NOTE,
        "The robot's own <ros2_control> is in the plain URDF; the xacro file has hardware for mock, Gazebo and MuJoCo.",
        "Copy your own hardware into the xacro file; edits of it are kept.",
    ),
    "ros2-joint-left-out": Code(
        WARNING,
        "A {type} joint has several degrees of freedom; ros2_control and joint_states have no place for it.",
        "Publish its transform with a node of your own, or use `base: {mount: floating}` for a base that moves.",
    ),
    "ros2-sensor-assumed": Code(
        NOTE, "Gazebo simulates the sensor with {values}.", "Set these in the `params` of the sensor."
    ),
    "ros2-sensor-left-out": Code(
        NOTE, "No Gazebo sensor is written for the type `{type}`; it is in the plain URDF only."
    ),
    "ros2-sensor-unjointed": Code(
        WARNING,
        "The sensor is on the base, where no joint has a force to measure; it is not in Gazebo.",
        "Put it on a coordinate system beyond the joint that it measures.",
    ),
    # SDF.
    "sdf-ignored": Code(NOTE, "Elements of this kind ({count}) are not read, because the model has no place for them."),
    "sdf-include": Code(
        WARNING,
        "The included model was not found, so its links and joints are missing.",
        "Put the model's folder beside the file, or above it.",
    ),
    "sdf-loop-cut": Code(
        WARNING,
        "The {type} joint that closes a loop cannot be written as `{form}`: {reason}. It is cut; two frames mark its "
        "sides.",
        "Choose another form with `loops` in the section `sdf` of the settings, or close the loop in the simulator.",
    ),
    "sdf-loop-joint": Code(
        WARNING,
        "Loop joints ({count}) are written as plain joints. That is valid SDF, but Gazebo's default engine (dartsim) "
        "drops them, and Drake refuses the file.",
        "Set `loops: detachable` in the section `sdf` of the settings for Gazebo, `dialect: drake` for Drake.",
    ),
    "sdf-mass-default": Code(
        NOTE, "The link has no <inertial>, for which SDF defines 1 kg and 1 kg m²; these are read."
    ),
    "sdf-mimic": Code(
        WARNING,
        "SDF {version} has no joints that follow others; the joint is free instead of following `{leader}`.",
        "Use SDF 1.11 where the simulator reads it.",
    ),
    "sdf-sensor-assumed": Code(
        NOTE,
        "The sensor has {values} in SDF, because it has no values of its own.",
        "Set these in the `params` of the sensor.",
    ),
    "sdf-shape": Code(
        WARNING,
        "The geometry is {kinds}, which is not read; the shape is missing.",
        "Use a mesh, a box, a sphere, a cylinder or a capsule.",
    ),
    # USD.
    "usd-loop-in-body": Code(
        WARNING,
        "The loop joint is between two frames of the body `{body}`, so it cannot move; it is left out.",
        "Remove the joint, or correct what it connects.",
    ),
    "usd-mesh-left": Code(
        NOTE, "The mesh is not read: its file is not known. The shape is missing.", "Name the mesh file in the robot."
    ),
    "usd-mesh-missing": Code(
        WARNING, "The mesh file was not found, so the shape is not written.", "Check the path of the mesh file."
    ),
    "usd-mesh-unreadable": Code(
        WARNING, "The mesh file cannot be read, so the shape is not written: {error}.", "Replace the mesh file."
    ),
    # URDF and the ROS 2 package.
    "limit-default": Code(
        NOTE,
        "The <limit> has neither `lower` nor `upper`. Both are zero by default in URDF, so the joint cannot move.",
        "Add `lower` and `upper`, or make the joint continuous.",
    ),
    "limit-missing": Code(
        WARNING,
        "A {type} joint needs a <limit> and has none; it is read as unlimited.",
        "Add a <limit>.",
    ),
    "limits-assumed": Code(
        NOTE,
        "URDF needs limits that the model does not have, so these are assumed: {values}.",
        "Set them under `joints` in the settings, or for all joints under `urdf`.",
    ),
    "limits-dropped": Code(NOTE, "A {type} joint has no position limits in URDF; {lower} and {upper} are not read."),
    "material-conflict": Code(
        NOTE,
        "The material is defined in several ways; this definition is read as `{name}`.",
        "Give each definition its own name.",
    ),
    "prop-unwritable": Code(WARNING, "The prop `{key}` cannot be written: {reason}.", "Correct or remove the prop."),
    "sensor-misspelt": Code(NOTE, "The sensor type `{type}` is read as `{meant}`."),
    "sensor-unplaced": Code(
        WARNING,
        "The sensor has no <parent>; it is attached to the root link.",
        "Add a <parent>.",
    ),
    "setting-overridden": Code(
        WARNING, "A ROS 2 package uses `{value}` here; the setting `{given}` is ignored.", "Remove the setting."
    ),
    # RobotInfo.
    "robotinfo-coupling": Code(
        WARNING,
        "RobotInfo has no couplings; the joint is written as passive, and the controller must move it: it {law}.",
    ),
    "robotinfo-default": Code(
        NOTE,
        "RobotInfo needs limits above zero that the model does not have, so defaults are written: {values}.",
        "Set the limits under `joints` in the settings, or the options `effort`, `velocity` and `acceleration`.",
    ),
    "robotinfo-ignored": Code(WARNING, "Robot Raconteur's parser ignores this field, because it can be of any type."),
    "robotinfo-joint-left-out": Code(NOTE, "The joint is in none of the chosen chains and is not written."),
    "robotinfo-joint-unused": Code(WARNING, "The joint is in no chain and is not read.", "Add the joint to a chain."),
    "robotinfo-link-count": Code(
        WARNING,
        "The list has {count} entries for {links} links; extra entries are not read.",
        "Correct the length of the list.",
    ),
    "robotinfo-massless": Code(NOTE, "The link has no mass; its entry in `link_inertias` is zero."),
    "robotinfo-misindexed": Code(
        NOTE,
        "The robot has several chains, and RobotUtil and general_robotics_toolbox give each of them the joints of the "
        "first.",
        "Write one file per chain (option `split`).",
    ),
    "robotinfo-misread": Code(
        WARNING,
        'Robot Raconteur\'s parser reads the text "{text}" as true.',
        "Remove the quotes.",
    ),
    "robotinfo-prop": Code(
        WARNING, "The prop `{key}` does not fit RobotInfo. {problem}", "Correct or remove the prop."
    ),
    "robotinfo-prop-computed": Code(
        NOTE, "The prop `{key}` is ignored, because the value follows from the model.", "Remove the prop."
    ),
    "robotinfo-quaternion": Code(
        WARNING,
        "The quaternion has length {length:.9g} instead of one; it is normalised here, but not by other programs.",
        "Normalise the quaternion.",
    ),
    "robotinfo-refused": Code(
        WARNING, "The file is not accepted by {programs}: {reason}.", "Correct the value in the file."
    ),
    "robotinfo-unknown-key": Code(
        WARNING, "The key `{key}` is not known, and other programs ignore it.{hint}", "Correct or remove the key."
    ),
    "robotinfo-unlimited": Code(
        NOTE,
        "RobotInfo needs position limits; the missing {bounds} limit is written as ±{value:g}.",
    ),
    "robotinfo-wrong": Code(WARNING, "The value does not fit the RobotInfo schema: {problem}", "Correct the value."),
    # Exporting.
    "file-backed-up": Code(
        WARNING,
        "The file was edited, or was not written by swgrm; it is kept as `{backup}`, and the new file takes its place.",
        "Copy your changes into the settings; `--force` replaces such files without a copy.",
    ),
    "file-kept": Code(
        NOTE,
        "The file was edited, so it stays as it is; the new version is in `{new}`.",
        "Compare both files; `--force` replaces the edited one.",
    ),
    "kept-file-gone": Code(
        WARNING,
        "The file, which you edited, names {names}, which the robot no longer has.",
        "Compare it with its new version, which ends in `.new`, and take over what changed.",
    ),
    "kept-file-lacks": Code(
        NOTE,
        "The file, which you edited, does not name {names}, which its new version `{new}` does.",
        "Take them over, unless you left them out on purpose.",
    ),
    # The 3D page.
    "html-mesh-missing": Code(NOTE, "The mesh file was not found, so the page does not show it."),
    "html-mesh-unreadable": Code(NOTE, "The page does not show this mesh: {error}"),
    "html-simplified": Code(
        NOTE,
        "The page shows {drawn} of {total} triangles, so that it stays small; the other files have all of them.",
        "Set `html: {maxTriangles: …}` for more.",
    ),
}
