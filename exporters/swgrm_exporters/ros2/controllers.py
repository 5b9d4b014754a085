"""The controllers of the controller manager, as its file of parameters.

Joints with a position interface follow trajectories, one controller per chain; joints that are driven by velocity or
effort take commands as they are. Sensors with state interfaces have broadcasters.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import yaml

from swgrm_exporters.names import Pool
from swgrm_exporters.ros2.control import STATES
from swgrm_exporters.ros2.description import RobotDescription
from swgrm_exporters.ros2.sensing import PlacedSensor, controlled_sensor

STATE_BROADCASTER = "joint_state_broadcaster"
TRAJECTORY = "joint_trajectory_controller/JointTrajectoryController"
FORWARD = "forward_command_controller/ForwardCommandController"
HEAD = """\
# The controllers of the robot. Edits of this file are kept.
# The launch files start every controller that `controller_manager` names here.
"""


class Controller(NamedTuple):
    """A controller: its name, its type and its parameters."""

    name: str
    type: str
    parameters: Mapping[str, Any]


def controllers_of(description: RobotDescription, sensors: tuple[PlacedSensor, ...]) -> list[Controller]:
    """The controllers, in the order in which they are started."""
    pool = Pool([STATE_BROADCASTER])
    found = [Controller(STATE_BROADCASTER, "joint_state_broadcaster/JointStateBroadcaster", {})]
    for placed in sensors:
        if (kind := controlled_sensor(placed.sensor)) is not None:
            parameters = {"sensor_name": placed.name, "frame_id": placed.link}
            name = pool.fresh(f"{placed.name}_broadcaster")
            found.append(Controller(name, kind.broadcaster, parameters))
    return found + trajectory_controllers(description, pool) + _forwarding(description, pool)


def trajectory_controllers(description: RobotDescription, pool: Pool | None = None) -> list[Controller]:
    """The controllers that follow trajectories, one per chain and in the order of the chains."""
    pool = pool or Pool([STATE_BROADCASTER])
    return [
        Controller(
            pool.fresh(f"{chain.name}_controller"),
            TRAJECTORY,
            {
                "joints": list(chain.joints),
                "command_interfaces": ["position"],
                "state_interfaces": list(STATES),
                "allow_partial_joints_goal": True,  # a planning group of MoveIt may be a part of the chain
            },
        )
        for chain in description.chains
    ]


def _forwarding(description: RobotDescription, pool: Pool) -> list[Controller]:
    """One controller for all joints that are driven by velocity, one for those driven by effort."""
    found = []
    for interface in ("velocity", "effort"):
        joints = [each.name for each in description.joints if each.command == interface]
        if joints:
            parameters = {"joints": joints, "interface_name": interface}
            found.append(Controller(pool.fresh(f"{interface}_controller"), FORWARD, parameters))
    return found


def controllers_file(controllers: list[Controller], update_rate: int) -> bytes:
    """The parameters of the controller manager, then those of each controller."""
    manager: dict[str, Any] = {"update_rate": update_rate}
    manager |= {each.name: {"type": each.type} for each in controllers}
    document: dict[str, Any] = {"controller_manager": {"ros__parameters": manager}}
    document |= {each.name: {"ros__parameters": dict(each.parameters)} for each in controllers if each.parameters}
    return HEAD.encode() + yaml.safe_dump(document, sort_keys=False, allow_unicode=True).encode()
