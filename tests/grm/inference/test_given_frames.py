"""Frames that the settings give by numbers: the robot has these numbers, and its parts stay where they are."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import swgrm
from swgrm.errors import SettingsError
from swgrm.kinematics.forward import Kinematics
from swgrm.mass.links import MassOptions
from swgrm.model import JointType
from swgrm.settings import converted, settings_from
from swgrm.transforms import inverse
from swgrm_addin.pipeline import Understanding, read, understand
from swgrm_addin.settings_file import SettingsFile
from swgrm_exporters.urdf.rotation import quaternion_rpy

ANGLE = st.floats(-3, 3)
LENGTH = st.floats(-0.5, 0.5)


@pytest.fixture(scope="module")
def source() -> Any:
    return read("mock:arm")


def understood(source: Any, **sections: Any) -> Understanding:
    return understand(source, settings_from(sections))


def codes(done: Understanding) -> set[str]:
    return {finding.code for finding in done.findings}


def part_poses(done: Understanding, positions: dict[str, float] | None = None) -> dict[str, Any]:
    """The poses of the parts in the first one's frame, which no setting changes."""
    poses = Kinematics(done.robot).poses(positions)
    parts = {f.entity.path: poses[f.id] for f in done.robot.frames if f.entity and f.entity.kind == "component"}
    T_first_world = inverse(parts["base-1"])
    return {name: T_first_world @ T for name, T in parts.items()}


@settings(max_examples=10)
@given(spin=ANGLE, along=LENGTH, zero=ANGLE, reverse=st.booleans())
def test_a_joint_gets_the_given_frame_and_the_parts_stay(
    source: Any, spin: float, along: float, zero: float, reverse: bool
) -> None:
    """Any frame on the axis, any zero, either direction: the numbers come back, the assembled pose is the same."""
    before = understood(source)
    frame = before.robot.joints["upper_arm_joint"]
    turned = swgrm.Pose.from_matrix(
        frame.transform.matrix
        @ np.array(
            [[np.cos(spin), -np.sin(spin), 0, 0], [np.sin(spin), np.cos(spin), 0, 0], [0, 0, 1, along], [0, 0, 0, 1]]
        )
    )
    axis = [0.0, 0.0, -1.0 if reverse else 1.0]
    numbers = {"xyz": list(turned.pos), "rpy": list(quaternion_rpy(turned.rot)), "axis": axis}
    done = understood(source, joints={"upper_arm_joint": {"frame": numbers, "zero": zero}})
    found = done.robot.joints["upper_arm_joint"]
    assert found.joint is not None
    # The numbers are given, but the quaternion and the poses of the parts are computed from them, and rounded.
    assert np.allclose(found.transform.matrix, turned.matrix, atol=1e-11)
    assert found.joint.axis == tuple(axis)
    at_assembly = part_poses(done, {"upper_arm_joint": -zero})
    for name, T in part_poses(before).items():
        assert np.allclose(at_assembly[name], T, atol=1e-9), name
    assert not codes(done) & {"joint-frame-numbers", "joint-axis-numbers"}


def test_rounded_numbers_are_kept_and_wrong_ones_are_findings(source: Any) -> None:
    frame = understood(source).robot.joints["upper_arm_joint"]
    xyz, rpy = list(frame.transform.pos), list(quaternion_rpy(frame.transform.rot))
    near = {"xyz": [round(x, 4) + 2e-5 for x in xyz], "rpy": [round(x, 4) for x in rpy], "axis": [0, 0, 1]}
    done = understood(source, joints={"upper_arm_joint": {"frame": near}})
    assert done.robot.joints["upper_arm_joint"].transform.pos == pytest.approx(near["xyz"], abs=1e-15)
    assert "joint-frame-numbers" not in codes(done)
    far = {"xyz": [x + 0.01 for x in xyz], "rpy": rpy, "axis": [0, 1, 0]}
    done = understood(source, joints={"upper_arm_joint": {"frame": far}})
    assert {"joint-frame-numbers", "joint-axis-numbers"} <= codes(done)
    assert np.allclose(done.robot.joints["upper_arm_joint"].joint.axis, [0, 0, 1])  # type: ignore[union-attr]


