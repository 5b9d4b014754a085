"""The sensors of a robot in its URDF, and what Gazebo and ros2_control have for each."""

from __future__ import annotations

import re
from typing import NamedTuple

from swgrm.model import IDENTITY, Pose, Robot, Sensor
from swgrm.model.sensor_types import SENSORS, ControlledSensor, GazeboSensor, SensorType
from swgrm_exporters.names import Pool, ros_legal
from swgrm_exporters.urdf.rotation import rpy_quaternion
from swgrm_exporters.xmlwriting import Node


class PlacedSensor(NamedTuple):
    """A sensor on a link of the URDF, at a pose in it."""

    sensor: Sensor
    name: str  # legal in ROS, and unique
    link: str
    pose: Pose
    origin: str  # the pose as `x y z roll pitch yaw` [m, rad]; empty: none
    joint: str = ""  # that the sensor names instead of a link


def gazebo_sensor(sensor: Sensor) -> GazeboSensor | None:
    """What Gazebo has for a sensor; None if swgrm knows nothing for its type."""
    return SENSORS.get(sensor.type, SensorType()).gazebo


def controlled_sensor(sensor: Sensor) -> ControlledSensor | None:
    """What ros2_control has for a sensor; None if it has topics only."""
    return SENSORS.get(sensor.type, SensorType()).control


def placed_sensors(tree: Node, robot: Robot) -> tuple[PlacedSensor, ...]:
    """The sensors in the tree of a URDF; `robot` is what it was made from."""
    waiting: dict[str, list[Sensor]] = {}
    for frame in robot.frames:
        for sensor in frame.sensors:
            waiting.setdefault(sensor.name, []).append(sensor)
    children = {each.get("name", ""): _attribute(each, "child", "link") for each in tree.iterfind("joint")}
    pool, found = Pool(), []
    for element in tree.iterfind("sensor"):
        sensor = waiting[element.get("name", "")].pop(0)
        joint = _attribute(element, "parent", "joint")
        link = _attribute(element, "parent", "link") or children.get(joint, "")
        at = element.find("origin")
        texts = "" if at is None else f"{at.get('xyz', '0 0 0')} {at.get('rpy', '0 0 0')}"
        name = pool.fresh(sensor_name(sensor.name))
        found.append(PlacedSensor(sensor, name, link, _pose(texts), texts, joint))
    return tuple(found)


def _pose(origin: str) -> Pose:
    """The pose of `x y z roll pitch yaw`: R = Rz(yaw) · Ry(pitch) · Rx(roll)."""
    if not origin:
        return IDENTITY
    x, y, z, roll, pitch, yaw = map(float, origin.split())
    return Pose((x, y, z), rpy_quaternion((roll, pitch, yaw)))


def sensor_name(name: str) -> str:
    """A name for a sensor and its topics: letters, digits and underscores, a letter first."""
    legal = re.sub(r"[^A-Za-z0-9_]+", "_", ros_legal(name)).strip("_")
    return legal if legal[:1].isalpha() else f"sensor_{legal}".rstrip("_")


def _attribute(node: Node, tag: str, key: str) -> str:
    inner = node.find(tag)
    return "" if inner is None else inner.get(key, "")
