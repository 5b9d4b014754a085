"""Why parts move or do not: the explanation of a component, and what holds each body."""

import numpy as np
import pytest
from tests.grm.inference.looking import O, X, at, bearing, serial_arm, understood

from swgrm.errors import ModelError
from swgrm.inference import explanation
from swgrm_mocks.builder import Part
from swgrm_mocks.mates import plane


def test_a_parked_part_is_explained_by_the_mates_that_hold_it() -> None:
    assembly = serial_arm(2, fixed=0)
    assembly.parallel(*(child.at(plane(O, X)) for child in assembly.children), name="Pose1")
    lines = list(explanation(understood(assembly), "link1-1"))
    assert lines[0] == "`link1-1` is in the body `link0-1` (and 2 more), the base of the robot: `link0-1` is fixed"
    assert any("Pose1 leave" in line and "no degree of freedom" in line for line in lines)
    assert any(line.startswith("note: mate Pose1: Without `Pose1`") for line in lines)


def test_a_moving_part_is_explained_by_its_joint() -> None:
    lines = list(explanation(understood(serial_arm(3, fixed=0)), "link2-1"))
    assert lines[0] == "`link2-1` is in the body `link2-1`, which `link2_joint` moves (revolute)"
    assert "its mates:" in lines


def test_a_fixed_part_and_one_without_mates_are_explained() -> None:
    assembly = serial_arm(2, fixed=0)
    assembly.part("lost", at(3.0))
    seen = understood(assembly)
    assert "it is fixed in SolidWorks" in list(explanation(seen, "link0-1"))
    lines = list(explanation(seen, "lost-1"))
    assert "nothing connects" in lines[0]
    assert "it has no mates" in lines


def test_a_joint_is_explained_as_before_and_an_unknown_name_is_an_error() -> None:
    seen = understood(serial_arm(2, fixed=0))
    assert next(iter(explanation(seen, "link1_joint"))).startswith("link1_joint: revolute")
    with pytest.raises(ModelError, match=r"no joint or component `link9-1`. Did you mean"):
        list(explanation(seen, "link9-1"))


def test_bodies_of_several_parts_list_mates_before_screws_and_what_is_fixed() -> None:
    assembly = serial_arm(2, fixed=0)
    base = assembly.children[0]
    screw = assembly.part(Part("ISO 4762 M4x10").from_toolbox(), at(0.02))
    bearing(assembly, base, screw, np.array([0.02, 0, 0]))
    plate = assembly.part("plate")
    assembly.lock(base.at(plane(O, X)), plate.at(plane(O, X)), name="Lock1")
    (body,) = understood(assembly).held_bodies()
    assert (body.name, body.parts, body.fixed) == ("link0-1", 3, ("link0-1",))
    assert [("is fixed" in r, "Lock1 leaves" in r, "is a fastener" in r) for r in body.reasons] == [
        (True, False, False),
        (False, True, False),
        (False, False, True),
    ]
