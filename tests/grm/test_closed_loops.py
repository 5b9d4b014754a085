"""Closed loops: what is found closed is closed, and the mobility is that of the mates."""

from __future__ import annotations

import math

import numpy as np
import pytest
from msgspec.structs import replace
from tests.mechanisms import MECHANISMS, RSSR, SLIDER_CRANK

import swgrm
from swgrm.kinematics.closed_loops import ClosedLoops, forbidden, joint_twists
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
        assert np.abs(loops.gaps(poses)).max() < 1e-9
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
            gaps = [loops.gaps(loops.kinematics.poses(loops.moved(q, sign * step))) for sign in (1, -1)]
            assert np.allclose((gaps[0] - gaps[1]) / 2e-6, J[:, column], atol=1e-6)


@pytest.mark.parametrize("name", MECHANISMS)
def test_a_batch_has_the_equations_of_each_configuration(name: str) -> None:
    loops = ClosedLoops(MECHANISMS[name].robot)
    steps = np.random.default_rng(3).normal(size=(5, loops.size))
    steps[0] = 0.0  # a ball joint that does not turn has no axis
    moved = loops.moved(loops.start(), steps)
    batch = loops.kinematics.poses(moved)
    gaps, jacobians = loops.gaps(batch), loops.jacobian(batch)
    for number, step in enumerate(steps):
        alone = loops.moved(loops.start(), step)
        assert all(np.allclose(moved[joint][number], at, rtol=0, atol=1e-14) for joint, at in alone.items())
        poses = loops.kinematics.poses(alone)
        assert np.allclose(gaps[number], loops.gaps(poses), rtol=0, atol=1e-13)
        assert np.allclose(jacobians[number], loops.jacobian(poses), rtol=0, atol=1e-13)


def test_only_the_pitch_of_a_screw_joint_counts() -> None:
    T = swgrm.Pose((0.1, 0.2, 0.3)).matrix
    hinge = Joint(type=JointType.REVOLUTE, axis=(0.0, 0.6, 0.8))
    assert (joint_twists(replace(hinge, pitch=0.5), T) == joint_twists(hinge, T)).all()
    screw = replace(hinge, type=JointType.SCREW, pitch=0.5)
    assert joint_twists(screw, T)[3:, 0] == pytest.approx(
        joint_twists(hinge, T)[3:, 0] + 0.5 / (2 * math.pi) * np.array(hinge.axis)
    )


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
