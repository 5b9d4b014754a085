"""Images of mirror component features move by themselves, or as the images of their sources."""

from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace
from tests.grm.inference.looking import O, X, Y, Z, at, bearing, codes, names, together, understood
from tests.grm.inference.test_noise import check
from tests.lookups import coupling_of, joint_of, limits_of

from swgrm.errors import SettingsError
from swgrm.inference import Inference
from swgrm.inference.geometry.twists import Array
from swgrm.inference.mechanism.mirror_images import LOCAL
from swgrm.kinematics.forward import Kinematics
from swgrm.settings import Settings
from swgrm.transforms import inverse
from swgrm_mocks.builder import Assembly, AssemblyComponent, Part
from swgrm_mocks.mates import line, plane, point, shaft
from swgrm_mocks.solids import box

TIED = Settings(mirrors={"all": "tied"})
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
    seen = check(gripper(local).capture(), 3, TIED)
    assert seen.mobility == 1
    assert codes(seen)["mirror-image"] == ["finger-2"]
    assert "copy" not in codes(seen)
    assert names(seen) == {"finger-1": "revolute", "finger-2": "revolute"}
    assert coupling_of(seen.robot, "finger_2_joint").joint == "finger_1_joint"
    check_images(seen, finger_1_joint=0.4)


def test_an_image_of_the_opposite_hand_is_another_part() -> None:
    seen = check(gripper(opposite_hand=True).capture(), 3, TIED)
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
    seen = check(assembly.capture(), 3, TIED)
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
    seen = understood(assembly, TIED)
    assert seen.mobility == 1
    assert codes(seen)["mirror-image"] == ["gripper-1/finger-2"]


def vehicle(*, with_image: bool = True) -> Assembly:
    """A chassis with a wheel that is mirrored, and two wheels of the same part with hinges of their own."""
    assembly = Assembly("vehicle")
    chassis = assembly.part("chassis").fixed()
    part = Part("wheel")
    left = assembly.part(part, at(0.2, 0.3))
    bearing(assembly, chassis, left, np.array([0.2, 0.3, 0]), X)
    if with_image:
        assembly.part(part, image_of(left)).state(mirrored=True)
    for x in (-0.2, 0.2):
        wheel = assembly.part(part, at(x, -0.3))
        bearing(assembly, chassis, wheel, np.array([x, -0.3, 0]), X)
    assembly.mirror(ACROSS_X, left)
    return assembly


class TestWhatIsAnImage:
    @pytest.mark.trap("R3")
    def test_a_wheel_with_mates_of_its_own_is_not_the_image_of_another(self) -> None:
        """The image is suppressed in this configuration, or was deleted."""
        assembly = vehicle()
        assembly.children[2].state(suppression=0)
        for source in (assembly, vehicle(with_image=False)):
            seen = understood(source)
            assert seen.mobility == 3
            assert codes(seen)["mirror-not-found"] == ["wheel-1"]

    def test_the_image_itself_is_found_beside_them(self) -> None:
        seen = understood(vehicle(), TIED)
        assert seen.mobility == 3  # of four wheels
        assert codes(seen)["mirror-image"] == ["wheel-2"]

    def test_another_part_is_not_the_image_of_the_opposite_hand(self) -> None:
        """The image of the arm is suppressed; the head, which has no mates, is turned like everything else."""
        assembly = Assembly("torso")
        torso = assembly.part("torso").fixed()
        arm = assembly.part(Part("armL"), at(0.3))
        bearing(assembly, torso, arm, np.array([0.3, 0, 0]))
        assembly.part("head", at(0, 0, 0.5))
        assembly.mirror(ACROSS_X, opposite_hand=(arm,))
        seen = understood(assembly)
        assert codes(seen)["mirror-not-found"] == ["armL-1"]
        assert names(seen) == {"armL-1": "revolute"}

    def test_the_mirror_of_another_file_is_not_its_image(self) -> None:
        assembly = gripper(opposite_hand=True)
        image = assembly.children[-1].file
        assert isinstance(image, Part)
        image.mirror_of = "C:\\Robots\\thumb.SLDPRT"
        assert codes(understood(assembly))["mirror-not-found"] == ["finger-1"]

    @pytest.mark.parametrize(("shift", "is_image"), [(0.03, True), (0.3, False)])
    def test_an_image_that_is_aligned_by_its_box_is_found(self, shift: float, is_image: bool) -> None:
        """The part is not in the middle of its own coordinates, so the origin of the image is elsewhere."""
        assembly = Assembly("gripper")
        palm = assembly.part("palm").fixed()
        part = Part("finger", box(0.1, 0.02, 0.02).moved(at(0.015)))
        finger = assembly.part(part, at(0.2))
        bearing(assembly, palm, finger, np.array([0.2, 0, 0]))
        T = image_of(finger, LOCAL[0])  # turned about z, as seen in the mirror without the sign of x
        T[0, 3] -= shift
        assembly.part(part, T)
        assembly.mirror(ACROSS_X, finger)
        assert ("mirror-independent" in codes(understood(assembly))) == is_image


