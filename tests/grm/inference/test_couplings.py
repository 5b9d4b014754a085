"""Couplings are relations between motions of bodies: on carriers that move, several on one joint, in any order."""

from itertools import permutations

import numpy as np
import pytest
from tests.grm.inference.looking import O, X, Y, Z, at, bearing, codes, names, understood
from tests.grm.inference.test_mechanisms import Linkage
from tests.lookups import joint_of, limits_of, present
from tests.noise import noisy
from tests.verifier import Verifier

from swgrm.inference import Inference, infer
from swgrm.kinematics.forward import Kinematics
from swgrm.model import JointType
from swgrm_mocks.builder import Assembly, AssemblyComponent
from swgrm_mocks.mates import line, plane, point, shaft
from swgrm_mocks.samples import sample
from swgrm_mocks.samples.spline_quill import LEAD


def positions(seen: Inference, **free: float) -> dict[str, float]:
    """The positions of all joints, given some; joint names without `_joint`."""
    asked = {f"{name}_joint": q for name, q in free.items()}
    return {name.removesuffix("_joint"): float(q) for name, q in Kinematics(seen.robot).positions(asked).items()}


def rail(assembly: Assembly, carrier: AssemblyComponent, slider: AssemblyComponent) -> None:
    """A slide along x."""
    for normal in (Y, Z):
        assembly.coincident(carrier.at(plane(O, normal)), slider.at(plane(O, normal)))


def test_the_side_gears_of_a_differential_turn_opposite_ways_on_its_carrier() -> None:
    seen = infer(sample("differential"))
    assert seen.mobility == 2
    assert len(seen.robot.relations) == 2
    q = positions(seen, carrier=0.3, planet=0.8)
    assert q["left"] == pytest.approx(0.3 + 0.4)
    assert q["right"] == pytest.approx(0.3 - 0.4)


def test_a_planetary_gear_turns_by_its_sun_alone() -> None:
    seen = infer(sample("planetary"))
    assert seen.mobility == 1
    q = positions(seen, sun=0.6)
    assert q["carrier"] == pytest.approx(0.6 * 20 / (20 + 40))  # Willis: sun / (sun + ring)
    assert [q[f"planet_{k}"] for k in (1, 2, 3)] == pytest.approx([-4 * q["carrier"]] * 3)
    assert not any(
        code.startswith("coupling-") for code in codes(seen) if code not in ("coupling-assumed", "coupling-redundant")
    )


def test_a_quill_moves_by_the_difference_of_its_nuts() -> None:
    seen = infer(sample("spline_quill"))
    assert seen.mobility == 2
    assert not seen.robot.loop_joints
    q = positions(seen, spline_drive=0.5, screw_drive=0.5)
    assert q["quill"] == pytest.approx(0)
    q = positions(seen, spline_drive=0.5, screw_drive=-0.25)
    # A right-handed quill that turns forward in its nut goes forward.
    assert q["quill"] == pytest.approx(0.75 * LEAD / (2 * np.pi))


@pytest.mark.parametrize("lead", [0.005, 0.002])
def test_a_screw_mate_alone_is_a_screw_joint(lead: float) -> None:
    assembly = Assembly("screw")
    a, b = assembly.part("a").fixed(), assembly.part("b")
    assembly.screw(a.at(shaft(O, Z, 0.01)), b.at(shaft(O, Z, 0.01)), lead=lead)
    seen = understood(assembly)
    assert names(seen) == {"b-1": "screw"}
    assert joint_of(seen.robot, "b_joint").pitch == pytest.approx(lead)
    assert seen.mobility == 1
    assert "unattached" not in codes(seen)


def test_a_screw_mate_holds_its_axis_in_a_loop() -> None:
    """A screw mate alone between arm and screw, whose end is a point on an edge of a second arm."""
    assembly = Assembly("jack")
    base, arm, screw, other = (assembly.part(name) for name in ("base", "arm", "screw", "other"))
    base.fixed()
    bearing(assembly, base, arm, np.zeros(3))
    thread, end = shaft((0, 0.1, 0), (0.26, 0.03, 0), 0.01), (0.26, 0.13, 0)
    assembly.screw(arm.at(thread), screw.at(thread), lead=0.004)
    assembly.coincident(other.at(line(end, Z)), screw.at(point(end)))
    bearing(assembly, base, other, np.array([0.2, 0, 0]))
    seen = understood(assembly)
    assert seen.mobility == 1
    assert "coupling-unused" not in codes(seen)
    assert any(s.type is JointType.SCREW for pair in seen.mechanism.pairs.values() for s in pair.chain)


