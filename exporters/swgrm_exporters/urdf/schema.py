"""URDF as data: its tags with their attributes and children; all else is props. Also the props that hold names."""

from __future__ import annotations

from collections.abc import Mapping
from types import EllipsisType
from typing import NamedTuple

import msgspec

from swgrm.model import (
    Box,
    Calibration,
    Capsule,
    Coupling,
    Cylinder,
    Dynamics,
    Limits,
    Mesh,
    Safety,
    Sphere,
    Tensor,
)


class Known(NamedTuple):
    """The attributes of an element that have a meaning, and its children."""

    attributes: frozenset[str] = frozenset()
    children: Mapping[str, Known] = {}


def known(attributes: str = "", **children: Known) -> Known:
    """A row of the table."""
    return Known(frozenset(attributes.split()), children)


class UrdfField(NamedTuple):
    """An attribute and the model's field for it; without a default it must be there, None: both may be absent."""

    attribute: str
    own: str
    size: int = 1  # how many numbers; 0: a text
    default: float | tuple[float, ...] | EllipsisType | None = ...
    is_short: bool = False  # not written where it has its default


class UrdfPart(NamedTuple):
    """An element that is a part of the model, written and read by its fields."""

    type: type[msgspec.Struct]
    fields: tuple[UrdfField, ...]

    @property
    def known(self) -> Known:
        """Its row in the table of elements."""
        return Known(frozenset(field.attribute for field in self.fields))


_RADIUS, _LENGTH = UrdfField("radius", "radius"), UrdfField("length", "length")
SHAPES: Mapping[str, UrdfPart] = {
    "mesh": UrdfPart(
        Mesh, (UrdfField("filename", "uri", 0), UrdfField("scale", "scale", 3, (1.0, 1.0, 1.0), is_short=True))
    ),
    "box": UrdfPart(Box, (UrdfField("size", "size", 3),)),
    "cylinder": UrdfPart(Cylinder, (_RADIUS, _LENGTH)),
    "sphere": UrdfPart(Sphere, (_RADIUS,)),
    "capsule": UrdfPart(Capsule, (_RADIUS, _LENGTH)),
}
JOINT_PARTS: Mapping[str, tuple[str, UrdfPart]] = {  # by tag: the joint's field, and what is in it
    "dynamics": (
        "dynamics",
        UrdfPart(Dynamics, (UrdfField("damping", "damping", 1, 0.0), UrdfField("friction", "friction", 1, 0.0))),
    ),
    "mimic": (
        "coupling",
        UrdfPart(
            Coupling,
            (
                UrdfField("joint", "joint", 0),
                UrdfField("multiplier", "ratio", 1, 1.0),
                UrdfField("offset", "offset", 1, 0.0),
            ),
        ),
    ),
    "safety_controller": (
        "safety",
        UrdfPart(
            Safety,
            (
                UrdfField("soft_lower_limit", "soft_lower_limit", 1, 0.0),
                UrdfField("soft_upper_limit", "soft_upper_limit", 1, 0.0),
                UrdfField("k_position", "k_position", 1, 0.0),
                UrdfField("k_velocity", "k_velocity"),
            ),
        ),
    ),
    "calibration": (
        "calibration",
        UrdfPart(Calibration, (UrdfField("rising", "rising", 1, None), UrdfField("falling", "falling", 1, None))),
    ),
}

ORIGIN = known("xyz rpy")
GEOMETRY = known("", **{tag: part.known for tag, part in SHAPES.items()})
MATERIAL = known("name", color=known("rgba"), texture=known("filename"))

LINK = known(
    "name",
    inertial=known(origin=ORIGIN, mass=known("value"), inertia=known(" ".join(Tensor.__struct_fields__))),
    visual=known("name", origin=ORIGIN, geometry=GEOMETRY, material=MATERIAL),
    collision=known("name", origin=ORIGIN, geometry=GEOMETRY),
)
JOINT = known(
    "name type",
    origin=ORIGIN,
    parent=known("link"),
    child=known("link"),
    axis=known("xyz"),
    limit=known(" ".join(Limits.__struct_fields__)),
    **{tag: part.known for tag, (_, part) in JOINT_PARTS.items()},
)
SENSOR = known("name type id update_rate", parent=known("link"), origin=ORIGIN)
ROBOT = known("name", link=LINK, joint=JOINT, material=MATERIAL, sensor=SENSOR, transmission=known("name"))

REPEATED = frozenset({"visual", "collision"})  # these may occur several times; a second one of any other tag is props
OWN_TAG = "swgrm"  # the element in which swgrm keeps what URDF has no element for

