"""Writes a ROS 2 package: the URDF file, the manifest, the build file, the launch file and an RViz view."""

from __future__ import annotations

import re
from pathlib import Path

import yaml
from msgspec.structs import replace

from swgrm.files import write_bytes
from swgrm.findings import Findings
from swgrm.model import Mesh, Robot
from swgrm_exporters.format import Target
from swgrm_exporters.lowering.bodies import has_mass
from swgrm_exporters.names import ros_legal
from swgrm_exporters.ros2.options import PackageOptions
from swgrm_exporters.urdf.options import MeshPaths, UrdfOptions
from swgrm_exporters.urdf.writer import rendered
from swgrm_exporters.xmlwriting import Node, add_node, written

DEPENDENCIES = ("joint_state_publisher_gui", "robot_state_publisher", "rviz2", "launch", "launch_ros")
BASE_LINK = "base_link"
FOLDERS = ("launch", "rviz", "urdf")


def write(
    robot: Robot, target: Target, options: PackageOptions, findings: Findings, *, urdf: UrdfOptions
) -> list[Path]:
    """Write the package into the target's folder, the URDF file with `package://` names of its mesh files."""
    name = package_name(robot.name)
    urdf = _with_base_link(_with_package_names(urdf, name, findings), robot)
    text = rendered(robot, urdf, findings, target.place, "urdf", target.folder)
    files = {
        f"urdf/{target.stem}.urdf": text.data,
        "package.xml": _manifest(name, robot.name, options),
        "CMakeLists.txt": _build(name, _folders(robot)),
        "launch/display.launch.py": _LAUNCH.format(package=name, file=target.stem).encode(),
        "rviz/view.rviz": _view(text.root),
    }
    for path, data in files.items():
        write_bytes(target.folder / path, data)
    return [target.folder / path for path in files]


def _with_package_names(options: UrdfOptions, package: str, findings: Findings) -> UrdfOptions:
    """The URDF options with `package://` names; reports the user's choices that this overrides."""
    default = UrdfOptions()
    for key, given, unset, value in (
        ("meshPaths", options.mesh_paths, default.mesh_paths, MeshPaths.PACKAGE),
        ("package", options.package, default.package, package),
    ):
        if given not in (unset, value):
            findings.add("setting-overridden", f"urdf.{key}", value=value, given=given)
    return replace(options, mesh_paths=MeshPaths.PACKAGE, package=package)


def _with_base_link(options: UrdfOptions, robot: Robot) -> UrdfOptions:
    """The URDF options with an empty base_link above a root with mass (KDL warns of one), unless the user decides."""
    names = {*robot.by_id, *(link.name for _, link in robot.links())}
    if options.dummy_root is not None or BASE_LINK in names or not has_mass(robot, robot.root):
        return options
    return replace(options, dummy_root=BASE_LINK)


def _folders(robot: Robot) -> list[str]:
    """The folders that the package installs."""
    shapes = (shape for _, link in robot.links() for shape in (*link.visuals, *link.collisions))
    names = [shape.uri for shape in shapes if isinstance(shape, Mesh)] + [each.texture for each in robot.materials]
    return sorted({*FOLDERS, *(name.partition("/")[0] for name in names if "/" in name and "://" not in name)})


def package_name(name: str) -> str:
    """A legal ROS 2 package name: lower case letters, digits, single underscores, a letter first."""
    legal = re.sub(r"[^a-z0-9]+", "_", ros_legal(name).lower()).strip("_")
    if not re.match(r"[a-z]", legal):
        legal = f"robot_{legal}".rstrip("_")
    return f"{legal}_description" if len(legal) < 2 else legal


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
