"""The manifest and the build file of a description package."""

from __future__ import annotations

from collections.abc import Iterable

from swgrm_exporters.ros2.controllers import Controller
from swgrm_exporters.ros2.layout import PackageLayout
from swgrm_exporters.ros2.options import PackageOptions
from swgrm_exporters.ros2.sensing import KINDS, PlacedSensor
from swgrm_exporters.xmlwriting import Node, add_node, written

BUILD_TOOL = "ament_cmake"
DEPENDENCIES = (  # that the launch files and the description use, whatever the robot
    "ament_index_python", "controller_manager", "gz_ros2_control", "hardware_interface", "joint_state_publisher",
    "joint_state_publisher_gui", "launch", "launch_ros", "mujoco_ros2_control", "python3-yaml", "robot_state_publisher",
    "ros_gz_bridge", "ros_gz_sim", "rosgraph_msgs", "rviz2", "xacro",
)  # fmt: skip
TEST_DEPENDENCIES = ("ament_cmake_pytest", "python3-pytest")


def dependencies(controllers: Iterable[Controller], sensors: Iterable[PlacedSensor]) -> list[str]:
    """The packages that a package uses when it runs."""
    types = [each.type for each in controllers]
    types += [topic.ros for each in sensors if each.sensor.type in KINDS for topic in KINDS[each.sensor.type].topics]
    return sorted({*DEPENDENCIES, *(each.partition("/")[0] for each in types)})


def manifest(layout: PackageLayout, title: str, options: PackageOptions, uses: Iterable[str]) -> bytes:
    """The file package.xml."""
    package = Node("package", {"format": "3"})
    for tag, text in (
        ("name", layout.package),
        ("version", options.version),
        ("description", f"The robot {title}: description, meshes, hardware, controllers and launch files"),
    ):
        add_node(package, tag).text = text
    add_node(package, "maintainer", {"email": options.email}).text = options.maintainer
    add_node(package, "license").text = options.license
    add_node(package, "buildtool_depend").text = BUILD_TOOL
    for tag, names in (("exec_depend", uses), ("test_depend", TEST_DEPENDENCIES)):
        for name in names:
            add_node(package, tag).text = name
    add_node(add_node(package, "export"), "build_type").text = BUILD_TOOL
    return written(package)


def build_file(layout: PackageLayout, folders: Iterable[str]) -> bytes:
    """The file CMakeLists.txt."""
    lines = [
        "cmake_minimum_required(VERSION 3.8)",
        f"project({layout.package})",
        "",
        "find_package(ament_cmake REQUIRED)",
        "",
        "install(",
        f"  DIRECTORY {' '.join(folders)}",
        "  DESTINATION share/${PROJECT_NAME}",
        ")",
        "",
        "if(BUILD_TESTING)",
        "  find_package(ament_cmake_pytest REQUIRED)",
        "  ament_add_pytest_test(test_description test/test_description.py)",
        "endif()",
        "",
        "ament_package()",
    ]
    return ("\n".join(lines) + "\n").encode()
