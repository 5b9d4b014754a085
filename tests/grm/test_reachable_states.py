"""States for sampling: inside the ranges and at their ends, evenly spread, the same for the same seed."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.mechanisms import four_bar
from tests.robots import Draw

import swgrm
from swgrm.kinematics.closed_loops import ClosedLoops
from swgrm.kinematics.forward import Kinematics
from swgrm.kinematics.joint_ranges import joint_span, joint_spans
from swgrm.kinematics.reachable_states import default_state, halton_points, reachable_states
from swgrm.model import Coupling, Frame, Joint, JointType, Limits, Robot

PRIMES = [number for number in range(2, 180) if all(number % divisor for divisor in range(2, number))]


def hinge(name: str, parent: str, *, low: float | None = None, high: float | None = None, follows: str = "") -> Frame:
    joint = Joint(
        type=JointType.REVOLUTE,
        name=name,
        limits=Limits(low, high),
        coupling=Coupling(follows, 2.0) if follows else None,
    )
    return Frame(id=f"{name}_link", parent=parent, joint=joint)


def test_positions_cover_the_range_and_both_ends() -> None:
    robot = Robot(name="one", frames=(Frame(id="base"), hinge("a", "base", low=-1.0, high=3.0), hinge("b", "a_link")))
    states = reachable_states(robot, 1024, 1)
    a, b = (states.positions[name][1:] for name in "ab")
    assert states.size == 1025
    assert (a.min(), a.max()) == (-1.0, 3.0)
    assert 0.03 < (a == -1.0).mean() < 0.07
    assert 0.03 < (a == 3.0).mean() < 0.07
    assert np.abs(b).max() <= np.pi
    counts = np.histogram2d(a[(a > -1) & (a < 3)], b[(a > -1) & (a < 3)], bins=8)[0]
    assert counts.min() > 0.7 * counts.mean(), "a low-discrepancy sequence leaves no cell empty"


def test_the_default_state_is_first_and_in_the_middle_where_zero_is_outside() -> None:
    robot = Robot(
        name="one",
        frames=(Frame(id="base"), hinge("a", "base", low=1.0, high=3.0), hinge("b", "a_link", low=-1, high=1)),
    )
    assert {name: float(at) for name, at in default_state(robot).items()} == {"a": 2.0, "b": 0.0}
    assert [float(reachable_states(robot, 8, 1).positions[name][0]) for name in "ab"] == [2.0, 0.0]


def test_a_follower_keeps_its_own_range() -> None:
    frames = (
        Frame(id="base"),
        hinge("a", "base", low=-1.0, high=1.0),
        hinge("b", "base", low=-1.0, high=1.0, follows="a"),
    )
    states = reachable_states(Robot(name="two", frames=frames), 512, 1)
    assert np.abs(states.positions["a"]).max() <= 0.5 + 1e-6
    assert 200 < states.size < 300
    never = (
        Frame(id="base"),
        hinge("a", "base", low=-1.0, high=1.0),
        hinge("b", "base", low=5.0, high=6.0, follows="a"),
    )
    assert reachable_states(Robot(name="two", frames=never), 512, 1).size == 513, (
        "a range that is never met is not used"
    )


def test_states_depend_on_the_seed_alone() -> None:
    robot = swgrm.understand(swgrm.read("mock:four_bar")).robot
    one, again, other = (reachable_states(robot, 256, seed).positions for seed in (1, 1, 2))
    assert all(np.array_equal(one[name], again[name]) for name in one)
    assert not all(np.array_equal(one[name], other[name]) for name in one)


def test_a_robot_without_joints_has_one_state() -> None:
    states = reachable_states(Robot(name="still", frames=(Frame(id="base"),)), 100, 1)
    assert states.size == 1
    assert Kinematics(Robot(name="still", frames=(Frame(id="base"),))).poses(states.block(0, 1)).T.shape == (1, 4, 4)


def test_loops_are_closed_in_every_state() -> None:
    robot = four_bar().robot
    states = reachable_states(robot, 256, 3)
    loops = ClosedLoops(robot)
    poses = loops.kinematics.poses(states.positions)
    assert np.abs(loops.gaps(poses)).max() < 1e-7


@given(st.integers(0, 10**6), st.integers(1, 6))
def test_random_robots_have_states_in_their_ranges(seed: int, size: int) -> None:
    robot = Draw(seed, relations=True).robot(size)
    if robot.loop_joints:
        return
    states = reachable_states(robot, 32, seed)
    spans = joint_spans(robot)
    assert all(spans[name].contains(at).all() for name, at in states.positions.items() if at.ndim == 1)
    assert np.isfinite(Kinematics(robot).poses(states.positions).T).all()


@pytest.mark.parametrize(
    ("kind", "limits", "span"),
    [
        (JointType.REVOLUTE, Limits(), (-np.pi, np.pi, True)),
        (JointType.PRISMATIC, Limits(), (-0.25, 0.25, False)),
        (JointType.PRISMATIC, Limits(lower=1.0), (1.0, 1.5, False)),
        (JointType.REVOLUTE, Limits(upper=1.0), (1.0 - 2 * np.pi, 1.0, False)),
        (JointType.REVOLUTE, Limits(lower=2.0, upper=1.0), (1.0, 2.0, False)),
    ],
)
def test_a_range_is_assumed_where_there_is_none(
    kind: JointType, limits: Limits, span: tuple[float, float, bool]
) -> None:
    assert joint_span(Joint(type=kind, limits=limits)) == span


@given(st.integers(1, 40), st.sampled_from([2**7, 1000, 2**11]), st.integers(0, 5))
def test_every_beginning_of_the_sequence_is_spread_evenly(dimensions: int, count: int, seed: int) -> None:
    points = halton_points(dimensions, 2**11, seed)[:count]
    assert ((points >= 0) & (points < 1)).all()
    # This many points fill all cells of the leading digits, so that two neighbours are at most two cells apart.
    ends = np.zeros((1, dimensions))
    gaps = np.diff(np.sort(np.vstack([ends, points, ends + 1]), axis=0), axis=0).max(axis=0)
    for gap, base in zip(gaps, PRIMES, strict=False):
        filled_digits = int(np.log(count) / np.log(base))
        assert gap <= 2 / base**filled_digits
