"""Symmetric mates tie joints, in trees and inside loops, also at poses where a loop is singular."""

import numpy as np
import pytest
from tests.grm.inference.looking import O, X, Y, Z, bearing, codes, understood
from tests.grm.inference.test_mechanisms import Linkage
from tests.grm.inference.test_noise import check
from tests.lookups import coupling_of

from swgrm_mocks.builder import Assembly
from swgrm_mocks.mates import LocalEntity, line, plane, point, shaft

PLACES = ((0.0, 0.0), (0.0, 0.1), (0.3, 0.2), (0.25, 0.0))  # of the hinges of a four-bar, from its crank on
DEAD = ((0.0, 0.0), (-0.1, 0.0), (0.1, 0.2), (0.25, 0.0))  # with its crank in line with the ground hinges


def mirrored(
    places: tuple[tuple[float, float], ...] = PLACES, others: tuple[tuple[float, float], ...] | None = None
) -> Linkage:
    """Two four-bars, the right one the image of the left in the plane x = 0, unless its hinges are elsewhere."""
    bar = Linkage("base", *(f"{part}_{side}" for side in "lr" for part in ("crank", "coupler", "rocker")))
    for side, sign, hinges in (("l", -1, places), ("r", 1, others or places)):
        parts = ["base", *(f"{part}_{side}" for part in ("crank", "coupler", "rocker")), "base"]
        for k, (x, y) in enumerate(hinges):
            bar.r(parts[k], parts[k + 1], (sign * (x + 0.2), y, 0))
    return bar


def entity(kind: str, sign: float) -> LocalEntity:
    """Entities that are images of each other for opposite signs."""
    place = (sign * 0.35, 0.1, 0.0)
    return {
        "plane": plane(place, (sign * 0.6, 0.8, 0)),
        "line": line(place, Z),
        "cylinder": shaft((*place[:2], 0.035 * (1 + sign)), Z, 0.01),
        "point": point(place),
    }[kind]


def tie(bar: Linkage, link: str, kind: str, name: str = "Symmetric1") -> Linkage:
    left, right = bar.of(f"{link}_l", f"{link}_r")
    ends = left.at(entity(kind, -1)), right.at(entity(kind, 1))
    bar.assembly.symmetric(*ends, bar.parts["base"].at(plane(O, X)), name=name)
    return bar


@pytest.mark.parametrize("kind", ["plane", "line", "cylinder", "point"])
@pytest.mark.parametrize("link", ["crank", "coupler", "rocker"])
def test_symmetric_links_of_two_loops_tie_their_cranks(link: str, kind: str) -> None:
    """Whichever links and entities the mate connects, the clamps turn opposite ways, 1 : 1."""
    assert understood(mirrored().assembly).mobility == 2
    seen = check(tie(mirrored(), link, kind).assembly.capture(), 7)
    assert seen.mobility == 1
    coupling = coupling_of(seen.robot, "crank_r_joint")
    assert coupling.joint == "crank_l_joint"
    assert coupling.ratio == pytest.approx(-1)
    assert "symmetry-unused" not in codes(seen)
    assert len(seen.robot.loop_joints) == 2


def test_loops_that_are_saved_at_a_dead_centre_are_tied_too() -> None:
    seen = understood(tie(mirrored(DEAD), "coupler", "line").assembly)
    assert seen.mobility == 1
    assert coupling_of(seen.robot, "crank_r_joint").ratio == pytest.approx(-1)


def test_a_second_symmetric_mate_adds_nothing() -> None:
    seen = understood(tie(tie(mirrored(), "coupler", "line"), "rocker", "plane", "Symmetric2").assembly)
    assert seen.mobility == 1
    assert codes(seen)["coupling-redundant"] == ["Symmetric2"]
    assert coupling_of(seen.robot, "crank_r_joint").ratio == pytest.approx(-1)


def test_the_links_that_are_images_are_tied_if_the_others_are_not() -> None:
    """The rockers turn opposite ways all along; the cranks, which differ, do not."""
    other = ((0.0, 0.0), (0.02, 0.12), (0.3, 0.2), (0.25, 0.0))
    seen = check(tie(mirrored(others=other), "rocker", "line").assembly.capture(), 7)
    assert seen.mobility == 1
    coupling = coupling_of(seen.robot, "rocker_r_joint")
    assert coupling.joint == "rocker_l_joint"
    assert coupling.ratio == pytest.approx(-1)
    assert sum(frame.joint is not None and frame.joint.coupling is not None for frame in seen.robot.frames) == 1


