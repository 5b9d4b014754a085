"""Limits in loops and on coupled joints: they stay with the joint or loop joint that they belong to, or bound all."""

import numpy as np
import pytest
from tests.grm.inference.looking import O, X, Y, Z, bearing, codes, understood
from tests.grm.inference.test_mechanisms import Linkage, four_bar
from tests.lookups import joint_of, limits_of, present

from swgrm.inference import Inference
from swgrm_mocks.builder import Assembly
from swgrm_mocks.mates import line, plane


def limited(bar: Linkage, one: str, other: str, low: float, high: float) -> Inference:
    """A limit angle between two bodies of a planar linkage: the assembled pose is at 0.5, the range around it."""
    turned = (np.cos(0.5), np.sin(0.5), 0.0)
    first, second = bar.of(one, other)
    entities = (first.at(plane((0.3, 0.2, 0), X)), second.at(plane((0.3, 0.2, 0), turned)))
    bar.assembly.angle(*entities, value=0.5, limits=(0.5 + low, 0.5 + high), name="Limit1")
    return understood(bar.assembly)


@pytest.mark.trap("G9")
@pytest.mark.parametrize("swapped", [False, True])
def test_a_limit_on_the_pair_where_the_loop_is_cut_stays_with_the_loop_joint(swapped: bool) -> None:
    free = understood(four_bar().assembly)
    (cut,) = free.tree.loops
    one, other = (free.body_name(label).removesuffix("-1") for label in (cut.parent, cut.child))
    first, second = (other, one) if swapped else (one, other)
    seen = limited(four_bar(), first, second, -0.3, 0.4)
    (loop,) = seen.robot.loop_joints
    (cut,) = seen.tree.loops
    grows = cut.chain[0].axis[2] > 0 if second == other else cut.chain[0].axis[2] < 0
    expected = (-0.3, 0.4) if grows else (-0.4, 0.3)
    assert np.allclose(limits_of(loop.joint), expected, atol=1e-12)
    assert "Limit1" in present(loop.joint.why).mates
    assert not {"limit-unused", "limit-several"} & codes(seen).keys()


def parallelogram() -> Linkage:
    bar = Linkage("base", "crank", "coupler", "rocker")
    bar.r("base", "crank", (0, 0, 0)).r("crank", "coupler", (0.05, 0.1, 0))
    return bar.r("coupler", "rocker", (0.35, 0.1, 0)).r("rocker", "base", (0.3, 0, 0))


@pytest.mark.trap("G9")
def test_the_range_of_a_loop_joint_is_translated_to_the_joints_of_the_tree() -> None:
    """In a parallelogram every joint turns by the same angle, to one side or the other."""
    (cut,) = (free := understood(parallelogram().assembly)).tree.loops
    one, other = (free.body_name(label).removesuffix("-1") for label in (cut.parent, cut.child))
    seen = limited(parallelogram(), one, other, -0.3, 0.4)
    for frame in seen.robot.joints.values():
        joint = present(frame.joint)
        found = limits_of(joint)
        assert np.allclose(found, (-0.3, 0.4), atol=1e-9) or np.allclose(found, (-0.4, 0.3), atol=1e-9)
        assert "Limit1" in present(joint.why).mates


@pytest.mark.trap("G9")
def test_at_a_translated_end_the_loop_joint_is_at_its_own() -> None:
    """The four-bar closed at the crank's ends, by the cosines of its diagonal."""
    (cut,) = (free := understood(four_bar().assembly)).tree.loops
    ends = {free.body_name(label).removesuffix("-1") for label in (cut.parent, cut.child)}
    assert ends == {"coupler", "rocker"}
    seen = limited(four_bar(), "coupler", "rocker", -0.3, 0.4)
    crank, coupler = np.hypot(0, 0.1), np.hypot(0.3, 0.1)
    rocker, base = np.hypot(0.05, 0.2), 0.25
    limits = joint_of(seen.robot, "crank_joint").limits

    def between(turn: float) -> float:
        """The angle between coupler and rocker where the crank is turned from its assembled 90°."""
        diagonal = crank**2 + base**2 - 2 * crank * base * np.cos(np.pi / 2 + turn)
        return float(np.arccos((coupler**2 + rocker**2 - diagonal) / (2 * coupler * rocker)))

    way = 1.0 if seen.tree.joints[0].chain[0].axis[2] > 0 else -1.0
    turns = [way * bound for bound in (limits.lower, limits.upper) if bound is not None]
    assert turns
    changes = sorted(between(turn) - between(0.0) for turn in turns)
    assert all(min(abs(abs(change) - end) for end in (0.3, 0.4)) < 1e-9 for change in changes)


