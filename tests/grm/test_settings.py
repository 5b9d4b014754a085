"""Settings are edits: what they do to a robot is what the functions of `swgrm.edit` do."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import astuple, replace
from tests.lookups import joint_of, present
from tests.robots import SCALAR, equipped_robots, small

import swgrm
from swgrm import (
    Calibration,
    Frame,
    Joint,
    JointType,
    Limits,
    LoopJoint,
    Robot,
    Safety,
    Sensor,
    Transmission,
    TransmissionEnd,
    poses,
)
from swgrm.errors import ModelError, SettingsError, SwgrmError
from swgrm.findings import Findings
from swgrm.settings import FollowSettings, JointSettings, PropsSettings, Settings, apply, quantity


def driven(kind: JointType = JointType.REVOLUTE) -> Robot:
    """A robot with one driven joint in the tree and one that closes a loop."""
    joint = Joint(
        type=kind,
        name="j1",
        limits=Limits(-1.0, 1.0),
        safety=Safety(10.0, 20.0, -0.5, 0.9),
        calibration=Calibration(rising=0.25),
    )
    frames = (
        Frame(id="base"),
        Frame(id="arm", parent="base", joint=joint),
        Frame(id="tip", parent="arm", sensors=(Sensor(name="eye", type="camera"),)),
        Frame(id="ball", parent="base", joint=Joint(type=JointType.BALL, name="ball")),
    )
    drive = Transmission(name="t", joints=(TransmissionEnd("j1"),), actuators=(TransmissionEnd("m", (), 50.0),))
    loop = LoopJoint(parent="base", child="tip", joint=Joint(type=JointType.REVOLUTE, name="closing"))
    return Robot(name="r", frames=frames, transmissions=(drive,), loop_joints=(loop,))


def applied(robot: Robot, findings: Findings | None = None, /, **joints: JointSettings) -> Robot:
    return apply(robot, Settings(joints=joints), Findings() if findings is None else findings)


def soft_limits(joint: Joint) -> tuple[float, float]:
    safety = present(joint.safety)
    return safety.soft_lower_limit, safety.soft_upper_limit


def test_a_transmission_follows_a_joint_that_settings_rename() -> None:
    robot = applied(driven(), j1=JointSettings(name="elbow"))
    assert [end.name for end in robot.transmissions[0].joints] == ["elbow"]
    assert "transmission-joint" not in {finding.code for finding in swgrm.check(robot)}


def test_a_loop_joint_is_renamed_and_couplings_to_the_tree_follow() -> None:
    robot = driven()
    loop = replace(robot.loop_joints[0], joint=replace(robot.loop_joints[0].joint, coupling=swgrm.Coupling("j1")))
    robot = applied(
        replace(robot, loop_joints=(loop,)), j1=JointSettings(name="elbow"), closing=JointSettings(name="c")
    )
    assert (robot.loop_joints[0].joint.name, robot.loop_joints[0].joint.coupling) == ("c", swgrm.Coupling("elbow"))


def test_soft_limits_and_calibration_follow_a_flip() -> None:
    robot = applied(driven(), j1=JointSettings(flip=True))
    joint = joint_of(robot, "j1")
    assert soft_limits(joint) == (-0.9, 0.5)
    assert joint.calibration == Calibration(falling=-0.25)
    assert robot.transmissions[0].actuators[0].mechanical_reduction == -50.0


def test_soft_limits_and_calibration_follow_the_zero() -> None:
    joint = joint_of(applied(driven(), j1=JointSettings(zero=0.5)), "j1")
    assert (joint.limits.lower, joint.limits.upper) == (-1.5, 0.5)
    assert soft_limits(joint) == (-1.0, 0.4)
    assert joint.calibration == Calibration(rising=-0.25)


@given(equipped_robots(most=5))
def test_names_in_settings_are_a_renaming(robot: Robot) -> None:
    names = {name: f"new {name}" for name in robot.joints}
    decided = Settings(joints={old: JointSettings(name=new) for old, new in names.items()})
    assert apply(robot, decided, Findings()) == swgrm.rename(robot, joints=names)


@given(equipped_robots(most=5), small, st.data())
def test_flip_and_zero_in_settings_are_those_edits_in_order(robot: Robot, zero: float, data: st.DataObject) -> None:
    name = data.draw(st.sampled_from([n for n, f in robot.joints.items() if f.joint and f.joint.type in SCALAR]))
    decided = Settings(joints={name: JointSettings(flip=True, zero=zero)})
    assert apply(robot, decided, Findings()) == swgrm.rezero(swgrm.flip(robot, name), name, zero)


def test_limits_dynamics_and_coupling() -> None:
    follows = FollowSettings("closing", 2.0, "10 deg")
    decided = JointSettings(lower="-90 deg", velocity="30 rpm", effort="5 Nm", friction=2.0, follows=follows)
    joint = joint_of(applied(driven(), j1=decided), "j1")
    assert astuple(joint.limits) == pytest.approx((-math.pi / 2, 1.0, math.pi, 5.0, None))
    assert joint.dynamics == swgrm.Dynamics(0.0, 2.0)
    coupling = present(joint.coupling)
    assert (coupling.joint, coupling.ratio) == ("closing", 2.0)
    assert coupling.offset == pytest.approx(math.pi / 18)


@pytest.mark.parametrize(("kind", "zero"), [(JointType.REVOLUTE, "30 deg"), (JointType.PRISMATIC, "30 mm")])
def test_a_joint_is_fixed_where_its_zero_is(kind: JointType, zero: str) -> None:
    robot, findings = driven(kind), Findings()
    fixed = applied(robot, findings, j1=JointSettings(type=JointType.FIXED, zero=zero))
    position = quantity(zero, "angle" if kind is JointType.REVOLUTE else "length", "")
    assert np.allclose(poses(fixed)["tip"], poses(robot, {"j1": position})["tip"])
    (finding,) = findings
    assert (finding.code, finding.where) == ("type-overridden", "joint j1")
    assert finding.message == f"The settings make this a fixed joint; without them it is {kind}."


def test_zero_counts_in_the_new_type() -> None:
    robot = applied(driven(), j1=JointSettings(type=JointType.PRISMATIC, zero="20 mm", upper="5 cm"))
    assert robot.frame("arm").transform.pos == (0.0, 0.0, 0.02)
    assert joint_of(robot, "j1").limits.upper == pytest.approx(0.05)


def test_a_screw_that_becomes_another_joint_has_no_pitch() -> None:
    robot = driven(JointType.SCREW)
    screw = replace(joint_of(robot, "j1"), pitch=0.01)
    pitched = replace(robot, frames=tuple(replace(f, joint=screw) if f.id == "arm" else f for f in robot.frames))
    assert joint_of(applied(pitched, j1=JointSettings(type=JointType.REVOLUTE)), "j1").pitch == 0.0
    assert joint_of(applied(pitched, j1=JointSettings(type=JointType.SCREW)), "j1").pitch == 0.01


def test_what_has_no_effect_on_a_ball_joint_is_reported() -> None:
    findings = Findings()
    assert applied(driven(), findings, ball=JointSettings(flip=True, zero=0.5)) == driven()
    assert [(each.code, each.where) for each in findings] == [("setting-ignored", "joint ball")] * 2
    assert [each.message.split("`")[1] for each in findings] == ["flip", "zero"]


def test_a_sensor_that_is_there_gets_its_props() -> None:
    robot = apply(driven(), Settings(props=PropsSettings(sensors={"eye": {"a.b": "c"}})), Findings())
    assert robot.frame("tip").sensors[0].props == {"a.b": "c"}


@pytest.mark.parametrize(
    ("decided", "message"),
    [
        ({"j2": JointSettings()}, r"no joint `j2`\. Did you mean `j1`"),
        ({"j1": JointSettings(name="closing")}, "joints: .*two joints would be called `closing`"),
        ({"j1": JointSettings(lower=2.0)}, "joints: .*lower limit of 114.6° that is above its upper limit of 57.3°"),
        ({"j1": JointSettings(follows=FollowSettings("j2"))}, "no joint `j2`"),
        ({"j1": JointSettings(lower="1 mm")}, "joints, j1, lower: `1 mm` is not an angle; `mm` is a unit of length"),
        ({"j1": JointSettings(zero="much")}, "joints, j1, zero: `much` is not a number"),
        ({"j1": JointSettings(upper=math.inf)}, "joints, j1, upper: `inf` must be a finite number"),
        ({"j1": JointSettings(upper="1 dag")}, r"unknown unit `dag` in `1 dag`\. Did you mean `deg`"),
    ],
)
def test_what_does_not_fit_is_an_error_that_names_the_place(decided: dict[str, JointSettings], message: str) -> None:
    with pytest.raises(SettingsError, match=message):
        applied(driven(), **decided)


def test_errors_of_arguments_are_value_errors() -> None:
    assert all(issubclass(kind, ValueError) and issubclass(kind, SwgrmError) for kind in (ModelError, SettingsError))
