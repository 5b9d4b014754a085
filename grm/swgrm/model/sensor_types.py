"""The types of sensor, and what each format and program has for them: one entry of `SENSORS` per type.

The writers and readers of SDF and MJCF, the ROS 2 package, the checks and the review page take all that they know of a
type from here. A parameter has the path that URDF gives it, such as `camera.image.width`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple


class SensorParameter(NamedTuple):
    """A parameter: its path in the model, its path of elements in SDF, and what is assumed where it is missing."""

    own: str
    sdf: str
    assumed: str = ""  # what a simulator must know and CAD does not


class SdfSensor(NamedTuple):
    """A type of sensor in SDF."""

    type: str
    also: tuple[str, ...] = ()  # other types of SDF that are read as this one
    parameters: tuple[SensorParameter, ...] = ()
    is_on_joint: bool = False  # it is an element of a joint, whose force it measures


class MujocoElement(NamedTuple):
    """An element of MuJoCo's <sensor>, and the end of its name."""

    tag: str
    ending: str = ""


class GazeboSystem(NamedTuple):
    """A system plugin of Gazebo's world that simulates sensors."""

    filename: str
    name: str


class Bridged(NamedTuple):
    """A topic of a sensor between Gazebo and ROS: the end of its name, and the types of its messages."""

    topic: str
    ros: str
    gazebo: str


class GazeboSensor(NamedTuple):
    """What Gazebo needs for a type of sensor besides SDF."""

    system: GazeboSystem
    topics: tuple[Bridged, ...] = ()  # none: its values are state interfaces in every hardware


class ControlledSensor(NamedTuple):
    """A type of sensor in ros2_control."""

    interfaces: tuple[str, ...]
    broadcaster: str
    mujoco_type: str
    is_in_gazebo: bool  # whether Gazebo's hardware has the interfaces


class SensorType(NamedTuple):
    """What the formats and programs have for a type of sensor; None or empty: nothing."""

    sdf: SdfSensor | None = None
    mujoco: tuple[MujocoElement, ...] = ()  # a camera is not one of them
    looks_ahead: bool = False  # along x; MuJoCo's rangefinder looks along z of its site
    gazebo: GazeboSensor | None = None
    control: ControlledSensor | None = None


_AXES = ("x", "y", "z")
_RENDERING = GazeboSystem("gz-sim-sensors-system", "gz::sim::systems::Sensors")
_CAMERA = (
    SensorParameter("camera.image.hfov", "camera/horizontal_fov", "1.047"),
    SensorParameter("camera.image.width", "camera/image/width", "640"),
    SensorParameter("camera.image.height", "camera/image/height", "480"),
    SensorParameter("camera.image.format", "camera/image/format"),
    SensorParameter("camera.image.near", "camera/clip/near", "0.05"),
    SensorParameter("camera.image.far", "camera/clip/far", "100"),
)
_RAY = (
    SensorParameter("ray.horizontal.samples", "lidar/scan/horizontal/samples", "640"),
    SensorParameter("ray.horizontal.resolution", "lidar/scan/horizontal/resolution"),
    SensorParameter("ray.horizontal.min_angle", "lidar/scan/horizontal/min_angle", "-1.5708"),
    SensorParameter("ray.horizontal.max_angle", "lidar/scan/horizontal/max_angle", "1.5708"),
    SensorParameter("ray.vertical.samples", "lidar/scan/vertical/samples"),
    SensorParameter("ray.vertical.resolution", "lidar/scan/vertical/resolution"),
    SensorParameter("ray.vertical.min_angle", "lidar/scan/vertical/min_angle"),
    SensorParameter("ray.vertical.max_angle", "lidar/scan/vertical/max_angle"),
    SensorParameter("ray.range.min", "lidar/range/min", "0.08"),
    SensorParameter("ray.range.max", "lidar/range/max", "10"),
    SensorParameter("ray.range.resolution", "lidar/range/resolution"),
)
_FORCE_TORQUE = (
    SensorParameter("force_torque.frame", "force_torque/frame"),
    SensorParameter("force_torque.measure_direction", "force_torque/measure_direction"),
)

