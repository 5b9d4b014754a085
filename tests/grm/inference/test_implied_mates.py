"""A mate that takes nothing away changes nothing: the pair that was mated as a joint stays the joint."""

import itertools
from collections.abc import Callable

import numpy as np
import pytest
from msgspec.structs import replace
from tests.grm.inference.looking import O, X, Y, Z, bearing, codes, joints, serial_arm, understood
from tests.grm.inference.test_mechanisms import Linkage
from tests.lookups import coupling_of, joint_of, limits_of
from tests.noise import noisy

from swgrm.inference import Inference
from swgrm_mocks.builder import Assembly, AssemblyComponent
from swgrm_mocks.mates import plane, shaft

STROKE = (0.0, 0.4)  # [m] of the stages below
AT = 0.2  # [m] where they are assembled


def slide(assembly: Assembly, one: AssemblyComponent, other: AssemblyComponent, *, is_limited: bool = True) -> None:
    """Two faces in contact, so that one part slides along x on the other, and the limits of its stroke."""
    for normal in (Y, Z):
        assembly.coincident(one.at(plane(O, normal)), other.at(plane(O, normal)))
    if is_limited:
        faces = one.at(plane((-AT, 0, 0), X)), other.at(plane(O, X))
        assembly.distance(*faces, value=AT, limits=STROKE)


def telescope(stages: int, *, is_limited: bool = True) -> Assembly:
    """A bed and stages that slide on it, each on the one before."""
    assembly = Assembly("telescope")
    parts = [assembly.part(name) for name in ("bed", *(f"stage{k}" for k in range(1, stages + 1)))]
    parts[0].fixed()
    for one, other in itertools.pairwise(parts):
        slide(assembly, one, other, is_limited=is_limited)
    return assembly


def parents(seen: Inference) -> dict[str, str]:
    """The parent component of each moving one."""
    return {joint.child: joint.parent for joint in joints(seen)}


IN_LINE = {"stage1-1": "bed-1", "stage2-1": "stage1-1", "stage3-1": "stage2-1"}


def check_line(seen: Inference, *, is_limited: bool = True) -> None:
    """Check that three stages slide each on the one before, each with its own stroke."""
    assert parents(seen) == IN_LINE
    assert {joint.name for joint in joints(seen)} == {"prismatic"}
    assert not seen.robot.loop_joints
    assert seen.mobility == 3
    for name in ("stage1", "stage2", "stage3") if is_limited else ():
        assert np.allclose(limits_of(joint_of(seen.robot, f"{name}_joint")), [-AT, AT], atol=1e-7)
    assert "limit-loop" not in codes(seen)


def square(assembly: Assembly, one: str, other: str, *normals: tuple[float, ...], kind: str = "coincident") -> Assembly:
    """The assembly with implied mates between faces of two parts."""
    parts = {part.name: part for part in assembly.children}
    for normal in normals:
        faces = (parts[f"{name}-1"].at(plane(O, normal)) for name in (one, other))
        getattr(assembly, kind)(*faces, name=f"Implied{len(assembly.mates)}")
    return assembly


IMPLIED: dict[str, Callable[[Assembly], Assembly]] = {
    "one face to the bed": lambda a: square(a, "bed", "stage2", Z),
    "last stage parallel to the bed": lambda a: square(a, "bed", "stage3", Y, kind="parallel"),
    "each stage square to the bed": lambda a: square(square(a, "bed", "stage2", Z), "bed", "stage3", Y),
    "last stage in contact with the bed": lambda a: square(a, "bed", "stage3", Y, Z),
    "second stage in contact with the bed": lambda a: square(a, "bed", "stage2", Y, Z),
    "every stage in contact with every other": lambda a: square(
        square(square(a, "bed", "stage3", Y, Z), "bed", "stage2", Y, Z), "stage1", "stage3", Y, Z
    ),
}


@pytest.mark.parametrize("is_limited", [True, False])
@pytest.mark.parametrize("level", [0.0, 1e-8])
@pytest.mark.parametrize("name", sorted(IMPLIED))
def test_a_redundant_mate_does_not_take_the_place_of_a_slide(name: str, level: float, is_limited: bool) -> None:
    assembly = IMPLIED[name](telescope(3, is_limited=is_limited))
    seen = understood(noisy(assembly.capture(), level, 3))
    check_line(seen, is_limited=is_limited)
    assert sorted(codes(seen)["mate-redundant"]) == sorted(m.name for m in assembly.mates if "Implied" in m.name)


