"""Walks through closed configurations: each state is closed, inside the ranges, and the walk goes everywhere."""

from __future__ import annotations

import numpy as np
import pytest
from msgspec.structs import replace
from tests.exporters.moveit.machines import parallelogram
from tests.mechanisms import MECHANISMS, four_bar, slider_crank

from swgrm.kinematics.closed_loops import ClosedLoops
from swgrm.kinematics.joint_ranges import joint_spans
from swgrm.kinematics.loop_walks import LoopWalks
from swgrm.model import JointType, Robot


def walked(robot: Robot, count: int = 1000) -> dict[str, np.ndarray]:
    return LoopWalks(robot).states(count, np.random.default_rng(5))


@pytest.mark.parametrize("name", MECHANISMS)
def test_every_state_is_closed_and_in_the_ranges(name: str) -> None:
    robot = MECHANISMS[name].robot
    states = walked(robot, 400)
    loops, spans = ClosedLoops(robot), joint_spans(robot)
    free = {
        each: np.broadcast_to(at, (*states[next(iter(states))].shape[:1], *at.shape))
        for each, at in loops.start().items()
    }
    poses = loops.kinematics.poses({**free, **states})
    assert len(poses.T) > 400
    assert np.abs(loops.gaps(poses)).max() < 1e-7
    assert all(spans[each].contains(at).all() for each, at in states.items() if at.ndim == 1)


def test_a_crank_without_limits_goes_all_the_way_round() -> None:
    robot = four_bar().robot
    free = replace(
        robot,
        frames=tuple(
            replace(f, joint=f.joint and replace(f.joint, limits=type(f.joint.limits)())) for f in robot.frames
        ),
    )
    crank = walked(free, 4000)["crank_joint"]
    assert len(np.unique(np.floor(crank % (2 * np.pi) * 8))) == 51  # eighths of a radian, all of them


def test_even_motion_is_covered_up_to_the_limits() -> None:
    crank = walked(parallelogram(is_closed=True), 4096)["crank_joint"]
    assert len(np.unique(crank.round(6))) > 1000
    assert crank.min() < -0.98
    assert crank.max() > 0.98


def test_limits_of_the_joint_that_closes_a_loop_are_kept() -> None:
    mechanism = slider_crank().robot
    (loop,) = mechanism.loop_joints
    assert loop.joint.type is JointType.PRISMATIC
    narrow = replace(loop, joint=replace(loop.joint, limits=replace(loop.joint.limits, lower=-0.01, upper=0.02)))
    slid = {}
    for name, robot in {"wide": mechanism, "narrow": replace(mechanism, loop_joints=(narrow,))}.items():
        poses = ClosedLoops(robot).kinematics.poses(walked(robot))
        slid[name] = poses["piston"][:, 0, 3] - loop.transform.pos[0]
    assert slid["wide"].max() > 0.05
    assert slid["wide"].min() < -0.04
    assert slid["narrow"].max() <= 0.02 + 1e-6
    assert slid["narrow"].min() >= -0.01 - 1e-6


def test_a_loop_that_is_open_gives_the_assembled_pose() -> None:
    robot = four_bar().robot
    (loop,) = robot.loop_joints
    far = replace(loop, transform=replace(loop.transform, pos=(5.0, 0.0, 0.0)))
    states = walked(replace(robot, loop_joints=(far,)))
    assert {len(at) for at in states.values()} == {1}
