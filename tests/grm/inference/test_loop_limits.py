"""Limits in loops: they stay with the joint or loop joint that they belong to."""

import numpy as np
import pytest
from tests.grm.inference.looking import X, codes, understood
from tests.grm.inference.test_mechanisms import Linkage, four_bar

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
    assert np.allclose((loop.joint.limits.lower, loop.joint.limits.upper), expected, atol=1e-12)
    assert "Limit1" in loop.joint.why.mates
    assert not {"limit-unused", "limit-several"} & codes(seen).keys()
