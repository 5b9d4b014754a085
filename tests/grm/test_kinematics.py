from __future__ import annotations

import math
import sys
from collections.abc import Mapping
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.robots import any_robots, random_positions, unit_vectors

from swgrm import Coupling, Frame, Joint, JointType, Kinematics, Pose, Robot, poses
from swgrm.errors import ModelError
from swgrm.kinematics.forward import resolved
from swgrm.model import Relation
from swgrm.transforms import axis_angle_matrix, homogeneous, quaternion_matrix
from swgrm_mocks.example import example_arm

seeds = st.integers(0, 2**32 - 1)


def one_joint(joint: Joint) -> Robot:
    child = Frame(id="b", parent="a", transform=Pose((0.1, 0.2, 0.3), (0.5, 0.5, 0.5, 0.5)), joint=joint)
    return Robot(name="r", frames=(Frame(id="a"), child))


@given(unit_vectors(), st.floats(-10, 10), st.floats(-1, 1))
def test_scalar_joints_have_their_closed_forms(axis: tuple[float, float, float], q: float, pitch: float) -> None:
    turn, none = homogeneous(axis_angle_matrix(axis, q), np.zeros(3)), np.eye(3)
    expected = {
        JointType.REVOLUTE: turn,
        JointType.PRISMATIC: homogeneous(none, q * np.array(axis)),
        JointType.SCREW: turn @ homogeneous(none, pitch * q / math.tau * np.array(axis)),
    }
    for kind, motion in expected.items():
        robot = one_joint(Joint(type=kind, axis=axis, pitch=pitch if kind is JointType.SCREW else 0.0))
        T = poses(robot, {"b": q})["b"]
        assert np.allclose(T, robot.frame("b").transform.matrix @ motion, atol=1e-12, rtol=0)


@given(unit_vectors(4))
def test_a_ball_turns_by_its_quaternion(q: tuple[float, float, float, float]) -> None:
    robot = one_joint(Joint(type=JointType.BALL))
    T = poses(robot, {"b": q})["b"]
    assert np.allclose(T[:3, :3], robot.frame("b").transform.matrix[:3, :3] @ quaternion_matrix(q), atol=1e-12)
    assert np.allclose(T[:3, 3], (0.1, 0.2, 0.3), atol=0)


def test_one_turn_of_a_screw_is_its_pitch() -> None:
    robot = Robot(
        name="r", frames=(Frame(id="a"), Frame(id="b", parent="a", joint=Joint(type=JointType.SCREW, pitch=0.005)))
    )
    assert np.allclose(poses(robot, {"b": math.tau})["b"], homogeneous(np.eye(3), (0, 0, 0.005)), atol=1e-15)


@given(any_robots(), seeds)
def test_the_poses_of_some_frames_are_those_of_all_to_the_last_bit(robot: Robot, seed: int) -> None:
    rng = np.random.default_rng(seed)
    some = [frame.id for frame in robot.frames if rng.random() < 0.3]
    kinematics, q = Kinematics(robot), random_positions(robot, rng, (5,))
    every, few = kinematics.poses(q), kinematics.poses(q, some)
    assert {*some} <= few.ids.keys() <= every.ids.keys()
    for name in few.ids:
        assert np.array_equal(few[name], every[name])
    carriers = {frame.parent for frame in robot.frames if frame.id in few.ids} - {None}
    assert carriers <= few.ids.keys()
    assert few.ids.keys() - carriers <= {*some}


@given(st.tuples(*[st.floats(-1e3, 1e3)] * 4).filter(any))
def test_a_single_quaternion_has_the_matrix_of_a_batch(q: tuple[float, ...]) -> None:
    with np.errstate(all="ignore"):
        assert np.array_equal(quaternion_matrix(q), quaternion_matrix([q, q])[1], equal_nan=True)


@given(any_robots(), seeds)
def test_a_batch_is_its_configurations_one_by_one(robot: Robot, seed: int) -> None:
    kinematics = Kinematics(robot)
    batch = random_positions(robot, np.random.default_rng(seed), (3, 2))
    T = kinematics.poses(batch).T
    if not batch:
        assert T.shape == (len(robot.frames), 4, 4)
        return
    for index in np.ndindex(3, 2):
        single = kinematics.poses({name: value[index] for name, value in batch.items()}).T
        assert np.array_equal(T[index], single)


@given(any_robots(), seeds)
def test_every_pose_is_its_parent_s_times_its_own_motion(robot: Robot, seed: int) -> None:
    positions = random_positions(robot, np.random.default_rng(seed))
    all_poses, values = poses(robot, positions), Kinematics(robot).positions(positions)
    for frame in robot.frames:
        above = all_poses[frame.parent] if frame.parent is not None else np.eye(4)
        alone = Robot(
            name="alone",
            frames=(
                Frame(id="top"),
                Frame(id="it", parent="top", transform=frame.transform, joint=_uncoupled(frame.joint)),
            ),
        )
        q = positions.get(frame.joint_name, values.get(frame.joint_name)) if not frame.is_rigid else None
        T = poses(alone, {} if q is None else {"it": q})["it"]
        assert np.allclose(all_poses[frame.id], above @ T, atol=1e-12)


