"""SolidWorks' conventions as they were measured on live SolidWorks, and the settings that turn them."""

import math
from typing import Any, get_args, get_type_hints

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.grm.inference.looking import O, X, Y, Z, at, bearing, codes, joints, names, together, understood
from tests.lookups import coupling_of, joint_of, limits_of, of_type

from swgrm.capture import Angle, Capture, Distance, Hinge
from swgrm.inference import infer
from swgrm.kinematics.forward import Kinematics
from swgrm.model import UsedConvention
from swgrm.settings import ConventionSettings, Settings
from swgrm.solidworks.conventions import CONVENTIONS
from swgrm_mocks.builder import Assembly, AssemblyComponent
from swgrm_mocks.mates import LocalEntity, circle, cone, line, plane, point, shaft, sphere


def by_convention(**choices: str) -> Settings:
    return Settings(conventions=ConventionSettings(**choices))  # type: ignore[arg-type] # the choices are literals


def ratio(source: Assembly, follower: str, settings: Settings | None = None) -> float:
    return coupling_of(understood(source, settings).robot, follower).ratio


def screw_pitch(source: Assembly, settings: Settings | None = None) -> float:
    return joint_of(understood(source, settings).robot, "b_joint").pitch


def pair() -> tuple[Assembly, AssemblyComponent, AssemblyComponent]:
    assembly = Assembly("pair")
    return assembly, assembly.part("a").fixed(), assembly.part("b")


def test_the_table_has_the_keys_and_choices_of_the_settings() -> None:
    hints = get_type_hints(ConventionSettings)
    fields = {field.encode_name: field for field in msgspec.structs.fields(ConventionSettings)}
    assert list(fields) == list(CONVENTIONS)
    for key, convention in CONVENTIONS.items():
        assert get_args(hints[fields[key].name]) == tuple(convention.choices)
        assert fields[key].default == next(iter(convention.choices))


def gears(first: LocalEntity, second: LocalEntity, numbers: tuple[float, float], **fields: Any) -> Assembly:
    assembly = Assembly("gears")
    base = assembly.part("base").fixed()
    one, two = assembly.part("one"), assembly.part("two", at(0.5))
    bearing(assembly, base, one, np.zeros(3))
    bearing(assembly, base, two, np.array([0.5, 0, 0]))
    assembly.gear(one.at(first), two.at(second), ratio=numbers, **fields)
    return assembly


@pytest.mark.trap("P12")
def test_gears_turn_as_the_numbers_that_solidworks_returns_whatever_their_radii_are() -> None:
    large, small = shaft(O, Z, 0.02), circle(O, Z, 0.01)
    for numbers, expected in (((1, 2), -2), ((2, 1), -0.5), ((0.05, 0.1), -2), ((1, 3), -3)):
        assert ratio(gears(large, small, numbers), "two_joint") == pytest.approx(expected)
    assert ratio(gears(large, small, (2, 1), reverse=True), "two_joint") == pytest.approx(0.5)
    assert ratio(gears(large, small, (2, 1)), "two_joint", by_convention(gear_ratio="numerator")) == pytest.approx(-2)
    assert ratio(gears(large, small, (2, 1)), "two_joint", by_convention(gear_ratio="radii")) == pytest.approx(-2)


@pytest.mark.trap("P12")
def test_radii_that_suggest_the_reciprocal_of_a_gear_ratio_are_reported() -> None:
    large, small = shaft(O, Z, 0.02), circle(O, Z, 0.01)
    (finding,) = [f for f in understood(gears(large, small, (2, 1))).findings if f.code == "gear-radii"]
    assert "turns 0.5 times as far" in finding.message
    assert "would turn 2 times as far" in finding.message
    for first, second, numbers in ((large, small, (1, 2)), (large, small, (1, 3)), (large, large, (1, 1))):
        assert "gear-radii" not in codes(gears(first, second, numbers))
    assert "gear-radii" not in codes(gears(line(O, Z), line(O, Z), (2, 1)))
    assert "gear-radii" not in codes(understood(gears(large, small, (2, 1)), by_convention(gear_ratio="radii")))