@pytest.mark.parametrize("name", sorted(IMPLIED))
def test_limits_tell_the_joint_where_the_redundant_mates_were_made_first(name: str) -> None:
    """Mates are not always made in the order of the machine: the implied ones get the lowest identifiers."""
    assembly = IMPLIED[name](telescope(3))
    implied = [mate for mate in assembly.mates if "Implied" in mate.name]
    others = [mate for mate in assembly.mates if "Implied" not in mate.name]
    assembly.mates = [replace(mate, id=k) for k, mate in enumerate([*implied, *others])]
    check_line(understood(assembly))


def test_a_distance_of_the_last_stage_to_the_bed_is_no_joint() -> None:
    """A limit between the bed and the last stage holds them parallel, which the slides do already."""
    assembly = telescope(3, is_limited=False)
    bed, last = assembly.children[0], assembly.children[-1]
    faces = bed.at(plane((-AT, 0, 0), X)), last.at(plane(O, X))
    assembly.distance(*faces, value=AT, limits=STROKE, name="Reach1")
    seen = understood(assembly)
    check_line(seen, is_limited=False)
    assert codes(seen)["limit-several"] == ["Reach1"]


def mast(stages: int) -> Assembly:
    """Round stages in each other, each kept from turning by a face parallel to the base: no mate is redundant."""
    assembly = Assembly("mast")
    parts = [assembly.part(name) for name in ("bed", *(f"stage{k}" for k in range(1, stages + 1)))]
    parts[0].fixed()
    for one, other in itertools.pairwise(parts):
        assembly.concentric(one.at(shaft(O, X, 0.02)), other.at(shaft(O, X, 0.02)))
        assembly.parallel(parts[0].at(plane(O, Y)), other.at(plane(O, Y)))
    return assembly


@pytest.mark.parametrize("level", [0.0, 1e-8])
def test_stages_that_are_parallel_to_the_bed_hang_on_each_other(level: float) -> None:
    seen = understood(noisy(mast(3).capture(), level, 3))
    check_line(seen, is_limited=False)
    assert len(codes(seen)["mate-in-joints"]) == 2  # those of the second and the third stage


def test_a_part_that_is_only_aligned_with_its_neighbour_hangs_on_the_rail() -> None:
    """Two carriages on one rod: the second is square to the first, and more so than it needs to be."""
    assembly = Assembly("rail")
    rail, first, second = (assembly.part(name) for name in ("rail", "first", "second"))
    rail.fixed()
    assembly.concentric(rail.at(shaft(O, X, 0.02)), first.at(shaft(O, X, 0.02)))
    assembly.parallel(rail.at(plane(O, Y)), first.at(plane(O, Y)))
    assembly.concentric(rail.at(shaft(O, X, 0.02)), second.at(shaft(O, X, 0.02)))
    for normal in (Y, Z):
        assembly.coincident(first.at(plane(O, normal)), second.at(plane(O, normal)))
    seen = understood(assembly)
    assert parents(seen) == {"first-1": "rail-1", "second-1": "rail-1"}
    assert {joint.name for joint in joints(seen)} == {"prismatic"}
    assert not seen.robot.loop_joints


def test_a_carriage_that_slides_on_another_one_is_its_child() -> None:
    """The counter-case: the rod does not hold the second carriage, the first one does."""
    assembly = telescope(2, is_limited=False)
    assert parents(understood(assembly)) == {"stage1-1": "bed-1", "stage2-1": "stage1-1"}


def spindle() -> Assembly:
    """A sleeve that slides in the housing, a spindle that turns in it, a tool in that, all concentric with it."""
    assembly = Assembly("spindle")
    housing, sleeve, spindle, tool = (assembly.part(name) for name in ("housing", "sleeve", "spindle", "tool"))
    housing.fixed()
    bore = shaft(O, X, 0.02)
    assembly.concentric(housing.at(bore), sleeve.at(bore), lock_rotation=True)
    for part in (spindle, tool):
        assembly.concentric(housing.at(bore), part.at(bore), name=f"Coaxial {part.name}")
    bearing(assembly, sleeve, spindle, np.zeros(3), X)
    bearing(assembly, spindle, tool, np.zeros(3), X)
    return assembly


