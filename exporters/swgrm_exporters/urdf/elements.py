"""The elements of URDF that need no decision: origin, inertial, geometry, material, and a joint's optional ones."""

from __future__ import annotations

from swgrm.errors import ModelError
from swgrm.model import (
    IDENTITY,
    Box,
    Capsule,
    Cylinder,
    Geometry,
    Inertial,
    Joint,
    Material,
    Mesh,
    Pose,
    Sphere,
    Tensor,
)
from swgrm_exporters.numbers import Numbers
from swgrm_exporters.urdf.rotation import written_rpy
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
    element = add_node(parent, tag, {"name": shape.name} if shape.name else {})
    add_origin(element, shape.origin, numbers)
    form, values = _form(shape, uri, numbers)
    add_node(add_node(element, "geometry"), form, values)
    if shape.material and tag == "visual":
        add_node(element, "material", {"name": shape.material})


def _form(shape: Geometry, uri: str, numbers: Numbers) -> tuple[str, dict[str, str]]:
    if isinstance(shape, Mesh):
        scale = {} if shape.scale == (1.0, 1.0, 1.0) else {"scale": numbers.texts(shape.scale)}
        return "mesh", {"filename": uri, **scale}
    if isinstance(shape, Box):
        return "box", {"size": numbers.texts(shape.size)}
    if isinstance(shape, Sphere):
        return "sphere", {"radius": numbers.text(shape.radius)}
    if isinstance(shape, Cylinder):
        return "cylinder", {"radius": numbers.text(shape.radius), "length": numbers.text(shape.length)}
    assert isinstance(shape, Capsule)  # noqa: S101 - the last of them
    raise ModelError("A capsule reached the URDF writer: lowering must split it.")


def add_material(parent: Node, material: Material, numbers: Numbers) -> None:
    """A <material> with its look."""
    element = add_node(parent, "material", {"name": material.name})
    if material.rgba is not None:
        add_node(element, "color", {"rgba": numbers.texts(material.rgba)})
    if material.texture:
        add_node(element, "texture", {"filename": material.texture})


def add_joint_extras(parent: Node, joint: Joint, numbers: Numbers) -> None:
    """The <dynamics>, <mimic>, <safety_controller> and <calibration> that a joint has."""
    text = numbers.text
    if (dynamics := joint.dynamics) is not None:
        add_node(parent, "dynamics", {"damping": text(dynamics.damping), "friction": text(dynamics.friction)})
    if (coupling := joint.coupling) is not None:
        values = {"joint": coupling.joint, "multiplier": text(coupling.ratio), "offset": text(coupling.offset)}
        add_node(parent, "mimic", values)
    if joint.safety is not None:
        names = ("soft_lower_limit", "soft_upper_limit", "k_position", "k_velocity")
        add_node(parent, "safety_controller", {name: text(getattr(joint.safety, name)) for name in names})
    if joint.calibration is not None:
        marks = {"rising": joint.calibration.rising, "falling": joint.calibration.falling}
        add_node(parent, "calibration", {name: text(value) for name, value in marks.items() if value is not None})