def test_mechanisms_that_are_no_images_of_each_other_are_not_tied_linearly() -> None:
    """A four-bar and an arm: the mobility counts the mate, but no relation holds all along; there is a finding."""
    bar = Linkage("base", "crank", "coupler", "rocker", "upper", "lower")
    parts = ("base", "crank", "coupler", "rocker", "base")
    for k, (x, y) in enumerate(PLACES):
        bar.r(parts[k], parts[k + 1], (-0.2 - x, y, 0))
    bar.r("base", "upper", (0.1, 0, 0)).r("upper", "lower", (0.15, 0.12, 0))
    ends = (bar.parts[name].at(entity("line", sign)) for name, sign in (("coupler", -1), ("lower", 1)))
    bar.assembly.symmetric(*ends, bar.parts["base"].at(plane(O, X)), name="Symmetric1")
    seen = check(bar.assembly.capture(), 7)
    assert seen.mobility == 1
    assert codes(seen)["symmetry-unused"] == ["Symmetric1"]
    assert not any(frame.joint and frame.joint.coupling for frame in seen.robot.frames)
    assert not seen.robot.relations


def test_a_mirror_that_moves_with_a_wrist_ties_its_fingers() -> None:
    """The linkages of a gripper on an arm: what the arm does is not in the relation."""
    assembly = Assembly("gripper")
    base, palm = assembly.part("base").fixed(), assembly.part("palm")
    bearing(assembly, base, palm, np.zeros(3))
    ends = []
    for name, sign in (("left", -1), ("right", 1)):
        finger, slider = assembly.part(f"{name}_finger"), assembly.part(f"{name}_slider")
        bearing(assembly, palm, finger, np.array([sign * 0.05, 0.05, 0]))
        bearing(assembly, finger, slider, np.array([sign * 0.1, 0.15, 0]))
        block = assembly.part(f"{name}_block")
        for normal in (Y, Z):
            assembly.coincident(palm.at(plane((0, 0.2, 0), normal)), block.at(plane((0, 0.2, 0), normal)))
        bearing(assembly, slider, block, np.array([sign * 0.15, 0.2, 0]))
        ends.append(finger.at(line((sign * 0.08, 0.1, 0), Z)))
    assembly.symmetric(*ends, palm.at(plane(O, X)))
    seen = check(assembly.capture(), 7)
    assert seen.mobility == 2
    ratios = {
        (frame.joint.name, frame.joint.coupling.joint): frame.joint.coupling.ratio
        for frame in seen.robot.frames
        if frame.joint and frame.joint.coupling
    }
    ((names, ratio),) = ratios.items()
    assert {name.partition("_")[0] for name in names} == {"left", "right"}
    assert ratio == pytest.approx(-1)


def test_arms_of_two_joints_are_tied_joint_by_joint() -> None:
    assembly = Assembly("arms")
    base = assembly.part("base").fixed()
    ends = []
    for name, sign in (("l", -1), ("r", 1)):
        upper, lower = assembly.part(f"upper_{name}"), assembly.part(f"lower_{name}")
        bearing(assembly, base, upper, np.array([sign * 0.1, 0, 0]))
        bearing(assembly, upper, lower, np.array([sign * 0.2, 0.1, 0]))
        ends.append((upper.at(line((sign * 0.15, 0.05, 0), Z)), lower.at(line((sign * 0.3, 0.2, 0), Z))))
    for pair in zip(*ends, strict=True):
        assembly.symmetric(*pair, base.at(plane(O, X)))
    seen = check(assembly.capture(), 7)
    assert seen.mobility == 2
    for part in ("upper", "lower"):
        coupling = coupling_of(seen.robot, f"{part}_r_joint")
        assert coupling.joint == f"{part}_l_joint"
        assert coupling.ratio == pytest.approx(-1)
    assert "symmetry-unused" not in codes(seen)


def test_one_mate_on_the_ends_of_arms_of_two_joints_ties_both() -> None:
    assembly = Assembly("arms")
    base = assembly.part("base").fixed()
    ends = []
    for name, sign in (("l", -1), ("r", 1)):
        upper, lower = assembly.part(f"upper_{name}"), assembly.part(f"lower_{name}")
        bearing(assembly, base, upper, np.array([sign * 0.1, 0, 0]))
        bearing(assembly, upper, lower, np.array([sign * 0.2, 0.1, 0]))
        ends.append(lower.at(line((sign * 0.3, 0.12, 0), Z)))
    assembly.symmetric(*ends, base.at(plane(O, X)))
    seen = check(assembly.capture(), 7)
    assert seen.mobility == 2
    for part in ("upper", "lower"):
        coupling = coupling_of(seen.robot, f"{part}_r_joint")
        assert coupling.joint == f"{part}_l_joint"
        assert coupling.ratio == pytest.approx(-1)
