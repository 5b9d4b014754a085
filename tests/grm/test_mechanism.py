"""The mechanism of a robot: computed once, shared by robots that move alike, and never out of date."""

from __future__ import annotations

import copy
import gc
import pickle
import weakref

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from tests.mechanisms import MECHANISMS
from tests.robots import Draw

import swgrm
from swgrm.errors import ModelError
from swgrm.kinematics.bodies import carriers, poses_in_carriers
from swgrm.kinematics.forward import Kinematics
from swgrm.kinematics.mechanism import LATEST
from swgrm.model import (
    Coupling,
    Dynamics,
    Frame,
    Inertial,
    Joint,
    JointType,
    Limits,
    Link,
    LoopJoint,
    Mount,
    Pose,
    Relation,
    Robot,
    Sphere,
)

HINGE = Joint(type=JointType.REVOLUTE, name="hinge", axis=(0.0, 1.0, 0.0))
ARM = Robot(
    name="arm",
    frames=(
        Frame(id="base", links=(Link(name="base"),)),
        Frame(id="plate", parent="base", transform=Pose((0.0, 0.0, 0.5))),
        Frame(id="moving", parent="plate", transform=Pose((1.0, 0.0, 0.0)), joint=HINGE, links=(Link(name="moving"),)),
        Frame(id="tool", parent="moving", transform=Pose((0.25, 0.0, 0.0))),
        Frame(id="tip", parent="tool", transform=Pose((0.0, 0.125, 0.0))),
    ),
)


def with_frame(robot: Robot, frame_id: str, **changes: object) -> Robot:
    frames = (replace(frame, **changes) if frame.id == frame_id else frame for frame in robot.frames)
    return replace(robot, frames=tuple(frames))


def test_it_is_computed_once() -> None:
    mechanism = ARM.mechanism
    assert mechanism is ARM.mechanism
    for name in ("bodies", "kinematics", "assembled", "zero_poses", "ranges", "loops", "motion"):
        assert getattr(mechanism, name) is getattr(mechanism, name)
    assert mechanism.loops.kinematics is mechanism.motion.kinematics is mechanism.kinematics


SAME_MOTION = {
    "shapes": with_frame(ARM, "moving", links=(Link(name="other", visuals=(Sphere(radius=1.0),)),)),
    "masses": with_frame(ARM, "moving", links=(Link(name="moving", inertial=Inertial(2.0)),)),
    "dynamics": with_frame(ARM, "moving", joint=replace(HINGE, dynamics=Dynamics(armature=1.0))),
    "names of frames": with_frame(ARM, "tool", name="another"),
    "mount": replace(ARM, mount=Mount.FLOATING),
}
OTHER_MOTION = {
    "name, which messages have": replace(ARM, name="other"),
    "transform": with_frame(ARM, "tool", transform=Pose((0.5, 0.0, 0.0))),
    "sign of zero": with_frame(ARM, "tool", transform=Pose((0.25, -0.0, 0.0))),
    "type": with_frame(ARM, "moving", joint=replace(HINGE, type=JointType.PRISMATIC)),
    "name of a joint": with_frame(ARM, "moving", joint=replace(HINGE, name="other")),
    "axis": with_frame(ARM, "moving", joint=replace(HINGE, axis=(0.0, 0.0, 1.0))),
    "pitch": with_frame(ARM, "moving", joint=replace(HINGE, type=JointType.SCREW, pitch=0.1)),
    "limits": with_frame(ARM, "moving", joint=replace(HINGE, limits=Limits(-1.0, 1.0))),
    "coupling": with_frame(ARM, "moving", joint=replace(HINGE, coupling=Coupling("absent"))),
    "rigid": with_frame(ARM, "moving", joint=None),
    "parent": with_frame(ARM, "tip", parent="moving"),
    "no links": with_frame(ARM, "moving", links=()),
    "loops": replace(ARM, loop_joints=(LoopJoint(parent="base", child="tip", joint=HINGE),)),
    "relations": replace(ARM, relations=(Relation({"hinge": 1.0}, 0.5),)),
    "order": replace(ARM, frames=(*ARM.frames[:3], ARM.frames[4], ARM.frames[3])),
}


@pytest.mark.parametrize("change", SAME_MOTION)
def test_robots_that_move_alike_share_it(change: str) -> None:
    assert SAME_MOTION[change] != ARM
    assert SAME_MOTION[change].mechanism is ARM.mechanism


@pytest.mark.parametrize("change", OTHER_MOTION)
def test_a_robot_that_was_changed_never_has_the_old_one(change: str) -> None:
    assert OTHER_MOTION[change].mechanism is not ARM.mechanism


def test_it_has_nothing_that_is_not_shared() -> None:
    full = with_frame(SAME_MOTION["masses"], "base", props={"a": "b"}, name="Base")
    bare = full.mechanism.robot
    assert [link.inertial for _, link in bare.links()] == [None, None]
    assert {frame.name for frame in bare.frames} == {""}
    assert bare.mechanism is full.mechanism