def test_coaxial_parts_turn_in_each_other_not_in_the_housing() -> None:
    seen = understood(spindle())
    assert parents(seen) == {"sleeve-1": "housing-1", "spindle-1": "sleeve-1", "tool-1": "spindle-1"}
    assert seen.mobility == 3
    assert not seen.robot.loop_joints
    assert sorted(codes(seen)["mate-redundant"]) == ["Coaxial spindle-1", "Coaxial tool-1"]


def test_wheels_on_one_axle_line_turn_in_the_car() -> None:
    """The counter-case: parts that share an axis hang on what they are mated to, not on each other."""
    bar = Linkage("car", "left", "right").r("car", "left", (0, 0, 0.1)).r("car", "right", (0, 0, -0.1))
    bar.c("left", "right", O)
    assert parents(understood(bar.assembly)) == {"left-1": "car-1", "right-1": "car-1"}


def lift() -> Assembly:
    """Crossed arms between a base and a table; the table's height is limited."""
    bar = Linkage("base", "one", "other", "table", "foot", "head")
    bar.r("base", "one", O).r("one", "other", (0.2, 0.1, 0)).r("other", "table", (0, 0.2, 0))
    for part, floor, y in (("foot", "base", 0.0), ("head", "table", 0.2)):
        bar.r(part, "other" if part == "foot" else "one", (0.4, y, 0)).p(floor, part, (0.4, y, 0), Y, Z)
    return bar.assembly


@pytest.mark.parametrize("level", [0.0, 1e-8])
def test_the_height_limit_of_a_lift_is_no_joint(level: float) -> None:
    plain, limited = lift(), lift()
    base, table = limited.children[0], limited.children[3]
    limited.distance(
        base.at(plane(O, Y)), table.at(plane((0, 0.2, 0), Y)), value=0.2, limits=(0.1, 0.3), name="Height1"
    )
    before, seen = (understood(noisy(assembly.capture(), level, 3)) for assembly in (plain, limited))
    assert parents(seen) == parents(before)
    assert len(seen.robot.loop_joints) == len(before.robot.loop_joints)
    assert seen.mobility == before.mobility == 1
    # sin⁻¹ of half the height over half an arm, less than as assembled
    arm = np.hypot(0.4, 0.2)
    swing = [np.arcsin(height / arm) - np.arcsin(0.2 / arm) for height in (0.1, 0.3)]
    found = limits_of(joint_of(seen.robot, "one_joint"))
    assert np.allclose(np.sort(np.abs(found)), np.sort(np.abs(swing)), atol=1e-6)


def coupled_slides() -> Assembly:
    """Three stages; linear couplers make each move as far as the one before it."""
    assembly = telescope(3, is_limited=False)
    bed, one, two, three = assembly.children
    ends = [(one, two, bed, one), (two, three, one, two)]
    for first, second, under_first, under_second in ends:
        faces = (part.at(plane(O, X)) for part in (first, second))
        assembly.linear_coupler(*faces, ratio=(1, 1), references=(under_first.name, under_second.name))
    return assembly


def test_couplers_of_stages_do_not_choose_the_wrong_pair() -> None:
    plain, mated = coupled_slides(), square(coupled_slides(), "bed", "stage3", Y, Z)
    for seen in map(understood, (plain, mated)):
        assert parents(seen) == IN_LINE
        for follower, leader in (("stage2", "stage1"), ("stage3", "stage2")):
            coupling = coupling_of(seen.robot, f"{follower}_joint")
            assert coupling.joint == f"{leader}_joint"
            assert coupling.ratio == pytest.approx(1)


