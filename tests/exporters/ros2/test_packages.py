"""Description packages: xacro with prefixes and odd names, sensors for Gazebo, chains of controllers, and the test."""

from __future__ import annotations

import math
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml
from lxml import etree
from lxml.etree import _Element as Element
from msgspec.structs import replace
from tests.control_rules import violations
from tests.exporters.ros2.expansion import HARDWARE, expanded, package_in

from swgrm import Frame, Inertial, Joint, JointType, Limits, Link, Robot, Sensor, Sphere, Tensor
from swgrm.findings import Findings
from swgrm.model import CompositeJoint, CompositeType, Coupling, Mount, Pose
from swgrm_addin.pipeline import export
from swgrm_exporters.format import Target
from swgrm_exporters.formats import named, read
from swgrm_exporters.ros2.chains import driven_chains
from swgrm_exporters.ros2.xacro_macros import escaped

BODY = Inertial(mass=1.0, tensor=Tensor(ixx=1.0, iyy=1.0, izz=1.0))
TURN = Joint(type=JointType.REVOLUTE, limits=Limits(lower=-1.0, upper=1.0))


def body(name: str, parent: str | None = None, joint: Joint | None = None, **more: Any) -> Frame:
    link = Link(name=name, inertial=BODY, collisions=(Sphere(radius=0.1),))
    own = replace(joint, name=f"{name}_joint") if joint else None
    return Frame(id=name, parent=parent, joint=own, links=(link,), **more)


def package(robot: Robot, folder: Path) -> tuple[Path, Findings]:
    findings = Findings()
    named("ros2").write(robot, Target(folder / "r_description", "r"), None, findings)
    return folder / "r_description", findings


def names(robot: Element, tag: str) -> list[str]:
    return [str(each.get("name")) for each in robot.findall(tag)]


# ---- xacro


@pytest.mark.parametrize("name", ["Röböter $(arg x)", "座標", "if", "6-axis arm", "_a__b"])
def test_odd_names_expand(name: str, tmp_path: Path) -> None:
    frames = (body("${base}"), body("Arm $${1}", "${base}", TURN), body("$(find x)", "Arm $${1}", TURN))
    robot = Robot(name=name, frames=frames, props={"gazebo.reference": "$(find x)", "note.text": "costs $(5) or ${6}"})
    made, _ = package(robot, tmp_path)
    plain = etree.parse(next((made / "urdf").glob("*.urdf"))).getroot()
    for sim in HARDWARE:
        root = expanded(made, sim)
        assert violations(root) == []
        assert names(plain, "link") == [each for each in names(root, "link") if each != "world"]
    left = expanded(made, "mock", "left_")
    assert names(left, "link") == [f"left_{each}" for each in names(plain, "link")]
    assert names(left, "joint") == [f"left_{each}" for each in names(plain, "joint")]
    assert [each.get("reference") for each in left.findall("gazebo")] == [f"left_{names(plain, 'link')[-1]}"]
    assert [each.get("text") for each in left.findall("note")] == ["costs $(5) or ${6}"]


@pytest.mark.parametrize(
    ("text", "kept"), [("$", "$"), ("${a}", "$${a}"), ("$(a)", "$$(a)"), ("$${a}", "$$${a}"), ("5 $ (x)", "5 $ (x)")]
)
def test_dollars_are_escaped(text: str, kept: str) -> None:
    assert escaped(text) == kept


def test_the_expanded_robot_is_the_plain_one(tmp_path: Path) -> None:
    export("mock:gripper", tmp_path, formats=("ros2",), options={"urdf": {"annotate": False}})
    made = package_in(tmp_path)
    file = tmp_path / "expanded.urdf"
    file.write_bytes(etree.tostring(expanded(made, "mock")))
    plain, again = read(made / "urdf/gripper.urdf"), read(file)
    assert {f.id: f.transform for f in plain.frames} == {f.id: f.transform for f in again.frames}
    assert {n: f.joint.coupling for n, f in plain.joints.items() if f.joint} == {
        n: f.joint.coupling for n, f in again.joints.items() if f.joint
    }
    assert [link.inertial for _, link in plain.links()] == [link.inertial for _, link in again.links()]


