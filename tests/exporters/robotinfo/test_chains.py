"""Chains as products of exponentials put the flange where the model's own kinematics puts it."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from tests.lookups import present
from tests.robots import random_positions, robots

from swgrm.errors import ModelError
from swgrm.findings import Findings
from swgrm.kinematics.forward import Kinematics
from swgrm.mass.inertia import combine, moved, tensor_matrix
from swgrm.model import Frame, Inertial, Joint, JointType, Link, Pose, Robot, Tensor
from swgrm.transforms import axis_angle_matrix, homogeneous, inverse, quaternion_matrix
from swgrm_exporters.lowering import Choices, Merge, lower
from swgrm_exporters.robotinfo.chains import ExponentialChain, MovingBodies, find_frame, flange_of
from swgrm_exporters.robotinfo.writer import CAPABILITIES_OF_READERS

seeds = st.integers(0, 1 << 32)


def lowered(robot: Robot) -> Robot:
    return lower(robot, CAPABILITIES_OF_READERS, Choices(merge=Merge.NONE, virtual_inertia=None), Findings()).robot


def exponentials(chain: ExponentialChain, q: dict[str, float]) -> np.ndarray:
    """T_base_flange by the formula, and nothing else."""
    T = np.eye(4)
    for step, axis, frame in zip(chain.P, chain.H, chain.joints, strict=False):
        turns = present(frame.joint).type is JointType.REVOLUTE
        value = q[frame.joint_name]
        T = T @ homogeneous(np.eye(3), step)
        T = T @ (
            homogeneous(axis_angle_matrix(axis, value), np.zeros(3))
            if turns
            else homogeneous(np.eye(3), np.array(axis) * value)
        )
    return T @ homogeneous(quaternion_matrix(chain.flange_rotation), chain.P[-1])


def chains_of(robot: Robot) -> list[ExponentialChain]:
    bodies = MovingBodies(robot)
    return [bodies.chain(robot.root, flange_of(tip)) for tip in bodies.tips]


@given(robots(), seeds)
def test_the_formula_gives_the_pose_that_the_model_gives(robot: Robot, seed: int) -> None:
    robot = lowered(robot)
    kinematics = Kinematics(robot)
    given_q = random_positions(robot, np.random.default_rng(seed))
    q = {name: float(value) for name, value in kinematics.positions(given_q).items()}
    poses = kinematics.poses(given_q)
    for chain in chains_of(robot):
        T_root_flange = inverse(poses[robot.root.id]) @ poses[chain.flange.id]
        np.testing.assert_allclose(exponentials(chain, q), T_root_flange, atol=1e-11)


@given(robots(), seeds)
def test_a_chain_from_any_ancestor_gives_the_relative_pose(robot: Robot, seed: int) -> None:
    robot = lowered(robot)
    kinematics = Kinematics(robot)
    given_q = random_positions(robot, np.random.default_rng(seed))
    q = {name: float(value) for name, value in kinematics.positions(given_q).items()}
    poses, bodies = kinematics.poses(given_q), MovingBodies(robot)
    for tip in bodies.tips:
        path = robot.path(tip.head.id)
        for base in path[:-1]:
            chain = bodies.chain(base, tip.head)
            expected = inverse(poses[base.id]) @ poses[tip.head.id]
            np.testing.assert_allclose(exponentials(chain, q), expected, atol=1e-11)


def uncoupled(robot: Robot) -> Robot:
    """All joints at zero: a coupling's offset would move its joint."""
    free = [replace(f, joint=f.joint and replace(f.joint, coupling=None)) for f in robot.frames]
    return replace(robot, frames=tuple(free))


@given(robots(physical=True))
def test_inertias_are_the_models_about_each_joints_origin_in_the_bases_axes(robot: Robot) -> None:
    robot = uncoupled(lowered(robot))
    poses = Kinematics(robot).poses()
    T_root = inverse(poses[robot.root.id])
    for chain in chains_of(robot):
        for body, inertial, joint in zip(chain.bodies, chain.inertials, [None, *chain.joints], strict=True):
            origin = np.zeros(3) if joint is None else (T_root @ poses[joint.id])[:3, 3]
            shift = homogeneous(np.eye(3), -origin)
            parts = [
                moved(link.inertial, shift @ T_root @ poses[piece.frame.id])
                for piece in body.pieces
                for link in piece.frame.links
                if link.inertial
            ]
            assert (inertial is None) == (not parts)
            if inertial is not None:
                expected = combine(parts)
                assert inertial.mass == pytest.approx(expected.mass, rel=1e-12)
                np.testing.assert_allclose(inertial.origin, expected.origin, atol=1e-11)
                np.testing.assert_allclose(tensor_matrix(inertial), tensor_matrix(expected), atol=1e-10)


