"""The launch files and the build commands of a MoveIt configuration package."""

from __future__ import annotations

DEPENDENCIES = (
    "ament_index_python", "controller_manager", "joint_state_broadcaster", "joint_trajectory_controller", "launch",
    "launch_ros", "moveit_configs_utils", "moveit_kinematics", "moveit_planners", "moveit_ros_move_group",
    "moveit_ros_visualization", "moveit_setup_assistant", "moveit_simple_controller_manager", "robot_state_publisher",
    "rviz2", "tf2_ros", "xacro",
)  # fmt: skip
BUILD = (  # the commands of CMakeLists.txt
    "install(DIRECTORY config launch DESTINATION share/${PROJECT_NAME})",
    "install(FILES .setup_assistant DESTINATION share/${PROJECT_NAME})",
)
SINGLE = {  # launch files of one function of moveit_configs_utils each, as MoveIt's Setup Assistant writes them
    "move_group": "Starts move_group, which plans and executes.",
    "moveit_rviz": "Shows RViz with the panel of MoveIt.",
    "rsp": "Publishes the robot's description and the poses of its links.",
    "setup_assistant": "Opens this package in the Setup Assistant of MoveIt.",
    "spawn_controllers": "Starts the controllers.",
    "static_virtual_joint_tfs": "Publishes the pose of the base in the world.",
}

_SINGLE = '''"""{summary}"""

from moveit_configs_utils import MoveItConfigsBuilder
from moveit_configs_utils.launches import generate_{function}_launch


def generate_launch_description():
    """Return the launch description."""
    config = MoveItConfigsBuilder('{name}', package_name='{package}').to_moveit_configs()
    return generate_{function}_launch(config)
'''
_DEMO = '''"""Plans and moves the robot on mock hardware: `ros2 launch {package} demo.launch.py`.

Without a display: `use_rviz:=false`.
"""

from pathlib import Path

from ament_index_python.packages import get_package_share_directory
from launch import LaunchDescription
from launch.actions import DeclareLaunchArgument, IncludeLaunchDescription
from launch.conditions import IfCondition
from launch.launch_description_sources import PythonLaunchDescriptionSource
from launch.substitutions import LaunchConfiguration
from launch_ros.actions import Node


def included(name, **options):
    """Return the action that includes another launch file of this package."""
    folder = Path(get_package_share_directory('{package}')) / 'launch'
    source = PythonLaunchDescriptionSource(str(folder / f'{{name}}.launch.py'))
    return IncludeLaunchDescription(source, **options)


def generate_launch_description():
    """Start everything: poses, hardware, controllers, move_group and RViz."""
    description = Path(get_package_share_directory('{description}'))
    return LaunchDescription([
        DeclareLaunchArgument('use_rviz', default_value='true', description='Show RViz'),
        included('static_virtual_joint_tfs'),
        included('rsp'),
        Node(
            package='controller_manager',
            executable='ros2_control_node',
            parameters=[str(description / 'config' / 'controllers.yaml')],
            remappings=[('/controller_manager/robot_description', '/robot_description')],
            output='both',
        ),
        included('spawn_controllers'),
        included('move_group'),
        included('moveit_rviz', condition=IfCondition(LaunchConfiguration('use_rviz'))),
    ])
'''


def launch_files(name: str, package: str, description: str) -> dict[str, bytes]:
    """The launch files by their paths; `name` is the robot's, `description` the description package."""
    found = {
        f"launch/{function}.launch.py": _SINGLE.format(summary=summary, function=function, name=name, package=package)
        for function, summary in SINGLE.items()
    }
    found["launch/demo.launch.py"] = _DEMO.format(name=name, package=package, description=description)
    return {path: source.encode() for path, source in found.items()}
