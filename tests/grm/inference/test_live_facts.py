"""Numbers that others measured on live SolidWorks 2024, 2025 and 2026: what the mates mean is what SolidWorks did."""

import math
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace
from tests.grm.inference.looking import O, X, Y, Z, at, bearing, codes, understood
from tests.live import recording
from tests.lookups import joint_of, limits_of, of_type

from swgrm.capture import Angle, Distance, Hinge
from swgrm.inference import Inference
from swgrm.kinematics.forward import Kinematics
from swgrm_mocks.builder import Assembly, AssemblyComponent
from swgrm_mocks.mates import line, plane, shaft

GEARS = recording("gear_rack_sw2025")
LIMITS = recording("limits_sw2025")
MATES = recording("mates_sw2024")
SIDE = recording("distance_side_sw2026")
STEPS = GEARS["steps_rack_mm_pinion_deg_gear_deg"]


def rack_drive(edge: tuple[float, float, float]) -> Inference:
    """The rack, pinion and gear of SolidWorks 2025, with their mates as they were read.

    The direction of the rack's edge was not recorded.
    """
    poses = GEARS["poses_after_reopening"]
    assembly = Assembly("drive")
    base = assembly.part("base").fixed()
    rack = assembly.part("rack", at(poses["rack_x_m"][0], poses["rack_y_m"]))
    pinion = assembly.part("pinion", at(*poses["pinion_axis_xy_m"]))
    gear = assembly.part("gear", at(*poses["gear_axis_xy_m"]))
    for normal in (Y, Z):
        assembly.coincident(base.at(plane((0, poses["rack_y_m"], 0), normal)), rack.at(plane(O, normal)))
    for wheel in (pinion, gear):
        bearing(assembly, base, wheel, wheel.T_assembly_self[:3, 3])
    read_rack, read_gear = GEARS["rack_pinion"]["read"], GEARS["gear"]["read"]
    diameter = read_rack["DiameterVal_mm"] / 1000
    assembly.rack_pinion(rack.at(line(O, edge)), pinion.at(line(O, Z)), diameter=diameter, reverse=read_rack["Reverse"])
    numbers = read_gear["GearRatioNumerator_mm"] / 1000, read_gear["GearRatioDenominator_mm"] / 1000
    radii = 0.05, 0.025  # of 50 and 25 teeth
    entities = gear.at(shaft(O, Z, radii[0])), pinion.at(shaft(O, Z, radii[1]))
    assembly.gear(*entities, ratio=numbers, reverse=read_gear["Reverse"])
    return understood(assembly)


def positions(seen: Inference, travel: float) -> dict[str, float]:
    """The rotations of pinion and gear about z [rad] when the rack has moved along +x [m]."""
    kinematics = Kinematics(seen.robot)
    frames = {frame.joint.name: frame.id for frame in seen.robot.frames if frame.joint}
    before = kinematics.poses()
    (leader,) = kinematics.independent

    def moved(q: float) -> Any:
        return kinematics.poses({leader: q})

    # The robot has one degree of freedom, and the rack moves in proportion to it.
    per_unit = float(moved(1e-3)[frames["rack_joint"]][0, 3] - before[frames["rack_joint"]][0, 3]) / 1e-3
    q = kinematics.positions({leader: travel / per_unit})
    axes = {name: _axis_in_assembly(seen, name) for name in ("pinion_joint", "gear_joint")}
    return {name: float(q[name]) * axis for name, axis in axes.items()}


def _axis_in_assembly(seen: Inference, name: str) -> float:
    """+1 if the joint turns about +z of the assembly; the base has the assembly's z as its −y."""
    robot = seen.robot
    (frame,) = [frame for frame in robot.frames if frame.joint and frame.joint.name == name]
    assert frame.joint is not None
    turned = Kinematics(robot).poses()[frame.id][:3, :3] @ np.array(frame.joint.axis)
    return float(np.sign(-turned[1]))


@pytest.mark.parametrize("edge", [X, (-1.0, 0.0, 0.0)])
@pytest.mark.parametrize(("rack", "pinion", "gear"), STEPS)
def test_gears_and_rack_move_as_measured_at_nine_positions(
    edge: tuple[float, float, float], rack: float, pinion: float, gear: float
) -> None:
    """The pinion's sense depends on the direction of the edge; all else was recorded."""
    found = positions(rack_drive(edge), rack / 1000)
    sense = 1.0 if edge[0] < 0 else -1.0
    assert math.degrees(found["pinion_joint"]) == pytest.approx(sense * pinion, abs=1e-4)
    assert math.degrees(found["gear_joint"]) == pytest.approx(sense * gear, abs=1e-4)


def test_the_numbers_of_the_live_gear_agree_with_its_radii() -> None:
    assert "gear-radii" not in codes(rack_drive(X))


# ---- limits


def lever() -> tuple[Assembly, AssemblyComponent, AssemblyComponent]:
    """A lever that turns about y on a slider."""
    assembly = Assembly("lever")
    slider, arm = assembly.part("slider").fixed(), assembly.part("lever")
    assembly.concentric(slider.at(shaft(O, Y, 0.005)), arm.at(shaft(O, Y, 0.005)))
    assembly.coincident(slider.at(plane(O, Y)), arm.at(plane(O, Y)))
    return assembly, slider, arm


def range_about_y(seen: Inference) -> tuple[float, float]:
    """The range of the lever's joint about +y of the assembly [deg]; the base has the assembly's y as its z."""
    joint = joint_of(seen.robot, "lever_joint")
    (frame,) = [frame for frame in seen.robot.frames if frame.joint and frame.joint.name == "lever_joint"]
    turned = Kinematics(seen.robot).poses()[frame.id][:3, :3] @ np.array(joint.axis)
    low, high = (math.degrees(limit) for limit in limits_of(joint))
    return (low, high) if turned[2] > 0 else (-high, -low)