def lead_screw(*, is_concentric: bool, swapped: bool = False) -> Assembly:
    """A screw in bearings, and a nut that is in line by the screw and kept from turning by one plane."""
    stage = Linkage("base", "screw", "nut").r("base", "screw", O, X)
    if is_concentric:
        stage.c("screw", "nut", O, X)
    stage.assembly.coincident(*(part.at(plane((0.1, 0, 0), Z)) for part in stage.of("base", "nut")))
    threads = [part.at(shaft((0.1, 0, 0), X, 0.01)) for part in stage.of("screw", "nut")]
    stage.assembly.screw(*(reversed(threads) if swapped else threads), lead=0.002)
    return stage.assembly


@pytest.mark.parametrize("swapped", [False, True])
@pytest.mark.parametrize("is_concentric", [False, True])
def test_a_nut_that_its_screw_holds_in_line_follows_it(is_concentric: bool, swapped: bool) -> None:
    """It slides in the base along the axis: noise that turns its axis as the screw turns does not tilt it."""
    capture = lead_screw(is_concentric=is_concentric, swapped=swapped).capture()
    for level in (0.0, 1e-8):
        seen = understood(noisy(capture, level, 3))
        assert names(seen) == {"nut-1": "prismatic", "screw-1": "revolute"}
        assert seen.mobility == 1
        assert not seen.robot.loop_joints
        assert positions(seen, screw=1.0)["nut"] == pytest.approx(-0.002 / (2 * np.pi))
        (nut,) = (joint for joint in seen.tree.joints if seen.body_name(joint.child) == "nut-1")
        assert np.linalg.norm(np.cross(nut.chain[0].axis, X)) <= 1e-12 + 100 * level
        assert Verifier(seen).worst({"screw_joint": 30.0}) < 1e-9 + 100 * level
        assert "mate-redundant" not in codes(seen)


@pytest.mark.parametrize("order", [*permutations(range(3))])
def test_a_gear_train_is_one_motion_in_any_order_of_its_mates(order: tuple[int, ...]) -> None:
    assembly = Assembly("train")
    base = assembly.part("base").fixed()
    gears = [assembly.part(f"g{k}", at(0.1 * k)) for k in range(4)]
    for k, gear in enumerate(gears):
        bearing(assembly, base, gear, np.array([0.1 * k, 0, 0]))
    ends = [(0, 1), (2, 1), (2, 3)]
    for number, k in enumerate(order):
        first, second = (gears[end].at(line(O, Z)) for end in ends[k])
        assembly.gear(first, second, ratio=(1, 2), name=f"Gear{number}")
    seen = understood(assembly)
    assert seen.mobility == 1
    assert not {"coupling-unused", "coupling-duplicate"} & codes(seen).keys()
    (leader,) = [name for name, frame in seen.robot.joints.items() if frame.joint and not frame.joint.coupling]
    q = positions(seen, **{leader.removesuffix("_joint"): 0.4})
    assert [q["g1"] / q["g0"], q["g1"] / q["g2"], q["g3"] / q["g2"]] == pytest.approx([-2, -2, -2])


HINGES = {
    ("base", "crank"): (0.0, 0.0, 0.0), ("crank", "coupler"): (0.0, 0.1, 0.0),
    ("coupler", "rocker"): (0.3, 0.2, 0.0), ("rocker", "base"): (0.25, 0.0, 0.0),
}  # fmt: skip


@pytest.mark.trap("G14")
@pytest.mark.parametrize("hinge", HINGES)
def test_a_gear_on_any_hinge_of_a_loop_is_used(hinge: tuple[str, str]) -> None:
    """A wheel on one link of a four-bar, geared to the next link: the loop is not cut at their hinge."""
    bar = Linkage("base", "crank", "coupler", "rocker")
    for (one, other), point_on_axis in HINGES.items():
        bar.r(one, other, point_on_axis)
    bar.parts["wheel"] = bar.assembly.part("wheel")
    bar.r(hinge[0], "wheel", (0.15, 0.05, 0))
    turning, wheel = bar.of(hinge[1], "wheel")
    bar.assembly.gear(turning.at(line(HINGES[hinge], Z)), wheel.at(line((0.15, 0.05, 0), Z)), ratio=(1, 3))
    seen = understood(bar.assembly)
    assert seen.mobility == 1
    (follower,) = (frame.joint for frame in seen.robot.joints.values() if frame.joint and frame.joint.coupling)
    assert abs(present(follower.coupling).ratio) in (pytest.approx(3), pytest.approx(1 / 3))
    assert "coupling-unused" not in codes(seen)


