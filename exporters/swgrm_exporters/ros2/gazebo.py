"""What Gazebo needs beside URDF: sensors, the plugin of ros2_control, the world, and the bridge of topics to ROS."""

from __future__ import annotations

from collections.abc import Iterator

import yaml

from swgrm.findings import Findings
from swgrm.model.sensor_types import GazeboSystem
from swgrm_exporters.numbers import Numbers
from swgrm_exporters.ros2.description import RobotDescription
from swgrm_exporters.ros2.lumping import end, measured_joint, watched_collision
from swgrm_exporters.ros2.sensing import PlacedSensor, gazebo_sensor
from swgrm_exporters.ros2.xacro_macros import PREFIX, element, escaped, macro_file
from swgrm_exporters.sdf.elements import SdfStyle
from swgrm_exporters.sdf.options import Dialect, SdfVersion
from swgrm_exporters.sdf.sensors import add_sensor, assume, is_on_joint, put
from swgrm_exporters.xmlwriting import Node, add_node, written

COMMENT = "Sensors and plugins for Gazebo."
BRIDGE_HEAD = "# The topics that Gazebo and ROS share. Edits of this file are kept.\n"
OPTICAL = "_optical_frame"
CONTACT = "contact"
BASE_SYSTEMS = (
    GazeboSystem("gz-sim-physics-system", "gz::sim::systems::Physics"),
    GazeboSystem("gz-sim-user-commands-system", "gz::sim::systems::UserCommands"),
    GazeboSystem("gz-sim-scene-broadcaster-system", "gz::sim::systems::SceneBroadcaster"),
)
COORDINATES = {  # of the world's origin, for a GPS
    "surface_model": "EARTH_WGS84", "world_frame_orientation": "ENU", "latitude_deg": "0", "longitude_deg": "0",
    "elevation": "0", "heading_deg": "0",
}  # fmt: skip


def gazebo_file(description: RobotDescription, sensors: tuple[PlacedSensor, ...], findings: Findings) -> bytes:
    """The file with the macro `NAME_gazebo`."""
    plugin = element(
        "plugin",
        {"filename": "gz_ros2_control-system", "name": "gz_ros2_control::GazeboSimROS2ControlPlugin"},
        element("parameters", text="${controllers}"),
    )
    content = [element("gazebo", None, plugin)] if description.joints else []
    for placed in sensors:
        content += _sensor(placed, description, findings)
    return macro_file(f"{description.layout.name}_gazebo", "prefix:='' controllers:=''", content, COMMENT)


def _sensor(placed: PlacedSensor, description: RobotDescription, findings: Findings) -> Iterator[Node]:
    """A sensor on its link, or on the joint whose force and torque it measures."""
    if gazebo_sensor(placed.sensor) is None:
        findings.add("ros2-sensor-left-out", f"sensor {placed.sensor.name}", type=placed.sensor.type)
        return
    place, frame, more = placed.link, placed.link, list[Node]()
    if is_on_joint(placed.sensor):
        joint = measured_joint(placed.link, placed.joint, description.tree)
        if joint is None:
            findings.add("ros2-sensor-unjointed", f"sensor {placed.sensor.name}")
            return
        place, frame = joint.get("name", ""), end(joint, "child")  # the wrench is that in the joint's frame
        more = [element("preserveFixedJoint", text="true")] if joint.get("type") == "fixed" else []
    node = _described(placed, frame, description, findings)
    yield element("gazebo", {"reference": f"{PREFIX}{escaped(place)}"}, *more, node)