def test_arguments_that_cannot_be_are_refused(tmp_path: Path) -> None:
    xacro = pytest.importorskip("xacro", reason="`make test` installs it")
    made, _ = package(Robot(name="r", frames=(body("a"), body("b", "a", TURN))), tmp_path)
    with pytest.raises(xacro.XacroException, match="sim is ros1: use one of mock, gz, mujoco"):
        expanded(made, "ros1")
    with pytest.raises(xacro.XacroException, match="the model for MuJoCo have no prefix"):
        expanded(made, "mujoco", "left_")


def test_only_gazebo_has_a_world_and_only_if_the_base_is_fixed(tmp_path: Path) -> None:
    robot = Robot(name="r", frames=(body("a"), body("b", "a", TURN)))
    made, _ = package(robot, tmp_path)
    assert ["world" in names(expanded(made, sim), "link") for sim in HARDWARE] == [False, True, False]
    floating, _ = package(replace(robot, mount=Mount.FLOATING), tmp_path / "floating")
    assert "world" not in names(expanded(floating, "gz"), "link")
    own = replace(robot, frames=(Frame(id="world"), replace(body("a", "world"), joint=None), *robot.frames[1:]))
    made, _ = package(own, tmp_path / "own")
    root = expanded(made, "gz")
    assert names(root, "link").count("world") == 1
    children = {each.get("link") for each in root.findall("joint/child")}
    assert set(names(root, "link")) - children == {"world"}  # it is the root: Gazebo holds the robot by it


def test_virtual_links_have_a_mass_that_gazebo_accepts(tmp_path: Path) -> None:
    robot = Robot(name="r", frames=(body("a"), body("b", "a", Joint(type=JointType.BALL))))
    made, _ = package(robot, tmp_path)
    masses = [float(str(each.get("value"))) for each in expanded(made, "gz").iterfind("link/inertial/mass")]
    assert sorted(masses) == [1e-5, 1e-5, 1.0, 1.0]


def test_the_robots_own_hardware_is_replaced_and_reported(tmp_path: Path) -> None:
    robot = Robot(
        name="r",
        frames=(body("a"), body("b", "a", TURN)),
        props={"ros2_control.name": "mine", "ros2_control.type": "system", "ros2_control.joint.name": "b_joint"},
    )
    made, findings = package(robot, tmp_path)
    assert [each.code for each in findings if each.code.startswith("ros2-")] == ["ros2-control-replaced"]
    assert names(expanded(made, "mock"), "ros2_control") == ["r"]
    assert 'name="mine"' in (made / "urdf/r.urdf").read_text("utf-8")


def test_joints_of_several_degrees_of_freedom_are_reported(tmp_path: Path) -> None:
    slide = Joint(type=JointType.PRISMATIC)
    frames = (
        body("a"),
        Frame(id="x", parent="a", joint=replace(slide, name="px", axis=(1.0, 0.0, 0.0)), virtual=True),
        Frame(id="y", parent="x", joint=replace(slide, name="py", axis=(0.0, 1.0, 0.0)), virtual=True),
        body("b", "y", Joint(type=JointType.REVOLUTE)),
    )
    planar = CompositeJoint(name="b_joint", type=CompositeType.PLANAR, joints=("px", "py", "b_joint"))
    made, findings = package(Robot(name="r", frames=frames, composite_joints=(planar,)), tmp_path)
    assert [each.where for each in findings if each.code == "ros2-joint-left-out"] == ["joint b_joint"]
    assert violations(expanded(made, "mock")) == []


def test_a_robot_that_does_not_move_is_a_package_too(tmp_path: Path) -> None:
    made, _ = package(Robot(name="r", frames=(body("a"),)), tmp_path)
    for sim in HARDWARE:
        root = expanded(made, sim)
        assert root.find("ros2_control/joint") is None
        assert root.find("gazebo/plugin") is None
    controllers = yaml.safe_load((made / "config/controllers.yaml").read_text("utf-8"))
    assert list(controllers["controller_manager"]["ros__parameters"]) == ["update_rate", "joint_state_broadcaster"]


