"""Images of mirror component features move as the images of their sources."""

from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace
from tests.grm.inference.looking import O, X, Y, Z, at, bearing, codes, names, together, understood
from tests.grm.inference.test_noise import check
from tests.lookups import coupling_of, joint_of, limits_of

from swgrm.inference import Inference
from swgrm.inference.geometry.twists import Array
from swgrm.inference.mechanism.mirror_images import LOCAL
from swgrm.kinematics import Kinematics
from swgrm.transforms import inverse
from swgrm_mocks.builder import Assembly, AssemblyComponent, Part
from swgrm_mocks.mates import plane, point

S = np.diag([-1.0, 1.0, 1.0, 1.0])  # the reflection in the plane x = 0
ACROSS_X = np.array([[0.0, 0, 1, 0], [1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 0, 1]])  # a plane whose z is x


def image_of(source: AssemblyComponent, local: Array = LOCAL[1]) -> Array:
    """The pose of the image of a component, in one of the four orientations."""
    T = S @ source.T_assembly_self
    T[:3, :3] = T[:3, :3] @ local
    return T


def gripper(local: Array = LOCAL[1], *, opposite_hand: bool = False) -> Assembly:
    """A finger on a hinge of a palm, and its image, which has no mates."""
    assembly = Assembly("gripper")
    palm = assembly.part("palm").fixed()
    part = Part("finger")
    finger = assembly.part(part, at(0.05, 0.02))
    bearing(assembly, palm, finger, np.array([0.05, 0.02, 0]))
    image = Part("finger_mirrored") if opposite_hand else part
    assembly.part(image, image_of(finger, local)).state(mirrored=True)
    if opposite_hand:
        assembly.mirror(ACROSS_X, opposite_hand=(finger,))
    else:
        assembly.mirror(ACROSS_X, finger)
    return assembly


def check_images(seen: Inference, **positions: float) -> None:
    """Check that each image moves as the reflection of its source; x is x in the base's space too."""
    kinematics = Kinematics(seen.robot)
    before, after = kinematics.poses({}), kinematics.poses(positions)
    moved = {name: after[name] @ inverse(before[name]) for name in (frame.id for frame in seen.robot.frames)}
    sources = [name for name in moved if name.endswith("_1")]
    assert sources
    for source in sources:
        assert not np.allclose(moved[source], np.eye(4))
        assert np.allclose(moved[source.removesuffix("1") + "2"], S @ moved[source] @ S)


@pytest.mark.trap("R3")
@pytest.mark.parametrize("local", LOCAL, ids=["z", "x", "y", "xyz"])
def test_an_image_moves_as_the_image_of_its_source(local: Array) -> None:
    seen = check(gripper(local).capture(), 3)
    assert seen.mobility == 1
    assert codes(seen)["mirror-image"] == ["finger-2"]
    assert "copy" not in codes(seen)
    assert names(seen) == {"finger-1": "revolute", "finger-2": "revolute"}
    assert coupling_of(seen.robot, "finger_2_joint").joint == "finger_1_joint"
    check_images(seen, finger_1_joint=0.4)


def test_an_image_of_the_opposite_hand_is_another_part() -> None:
    seen = check(gripper(opposite_hand=True).capture(), 3)
    assert seen.mobility == 1
    assert codes(seen)["mirror-image"] == ["finger_mirrored-1"]
    assert coupling_of(seen.robot, "finger_mirrored_joint").ratio == pytest.approx(-1)


def test_without_the_feature_an_image_moves_by_itself() -> None:
    assembly = gripper()
    assembly.mirrors.clear()
    seen = understood(assembly)
    assert seen.mobility == 2
    assert codes(seen)["copy"] == ["finger-2"]


@pytest.mark.parametrize("fields", [{"suppressed": True}, {"plane": ()}])
def test_a_feature_that_is_suppressed_or_whose_plane_is_unknown_is_not_used(fields: dict[str, Any]) -> None:
    assembly = gripper()
    assembly.mirrors[0] = replace(assembly.mirrors[0], **fields)
    assert understood(assembly).mobility == 2


def test_images_of_a_whole_limb_follow_it_with_its_limits() -> None:
    assembly = Assembly("limbs")
    base = assembly.part("base").fixed()
    parts = [Part("upper"), Part("lower")]
    upper, lower = assembly.part(parts[0], at(0.1)), assembly.part(parts[1], at(0.3, 0.05))
    bearing(assembly, base, upper, np.array([0.1, 0, 0]), Y)
    for normal in (Y, Z):
        assembly.coincident(upper.at(plane((0, 0.05, 0), normal)), lower.at(plane(O, normal)))
    ends = upper.at(plane(O, X)), lower.at(plane(O, X))
    assembly.distance(*ends, value=0.2, limits=(0.15, 0.3))
    for source in (upper, lower):
        assembly.part(source.file, image_of(source))  # type: ignore[arg-type] # parts
    assembly.mirror(ACROSS_X, upper, lower)
    seen = check(assembly.capture(), 3)
    assert seen.mobility == 2
    assert names(seen) == {
        f"{part}-{k}": kind for part, kind in (("upper", "revolute"), ("lower", "prismatic")) for k in (1, 2)
    }
    check_images(seen, upper_1_joint=0.4, lower_1_joint=0.02)
    low, high = limits_of(joint_of(seen.robot, "lower_1_joint"))
    assert high - low == pytest.approx(0.15)
    low, high = limits_of(joint_of(seen.robot, "lower_2_joint"))
    assert high - low == pytest.approx(0.15)


def test_the_image_of_a_part_that_does_not_move_does_not_move() -> None:
    assembly = Assembly("brackets")
    base = assembly.part("base").fixed()
    bracket = assembly.part(Part("bracket"), at(0.1))
    assembly.lock(base.at(point(O)), bracket.at(point(O)))
    assembly.part(bracket.file, image_of(bracket))  # type: ignore[arg-type] # a part
    assembly.mirror(ACROSS_X, bracket)
    assert together(understood(assembly), "", "bracket-1", "bracket-2")


def test_an_image_whose_source_is_on_a_part_that_moves_is_reported() -> None:
    assembly = Assembly("arm")
    base, arm = assembly.part("base").fixed(), assembly.part("arm")
    bearing(assembly, base, arm, np.zeros(3))
    finger = assembly.part(Part("finger"), at(0.1))
    bearing(assembly, arm, finger, np.array([0.1, 0, 0]))
    assembly.part(finger.file, image_of(finger))  # type: ignore[arg-type] # a part
    assembly.mirror(ACROSS_X, finger)
    seen = understood(assembly)
    assert codes(seen)["mirror-unused"] == ["finger-2"]
    assert "finger-1" in names(seen)


def test_a_source_without_an_image_is_reported() -> None:
    assembly = gripper()
    assembly.children.pop()
    assert codes(understood(assembly))["mirror-not-found"] == ["finger-1"]


def test_a_feature_of_a_flexible_sub_assembly_acts_where_its_instance_is() -> None:
    inner = gripper()
    assembly = Assembly("robot")
    base = assembly.part("base").fixed()
    sub = assembly.sub(inner, at(0.3, 0.2, 0.1) @ ACROSS_X).flexible()
    assembly.lock(base.at(point(O)), (sub / "palm-1").at(point(O)))
    seen = understood(assembly)
    assert seen.mobility == 1
    assert codes(seen)["mirror-image"] == ["gripper-1/finger-2"]