class TestIndependentImages:
    def drive(self) -> Assembly:
        """A differential drive: the right wheel is the image of the left one."""
        assembly = Assembly("drive")
        chassis = assembly.part("chassis").fixed()
        wheel = assembly.part(Part("wheel"), at(0.2))
        bearing(assembly, chassis, wheel, np.array([0.2, 0, 0]), X)
        assembly.part(wheel.file, image_of(wheel))  # type: ignore[arg-type] # a part
        assembly.mirror(ACROSS_X, wheel, name="Mirror1")
        return assembly

    @pytest.mark.trap("R3")
    def test_the_wheels_of_a_differential_drive_turn_one_by_one(self) -> None:
        seen = check(self.drive().capture(), 5)
        assert seen.mobility == 2
        assert all(frame.joint is None or frame.joint.coupling is None for frame in seen.robot.frames)
        (finding,) = (finding for finding in seen.findings if finding.code == "mirror-independent")
        assert finding.where == "component wheel-2"
        assert "`tied` under `mirrors`" in finding.remedy

    @pytest.mark.parametrize("key", ["all", "wheel-2"])
    def test_a_setting_moves_them_as_solidworks_does(self, key: str) -> None:
        seen = understood(self.drive(), Settings(mirrors={key: "tied"}))
        assert seen.mobility == 1
        (finding,) = (finding for finding in seen.findings if finding.code == "mirror-image")
        assert "`independent` under `mirrors`" in finding.remedy

    def test_one_image_is_released_where_all_are_tied(self) -> None:
        assert understood(self.drive(), Settings(mirrors={"all": "tied", "wheel-2": "independent"})).mobility == 2

    @pytest.mark.parametrize("name", ["wheel-1", "wheel-9"])
    def test_a_name_that_is_not_an_image_is_an_error(self, name: str) -> None:
        with pytest.raises(SettingsError, match="wheel-2"):
            understood(self.drive(), Settings(mirrors={name: "tied"}))

    def test_an_image_whose_mates_are_incomplete_follows_its_source(self) -> None:
        """The finger is also held parallel to a rod that is not mirrored: its image has no such rod."""
        assembly = gripper()
        palm, finger = assembly.children[:2]
        rod = assembly.part("rod", at(0.1))
        bearing(assembly, palm, rod, np.array([0.1, 0, 0]))
        assembly.parallel(finger.at(plane(O, X)), rod.at(plane(O, X)))
        seen = understood(assembly)
        assert codes(seen)["mirror-image"] == ["finger-2"]
        assert seen.mobility == 1
        assert understood(assembly, Settings(mirrors={"finger-2": "independent"})).mobility == 2

    def test_gears_that_are_mirrored_together_stay_coupled(self) -> None:
        assembly = Assembly("gears")
        frame = assembly.part("frame").fixed()
        pinion, rack = assembly.part(Part("pinion"), at(0.2)), assembly.part(Part("rack"), at(0.2, 0.05))
        bearing(assembly, frame, pinion, np.array([0.2, 0, 0]))
        for normal in (Y, Z):
            assembly.coincident(frame.at(plane((0, 0.05, 0), normal)), rack.at(plane(O, normal)))
        assembly.rack_pinion(rack.at(line(O, X)), pinion.at(shaft(O, Z, 0.05)), diameter=0.1)
        for source in (pinion, rack):
            assembly.part(source.file, image_of(source))  # type: ignore[arg-type] # parts
        assembly.mirror(ACROSS_X, pinion, rack)
        assert understood(assembly).mobility == 2
        tied = understood(assembly, TIED)
        assert tied.mobility == 1
        # Each image moves as the image of its source also if only the sources' couplings drive it.
        seen = understood(assembly)
        kinematics = Kinematics(seen.robot)
        leader = coupling_of(seen.robot, "rack_1_joint").joint
        assert leader == "pinion_1_joint"
        ratio = [coupling_of(seen.robot, f"rack_{k}_joint").ratio for k in (1, 2)]
        poses = {f"pinion_{k}_joint": sign * 0.3 for k, sign in ((1, 1), (2, -1))}
        before, after = kinematics.poses({}), kinematics.poses(poses)
        moved = {k: (after[f"rack_{k}"] @ inverse(before[f"rack_{k}"]))[:3, 3] for k in (1, 2)}
        axes = [joint.chain[0].axis[2] for name in ("pinion-1", "pinion-2") for joint in seen.tree.joints
                if seen.body_name(joint.child) == name]  # fmt: skip
        assert axes[0] == axes[1]  # so the image turns by the opposite angle
        assert np.allclose(moved[2], S[:3, :3] @ moved[1]), ratio

    def test_a_mate_between_two_mirrored_parts_is_listed_once(self) -> None:
        assembly = Assembly("limbs")
        base = assembly.part("base").fixed()
        upper, lower = assembly.part(Part("upper"), at(0.1)), assembly.part(Part("lower"), at(0.3))
        bearing(assembly, base, upper, np.array([0.1, 0, 0]))
        bearing(assembly, upper, lower, np.array([0.3, 0, 0]))
        for source in (upper, lower):
            assembly.part(source.file, image_of(source))  # type: ignore[arg-type] # parts
        assembly.mirror(ACROSS_X, upper, lower)
        seen = understood(assembly)
        assert seen.mobility == 4
        assert len(seen.problem.mates) == 8
