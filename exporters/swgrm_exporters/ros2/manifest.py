"""The manifest and the build file of a ROS 2 package."""

from __future__ import annotations

from collections.abc import Iterable

from swgrm_exporters.ros2.controllers import Controller
from swgrm_exporters.ros2.options import PackageOptions
from swgrm_exporters.ros2.sensing import PlacedSensor, gazebo_sensor
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
    for placed in sensors:
        if (kind := gazebo_sensor(placed.sensor)) is not None:
            types += [topic.ros for topic in kind.topics]
    return sorted({*DEPENDENCIES, *(each.partition("/")[0] for each in types)})


def manifest(
    name: str, description: str, options: PackageOptions, uses: Iterable[str], tested_with: Iterable[str] = ()
) -> bytes:
    """The file package.xml."""
    package = Node("package", {"format": "3"})
    for tag, text in (("name", name), ("version", options.version), ("description", description)):
        add_node(package, tag).text = text
    add_node(package, "maintainer", {"email": options.email}).text = options.maintainer
    add_node(package, "license").text = options.license
    add_node(package, "buildtool_depend").text = BUILD_TOOL
    for tag, names in (("exec_depend", uses), ("test_depend", tested_with)):
        for each in names:
            add_node(package, tag).text = each
    add_node(add_node(package, "export"), "build_type").text = BUILD_TOOL
    return written(package)


def build_file(name: str, commands: Iterable[str]) -> bytes:
    """The file CMakeLists.txt, with the commands of the package."""
    lines = [
        "cmake_minimum_required(VERSION 3.8)",
        f"project({name})",
        "",
        f"find_package({BUILD_TOOL} REQUIRED)",
        "",
        *commands,
        "",
        "ament_package()",
    ]
    return ("\n".join(lines) + "\n").encode()


def installing(folders: Iterable[str]) -> list[str]:
    """The commands of a description package: it installs folders, and has a test."""
    return [
        "install(",
        f"  DIRECTORY {' '.join(folders)}",
        "  DESTINATION share/${PROJECT_NAME}",
        ")",
        "",
        "if(BUILD_TESTING)",
        "  find_package(ament_cmake_pytest REQUIRED)",
        "  ament_add_pytest_test(test_description test/test_description.py)",
        "endif()",
    ]