def _described(placed: PlacedSensor, frame: str, description: RobotDescription, findings: Findings) -> Node:
    """The <sensor> itself, with its topic and the frame of its messages."""
    kind, holder = placed.sensor.type, Node("gazebo")
    node = add_sensor(holder, placed.sensor, f"{PREFIX}{placed.name}", STYLE)
    if placed.origin and not is_on_joint(placed.sensor):
        node.insert(0, element("pose", text=placed.origin))
    if kind == CONTACT and (collision := watched_collision(placed.link, description.tree)):
        put(node, ["contact", "collision"], collision)
    simulated = gazebo_sensor(placed.sensor)
    topics = simulated.topics if simulated else ()
    topic = topic_of(placed, topics[0].topic if topics else "data", PREFIX)
    put(node, ["contact", "topic"] if kind == CONTACT else ["topic"], topic)  # Gazebo reads a contact's there alone
    add_node(node, "always_on").text = "true"
    add_node(node, "gz_frame_id").text = f"{PREFIX}{escaped(frame)}"
    if values := assume(node, placed.sensor):
        findings.add("ros2-sensor-assumed", f"sensor {placed.sensor.name}", values=values)
    if kind == "camera":
        put(node, ["camera", "camera_info_topic"], topic_of(placed, "camera_info", PREFIX))
        put(node, ["camera", "optical_frame_id"], f"{PREFIX}{optical_frame(placed)}")
    return node


STYLE = SdfStyle(Numbers(), SdfVersion.NEW, Dialect.GAZEBO)


def topic_of(placed: PlacedSensor, ending: str, prefix: str = "") -> str:
    """The name of a topic of a sensor."""
    return f"{prefix}{placed.name}/{ending}"


def optical_frame(placed: PlacedSensor) -> str:
    """The link of a camera's images: z ahead, x to the right."""
    return f"{placed.name}{OPTICAL}"


def bridge_file(sensors: tuple[PlacedSensor, ...]) -> bytes:
    """The configuration of ros_gz_bridge: the clock, and the topics of the sensors that Gazebo simulates."""
    rows = [_row("/clock", "/clock", "rosgraph_msgs/msg/Clock", "gz.msgs.Clock")]
    for placed in sensors:
        kind = gazebo_sensor(placed.sensor)
        for each in kind.topics if kind else ():
            topic = topic_of(placed, each.topic)
            rows.append(_row(topic, topic, each.ros, each.gazebo))
    return BRIDGE_HEAD.encode() + yaml.safe_dump(rows, sort_keys=False).encode()


def _row(ros_topic: str, gazebo_topic: str, ros_type: str, gazebo_type: str) -> dict[str, str]:
    return {
        "ros_topic_name": ros_topic,
        "gz_topic_name": gazebo_topic,
        "ros_type_name": ros_type,
        "gz_type_name": gazebo_type,
        "direction": "GZ_TO_ROS",
    }


def world_file(name: str, sensors: tuple[PlacedSensor, ...]) -> bytes:
    """A world with a floor, light, and the systems that the robot's sensors need."""
    simulated = [kind for placed in sensors if (kind := gazebo_sensor(placed.sensor)) is not None]
    root = Node("sdf", {"version": "1.9"})
    world = add_node(root, "world", {"name": name})
    for system in dict.fromkeys((*BASE_SYSTEMS, *(kind.system for kind in simulated))):
        plugin = add_node(world, "plugin", {"filename": system.filename, "name": system.name})
        if system.name.endswith("::Sensors"):
            add_node(plugin, "render_engine").text = "ogre2"
    if any(placed.sensor.type == "gps" for placed in sensors):
        coordinates = add_node(world, "spherical_coordinates")
        for tag, text in COORDINATES.items():
            add_node(coordinates, tag).text = text
    world.append(_light())
    world.append(_floor())
    return written(root)


def _light() -> Node:
    texts = {"cast_shadows": "true", "pose": "0 0 10 0 0 0", "diffuse": "0.8 0.8 0.8 1", "direction": "-0.5 0.1 -0.9"}
    return element("light", {"type": "directional", "name": "sun"}, *(element(tag, text=t) for tag, t in texts.items()))


def _floor() -> Node:
    def shape(size: bool) -> Node:
        plane = element("plane", None, element("normal", text="0 0 1"))
        if size:
            plane.append(element("size", text="20 20"))
        return element("geometry", None, plane)

    colours = (element(tag, text="0.8 0.8 0.8 1") for tag in ("ambient", "diffuse"))
    visual = element("visual", {"name": "visual"}, shape(True), element("material", None, *colours))
    collision = element("collision", {"name": "collision"}, shape(False))
    link = element("link", {"name": "link"}, collision, visual)
    return element("model", {"name": "ground_plane"}, element("static", text="true"), link)
