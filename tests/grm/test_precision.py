"""Rounding of computed numbers: noise is gone, nothing else changes, and given numbers stay."""

from __future__ import annotations

import json
import math
import re
import typing
from typing import Any

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.bench.noisy_numbers import NUMBER, noise_of
from tests.robots import any_robots, robots

import swgrm.model
from swgrm.mass.inertia import principal_axes, tensor_matrix
from swgrm.model import Inertial, Limits, Pose, Robot, Tensor
from swgrm.model.grmfile import dumps, loads
from swgrm.precision import FIELDS, GIVEN_FIELDS, LENGTH, QUANTITIES, numbers_of, round_number, rounded, rounded_points
from swgrm.settings import JointSettings, Settings
from swgrm.settings.units import quantity
from swgrm.transforms import quaternion_matrix
from swgrm_addin.pipeline import understand
from swgrm_mocks.samples import sample


@given(any_robots(strange=True))
def test_rounding_is_idempotent_and_what_was_written_comes_back(robot: Robot) -> None:
    once = rounded(robot)
    assert rounded(once) is once
    again = loads(dumps(once))
    assert again.by_id == once.by_id
    assert dumps(again) == dumps(once)


@given(any_robots(strange=True))
def test_given_numbers_stay(robot: Robot) -> None:
    without_minus_zero = re.sub(rb"-0\.0(?=[],}])", b"0.0", dumps(robot))
    assert dumps(rounded(robot, numbers_of(robot))) == without_minus_zero


@given(robots())
def test_the_robot_is_the_same(robot: Robot) -> None:
    assert (comparison := rounded(robot).is_same_as(robot, 1e-9)).is_same, str(comparison)


GIVEN = {"rgba", "params", "updateRate"}  # never computed


def changed(value: Any, change: Any) -> Any:
    """JSON data with every number changed."""
    if isinstance(value, float):
        return change(value)
    if isinstance(value, dict):
        return {key: member if key in GIVEN else changed(member, change) for key, member in value.items()}
    if isinstance(value, list):
        return [changed(member, change) for member in value]
    return value


@given(robots(), st.integers(0, 1 << 32))
def test_noise_disappears(robot: Robot, seed: int) -> None:
    """A robot of short numbers comes back from one with errors in the last digits."""
    random = np.random.default_rng(seed)

    def noisy(value: float) -> float:
        return value * (1 + random.uniform(-4e-16, 4e-16)) + (random.uniform(-1e-16, 1e-16) if abs(value) > 1e-3 else 0)

    short = changed(json.loads(dumps(robot)), lambda value: float(f"{value:.6g}"))
    expected = rounded(loads(json.dumps(short).encode()))
    disturbed = loads(json.dumps(changed(short, noisy)).encode())
    assert dumps(rounded(disturbed)) == dumps(expected)


@given(st.floats(allow_nan=False), st.sampled_from([precision for precision, _ in QUANTITIES.values()]))
def test_a_number_changes_by_half_a_step_at_most(value: float, precision: Any) -> None:
    after = round_number(value, precision)
    if not precision.is_relative:
        assert after == value or abs(after - value) <= 0.500001 * 10.0**-precision.digits + 1e-15 * abs(value)
    else:
        assert after == pytest.approx(value, rel=0.500001 * 10.0 ** (1 - precision.digits), abs=0)
    assert not (after == 0 and math.copysign(1.0, after) < 0)


def test_a_tensor_has_the_decimals_of_its_largest_entry() -> None:
    noisy = Tensor(0.062602405346842, 2.6620052012324e-40, -1.13184074981972e-24, 0.0626, -5.54741590273765e-17, 0.9)
    assert rounded(noisy) == Tensor(0.06260240535, 0.0, 0.0, 0.0626, 0.0, 0.9)
    small = Tensor(6.2602405346842e-13, 1e-30, 0.0, 6.3e-13, 0.0, 9e-13)
    assert rounded(small) == Tensor(6.2602405347e-13, 0.0, 0.0, 6.3e-13, 0.0, 9e-13)


def test_numbers_that_no_engineer_typed() -> None:
    assert rounded(Limits(-0.9999999999999994, 2.8000000000000003)) == Limits(-1.0, 2.8)
    assert repr(rounded(Pose((0.0, -1.2989609388114316e-16, 0.16))).pos) == "(0.0, 0.0, 0.16)"
    assert repr(rounded(Pose((-0.0, 0.0, 0.0))).pos) == "(0.0, 0.0, 0.0)"


