"""Mates that take no freedom away leave no trace in the robot but a note."""

import numpy as np
import pytest
from tests.grm.inference.looking import O, X, Y, Z, bearing, codes, serial_arm, understood
from tests.grm.inference.test_mechanisms import Linkage, four_bar
from tests.lookups import joint_of, limits_of
from tests.noise import noisy

from swgrm.inference import Inference
from swgrm_mocks.builder import Assembly
from swgrm_mocks.mates import plane, point, shaft


def arm() -> Assembly:
    """Three parallel hinges, and a face of the hand parallel to the base."""
    assembly = serial_arm(4, fixed=0)
    base, hand = assembly.children[0], assembly.children[-1]
    assembly.parallel(base.at(plane(O, Z)), hand.at(plane(O, Z)), name="Level1")
    return assembly


def table() -> Assembly:
    """Two crossed slides, and the upper one on the plane of the lowest."""
    assembly = Assembly("table")
    base, cross, top = (assembly.part(name) for name in ("base", "cross", "top"))
    base.fixed()
    for one, other, normal in ((base, cross, Y), (base, cross, Z), (cross, top, X), (cross, top, Z)):
        assembly.coincident(one.at(plane(O, normal)), other.at(plane(O, normal)))
    assembly.coincident(base.at(plane(O, Z)), top.at(plane(O, Z)), name="Level1")
    return assembly


def faced_four_bar() -> Assembly:
    bar = four_bar()
    bar.assembly.coincident(*(part.at(plane(O, Z)) for part in bar.of("base", "coupler")), name="Level1")
    return bar.assembly


def coaxial() -> Assembly:
    """Three parts on one axis, each hinged to both others."""
    bar = Linkage("base", "one", "two").r("base", "one", O).r("base", "two", O)
    for kind, entity in (("concentric", shaft(O, Z, 0.01)), ("coincident", plane(O, Z))):
        getattr(bar.assembly, kind)(*(part.at(entity) for part in bar.of("one", "two")), name=f"{kind}1")
    return bar.assembly


def block() -> Assembly:
    """A block on a shaft that turns in the base, kept from turning by one plane: it slides along the shaft."""
    bar = Linkage("base", "shaft", "block").r("base", "shaft", O, X).c("shaft", "block", O, X)
    bar.assembly.coincident(*(part.at(plane((0.1, 0, 0), Z)) for part in bar.of("base", "block")))
    return bar.assembly


CASES = {  # mobility, joints of the tree, loop joints
    "arm": (arm, 3, 3, 0, ["Level1"]),
    "table": (table, 2, 2, 0, ["Level1"]),
    "four-bar": (faced_four_bar, 1, 3, 1, ["Level1"]),
    "coaxial": (coaxial, 2, 2, 0, ["coincident1", "concentric1"]),
    "block": (block, 2, 2, 0, []),  # its joints keep the loop closed, but none of its mates is redundant
}


@pytest.mark.trap("G5")
@pytest.mark.parametrize("level", [0.0, 1e-8])
@pytest.mark.parametrize("name", sorted(CASES))
def test_a_mate_that_takes_nothing_away_closes_no_loop(name: str, level: float) -> None:
    build, mobility, joints, loops, mates = CASES[name]
    seen = understood(noisy(build().capture(), level, 3))
    assert seen.mobility == mobility
    assert len(seen.robot.joints) == joints
    assert len(seen.robot.loop_joints) == loops
    assert codes(seen).get("mate-redundant", []) == mates
    assert len(codes(seen).get("loop", [])) == loops


def scara() -> Inference:
    """Two parallel hinges and a quill that slides along them, with a limit from the table to the quill."""
    assembly = Assembly("scara")
    table, upper, fore, quill = (assembly.part(name) for name in ("table", "upper", "fore", "quill"))
    table.fixed()
    bearing(assembly, table, upper, np.zeros(3))
    bearing(assembly, upper, fore, np.array([0.3, 0, 0]))
    assembly.concentric(*(part.at(shaft((0.5, 0, 0), Z, 0.01)) for part in (fore, quill)), lock_rotation=True)
    low, high = table.at(plane(O, Z)), quill.at(plane((0, 0, 0.2), Z))
    assembly.distance(low, high, value=0.2, limits=(0.05, 0.3), name="Reach1")
    return understood(assembly)


@pytest.mark.trap("G5")
def test_a_limit_between_non_neighbours_is_a_limit_and_nothing_else() -> None:
    seen = scara()
    assert seen.mobility == 3
    assert not seen.robot.loop_joints
    assert len(seen.robot.joints) == 3
    assert np.allclose(limits_of(joint_of(seen.robot, "quill_joint")), [-0.15, 0.1], atol=1e-12)
    assert "mate-redundant" not in codes(seen)


def test_a_mate_that_is_redundant_only_as_assembled_closes_its_loop() -> None:
    """The tip of three links in line, one of them folded back, moves along y only to first order."""
    bar = Linkage("base", "one", "two", "three")
    bar.r("base", "one", O).r("one", "two", (0.1, 0, 0)).r("two", "three", (0.25, 0, 0))
    base, tip = bar.of("base", "three")
    bar.assembly.coincident(base.at(plane((0.1, 0, 0), X)), tip.at(point((0.1, 0, 0))), name="Guide1")
    seen = understood(bar.assembly)
    assert seen.mobility == 2
    assert len(seen.robot.loop_joints) == 1
    assert "mate-redundant" not in codes(seen)
