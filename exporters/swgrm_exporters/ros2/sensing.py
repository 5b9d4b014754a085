"""The sensors of a robot in its URDF, and what ros2_control, Gazebo and the bridge to ROS have for each type."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from swgrm.model import IDENTITY, Pose, Robot, Sensor
from swgrm_exporters.names import Pool, ros_legal
from swgrm_exporters.urdf.rotation import rpy_quaternion
from swgrm_exporters.xmlwriting import Node

_AXES = ("x", "y", "z")


class PlacedSensor(NamedTuple):
    """A sensor on a link of the URDF, at a pose in it."""

    sensor: Sensor
    name: str  # legal in ROS, and unique
    link: str
    pose: Pose
    origin: str  # the pose as `x y z roll pitch yaw` [m, rad]; empty: none
    joint: str = ""  # that the sensor names instead of a link


class GazeboSystem(NamedTuple):
    """A system plugin of Gazebo's world that simulates sensors."""

    filename: str
    name: str


class Bridged(NamedTuple):
    """A topic of a sensor between Gazebo and ROS: the end of its name, and the types of its messages."""

    topic: str
    ros: str
    gazebo: str


class SensorKind(NamedTuple):
    """What the programs have for a type of sensor."""

    system: GazeboSystem
    topics: tuple[Bridged, ...] = ()  # none: its values are state interfaces in every hardware
    interfaces: tuple[str, ...] = ()
    mujoco: str = ""  # its `mujoco_type`


RENDERING = GazeboSystem("gz-sim-sensors-system", "gz::sim::systems::Sensors")
IMU_INTERFACES = (
    *(f"orientation.{axis}" for axis in (*_AXES, "w")),
    *(f"angular_velocity.{axis}" for axis in _AXES),
    *(f"linear_acceleration.{axis}" for axis in _AXES),
)
WRENCH_INTERFACES = tuple(f"{what}.{axis}" for what in ("force", "torque") for axis in _AXES)
KINDS: Mapping[str, SensorKind] = {
    "camera": SensorKind(
        RENDERING,
        (
            Bridged("image", "sensor_msgs/msg/Image", "gz.msgs.Image"),
            Bridged("camera_info", "sensor_msgs/msg/CameraInfo", "gz.msgs.CameraInfo"),
        ),
    ),
    "ray": SensorKind(
        RENDERING,
        (
            Bridged("scan", "sensor_msgs/msg/LaserScan", "gz.msgs.LaserScan"),
            Bridged("scan/points", "sensor_msgs/msg/PointCloud2", "gz.msgs.PointCloudPacked"),
        ),
    ),
    "imu": SensorKind(
        GazeboSystem("gz-sim-imu-system", "gz::sim::systems::Imu"), interfaces=IMU_INTERFACES, mujoco="imu"
    ),
    "force_torque": SensorKind(
        GazeboSystem("gz-sim-forcetorque-system", "gz::sim::systems::ForceTorque"),
        (Bridged("wrench", "geometry_msgs/msg/WrenchStamped", "gz.msgs.Wrench"),),
        WRENCH_INTERFACES,
        "fts",
    ),
    "magnetometer": SensorKind(
        GazeboSystem("gz-sim-magnetometer-system", "gz::sim::systems::Magnetometer"),
        (Bridged("magnetic_field", "sensor_msgs/msg/MagneticField", "gz.msgs.Magnetometer"),),
    ),
    "gps": SensorKind(
        GazeboSystem("gz-sim-navsat-system", "gz::sim::systems::NavSat"),
        (Bridged("fix", "sensor_msgs/msg/NavSatFix", "gz.msgs.NavSat"),),
    ),
    "contact": SensorKind(
        GazeboSystem("gz-sim-contact-system", "gz::sim::systems::Contact"),
        (Bridged("contacts", "ros_gz_interfaces/msg/Contacts", "gz.msgs.Contacts"),),
    ),
}


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


def interfaces_of(placed: PlacedSensor) -> list[tuple[str, str]]:
    """The state interfaces of a sensor, each with its value at the start; none if it has topics only."""
    kind = KINDS.get(placed.sensor.type)
    return [(name, "1.0" if name == "orientation.w" else "0.0") for name in kind.interfaces] if kind else []


def mujoco_type(placed: PlacedSensor) -> str:
    """What MuJoCo's hardware calls the type of a sensor with interfaces."""
    return KINDS[placed.sensor.type].mujoco


def _attribute(node: Node, tag: str, key: str) -> str:
    inner = node.find(tag)
    return "" if inner is None else inner.get(key, "")
