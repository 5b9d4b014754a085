"""Lowering keeps the dynamics: what every format writes has the robot's own mass matrix, less the masses it added."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.judges.reference import coupling_matrix, dynamics
from tests.robots import Draw

from swgrm.findings import Findings
from swgrm.model import Coupling, Frame, Inertial, Joint, JointType, Link, Pose, Robot, Tensor
from swgrm_exporters.formats import FORMATS
from swgrm_exporters.lowering import lower

SOLID = Inertial(2.0, (0.1, 0.0, 0.2), Tensor(ixx=0.2, iyy=0.3, izz=0.4))


def body(name: str, joint: Joint | None = None, parent: str | None = None, at: Pose | None = None) -> Frame:
    link = Link(name=name, inertial=SOLID)
    return Frame(id=name, parent=parent, joint=joint, transform=at or Pose(), links=(link,))


def test_the_reference_is_the_pendulum_of_the_textbooks() -> None:
    joint = Joint(type=JointType.REVOLUTE, name="j", axis=(0.0, 1.0, 0.0))
    found = dynamics(Robot(name="r", frames=(body("a"), body("b", joint, "a"))), {"j": 0.3})
    assert pytest.approx(np.array([[0.3 + 2.0 * (0.1**2 + 0.2**2)]])) == found.M
    height = -0.1 * np.sin(0.3) + 0.2 * np.cos(0.3)
    slope = -0.1 * np.cos(0.3) - 0.2 * np.sin(0.3)
    assert found.poses["b"][2, :3] @ (0.1, 0.0, 0.2) == pytest.approx(height)
    assert found.g == pytest.approx([2.0 * 9.81 * slope])


def test_a_screw_moves_as_its_chain() -> None:
    screw = Joint(type=JointType.SCREW, name="s", axis=(0.6, 0.0, 0.8), pitch=0.05)
    robot = Robot(name="r", frames=(body("a"), body("b", screw, "a", Pose((0.1, 0.2, 0.3)))))
    lowered = lower(robot, FORMATS["usd"].capabilities, FORMATS["usd"].options().choices, Findings())  # type: ignore[attr-defined]
    one = dynamics(robot, {"s": 0.7})
    other = dynamics(lowered.robot, {"s": 0.7, "s_slide": 0.7 * 0.05 / (2 * np.pi)})
    free, S = coupling_matrix(lowered.robot, other.dofs)
    assert [dof.joint for dof in free] == ["s"]
    assert pytest.approx(one.M, rel=1e-6) == S.T @ other.M @ S  # but for the body of 1e-6 kg between
    assert other.poses["b"] == pytest.approx(one.poses["b"])


def test_rates_of_followers_multiply_along_a_chain() -> None:
    joints = [
        Joint(type=JointType.REVOLUTE, name=f"j{n}", coupling=Coupling(f"j{n - 1}", 2.0) if n else None)
        for n in range(3)
    ]
    frames = [body("a"), *(body(f"b{n}", joint, "a") for n, joint in enumerate(joints))]
    robot = Robot(name="r", frames=tuple(frames))
    _, S = coupling_matrix(robot, dynamics(robot, {}).dofs)
    assert S.ravel().tolist() == [1.0, 2.0, 4.0]


@given(st.sampled_from(["urdf", "mjcf", "sdf", "usd"]), st.integers(1, 8), st.integers(0, 1 << 32))
def test_lowering_keeps_the_mass_matrix(form: str, size: int, seed: int) -> None:
    from tests.judges.law import bare, check_projection

    robot = bare(Draw(seed, physical=True).robot(size))
    options = FORMATS[form].options()
    check_projection(robot, lower(robot, FORMATS[form].capabilities, options.choices, Findings()))  # type: ignore[attr-defined]


def test_a_fixed_joint_with_a_coupling_is_written() -> None:
    from swgrm.kinematics.body_motion import BodyMotion

    moving = Joint(type=JointType.REVOLUTE, name="j", axis=(0.0, 1.0, 0.0))
    fixed = Joint(type=JointType.FIXED, name="k", coupling=Coupling("j"))
    robot = Robot(name="r", frames=(body("a"), body("b", moving, "a"), body("c", fixed, "a")))
    assert BodyMotion(robot).neighbours == {("a", "b")}