def upward(seen: Inference, name: str) -> tuple[float | None, float | None]:
    """The limits of a joint, as rotations about z."""
    joint = joint_of(seen.robot, name)
    label = next(j for j in seen.tree.joints if name in seen.joint_names[j.pair.edge])
    lower, upper = joint.limits.lower, joint.limits.upper
    if label.chain[0].axis[2] > 0:
        return lower, upper
    return None if upper is None else -upper, None if lower is None else -lower


def at_height(low: float, high: float, *, swapped: bool = False) -> Inference:
    """A parallelogram whose coupler, now 0.1 m above the base, has a limited height."""
    bar = parallelogram()
    base, coupler = bar.of("base", "coupler")
    ends = base.at(plane(O, Y)), coupler.at(plane((0, 0.1, 0), Y))
    bar.assembly.distance(*(ends[::-1] if swapped else ends), value=0.1, limits=(low, high), name="Limit1")
    return understood(bar.assembly)


@pytest.mark.parametrize("swapped", [False, True])
def test_a_limit_between_bodies_of_a_loop_that_share_no_joint_bounds_its_joints(swapped: bool) -> None:
    """The coupler of a parallelogram is at the height L sin θ."""
    length, start = np.hypot(0.05, 0.1), np.arctan2(0.1, 0.05)
    seen = at_height(0.05, 0.105, swapped=swapped)
    ends = [np.arcsin(height / length) - start for height in (0.05, 0.105)]
    assert np.allclose(np.array(upward(seen, "crank_joint"), float), ends, atol=1e-9)
    assert "Limit1" in present(joint_of(seen.robot, "crank_joint").why).mates
    assert not {"limit-unused", "limit-several", "limit-loop", "limit-side"} & codes(seen).keys()
    over_the_top = at_height(0.05, 0.2, swapped=swapped)
    ends = [np.arcsin(0.05 / length) - start, np.pi - np.arcsin(0.05 / length) - start]
    assert np.allclose(np.array(upward(over_the_top, "crank_joint"), float), ends, atol=1e-9)


def test_a_limit_that_a_loop_never_reaches_is_a_note() -> None:
    assert codes(at_height(-0.5, 0.5))["limit-never"] == ["Limit1"]
    assert codes(limited(parallelogram(), "base", "coupler", -0.3, 0.4))["limit-unused"] == ["Limit1"]  # it keeps level
    assert codes(at_height(0.2, 0.5))["limit-outside"] == ["Limit1"]


def coupler_turn(crank: float) -> float:
    """How far the coupler of the four-bar has turned when the crank has, by two circles that meet."""
    a, d = 0.1 * np.array([-np.sin(crank), np.cos(crank)]), np.array([0.25, 0.0])
    coupler, rocker = np.hypot(0.3, 0.1), np.hypot(0.05, 0.2)
    across = d - a
    far = float(np.linalg.norm(across))
    along = (coupler**2 - rocker**2 + far**2) / (2 * far)
    b = a + along * across / far + np.sqrt(coupler**2 - along**2) * np.array([-across[1], across[0]]) / far
    return float(np.arctan2(*(b - a)[::-1]) - np.arctan2(0.1, 0.3))


def test_at_the_ends_of_every_joint_the_limited_bodies_are_at_theirs() -> None:
    assert abs(coupler_turn(0.0)) < 1e-12
    seen = limited(four_bar(), "base", "coupler", -0.2, 0.3)
    turns = [turn for turn in upward(seen, "crank_joint") if turn is not None]
    assert turns
    assert all(min(abs(coupler_turn(turn) + 0.2), abs(coupler_turn(turn) - 0.3)) < 1e-9 for turn in turns)