def _uncoupled(joint: Joint | None) -> Joint | None:
    from msgspec.structs import replace

    return joint and replace(joint, coupling=None, name="")


def test_couplings_follow_through_several_joints() -> None:
    def frame(name: str, parent: str | None, follows: Coupling | None = None) -> Frame:
        joint = Joint(type=JointType.PRISMATIC, axis=(1.0, 0.0, 0.0), coupling=follows) if parent else None
        return Frame(id=name, parent=parent, joint=joint)

    robot = Robot(
        name="r",
        frames=(
            frame("o", None),
            frame("c", "o", Coupling("b", 2.0, 1.0)),
            frame("b", "o", Coupling("a", -1.0)),
            frame("a", "o"),
        ),
    )
    kinematics = Kinematics(robot)
    assert kinematics.independent == ("a",)
    assert kinematics.poses({"a": 3.0})["c"][0, 3] == -5.0


def sliders(*relations: Relation, **couplings: Coupling) -> Robot:
    """Four joints a, b, c, d, one on the other, along x."""
    names = ("o", "a", "b", "c", "d")
    frames = [Frame(id="o")]
    for parent, name in pairwise(names):
        joint = Joint(type=JointType.PRISMATIC, axis=(1.0, 0.0, 0.0), coupling=couplings.get(name))
        frames.append(Frame(id=name, parent=parent, joint=joint))
    return Robot(name="r", frames=tuple(frames), relations=relations)


def holds(relation: Relation, q: Mapping[str, np.ndarray]) -> bool:
    parts = [factor * q[name] for name, factor in relation.terms.items()]
    return bool(np.all(np.abs(sum(parts) - relation.offset) <= 1e-9 * (1 + sum(np.abs(part) for part in parts))))


coefficients = st.floats(0.1, 3) | st.floats(-3, -0.1)
relations = st.builds(
    Relation, st.dictionaries(st.sampled_from("abcd"), coefficients, min_size=2, max_size=4), st.floats(-1, 1)
)


@given(st.lists(relations, min_size=1, max_size=2), st.data())
def test_relations_hold_whichever_positions_are_given(some: list[Relation], data: st.DataObject) -> None:
    couplings = {"b": Coupling("a", 2.0, 0.3)} if data.draw(st.booleans()) else {}
    robot = sliders(*some, **couplings)
    free = list(Kinematics(robot).independent)
    given_q = {name: np.array(data.draw(st.lists(st.floats(-2, 2), min_size=3, max_size=3))) for name in free}
    q = Kinematics(robot).positions(given_q)
    assert all(holds(relation, q) for relation in some)
    assert all(np.array_equal(q[name], given_q[name]) for name in free)
    assert np.allclose(poses(robot, given_q)["d"][..., 0, 3], sum(q.values()))
    follow = Coupling("a", 2.0, 0.3) if couplings else None
    assert follow is None or np.array_equal(q["b"], 2.0 * q["a"] + 0.3)


@given(relations.filter(lambda r: len(r.terms) > 2), st.data())
def test_all_joints_of_a_relation_but_one_can_be_given(relation: Relation, data: st.DataObject) -> None:
    robot = sliders(relation)
    names = data.draw(st.permutations(sorted(relation.terms)))
    given_q = {name: data.draw(st.floats(-2, 2)) for name in names[1:]}
    q = resolved(robot, given_q)
    assert holds(relation, q)
    assert all(q[name] == value for name, value in given_q.items())


@given(coefficients, st.floats(-1, 1), st.floats(-2, 2), st.floats(0.1, 3))
def test_a_relation_of_two_joints_is_a_coupling(ratio: float, offset: float, q: float, scale: float) -> None:
    related = sliders(Relation({"c": scale, "a": -ratio * scale}, offset * scale))
    coupled = sliders(c=Coupling("a", ratio, offset))
    assert np.allclose(poses(related, {"a": q}).T, poses(coupled, {"a": q}).T, atol=1e-12)
    assert Kinematics(related).independent == Kinematics(coupled).independent == ("a", "b", "d")


def test_the_joint_that_a_relation_names_first_and_that_is_not_given_follows() -> None:
    robot = sliders(Relation({"a": 1.0, "b": 1.0, "c": -1.0}))
    assert resolved(robot) == {"a": 0.0, "b": 0.0, "c": 0.0, "d": 0.0}
    assert resolved(robot, {"a": 1.0})["b"] == -1.0
    assert resolved(robot, {"c": 1.0}) == {"a": 1.0, "b": 0.0, "c": 1.0, "d": 0.0}
    assert resolved(robot, {"b": 3.0, "c": 1.0})["a"] == -2.0