SENSORS: Mapping[str, SensorType] = {  # by the model's type, which is URDF's; in the order of the page's list
    "camera": SensorType(
        sdf=SdfSensor("camera", parameters=_CAMERA),
        gazebo=GazeboSensor(
            _RENDERING,
            (
                Bridged("image", "sensor_msgs/msg/Image", "gz.msgs.Image"),
                Bridged("camera_info", "sensor_msgs/msg/CameraInfo", "gz.msgs.CameraInfo"),
            ),
        ),
    ),
    "ray": SensorType(
        sdf=SdfSensor("gpu_lidar", ("lidar", "ray"), _RAY),
        mujoco=(MujocoElement("rangefinder"),),
        looks_ahead=True,
        gazebo=GazeboSensor(
            _RENDERING,
            (
                Bridged("scan", "sensor_msgs/msg/LaserScan", "gz.msgs.LaserScan"),
                Bridged("scan/points", "sensor_msgs/msg/PointCloud2", "gz.msgs.PointCloudPacked"),
            ),
        ),
    ),
    "imu": SensorType(
        sdf=SdfSensor("imu"),
        mujoco=(
            MujocoElement("framequat", "_quat"),
            MujocoElement("gyro", "_gyro"),
            MujocoElement("accelerometer", "_accel"),
        ),
        gazebo=GazeboSensor(GazeboSystem("gz-sim-imu-system", "gz::sim::systems::Imu")),
        control=ControlledSensor(
            (
                *(f"orientation.{axis}" for axis in (*_AXES, "w")),
                *(f"angular_velocity.{axis}" for axis in _AXES),
                *(f"linear_acceleration.{axis}" for axis in _AXES),
            ),
            broadcaster="imu_sensor_broadcaster/IMUSensorBroadcaster",
            mujoco_type="imu",
            is_in_gazebo=True,
        ),
    ),
    "magnetometer": SensorType(
        sdf=SdfSensor("magnetometer"),
        mujoco=(MujocoElement("magnetometer"),),
        gazebo=GazeboSensor(
            GazeboSystem("gz-sim-magnetometer-system", "gz::sim::systems::Magnetometer"),
            (Bridged("magnetic_field", "sensor_msgs/msg/MagneticField", "gz.msgs.Magnetometer"),),
        ),
    ),
    "gps": SensorType(
        sdf=SdfSensor("navsat", ("gps",)),
        mujoco=(MujocoElement("framepos"),),
        gazebo=GazeboSensor(
            GazeboSystem("gz-sim-navsat-system", "gz::sim::systems::NavSat"),
            (Bridged("fix", "sensor_msgs/msg/NavSatFix", "gz.msgs.NavSat"),),
        ),
    ),
    "force_torque": SensorType(
        sdf=SdfSensor("force_torque", parameters=_FORCE_TORQUE, is_on_joint=True),
        mujoco=(MujocoElement("force", "_force"), MujocoElement("torque", "_torque")),
        gazebo=GazeboSensor(
            GazeboSystem("gz-sim-forcetorque-system", "gz::sim::systems::ForceTorque"),
            (Bridged("wrench", "geometry_msgs/msg/WrenchStamped", "gz.msgs.Wrench"),),
        ),
        control=ControlledSensor(
            tuple(f"{what}.{axis}" for what in ("force", "torque") for axis in _AXES),
            broadcaster="force_torque_sensor_broadcaster/ForceTorqueSensorBroadcaster",
            mujoco_type="fts",
            is_in_gazebo=False,
        ),
    ),
    "contact": SensorType(
        sdf=SdfSensor("contact"),
        mujoco=(MujocoElement("touch"),),
        gazebo=GazeboSensor(
            GazeboSystem("gz-sim-contact-system", "gz::sim::systems::Contact"),
            (Bridged("contacts", "ros_gz_interfaces/msg/Contacts", "gz.msgs.Contacts"),),
        ),
    ),
    "sonar": SensorType(sdf=SdfSensor("sonar"), mujoco=(MujocoElement("rangefinder"),), looks_ahead=True),
    "rfidtag": SensorType(sdf=SdfSensor("rfidtag")),
    "rfid": SensorType(sdf=SdfSensor("rfid")),
    "altimeter": SensorType(
        sdf=SdfSensor("altimeter"),
        gazebo=GazeboSensor(
            GazeboSystem("gz-sim-altimeter-system", "gz::sim::systems::Altimeter"),
            (Bridged("altitude", "ros_gz_interfaces/msg/Altimeter", "gz.msgs.Altimeter"),),
        ),
    ),
}
