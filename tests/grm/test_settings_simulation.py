"""Settings for simulators: the base, poses, actuators, armature, contacts; mistakes are answered with their place."""

from __future__ import annotations

import math
from typing import Any

import pytest
from tests.mechanisms import DELTA, FOUR_BAR

from swgrm import settings_from
from swgrm.errors import SettingsError
from swgrm.findings import Findings
from swgrm.model import Actuator, ActuatorType, Mount, NamedPose
from swgrm.settings import apply


def test_everything_is_in_the_robot() -> None:
    data = {
        "base": {"mount": "floating"},
        "joints": {"crank_joint": {"name": "crank_drive", "armature": "20 g cm²"}},
        "poses": {"home": {"crank_joint": "30 deg", "rocker_joint": 0.1}},
        "actuators": {"crank_joint": {"type": "position", "stiffness": "200 Nm/rad", "effort": 5, "gear": 50}},
        "contacts": {"exclude": [["crank", "rocker"]]},
    }
    robot = apply(FOUR_BAR.robot, settings_from(data), Findings())
    assert robot.mount is Mount.FLOATING
    assert robot.poses == (NamedPose("home", {"crank_drive": math.radians(30), "rocker_joint": 0.1}),)
    position = ActuatorType.POSITION
    assert robot.actuators == (Actuator(joint="crank_drive", type=position, stiffness=200.0, effort=5.0, gear=50.0),)
    assert robot.ignored_contacts == (("crank", "rocker"),)
    joint = robot.joints["crank_drive"].joint
    assert joint is not None
    assert joint.dynamics is not None
    assert joint.dynamics.armature == pytest.approx(2e-6)
    again = apply(robot, settings_from({"poses": {"home": {}}}), Findings())
    assert again.poses == (NamedPose("home"),)


def test_a_ball_joint_has_a_quaternion() -> None:
    settings = settings_from({"poses": {"home": {"rod_0_left_joint": [0, 0, 2, 0]}}})
    assert apply(DELTA.robot, settings, Findings()).poses[0].positions == {"rod_0_left_joint": (0, 0, 1, 0)}


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ({"poses": {"home": {"crank": 1}}}, "poses, home, crank: there is no moving joint `crank`. Did you mean"),
        ({"poses": {"home": {"crank_joint": [0, 0, 0, 1]}}}, "the position of a revolute joint is one number"),
        ({"poses": {"home": {"crank_joint": "3 mm"}}}, "`3 mm` is not an angle"),
        ({"actuators": {"crank_joint": {"stiffness": -1}}}, "actuators, crank_joint, stiffness: `-1.0` is negative"),
        ({"actuators": {"crank_joint": {"gear": 0}}}, "a gear of zero"),
        ({"actuators": {"crank_joint": {"type": "hydraulic"}}}, "hydraulic"),
        ({"contacts": {"exclude": [["crank", "roker"]]}}, "there is no link `roker`. Did you mean"),
        ({"base": {"mount": "flying"}}, "base, mount"),
    ],
)
def test_mistakes_are_answered_with_their_place(data: dict[str, Any], message: str) -> None:
    with pytest.raises(SettingsError) as caught:
        apply(FOUR_BAR.robot, settings_from(data), Findings())
    assert message in str(caught.value)


@pytest.mark.parametrize("position", [0.5, [0, 0, 0, 0]])
def test_the_position_of_a_ball_joint_must_be_a_rotation(position: object) -> None:
    with pytest.raises(SettingsError, match="quaternion"):
        apply(DELTA.robot, settings_from({"poses": {"home": {"platform_joint": position}}}), Findings())
