"""The elements of URDF that need no decision: origin, inertial, geometry, material, and a joint's optional ones."""

from __future__ import annotations

import msgspec
from msgspec.structs import replace

from swgrm.errors import ModelError
from swgrm.model import (
    IDENTITY,
    Capsule,
    Geometry,
    Inertial,
    Joint,
    Material,
    Mesh,
    Pose,
    Tensor,
)
from swgrm_exporters.numbers import Numbers
from swgrm_exporters.urdf.rotation import written_rpy
from swgrm_exporters.urdf.schema import JOINT_PARTS, SHAPES, UrdfPart
from swgrm_exporters.xmlwriting import Node, add_node


def add_origin(parent: Node, pose: Pose, numbers: Numbers) -> None:
    """Add the <origin>, unless it is the identity."""
    if pose is IDENTITY or pose == IDENTITY:
        return
    xyz, rpy = numbers.texts(pose.pos), numbers.texts(written_rpy(pose.rot))
    if not xyz == rpy == "0 0 0":
        add_node(parent, "origin", {"xyz": xyz, "rpy": rpy})


def add_inertial(parent: Node, inertial: Inertial, numbers: Numbers) -> None:
    """Add the <inertial>; a tensor that is unknown is zero."""
    tensor = inertial.tensor or Tensor()
    element = add_node(parent, "inertial")
    add_origin(element, Pose(inertial.origin, inertial.axes), numbers)
    add_node(element, "mass", {"value": numbers.text(inertial.mass)})
    add_node(element, "inertia", {name: numbers.text(getattr(tensor, name)) for name in Tensor.__struct_fields__})


def add_shape(parent: Node, tag: str, shape: Geometry, uri: str, numbers: Numbers) -> None:
    """A <visual> or <collision>; the uri is how a mesh's file is named."""
    if isinstance(shape, Capsule):
        raise ModelError("A capsule reached the URDF writer: lowering must split it.")
    element = add_node(parent, tag, {"name": shape.name} if shape.name else {})
    add_origin(element, shape.origin, numbers)
    named = replace(shape, uri=uri) if isinstance(shape, Mesh) else shape
    form = _TAGS[type(shape)]
    add_node(add_node(element, "geometry"), form, _attributes(named, SHAPES[form], numbers))
    if shape.material and tag == "visual":
        add_node(element, "material", {"name": shape.material})


_TAGS = {part.type: tag for tag, part in SHAPES.items()}


def _attributes(data: msgspec.Struct, part: UrdfPart, numbers: Numbers) -> dict[str, str]:
    """The attributes of a part of the model."""
    texts: dict[str, str] = {}
    for field in part.fields:
        value = getattr(data, field.own)
        if value is None or (field.is_short and value == field.default):
            continue
        if field.size == 0:
            texts[field.attribute] = value
        else:
            texts[field.attribute] = numbers.text(value) if field.size == 1 else numbers.texts(value)
    return texts


def add_material(parent: Node, material: Material, numbers: Numbers) -> None:
    """A <material> with its look."""
    element = add_node(parent, "material", {"name": material.name})
    if material.rgba is not None:
        add_node(element, "color", {"rgba": numbers.texts(material.rgba)})
    if material.texture:
        add_node(element, "texture", {"filename": material.texture})


def add_joint_extras(parent: Node, joint: Joint, numbers: Numbers) -> None:
    """The <dynamics>, <mimic>, <safety_controller> and <calibration> that a joint has."""
    for tag, (own, part) in JOINT_PARTS.items():
        if (data := getattr(joint, own)) is not None:
            add_node(parent, tag, _attributes(data, part, numbers))