def test_the_test_of_the_package_passes_and_fails_where_a_name_is_wrong(tmp_path: Path) -> None:
    pytest.importorskip("xacro", reason="`make test` installs it")
    export("mock:gripper", tmp_path, formats=("ros2",))
    made = package_in(tmp_path)

    def run() -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test"]
        return subprocess.run(command, cwd=made, capture_output=True, text=True, timeout=100, check=False)

    done = run()
    assert (done.returncode, "9 passed" in done.stdout) == (0, True), done.stdout
    file = made / "config/controllers.yaml"
    file.write_text(file.read_text("utf-8").replace("- pinion_joint", "- pinion"), "utf-8")
    assert "1 failed, 8 passed" in run().stdout


# ---- chains


def test_chains_end_where_the_robot_branches() -> None:
    follower = replace(TURN, coupling=Coupling(joint="finger_1_joint"))
    frames = (
        body("base"),
        body("arm_1", "base", TURN),
        body("arm_2", "arm_1", TURN),
        Frame(id="flange", parent="arm_2"),
        body("finger_1", "flange", TURN),
        body("finger_2", "flange", follower),
        body("wheel_1", "base", TURN),
        body("wheel_2", "base", TURN),
    )
    robot = Robot(name="r", frames=frames)
    driven = {f.joint_name for f in frames if f.joint and not f.joint.coupling}
    found = driven_chains(robot, driven, "r")
    assert [(each.name, each.base, each.tip, each.joints) for each in found] == [
        ("arm", "base", "arm_2", ("arm_1_joint", "arm_2_joint")),
        ("finger_1", "flange", "finger_1", ("finger_1_joint",)),
        ("wheel", "base", "wheel_2", ("wheel_1_joint", "wheel_2_joint")),
    ]
    assert [each.name for each in driven_chains(replace(robot, frames=frames[:3]), driven, "r")] == ["r"]
    assert driven_chains(robot, (), "r") == ()


# ---- sensors

CAMERA = Sensor(name="cam", type="camera", params={"camera": {"image": {"width": 800, "height": 600, "hfov": 1.2}}})


def sensing(*sensors: Sensor, at: str = "tool") -> Robot:
    tool = Frame(id=at, parent="b", transform=Pose((0.0, 0.0, 0.1)), sensors=sensors)
    return Robot(name="r", frames=(body("a"), body("b", "a", TURN), tool))


def in_gazebo(robot: Robot, folder: Path) -> tuple[dict[str, Element], Path, Findings]:
    made, findings = package(robot, folder)
    root = expanded(made, "gz", "l_")
    return {str(each.find("sensor").get("name")): each for each in root.findall("gazebo[sensor]")}, made, findings  # type: ignore[union-attr]


def test_a_camera_has_topics_an_optical_frame_and_what_it_lacks_assumed(tmp_path: Path) -> None:
    found, made, findings = in_gazebo(sensing(CAMERA), tmp_path)
    sensor = found["l_cam"].find("sensor")
    assert sensor is not None
    assert found["l_cam"].get("reference") == "l_tool"
    assert sensor.findtext("topic") == "l_cam/image"
    assert sensor.findtext("camera/camera_info_topic") == "l_cam/camera_info"
    assert [sensor.findtext(f"camera/{path}") for path in ("image/width", "horizontal_fov", "clip/far")] == [
        "800", "1.2", "100"
    ]  # fmt: skip
    (assumed,) = [each for each in findings if each.code == "ros2-sensor-assumed"]
    assert assumed.message == "Gazebo simulates the sensor with near 0.05, far 100."
    root = expanded(made, "mock")
    origin = root.find("joint[@name='cam_optical_frame_joint']/origin")
    assert origin is not None
    angles = [float(text) for text in str(origin.get("rpy")).split()]
    assert angles == pytest.approx([-math.pi / 2, 0.0, -math.pi / 2])
    rows = yaml.safe_load((made / "config/gz_bridge.yaml").read_text("utf-8"))
    assert [(row["ros_topic_name"], row["ros_type_name"]) for row in rows[1:]] == [
        ("cam/image", "sensor_msgs/msg/Image"),
        ("cam/camera_info", "sensor_msgs/msg/CameraInfo"),
    ]
    depends = {each.text for each in etree.parse(made / "package.xml").findall("exec_depend")}
    assert {"sensor_msgs", "rosgraph_msgs"} <= depends


