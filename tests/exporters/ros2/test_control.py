"""The ros2_control block of description packages, by the rules of ros2_control's parser."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
import yaml
from lxml import etree
from lxml.etree import _Element as Element
from tests import full
from tests.control_rules import violations
from tests.exporters.ros2.expansion import HARDWARE, expanded, package_in

from swgrm_addin.pipeline import export
from swgrm_mocks.samples import SAMPLES

QUICK = ("gripper", "four_bar", "stewart", "lead_screw")
SENSORS = {"wrist_ft": {"type": "force_torque", "at": "tool0"}, "wrist_imu": {"type": "imu", "at": "tool0"}}
NAMES = {"command_interface": "command", "state_interface": "state"}


def robot_with(source: str, folder: Path, sim: str, **options: dict[str, Any]) -> Element:
    if not folder.is_dir():
        export(source, folder, formats=("ros2",), options=options)
    return expanded(package_in(folder), sim)


@pytest.fixture(scope="module")
def arm(tmp_path_factory: pytest.TempPathFactory) -> Element:
    return robot_with("mock:arm", tmp_path_factory.mktemp("a") / "out", "mujoco", sensors=SENSORS)


@pytest.mark.parametrize("name", SAMPLES if full.IS_FULL else QUICK)
def test_the_parser_takes_the_hardware_of_the_samples(name: str, tmp_path: Path) -> None:
    for sim in HARDWARE:
        robot = robot_with(f"mock:{name}", tmp_path / "out", sim)
        assert violations(robot) == []
        listed = [each.get("name") for each in robot.findall("ros2_control/joint")]
        moving = [each for each in robot.findall("joint") if each.get("type") != "fixed"]
        assert listed == [each.get("name") for each in moving]  # all are of one number in the samples
        followers = {each.get("name") for each in moving if each.find("mimic") is not None}
        assert not followers & driven(robot)


def driven(robot: Element) -> set[str | None]:
    return {
        each.get("name") for each in robot.findall("ros2_control/joint") if each.find("command_interface") is not None
    }


@pytest.mark.parametrize(
    ("name", "count"), [("gripper", 1), ("four_bar", 1), ("stewart", 12), ("lead_screw", 1), ("differential", 2)]
)
def test_as_many_joints_are_driven_as_the_robot_has_degrees_of_freedom(name: str, count: int, tmp_path: Path) -> None:
    """Followers, the joints that a loop moves, and the parts of ball joints have states only."""
    robot = robot_with(f"mock:{name}", tmp_path / "out", "mock")
    assert len(driven(robot)) == count


def test_plugins_limits_and_initial_values(tmp_path: Path) -> None:
    options: dict[str, dict[str, Any]] = {
        "poses": {"home": {"shoulder_joint": 0.5}},
        "actuators": {"wrist_1_joint": {"type": "velocity"}, "flange_joint": {"type": "motor"}},
        "joints": {"wrist_1_joint": {"velocity": 3}, "flange_joint": {"effort": 20}},
    }
    plugins = [
        robot_with("mock:arm", tmp_path / "out", sim, **options).findtext("ros2_control/hardware/plugin")
        for sim in HARDWARE
    ]
    assert plugins == [
        "mock_components/GenericSystem",
        "gz_ros2_control/GazeboSimSystem",
        "mujoco_ros2_control/MujocoSystemInterface",
    ]
    robot = robot_with("mock:arm", tmp_path / "out", "mujoco")
    hardware = {each.get("name"): each.text for each in robot.findall("ros2_control/hardware/param")}
    assert Path(str(hardware["mujoco_model"])).is_file()
    assert hardware["initial_keyframe"] == "home"
    found = {str(each.get("name")): values(each) for each in robot.findall("ros2_control/joint")}
    states = {"state velocity": {}, "state position": {"initial_value": 0.0}}
    shoulder = {"command position": {"min": -0.3, "max": 2.8}, **states, "state position": {"initial_value": 0.5}}
    assert found["shoulder_joint"] == shoulder
    assert found["wrist_1_joint"] == {"command velocity": {"min": -3.0, "max": 3.0}, **states}
    assert found["flange_joint"] == {"command effort": {"min": -20.0, "max": 20.0}, **states}
    controllers = yaml.safe_load((package_in(tmp_path / "out") / "config/controllers.yaml").read_text("utf-8"))
    assert controllers["velocity_controller"]["ros__parameters"]["joints"] == ["wrist_1_joint"]
    assert controllers["effort_controller"]["ros__parameters"]["interface_name"] == "effort"
    assert "wrist_1_joint" not in controllers["arm_controller"]["ros__parameters"]["joints"]


def values(joint: Element) -> dict[str, dict[str, float]]:
    return {
        f"{NAMES[each.tag]} {each.get('name')}": {str(p.get("name")): float(str(p.text)) for p in each.findall("param")}
        for each in joint
    }


def test_gazebo_has_no_force_interfaces_and_mujoco_names_its_own_sensors(tmp_path: Path) -> None:
    sensors = {}
    for sim in HARDWARE:
        robot = robot_with("mock:arm", tmp_path / "out", sim, sensors=SENSORS)
        sensors[sim] = {str(each.get("name")): each for each in robot.findall("ros2_control/sensor")}
    assert [list(sensors[sim]) for sim in HARDWARE] == [["wrist_ft", "wrist_imu"], ["wrist_imu"], [*sensors["mujoco"]]]
    assert len(sensors["mock"]["wrist_imu"].findall("state_interface")) == 10
    for name, kind in {"wrist_ft": "fts", "wrist_imu": "imu"}.items():
        params = {each.get("name"): each.text for each in sensors["mujoco"][name].findall("param")}
        assert params == {"frame_id": "tool0", "mujoco_type": kind, "mujoco_sensor_name": name}
    model = etree.parse(package_in(tmp_path / "out") / "mujoco/arm.xml")
    assert {"wrist_ft_force", "wrist_ft_torque", "wrist_imu_quat", "wrist_imu_gyro", "wrist_imu_accel"} <= {
        each.get("name") for each in model.iterfind("sensor/*")
    }


# ---- the checker itself refuses each violation


def at(robot: Element, path: str) -> Element:
    found = robot.find(path)
    assert found is not None
    return found


def added(robot: Element, path: str, text: str) -> None:
    at(robot, path).append(etree.fromstring(text))


def without(robot: Element, path: str) -> None:
    node = at(robot, path)
    parent = node.getparent()
    assert parent is not None
    parent.remove(node)


def follow(robot: Element, leader: str, *, states_only: bool = True) -> None:
    """Make the last joint follow another one."""
    added(robot, "joint[@name='flange_joint']", f'<mimic joint="{leader}"/>')
    if states_only:
        without(robot, "ros2_control/joint[@name='flange_joint']/command_interface")


BLOCK, HARDWARE_TAG, JOINT = "ros2_control", "ros2_control/hardware", "ros2_control/joint"
TRANSMISSION = '<transmission name="t">{}<joint name="{}" role="joint1"/><actuator name="m" role="a"/></transmission>'
PLUGIN = "<plugin>transmission_interface/SimpleTransmission</plugin>"
MUTATIONS: dict[str, Callable[[Element], object]] = {
    "no ros2_control tag": lambda r: without(r, BLOCK),
    "the robot tag is not the root element": lambda r: setattr(r, "tag", "model"),
    "no attribute 'name' in ros2_control": lambda r: at(r, BLOCK).attrib.pop("name"),
    "no attribute 'type' in ros2_control": lambda r: at(r, BLOCK).attrib.pop("type"),
    "type 'robot' is not known": lambda r: at(r, BLOCK).set("type", "robot"),
    "rw_rate is not a positive integer": lambda r: at(r, BLOCK).set("rw_rate", "-5"),
    "invalid tag name 'link'": lambda r: added(r, BLOCK, '<link name="x"/>'),
    "no hardware": lambda r: without(r, HARDWARE_TAG),
    "missing <plugin> tag of <hardware>": lambda r: without(r, f"{HARDWARE_TAG}/plugin"),
    "no text in the plugin of the hardware": lambda r: setattr(at(r, f"{HARDWARE_TAG}/plugin"), "text", " "),
    "a param without a name": lambda r: added(r, HARDWARE_TAG, "<param>1</param>"),
    "param 'headless' has no text": lambda r: added(r, HARDWARE_TAG, '<param name="headless"/>'),
    "param 'min' is not a number: 1,5": lambda r: setattr(at(r, f"{JOINT}/command_interface/param"), "text", "1,5"),
    "param 'initial_value' is not a number: nan": lambda r: setattr(
        at(r, f"{JOINT}/state_interface/param"), "text", "nan"
    ),
    "a joint without a name": lambda r: at(r, JOINT).attrib.pop("name"),
    "a sensor without a name": lambda r: at(r, "ros2_control/sensor").attrib.pop("name"),
    "an interface of 'shoulder_joint' without a name": lambda r: at(r, f"{JOINT}/state_interface").attrib.pop("name"),
    "size of an interface of 'shoulder_joint' is not a positive integer": lambda r: at(
        r, f"{JOINT}/state_interface"
    ).set("size", "0"),
    "limits of 'shoulder_joint' without enable": lambda r: added(r, JOINT, "<limits/>"),
    "mimic of 'shoulder_joint' is neither true nor false": lambda r: at(r, JOINT).set("mimic", "yes"),
    "joint 'elbow' not found in URDF": lambda r: at(r, JOINT).set("name", "elbow"),
    "joint 'shoulder_joint' has no mimic information in the URDF": lambda r: at(r, JOINT).set("mimic", "true"),
    "mimic joint 'flange_joint' has command interfaces": lambda r: follow(r, "wrist_2_joint", states_only=False),
    "mimic joint 'finger' not found in ros2_control tag": lambda r: follow(r, "finger"),
    "joint 'shoulder_joint' is of type 'fixed'": lambda r: at(r, "joint[@name='shoulder_joint']").set("type", "fixed"),
    "a transmission without a name": lambda r: added(
        r, BLOCK, TRANSMISSION.format(PLUGIN, "shoulder_joint").replace(' name="t"', "")
    ),
    "missing <plugin> tag of <transmission>": lambda r: added(r, BLOCK, TRANSMISSION.format("", "shoulder_joint")),
    "no attribute 'role' in a actuator of a transmission": lambda r: added(
        r, BLOCK, TRANSMISSION.format(PLUGIN, "shoulder_joint").replace(' role="a"', "")
    ),
    "transmission declared joint 'elbow' is not available": lambda r: added(
        r, BLOCK, TRANSMISSION.format(PLUGIN, "elbow")
    ),
    "two hardware components are called 'arm'": lambda r: added(
        r, ".", '<ros2_control name="arm" type="system"><hardware><plugin>p</plugin></hardware></ros2_control>'
    ),
    "state_interface 'shoulder_joint/velocity' already exists": lambda r: added(
        r, JOINT, '<state_interface name="velocity"/>'
    ),
}


def test_the_checker_takes_the_arm_and_other_legal_forms(arm: Element) -> None:
    assert violations(arm) == []
    robot = deepcopy(arm)
    follow(robot, "wrist_2_joint")
    added(robot, BLOCK, TRANSMISSION.format(PLUGIN, "shoulder_joint"))
    added(robot, JOINT, '<limits enable="false"/>')
    assert violations(robot) == []


@pytest.mark.parametrize("message", MUTATIONS)
def test_the_checker_refuses_each_violation(message: str, arm: Element) -> None:
    robot = deepcopy(arm)
    MUTATIONS[message](robot)
    assert violations(robot) == [message]
