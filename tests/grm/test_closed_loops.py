"""Closed loops: what is found closed is closed, and the mobility is that of the mates."""

from __future__ import annotations

import math

import numpy as np
import pytest
from msgspec.structs import replace
from tests.mechanisms import MECHANISMS, RSSR, SLIDER_CRANK

import swgrm
from swgrm.closed_loops import ClosedLoops, forbidden
from swgrm.model import Joint, JointType, LoopJoint


@pytest.mark.parametrize("name", ["four_bar", "stewart", "gripper", "differential", "arm"])
def test_the_mobility_of_a_robot_is_that_of_its_mates(name: str) -> None:
    found = swgrm.understand(swgrm.read(f"mock:{name}"))
    assert found.inference is not None
    assert ClosedLoops(found.robot).mobility() == found.inference.mobility


@pytest.mark.parametrize("name", MECHANISMS)
def test_closed_configurations_are_closed(name: str) -> None:
    mechanism = MECHANISMS[name]
    loops = ClosedLoops(mechanism.robot)
    samples = loops.samples()
    assert len(samples) == 4
    for poses in samples:
        assert all(np.abs(loops.gap(loop, poses)).max() < 1e-9 for loop in mechanism.robot.loop_joints)
    assert loops.mobility() == mechanism.mobility


def test_the_jacobian_is_the_derivative_of_the_gap() -> None:
    for robot in (RSSR.robot, SLIDER_CRANK.robot):
        loops = ClosedLoops(robot)
        q = loops.closed(loops.start())
        assert q is not None
        J = loops.jacobian(loops.kinematics.poses(q))
        for column in range(loops.size):
            step = np.zeros(loops.size)
            step[column] = 1e-6
            ends = [loops.kinematics.poses(loops.moved(q, sign * step)) for sign in (1, -1)]
            gaps = [np.concatenate([loops.gap(loop, poses) for loop in robot.loop_joints]) for poses in ends]
            assert np.allclose((gaps[0] - gaps[1]) / 2e-6, J[:, column], atol=1e-6)


def test_a_loop_that_cannot_be_closed_has_no_closed_configuration() -> None:
    (loop,) = SLIDER_CRANK.robot.loop_joints
    far = replace(loop, transform=replace(loop.transform, pos=(0.0, 0.0, 9.0)))
    loops = ClosedLoops(replace(SLIDER_CRANK.robot, loop_joints=(far,)))
    assert loops.closed(loops.start()) is None
    assert loops.samples() == []


@pytest.mark.parametrize(("kind", "rows"), {"fixed": 6, "revolute": 5, "prismatic": 5, "screw": 5, "ball": 3}.items())
def test_a_loop_joint_forbids_what_its_type_does_not_allow(kind: str, rows: int) -> None:
    joint = Joint(type=JointType(kind), name="closing", axis=(0.0, 0.6, 0.8), pitch=0.1 if kind == "screw" else 0.0)
    base, tip = SLIDER_CRANK.robot.root.id, SLIDER_CRANK.robot.frames[-1].id
    poses = swgrm.poses(SLIDER_CRANK.robot)
    loop = LoopJoint(parent=base, child=tip, joint=joint, transform=swgrm.Pose.from_matrix(poses[tip]))
    found = forbidden(loop, joint.type, poses)
    assert found.shape == (rows, 6)
    assert np.linalg.matrix_rank(found) == rows
    axis = poses[tip][:3, :3] @ np.array(joint.axis)
    turning = np.concatenate([axis, np.cross(poses[tip][:3, 3], axis)])
    sliding = np.concatenate([np.zeros(3), axis])
    allowed = {
        "revolute": [turning], "prismatic": [sliding], "screw": [turning + 0.1 / (2 * math.pi) * sliding],
    }.get(kind, [])  # fmt: skip
    assert all(np.abs(found @ twist).max() < 1e-12 for twist in allowed)
