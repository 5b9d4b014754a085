"""The launch files of a description package, evaluated with test doubles of ROS 2's modules."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest
import yaml
from lxml import etree
from tests.launch_api import Launch

from swgrm import Frame, Robot
from swgrm.findings import Findings
from swgrm_addin.pipeline import export
from swgrm_exporters.format import Target
from swgrm_exporters.formats import named

SENSORS = {"tool_ft": {"type": "force_torque", "at": "tool0"}, "head_imu": {"type": "imu", "at": "tool0"}}


@pytest.fixture(scope="module")
def shares(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("share")
    export("mock:arm", out, formats=("ros2",), options={"sensors": SENSORS})
    return out


def launched(shares: Path, name: str, **arguments: str) -> Launch:
    return Launch(shares / "arm_description" / "launch" / f"{name}.launch.py", shares, **arguments)


def test_display_shows_the_robot_with_sliders_or_without(shares: Path) -> None:
    with_sliders = launched(shares, "display")
    assert [each.executable for each in with_sliders.started] == [
        "robot_state_publisher", "joint_state_publisher_gui", "rviz2"
    ]  # fmt: skip
    without = launched(shares, "display", gui="false", prefix="left_", use_sim_time="true")
    assert [each.package for each in without.started] == ["robot_state_publisher", "joint_state_publisher", "rviz2"]
    assert {each.parameters["use_sim_time"] for each in without.started} == {"true"}
    (publisher,) = without.nodes("robot_state_publisher")
    share = shares / "arm_description"
    expanded = f"xacro {share}/urdf/arm.urdf.xacro prefix:=left_"
    assert publisher.parameters["robot_description"] == expanded
    (rviz,) = without.nodes("rviz2")
    assert Path(rviz.arguments[1]).is_file()
    assert rviz.arguments[2:] == ["-f", "left_base_link"]
    assert with_sliders.nodes("rviz2")[0].arguments[2:] == ["-f", "base_link"]


@pytest.mark.parametrize(("sim", "manager"), [("mock", "controller_manager"), ("mujoco", "mujoco_ros2_control")])
def test_control_starts_the_hardware_then_broadcasters_then_controllers(sim: str, manager: str, shares: Path) -> None:
    launch = launched(shares, "control", sim=sim, rviz="false")
    (publisher,) = launch.nodes("robot_state_publisher")
    assert publisher.parameters["robot_description"].endswith(f"arm.urdf.xacro sim:={sim}")
    (hardware,) = [each for each in launch.started if each.executable == "ros2_control_node"]
    assert (hardware.package, hardware.parameters["use_sim_time"]) == (manager, sim == "mujoco")
    assert Path(hardware.parameters["file"]).is_file()
    first, others = [each for each in launch.started if each.executable == "spawner"]
    assert (first.arguments, first.after) == (["joint_state_broadcaster"], "")
    assert others.after == "spawner joint_state_broadcaster"
    assert others.arguments == ["tool_ft_broadcaster", "head_imu_broadcaster", "arm_controller"]


def test_gazebo_adds_the_robot_before_its_controllers_and_bridges_the_sensors(shares: Path) -> None:
    launch = launched(shares, "gazebo", gui="false", rviz="true")
    ((path, arguments),) = launch.included.items()
    assert path == f"{shares}/ros_gz_sim/launch/gz_sim.launch.py"
    options, world = arguments["gz_args"].rsplit(" ", 1)
    assert (options, Path(world).is_file()) == ("-r -s", True)
    assert launch.context.environment["GZ_SIM_RESOURCE_PATH"] == str(shares)  # package:// is looked for there
    first, others = [each for each in launch.started if each.executable == "spawner"]
    assert first.after.startswith("create -topic robot_description")
    assert others.after == "spawner joint_state_broadcaster"
    assert others.arguments == ["head_imu_broadcaster", "arm_controller"]  # the wrench is bridged
    (bridge,) = launch.nodes("ros_gz_bridge")
    rows = yaml.safe_load(Path(bridge.parameters["config_file"]).read_text("utf-8"))
    assert [row["gz_topic_name"] for row in rows] == ["/clock", "tool_ft/wrench"]
    timed = [each for each in launch.started if each.parameters]
    assert all(each.parameters["use_sim_time"] is True for each in timed)
    other = launched(shares, "gazebo", world="/my worlds/hall.sdf")
    assert [shlex.split(each["gz_args"]) for each in other.included.values()] == [["-r", "/my worlds/hall.sdf"]]


def test_gazebo_starts_no_controllers_of_a_robot_without_joints(tmp_path: Path) -> None:
    still = Robot(name="still", frames=(Frame(id="a"),))
    named("ros2").write(still, Target(tmp_path / "still_description", "still"), None, Findings())
    launch = Launch(tmp_path / "still_description/launch/gazebo.launch.py", tmp_path)
    assert [each.executable for each in launch.started] == ["robot_state_publisher", "parameter_bridge", "create"]


def test_controllers_that_the_user_adds_are_started(tmp_path: Path) -> None:
    export("mock:arm", tmp_path, formats=("ros2",))
    file = tmp_path / "arm_description/config/controllers.yaml"
    parameters = yaml.safe_load(file.read_text("utf-8"))
    parameters["controller_manager"]["ros__parameters"] |= {"mine": {"type": "mine/Mine"}, "defaults": {"rate": 1}}
    file.write_text(yaml.safe_dump(parameters), "utf-8")
    launch = launched(tmp_path, "control")
    assert [each.arguments for each in launch.started if each.executable == "spawner"][1] == ["arm_controller", "mine"]


def test_what_launch_files_start_are_dependencies(shares: Path) -> None:
    manifest = etree.parse(shares / "arm_description" / "package.xml")
    declared = {each.text for each in manifest.findall("exec_depend")}
    for name, arguments in {"display": {}, "control": {"sim": "mujoco"}, "gazebo": {"rviz": "true"}}.items():
        launch = launched(shares, name, **arguments)
        assert {each.package for each in launch.started} <= declared
        assert {Path(path).parents[1].name for path in launch.included} <= declared
    controllers = yaml.safe_load((shares / "arm_description/config/controllers.yaml").read_text("utf-8"))
    entries = controllers["controller_manager"]["ros__parameters"].values()
    assert {each["type"].partition("/")[0] for each in entries if isinstance(each, dict)} <= declared
