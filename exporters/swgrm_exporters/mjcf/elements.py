"""Elements of MJCF that need no decision: poses, inertials, joints, shapes, sites, equalities."""

from __future__ import annotations

import math

from swgrm.model import IDENTITY, Box, Capsule, Cylinder, Geometry, Inertial, Joint, JointType, Limits, Pose, Sphere
from swgrm.precision import DIRECTION, LENGTH
from swgrm_exporters.numbers import Numbers
from swgrm_exporters.xmlwriting import Node, add_node

JOINTS = {JointType.REVOLUTE: "hinge", JointType.PRISMATIC: "slide", JointType.BALL: "ball"}
AXIS = (0.0, 0.0, 1.0)


def place(pose: Pose, numbers: Numbers) -> dict[str, str]:
    """The attributes of a pose, without those at their defaults; quaternions are w, x, y, z."""
    found: dict[str, str] = {}
    if pose == IDENTITY:
        return found
    x, y, z, w = pose.rot
    pos, quat = numbers.of(LENGTH, pose.pos), numbers.of(DIRECTION, (w, x, y, z))
    if pos != "0 0 0":
        found["pos"] = pos
    if quat != "1 0 0 0":
        found["quat"] = quat
    return found


def add_inertial(body: Node, inertial: Inertial, numbers: Numbers) -> None:
    """Add the <inertial>; its tensor is in the axes of the body."""
    t = inertial.tensor
    values = {"pos": numbers.texts(inertial.origin), "mass": numbers.text(inertial.mass)}
    if t is None:
        values["diaginertia"] = "0 0 0"
    elif t.ixy == t.ixz == t.iyz == 0:
        values["diaginertia"] = numbers.texts((t.ixx, t.iyy, t.izz))
    else:
        values["fullinertia"] = numbers.texts((t.ixx, t.iyy, t.izz, t.ixy, t.ixz, t.iyz))
    add_node(body, "inertial", values)


def add_joint(body: Node, name: str, joint: Joint, numbers: Numbers) -> None:
    """Add the <joint> of a body; one that is rigid has none."""
    if joint.type not in JOINTS:
        return
    values = {"name": name, "type": JOINTS[joint.type]}
    if joint.type is not JointType.BALL and joint.axis != AXIS:
        values["axis"] = numbers.texts(joint.axis)
    values |= _limits(joint, numbers)
    if (dynamics := joint.dynamics) is not None:
        pairs = {"damping": dynamics.damping, "frictionloss": dynamics.friction, "armature": dynamics.armature}
        values |= {key: numbers.text(value) for key, value in pairs.items() if value}
    add_node(body, "joint", values)


def _limits(joint: Joint, numbers: Numbers) -> dict[str, str]:
    limits: Limits = joint.limits
    found = {}
    if joint.type is JointType.BALL:
        if limits.upper is not None and limits.upper > 0:
            found["range"] = f"0 {numbers.text(limits.upper)}"
        return found
    if limits.lower is not None or limits.upper is not None:
        low = "-inf" if limits.lower is None else numbers.text(limits.lower)
        high = "inf" if limits.upper is None else numbers.text(limits.upper)
        found["range"] = f"{low} {high}"
    if limits.effort:
        found["actuatorfrcrange"] = numbers.texts((-limits.effort, limits.effort))
    return found


def sizes(shape: Geometry) -> tuple[str, tuple[float, ...]]:
    """The type of a primitive shape and its half sizes."""
    if isinstance(shape, Box):
        x, y, z = shape.size
        return "box", (x / 2, y / 2, z / 2)
    if isinstance(shape, Sphere):
        return "sphere", (shape.radius,)
    assert isinstance(shape, Cylinder | Capsule)  # noqa: S101 - a mesh has no sizes
    return "cylinder" if isinstance(shape, Cylinder) else "capsule", (shape.radius, shape.length / 2)


def add_site(body: Node, name: str, pose: Pose, numbers: Numbers) -> None:
    """Add a <site>: a frame that is rigid in its body."""
    add_node(body, "site", {"name": name, **place(pose, numbers)})


CAMERA = Pose(rot=(0.5, -0.5, -0.5, 0.5))  # a frame that looks along its x, z up → MuJoCo's camera: −z, y up
RANGE = Pose(rot=(0.0, math.sqrt(0.5), 0.0, math.sqrt(0.5)))  # a frame that looks along its x → a site's z
