from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from msgspec.structs import replace
from tests.robots import any_robots, inertials, random_positions
from tests.robots import poses as random_poses

import swgrm
from swgrm import Coupling, Frame, Inertial, Joint, JointType, Kinematics, Pose, Robot, Tensor, poses, subtree_inertial
from swgrm.errors import ModelError
from swgrm.mass.inertia import combine, moved, tensor_matrix
from swgrm.transforms import inverse, quaternion_matrix
from swgrm_mocks.example import example_arm

seeds = st.integers(0, 2**32 - 1)


def same_body(a: Inertial, b: Inertial, tolerance: float = 1e-9) -> bool:
    size = max(1.0, float(np.abs(tensor_matrix(a)).max()))
    return (
        abs(a.mass - b.mass) <= tolerance * max(1.0, abs(a.mass))
        and np.allclose(a.origin, b.origin, atol=tolerance * 10)
        and np.allclose(tensor_matrix(a), tensor_matrix(b), atol=tolerance * size * 10)
    )


def inverted_balls(robot: Robot, new_root: str, positions: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """A ball joint that re-rooting reverses has the inverse position."""
    turned = {f.joint_name for f in robot.path(new_root) if f.joint and f.joint.type is JointType.BALL}
    return {n: q * np.array([-1, -1, -1, 1]) if n in turned else q for n, q in positions.items()}


@given(any_robots(), seeds, st.data())
def test_re_rooting_keeps_every_relative_pose(robot: Robot, seed: int, data: st.DataObject) -> None:
    new_root = data.draw(st.sampled_from([frame.id for frame in robot.frames]))
    again = swgrm.reroot(robot, new_root)
    assert again.root.id == new_root
    positions = random_positions(robot, np.random.default_rng(seed))
    before, after = poses(robot, positions), poses(again, inverted_balls(robot, new_root, positions))
    zero_before, zero_after = poses(robot), poses(again)
    for frame in robot.frames:
        relative, relative_after = (inverse(each[new_root]) @ each[frame.id] for each in (before, after))
        assert np.allclose(relative, relative_after, atol=1e-9)
        if not robot.relations and not any(f.joint and f.joint.coupling for f in robot.frames):
            assert np.allclose(zero_before[frame.id], zero_after[frame.id], atol=1e-9)


@given(any_robots(), st.data())
def test_re_rooting_back_gives_the_robot_back(robot: Robot, data: st.DataObject) -> None:
    new_root = data.draw(st.sampled_from([frame.id for frame in robot.frames]))
    # A coupled joint's zero is where its leader puts it, so the root's place in the world is not the old one.
    assume(not any(f.joint and f.joint.coupling for f in robot.path(new_root)))
    assume(not any(relation.offset for relation in robot.relations))
    back = swgrm.reroot(swgrm.reroot(robot, new_root), robot.root.id)
    assert not (comparison := robot.is_same_as(back, 1e-8)).differences, str(comparison)


@given(any_robots(physical=True), seeds, st.data())
def test_re_rooting_keeps_the_mass(robot: Robot, seed: int, data: st.DataObject) -> None:
    new_root = data.draw(st.sampled_from([frame.id for frame in robot.frames]))
    positions = random_positions(robot, np.random.default_rng(seed))
    after = subtree_inertial(swgrm.reroot(robot, new_root), None, inverted_balls(robot, new_root, positions))
    T_new_old = inverse(poses(robot, positions)[new_root]) @ poses(robot, positions)[robot.root.id]
    assert same_body(moved(subtree_inertial(robot, None, positions), T_new_old), after)


@given(any_robots(physical=True), seeds)
def test_merging_keeps_poses_and_mass(robot: Robot, seed: int) -> None:
    merged = swgrm.combine_links(swgrm.merge_rigid(robot))
    positions = random_positions(robot, np.random.default_rng(seed))
    before, after = poses(robot, positions), poses(merged, positions)
    for frame in merged.frames:
        assert len(frame.links) <= 1
        assert np.allclose(before[frame.id], after[frame.id], atol=1e-9)
    assert {f.id for f in robot.frames if not f.is_rigid} <= set(merged.by_id)
    assert same_body(subtree_inertial(robot, None, positions), subtree_inertial(merged, None, positions))


@given(any_robots(), seeds)
def test_merging_leaves_every_shape_where_it_was(robot: Robot, seed: int) -> None:
    positions = random_positions(robot, np.random.default_rng(seed))

    def shapes(of: Robot) -> list[tuple[str, np.ndarray]]:
        at = poses(of, positions)
        return sorted(
            ((link.name, at[frame.id] @ shape.origin.matrix) for frame, link in of.links() for shape in link.visuals),
            key=lambda pair: pair[0],
        )

    for (name, T), (same_name, same_T) in zip(shapes(robot), shapes(swgrm.merge_rigid(robot)), strict=True):
        assert name == same_name
        assert np.allclose(T, same_T, atol=1e-9)


@given(st.lists(inertials(), min_size=1, max_size=4), random_poses)
def test_the_moments_of_combined_bodies_are_the_sums_of_their_moments(bodies: list[Inertial], pose: Pose) -> None:
    """∫ over all: the mass, first and second moments of a union are the sums of those of its parts."""
    whole = combine(bodies)
    origin_tensor = sum(_about_origin(body) for body in bodies)
    first = sum(body.mass * np.array(body.origin) for body in bodies)
    assert np.allclose(whole.mass * np.array(whole.origin), first, atol=1e-9)
    assert np.allclose(_about_origin(whole), origin_tensor, atol=1e-8)
    there = combine([moved(body, pose.matrix) for body in bodies])
    assert same_body(moved(whole, pose.matrix), there)


def _about_origin(body: Inertial) -> np.ndarray:
    c = np.array(body.origin)
    about_origin: np.ndarray = tensor_matrix(body) + body.mass * (c @ c * np.eye(3) - np.outer(c, c))
    return about_origin


def test_a_subtree_is_seen_from_its_own_frame() -> None:
    robot = example_arm()
    spindle = robot.frame("spindle").links[0].inertial
    assert spindle is not None
    assert same_body(subtree_inertial(robot, "spindle"), spindle, 1e-15)
    assert subtree_inertial(robot).mass == pytest.approx(7.6)


@given(any_robots(), seeds, st.floats(0.001, 1000))
def test_rescaling_scales_every_position(robot: Robot, seed: int, factor: float) -> None:
    scaled = swgrm.rescale(robot, factor)
    positions = random_positions(robot, np.random.default_rng(seed))
    slides = {n for n, f in robot.joints.items() if f.joint and f.joint.type is JointType.PRISMATIC}
    there = {n: q * factor if n in slides else q for n, q in positions.items()}
    before, after = poses(robot, positions), poses(scaled, there)
    size = max(1.0, float(np.abs(before.T).max())) * max(1.0, factor)
    for frame in robot.frames:
        assert np.allclose(before[frame.id][:3, :3], after[frame.id][:3, :3], atol=1e-9)
        assert np.allclose(before[frame.id][:3, 3] * factor, after[frame.id][:3, 3], atol=1e-9 * size)
    back = swgrm.rescale(scaled, 1 / factor)
    assert not (comparison := robot.is_same_as(back, 1e-9)).differences, str(comparison)


def test_rescaling_scales_the_tensor_by_the_square_and_not_the_mass() -> None:
    body = swgrm.rescale(example_arm(), 10.0).root.links[0].inertial
    assert body is not None
    assert (body.mass, body.origin, body.tensor) == (4.0, (0.0, 0.0, 0.1), Tensor(2.0, 0.1, -0.2, 5.0, 0.3, 6.0))
    with pytest.raises(ModelError, match="must be positive"):
        swgrm.rescale(example_arm(), 0.0)


@given(any_robots(), seeds)
def test_renaming_changes_nothing_but_names(robot: Robot, seed: int) -> None:
    names = {frame.id: f"new {frame.id}" for frame in robot.frames}
    joints = {name: f"new {name}" for name in robot.joints}
    renamed = swgrm.rename(robot, frames=names, joints=joints)
    positions = random_positions(robot, np.random.default_rng(seed))
    before, after = poses(robot, positions), poses(renamed, {joints[n]: q for n, q in positions.items()})
    assert all(np.array_equal(before[old], after[new]) for old, new in names.items())
    back = swgrm.rename(
        renamed, frames={new: old for old, new in names.items()}, joints={new: old for old, new in joints.items()}
    )
    assert back == robot


def test_a_joint_named_after_its_frame_is_renamed_with_it_and_its_followers_know() -> None:
    slide = JointType.PRISMATIC
    a = Frame(id="a", parent="o", joint=Joint(type=slide))
    b = Frame(id="b", parent="o", joint=Joint(type=slide, coupling=Coupling("a")))
    robot = swgrm.rename(Robot(name="r", frames=(Frame(id="o"), a, b)), frames={"a": "z"})
    joint = robot.frame("b").joint
    assert joint is not None
    assert joint.coupling == Coupling("z")
    assert set(robot.joints) == {"z", "b"}
    assert swgrm.check(robot) == [] or all(f.code == "mass-missing" for f in swgrm.check(robot))


def test_adding_and_removing() -> None:
    robot = example_arm()
    more = swgrm.add(robot, Frame(id="x", parent="tool0"), Frame(id="y", parent="x"))
    assert [f.id for f in more.walk("tool0")] == ["tool0", "x", "y"]
    assert swgrm.remove(more, "x") == robot
    less = swgrm.remove(robot, "column")
    assert set(less.by_id) == {"base", "floor", "slide_axis", "datum", "slide", "guide"}
    assert less.transmissions == ()
    assert len(less.loop_joints) == 1
    assert swgrm.remove(robot, "slide").loop_joints == ()


def test_impossible_edits_are_errors() -> None:
    robot = example_arm()
    with pytest.raises(ModelError, match="has a frame `base` already"):
        swgrm.add(robot, Frame(id="base", parent="slide"))
    with pytest.raises(ModelError, match="has no frame `nowhere`"):
        swgrm.add(robot, Frame(id="x", parent="nowhere"))
    with pytest.raises(ModelError, match="is the root"):
        swgrm.remove(robot, "base")
    with pytest.raises(ModelError, match=r"has no frame `tool`. Did you mean `tool0`\?"):
        swgrm.remove(robot, "tool")
    with pytest.raises(ModelError, match="has no frame `tool` to rename"):
        swgrm.rename(robot, frames={"tool": "x"})
    flat = replace(robot, frames=tuple(replace(f, parent="base") if f.id == "forearm" else f for f in robot.frames))
    with pytest.raises(ModelError, match=r"`column_joint` cannot be removed.*joint `forearm_joint` depends on it"):
        swgrm.remove(flat, "column")


def test_frames_with_more_than_links_are_not_merged() -> None:
    merged = swgrm.merge_rigid(example_arm())
    assert {"floor", "slide_axis", "datum", "tool0", "guide"} <= set(merged.by_id)
    everything = swgrm.merge_rigid(example_arm(), lambda _: True)
    assert {f.id for f in everything.frames if f.is_rigid} == {"base", "guide"}


def test_rotations_go_into_the_tensor() -> None:
    quarter = (0.0, 0.0, np.sqrt(0.5), np.sqrt(0.5))
    body = Inertial(1.0, (0.0, 0.0, 0.0), Tensor(1.0, 0.0, 0.0, 2.0, 0.0, 3.0), quarter)
    R = quaternion_matrix(quarter)
    assert np.allclose(tensor_matrix(body), R @ np.diag([1.0, 2.0, 3.0]) @ R.T)
    assert np.allclose(np.diag(tensor_matrix(body)), [2.0, 1.0, 3.0])


def test_kinematics_of_a_robot_with_one_frame() -> None:
    assert Kinematics(Robot(name="r", frames=(Frame(id="a"),))).poses().T.shape == (1, 4, 4)


def test_what_props_name_is_renamed_with_it() -> None:
    robot = example_arm()
    frame = next(frame for frame in robot.frames if frame.joint)
    props = {"gazebo.reference": frame.joint_name, "note.text": frame.joint_name}
    named = replace(robot, props=props, references={"gazebo.reference": "joint"})
    renamed = swgrm.rename(named, joints={frame.joint_name: "other"})
    assert renamed.props == {"gazebo.reference": "other", "note.text": frame.joint_name}
