"""Test doubles of MoveIt's launch modules: they load the files of a package as `MoveItConfigsBuilder` does.

Which files are loaded, and which keys are read, is as in moveit_configs_utils of MoveIt 2.
"""

from __future__ import annotations

from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import yaml
from lxml import etree
from tests.launch_api import LaunchDescription, Node

FUNCTIONS = ("move_group", "moveit_rviz", "rsp", "setup_assistant", "spawn_controllers", "static_virtual_joint_tfs")


class LoadedConfig(NamedTuple):
    """The files of a package, loaded."""

    package_path: Path
    urdf: Path
    xacro_arguments: dict[str, str]
    semantic: Any
    kinematics: dict[str, Any]
    limits: dict[str, Any]
    execution: dict[str, Any]
    pilz: dict[str, Any]


def loaded(shares: Path, robot: str, package: str) -> LoadedConfig:
    """What `MoveItConfigsBuilder(robot, package_name=package).to_moveit_configs()` loads."""
    folder = shares / package
    config = yaml.safe_load((folder / ".setup_assistant").read_text("utf-8"))["moveit_setup_assistant_config"]
    urdf = shares / config["urdf"]["package"] / config["urdf"]["relative_path"]
    assert urdf.is_file()
    files = {each: yaml.safe_load((folder / "config" / f"{each}.yaml").read_text("utf-8")) for each in (
        "kinematics", "joint_limits", "moveit_controllers", "pilz_cartesian_limits")}  # fmt: skip
    assert not (folder / "config" / f"{robot}.urdf.xacro").exists(), "it would be loaded instead of the description"
    return LoadedConfig(
        folder,
        urdf,
        dict(each.split(":=") for each in config["urdf"]["xacro_args"].split(" ")),
        etree.parse(str(folder / config["srdf"]["relative_path"])).getroot(),
        files["kinematics"],
        files["joint_limits"],
        files["moveit_controllers"],
        files["pilz_cartesian_limits"],
    )


def moveit_modules(shares: Path) -> dict[str, ModuleType]:
    """The modules `moveit_configs_utils` and `moveit_configs_utils.launches`."""

    class MoveItConfigsBuilder:
        def __init__(self, robot_name: str, package_name: str) -> None:
            self.robot, self.package = robot_name, package_name

        def to_moveit_configs(self) -> LoadedConfig:
            return loaded(shares, self.robot, self.package)

    top, launches = ModuleType("moveit_configs_utils"), ModuleType("moveit_configs_utils.launches")
    top.__dict__["MoveItConfigsBuilder"] = MoveItConfigsBuilder
    for name in FUNCTIONS:
        launches.__dict__[f"generate_{name}_launch"] = GENERATORS[name]
    return {"moveit_configs_utils": top, "moveit_configs_utils.launches": launches}


def _spawners(config: LoadedConfig) -> LaunchDescription:
    names = config.execution["moveit_simple_controller_manager"].get("controller_names", [])
    return LaunchDescription(
        Node(package="controller_manager", executable="spawner", arguments=[name])
        for name in [*names, "joint_state_broadcaster"]
    )


def _transforms(config: LoadedConfig) -> LaunchDescription:
    return LaunchDescription(
        Node(
            package="tf2_ros",
            executable="static_transform_publisher",
            arguments=["--frame-id", each.get("parent_frame"), "--child-frame-id", each.get("child_link")],
        )
        for each in config.semantic.iterfind("virtual_joint")
    )


def _rviz(config: LoadedConfig) -> LaunchDescription:
    view = config.package_path / "config" / "moveit.rviz"
    return LaunchDescription([Node(package="rviz2", executable="rviz2", arguments=["-d", str(view)])])


def _node(package: str, executable: str) -> Any:
    return lambda _: LaunchDescription([Node(package=package, executable=executable)])


GENERATORS = {
    "move_group": _node("moveit_ros_move_group", "move_group"),
    "moveit_rviz": _rviz,
    "rsp": _node("robot_state_publisher", "robot_state_publisher"),
    "setup_assistant": _node("moveit_setup_assistant", "moveit_setup_assistant"),
    "spawn_controllers": _spawners,
    "static_virtual_joint_tfs": _transforms,
}