@pytest.mark.trap("P12")
def test_without_matching_radii_angles_are_as_numerator_to_denominator() -> None:
    assembly = gears(line(O, Z), line(O, Z), (1, 4))
    assert ratio(assembly, "two_joint") == -4
    assert ratio(gears(shaft(O, Z, 0.01), shaft(O, Z, 0.01), (1, 4)), "two_joint") == -4
    assert ratio(assembly, "two_joint", by_convention(gear_ratio="numerator")) == -0.25
    assert codes(assembly)["coupling-assumed"]


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_gears_turn_opposite_ways_whichever_way_their_entities_point(sign: float) -> None:
    assembly = gears(line(O, Z), line(O, (0, 0, sign)), (1, 1))
    assert ratio(assembly, "two_joint") == -1


@pytest.mark.trap("P8")
@pytest.mark.parametrize(("unit", "metres"), [(0, 1e-3), (2, 1.0), (3, 0.0254)])
def test_a_screw_counts_revolutions_per_unit_of_its_document(unit: int, metres: float) -> None:
    assembly, a, b = pair()
    assembly.linear_unit = unit
    assembly.screw(a.at(shaft(O, Z, 0.01)), b.at(shaft(O, Z, 0.01)), lead=4.0, revolutions=True)
    assert screw_pitch(assembly) == pytest.approx(metres / 4)
    assert screw_pitch(assembly, by_convention(screw_unit="metre")) == pytest.approx(0.25)


@pytest.mark.trap("P8")
@pytest.mark.parametrize("reverse", [False, True])
def test_a_reversed_screw_is_right_handed(reverse: bool) -> None:
    assembly, a, b = pair()
    assembly.screw(a.at(shaft(O, Z, 0.01)), b.at(shaft(O, Z, 0.01)), lead=0.002, reverse=reverse)
    assert screw_pitch(assembly) == pytest.approx(0.002 if reverse else -0.002)
    assert screw_pitch(assembly, by_convention(screw_sense="reversedIsLeft")) == pytest.approx(
        -0.002 if reverse else 0.002
    )


def test_a_coordinate_mate_is_a_lock() -> None:
    assembly, a, b = pair()
    assembly.coordinate(a.at(LocalEntity(13, 0, O, X)), b.at(point(O)))
    assert together(assembly, "a-1", "b-1")
    seen = understood(assembly, by_convention(coordinate_mate="ignored"))
    assert "mate-left-out" in codes(seen)
    assert codes(seen)["unattached"] == ["b-1"]


@pytest.mark.parametrize("offset", [0.0, 0.03])
def test_an_unlocked_profile_centre_of_faces_spins(offset: float) -> None:
    def build(*, lock: bool) -> Assembly:
        assembly, a, b = pair()
        faces = a.at(plane((0.1, 0, 0), Z)), b.at(plane((0.1, 0, offset), (0, 0, -1)))
        assembly.profile_center(*faces, offset=offset, lock_rotation=lock)
        return assembly

    assert names(build(lock=False)) == {"b-1": "revolute"}
    axis = understood(build(lock=False)).tree.joints[0].chain[0]
    assert np.allclose(np.cross(axis.point - [0.1, 0, 0], Z), 0, atol=1e-12)
    assert together(build(lock=True), "a-1", "b-1")
    assert not joints(build(lock=False), by_convention(profile_centre="locked"))


@pytest.mark.parametrize("mate", ["parallel", "perpendicular"])
def test_a_face_that_arrives_as_a_line_is_understood_by_the_assembled_pose(mate: str) -> None:
    """A face parallel to an edge: the face comes as a line along its normal, which is perpendicular to the edge."""
    for face in (line(O, Z), plane(O, Z)):
        assembly, a, b = pair()
        edge = line(O, X if mate == "parallel" else Z)
        getattr(assembly, mate)(a.at(face), b.at(edge))
        assembly.coincident(a.at(point(O)), b.at(point(O)))
        seen = understood(assembly)
        assert "mate-unsatisfied" not in codes(seen)
        assert seen.mobility == (2 if mate == "parallel" else 1)


def test_a_cone_has_no_radius_and_a_sphere_has_its_own() -> None:
    assembly, a, b = pair()
    assembly.concentric(a.at(cone(O, Z, 0.4)), b.at(cone(O, Z, 0.4)), name="Cones")
    assembly.concentric(a.at(sphere(O, 0.02)), b.at(sphere(O, 0.02)), name="Spheres")
    mates = {mate.name: mate for mate in understood(assembly).problem.mates}
    assert [entity.radius for entity in mates["Cones"].entities] == [0.0, 0.0]
    assert [entity.radius for entity in mates["Spheres"].entities] == [0.02, 0.02]