def test_values_and_files_do_not_see_it() -> None:
    robot = replace(ARM, name="unseen")
    before = msgspec.msgpack.encode(robot), pickle.dumps(robot), repr(robot)
    assert robot.mechanism.kinematics is not None
    assert (msgspec.msgpack.encode(robot), pickle.dumps(robot), repr(robot)) == before
    assert robot == replace(ARM, name="unseen")
    unpickled = pickle.loads(pickle.dumps(robot))  # noqa: S301 - it was pickled here
    for twin in (copy.copy(robot), copy.deepcopy(robot), unpickled, replace(robot)):
        assert vars(twin) == {}
        assert twin.mechanism is robot.mechanism


def test_it_is_kept_as_long_as_a_robot_that_has_it_or_while_it_is_among_the_latest() -> None:
    robot = replace(ARM, name="short-lived")
    mechanism = weakref.ref(robot.mechanism)
    twin = replace(robot, mount=Mount.FLOATING)
    assert twin.mechanism is robot.mechanism
    assert robot.mechanism.loops is not None
    del robot
    later = [replace(ARM, name=f"later {number}").mechanism for number in range(LATEST)]
    gc.collect()
    assert mechanism() is not None, "the twin has it"
    del twin
    gc.collect()
    assert mechanism() is None
    latest = [weakref.ref(kept) for kept in later]
    del later
    gc.collect()
    assert all(kept() is not None for kept in latest)


@pytest.mark.parametrize("number", [np.float64(0.25), np.float32(0.25), 10**30], ids=["float64", "float32", "10**30"])
def test_a_robot_with_numbers_that_no_file_has_moves_too(number: float) -> None:
    robot = with_frame(ARM, "tool", transform=Pose((number, 0.0, 0.0)))
    assert swgrm.poses(robot)["tool"][0, 3] == 1.0 + float(number)
    assert robot.mechanism.motion.in_body("tool")[0, 3] == float(number)


def test_an_error_is_raised_each_time_it_is_asked_for() -> None:
    wrong = with_frame(ARM, "moving", joint=replace(HINGE, axis=(0.0, 0.0, 0.0)))
    for _ in range(2):
        with pytest.raises(ModelError, match="has no direction"):
            _ = wrong.mechanism.kinematics
    assert wrong.mechanism.bodies.names == ("base", "moving"), "bodies need no axes"


def test_shared_poses_cannot_be_changed() -> None:
    with pytest.raises(ValueError, match="read-only"):
        ARM.mechanism.assembled["tool"][0, 3] = 5.0


def test_bodies() -> None:
    bodies = ARM.mechanism.bodies
    assert bodies.names == ("base", "moving")
    assert bodies.base == "base"
    assert [bodies.frames(body) for body in bodies.names] == [("base", "plate"), ("moving", "tool", "tip")]
    assert [bodies.above(body) for body in bodies.names] == [None, "base"]
    assert [bodies.carried_by(body) for body in bodies.names] == [("moving",), ()]
    assert bodies.pose_in_body("tip") == Pose((0.25, 0.125, 0.0))
    every = carriers(ARM, lambda frame: bool(frame.links) or frame.id == "tool")
    assert every == {"base": "base", "plate": "base", "moving": "moving", "tool": "tool", "tip": "tool"}
    assert poses_in_carriers(ARM, every)["tip"] == Pose((0.0, 0.125, 0.0))


@given(st.integers(0, 10**6), st.integers(1, 12))
def test_a_frame_keeps_its_pose_in_its_body(seed: int, size: int) -> None:
    robot = Draw(seed).robot(size)
    bodies, kinematics = robot.mechanism.bodies, Kinematics(robot)
    random = np.random.default_rng(seed)
    scalars = [name for name in kinematics.independent if robot.joints[name].joint.type is not JointType.BALL]  # type: ignore[union-attr] # they move
    poses = kinematics.poses({name: random.uniform(-1, 1) for name in scalars})
    for frame in robot.frames:
        T = poses[bodies.body_of[frame.id]] @ bodies.pose_in_body(frame.id).matrix
        assert np.allclose(T, poses[frame.id], atol=1e-9)
        assert frame.id in bodies.frames(bodies.body_of[frame.id])


@pytest.mark.parametrize("name", MECHANISMS)
def test_zero_poses_are_those_without_couplings_and_relations(name: str) -> None:
    robot = MECHANISMS[name].robot
    free = []
    for frame in robot.frames:
        joint = None if frame.joint is None else replace(frame.joint, coupling=None)
        free.append(replace(frame, joint=joint))
    poses = Kinematics(replace(robot, frames=tuple(free), relations=())).poses()
    for frame_id, pose in robot.mechanism.zero_poses.items():
        assert np.allclose(pose.matrix, poses[frame_id], atol=1e-12)
