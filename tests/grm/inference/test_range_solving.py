"""Ranges of joints: a linear value by bisection gives the numbers that the grids give."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.lookups import present

from swgrm.inference.geometry.twists import Array
from swgrm.inference.joints.range_solving import JointRange, solve_linear_range, solve_range

angles = st.floats(-2 * math.pi, 2 * math.pi)


@given(low=angles, span=st.floats(0, 7), start=angles, slope=st.floats(0.01, 50), sign=st.sampled_from([-1.0, 1.0]))
def test_bisection_finds_what_the_grids_find(low: float, span: float, start: float, slope: float, sign: float) -> None:
    def value(q: Array) -> Array:
        return start + sign * slope * q

    bounds, reach = (low, low + span), 4 * math.pi / slope
    found = solve_linear_range(bounds, (start, sign * slope), reach, is_assumed=False)
    assert repr(found) == repr(solve_range(bounds, value, reach, is_assumed=False))


@pytest.mark.parametrize(("reach", "ends"), [(10.0, [-1.0, 1.0]), (1.1, [-1.0, 1.0]), (0.5, [None, None])])
def test_a_range_ends_where_its_value_is_at_a_bound(reach: float, ends: list[float | None]) -> None:
    found = present(solve_linear_range((-1.0, 3.0), (1.0, 2.0), reach, is_assumed=True))
    assert [found.lower, found.upper] == pytest.approx(ends)
    assert found.is_assumed


def test_a_value_that_does_not_change_or_is_out_of_bounds_gives_no_range() -> None:
    assert solve_linear_range((0.0, 1.0), (0.5, 0.0), 10.0, is_assumed=False) is None
    assert solve_linear_range(None, (0.5, 1.0), 10.0, is_assumed=False) is None
    assert solve_linear_range((0.0, 1.0), (2.0, 1.0), 10.0, is_assumed=False) == JointRange(None, None, is_outside=True)