@pytest.mark.parametrize("other", [cone((0, 0, 0.03), Z, 0.4), circle((0, 0, 0.03), Z, 0.01)])
def test_the_point_of_a_cone_is_not_its_apex(other: LocalEntity) -> None:
    """A countersunk screw: its cone and that of its hole, or the edge of the hole, have their points apart."""
    assembly, a, b = pair()
    assembly.coincident(a.at(cone(O, Z, 0.4)), b.at(other))
    assert names(assembly) == {"b-1": "revolute"}
    assert not {"mate-unsatisfied", "mate-contradicted"} & codes(assembly).keys()


@pytest.mark.parametrize("flip", [False, True])
def test_a_flipped_dimension_reverses_a_range_that_no_geometry_decides(flip: bool) -> None:
    assembly, a, b = pair()
    bearing(assembly, a, b, np.zeros(3))
    mate = assembly.angle(a.at(plane(O, X)), b.at(plane(O, X)), value=0.0, limits=(0.0, 1.0))
    flipped = msgspec.structs.replace(of_type(Angle, mate.data), flip_dimension=flip)
    assembly.mates[-1] = msgspec.structs.replace(mate, data=flipped)
    default = understood(assembly).robot
    ignoring = understood(assembly, by_convention(limit_flip="ignored")).robot
    assert limits_of(joint_of(default, "b_joint")) == pytest.approx((-1, 0) if flip else (0, 1))
    assert limits_of(joint_of(ignoring, "b_joint")) == pytest.approx((0, 1))


def hinge_with_limits(angle: float, minimum: float, maximum: float) -> Assembly:
    """A hinge mate that returns these numbers [rad]; the faces that its angle is measured between are 0.5 rad apart."""
    assembly, a, b = pair()
    ends = a.at(plane(O, X)), b.at(plane(O, (np.cos(0.5), np.sin(0.5), 0.0)))
    axes = a.at(shaft(O, Z, 0.01)), b.at(shaft(O, Z, 0.01))
    mate = assembly.hinge(*axes, a.at(plane(O, Z)), b.at(plane(O, Z)), *ends, limits=(minimum, maximum))
    data = msgspec.structs.replace(of_type(Hinge, mate.data), angle=angle)
    assembly.mates[-1] = msgspec.structs.replace(mate, data=data)
    return assembly


def messages(source: Assembly, code: str) -> list[str]:
    return [finding.message for finding in understood(source).findings if finding.code == code]


def test_hinge_limits_with_the_minimum_above_the_maximum_are_a_range_about_the_pose() -> None:
    """Live SolidWorks 2024 returned 0, -60° and 30° for a hinge that was given -30° to 30°."""
    assembly = hinge_with_limits(math.radians(30), 0.0, math.radians(-60))
    half = math.radians(30)
    assert limits_of(joint_of(understood(assembly).robot, "b_joint")) == pytest.approx((-half, half))
    (message,) = messages(assembly, "limit-order")
    assert "minimum (0°) is not below their maximum (-60°)" in message
    assert "taken as -30° to 30° from the assembled pose" in message
    assert not messages(assembly, "mate-contradicted")


@given(st.floats(0.01, 3.0), st.floats(0.0, 1.0), st.floats(-3.0, 3.0))
def test_a_reversed_hinge_range_keeps_its_width_and_contains_the_pose(width: float, share: float, low: float) -> None:
    joint = joint_of(understood(hinge_with_limits(share * width, low + width, low)).robot, "b_joint")
    lower, upper = limits_of(joint)
    assert upper - lower == pytest.approx(width)
    assert lower <= 1e-9
    assert upper >= -1e-9


@pytest.mark.parametrize(("angle", "minimum", "maximum"), [(0.0, 0.0, 0.0), (2.0, 0.0, -1.0), (-0.2, 0.0, -1.0)])
def test_hinge_limits_that_are_no_range_are_reported(angle: float, minimum: float, maximum: float) -> None:
    assembly = hinge_with_limits(angle, minimum, maximum)
    assert joint_of(understood(assembly).robot, "b_joint").limits.lower is None
    (message,) = messages(assembly, "limit-order")
    assert message.endswith("the joint gets no limits from the mate.")


