"""The YAML files of a MoveIt configuration package: inverse kinematics, joint limits, controllers, RViz and so on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import yaml

from swgrm.model import Robot
from swgrm_exporters.moveit.groups import PlanningGroup

SOLVER = "kdl_kinematics_plugin/KDLKinematicsPlugin"
ARM_JOINTS, FULL_POSE = 3, 6  # joints of a chain that gets a solver; from which on it reaches any pose
SCALING = 0.1  # of the greatest velocity and acceleration, as MoveIt's Setup Assistant has it
RAMP = 0.5  # [s] to full speed, where a joint has no acceleration limit
TIMESTAMP = 946684800  # 2000-01-01: the same input gives the same bytes

Plain = Mapping[str, Any]


def text(data: Plain, comment: str = "") -> bytes:
    """A YAML file, with a comment above."""
    head = "".join(f"# {line}\n" for line in comment.splitlines())
    return (head + yaml.safe_dump(dict(data), sort_keys=False, allow_unicode=True)).encode()


def kinematics(groups: Sequence[PlanningGroup]) -> bytes:
    """Kinematics.yaml: KDL for every chain of three or more joints."""
    found: dict[str, Plain] = {}
    for group in groups:
        if group.is_chain and len(group.joints) >= ARM_JOINTS:
            found[group.name] = {
                "kinematics_solver": SOLVER,
                "kinematics_solver_search_resolution": 0.005,
                "kinematics_solver_timeout": 0.05,
            } | ({"position_only_ik": True} if len(group.joints) < FULL_POSE else {})
    is_short = any("position_only_ik" in each for each in found.values())
    why = "A chain of fewer than six joints cannot reach every orientation: its goals are positions."
    return text(found, why if is_short else "")


def joint_limits(
    robot: Robot, joints: Sequence[str], velocity: float, acceleration: float | None
) -> tuple[bytes, list[str]]:
    """Joint_limits.yaml, and the joints whose accelerations are assumed.

    `velocity` and `acceleration` are taken where a joint has none; without an acceleration, RAMP decides.
    """
    found, assumed = {}, []
    for name in joints:
        joint = robot.joints[name].joint
        limits = joint.limits if joint else None
        fastest = velocity if limits is None or limits.velocity is None else limits.velocity
        own = limits.acceleration if limits else None
        if own is None:
            assumed.append(name)
            own = fastest / RAMP if acceleration is None else acceleration
        found[name] = {
            "has_velocity_limits": True,
            "max_velocity": float(fastest),
            "has_acceleration_limits": True,
            "max_acceleration": float(own),
        }
    data = {
        "default_velocity_scaling_factor": SCALING,
        "default_acceleration_scaling_factor": SCALING,
        "joint_limits": found,
    }
    return text(
        data, "Ranges of positions are those of the URDF. Increase the scaling factors to 1 for full speed."
    ), assumed


def controllers(described: Mapping[str, Sequence[str]]) -> bytes:
    """Moveit_controllers.yaml for the trajectory controllers: their joints by name."""
    manager: dict[str, Any] = {"controller_names": list(described)} if described else {}  # launch refuses empty lists
    for name, joints in described.items():
        manager[name] = {
            "type": "FollowJointTrajectory",
            "action_ns": "follow_joint_trajectory",
            "default": True,
            "joints": list(joints),
        }
    data = {
        "moveit_controller_manager": "moveit_simple_controller_manager/MoveItSimpleControllerManager",
        "moveit_simple_controller_manager": manager,
    }
    return text(data, "The controllers are those of config/controllers.yaml in the description package.")


def pilz_limits() -> bytes:
    """Pilz_cartesian_limits.yaml with MoveIt's own defaults."""
    limits = {"max_trans_vel": 1.0, "max_trans_acc": 2.25, "max_trans_dec": -5.0, "max_rot_vel": 1.57}
    return text({"cartesian_limits": limits}, "Of the Pilz planner, in m/s, m/s², m/s² and rad/s.")


def setup_assistant(package: str, xacro: str, srdf: str, author: str, email: str) -> bytes:
    """.setup_assistant: MoveIt's Setup Assistant opens the package by it, and launch files find the URDF."""
    data = {
        "urdf": {"package": package, "relative_path": xacro, "xacro_args": "sim:=mock"},
        "srdf": {"relative_path": srdf},
        "package_settings": {"author_name": author, "author_email": email, "generated_timestamp": TIMESTAMP},
    }
    return text({"moveit_setup_assistant_config": data})


def rviz_view(frame: str) -> bytes:
    """An RViz view with MoveIt's panel, fixed to a frame."""
    panels = [{"Class": "rviz_common/Displays", "Name": "Displays"}, {"Class": "rviz_common/Views", "Name": "Views"}]
    planning = {
        "Class": "moveit_rviz_plugin/MotionPlanning",
        "Name": "MotionPlanning",
        "Enabled": True,
        "Value": True,
        "Planned Path": {
            "Loop Animation": True,
            "State Display Time": "0.05 s",
            "Trajectory Topic": "display_planned_path",
        },
        "Planning Scene Topic": "monitored_planning_scene",
        "Robot Description": "robot_description",
        "Scene Geometry": {"Scene Alpha": 1},
        "Scene Robot": {"Robot Alpha": 0.5},
    }
    grid = {"Class": "rviz_default_plugins/Grid", "Name": "Grid", "Enabled": True, "Value": True}
    manager = {
        "Displays": [grid, planning],
        "Global Options": {"Fixed Frame": frame},
        "Tools": [{"Class": f"rviz_default_plugins/{tool}"} for tool in ("Interact", "MoveCamera", "Select")],
        "Value": True,
        "Views": {"Current": {"Class": "rviz_default_plugins/Orbit", "Distance": 2.0, "Pitch": 0.5, "Yaw": -0.6}},
    }
    return text({"Panels": panels, "Visualization Manager": manager, "Window Geometry": {"Height": 975, "Width": 1200}})