def test_points_are_rounded_together() -> None:
    points = np.array([[-3.6739403e-19, 0.1 + 2e-17, -0.0029423558]])
    assert rounded_points(points).tolist() == [[0.0, 0.1, -0.002942356]]
    assert not np.signbit(rounded_points(points)[0, 0])


def test_every_number_of_the_model_has_a_precision() -> None:
    types: list[Any] = [each for each in vars(swgrm.model).values() if isinstance(each, type)]
    structs = [each for each in types if issubclass(each, msgspec.Struct)]
    missing = []
    for struct in structs:
        known = {*FIELDS.get(struct, {}), *(name for kind, name in GIVEN_FIELDS if issubclass(struct, kind))}
        for field in msgspec.structs.fields(struct):
            if has_numbers(field.type) and field.name not in known and struct is not Tensor:
                missing.append(f"{struct.__name__}.{field.name}")
    assert not missing


def has_numbers(annotation: Any) -> bool:
    """Whether a field has numbers of its own, not those of another struct."""
    if annotation in (float, Any):
        return True
    return any(map(has_numbers, typing.get_args(annotation)))


@given(st.integers(-999_999, 999_999))
def test_units_are_converted_in_decimals(thousandths: int) -> None:
    assert quantity(f"{thousandths / 1000!r} mm", "length", ()) == float(f"{thousandths}e-6")
    assert quantity(f"{thousandths / 1000!r} g", "mass", ()) == float(f"{thousandths}e-6")


def test_1_point_1_millimetres() -> None:
    assert quantity("1.1 mm", "length", ()) == 0.0011
    assert quantity("90 deg", "angle", ()) == math.pi / 2


@pytest.mark.parametrize("name", ["arm", "four_bar", "planetary"])
def test_an_inferred_robot_is_rounded(name: str) -> None:
    robot = understand(sample(name)).robot
    assert rounded(robot) is robot
    noisy = [number for number in NUMBER.findall(dumps(robot).decode()) if noise_of(number)]
    assert [number for number in noisy if abs(float(number)) > 1e-13 or float(number) == 0] == []


def test_numbers_of_the_settings_stay() -> None:
    decided = JointSettings(lower=-1.23456789012345678, upper="1.2345678901234567 rad", effort=1 / 3)
    settings = Settings(joints={"shoulder_joint": decided})
    joint = understand(sample("arm"), settings).robot.joints["shoulder_joint"].joint
    assert joint is not None
    assert (joint.limits.lower, joint.limits.upper) == (-1.23456789012345678, 1.2345678901234567)
    assert joint.limits.effort == 1 / 3


@given(st.lists(st.floats(-1, 1), min_size=6, max_size=6))
def test_principal_axes(entries: list[float]) -> None:
    I = tensor_matrix(Inertial(1.0, tensor=Tensor(*entries)))  # noqa: E741 - its usual symbol
    moments, rotation = principal_axes(I)
    R = quaternion_matrix(rotation)
    np.testing.assert_allclose(R @ np.diag(moments) @ R.T, I, atol=1e-14)
    np.testing.assert_allclose(sorted(moments), np.linalg.eigvalsh(I), atol=1e-14)


def test_the_axes_of_a_round_body_are_those_of_its_frame() -> None:
    assert principal_axes(np.diag([2.0, 2.0, 1.0])) == ([2.0, 2.0, 1.0], (0.0, 0.0, 0.0, 1.0))


def test_lengths_are_far_below_those_of_solidworks() -> None:
    assert 10.0**-LENGTH.digits == 1e-10


# As people give them: a number has at most 13 decimals, and is far from the steps of lengths or on one of them.
@given(st.floats(-1, 1).map(lambda number: round(number, 13)), st.sampled_from([0, 1, -1, 3, -7]))
def test_a_given_number_that_passed_through_a_product_is_that_number(number: float, units: int) -> None:
    """A frame that the settings place is composed with the poses of its parents and back."""
    retraced = number
    for _ in range(abs(units)):
        retraced = math.nextafter(retraced, math.copysign(math.inf, units))
    pose = rounded(Pose(pos=(retraced, 0.0, 0.0)), numbers_of([number]))
    assert pose.pos[0] == (number or 0.0)
    far = number + 1e-9
    assert rounded(Pose(pos=(far, 0.0, 0.0)), numbers_of([number])).pos[0] == round(far, 10)
