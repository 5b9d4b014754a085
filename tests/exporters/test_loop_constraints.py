"""Loops and couplings as physics engines have them: enough equations, halved bodies, the faster joint first."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from tests.mechanisms import BENNETT, DELTA, FOUR_BAR, MECHANISMS, RSSR, RSSR_BEARING, SLIDER_CRANK

import swgrm
from swgrm import Coupling, JointType, Relation, Robot, subtree_inertial
from swgrm.errors import ModelError
from swgrm.findings import Findings
from swgrm.kinematics.closed_loops import ClosedLoops
from swgrm.model import Actuator, Inertial, Mount, NamedPose, Tensor
from swgrm_exporters.couplings import oriented, oriented_relation
from swgrm_exporters.loop_constraints import loop_constraints, one_point_loops
from swgrm_exporters.lowering import Capabilities, Choices, Lowered, lower

POINTS = Capabilities(loop_joints=frozenset({JointType.FIXED, JointType.REVOLUTE, JointType.BALL}))
BODIES = POINTS._replace(moving_frames_are_bodies=True, tensor_axes=False, strict_tensors=True, tensors_optional=False)


def lowered(robot: Robot, capabilities: Capabilities = POINTS) -> Lowered:
    return lower(robot, capabilities, Choices(), Findings())


def test_one_point_closes_a_planar_loop_and_two_a_spatial_one() -> None:
    assert one_point_loops(FOUR_BAR.robot) == {0}
    assert one_point_loops(RSSR_BEARING.robot) == set()
    mechanisms = (FOUR_BAR, BENNETT, RSSR, RSSR_BEARING, DELTA)
    assert [len(loop_constraints(each.robot)) for each in mechanisms] == [1, 1, 1, 2, 5]


@pytest.mark.parametrize("name", MECHANISMS)
def test_constraints_hold_where_the_loop_is_closed_and_leave_its_mobility(name: str) -> None:
    robot = lowered(MECHANISMS[name].robot).robot
    constraints = loop_constraints(robot)
    assert all(each.is_closed for each in constraints)
    loops = ClosedLoops(robot)
    assert loops.mobility() == MECHANISMS[name].mobility
    for poses in loops.samples():
        for each in constraints:
            a, b = poses[each.parent] @ each.parent_pose.matrix, poses[each.child] @ each.child_pose.matrix
            assert np.allclose(a, b, atol=1e-8) if each.is_weld else np.allclose(a[:3, 3], b[:3, 3], atol=1e-8)


@pytest.mark.parametrize("swapped", [False, True])
def test_a_prismatic_loop_halves_its_moving_body(swapped: bool) -> None:
    robot = SLIDER_CRANK.robot
    if swapped:
        (loop,) = robot.loop_joints
        other = replace(loop, parent="piston", child="base", transform=swgrm.Pose((-loop.transform.pos[0], 0.0, 0.0)))
        robot = replace(robot, loop_joints=(other,))
    state = lowered(robot)
    (weld,) = state.robot.loop_joints
    assert weld.joint.type is JointType.FIXED
    assert state.halves == {"slide_half": "piston"}
    assert state.robot.joints["slide"].parent == "base"
    whole, halves = subtree_inertial(robot), subtree_inertial(state.robot)
    assert halves.mass == pytest.approx(whole.mass)
    assert halves.origin == pytest.approx(whole.origin)
    assert np.allclose(swgrm.poses(state.robot)["slide_half"] @ weld.transform.matrix, swgrm.poses(robot)["piston"])
    assert ClosedLoops(state.robot).mobility() == 1


def test_a_loop_joint_that_another_follows_is_in_the_tree() -> None:
    (loop,) = FOUR_BAR.robot.loop_joints
    geared = replace(loop, joint=replace(loop.joint, coupling=Coupling("crank_joint", -1.0)))
    state = lowered(replace(FOUR_BAR.robot, loop_joints=(geared,)))
    assert state.robot.joints["pin"].joint == replace(geared.joint, name="pin")
    everything = lower(replace(FOUR_BAR.robot, loop_joints=(geared,)), Capabilities(), Choices(), Findings())
    assert everything.robot.loop_joints == (geared,)


def test_a_prismatic_loop_has_no_points() -> None:
    with pytest.raises(ModelError, match="lowering must split"):
        loop_constraints(SLIDER_CRANK.robot)


@given(st.floats(-50, 50).filter(lambda r: abs(r) > 1e-3), st.floats(-2, 2), st.floats(-3, 3))
def test_an_oriented_coupling_holds_where_the_coupling_does(ratio: float, offset: float, leader: float) -> None:
    found = oriented("follower", Coupling("leader", ratio, offset))
    at = {"leader": leader, "follower": ratio * leader + offset}
    assert abs(found.ratio) >= 1
    assert found.ratio * at[found.slow] + found.offset == pytest.approx(at[found.fast], abs=1e-6 / min(1, abs(ratio)))


def test_a_relation_of_one_joint_is_a_position() -> None:
    assert oriented_relation(Relation({"a": 2.0}, 1.0)) == ("a", "", 0.0, 0.5)
    assert oriented("a", Coupling("b", 0.0, 0.3)) == ("a", "", 0.0, 0.3)


def test_bodies_have_the_names_of_links_a_mass_and_a_tensor_along_their_axes() -> None:
    robot = swgrm.understand(swgrm.read("mock:arm")).robot
    state = lowered(robot, BODIES)
    moving = [frame for frame in state.robot.frames if not frame.is_rigid]
    assert {"shoulder", "flange"} <= {frame.id for frame in moving}
    assert all(link.inertial and link.inertial.axes == (0, 0, 0, 1) for f in moving for link in f.links)
    assert "tool0" in state.robot.by_id  # a rigid frame stays, without a link
    assert not state.robot.frame("tool0").links
    bare = replace(robot, frames=tuple(replace(frame, links=()) for frame in robot.frames))
    light = lowered(bare, BODIES)
    assert all(frame.links[0].inertial for frame in light.robot.frames if not frame.is_rigid)


def test_a_tensor_that_misses_the_inequality_by_rounding_is_nudged() -> None:
    def tensor_of(*moments: float) -> Tensor | None:
        a, b, c = moments
        frame = FOUR_BAR.robot.frames[1]
        link = replace(frame.links[0], inertial=Inertial(1.0, (0, 0, 0), Tensor(ixx=a, iyy=b, izz=c)))
        frames = tuple(replace(f, links=(link,)) if f.id == frame.id else f for f in FOUR_BAR.robot.frames)
        inertial = lowered(replace(FOUR_BAR.robot, frames=frames), BODIES).robot.frames[1].links[0].inertial
        return inertial.tensor if inertial else None

    nudged = tensor_of(1.0, 1.0, 2.0000001)
    assert nudged is not None
    assert nudged.ixx + nudged.iyy > nudged.izz
    assert nudged.ixx == pytest.approx(1.0, rel=1e-6)
    assert tensor_of(1.0, 1.0, 2.1) == Tensor(ixx=1.0, iyy=1.0, izz=2.1)


def test_data_for_simulators_is_reported_where_a_format_has_no_place_for_it() -> None:
    robot = replace(
        FOUR_BAR.robot,
        mount=Mount.FLOATING,
        poses=(NamedPose("home", {"crank_joint": 0.1}),),
        actuators=(Actuator(joint="crank_joint"),),
        ignored_contacts=(("crank", "rocker"),),
    )
    robot = swgrm.set_dynamics(robot, "crank_joint", armature=0.01)
    findings = Findings()
    less = lower(robot, Capabilities(simulation=frozenset()), Choices(), findings).robot
    assert less.is_same_as(swgrm.set_dynamics(FOUR_BAR.robot, "crank_joint")).is_same
    (finding,) = findings
    assert "the base floats, named poses, actuators, contacts to leave out, armatures" in finding.message
    assert lower(robot, Capabilities(), Choices(), findings).robot is robot