def test_a_limit_distance_with_its_minimum_above_its_maximum_is_reported() -> None:
    for limits, count in (((0.3, 0.1), 1), ((0.2, 0.2), 0), ((0.1, 0.3), 0)):
        assembly, a, b = pair()
        assembly.distance(a.at(plane(O, Z)), b.at(plane((0, 0, 0.2), Z)), value=0.2, limits=limits)
        found = messages(assembly, "limit-order")
        assert len(found) == count
        assert all("minimum (300 mm) is not below their maximum (100 mm)" in message for message in found)


@pytest.mark.parametrize("flip", [False, True])
def test_a_limit_distance_at_zero_goes_the_way_that_live_solidworks_showed(flip: bool) -> None:
    """Live SolidWorks 2026: the -x face of a block 5 mm from the +x face of another; flipped, it goes into it."""
    assembly, a, b = pair()
    for normal in (Y, Z):
        assembly.coincident(a.at(plane(O, normal)), b.at(plane(O, normal)))
    sides = b.at(plane(O, (-1.0, 0.0, 0.0))), a.at(plane(O, X))
    mate = assembly.distance(*sides, value=0.0, limits=(0.0, 0.005), alignment=1)
    data = msgspec.structs.replace(of_type(Distance, mate.data), flip_dimension=flip)
    assembly.mates[-1] = msgspec.structs.replace(mate, data=data)
    robot = understood(assembly).robot
    joint = joint_of(robot, "b_joint")
    (frame,) = [frame.id for frame in robot.frames if frame.joint == joint]
    motion = [Kinematics(robot).poses({joint.name: q})[frame][0, 3] for q in limits_of(joint)]
    assert sorted(motion) == pytest.approx([-0.005, 0.0] if flip else [0.0, 0.005], abs=1e-9)


def test_a_groove_on_two_parts_that_are_rigid_together_holds_its_tab() -> None:
    assembly, a, b = pair()
    wall = assembly.part("wall")
    assembly.lock(a.at(point(O)), wall.at(point(O)))
    groove = a.at(plane((0, 0, 0.01), (0, 0, -1))), wall.at(plane((0, 0, -0.01), Z))
    assembly.width(*groove, b.at(plane((0, 0, 0.008), Z)), b.at(plane((0, 0, -0.008), (0, 0, -1))))
    assert names(assembly) == {"b-1": "planar"}


def telescope(references: tuple[str, ...] = ()) -> Assembly:
    """Two stages, the second on the first, coupled 1 : 2."""
    assembly = Assembly("telescope")
    base, one, two = assembly.part("base").fixed(), assembly.part("one"), assembly.part("two")
    for carrier, stage in ((base, one), (one, two)):
        for normal in (Y, Z):
            assembly.coincident(carrier.at(plane(O, normal)), stage.at(plane(O, normal)))
    assembly.linear_coupler(one.at(line(O, X)), two.at(line(O, X)), ratio=(1, 2), references=references)
    return assembly


def test_a_linear_coupler_measures_against_the_assembly_or_its_reference_components() -> None:
    assert ratio(telescope(), "two_joint") == pytest.approx(1)
    assert ratio(telescope(("base-1", "one-1")), "two_joint") == pytest.approx(2)
    assert ratio(telescope(), "two_joint", by_convention(coupler_reference="parent")) == pytest.approx(2)
    assert understood(telescope()).mobility == 1
    named = [f.message for f in understood(telescope(("base-1", "one-1"))).findings if f.code == "coupling-assumed"]
    assert not any("couplerReference" in message for message in named)


def flexible(*, other_is_fixed: bool) -> Capture:
    unit = Assembly("unit")
    barrel, rod = unit.part("barrel"), unit.part("rod")
    unit.concentric(barrel.at(shaft(O, X, 0.01)), rod.at(shaft(O, X, 0.01)), lock_rotation=True)
    assembly = Assembly("rig")
    base = assembly.part("base")
    ram = assembly.sub(unit).flexible().fixed()
    if other_is_fixed:
        base.fixed()
    bearing(assembly, base, ram / "barrel-1", np.zeros(3))
    return assembly.capture()


