"""Limits in loops: they stay with the joint or loop joint that they belong to."""

import numpy as np
import pytest
from tests.grm.inference.looking import X, codes, understood
from tests.grm.inference.test_mechanisms import Linkage, four_bar
from tests.lookups import joint_of, limits_of, present

from swgrm.inference import Inference
from swgrm_mocks.mates import plane


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
