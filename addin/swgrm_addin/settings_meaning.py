"""What each key of the settings means, in the words of the drafted file and of the documentation.

A test compares the keys with the types of the sections.
"""

from __future__ import annotations

from collections.abc import Mapping

from swgrm.solidworks.conventions import CONVENTIONS

MEANING: Mapping[str, Mapping[str, str]] = {  # section → key → meaning
    "export": {
        "folder": "the output folder, relative to this file",
        "formats": "what an export writes: [default, mjcf]; default: grm, urdf, robotinfo and html",
    },
    "robot": {"name": "the robot's name; default: that of the document"},
    "base": {
        "root": "a component whose body is the base",
        "frame": "the base's frame: a coordinate system of the assembly, or {xyz: [x, y, z], rpy: [r, p, y]} in it",
        "up": "the assembly's axis that points up: y or z; auto: as in the template of its document",
        "mount": "fixed, or floating if the base moves freely in the world, as that of a mobile robot",
    },
    "joints": {
        "name": "another name",
        "between": "the two components that the joint is between, so that the settings stay with it",
        "parent": "with `child`, `type` and `axis`: a joint that is defined here, not inferred",
        "child": "the component that the defined joint moves",
        "axis": "of a defined joint: a reference axis, a coordinate system (its z axis) or two points",
        "origin": "of a defined joint: a coordinate system, a reference point or [x, y, z]",
        "type": "fixed, revolute, prismatic, ball or screw",
        "flip": "true reverses the axis",
        "zero": "the position that becomes zero, counted after `flip`",
        "lower": "the lower limit, counted from the new zero",
        "upper": "the upper limit",
        "effort": "the greatest torque or force: 5 Nm, 20 N",
        "velocity": "the greatest velocity: 30 rpm, 50 mm/s",
        "damping": "in Nms/rad or Ns/m",
        "friction": "in Nm or N",
        "armature": "the inertia of the drive's rotor, reflected to the joint (reduction² · J): 0.02 kg m²",
        "follows": "{joint: other_joint, ratio: 2, offset: 10 deg}: the position is ratio · other + offset",
        "frame": "where the joint's frame is: a coordinate system, or {xyz: [0, 0, 0.1], rpy: [0, 0, 0], axis: [0, 0, "
        "1]} in the parent's frame at the joint's zero, as in URDF",
        "acceleration": "the greatest acceleration: 20 rad/s², 2 m/s²",
        "safetyController": "{kVelocity: 10, softLowerLimit: -80 deg, softUpperLimit: 80 deg}",
        "calibration": "{rising: 10 deg}: a reference position",
        "transmission": "{mechanicalReduction: 50, actuator: motor_1}",
        "reviewed": "true: a person has checked this joint",
    },
    "links": {
        "leaveOut": "components to leave out: [cable-1, cover-2]",
        "join": "groups of components that are one body, whatever their mates allow: [[arm-1, cover-1]]",
        "rename": "links: {old: new}",
    },
    "mates": {
        "ignore": "mates that are not used, such as those that only pose the model",
        "folder": "if a mate folder has this name, or `dof`, only its mates make joints; everything else is rigid",
    },
    "conventions": {key: " or ".join(each.choices) for key, each in CONVENTIONS.items()},
    "contacts": {"exclude": "pairs of links that do not collide in simulators: [[upper_arm, wrist_1]]"},
    "frames": {
        "coordinateSystems": "coordinate systems become frames",
        "planes": "planes become frames",
        "axes": "axes become frames",
        "points": "points become frames",
        "defaultGeometry": "SolidWorks' own planes and origins, too",
        "leaveOut": "reference geometry that becomes no frame: [Origin_global, arm-1/Joint Origin]",
    },
    "mass": {
        "parts": "by component or file: {arm-1: {mass: 12.5 kg}, cover: {density: 1200 kg/m³}}",
        "links": "of a whole link, in its frame: {arm: {mass: 2.5 kg, centerOfMass: [0, 0, 0.1], inertia: [ixx, ixy, "
        "ixz, iyy, iyz, izz]}}",
    },
    "meshes": {
        "format": "stl, glb, dae or obj",
        "collision": "the shape for collisions",
        "faces": "triangles per part that the collision `simplify` leaves",
        "visualFaces": "triangles per part that visual meshes keep; default: all",
        "links": "another collision shape for some components: {cover-1: box}",
        "hidden": "show components that are hidden in SolidWorks",
    },
    "urdf": {
        "merge": "which rigid frames are merged into their body: none, components or all",
        "dropUnusedFrames": "leave out frames that nothing refers to",
        "virtualInertia": "moving links without mass get 1e-6 kg, because simulators reject them",
        "referenceGeometry": "planes, axes and points become links; else they are in the GRM file only",
        "dummyRoot": 'the name of an empty link above the root; in a ROS 2 package base_link, "" for none',
        "names": "ros: letters, digits and _-./; keep: any script",
        "effort": "of joints that have none, in Nm or N",
        "velocity": "of joints that have none, in rad/s or m/s",
        "acceleration": "of joints that have none, in rad/s² or m/s²",
        "unlimited": "the limit where URDF needs one and the joint has none",
        "meshPaths": "keep, package, relative or absolute",
        "package": "the name in package://; default: the robot's",
        "precision": "significant digits",
        "simulators": "elements that MuJoCo and Drake need, and other readers ignore",
        "annotate": "keep what URDF cannot hold in one <swgrm> element",
    },
    "mjcf": {
        "merge": "which rigid frames are merged into their body: none, components or all",
        "dropUnusedFrames": "leave out frames that nothing refers to",
        "referenceGeometry": "planes, axes and points become sites; else they are in the GRM file only",
        "virtualInertia": "moving bodies without mass get 1e-6 kg, because MuJoCo rejects them",
        "actuators": "write actuators also for joints for which the settings have none",
        "frequency": "the natural frequency of position actuators without a stiffness, in Hz",
        "scene": "write scene.xml; it is yours once it is written",
        "precision": "significant digits",
        "annotate": "keep what MJCF cannot hold in one <custom> text",
    },
    "grm": {"complete": "write every field, also those with their default"},
    "robotinfo": {
        "root": "the frame that chains begin at",
        "tip": "the frame that the chain ends at",
        "chains": "the chains to write, each by its last frame: [{tip: tool0}]",
        "split": "one file per chain",
        "effort": "of joints that have none, in Nm or N",
        "velocity": "of joints that have none, in rad/s or m/s",
        "acceleration": "of joints that have none, in rad/s² or m/s²",
        "info": "RobotInfo's own fields",
        "joints": "RobotInfo's own fields, by joint",
    },
    "html": {
        "maxTriangles": "of all shapes of the 3D page together; larger robots are simplified in it",
        "collisions": "the page contains the collision shapes, too",
    },
    "ros2": {
        "version": "of the package",
        "maintainer": "the name of the maintainer",
        "email": "of the maintainer",
        "license": "such as Apache-2.0",
        "updateRate": "of the controller manager, in Hz",
    },
    "moveit": {
        "samples": "states in which pairs of links are tested for collisions; 0 lists neighbouring links only",
        "seed": "the seed of these states",
        "groups": "planning groups, instead of those inferred: {arm: {tip: tool0}, gripper: {joints: [finger_joint]}}",
        "endEffectors": "{gripper: {group: gripper, parent: tool0, parentGroup: arm}}, instead of those inferred",
        "acceleration": "of joints that have none, in rad/s² or m/s²; default: full speed in 0.5 s",
        "world": "the frame that the base is fixed to",
    },
    "sdf": {
        "version": "1.11, or 1.9 for Gazebo Fortress",
        "dialect": "gazebo, or drake for Drake's own elements",
        "loops": "how joints that close loops are written: joint, detachable, drake or cut",
        "merge": "which rigid frames are merged into their body: none, components or all",
        "dropUnusedFrames": "leave out frames that nothing refers to",
        "referenceGeometry": "planes, axes and points become frames; else they are in the GRM file only",
        "meshPaths": "relative, or model for model://NAME",
        "precision": "significant digits",
        "annotate": "keep what SDF cannot hold in one <swgrm:note> element",
    },
    "usd": {
        "merge": "which rigid frames are merged into their body: none, components or all",
        "dropUnusedFrames": "leave out frames that nothing refers to",
        "referenceGeometry": "planes, axes and points become prims; else they are in the GRM file only",
        "meshes": "auto (binary where usd-core is installed), text or binary",
        "approximation": "of collision meshes: convexHull, convexDecomposition, boundingCube, boundingSphere, "
        "meshSimplification or none",
        "physxMimic": "joints that follow others also in the schema of Isaac Sim up to 5.1",
    },
}
FREE: Mapping[str, str] = {  # sections whose keys are names of the assembly, and what to write
    "fasteners": "by component or file name, also with `*`: true (rigid with the part that it is in, and clamps "
    "what only it connects), pivot (rigid, and parts turn on it) or false; "
    "`byShape: false` makes joints of small turned parts that are fasteners only by their shape",
    "mirrors": "by component that a mirror feature makes, or `all`: independent (it moves by itself) or tied (as "
    "SolidWorks moves it: as the image of its source)",
    "subAssemblies": "by sub-assembly, or `all`: auto (parts move if the mates let them), asSolved (a rigid one stays "
    "rigid, a flexible one opens), always, never",
    "sensors": "by name: {type: camera, at: tool0, updateRate: 30 Hz}",
    "materials": "by material, as it is called in the exported robot: {steel: {rgba: [0.5, 0.5, 0.5, 1]}}",
    "poses": "by name: {home: {shoulder_joint: 30 deg}}; simulators start at `home`",
    "actuators": "by joint: {shoulder_joint: {type: position, stiffness: 200 Nm/rad, damping: 5 Nms/rad}}",
    "props": "more data for the formats: robot, links, joints, frames, sensors",
}