@pytest.mark.parametrize("tilt", [-1e-12, 0.0, 1e-12])
def test_an_axis_at_a_right_angle_does_not_reverse_the_joint(source: Any, tilt: float) -> None:
    """Whether it points a little along the joint's axis or against it is rounding."""
    frame = understood(source).robot.joints["upper_arm_joint"]
    numbers = {"xyz": list(frame.transform.pos), "rpy": list(quaternion_rpy(frame.transform.rot)), "axis": [0, 1, tilt]}
    done = understood(source, joints={"upper_arm_joint": {"frame": numbers}})
    assert "joint-axis-numbers" in codes(done)
    assert np.allclose(done.robot.joints["upper_arm_joint"].joint.axis, [0, 0, 1])  # type: ignore[union-attr]


def test_the_direction_survives_when_only_a_limit_changes(source: Any) -> None:
    frame = understood(source).robot.joints["upper_arm_joint"]
    numbers = {"xyz": list(frame.transform.pos), "rpy": list(quaternion_rpy(frame.transform.rot)), "axis": [0, 0, -1]}
    first = understood(source, joints={"upper_arm_joint": {"frame": numbers}})
    again = understand(source, settings_from({"joints": {"upper_arm_joint": {"frame": numbers, "upper": 0.5}}}), first)
    assert again.inference is not None
    assert again.inference.problem is first.inference.problem  # type: ignore[union-attr]  # it was used again
    assert again.robot.joints["upper_arm_joint"].joint.axis == (0.0, 0.0, -1.0)  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("joint", "words"),
    [
        ({"frame": {"axis": [0, 0, 0]}}, "length zero"),
        ({"frame": {"axis": [0, 0, 1]}, "flip": True}, "Remove `flip`"),
        ({"frame": {"xyz": [1, 2]}}, "must have 3 entries"),
        ({"frame": {"rpy": ["5 mm", 0, 0]}}, "not an angle"),
    ],
)
def test_mistakes_are_answered(source: Any, joint: dict[str, Any], words: str) -> None:
    with pytest.raises(SettingsError, match=words):
        understood(source, joints={"upper_arm_joint": joint})


def test_the_base_is_where_the_settings_place_it(source: Any) -> None:
    done = understood(source, base={"frame": {"xyz": ["100 mm", 0, 0], "rpy": [0, 0, "90 deg"]}})
    T = Kinematics(done.robot).poses()["base-1"]
    assert np.allclose(T[:3, 3], [0, 0.1, 0], atol=1e-12)
    assert any("pose in the settings" in finding.message for finding in done.findings)


def test_a_fixed_joint_with_a_frame_keeps_its_child_a_link(source: Any) -> None:
    """Its child and what is joined with it hang on that frame, and nothing moves."""
    entry = {"parent": "wrist_2-1", "child": "flange-1", "type": "fixed", "frame": {"xyz": [0, 0, 0.1]}}
    done = understood(source, joints={"tool_mount": entry})
    frame = done.robot.joints["tool_mount"]
    assert frame.joint is not None
    assert frame.joint.type is JointType.FIXED
    assert frame.transform.pos == pytest.approx((0, 0, 0.1))
    assert done.robot.frame("flange-1").parent == frame.id
    before = part_poses(understood(source))
    for name, T in part_poses(done).items():
        assert np.allclose(T, before[name], atol=1e-12), name


def test_a_link_gets_the_given_mass_and_its_parts_none(source: Any) -> None:
    given = {"mass": 2.5, "centerOfMass": [0, 0, 0.1], "inertia": [0.01, 0, 0, 0.02, 0, 0.03]}
    options = converted({"links": {"forearm": given}}, MassOptions, "mass")
    done = understand(source, SettingsFile(sections={"mass": options}))
    frame = done.robot.frame("forearm")
    assert frame.links[0].inertial == swgrm.Inertial(
        2.5, (0.0, 0.0, 0.1), swgrm.Tensor(0.01, 0.0, 0.0, 0.02, 0.0, 0.03)
    )
    assert all(link.inertial is None for link in done.robot.frame("forearm-1").links)
    wrong = converted({"links": {"forarm": given}}, MassOptions, "mass")
    with pytest.raises(SettingsError, match="Did you mean `forearm`"):
        understand(source, SettingsFile(sections={"mass": wrong}))
