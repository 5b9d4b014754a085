"""The hardware for ros2_control: mock, Gazebo or MuJoCo, by the rules of its parser (`component_parser.cpp`).

A joint that follows another one, that a loop moves, or that is a part of a ball joint has states only; followers are in
the block of their leader.
"""

from __future__ import annotations

from collections.abc import Iterator

from swgrm_exporters.mjcf.home import HOME
from swgrm_exporters.names import ros_legal
from swgrm_exporters.numbers import Numbers
from swgrm_exporters.ros2.description import ControlledJoint, RobotDescription
from swgrm_exporters.ros2.sensing import PlacedSensor, controlled_sensor
from swgrm_exporters.ros2.xacro_macros import PREFIX, element, escaped, macro_file, param, where
from swgrm_exporters.xmlwriting import Node

PLUGINS = {
    "mock": "mock_components/GenericSystem",
    "gz": "gz_ros2_control/GazeboSimSystem",
    "mujoco": "mujoco_ros2_control/MujocoSystemInterface",
}
STATES = ("position", "velocity")
COMMENT = "The hardware of the robot. Edits of this file are kept: add the plugin of your own hardware here."


def control_file(description: RobotDescription, sensors: tuple[PlacedSensor, ...], numbers: Numbers) -> bytes:
    """The file with the macro `NAME_ros2_control`."""
    name = description.layout.name
    block = element("ros2_control", {"name": f"{PREFIX}{name}", "type": "system"}, _hardware())
    names = {each.name for each in description.joints}
    block.extend(_joint(each, names, numbers) for each in description.joints)
    for each in sensors:
        block.extend(_sensor(each))
    params = "prefix:='' sim:=mock model:=''"
    return macro_file(f"{name}_ros2_control", params, [block], COMMENT)


def _hardware() -> Node:
    parameters = {
        "mock": [param("calculate_dynamics", "true")],
        "mujoco": [param("mujoco_model", "${model}"), param("initial_keyframe", HOME)],
    }
    choices = [
        where(f"sim == '{sim}'", element("plugin", text=plugin), *parameters.get(sim, []))
        for sim, plugin in PLUGINS.items()
    ]
    return element("hardware", None, *choices)


def _joint(joint: ControlledJoint, names: set[str], numbers: Numbers) -> Node:
    node = element("joint", {"name": f"{PREFIX}{escaped(joint.name)}"})
    if joint.leader and joint.leader not in names:
        node.set("mimic", "false")  # what it follows is not here
    if joint.command:
        node.append(element("command_interface", {"name": joint.command}, *_range(joint, numbers)))
    for state in STATES:
        node.append(element("state_interface", {"name": state}))
    node.find("state_interface").append(param("initial_value", _decimal(joint.home, numbers)))  # type: ignore[union-attr]
    return node


def _range(joint: ControlledJoint, numbers: Numbers) -> Iterator[Node]:
    """The parameters `min` and `max` of a command interface, as far as the joint has these limits."""
    limits = joint.limits
    if joint.command == "position":
        ends = limits.lower, limits.upper
    else:
        most = limits.velocity if joint.command == "velocity" else limits.effort
        ends = (None, None) if most is None else (-most, most)
    for name, value in zip(("min", "max"), ends, strict=True):
        if value is not None:
            yield param(name, _decimal(value, numbers))


def _decimal(value: float, numbers: Numbers) -> str:
    text = numbers.text(value)
    return f"{text}.0" if text.lstrip("-").isdigit() else text


def _sensor(placed: PlacedSensor) -> Iterator[Node]:
    """A sensor whose values are state interfaces; Gazebo's hardware has no force and torque."""
    kind = controlled_sensor(placed.sensor)
    if kind is None:
        return
    node = element("sensor", {"name": f"{PREFIX}{placed.name}"})
    for interface in kind.interfaces:
        start = "1.0" if interface == "orientation.w" else "0.0"
        node.append(element("state_interface", {"name": interface}, param("initial_value", start)))
    node.append(param("frame_id", f"{PREFIX}{escaped(placed.link)}"))
    own = param("mujoco_sensor_name", ros_legal(placed.sensor.name) or "sensor")
    node.append(where("sim == 'mujoco'", param("mujoco_type", kind.mujoco_type), own))
    yield node if kind.is_in_gazebo else where("sim != 'gz'", node)
