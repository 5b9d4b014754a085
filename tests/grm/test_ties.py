"""Choices among numbers that are equal but for rounding are decided by their order."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from swgrm.ties import first_largest, first_smallest, leading_components, principal_axes, ranks_of, steps_of
from swgrm.transforms import (
    axis_angle_matrix,
    matrix_quaternion,
    matrix_quaternions,
    quaternion_matrix,
    rotation_vectors,
)

SEEDS = st.integers(0, 10_000)
DESIGNED = (0.0, 0.5, 0.25, 0.1, 0.125, 0.0125, 0.01235, 1 / 3, 0.00005, 0.12345)


@pytest.mark.parametrize("noise", [-1e-15, 0.0, 1e-15])
def test_the_first_of_equal_numbers_is_chosen(noise: float) -> None:
    assert first_largest([0.1, 0.3 + noise, 0.3 - noise]) == 1
    assert first_smallest([0.3, 0.1 + noise, 0.1 - noise]) == 1
    assert first_largest([-0.2 + noise, -0.2 - noise]) == 0
    assert leading_components(np.array([[0.6 + noise, -0.6 - noise, 0.1], [0.1, 0.2, -0.3]])).tolist() == [0, 2]


@given(st.sampled_from(DESIGNED), st.sampled_from([1e-9, 1e-6, 1e-4, 1 / 96]))
def test_no_designed_number_is_on_the_border_of_two_steps(value: float, step: float) -> None:
    steps = steps_of(np.array([value - 1e-13, value, value + 1e-13]), step)
    assert len(set(steps.tolist())) == 1
    assert steps_of(np.array([value - 2 * step, value + 2 * step]), step).tolist() != [steps[0], steps[0]]


@given(SEEDS, st.floats(-1, 1))
def test_equal_numbers_have_one_rank_wherever_they_are(seed: int, value: float) -> None:
    noise = 1e-5 * np.random.default_rng(seed).uniform(-1, 1, 6)
    values = np.array([value, value + 1, value, value - 0.5, value, value + 1]) + noise
    assert ranks_of(values, 1e-4).tolist() == [1, 2, 1, 0, 1, 2]
    assert ranks_of(np.array([]), 1e-4).tolist() == []


@given(SEEDS, st.sampled_from([(1.0, 2.0, 3.0), (1.0, 1.0, 3.0), (1.0, 3.0, 3.0), (2.0, 2.0, 2.0)]))
def test_principal_axes_are_eigenvectors_and_noise_does_not_turn_them(
    seed: int, moments: tuple[float, float, float]
) -> None:
    chance = np.random.default_rng(seed)
    R = Rotation.random(random_state=chance).as_matrix() if seed % 3 else np.eye(3)[chance.permutation(3)]
    matrix = R @ np.diag(moments) @ R.T
    values, axes = principal_axes(matrix)
    assert np.allclose(axes.T @ axes, np.eye(3), atol=1e-12)
    assert np.allclose(matrix @ axes, axes * values, atol=1e-12)
    noise = chance.normal(size=(3, 3)) * 1e-15
    assert np.allclose(principal_axes(matrix + noise + noise.T)[1], axes, atol=1e-9)


def test_the_axes_of_a_cube_are_those_of_its_coordinates() -> None:
    assert np.array_equal(principal_axes(np.eye(3) + 1e-16 * np.ones((3, 3)))[1].round(12), np.eye(3))


@given(SEEDS)
def test_the_quaternion_of_half_a_turn_has_the_same_sign_whatever_the_noise(seed: int) -> None:
    chance = np.random.default_rng(seed)
    axis = np.eye(3)[seed % 3] if seed % 2 else chance.normal(size=3) * [seed % 5 > 0, 1, 1]
    R = axis_angle_matrix(axis / np.linalg.norm(axis), np.pi)
    first = np.array(matrix_quaternion(R))
    for _ in range(4):
        noisy = np.array(matrix_quaternion(R + chance.normal(size=(3, 3)) * 1e-16))
        assert np.abs(noisy - first).max() < 1e-12
        assert np.abs(quaternion_matrix(noisy) - R).max() < 1e-12


@given(SEEDS)
def test_a_batch_of_quaternions_is_that_of_single_ones(seed: int) -> None:
    chance = np.random.default_rng(seed)
    axes = np.concatenate([np.eye(3), -np.eye(3), chance.normal(size=(6, 3))])
    axes /= np.linalg.norm(axes, axis=1, keepdims=True)
    R = axis_angle_matrix(axes, chance.choice([0.0, 1e-12, 0.5, 3.0, np.pi], size=len(axes)))
    single = np.array([matrix_quaternion(rotation) for rotation in R])
    assert np.allclose(matrix_quaternions(R), single, rtol=0, atol=1e-15)
    assert np.allclose(matrix_quaternions(R.reshape(3, 4, 3, 3)), single.reshape(3, 4, 4), rtol=0, atol=1e-15)


@given(SEEDS, st.floats(0, np.pi))
def test_a_rotation_vector_is_axis_times_angle(seed: int, angle: float) -> None:
    axis = np.random.default_rng(seed).normal(size=3)
    axis /= np.linalg.norm(axis)
    R = axis_angle_matrix(axis, angle)
    for turn in (rotation_vectors(R), rotation_vectors(R[None])[0]):
        difference = turn - angle * axis
        # Half a turn about an axis is half a turn about the opposite one.
        assert min(np.abs(difference).max(), np.abs(turn + angle * axis).max() + (np.pi - angle)) < 1e-7
