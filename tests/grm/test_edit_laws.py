"""Laws of edits: at corresponding joint positions nothing has moved, and every number and name means what it meant."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from tests.robots import SCALAR, equipped_robots, is_scalar, random_positions, small

import swgrm
from swgrm import (
    Calibration,
    Frame,
    Joint,
    JointType,
    Kinematics,
    Limits,
    Pose,
    Robot,
    Safety,
    Transmission,
    TransmissionEnd,
    poses,
)
from swgrm.edit.positions import PositionMap
from swgrm.errors import ModelError
from swgrm.model import LoopJoint, Relation

seeds = st.integers(0, 2**32 - 1)
SAME = PositionMap()


class Change(NamedTuple):
    """How an edited robot corresponds to the one before: names, positions of joints, and the unit of length."""

    positions: Mapping[str, PositionMap] = {}
    joints: Mapping[str, str] = {}
    frames: Mapping[str, str] = {}
    links: Mapping[str, str] = {}
    length: float = 1.0

    def position(self, joint: str) -> PositionMap:
        return self.positions.get(joint, SAME)

    def joint(self, name: str) -> str:
        return self.joints.get(name, name)

    def frame(self, name: str) -> str:
        return self.frames.get(name, name)

    def is_same_pose(self, before: np.ndarray, after: np.ndarray) -> bool:
        expected = before.copy()
        expected[:3, 3] *= self.length
        return np.allclose(expected, after, atol=1e-9 * max(1.0, float(np.abs(expected).max())))


def loops_of(robot: Robot) -> list[LoopJoint]:
    return [*robot.loop_joints, *(cut.loop for cut in robot.cut_loops)]


def joints_of(robot: Robot) -> dict[str, Joint]:
    tree = {name: frame.joint for name, frame in robot.joints.items() if frame.joint}
    return tree | {loop.joint.name: loop.joint for loop in loops_of(robot)}


def motion(transform: Pose, joint: Joint, q: float) -> np.ndarray:
    moving = Frame(id="b", parent="a", transform=transform, joint=replace(joint, name="j", coupling=None))
    return poses(Robot(name="r", frames=(Frame(id="a"), moving)), {"j": q})["b"]


def residual(relation: Relation, q: Mapping[str, np.ndarray]) -> float:
    return float(sum(factor * q[name] for name, factor in relation.terms.items()) - relation.offset)


def actuators(transmission: Transmission, q: Mapping[str, float]) -> list[float]:
    """Where the actuators of a transmission with one joint are, up to an offset."""
    (end,) = transmission.joints
    return [
        (end.mechanical_reduction or 1) * (m.mechanical_reduction or 1) * q[end.name] for m in transmission.actuators
    ]


def dangling(robot: Robot) -> Iterator[str]:
    """What is referred to and does not exist."""
    frames, joints, links = set(robot.by_id), set(joints_of(robot)), {link.name for _, link in robot.links()}
    for loop in loops_of(robot):
        yield from {loop.parent, loop.child} - frames
    yield from {end for cut in robot.cut_loops for end in (cut.parent_frame, cut.child_frame)} - frames
    yield from {joint.coupling.joint for joint in joints_of(robot).values() if joint.coupling} - joints
    yield from {name for relation in robot.relations for name in relation.terms} - joints
    yield from {name for composite in robot.composite_joints for name in composite.joints} - joints
    yield from {end.name for each in robot.transmissions for end in each.joints} - joints
    yield from {name for pose in robot.poses for name in pose.positions} - joints
    yield from {each.joint for each in robot.actuators} - joints
    yield from {name for pair in robot.ignored_contacts for name in pair} - links - frames
    known = {"link": frames | links, "joint": joints}
    yield from (
        f"{key}: {robot.props[key]}" for key, kind in robot.references.items() if robot.props[key] not in known[kind]
    )


def must_correspond(before: Robot, after: Robot, how: Change, seed: int) -> None:
    rng = np.random.default_rng(seed)
    given = random_positions(before, rng)
    there = {how.joint(name): how.position(name)(q) if np.ndim(q) == 0 else q for name, q in given.items()}
    free, free_after = replace(before, relations=()), replace(after, relations=())
    one, other = poses(free, given), poses(free_after, there)
    sides = {cut.parent_frame for cut in before.cut_loops}  # they are part of the loop
    assert all(how.is_same_pose(one[f.id], other[how.frame(f.id)]) for f in before.frames if f.id not in sides)
    q, q_after = Kinematics(free).positions(given), Kinematics(free_after).positions(there)
    assert all(np.isclose(how.position(name)(float(q[name])), q_after[how.joint(name)]) for name in q)
    for relation, same in zip(before.relations, after.relations, strict=True):
        assert np.isclose(residual(relation, q), residual(same, q_after), atol=1e-7)
    for pose, same_pose in zip(before.poses, after.poses, strict=True):
        scalars = {name: at for name, at in pose.positions.items() if isinstance(at, float)}
        mapped = {how.joint(name): how.position(name)(at) for name, at in scalars.items()}
        assert same_pose.positions == pytest.approx(mapped)
    for motor, same_motor in zip(before.actuators, after.actuators, strict=True):
        assert same_motor.joint == how.joint(motor.joint)
        if motor.gear is not None and same_motor.gear is not None:
            assert np.isclose(same_motor.gear * how.position(motor.joint).scale, motor.gear)
    for name, joint in joints_of(before).items():
        must_mean_the_same(joint, joints_of(after)[how.joint(name)], how.position(name))
    loops_must_correspond(before, after, how, rng.uniform(-2, 2))
    assert list(dangling(before)) == list(dangling(after)) == []
    assert lost_names(after) <= lost_names(before)


def lost_names(robot: Robot) -> set[str]:
    codes = {
        "coupling-missing", "relation-joint", "composite-joint", "transmission-joint", "loop-frame-missing",
        "cut-loop-frame", "frame-duplicate", "joint-duplicate", "link-duplicate",
    }  # fmt: skip
    return {finding.code for finding in swgrm.check(robot)} & codes


def must_mean_the_same(joint: Joint, after: Joint, at: PositionMap) -> None:
    """Limits, soft limits and calibration are the same positions; velocities and gains fit their unit."""
    size, order = abs(at.scale), 1 if at.scale > 0 else -1

    def same(pair: tuple[float | None, float | None], new: tuple[float | None, float | None]) -> bool:
        expected = [None if value is None else at.scale * value + at.shift for value in pair][::order]
        return [v is None for v in expected] == [v is None for v in new] and all(
            np.isclose(a, b) for a, b in zip(expected, new, strict=True) if a is not None and b is not None
        )

    assert same((joint.limits.lower, joint.limits.upper), (after.limits.lower, after.limits.upper))
    assert (joint.limits.velocity or 0) * size == pytest.approx(after.limits.velocity or 0)
    assert joint.limits.effort == after.limits.effort
    assert joint.dynamics == after.dynamics
    if joint.calibration and after.calibration:  # what rises in positive direction falls in the other
        assert same(
            (joint.calibration.rising, joint.calibration.falling), (after.calibration.rising, after.calibration.falling)
        )
    if joint.safety and after.safety:
        soft, soft_after = joint.safety, after.safety
        assert same(
            (soft.soft_lower_limit, soft.soft_upper_limit), (soft_after.soft_lower_limit, soft_after.soft_upper_limit)
        )
        assert soft.k_position == soft_after.k_position  # [1/s]: velocity bound = −k_position · (q − soft limit)
        assert soft.k_velocity == pytest.approx(soft_after.k_velocity * size)  # effort bound = −k_velocity · velocity
    assert (joint.calibration is None, joint.safety is None) == (after.calibration is None, after.safety is None)


def loops_must_correspond(before: Robot, after: Robot, how: Change, q: float) -> None:
    for loop, same in zip(loops_of(before), loops_of(after), strict=True):
        assert (how.frame(loop.parent), how.frame(loop.child)) == (same.parent, same.child)
        if loop.joint.type in SCALAR:
            there = how.position(loop.joint.name)(q)
            assert how.is_same_pose(motion(loop.transform, loop.joint, q), motion(same.transform, same.joint, there))
    for cut in after.cut_loops:
        assert np.allclose(after.frame(cut.parent_frame).transform.matrix, cut.loop.transform.matrix)


def scalar_joints(robot: Robot) -> list[str]:
    return [name for name, joint in joints_of(robot).items() if joint.type in SCALAR]


@given(equipped_robots(), seeds, st.data())
def test_a_flipped_joint_moves_as_before_at_the_opposite_position(robot: Robot, seed: int, data: st.DataObject) -> None:
    name = data.draw(st.sampled_from(scalar_joints(robot)))
    flipped = swgrm.flip(robot, name)
    must_correspond(robot, flipped, Change({name: PositionMap(scale=-1.0)}), seed)
    assert swgrm.flip(flipped, name) == robot


@given(equipped_robots(), seeds, st.data())
def test_flipping_a_joint_keeps_its_actuators(robot: Robot, seed: int, data: st.DataObject) -> None:
    name = data.draw(st.sampled_from([f.joint_name for f in robot.frames if is_scalar(f)]))
    flipped = swgrm.flip(robot, name)
    q = {
        each: float(value)
        for each, value in zip(robot.joints, np.random.default_rng(seed).uniform(size=9), strict=False)
    }
    q_after = {**q, name: -q[name]}
    for one, same in zip(robot.transmissions, flipped.transmissions, strict=True):
        ends = (*one.joints, *one.actuators)
        if len(one.joints) == 1 and any(end.mechanical_reduction is not None for end in ends):
            assert actuators(one, q) == actuators(same, q_after)
        assert [end.name for end in one.joints] == [end.name for end in same.joints]


@given(equipped_robots(), seeds, small, st.data())
def test_a_joint_with_another_zero_moves_as_before(robot: Robot, seed: int, zero: float, data: st.DataObject) -> None:
    name = data.draw(st.sampled_from(scalar_joints(robot)))
    moved = swgrm.rezero(robot, name, zero)
    must_correspond(robot, moved, Change({name: PositionMap(shift=-zero)}), seed)
    assert moved.transmissions == robot.transmissions
    back = swgrm.rezero(moved, name, -zero)
    assert not (comparison := robot.is_same_as(back, 1e-9)).differences, str(comparison)


@given(equipped_robots(), seeds, st.floats(0.001, 1000))
def test_a_rescaled_robot_moves_as_before(robot: Robot, seed: int, factor: float) -> None:
    slides = {
        name: PositionMap(factor) for name, joint in joints_of(robot).items() if joint.type is JointType.PRISMATIC
    }
    scaled = swgrm.rescale(robot, factor)
    must_correspond(robot, scaled, Change(slides, length=factor), seed)
    back = swgrm.rescale(scaled, 1 / factor)
    assert not (comparison := robot.is_same_as(back, 1e-9)).differences, str(comparison)


@given(equipped_robots(), seeds)
def test_a_renamed_robot_moves_as_before_and_back_it_is_the_same(robot: Robot, seed: int) -> None:
    frames = {frame.id: f"new {frame.id}" for frame in robot.frames}
    joints = {name: f"new {name}" for name in (*joints_of(robot), "both")}
    links = {link.name: f"new {link.name}" for _, link in robot.links()}
    renamed = swgrm.rename(robot, frames=frames, joints=joints, links=links)
    must_correspond(robot, renamed, Change(joints=joints, frames=frames, links=links), seed)
    assert renamed.composite_joints[0].name == "new both"
    assert renamed.props == {
        **robot.props, "a.body": f"new {robot.props['a.body']}", "a.joint": f"new {robot.props['a.joint']}"
    }  # fmt: skip
    back = [{new: old for old, new in table.items()} for table in (frames, joints, links)]
    assert swgrm.rename(renamed, frames=back[0], joints=back[1], links=back[2]) == robot


@given(equipped_robots(), seeds, st.data())
def test_a_followed_joint_can_be_swapped_by_name(robot: Robot, seed: int, data: st.DataObject) -> None:
    a, b = (data.draw(st.sampled_from(list(robot.joints))) for _ in range(2))
    swapped = swgrm.rename(robot, joints={a: b, b: a})
    must_correspond(robot, swapped, Change(joints={a: b, b: a}), seed)


@given(equipped_robots(), st.data())
def test_removing_and_merging_leave_nothing_dangling(robot: Robot, data: st.DataObject) -> None:
    merged = swgrm.combine_links(swgrm.merge_rigid(robot, lambda _: True))
    assert list(dangling(merged)) == []
    try:
        less = swgrm.remove(robot, data.draw(st.sampled_from([frame.id for frame in robot.frames])))
    except ModelError as error:
        assert "cannot be removed" in str(error)  # noqa: PT017 - most robots have what can be removed
    else:
        assert list(dangling(less)) == []
        assert less.props == robot.props


def test_the_numbers_of_a_flipped_joint() -> None:
    joint = Joint(
        type=JointType.REVOLUTE,
        name="j",
        limits=Limits(-1.0, 2.0, 3.0),
        safety=Safety(5.0, 10.0, -0.5, 1.5),
        calibration=Calibration(rising=0.25),
    )
    drive = Transmission(
        name="t", joints=(TransmissionEnd("j"),), actuators=(TransmissionEnd("m", (), 50.0), TransmissionEnd("n"))
    )
    robot = Robot(name="r", frames=(Frame(id="a"), Frame(id="b", parent="a", joint=joint)), transmissions=(drive,))
    flipped = swgrm.flip(robot, "j")
    after = flipped.frame("b").joint
    assert after == replace(
        joint,
        axis=(0.0, 0.0, -1.0),
        limits=Limits(-2.0, 1.0, 3.0),
        safety=Safety(5.0, 10.0, -1.5, 0.5),
        calibration=Calibration(falling=-0.25),
    )
    assert [end.mechanical_reduction for end in flipped.transmissions[0].actuators] == [-50.0, None]


def test_what_has_no_position_of_one_number_is_neither_flipped_nor_rezeroed() -> None:
    frames = (Frame(id="a"), Frame(id="b", parent="a", joint=Joint(type=JointType.BALL, name="ball")))
    robot = Robot(name="r", frames=frames)
    with pytest.raises(ModelError, match="is ball: its position is not one number"):
        swgrm.flip(robot, "ball")
    with pytest.raises(ModelError, match="is ball: its position is not one number"):
        swgrm.rezero(robot, "ball", 1.0)
    with pytest.raises(ModelError, match=r"has no joint `bal`\. Did you mean `ball`"):
        swgrm.flip(robot, "bal")
    with pytest.raises(ModelError, match="two frames would be called `b`"):
        swgrm.rename(robot, frames={"a": "b"})
    with pytest.raises(ModelError, match=r"a lower limit of 114\.6° that is above its upper limit of 57\.3°"):
        swgrm.limit(robot, "ball", lower=2, upper=1)
