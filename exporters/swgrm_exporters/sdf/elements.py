"""The elements of SDF that need no decision: poses, inertials, geometry, materials, axes."""

from __future__ import annotations

import math
from typing import NamedTuple

from swgrm.mass.inertia import tensor_matrix
from swgrm.model import (
    IDENTITY,
    Box,
    Cylinder,
    Geometry,
    Inertial,
    Joint,
    JointType,
    Material,
    Mesh,
    Pose,
    Sphere,
)
from swgrm.precision import DIRECTION, LENGTH
from swgrm_exporters.numbers import Numbers
from swgrm_exporters.sdf.options import Dialect, SdfVersion
from swgrm_exporters.xmlwriting import Node, add_node

OWN = "urn:swgrm:sdf"  # the namespace of the note, which only swgrm reads
DRAKE = "https://drake.mit.edu/"
UNLIMITED = "1e+16"  # what the specification has for no limit, up to 1.9
WITH_AXIS = (JointType.REVOLUTE, JointType.PRISMATIC, JointType.SCREW)
TENSOR = {"ixx": (0, 0), "ixy": (0, 1), "ixz": (0, 2), "iyy": (1, 1), "iyz": (1, 2), "izz": (2, 2)}


class SdfStyle(NamedTuple):
    """How things are written: number format, version and dialect."""

    numbers: Numbers
    version: SdfVersion
    dialect: Dialect


def add_text(parent: Node, tag: str, text: str) -> Node:
    """Add an element that has only text."""
    node = add_node(parent, tag)
    node.text = text
    return node


def unnamed_shape(link: str, tag: str, number: int) -> str:
    """The name in the file of a shape that has none."""
    return f"{link}_{tag}_{number}"


def add_pose(parent: Node, pose: Pose, style: SdfStyle, relative_to: str = "") -> None:
    """Add the <pose> with a quaternion, unless it is the identity in the element's own frame."""
    if pose == IDENTITY and not relative_to:
        return
    numbers = f"{style.numbers.of(LENGTH, pose.pos)} {style.numbers.of(DIRECTION, pose.rot)}"
    node = add_text(parent, "pose", numbers)
    if relative_to:
        node.set("relative_to", relative_to)
    node.set("rotation_format", "quat_xyzw")


def add_inertial(parent: Node, inertial: Inertial, style: SdfStyle) -> Node:
    """Add the <inertial>, the tensor along the link's axes."""
    node = add_node(parent, "inertial")
    add_pose(node, Pose(inertial.origin), style)
    add_text(node, "mass", style.numbers.text(inertial.mass))
    inertia = add_node(node, "inertia")
    I = tensor_matrix(inertial)  # noqa: E741 - its usual symbol
    for tag, (row, column) in TENSOR.items():
        add_text(inertia, tag, style.numbers.text(float(I[row, column])))
    return node


def add_geometry(parent: Node, shape: Geometry, uri: str, style: SdfStyle) -> None:
    """Add the <geometry>; the uri is how a mesh's file is named."""
    geometry, text = add_node(parent, "geometry"), style.numbers.text
    if isinstance(shape, Mesh):
        node = add_node(geometry, "mesh")
        add_text(node, "uri", uri)
        if shape.scale != (1.0, 1.0, 1.0):
            add_text(node, "scale", style.numbers.texts(shape.scale))
    elif isinstance(shape, Box):
        add_text(add_node(geometry, "box"), "size", style.numbers.texts(shape.size))
    elif isinstance(shape, Sphere):
        add_text(add_node(geometry, "sphere"), "radius", text(shape.radius))
    else:
        node = add_node(geometry, "cylinder" if isinstance(shape, Cylinder) else "capsule")
        add_text(node, "radius", text(shape.radius))
        add_text(node, "length", text(shape.length))


def add_look(parent: Node, material: Material, style: SdfStyle) -> None:
    """Add the <material> of a visual: the colour as ambient and diffuse light, a texture as albedo map."""
    node = add_node(parent, "material")
    if material.rgba is not None:
        for tag in ("ambient", "diffuse"):
            add_text(node, tag, style.numbers.texts(material.rgba))
    if material.texture:
        add_text(add_node(add_node(node, "pbr"), "metal"), "albedo_map", material.texture)


def add_axis(parent: Node, joint: Joint, leader: str, style: SdfStyle) -> None:
    """Add the <axis> with its limits, dynamics and, from 1.11 on, what it follows; `leader` is that joint's name."""
    axis, text = add_node(parent, "axis"), style.numbers.text
    length = math.hypot(*joint.axis) or 1.0
    add_text(axis, "xyz", style.numbers.of(DIRECTION, tuple(value / length for value in joint.axis)))
    if (coupling := joint.coupling) is not None and style.version is SdfVersion.NEW:
        mimic = add_node(axis, "mimic", {"joint": leader})
        add_text(mimic, "multiplier", text(coupling.ratio))
        add_text(mimic, "offset", text(coupling.offset))
        add_text(mimic, "reference", "0")
    _add_limit(axis, joint, style)
    if (dynamics := joint.dynamics) is not None:
        node = add_node(axis, "dynamics")
        if style.version is not SdfVersion.NEW:
            add_text(node, "spring_reference", "0")
            add_text(node, "spring_stiffness", "0")
        add_text(node, "damping", text(dynamics.damping))
        add_text(node, "friction", text(dynamics.friction))


def _add_limit(axis: Node, joint: Joint, style: SdfStyle) -> None:
    """Add the <limit>: only what the model has; 1.9 requires the positions."""
    limits, old = joint.limits, style.version is not SdfVersion.NEW
    bounds = {"lower": (limits.lower, f"-{UNLIMITED}"), "upper": (limits.upper, UNLIMITED)}
    found = {
        tag: style.numbers.text(value) if value is not None else default
        for tag, (value, default) in bounds.items()
        if value is not None or old
    }
    more = {"effort": limits.effort, "velocity": limits.velocity}
    if style.dialect is Dialect.DRAKE:
        more["drake:acceleration"] = limits.acceleration
    found |= {tag: style.numbers.text(value) for tag, value in more.items() if value is not None}
    if found:
        node = add_node(axis, "limit")
        for tag, value in found.items():
            add_text(node, tag, value)
