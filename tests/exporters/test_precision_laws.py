"""Rounded robots in every format with a note: what was written comes back, and without noise in the files."""

from __future__ import annotations

import math
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.bench.noisy_numbers import NUMBER, noise_of
from tests.exporters.mjcf.test_round_trip import without_meshes
from tests.holding import given_back
from tests.robots import COMPOSITES, MARKED, robots

from swgrm.findings import Findings
from swgrm.model import Pose, Robot
from swgrm.model.grmfile import dumps as grm_text
from swgrm.model.grmfile import loads as grm_robot
from swgrm.precision import DIRECTION, LENGTH, is_rounded, numbers_in, rounded, rounded_since
from swgrm_exporters import formats
from swgrm_exporters.lowering import Choices, lower
from swgrm_exporters.mjcf.reader import loads as mjcf_robot
from swgrm_exporters.mjcf.writer import dumps as mjcf_text
from swgrm_exporters.sdf.options import SdfLoops, SdfOptions
from swgrm_exporters.sdf.reader import loads as sdf_robot
from swgrm_exporters.sdf.writer import dumps as sdf_text
from swgrm_exporters.sdf.writer import fitted
from swgrm_exporters.urdf.reader import loads as urdf_robot
from swgrm_exporters.urdf.rotation import quaternion_rpy, rpy_quaternion, written_rpy
from swgrm_exporters.urdf.writer import dumps as urdf_text

TEXTS: dict[str, Callable[[Robot], bytes]] = {"urdf": urdf_text, "mjcf": mjcf_text, "sdf": sdf_text}
RICH = robots(plain=True, strange=True, composites=MARKED)


@given(robots(plain=True, strange=True, relations=True, composites=COMPOSITES))
def test_grm_comes_back_to_the_last_digit(robot: Robot) -> None:
    robot = rounded(robot)
    assert grm_robot(grm_text(robot)).by_id == robot.by_id


@given(RICH)
def test_urdf_comes_back(robot: Robot) -> None:
    robot = rounded(robot)
    assert (comparison := urdf_robot(urdf_text(robot)).is_same_as(robot, 1e-9)).is_same, str(comparison)


@settings(max_examples=30)
@given(RICH)
def test_mjcf_comes_back(robot: Robot) -> None:
    robot = without_meshes(rounded(robot))
    assert (comparison := mjcf_robot(mjcf_text(robot)).is_same_as(robot, 1e-8)).is_same, str(comparison)


@given(RICH)
def test_sdf_comes_back(robot: Robot) -> None:
    robot, options = rounded(robot), SdfOptions(loops=SdfLoops.CUT)
    expected = given_back(fitted(robot, options, Findings()))
    again = sdf_robot(sdf_text(robot, options))
    assert (comparison := expected.is_same_as(again, 1e-9)).is_same, str(comparison)


@settings(max_examples=30)
@given(RICH)
def test_usd_comes_back_written_twice(robot: Robot) -> None:
    with tempfile.TemporaryDirectory() as folder:
        first = formats.read(formats.write(rounded(robot), Path(folder, "first.usda"))[0])
        second = formats.read(formats.write(first, Path(folder, "second.usda"))[0])
    assert (comparison := first.is_same_as(second, 2e-6)).is_same, str(comparison)


@pytest.mark.parametrize("form", TEXTS)
@settings(max_examples=30)
@given(robot=robots(composites=COMPOSITES))
def test_files_of_short_numbers_have_no_noise(form: str, robot: Robot) -> None:
    """What lowering and a writer compute of a robot that is rounded has no noise either."""
    text = TEXTS[form](rounded(without_meshes(robot))).decode().partition("<custom>")[0]
    noisy = [number for number in NUMBER.findall(text) if noise_of(number)]
    assert [number for number in noisy if noise_of(number) != "tiny" or abs(float(number)) < 1e-20] == []


@pytest.mark.parametrize("name", ["urdf", "robotinfo", "mjcf", "sdf", "usd"])
@given(robot=robots(strange=True, relations=True, composites=COMPOSITES))
def test_lowering_changes_no_number_that_it_did_not_compute(name: str, robot: Robot) -> None:
    lowered = lower(robot, formats.named(name).capabilities, Choices(), Findings()).robot
    before = set(numbers_in(robot))
    for frame in lowered.frames:
        for pose in (frame.transform, *(shape.origin for link in frame.links for shape in link.visuals)):
            for numbers, precision in ((pose.pos, LENGTH), (pose.rot, DIRECTION)):
                computed = tuple(number for number in numbers if number not in before)
                assert is_rounded(computed, precision)
    assert rounded_since(robot, robot) is robot


def test_a_converted_robot_keeps_its_digits() -> None:
    text = b"""<robot name="r"><link name="base"/><link name="arm"><inertial>
    <origin xyz="0 1.3e-16 0.123456789012345"/><mass value="1.23456789012345"/>
    <inertia ixx="0.0123456789012345" ixy="2.6e-20" ixz="0" iyy="0.02" iyz="0" izz="0.02"/></inertial></link>
    <joint name="j" type="revolute"><parent link="base"/><child link="arm"/>
    <origin xyz="0.123456789012345 0 2.8000000000000003" rpy="0.123456789012345 -1.1 1.5707963"/>
    <axis xyz="0 0.6 0.8"/><limit lower="-0.9999999999999994" upper="1.23456789012345" effort="1" velocity="1"/>
    </joint></robot>"""
    written = urdf_text(urdf_robot(text)).decode()
    for number in (
        "1.3e-16", "0.123456789012345", "1.23456789012345", "0.0123456789012345", "2.6e-20", "-0.999999999999999",
        'rpy="0.123456789012345 -1.1 1.5707963"',
    ):  # fmt: skip
        assert number in written


def test_angles_of_a_rounded_quaternion_are_rounded() -> None:
    noisy = rpy_quaternion((0.0, -1.1, 0.0))
    exact = rounded(Pose(rot=noisy)).rot
    assert quaternion_rpy(exact) != (0.0, -1.1, 0.0)
    assert written_rpy(exact) == (0.0, -1.1, 0.0)


@given(st.floats(-1.4, 1.4), st.floats(-3.0, 3.0), st.booleans())
def test_half_a_turn_is_written_with_one_sign(pitch: float, angle: float, is_yaw: bool) -> None:
    """The last digit of a rounded quaternion does not decide between π and −π."""
    rpy = (angle, pitch, math.pi) if is_yaw else (math.pi, pitch, angle)
    exact = rounded(Pose(rot=rpy_quaternion(rpy))).rot
    assert written_rpy(exact) == pytest.approx(rpy, abs=1e-10)
