"""A ROS 2 package around a URDF file: manifest, build file, launch file, and an RViz view of the robot."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated

import msgspec
import yaml

from swgrm.folders import safe_name
from swgrm.model import Mesh, Robot
from swgrm_exporters.lowering import lower
from swgrm_exporters.names import ros_legal
from swgrm_exporters.urdf.writer import CAPABILITIES
from swgrm_exporters.xmlwriting import Node, add_node, written

DEPENDENCIES = ("joint_state_publisher_gui", "robot_state_publisher", "rviz2", "launch", "launch_ros")
FOLDERS = ("launch", "meshes", "rviz", "urdf")


class PackageOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the manifest says of its package; only its owner knows, so it stands in the settings and lasts."""

    version: Annotated[str, msgspec.Meta(pattern=r"^[0-9]+\.[0-9]+\.[0-9]+$")] = "0.1.0"
    maintainer: str = "you"
    email: Annotated[str, msgspec.Meta(pattern="^[^@ ]+@[^@ ]+$")] = "you@example.com"
    license: str = "TODO: License declaration"  # as ROS 2's own tool leaves it


def package_name(name: str) -> str:
    """A legal ROS 2 package name: lower case letters, digits, single underscores, a letter first."""
    legal = re.sub(r"[^a-z0-9]+", "_", ros_legal(name).lower()).strip("_")
    if not re.match(r"[a-z]", legal):
        legal = f"robot_{legal}".rstrip("_")
    return f"{legal}_description" if len(legal) < 2 else legal


def package_files(robot: Robot, options: PackageOptions) -> Mapping[str, bytes]:
    """The package's files but for the URDF and the meshes, by their paths."""
    name = package_name(robot.name)
    has_meshes = any(isinstance(shape, Mesh) for _, link in robot.links() for shape in link.visuals)
    root = lower(robot, CAPABILITIES).robot.root.id  # as the URDF calls it
    folders = [folder for folder in FOLDERS if has_meshes or folder != "meshes"]
    return {
        "package.xml": _manifest(name, robot.name, options),
        "CMakeLists.txt": _build(name, folders),
        "launch/display.launch.py": _LAUNCH.format(package=name, file=safe_name(robot.name)).encode(),
        "rviz/view.rviz": _view(root),
    }


def _manifest(name: str, title: str, options: PackageOptions) -> bytes:
    package = Node("package", {"format": "3"})
    for tag, text in (
        ("name", name),
        ("version", options.version),
        ("description", f"The robot {title}: its description, meshes and a view"),
    ):
        add_node(package, tag).text = text
    add_node(package, "maintainer", {"email": options.email}).text = options.maintainer
    add_node(package, "license").text = options.license
    add_node(package, "buildtool_depend").text = "ament_cmake"
    for dependency in DEPENDENCIES:
        add_node(package, "exec_depend").text = dependency
    export = add_node(package, "export")
    add_node(export, "build_type").text = "ament_cmake"
    return written(package)


def _build(name: str, folders: list[str]) -> bytes:
    lines = [
        "cmake_minimum_required(VERSION 3.8)",
        f"project({name})",
        "find_package(ament_cmake REQUIRED)",
        f"install(DIRECTORY {' '.join(folders)} DESTINATION share/${{PROJECT_NAME}})",
        "ament_package()",
    ]
    return ("\n".join(lines) + "\n").encode()


_LAUNCH = '''"""Shows the robot in RViz, with a slider for every joint."""

from pathlib import Path

from ament_index_python.packages import get_package_share_directory
from launch import LaunchDescription
from launch_ros.actions import Node
from launch_ros.parameter_descriptions import ParameterValue


def generate_launch_description():
    share = Path(get_package_share_directory("{package}"))
    description = (share / "urdf" / "{file}.urdf").read_text(encoding="utf-8")
    return LaunchDescription(
        [
            Node(
                package="robot_state_publisher",
                executable="robot_state_publisher",
                parameters=[{{"robot_description": ParameterValue(description, value_type=str)}}],  # no YAML in it
            ),
            Node(package="joint_state_publisher_gui", executable="joint_state_publisher_gui"),
            Node(package="rviz2", executable="rviz2", arguments=["-d", str(share / "rviz" / "view.rviz")]),
        ]
    )
'''


def _view(root: str) -> bytes:
    """An RViz view: grid, robot, frames; fixed to the root."""
    displays = [
        {"Class": "rviz_default_plugins/Grid", "Name": "Grid", "Enabled": True, "Value": True},
        {
            "Class": "rviz_default_plugins/RobotModel",
            "Name": "RobotModel",
            "Enabled": True,
            "Value": True,
            "Description Source": "Topic",
            "Description Topic": {"Value": "/robot_description", "Durability Policy": "Transient Local"},
            "Visual Enabled": True,
            "Collision Enabled": False,
        },
        {"Class": "rviz_default_plugins/TF", "Name": "TF", "Enabled": False, "Value": False},
    ]
    view = {
        "Panels": [{"Class": "rviz_common/Displays", "Name": "Displays"}],
        "Visualization Manager": {
            "Class": "",
            "Displays": displays,
            "Enabled": True,
            "Global Options": {"Fixed Frame": root, "Frame Rate": 30},
            "Tools": [{"Class": "rviz_default_plugins/MoveCamera"}],
            "Value": True,
            "Views": {"Current": {"Class": "rviz_default_plugins/Orbit", "Distance": 2.0, "Pitch": 0.4, "Yaw": 0.8}},
        },
        "Window Geometry": {"Height": 800, "Width": 1200},
    }
    return yaml.safe_dump(view, sort_keys=False, allow_unicode=True).encode()
