"""Numbers of joints in words."""

import pytest

from swgrm.model import Joint, JointType, Limits
from swgrm.model.words import number_text, position_text, range_text


@pytest.mark.parametrize("kind", [JointType.REVOLUTE, JointType.PRISMATIC])
def test_zero_has_no_sign(kind: JointType) -> None:
    assert number_text(-0.0) == "0"
    assert position_text(kind, -0.0) == position_text(kind, 0.0)
    joint = Joint(type=kind, limits=Limits(lower=-0.0, upper=1.0))
    assert range_text(joint).startswith("0")


@pytest.mark.parametrize(("value", "text"), [(-17.19, "-17.19"), (-14400.4, "-14400"), (-1e-3, "-0.001")])
def test_other_numbers_keep_their_sign(value: float, text: str) -> None:
    assert number_text(value) == text
