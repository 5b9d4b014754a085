"""Whether two convex bodies have a point in common: the answers agree with SciPy's linear programs."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.lookups import present

from swgrm.meshes import common_point
from swgrm.meshes.common_point import INSIDE, ball_fits, have_common_point
from swgrm.meshes.convex import polytope
from swgrm.meshes.polytopes import Polytope
from swgrm.transforms import Array, homogeneous


def body(chance: np.random.Generator, spread: float) -> Polytope:
    points = chance.normal(size=(chance.integers(5, 30), 3)) * chance.uniform(0.01, 0.5, 3)
    return present(polytope(points + chance.normal(size=3) * spread))


def faces(one: Polytope, other: Polytope) -> tuple[Array, Array]:
    return np.concatenate([one.normals, other.normals]), np.concatenate([one.offsets, other.offsets])


@given(st.integers(0, 100_000), st.sampled_from([0.0, 0.2, 0.4, 0.8]))
def test_every_answer_is_that_of_the_linear_program(seed: int, spread: float) -> None:
    chance = np.random.default_rng(seed)
    one, other = body(chance, 0.0), body(chance, spread)
    planes, room = faces(one, other)
    found = ball_fits(planes, room, float(np.linalg.norm(one.vertices, axis=1).max()))
    assert found is common_point._solved(planes, room)
    assert have_common_point(one, other) is found


def cube(half: float, x: float = 0.0) -> Polytope:
    corners = np.array(np.meshgrid(*([-half, half],) * 3)).reshape(3, -1).T
    return present(polytope(corners + np.array([x, 0, 0])))


def test_bodies_that_touch_along_an_edge_have_no_common_point() -> None:
    half = 0.5**0.5
    quarter = homogeneous(np.array([[half, -half, 0], [half, half, 0], [0, 0, 1]]), np.array([0.1 + 0.2 * half, 0, 0]))
    assert not have_common_point(cube(0.1), cube(0.1).moved(quarter))


@pytest.mark.parametrize(("share", "fits"), [(1.2, True), (0.8, False)])
def test_what_is_too_near_to_the_threshold_is_left_to_scipy(share: float, fits: bool) -> None:
    planes, room = faces(cube(0.1), cube(0.1, x=0.2 - 2 * share * INSIDE))
    assert ball_fits(planes, room, 0.3) is None
    assert have_common_point(cube(0.1), cube(0.1, x=0.2 - 2 * share * INSIDE)) is fits