@pytest.mark.parametrize(("ratio", "mobility"), [((1, 1), 1), ((1, 2), 0)])
def test_a_coupling_that_a_loop_implies_takes_no_freedom_away(ratio: tuple[int, int], mobility: int) -> None:
    """The crank and the rocker of a parallelogram turn alike: a belt that does too changes nothing, others block it."""
    bar = Linkage("base", "crank", "coupler", "rocker")
    bar.r("base", "crank", (0, 0, 0)).r("crank", "coupler", (0.05, 0.1, 0))
    bar.r("coupler", "rocker", (0.35, 0.1, 0)).r("rocker", "base", (0.3, 0, 0))
    crank, rocker = bar.of("crank", "rocker")
    bar.assembly.gear(crank.at(line(O, Z)), rocker.at(line((0.3, 0, 0), Z)), ratio=ratio, reverse=True, name="Belt1")
    bar.parts["wheel"] = bar.assembly.part("wheel")
    bar.r("base", "wheel", (0, -0.2, 0))
    bar.assembly.gear(crank.at(line(O, Z)), bar.parts["wheel"].at(line((0, -0.2, 0), Z)), ratio=(1, 3))
    seen = understood(bar.assembly)
    assert seen.mobility == mobility
    assert "coupling-unused" not in codes(seen)
    assert codes(seen).get("coupling-blocks", []) == ([] if mobility else ["Belt1"])


def test_a_second_gear_on_the_same_follower_is_turned_round() -> None:
    assembly = Assembly("gears")
    base = assembly.part("base").fixed()
    gears = [assembly.part(f"g{k}", at(0.1 * k)) for k in range(3)]
    for k, gear in enumerate(gears):
        bearing(assembly, base, gear, np.array([0.1 * k, 0, 0]))
    for k in (0, 2):
        assembly.gear(gears[k].at(line(O, Z)), gears[1].at(line(O, Z)), ratio=(1, 1))
    seen = understood(assembly)
    assert seen.mobility == 1
    assert positions(seen, g0=0.2) == pytest.approx({"g0": 0.2, "g1": -0.2, "g2": 0.2})


def test_a_pinion_on_a_carriage_rolls_along_a_rack_that_is_fixed() -> None:
    assembly = Assembly("gantry")
    base, carriage, pinion = assembly.part("base").fixed(), assembly.part("carriage"), assembly.part("pinion")
    rail(assembly, base, carriage)
    bearing(assembly, carriage, pinion, np.zeros(3))
    assembly.rack_pinion(base.at(line((0, 0.01, 0), X)), pinion.at(shaft(O, Z, 0.01)), diameter=0.02, reverse=True)
    seen = understood(assembly)
    assert seen.mobility == 1
    # The rack is above the pinion, so the pinion turns forward about z as the carriage goes forward.
    q = positions(seen, pinion=0.5)
    assert q["carriage"] == pytest.approx(0.005)


def test_two_racks_on_one_pinion_move_opposite_ways_and_bound_it() -> None:
    assembly = Assembly("racks")
    base, pinion = assembly.part("base").fixed(), assembly.part("pinion")
    bearing(assembly, base, pinion, np.zeros(3))
    for name, y, stroke in (("upper", 0.01, 0.02), ("lower", -0.01, 0.015)):
        rack = assembly.part(name, at(0, y))
        assembly.coincident(base.at(plane((0, y, 0), Y)), rack.at(plane(O, Y)))
        assembly.coincident(base.at(plane(O, Z)), rack.at(plane(O, Z)))
        assembly.distance(base.at(plane((-0.1, 0, 0), X)), rack.at(plane(O, X)), value=0.1,
                          limits=(0.1 - stroke, 0.1 + stroke))  # fmt: skip
        assembly.rack_pinion(rack.at(line(O, X)), pinion.at(shaft(O, Z, 0.01)), diameter=0.02, reverse=y > 0)
    seen = understood(assembly)
    assert seen.mobility == 1
    q = positions(seen, pinion=0.5)
    assert (q["upper"], q["lower"]) == pytest.approx((-0.005, 0.005))
    assert limits_of(joint_of(seen.robot, "pinion_joint")) == pytest.approx((-1.5, 1.5))


def test_a_rack_of_20_mm_lets_its_pinion_of_10_mm_turn_2_rad() -> None:
    assert limits_of(joint_of(infer(sample("gripper")).robot, "pinion_joint")) == pytest.approx((-2, 2))
