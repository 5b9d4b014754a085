"""What a user who does not read the manual writes into the settings, and what swgrm answers."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from tests.lookups import joint_of

from swgrm import poses
from swgrm.model import JointType
from swgrm_addin.pipeline import Understanding, read, understand
from swgrm_addin.settings_file import read_settings


def understood(sample: str, text: str, folder: Path) -> Understanding:
    path = folder / f"{sample}.grm.yaml"
    path.write_text(text, encoding="utf-8")
    return understand(read(f"mock:{sample}"), read_settings(path))


def codes(done: Understanding) -> set[str]:
    return {finding.code for finding in done.findings}


def test_a_sub_assembly_that_must_not_open_stays_closed_though_it_is_flexible(tmp_path: Path) -> None:
    robot = understood("mobile_base", "subAssemblies: {all: never}", tmp_path).robot
    moving = {name for name, frame in robot.joints.items() if not frame.is_rigid}
    assert len(moving) == 4
    assert not any("caster_wheel" in name for name in moving)


def test_a_joint_of_another_type_loses_limits_in_the_other_unit(tmp_path: Path) -> None:
    done = understood("arm", "joints: {shoulder_joint: {type: prismatic, upper: 20 mm}}", tmp_path)
    limits = joint_of(done.robot, "shoulder_joint").limits
    assert limits.lower is None
    assert limits.upper == pytest.approx(0.02)
    assert "limits-of-other-type" in codes(done)
    ball = understood("arm", "joints: {shoulder_joint: {type: ball}}", tmp_path).robot
    assert joint_of(ball, "shoulder_joint").type is JointType.BALL
    assert joint_of(ball, "shoulder_joint").limits.lower is None


def test_left_and_right_wheels_turn_the_same_way() -> None:
    robot = understand(read("mock:mobile_base")).robot
    placed = poses(robot)
    left, right = (
        placed[robot.joints[name].id][:3, :3] @ joint_of(robot, name).axis
        for name in ("drive_wheel_1_joint", "drive_wheel_2_joint")
    )
    assert np.allclose(left, right, atol=1e-9)