@given(robots())
def test_axes_have_length_one_and_every_moving_tip_has_its_chain(robot: Robot) -> None:
    robot = lowered(robot)
    chains = chains_of(robot)
    held = {frame.id for chain in chains for frame in chain.joints}
    assert held == {frame.id for frame in robot.frames if not frame.is_rigid and frame.parent is not None}
    for chain in chains:
        assert len(chain.P) == len(chain.H) + 1 == len(chain.joints) + 1 == len(chain.bodies) == len(chain.inertials)
        np.testing.assert_allclose(np.linalg.norm(chain.H, axis=1), 1.0, atol=1e-12)


def revolute(name: str, parent: str, *links: str, pose: Pose | None = None) -> Frame:
    joint = Joint(type=JointType.REVOLUTE, name=f"{name}_joint")
    return Frame(
        id=name, parent=parent, joint=joint, transform=pose or Pose(), links=tuple(Link(name=n) for n in links)
    )


@pytest.mark.parametrize("name", ["tool0", "flange", "TCP"])
def test_a_frame_named_tool0_flange_or_tcp_on_the_last_body_is_the_flange(name: str) -> None:
    frames = (Frame(id="base"), revolute("arm", "base", "arm_link"), Frame(id="mount", parent="arm"))
    robot = Robot(name="r", frames=(*frames, Frame(id=name, parent="mount", transform=Pose((0.0, 0.0, 0.1)))))
    (tip,) = MovingBodies(robot).tips
    assert flange_of(tip).id == name


def test_pure_frames_are_not_tips_and_the_last_body_is_the_flange() -> None:
    frames = (Frame(id="base"), revolute("arm", "base", "arm_link"), Frame(id="camera", parent="arm"))
    (tip,) = MovingBodies(Robot(name="r", frames=frames)).tips
    assert flange_of(tip).id == "arm"


def test_a_body_is_called_after_its_first_link_else_after_its_frame() -> None:
    robot = Robot(name="r", frames=(Frame(id="base"), revolute("a", "base", "first", "second"), revolute("b", "a")))
    assert [body.name for body in MovingBodies(robot).chain(robot.root, robot.frame("b")).bodies] == [
        "base",
        "first",
        "b",
    ]


def test_a_frame_is_found_by_id_by_name_or_by_its_link() -> None:
    robot = Robot(name="r", frames=(Frame(id="f1", name="Base", links=(Link(name="base_link"),)),))
    assert {find_frame(robot, word).id for word in ("f1", "Base", "base_link")} == {"f1"}
    with pytest.raises(ModelError, match=r"no frame or link `base_lnk`. Did you mean `base_link`"):
        find_frame(robot, "base_lnk")


def test_a_tip_that_is_not_below_the_root_is_refused() -> None:
    robot = Robot(name="r", frames=(Frame(id="base"), revolute("a", "base"), revolute("b", "base")))
    with pytest.raises(ModelError, match="the tip is not below the root"):
        MovingBodies(robot).chain(robot.frame("a"), robot.frame("b"))
    with pytest.raises(ModelError, match="no joint that moves"):
        MovingBodies(robot).chain(robot.root, robot.root)


def test_a_fixed_offset_turns_the_inertia_that_a_naive_conversion_leaves() -> None:
    """urdf_to_robotinfo.py computes this rotation and never applies it."""
    quarter = Pose((0.0, 0.0, 0.0), (0.0, 0.0, 0.5**0.5, 0.5**0.5))
    heavy = Link(name="heavy", inertial=Inertial(2.0, (0.1, 0.0, 0.0), Tensor(ixx=1.0, iyy=2.0, izz=2.5)))
    arm = Frame(id="arm", parent="base", joint=Joint(type=JointType.REVOLUTE), transform=quarter, links=(heavy,))
    robot = Robot(name="r", frames=(Frame(id="base"), arm))
    inertial = MovingBodies(robot).chain(robot.root, arm).inertials[1]
    assert inertial is not None
    np.testing.assert_allclose(inertial.origin, (0.0, 0.1, 0.0), atol=1e-15)
    np.testing.assert_allclose(np.diag(tensor_matrix(inertial)), (2.0, 1.0, 2.5), atol=1e-15)