GAZEBO_ELEMENTS = frozenset(  # inside <gazebo>, with text: extensions of links and joints that sdformat's parser knows
    {
        "material", "turnGravityOff", "dampingFactor", "maxVel", "minDepth", "mu1", "mu2", "fdir1", "kp", "kd",
        "selfCollide", "maxContacts", "laserRetro", "gravity", "static", "stopCfm", "stopErp", "provideFeedback",
        "implicitSpringDamper", "springReference", "springStiffness", "cfmDamping", "fudgeFactor",
        "initialJointPosition", "preserveFixedJoint", "disableFixedJointLumping",
    }
)  # fmt: skip

# ---- props that hold the name of a link or joint
#
# A key is a path of tags, without the numbers of repeated ones, and an attribute or `#text`.

_LINK, _JOINT, _EITHER = ("link",), ("joint",), ("link", "joint")

REFERENCES: Mapping[str, tuple[str, ...]] = {
    # <gazebo reference="…">: the link or joint that an extension for Gazebo belongs to (sdformat, URDF parser)
    "gazebo.reference": _EITHER,
    # Elements of SDF inside <gazebo> that are copied to the model as they are (SDFormat specification)
    "gazebo.joint.parent.#text": _LINK,
    "gazebo.joint.child.#text": _LINK,
    "gazebo.joint.gearbox_reference_body.#text": _LINK,
    "gazebo.joint.axis.mimic.joint": _JOINT,
    "gazebo.sensor.gz_frame_id.#text": _LINK,
    "gazebo.sensor.ignition_frame_id.#text": _LINK,
    # The same in Gazebo 0.x, as in the description of the PR2
    "gazebo.canonicalBody.#text": _LINK,
    "gazebo.joint:hinge.body1.#text": _LINK,
    "gazebo.joint:hinge.body2.#text": _LINK,
    "gazebo.joint:slider.body1.#text": _LINK,
    "gazebo.joint:slider.body2.#text": _LINK,
    # The fingers of TALOS (gazebo_underactuated_finger)
    "gazebo.plugin.virtualJoint.name.#text": _JOINT,
    # ros2_control's hardware description
    "ros2_control.joint.name": _JOINT,
    "ros2_control.transmission.joint.name": _JOINT,
    # <sensor><parent joint="…"/>, besides `link` (URDF sensor proposal)
    "parent.joint": _JOINT,
    # Transmissions of the PR2 (pr2_mechanism_model, pr2_gripper_transmission) that name joints besides <joint>
    "flexJoint.name": _JOINT,
    "rollJoint.name": _JOINT,
    "gap_joint.name": _JOINT,
    "passive_joint.name": _JOINT,
    "simulated_actuated_joint.name": _JOINT,
}

CONTROL_PARAMETERS: Mapping[str, tuple[str, ...]] = {  # by the `name` of a <param> of ros2_control: what its text names
    "frame_id": _LINK,  # of a sensor
    "mimic": _JOINT,  # the joint that this one follows
}

_PLUGIN_LINKS = (
    # gazebo_plugins of ROS 1: p3d, imu, force, bumper, camera, laser, hand_of_god, vacuum_gripper, the drives
    "bodyName frameName linkName robotBaseFrame "
    # the same in ROS 2, and Gazebo's own systems: odometry, detachable joint, wrench, battery
    "body_name frame_name link_name robot_base_frame child_frame_id parent_link child_link"
)
_PLUGIN_JOINTS = (
    # gazebo_plugins of ROS 1: ft_sensor, joint_state_publisher, diff_drive, skid_steer_drive, tricycle_drive
    "jointName leftJoint rightJoint leftFrontJoint rightFrontJoint leftRearJoint rightRearJoint "
    "steeringJoint actuatedWheelJoint encoderWheelLeftJoint encoderWheelRightJoint "
    # the same in ROS 2, and Gazebo's own systems: diff_drive, ackermann_drive, mecanum_drive, joint controllers
    "joint_name left_joint right_joint front_left_joint front_right_joint rear_left_joint rear_right_joint "
    "back_left_joint back_right_joint left_steering_joint right_steering_joint steering_wheel_joint "
    # the mimic joint plugin (roboticsgroup_gazebo_plugins), and the fingers of TALOS (gazebo_underactuated_finger)
    "joint mimicJoint actuatedJoint"
)
PLUGINS = ("plugin", "controller:")  # how the tag of a plugin begins; the second form is that of Gazebo 0.x
PLUGIN_PARAMETERS: Mapping[str, tuple[str, ...]] = {  # by the tag of an element inside a plugin: what its text names
    **dict.fromkeys(_PLUGIN_LINKS.split(), _LINK),
    **dict.fromkeys(_PLUGIN_JOINTS.split(), _JOINT),
}