def test_a_limit_whose_side_no_geometry_gives_is_assumed_in_a_loop_too() -> None:
    bar = four_bar()
    base, coupler = bar.of("base", "coupler")
    bar.assembly.angle(base.at(plane(O, X)), coupler.at(plane(O, X)), value=0.0, limits=(0.0, 0.3), name="Limit1")
    seen = understood(bar.assembly)
    assert codes(seen)["limit-side"] == ["Limit1"]
    assert any(0.0 in (f.joint.limits.lower, f.joint.limits.upper) for f in seen.robot.frames if f.joint)


def test_a_limit_in_a_loop_of_more_mobility_is_reported_with_the_loop() -> None:
    bar = Linkage("base", "left", "low", "high", "right")
    bar.r("base", "left", (0, 0, 0)).r("left", "low", (-0.1, 0.1, 0)).r("low", "high", (0.1, 0.3, 0))
    bar.r("high", "right", (0.3, 0.12, 0)).r("right", "base", (0.2, 0, 0))
    seen = limited(bar, "base", "low", -0.2, 0.3)
    assert seen.mobility == 2
    (message,) = (f.message for f in seen.findings if f.code == "limit-loop")
    assert "2 degrees of freedom" in message
    assert "`low-1`" in message


def test_a_limit_across_joints_that_move_by_themselves_names_them() -> None:
    arm = Linkage("base", "upper", "lower")
    arm.r("base", "upper", (0, 0, 0)).r("upper", "lower", (0.1, 0, 0))
    (message,) = (f.message for f in limited(arm, "base", "lower", -0.2, 0.3).findings if f.code == "limit-several")
    assert "`lower-1`, `upper-1`" in message


@pytest.mark.parametrize("ratio", [1.0, 3.0])
def test_a_limit_between_two_jaws_that_are_coupled_bounds_the_leader(ratio: float) -> None:
    """The jaws close by (1 + ratio) times what the first one moves."""
    gripper = Assembly("gripper")
    palm, left, right = gripper.part("palm").fixed(), gripper.part("left"), gripper.part("right")
    for jaw in (left, right):
        for normal in (Y, Z):
            gripper.coincident(palm.at(plane(O, normal)), jaw.at(plane(O, normal)))
    gripper.linear_coupler(left.at(line(O, X)), right.at(line(O, X)), ratio=(1, ratio), reverse=True)
    faces = left.at(plane((-0.03, 0, 0), X)), right.at(plane((0.03, 0, 0), X))
    gripper.distance(*faces, value=0.06, limits=(0.02, 0.1), name="Limit1")
    seen = understood(gripper)
    leader = next(f for f in seen.robot.joints.values() if f.joint and f.joint.coupling is None)
    moved = 0.04 / (1 + ratio) * (1.0 if leader.id == "left" else ratio)
    assert np.allclose(limits_of(joint_of(seen.robot, leader.joint_name)), (-moved, moved), atol=1e-12)
    assert "limit-several" not in codes(seen)


def test_a_limit_angle_between_two_geared_fingers_bounds_the_leader() -> None:
    hand = Assembly("hand")
    palm, left, right = hand.part("palm").fixed(), hand.part("left"), hand.part("right")
    bearing(hand, palm, left, np.array([-0.1, 0, 0]))
    bearing(hand, palm, right, np.array([0.1, 0, 0]))
    hand.gear(left.at(line((-0.1, 0, 0), Z)), right.at(line((0.1, 0, 0), Z)), ratio=(1, 1))
    open_by = (np.cos(0.5), np.sin(0.5), 0.0)
    hand.angle(left.at(plane(O, X)), right.at(plane(O, open_by)), value=0.5, limits=(0.1, 1.1), name="Limit1")
    seen = understood(hand)
    (leader,) = (f.joint for f in seen.robot.joints.values() if f.joint and f.joint.coupling is None)
    assert sorted(abs(bound) for bound in limits_of(leader)) == pytest.approx([0.2, 0.3])