def test_a_limit_angle_turns_the_lever_the_way_that_was_measured() -> None:
    (sense,) = [each for each in LIMITS["senses"] if each.get("at") == 90]
    assembly, slider, arm = lever()
    low, high = map(math.radians, sense["range_deg"])
    ends = arm.at(plane(O, (-1.0, 0.0, 0.0))), slider.at(plane(O, Z))
    assembly.angle(*ends, value=math.radians(sense["at"]), limits=(low, high))
    seen = understood(assembly)
    assert sense["increasing angle turns the lever about"] == [0, -1, 0]
    assert range_about_y(seen) == pytest.approx((-90.0, 0.0), abs=1e-9)
    assert "limit-side" not in codes(seen)


def test_a_limit_angle_that_was_measured_from_zero_is_assumed_and_named() -> None:
    """SolidWorks itself turned it either way, with equal numbers."""
    (sense,) = [each for each in LIMITS["senses"] if "at" not in each]
    assembly, slider, arm = lever()
    low, high = map(math.radians, sense["range_deg"])
    assembly.angle(arm.at(plane(O, Z)), slider.at(plane(O, Z)), value=0.0, limits=(low, high))
    seen = understood(assembly)
    assert sorted(map(abs, range_about_y(seen))) == pytest.approx([0.0, 90.0], abs=1e-9)
    assert "limit-side" in codes(seen)


def test_variations_are_the_limits_less_the_current_value() -> None:
    """Saved at 10°, a limit angle of 0 to 90° had the variations -10 and 80°, whatever value its definition has."""
    assert "-10 and +80 deg" in LIMITS["variation"]
    assembly, slider, arm = lever()
    turned = (math.sin(math.radians(10)), 0.0, math.cos(math.radians(10)))
    mate = assembly.angle(
        slider.at(plane(O, Z)), arm.at(plane(O, turned)), value=math.radians(10), limits=(0.0, math.radians(90))
    )
    assert math.degrees(mate.minimum_variation or 0.0) == pytest.approx(-10)
    assert math.degrees(mate.maximum_variation or 0.0) == pytest.approx(80)
    assembly.mates[-1] = replace(mate, data=replace(of_type(Angle, mate.data), angle=0.0))
    assert sorted(map(abs, range_about_y(understood(assembly)))) == pytest.approx([10.0, 80.0], abs=1e-6)


def test_mates_with_the_warning_that_a_drive_beyond_a_limit_leaves_are_used() -> None:
    assert LIMITS["beyond_the_limit"].startswith("error 47 on the driver, warning code 1 on all other mates")
    assembly, slider, arm = lever()
    driver = slider.at(plane(O, Z)), arm.at(plane(O, Z))
    assembly.mates[:] = [replace(mate, error=1, warning=True) for mate in assembly.mates]
    assembly.angle(*driver, value=math.radians(100), name="Driver")
    assembly.mates[-1] = replace(assembly.mates[-1], error=47)
    seen = understood(assembly)
    assert joint_of(seen.robot, "lever_joint").type == "revolute"
    assert codes(seen)["mate-failed"] == ["Driver"]


# ---- mates of 2024, and the side of a distance


def test_hinge_limits_as_they_were_read_are_those_that_were_requested() -> None:
    (numbers,) = [value for key, value in MATES["hinge"].items() if key.startswith("with limits -30..+30")]
    minimum, maximum, angle = (math.radians(numbers[f"{key}_deg"]) for key in ("MinVal", "MaxVal", "Angle"))
    assembly, slider, arm = lever()
    assembly.mates.clear()
    axes = slider.at(shaft(O, Y, 0.005)), arm.at(shaft(O, Y, 0.005))
    faces = slider.at(plane(O, Y)), arm.at(plane(O, Y))
    ends = slider.at(plane(O, Z)), arm.at(plane(O, X))
    mate = assembly.hinge(*axes, *faces, *ends, limits=(minimum, maximum))
    assembly.mates[-1] = replace(mate, data=replace(of_type(Hinge, mate.data), angle=angle))
    seen = understood(assembly)
    assert range_about_y(seen) == pytest.approx((-30.0, 30.0))
    assert "limit-order" in codes(seen)


@pytest.mark.parametrize("is_flipped", [False, True])
def test_a_distance_holds_the_block_on_the_side_that_was_measured(is_flipped: bool) -> None:
    """As a limit that begins at zero, where only the flip tells the sides apart."""
    end, distance = SIDE["block_a_x_m"][1], SIDE["distance_m"]
    assembly = Assembly("blocks")
    a, b = assembly.part("a").fixed(), assembly.part("b", at(end))
    for normal in (Y, Z):
        assembly.coincident(a.at(plane(O, normal)), b.at(plane(O, normal)))
    sides = b.at(plane(O, (-1.0, 0.0, 0.0))), a.at(plane((end, 0, 0), X))
    mate = assembly.distance(*sides, value=0.0, limits=(0.0, distance), alignment=1)
    data = replace(of_type(Distance, mate.data), flip_dimension=is_flipped)
    assembly.mates[-1] = replace(mate, data=data)
    robot = understood(assembly).robot
    joint = joint_of(robot, "b_joint")
    (frame,) = [frame.id for frame in robot.frames if frame.joint == joint]
    reached = [float(Kinematics(robot).poses({joint.name: q})[frame][0, 3]) for q in limits_of(joint)]
    measured = SIDE["x_of_block_b_m"]["flipped" if is_flipped else "not flipped"]
    assert sorted(reached) == pytest.approx(sorted((end, measured)), abs=1e-9)