def gripper(*extra: str) -> Assembly:
    """Two jaws that slide on a body, symmetric about its middle, with more mates between them."""
    assembly = Assembly("gripper")
    body, left, right = (assembly.part(name) for name in ("body", "left", "right"))
    body.fixed()
    slide(assembly, body, left, is_limited=False)
    slide(assembly, body, right, is_limited=False)
    faces = left.at(plane((-0.05, 0, 0), X)), right.at(plane((0.05, 0, 0), X))
    assembly.symmetric(*faces, body.at(plane(O, X)), name="Symmetric1")
    if "parallel" in extra:
        assembly.parallel(left.at(plane(O, Y)), right.at(plane(O, Y)), name="Parallel1")
    if "face" in extra:
        assembly.coincident(left.at(plane(O, Z)), right.at(plane(O, Z)), name="Face1")
    if "opening" in extra:
        assembly.distance(*faces, value=0.1, limits=(0.02, 0.16), name="Opening1")
    return assembly


@pytest.mark.parametrize("level", [0.0, 1e-8])
@pytest.mark.parametrize("extra", [(), ("parallel",), ("face",), ("opening",), ("parallel", "face", "opening")])
def test_symmetric_jaws_stay_tied_whatever_else_is_mated_between_them(extra: tuple[str, ...], level: float) -> None:
    seen = understood(noisy(gripper(*extra).capture(), level, 3))
    assert seen.mobility == 1
    assert parents(seen) == {"left-1": "body-1", "right-1": "body-1"}
    assert not seen.robot.loop_joints
    coupling = coupling_of(seen.robot, "right_joint")
    assert coupling.joint == "left_joint"
    assert coupling.ratio == pytest.approx(-1)
    assert "clocking-loop" not in codes(seen)
    if "opening" in extra:
        assert np.allclose(np.abs(limits_of(joint_of(seen.robot, "left_joint"))), [0.03, 0.04], atol=1e-7)


def test_an_angle_that_does_hold_symmetric_jaws_is_reported() -> None:
    """The counter-case: jaws that turn, symmetric about a plane, and a parallel mate that holds them."""
    bar = Linkage("base", "left", "right").r("base", "left", (-0.1, 0, 0)).r("base", "right", (0.1, 0, 0))
    left, right = bar.of("left", "right")
    bar.assembly.parallel(left.at(plane(O, Y)), right.at(plane(O, Y)), name="Parallel1")
    assert understood(bar.assembly).mobility == 1
    assert codes(bar.assembly)["clocking-loop"] == ["Parallel1"]


def test_redundant_mates_do_not_move_the_base_of_a_loose_robot() -> None:
    """Nothing is fixed: the base is the body with most joints, and a redundant mate is not a joint."""
    plain, mated = serial_arm(5, fixed=0), serial_arm(5, fixed=0)
    for assembly in (plain, mated):
        assembly.children[0].is_fixed = False
    links = mated.children
    for k in (0, 1, 2):
        mated.parallel(links[k].at(plane(O, Z)), links[4].at(plane(O, Z)), name=f"Level{k}")
    before, seen = understood(plain), understood(mated)
    assert seen.tree.root == before.tree.root
    assert parents(seen) == parents(before)


def test_a_range_that_only_a_redundant_pair_has_is_carried_over() -> None:
    """The last of three coupled stages is limited to the bed, then mated to it in full: one joint moves them all."""
    assembly = coupled_slides()
    bed, last = assembly.children[0], assembly.children[-1]
    assembly.distance(bed.at(plane((-AT, 0, 0), X)), last.at(plane(O, X)), value=AT, limits=STROKE, name="Reach1")
    seen = understood(square(assembly, "bed", "stage3", Y, Z))
    assert parents(seen) == IN_LINE
    assert np.allclose(limits_of(joint_of(seen.robot, "stage1_joint")), [-AT / 3, AT / 3], atol=1e-7)
    assert len(codes(seen)["mate-redundant"]) == 2


def test_a_slide_that_was_limited_as_a_whole_is_the_joint() -> None:
    """The counter-case: the last stage slides on the bed within limits, and was then made square to its neighbour."""
    assembly = telescope(1)
    bed = assembly.children[0]
    second = assembly.part("stage2")
    slide(assembly, bed, second)
    seen = understood(square(assembly, "stage1", "stage2", Y, Z))
    assert parents(seen) == {"stage1-1": "bed-1", "stage2-1": "bed-1"}
    assert np.allclose(limits_of(joint_of(seen.robot, "stage2_joint")), [-AT, AT], atol=1e-7)
