"""Lowering rewrites how a robot is expressed, never where its frames are nor what it weighs."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from tests.lookups import joint_of, present
from tests.robots import ANY_NAMES, AXES, COMPOSITES, robots

from swgrm import (
    Capsule,
    Coupling,
    Dynamics,
    Entity,
    EntityKind,
    Frame,
    Inertial,
    Joint,
    JointType,
    Kinematics,
    Limits,
    Link,
    LoopJoint,
    Pose,
    Robot,
    Tensor,
    Transmission,
    TransmissionEnd,
    subtree_inertial,
)
from swgrm.errors import ModelError
from swgrm.findings import Findings
from swgrm.model import CompositeType, Relation, Vec3
from swgrm.model.composites import chain, collapse, collapsed, expand, plane_axes, simple_joints, whole_composites
from swgrm.transforms import quaternion_matrix
from swgrm_exporters.loops import closed
from swgrm_exporters.lowering import Capabilities, Choices, Lowered, Merge
from swgrm_exporters.lowering import lower as lower_into
from swgrm_exporters.names import Pool, legal_names, ros_legal
from swgrm_exporters.urdf.references import with_references

POOR = Capabilities(
    joints=frozenset({JointType.FIXED, JointType.REVOLUTE, JointType.PRISMATIC}),
    composites=frozenset(),
    capsules=False,
    loops=False,
    relations=False,
    coupling_chains=False,
    several_links=False,
    frames_are_links=True,
    legal=ros_legal,
)
BARE = Choices(virtual_inertia=None)


def angles(turn: tuple[float, ...]) -> tuple[float, float, float]:
    """The three angles with Rx(a) Ry(b) Rz(c) = R(turn)."""
    R = quaternion_matrix(turn)
    b = math.asin(max(-1.0, min(1.0, R[0, 2])))
    return math.atan2(-R[1, 2], R[2, 2]), b, math.atan2(-R[0, 1], R[0, 0])


DEFAULT = Choices()
Position = float | tuple[float, ...] | np.ndarray  # of a scalar joint, or the quaternion of a ball joint


def lower(
    robot: Robot, capabilities: Capabilities, choices: Choices = DEFAULT, findings: Findings | None = None
) -> Lowered:
    return lower_into(robot, capabilities, choices, Findings() if findings is None else findings)


def positions_for(original: Mapping[str, Position]) -> dict[str, Position]:
    """The lowered robot's joint positions at an original configuration: a ball's quaternion as its three angles."""
    found: dict[str, Position] = {}
    for name, value in original.items():
        if isinstance(value, tuple):
            found |= dict(zip((f"{name}_x", f"{name}_y", f"{name}_z"), angles(value), strict=True))
        else:
            found[name] = value
    return found


def drawn_positions(robot: Robot, seed: int) -> dict[str, Position]:
    random = np.random.default_rng(seed)
    positions: dict[str, Position] = {}
    for name in Kinematics(robot).independent:
        if joint_of(robot, name).type is JointType.BALL:
            turn = np.array([0, 0, 0, 1]) + 0.3 * random.standard_normal(4)
            positions[name] = tuple(turn / np.linalg.norm(turn))
        else:
            positions[name] = float(random.uniform(-1, 1))
    return positions


@given(robots(loops=False, relations=True, composites=COMPOSITES - {CompositeType.FLOATING}), st.integers(0, 1000))
def test_no_frame_moves(robot: Robot, seed: int) -> None:
    lowered = lower(robot, POOR, BARE)
    at = drawn_positions(robot, seed)
    before = Kinematics(robot).poses(at)
    all_positions = positions_for(Kinematics(robot).positions(at) | at)
    kinematics = Kinematics(lowered.robot)
    after = kinematics.poses({name: all_positions[name] for name in kinematics.independent})
    new = {each.old: each.new for each in lowered.renamed if each.kind == "frame"}
    for frame in robot.frames:
        np.testing.assert_allclose(after[new.get(frame.id, frame.id)], before[frame.id], atol=1e-9)


@given(robots(composites=COMPOSITES))
def test_nothing_gets_heavier(robot: Robot) -> None:
    before, after = (subtree_inertial(each) for each in (robot, lower(robot, POOR, BARE).robot))
    assert after.mass == pytest.approx(before.mass, rel=1e-11)
    np.testing.assert_allclose(after.origin, before.origin, atol=1e-9)


@given(robots(strange=True, relations=True, composites=COMPOSITES))
def test_the_result_is_what_the_format_holds(robot: Robot) -> None:
    result = lower(robot, POOR).robot
    for frame in result.frames:
        assert len(frame.links) == 1
        assert frame.links[0].name == frame.id
        assert ros_legal(frame.id) == frame.id
        assert (frame.joint is None) == (frame.parent is None)
        assert frame.joint is None or frame.joint.type in POOR.joints
        assert not any(isinstance(s, Capsule) for link in frame.links for s in (*link.visuals, *link.collisions))
    followed = {f.joint.coupling.joint for f in result.frames if f.joint and f.joint.coupling}
    assert not any(joint_of(result, name).coupling for name in followed)
    assert not result.loop_joints
    assert not result.relations
    assert {name for each in result.composite_joints for name in each.joints} <= set(result.joints)
    assert {end for cut in result.cut_loops for end in (cut.parent_frame, cut.child_frame)} <= set(result.by_id)
    assert len({frame.joint_name for frame in result.frames if frame.joint}) == len(result.frames) - 1
    driven = {end.name for transmission in result.transmissions for end in transmission.joints}
    assert driven <= set(result.joints)


@given(robots(relations=True, composites=COMPOSITES))
def test_a_format_that_holds_everything_gets_the_robot_itself(robot: Robot) -> None:
    assert lower(robot, Capabilities(), Choices(merge=Merge.NONE)).robot == robot
    findings = Findings()
    lower(robot, Capabilities(), findings=findings)
    assert list(findings) == []


@given(robots(loops=False, relations=True, composites=COMPOSITES))
def test_balls_and_screws_come_back_from_their_chains(robot: Robot) -> None:
    few = Capabilities(joints=POOR.joints)
    back = collapsed(lower(robot, few, BARE).robot, {CompositeType.BALL, CompositeType.SCREW})
    assert (same := back.is_same_as(robot)).is_same, str(same)


@given(robots(loops=True, relations=True, composites=COMPOSITES))
def test_loops_are_closed_as_they_were_cut(robot: Robot) -> None:
    cut = lower(robot, Capabilities(loops=False), Choices(merge=Merge.NONE)).robot
    assert closed(cut) == robot
    assert [f.id for f in cut.frames if f.virtual and f.id not in robot.by_id] == [
        end for each in cut.cut_loops for end in (each.parent_frame, each.child_frame)
    ]


def test_a_loop_is_cut_into_its_two_sides_and_reported() -> None:
    loop = LoopJoint(parent="a", child="b", joint=Joint(type=JointType.BALL, name="tip"), transform=Pose((1.0, 0, 0)))
    frames = (Frame(id="a"), Frame(id="b", parent="a", transform=Pose((1.0, 0, 0))))
    findings = Findings()
    robot = Robot(name="r", frames=frames, loop_joints=(loop,))
    lowered = lower(robot, Capabilities(loops=False), findings=findings)
    poses = Kinematics(lowered.robot).poses()
    np.testing.assert_allclose(poses["tip_parent_side"], poses["tip_child_side"])
    assert [finding.code for finding in findings] == ["loop-cut"]


def test_a_cut_loop_keeps_all_fields_of_its_joint() -> None:
    joint = Joint(
        type=JointType.REVOLUTE,
        name="tip",
        axis=(0.0, 1.0, 0.0),
        limits=Limits(lower=-1.0, upper=2.0, effort=5.0),
        dynamics=Dynamics(0.1, 0.2),
        coupling=Coupling("lead", 3.0, 0.5),
        props={"flatsim.side": "left"},
    )
    frames = (Frame(id="a"), Frame(id="b", parent="a", joint=Joint(type=JointType.REVOLUTE, name="lead")))
    robot = Robot(name="r", frames=frames, loop_joints=(LoopJoint(parent="a", child="b", joint=joint),))
    cut = lower(robot, Capabilities(loops=False)).robot
    assert closed(cut) == robot
    kept = replace(cut, frames=(*cut.frames, Frame(id="extra", parent="tip_child_side")))
    assert closed(kept) == kept


def three(*relations: Relation, **couplings: Coupling) -> Robot:
    """Joints a, b, c, one on the other."""
    frames = [Frame(id="o")]
    for parent, name in (("o", "a"), ("a", "b"), ("b", "c")):
        joint = Joint(type=JointType.REVOLUTE, coupling=couplings.get(name))
        frames.append(Frame(id=name, parent=parent, joint=joint))
    return Robot(name="r", frames=tuple(frames), relations=relations)


def test_a_relation_of_two_joints_becomes_a_coupling_and_others_are_dropped() -> None:
    no_relations = Capabilities(relations=False)
    findings = Findings()
    pair, triple = Relation({"c": 2.0, "a": 4.0}, 1.0), Relation({"a": 1.0, "b": 1.0, "c": 1.0})
    lowered = lower(three(pair, triple), no_relations, findings=findings).robot
    assert lowered.relations == ()
    assert joint_of(lowered, "c").coupling == Coupling("a", -2.0, 0.5)
    assert [(f.code, f.where) for f in findings] == [
        ("relation-coupled", "relation of c, a"),
        ("relation-dropped", "relation of a, b, c"),
    ]
    assert "1 · `a` + 1 · `b` + 1 · `c` = 0" in findings[1].message
    followed = lower(three(Relation({"c": 1.0, "b": 1.0}), c=Coupling("a")), no_relations).robot
    assert joint_of(followed, "b").coupling == Coupling("c", -1.0, 0.0)  # c follows a already
    findings = Findings()
    lower(three(Relation({"c": 1.0, "a": 1.0}), c=Coupling("a")), no_relations, findings=findings)
    assert [f.code for f in findings] == ["relation-dropped"]  # a cannot follow its follower


def test_a_screw_that_follows_gives_a_slide_that_follows_the_leader() -> None:
    lead = Frame(id="b", parent="a", joint=Joint(type=JointType.REVOLUTE, name="lead"))
    screw = Joint(type=JointType.SCREW, name="screw", pitch=2 * math.pi, coupling=Coupling("lead", 3.0, 0.5))
    robot = Robot(name="r", frames=(Frame(id="a"), lead, Frame(id="c", parent="b", joint=screw)))
    lowered = lower(robot, POOR).robot
    assert joint_of(lowered, "screw").coupling == Coupling("lead", 3.0, 0.5)
    assert joint_of(lowered, "screw_slide").coupling == Coupling("lead", 3.0, 0.5)


def test_joints_that_follow_each_other_are_refused() -> None:
    frames = [Frame(id="a")]
    for name, other in (("b", "c"), ("c", "b")):
        joint = Joint(type=JointType.REVOLUTE, coupling=Coupling(other))
        frames.append(Frame(id=name, parent="a", joint=joint))
    with pytest.raises(ModelError, match="follows itself"):
        lower(Robot(name="r", frames=tuple(frames)), POOR)


def test_a_transmission_of_a_ball_drives_its_three_joints() -> None:
    robot = Robot(
        name="r",
        frames=(Frame(id="a"), Frame(id="b", parent="a", joint=Joint(type=JointType.BALL, name="hip"))),
        transmissions=(Transmission(name="t", joints=(TransmissionEnd("hip"),)),),
    )
    (transmission,) = lower(robot, POOR).robot.transmissions
    assert [end.name for end in transmission.joints] == ["hip_x", "hip_y", "hip_z"]


def test_components_are_merged_into_their_body_by_default_and_drawn_frames_stay() -> None:
    part = Entity(EntityKind.COMPONENT, "arm-1")
    drawn = Entity(EntityKind.COORDINATE_SYSTEM, "tcp")
    body = Inertial(2.0, tensor=Tensor(1.0, 0, 0, 1.0, 0, 1.0))
    robot = Robot(
        name="r",
        frames=(
            Frame(id="base"),
            Frame(id="arm", parent="base", joint=Joint(type=JointType.REVOLUTE)),
            Frame(id="arm-1", parent="arm", entity=part, links=(Link(name="arm", inertial=body),)),
            Frame(id="tcp", parent="arm-1", entity=drawn, transform=Pose((0, 0, 1.0))),
        ),
    )
    merged = lower(robot, Capabilities(), Choices())
    assert [frame.id for frame in merged.robot.frames] == ["base", "arm", "tcp"]
    assert merged.robot.frame("arm").links[0].inertial == body
    assert [frame.id for frame in lower(robot, Capabilities(), Choices(Merge.NONE)).robot.frames][2] == "arm-1"


def named(robot: Robot, **props: str) -> Robot:
    return with_references(replace(robot, props={key.replace("__", "."): value for key, value in props.items()}))


def body(*more: Frame) -> Robot:
    part = Entity(EntityKind.COMPONENT, "arm-1")
    frames = (
        Frame(id="base"),
        Frame(id="Arm Ä", parent="base", joint=Joint(type=JointType.REVOLUTE, name="Dreh 1")),
        Frame(id="arm-1", parent="Arm Ä", entity=part, links=(Link(name="first"), Link(name="second"))),
    )
    return Robot(name="r", frames=(*frames, *more))


@pytest.mark.parametrize(
    ("key", "before", "after"),
    [
        ("gazebo__reference", "Arm Ä", "Arm_A"),  # renamed
        ("gazebo__reference", "arm-1", "Arm_A"),  # merged into the body that carries it
        ("gazebo__reference", "first", "Arm_A"),  # a link that was named after its body
        ("gazebo__reference", "second", "Arm_A"),  # a link that was merged into another
        ("gazebo__reference", "Dreh 1", "Dreh_1"),
        ("gazebo__plugin__bodyName__#text", "second", "Arm_A"),
        ("ros2_control__joint__name", "Dreh 1", "Dreh_1"),
        ("ros2_control__joint__name", "first", "first"),  # no joint is called so
        ("note__#text", "Arm Ä", "Arm Ä"),  # text that names nothing
        ("gazebo__reference", "elsewhere", "elsewhere"),
    ],
)
def test_names_inside_props_follow(key: str, before: str, after: str) -> None:
    findings = Findings()
    lowered = lower(named(body(), **{key: before}), POOR, findings=findings)
    assert lowered.robot.props == {key.replace("__", "."): after}
    assert "reference-lost" not in {finding.code for finding in findings}


@pytest.mark.parametrize("name", ["ball", "closing", "held"])
def test_a_name_inside_props_that_is_gone_is_a_finding(name: str) -> None:
    robot = body(
        Frame(id="b", parent="base", joint=Joint(type=JointType.BALL, name="ball")),
        Frame(
            id="c-1",
            parent="base",
            entity=Entity(EntityKind.COMPONENT, "c-1"),
            joint=Joint(type=JointType.FIXED, name="held"),
            links=(Link(name="c-1"),),
        ),
    )
    loop = LoopJoint(parent="base", child="b", joint=Joint(type=JointType.REVOLUTE, name="closing"))
    findings = Findings()
    lower(named(replace(robot, loop_joints=(loop,)), gazebo__reference=name), POOR, findings=findings)
    (finding,) = [finding for finding in findings if finding.code == "reference-lost"]
    assert (finding.where, f"`{name}`" in finding.message) == ("robot r", True)


def test_a_frame_that_props_name_is_used() -> None:
    robot = body(Frame(id="tcp", parent="base"), Frame(id="other", parent="base"))
    kept = lower(named(robot, gazebo__reference="tcp"), POOR, Choices(drop_unused_frames=True)).robot
    assert {"tcp"} == {frame.id for frame in kept.frames} & {"tcp", "other"}


def test_unused_frames_are_dropped_only_on_request() -> None:
    frames = (
        Frame(id="a"),
        Frame(id="b", parent="a"),
        Frame(id="c", parent="b"),
        Frame(id="d", parent="a", props={"x.y": "1"}),
    )
    robot = Robot(name="r", frames=frames)
    assert len(lower(robot, POOR).robot.frames) == 4
    assert [f.id for f in lower(robot, POOR, Choices(drop_unused_frames=True)).robot.frames] == ["a", "d"]


def test_moving_bodies_without_mass_get_the_tiny_inertia_and_those_with_a_rigid_mass_do_not() -> None:
    turn = Joint(type=JointType.REVOLUTE)
    body = Link(name="body", inertial=Inertial(1.0))
    frames = (
        Frame(id="a"),
        Frame(id="light", parent="a", joint=turn),
        Frame(id="carrier", parent="a", joint=turn),
        Frame(id="load", parent="carrier", links=(body,)),
    )
    lowered = lower(Robot(name="r", frames=frames), POOR)
    assert lowered.implied_inertials == {"light"}
    assert lower(Robot(name="r", frames=frames), POOR, BARE).implied_inertials == frozenset()


@given(AXES)
def test_a_planar_joints_axes_are_a_right_handed_triple(normal: tuple[float, float, float]) -> None:
    u, v = plane_axes(normal)
    np.testing.assert_allclose(np.cross(u, v), normal, atol=1e-12)
    assert np.dot(u, v) == pytest.approx(0, abs=1e-12)


@given(st.sampled_from(CompositeType), AXES)
def test_a_composite_joint_is_found_only_while_it_is_whole(kind: CompositeType, axis: Vec3) -> None:
    pitch = 0.01 if kind is CompositeType.SCREW else 0.0
    whole = Joint(type=JointType.SCREW if pitch else JointType.REVOLUTE, name="j", axis=axis, pitch=pitch)
    frame = Frame(id="b", parent="a", transform=Pose((1.0, 0.0, 0.0)), joint=whole)
    frames, joint = expand(frame, kind, Pool(["b"]).fresh, axis)
    robot = Robot(name="r", frames=(Frame(id="a"), *frames), composite_joints=(joint,))
    found = whole_composites(robot)["b"]
    assert found.frames == frames
    assert [each.virtual for each in frames] == [True] * (len(frames) - 1) + [False]
    assert [present(f.joint).type for f in frames] == [member.type for member in simple_joints(kind, axis)]
    one = collapse(found)
    assert (one.id, one.parent, one.transform, one.joint_name) == ("b", "a", frame.transform, "j")
    assert kind is not CompositeType.SCREW or one == frame
    for spoilt in (
        replace(robot, frames=(*robot.frames, Frame(id="extra", parent=frames[0].id))),
        replace(robot, frames=tuple(replace(f, parent="a") if f.id == "b" else f for f in robot.frames)),
        replace(robot, frames=tuple(replace(f, props={"a.b": "c"}) if f.virtual else f for f in robot.frames)),
        replace(robot, frames=robot.frames[:-1]),
    ):
        assert not whole_composites(spoilt)


def test_a_universal_joint_has_perpendicular_axes() -> None:
    joint = Joint(type=JointType.REVOLUTE, name="j", axis=(0.0, 0.6, 0.8))
    frames, universal = expand(Frame(id="b", parent="a", joint=joint), CompositeType.UNIVERSAL, str, joint.axis)
    robot = Robot(name="r", frames=(Frame(id="a"), *frames), composite_joints=(universal,))

    def with_first_axis(axis: Vec3) -> Robot:
        changed = replace(frames[0], joint=replace(present(frames[0].joint), axis=axis))
        return replace(robot, frames=(robot.frames[0], changed, frames[1]))

    assert chain(with_first_axis((0.0, -0.8, 0.6)), universal)
    assert not chain(with_first_axis((0.0, 1.0, 0.0)), universal)


def test_a_floating_joint_whose_ball_is_split_keeps_its_parts() -> None:
    ball = Joint(type=JointType.BALL, name="free")
    frames, floating = expand(Frame(id="b", parent="a", joint=ball), CompositeType.FLOATING, str)
    robot = Robot(name="r", frames=(Frame(id="a"), *frames), composite_joints=(floating,))
    outer, inner = lower(robot, POOR).robot.composite_joints
    assert (outer.type, inner.type) == (CompositeType.FLOATING, CompositeType.BALL)
    assert outer.joints == (*floating.joints[:3], *inner.joints)
    kept = POOR._replace(composites=frozenset({CompositeType.FLOATING}))
    assert lower(robot, kept).robot.composite_joints == (floating,)


@given(st.lists(ANY_NAMES, unique=True, max_size=8))
@pytest.mark.trap("N1")
def test_names_become_legal_and_stay_distinct(names: list[str]) -> None:
    table = {name: name for name in names} | legal_names(names, ros_legal, "link")
    assert len(set(table.values())) == len(names)
    assert all(ros_legal(new) == new and new for new in table.values())


@pytest.mark.parametrize(
    ("name", "legal"),
    [
        ("Grundgestell Ärm", "Grundgestell_Arm"),
        ("Fuß", "Fuss"),
        ("座標系1", "ZuoBiaoXi1"),
        ("Привод", "Privod"),
        ("½ Zoll", "1_2_Zoll"),
        ("/base", "base"),
        ("a-1/b.2", "a-1/b.2"),
        ('q"<', "q_"),
    ],
)
@pytest.mark.trap("N1")
def test_names_that_assemblies_have(name: str, legal: str) -> None:
    assert ros_legal(name) == legal