KINDS = {
    "ray": ("gpu_lidar", "Sensors"),
    "imu": ("imu", "Imu"),
    "magnetometer": ("magnetometer", "Magnetometer"),
    "gps": ("navsat", "NavSat"),
    "contact": ("contact", "Contact"),
    "force_torque": ("force_torque", "ForceTorque"),
}


@pytest.mark.parametrize("kind", KINDS)
def test_each_sensor_has_its_type_its_topic_and_its_system(kind: str, tmp_path: Path) -> None:
    found, made, _ = in_gazebo(sensing(Sensor(name="s 1", type=kind, update_rate=50.0)), tmp_path)
    sensor = found["l_s_1"].find("sensor")
    assert sensor is not None
    type_, system = KINDS[kind]
    assert (sensor.get("type"), sensor.findtext("update_rate")) == (type_, "50")
    world = etree.parse(made / "worlds/r.sdf")
    assert f"gz::sim::systems::{system}" in [each.get("name") for each in world.iter("plugin")]
    topics = [row["gz_topic_name"] for row in yaml.safe_load((made / "config/gz_bridge.yaml").read_text("utf-8"))]
    place = "contact/topic" if kind == "contact" else "topic"  # where Gazebo's system reads it
    assert (sensor.findtext(place) in [f"l_{topic}" for topic in topics]) == (kind != "imu")
    assert [each.getparent().tag for each in sensor.iter("topic")] == ["contact" if kind == "contact" else "sensor"]  # type: ignore[union-attr]


def test_a_sensor_that_gazebo_has_not_is_reported(tmp_path: Path) -> None:
    found, made, findings = in_gazebo(sensing(Sensor(name="s", type="sonar")), tmp_path)
    assert found == {}
    assert [each.code for each in findings if each.where == "sensor s"] == ["ros2-sensor-left-out"]
    assert 'type="sonar"' in (made / "urdf/r.urdf").read_text("utf-8")


def test_a_force_sensor_is_on_the_joint_that_carries_it(tmp_path: Path) -> None:
    """A tool that is only a frame has no joint in Gazebo; that of a hand with a mass is preserved."""
    ft = Sensor(name="ft", type="force_torque")
    found, _, _ = in_gazebo(sensing(ft), tmp_path / "frame")
    place = found["l_ft"]
    assert (place.get("reference"), place.findtext("sensor/gz_frame_id")) == ("l_b_joint", "l_b")
    assert place.find("preserveFixedJoint") is None
    frames = (*sensing(ft).frames, Frame(id="hand", parent="tool", links=(Link(name="hand", inertial=BODY),)))
    found, _, _ = in_gazebo(replace(sensing(), frames=frames), tmp_path / "hand")
    place = found["l_ft"]
    assert (place.findtext("preserveFixedJoint"), place.findtext("sensor/gz_frame_id")) == ("true", "l_tool")
    root = Robot(name="r", frames=(body("a", sensors=(ft,)), body("b", "a", TURN)))
    found, _, findings = in_gazebo(root, tmp_path / "root")
    assert found == {}
    assert "ros2-sensor-unjointed" in {each.code for each in findings}


def test_a_contact_sensor_watches_a_shape_as_gazebo_names_it(tmp_path: Path) -> None:
    """Checked against sdformat 12: the body's own shapes first, then those that are fixed to it."""
    touch = Sensor(name="touch", type="contact")

    def watched(robot: Robot, folder: str) -> str | None:
        found, _, _ = in_gazebo(robot, tmp_path / folder)
        return found["l_touch"].findtext("sensor/contact/collision")

    assert watched(sensing(touch), "own") == "l_b_collision"
    hand = Link(name="hand", inertial=BODY, collisions=(Sphere(radius=0.1),))
    frames = (*sensing().frames, Frame(id="hand", parent="tool", links=(hand,), sensors=(touch,)))
    assert watched(replace(sensing(), frames=frames), "hand") == "l_b_fixed_joint_lump__l_hand_collision_1"
    bare = replace(sensing(touch), frames=tuple(replace(f, links=()) for f in sensing(touch).frames))
    assert watched(bare, "bare") is None
    held = (Frame(id="world"), body("base", "world", sensors=(touch,)), body("b", "base", TURN))
    assert watched(Robot(name="r", frames=held), "held") == "l_base_collision"  # the world is not a body