def test_positions_that_contradict_a_relation_are_refused_with_the_joint() -> None:
    robot = sliders(Relation({"a": 1.0, "b": 1.0, "c": -1.0}))
    assert resolved(robot, {"a": 0.1, "b": 0.2, "c": 0.1 + 0.2})["c"] == 0.1 + 0.2
    message = r"position of joint `a` contradicts a relation: 1 · `a` \+ 1 · `b` − 1 · `c` = 0"
    with pytest.raises(ModelError, match=message):
        poses(robot, {"a": 0.1, "b": 0.2, "c": 0.4})
    with pytest.raises(ModelError, match="joint `a` contradicts"):
        poses(robot, {"a": [0.1, 0.1], "b": 0.2, "c": [0.3, 0.4]})
    with pytest.raises(ModelError, match="contradict each other"):
        poses(sliders(Relation({"a": 1.0}), Relation({"a": 2.0}, 1.0)))
    with pytest.raises(ModelError, match="relation has the joint `x`"):
        poses(sliders(Relation({"x": 1.0})))


@pytest.mark.parametrize(
    ("positions", "message"),
    [
        ({"colum_joint": 1.0}, "no moving joint `colum_joint`. Did you mean `column_joint`?"),
        ({"forearm_joint": 1.0}, "follows `column_joint`: set that one"),
        ({"wrist_joint": 1.0}, "is a ball"),
        ({"tool0_joint": 1.0}, "no moving joint `tool0_joint`"),
    ],
)
def test_impossible_positions_are_errors(positions: dict[str, float], message: str) -> None:
    with pytest.raises(ModelError, match=message):
        poses(example_arm(), positions)


def test_impossible_couplings_and_axes_are_errors() -> None:
    def robot(*joints: Joint) -> Robot:
        return Robot(name="r", frames=(Frame(id="o"), *(Frame(id=j.name, parent="o", joint=j) for j in joints)))

    slide = JointType.PRISMATIC
    a, b = Joint(type=slide, name="a", coupling=Coupling("b")), Joint(type=slide, name="b", coupling=Coupling("a"))
    with pytest.raises(ModelError, match="`a` follows itself, through a → b → a"):
        poses(robot(a, b))
    with pytest.raises(ModelError, match="cannot follow `b`"):
        poses(robot(a))
    with pytest.raises(ModelError, match="cannot follow `b`"):
        poses(robot(a, Joint(type=JointType.BALL, name="b")))
    with pytest.raises(ModelError, match="has no direction"):
        poses(robot(Joint(type=slide, name="a", axis=(0.0, 0.0, 0.0))))


@pytest.mark.skipif(sys.platform != "linux", reason="pinocchio is a test dependency on Linux only")
@given(any_robots(most=10), seeds)
def test_pinocchio_computes_the_same_poses(robot: Robot, seed: int) -> None:
    import pinocchio as pin

    model = pin.Model()
    values = Kinematics(robot)
    positions = random_positions(robot, np.random.default_rng(seed))
    scalars = values.positions(positions)
    q: list[float] = []
    placement: dict[str, tuple[int, Any]] = {}
    for frame in robot.walk():
        T = pin.SE3(frame.transform.matrix)
        parent, T_joint_parent = placement[frame.parent] if frame.parent is not None else (0, pin.SE3.Identity())
        if frame.is_rigid:
            placement[frame.id] = parent, T_joint_parent * T
            continue
        assert frame.joint is not None
        axis = np.array(frame.joint.axis)
        match frame.joint.type:
            case JointType.REVOLUTE:
                joint, value = pin.JointModelRevoluteUnaligned(axis), [float(scalars[frame.joint_name])]
            case JointType.PRISMATIC:
                joint, value = pin.JointModelPrismaticUnaligned(axis), [float(scalars[frame.joint_name])]
            case JointType.SCREW:
                pitch = frame.joint.pitch / math.tau
                joint, value = pin.JointModelHelicalUnaligned(axis, pitch), [float(scalars[frame.joint_name])]
            case _:
                joint, value = pin.JointModelSpherical(), list(positions[frame.joint_name])
        index = model.addJoint(parent, joint, T_joint_parent * T, frame.joint_name)
        q += value
        placement[frame.id] = index, pin.SE3.Identity()
    data = model.createData()
    pin.forwardKinematics(model, data, np.array(q))
    ours = values.poses(positions)
    for frame in robot.frames:
        index, T_joint_frame = placement[frame.id]
        theirs = data.oMi[index] * T_joint_frame if index else T_joint_frame
        assert np.allclose(ours[frame.id], theirs.homogeneous, atol=1e-12, rtol=0)


def test_an_unknown_frame_is_an_error_with_the_nearest_name() -> None:
    with pytest.raises(ModelError, match=r"no frame `tol0`. Did you mean `tool0`"):
        poses(example_arm())["tol0"]