def test_a_fixed_flag_grounds_a_flexible_sub_assembly_only_if_nothing_else_is_fixed() -> None:
    seen = infer(flexible(other_is_fixed=True))
    assert sorted(joint.name for joint in joints(seen)) == ["prismatic", "revolute"]
    assert codes(seen)["fixed-flexible"] == ["unit-1"]
    assert together(infer(flexible(other_is_fixed=False)), "", "unit-1")


def used(source: Assembly | Capture, **choices: str) -> dict[str, UsedConvention]:
    return {each.name: each for each in understood(source, by_convention(**choices)).robot.conventions}


def recorded(key: str) -> Assembly:
    """An assembly with one mate, called Mate1, that rests on a convention, and one of that type that does not."""
    assembly, a, b = pair()
    axis, face = shaft(O, Z, 0.01), plane(O, Z)
    if key == "gearRatio":
        return gears(shaft(O, Z, 0.02), shaft(O, Z, 0.01), (2, 1), name="Mate1")
    if key in ("screwUnit", "screwSense"):
        assembly.screw(a.at(axis), b.at(axis), lead=2.0, revolutions=True, name="Mate1")
    elif key == "rackSense":
        bearing(assembly, a, b, np.zeros(3))
        rack = assembly.part("rack")
        for normal in (Y, Z):
            assembly.coincident(a.at(plane(O, normal)), rack.at(plane(O, normal)))
        assembly.rack_pinion(rack.at(line((0, 0.01, 0), X)), b.at(axis), diameter=0.02, name="Mate1")
    elif key == "couplerReference":
        assembly = telescope()
        assembly.mates[-1] = msgspec.structs.replace(assembly.mates[-1], name="Mate1")
    elif key == "coordinateMate":
        assembly.coordinate(a.at(point(O)), b.at(point(O)), name="Mate1")
    elif key == "profileCentre":
        assembly.profile_center(a.at(face), b.at(face), name="Mate1")
        other = assembly.part("other")
        assembly.profile_center(a.at(face), other.at(face), lock_rotation=True, name="Mate2")
    else:
        bearing(assembly, a, b, np.zeros(3))
        for name, end in (("Mate1", X), ("Mate2", (np.cos(0.3), np.sin(0.3), 0.0))):
            value = 0.0 if end is X else 0.3
            mate = assembly.angle(a.at(plane(O, X)), b.at(plane(O, end)), value=value, limits=(0.0, 1.0), name=name)
            flipped = msgspec.structs.replace(of_type(Angle, mate.data), flip_dimension=True)
            assembly.mates[-1] = msgspec.structs.replace(mate, data=flipped)
    return assembly


@pytest.mark.parametrize("key", CONVENTIONS)
def test_a_convention_that_matters_is_recorded_with_its_choice_and_its_mates(key: str) -> None:
    fields = {field.encode_name: field.name for field in msgspec.structs.fields(ConventionSettings)}
    default, *others = CONVENTIONS[key].choices
    for choice in (default, *others):
        found = used(recorded(key), **{fields[key]: choice})[key]
        assert found == UsedConvention(name=key, choice=choice, is_set=choice != default, mates=("Mate1",))


def test_a_convention_that_does_not_matter_is_not_recorded() -> None:
    assert used(gears(line(O, Z), line(O, Z), (1, 1))) == {}  # the same either way round
    assembly = gears(line(O, Z), line(O, Z), (1, 4), name="Gear1")
    duplicate = assembly.mates[-1]
    assembly.mates.append(msgspec.structs.replace(duplicate, name="Gear2", id=1000))
    assert used(assembly)["gearRatio"].mates == ("Gear1",)
    assembly, a, b = pair()
    assembly.lock(a.at(point(O)), b.at(point(O)))
    assembly.gear(a.at(shaft(O, Z, 0.01)), b.at(shaft(O, Z, 0.02)), ratio=(1, 2))
    assert used(assembly) == {}


def test_the_conventions_of_a_screw_joint_are_reported() -> None:
    assembly, a, b = pair()
    assembly.screw(a.at(shaft(O, Z, 0.01)), b.at(shaft(O, Z, 0.01)), lead=4.0, revolutions=True)
    messages = [f.message for f in understood(assembly).findings if f.code == "coupling-assumed"]
    assert any("screwSense" in message for message in messages)
    assert any("screwUnit" in message for message in messages)
