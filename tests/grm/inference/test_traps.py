"""Traps of real assemblies: each test is a case that led some exporter to a wrong robot."""

import msgspec
import numpy as np
import pytest
from tests.grm.inference.looking import O, X, Y, Z, at, bearing, codes, joints, names, serial_arm, together, understood
from tests.lookups import coupling_of, limits_of, of_type, only_joint, present

from swgrm.capture import Hinge, Mate
from swgrm.model import JointType, Limits, Segment, Vec3
from swgrm.settings import BaseSettings, ConventionSettings, FrameSettings, JointSettings, MateSettings, Settings
from swgrm.solidworks.fasteners import is_named_like_fastener
from swgrm_mocks.builder import Assembly, AssemblyComponent, Part
from swgrm_mocks.mates import LocalEntity, circle, ground, line, plane, point, shaft, sphere
from swgrm_mocks.solids import box

R, P, S, H = JointType.REVOLUTE, JointType.PRISMATIC, JointType.BALL, JointType.SCREW


def pair() -> tuple[Assembly, AssemblyComponent, AssemblyComponent]:
    """Two parts, the first one fixed."""
    assembly = Assembly("pair")
    return assembly, assembly.part("a").fixed(), assembly.part("b")


class TestReadingMates:
    @pytest.mark.trap("R2")
    def test_an_entity_without_component_belongs_to_the_one_that_returned_the_mate(self) -> None:
        assembly, a, b = pair()
        assembly.concentric(a.at(shaft(O, Z, 0.01)), b.at(shaft(O, Z, 0.01)))
        assembly.coincident(a.at(plane(O, Z)), b.at(plane(O, Z)))
        capture = assembly.capture()

        def nameless(mate: Mate) -> Mate:
            first, second = mate.entities
            return msgspec.structs.replace(mate, entities=(first, msgspec.structs.replace(second, component=None)))

        documents = tuple(
            msgspec.structs.replace(d, mates=tuple(nameless(m) for m in d.mates)) for d in capture.documents
        )
        assert joints(msgspec.structs.replace(capture, documents=documents)) == [("a-1", "b-1", "revolute", (R,))]

    @pytest.mark.trap("R2", "P15")
    def test_mates_to_the_assemblys_own_geometry_are_mates_to_ground(self) -> None:
        assembly = Assembly("own")
        arm = assembly.part("arm")
        assembly.concentric(ground(line(O, Z)), arm.at(shaft(O, Z, 0.01)))
        assembly.coincident(ground(plane(O, Z)), arm.at(plane(O, Z)))
        assert joints(assembly) == [("ground", "arm-1", "revolute", (R,))]

    @pytest.mark.parametrize(
        ("state", "code"),
        [({"suppressed": True}, "mate-suppressed"), ({"error": 43}, "mate-failed"), ({"error": 48}, "mate-broken")],
    )
    @pytest.mark.trap("R6")
    def test_a_suppressed_or_failed_mate_holds_nothing_and_is_reported(self, state: dict[str, int], code: str) -> None:
        assembly, a, b = pair()
        bearing(assembly, a, b, np.zeros(3))
        assembly.parallel(a.at(plane(O, X)), b.at(plane(O, X)), name="Pose1", **state)
        assert names(assembly) == {"b-1": "revolute"}
        assert codes(assembly)[code] == ["Pose1"]

    def test_a_mate_with_only_a_warning_is_used(self) -> None:
        assembly, a, b = pair()
        assembly.lock(a.at(point(O)), b.at(point(O)), error=46, warning=True)
        assert together(assembly, "a-1", "b-1")

    @pytest.mark.trap("E1")
    def test_circles_opposed_directions_and_points_along_the_axis_make_one_hinge(self) -> None:
        assembly, a, b = pair()
        assembly.concentric(a.at(circle((0, 0, 0.05), Z, 0.01)), b.at(shaft((0, 0, -0.2), (0, 0, -1), 0.01)))
        assembly.coincident(a.at(plane((1, 2, 0), Z)), b.at(plane(O, (0, 0, -1))))
        assert names(assembly) == {"b-1": "revolute"}


class TestBoltsAndBearings:
    @pytest.mark.parametrize(
        "name",
        ["M1-1", "joint_M2-1", "Motor_M5_bracket-1", "king_pin-1", "pin_arm-1", "Boltzmann_wheel-1", "dishwasher_arm-1",
         "leg_stud-1", "screwlock", "ScrewRing", "Pinion", "MAGNET", "ball_screw-1", "lead screw", "Ball Nut-2",
         "ISO 15552 rod-1", "DIN 69871 holder", "ISO 9409 flange"],
    )  # fmt: skip
    @pytest.mark.trap("R7")
    def test_names_that_are_not_fasteners(self, name: str) -> None:
        assert not is_named_like_fastener(name)

    @pytest.mark.parametrize(
        "name",
        ["SSFJW8-31-M4-N4", "M3x6", "ISO 4762 M4x10", "M3x6-12", "hex nut-3", "DIN 912", "DIN EN ISO 4762", "GB_T 70-1",
         "din_912_m4", "ASME B18.3"],
    )  # fmt: skip
    @pytest.mark.trap("R7")
    def test_names_that_are_fasteners(self, name: str) -> None:
        assert is_named_like_fastener(name)

    @pytest.mark.trap("R7")
    def test_a_screw_in_a_hole_is_not_a_joint(self) -> None:
        assembly, a, b = pair()
        bearing(assembly, a, b, np.zeros(3))
        screw = assembly.part(Part("ISO 4762 M4x10").from_toolbox())
        bearing(assembly, b, screw, np.array([0.1, 0, 0]))
        assert names(assembly) == {"b-1": "revolute"}
        assert together(assembly, "b-1", "ISO 4762 M4x10-1")
        assert codes(assembly)["fastener"] == ["ISO 4762 M4x10-1"]

    @pytest.mark.trap("R7")
    def test_a_setting_overrides_what_is_a_fastener(self) -> None:
        assembly, a, b = pair()
        bearing(assembly, a, b, np.zeros(3))
        screw = assembly.part(Part("M3x6"))
        bearing(assembly, b, screw, np.array([0.1, 0, 0]))
        seen = understood(assembly, Settings(fasteners={"M3x6-1": False}))
        assert names(seen) == {"b-1": "revolute", "M3x6-1": "revolute"}

    def test_a_part_named_like_a_screw_but_larger_than_its_partner_is_not_a_fastener(self) -> None:
        assembly = Assembly("big")
        a = assembly.part(Part("a", box(0.05, 0.05, 0.01))).fixed()
        spindle = assembly.part(Part("lead screw", box(0.5, 0.02, 0.02)))
        bearing(assembly, a, spindle, np.zeros(3))
        assert names(assembly) == {"lead screw-1": "revolute"}

    def test_a_long_part_is_not_a_fastener_by_its_name(self) -> None:
        assembly = Assembly("long")
        frame = assembly.part(Part("frame", box(0.6, 0.1, 0.1))).fixed()
        spindle = assembly.part(Part("spindle screw", box(0.3, 0.02, 0.02)))
        bearing(assembly, frame, spindle, np.zeros(3))
        assert names(assembly) == {"spindle screw-1": "revolute"}
        assert "fastener" not in codes(assembly)

    @pytest.mark.trap("R7", "P17")
    def test_a_part_tied_only_through_a_screw_is_rigid_and_the_screw_is_not_a_parent(self) -> None:
        assembly, a, b = pair()
        screw = assembly.part(Part("ISO 4762 M4x10").from_toolbox())
        bearing(assembly, a, screw, np.zeros(3))
        bearing(assembly, screw, b, np.zeros(3))
        assert together(assembly, "", "a-1", "b-1", "ISO 4762 M4x10-1")

    def test_a_pivot_bolt_does_not_freeze_the_hinge_it_is_in(self) -> None:
        assembly, a, b = pair()
        bearing(assembly, a, b, np.zeros(3))
        bolt = assembly.part(Part("M6x40").from_toolbox())
        bearing(assembly, a, bolt, np.zeros(3))
        assembly.concentric(bolt.at(shaft(O, Z, 0.003)), b.at(shaft(O, Z, 0.003)))
        assert names(assembly) == {"b-1": "revolute"}

    @pytest.mark.trap("R7")
    def test_bolts_in_both_parts_hold_a_plate_that_lies_on_the_other(self) -> None:
        assembly, a, b = pair()
        assembly.coincident(a.at(plane(O, Z)), b.at(plane(O, Z)))
        for x, y in ((0.0, 0.0), (0.1, 0.0), (0.1, 0.1), (0.0, 0.1)):
            bolt = assembly.part(Part("M6x40").from_toolbox(), at(x, y))
            for host in (a, b):
                assembly.concentric(bolt.at(shaft(O, Z, 0.003)), host.at(shaft((x, y, 0), Z, 0.003)))
            assembly.coincident(bolt.at(plane(O, Z)), b.at(plane(O, Z)))
        assert together(assembly, "a-1", "b-1", *(f"M6x40-{k}" for k in range(1, 5)))

    @pytest.mark.trap("R7")
    def test_a_bolt_in_the_second_hole_clocks_a_plate_on_its_own_bore(self) -> None:
        assembly, a, b = pair()
        bearing(assembly, a, b, np.zeros(3))
        bolt = assembly.part(Part("M6x40").from_toolbox(), at(0.1))
        for host in (a, b):
            assembly.concentric(bolt.at(shaft(O, Z, 0.003)), host.at(shaft((0.1, 0, 0), Z, 0.003)))
        assert together(assembly, "a-1", "b-1")

    @pytest.mark.trap("R7")
    def test_an_arm_turns_on_the_bolt_that_is_its_pivot(self) -> None:
        assembly, a, b = pair()
        assembly.coincident(a.at(plane(O, Z)), b.at(plane(O, Z)))
        bolt = assembly.part(Part("M6x40").from_toolbox(), at(0.1))
        bearing(assembly, a, bolt, np.array([0.1, 0, 0]))
        assembly.concentric(bolt.at(shaft(O, Z, 0.003)), b.at(shaft((0.1, 0, 0), Z, 0.003)))
        assert names(assembly) == {"b-1": "revolute"}

    @pytest.mark.trap("R7")
    def test_a_stack_that_bolts_hold_together_is_one_body(self) -> None:
        """Three plates on each other, each bolt mated to the first and the last."""
        assembly, a, b = pair()
        top = assembly.part("top", at(0, 0, 0.02))
        for low, high, z in ((a, b, 0.0), (b, top, 0.0)):
            assembly.coincident(low.at(plane((0, 0, z), Z)), high.at(plane((0, 0, -0.02 if high is top else 0), Z)))
        for x in (0.0, 0.1):
            assembly.concentric(a.at(shaft((x, 0, 0), Z, 0.003)), b.at(shaft((x, 0, 0), Z, 0.003)))
            bolt = assembly.part(Part("M6x40").from_toolbox(), at(x))
            for host in (a, top):
                assembly.concentric(bolt.at(shaft(O, Z, 0.003)), host.at(shaft((x, 0, 0), Z, 0.003)))
            assembly.coincident(bolt.at(plane(O, Z)), a.at(plane(O, Z)))
        assert together(assembly, "a-1", "b-1", "top-1", "M6x40-1", "M6x40-2")

    @pytest.mark.trap("R7")
    def test_bolts_of_a_pattern_hold_as_the_one_that_is_mated(self) -> None:
        """One bolt is mated to both parts, the three others are copies of it without mates."""
        assembly, a, b = pair()
        assembly.coincident(a.at(plane(O, Z)), b.at(plane(O, Z)))
        part = Part("M6x40").from_toolbox()
        bolt = assembly.part(part)
        for host in (a, b):
            assembly.concentric(bolt.at(shaft(O, Z, 0.003)), host.at(shaft(O, Z, 0.003)))
        assembly.coincident(bolt.at(plane(O, Z)), a.at(plane(O, Z)))
        for x, y in ((0.1, 0.0), (0.1, 0.1), (0.0, 0.1)):
            assembly.part(part, at(x, y)).state(pattern_instance=True)
        assert together(assembly, "a-1", "b-1", *(f"M6x40-{k}" for k in range(1, 5)))

    @pytest.mark.trap("R8")
    def test_two_parallel_bores_are_a_bolt_pair(self) -> None:
        assembly, a, b = pair()
        for x in (0.0, 0.05):
            assembly.concentric(a.at(shaft((x, 0, 0), Z, 0.002)), b.at(shaft((x, 0, 0), Z, 0.002)))
        assembly.coincident(a.at(plane(O, Z)), b.at(plane(O, Z)))
        assert together(assembly, "a-1", "b-1")

    @pytest.mark.trap("R9")
    def test_the_same_axis_twice_is_one_hinge(self) -> None:
        assembly, a, b = pair()
        bearing(assembly, a, b, np.zeros(3))
        bearing(assembly, a, b, np.zeros(3))
        assembly.concentric(a.at(shaft((0, 0, 0.2), Z, 0.01)), b.at(shaft((0, 0, -0.1), Z, 0.01)))
        assert names(assembly) == {"b-1": "revolute"}

    @pytest.mark.parametrize(("normal", "name"), [(Z, "cylindrical"), (X, "prismatic")])
    @pytest.mark.trap("R10")
    def test_parallel_faces_block_rotation_only_if_they_contain_the_axis(self, normal: Vec3, name: str) -> None:
        assembly, a, b = pair()
        assembly.concentric(a.at(shaft(O, Z, 0.01)), b.at(shaft(O, Z, 0.01)))
        assembly.parallel(a.at(plane(O, normal)), b.at(plane(O, normal)))
        assert names(assembly) == {"b-1": name}

    @pytest.mark.parametrize(("normal", "name"), [(Z, "revolute"), (X, "prismatic")])
    @pytest.mark.trap("R11")
    def test_a_distance_along_the_axis_leaves_rotation_and_one_across_it_translation(
        self, normal: Vec3, name: str
    ) -> None:
        assembly, a, b = pair()
        assembly.concentric(a.at(shaft(O, Z, 0.01)), b.at(shaft(O, Z, 0.01)))
        shifted = tuple(0.03 * n for n in normal)
        assembly.distance(a.at(plane(O, normal)), b.at(plane(shifted, normal)), value=0.03)
        assert names(assembly) == {"b-1": name}

    @pytest.mark.trap("R13")
    def test_twin_rails_are_one_carriage(self) -> None:
        assembly = Assembly("rails")
        base = assembly.part("base").fixed()
        rails = [assembly.part("rail", at(y=y)) for y in (0.0, 0.1)]
        for rail in rails:
            assembly.lock(base.at(point(O)), rail.at(point(O)))
        carriage = assembly.part("carriage")
        for rail, y in zip(rails, (0.0, 0.1), strict=True):
            assembly.concentric(rail.at(shaft(O, X, 0.01)), carriage.at(shaft((0, y, 0), X, 0.01)))
        assert [joint.name for joint in joints(assembly)] == ["prismatic"]

    @pytest.mark.trap("R13")
    def test_twin_rails_with_a_trolley_on_each_are_one_degree_of_freedom(self) -> None:
        assembly = Assembly("gantry")
        base = assembly.part("base").fixed()
        trolleys = []
        for y in (0.0, 0.4):
            trolley = assembly.part("trolley", at(y=y))
            assembly.coincident(base.at(plane(O, Z)), trolley.at(plane(O, Z)))
            assembly.coincident(base.at(plane((0, y, 0), Y)), trolley.at(plane(O, Y)))
            trolleys.append(trolley)
        bridge = assembly.part("bridge")
        for trolley, y in zip(trolleys, (0.0, 0.4), strict=True):
            assembly.lock(trolley.at(point(O)), bridge.at(point((0, y, 0))))
        assert understood(assembly).mechanism.mobility == 1
        assert [joint.name for joint in joints(assembly)] == ["prismatic"]

    @pytest.mark.trap("R16")
    def test_clocking_mates_freeze_and_are_suspects_and_can_be_ignored(self) -> None:
        assembly, a, b = pair()
        bearing(assembly, a, b, np.zeros(3))
        assembly.parallel(a.at(plane(O, X)), b.at(plane(O, X)), name="Pose1")
        assert together(assembly, "a-1", "b-1")
        assert codes(assembly)["clocking"] == ["Pose1"]
        assert names(understood(assembly, Settings(mates=MateSettings(ignore=("Pose1",))))) == {"b-1": "revolute"}

    @pytest.mark.trap("R18")
    def test_a_triangle_of_hinges_is_rigid_through_its_other_path(self) -> None:
        assembly = Assembly("triangle")
        a, b, c = (assembly.part(name) for name in "abc")
        a.fixed()
        for one, other, place in ((a, b, (0, 0, 0)), (b, c, (0.1, 0.2, 0)), (c, a, (0.3, 0, 0))):
            bearing(assembly, one, other, np.array(place))
        assert together(assembly, "a-1", "b-1", "c-1")

    @pytest.mark.trap("R19")
    def test_alignment_between_siblings_is_not_a_tree_edge(self) -> None:
        assembly = Assembly("fingers")
        palm = assembly.part("palm").fixed()
        fingers = [assembly.part(name, at(x)) for name, x in (("left", 0.0), ("right", 0.1))]
        for finger, x in zip(fingers, (0.0, 0.1), strict=True):
            bearing(assembly, palm, finger, np.array([x, 0, 0]))
        assembly.parallel(*(finger.at(plane(O, X)) for finger in fingers))
        assert joints(assembly) == [("palm-1", "left-1", "revolute", (R,)), ("palm-1", "right-1", "revolute", (R,))]
        assert len(understood(assembly).robot.loop_joints) == 1
        assert understood(assembly).mechanism.mobility == 1

    @pytest.mark.trap("R21")
    def test_what_is_bolted_to_the_frame_stays_on_the_base_side(self) -> None:
        assembly, a, b = pair()
        mount = assembly.part("mount")
        bearing(assembly, a, b, np.zeros(3))
        bearing(assembly, b, mount, np.zeros(3))
        for x in (0.1, 0.2):
            assembly.concentric(a.at(shaft((x, 0, 0), Z, 0.002)), mount.at(shaft((x, 0, 0), Z, 0.002)))
        assembly.coincident(a.at(plane(O, Z)), mount.at(plane(O, Z)))
        assert together(assembly, "a-1", "mount-1")
        assert joints(assembly) == [("a-1", "b-1", "revolute", (R,))]


class TestLimits:
    @pytest.mark.parametrize("side", [1.0, -1.0])
    @pytest.mark.trap("R23", "R24", "P2")
    def test_a_limit_angle_at_45_degrees_gives_the_range_around_it(self, side: float) -> None:
        assembly, a, b = pair()
        bearing(assembly, a, b, np.zeros(3))
        turned = (np.cos(np.pi / 4), side * np.sin(np.pi / 4), 0)
        assembly.angle(
            a.at(plane((0.1, 0, 0), X)), b.at(plane((0.3, 0.1, 0), turned)), value=np.pi / 4, limits=(0.1, 2.0)
        )
        joint = only_joint(understood(assembly).robot)
        expected = np.array([0.1, 2.0]) - np.pi / 4
        if side < 0:
            expected = -expected[::-1]
        assert np.allclose(limits_of(joint), expected, atol=1e-12)

    def test_a_supplement_is_measured_as_such(self) -> None:
        assembly, a, b = pair()
        bearing(assembly, a, b, np.zeros(3))
        turned = (np.cos(2.5), np.sin(2.5), 0)
        value = np.pi - 2.5  # anti-aligned: SolidWorks measures the other angle, which shrinks as the joint turns on
        assembly.angle(a.at(plane(O, X)), b.at(plane(O, turned)), value=value, limits=(0.2, 1.0), alignment=1)
        joint = only_joint(understood(assembly).robot)
        assert np.allclose(limits_of(joint), [value - 1.0, value - 0.2], atol=1e-12)

    def test_an_angle_range_past_half_a_turn_is_unwrapped(self) -> None:
        assembly, a, b = pair()
        bearing(assembly, a, b, np.zeros(3))
        turned = (np.cos(1.0), np.sin(1.0), 0)
        assembly.angle(a.at(plane(O, X)), b.at(plane(O, turned)), value=1.0, limits=(0.0, 5.0))
        joint = only_joint(understood(assembly).robot)
        assert np.allclose(limits_of(joint), [-1.0, 4.0], atol=1e-12)

    def test_an_angle_that_starts_at_zero_has_an_assumed_side_and_a_finding(self) -> None:
        assembly, a, b = pair()
        bearing(assembly, a, b, np.zeros(3))
        assembly.angle(a.at(plane(O, X)), b.at(plane(O, X)), value=0.0, limits=(0.0, 1.0), name="Limit1")
        joint = only_joint(understood(assembly).robot)
        assert np.allclose(limits_of(joint), [0.0, 1.0], atol=1e-12)
        assert codes(assembly)["limit-side"] == ["Limit1"]

    @pytest.mark.trap("R23")
    def test_a_limit_distance_limits_a_prismatic_joint(self) -> None:
        assembly, a, b = pair()
        assembly.concentric(a.at(shaft(O, Z, 0.01)), b.at(shaft(O, Z, 0.01)), lock_rotation=True)
        assembly.distance(a.at(plane(O, Z)), b.at(plane((0, 0, -0.2), Z)), value=0.2, limits=(0.05, 0.5))
        joint = only_joint(understood(assembly).robot)
        assert np.allclose(limits_of(joint), [-0.3, 0.15], atol=1e-12)

    def test_a_hinge_mate_carries_its_own_range(self) -> None:
        assembly, a, b = pair()
        turned = (np.cos(0.5), np.sin(0.5), 0)
        mate = assembly.hinge(
            a.at(shaft(O, Z, 0.01)), b.at(shaft(O, Z, 0.01)), a.at(plane(O, Z)), b.at(plane(O, Z)),
            a.at(plane(O, X)), b.at(plane(O, turned)), limits=(0.2, 1.5),
        )  # fmt: skip
        hinge = of_type(Hinge, mate.data)
        assembly.mates[-1] = msgspec.structs.replace(mate, data=msgspec.structs.replace(hinge, angle=0.5))
        joint = only_joint(understood(assembly).robot)
        assert np.allclose(limits_of(joint), [-0.3, 1.0], atol=1e-12)

    @pytest.mark.trap("R25")
    def test_a_redundant_limit_pulls_nothing_out_of_its_rigid_group(self) -> None:
        assembly, a, b = pair()
        assembly.lock(a.at(point(O)), b.at(point(O)))
        assembly.distance(a.at(plane(O, Z)), b.at(plane((0, 0, 0.1), Z)), value=0.1, limits=(0.0, 0.2), name="L")
        assert together(assembly, "a-1", "b-1")
        assert codes(assembly)["limit-rigid"] == ["L"]

    def test_a_limit_that_excludes_the_assembled_pose_is_reported(self) -> None:
        assembly, a, b = pair()
        assembly.concentric(a.at(shaft(O, Z, 0.01)), b.at(shaft(O, Z, 0.01)), lock_rotation=True)
        assembly.distance(a.at(plane(O, Z)), b.at(plane((0, 0, 0.6), Z)), value=0.6, limits=(0.0, 0.5), name="L")
        assert codes(assembly)["limit-outside"] == ["L"]
        joint = only_joint(understood(assembly).robot)
        assert joint.limits == Limits()
        assert joint.why
        assert "limits" not in joint.why.reason  # a reason names limits only if they are used

    def test_a_limit_on_a_ball_is_reported(self) -> None:
        assembly, a, b = pair()
        assembly.coincident(a.at(point(O)), b.at(point(O)))
        assembly.angle(a.at(plane(O, X)), b.at(plane(O, Y)), value=np.pi / 2, limits=(1.0, 2.0), name="Cone")
        assert "Cone" in codes(assembly)["limit-unused"]


class TestCopiesAndSubAssemblies:
    def wheels(self) -> Assembly:
        """A car whose first wheel is mated and whose others are patterned."""
        assembly = Assembly("car")
        body = assembly.part("body").fixed()
        wheel = Part("wheel")
        first = assembly.part(wheel, at(0.1, 0, 0.05))
        bearing(assembly, body, first, np.array([0.1, 0, 0.05]))
        for x, z in ((-0.1, 0.05), (0.1, -0.05), (-0.1, -0.05)):
            assembly.part(wheel, at(x, 0, z)).state(pattern_instance=True)
        return assembly

    @pytest.mark.trap("R3", "R27")
    def test_patterned_copies_turn_as_their_twin_does(self) -> None:
        seen = understood(self.wheels())
        assert joints(seen) == [("body-1", f"wheel-{k}", "revolute", (R,)) for k in (1, 2, 3, 4)]
        axes = {seen.body_name(j.child): j.chain[0].point for j in seen.tree.joints}
        assert np.allclose(axes["wheel-2"][:2], [-0.1, 0])
        assert codes(seen)["copy"] == ["wheel-2", "wheel-3", "wheel-4"]

    @pytest.mark.trap("R28")
    def test_a_limb_is_copied_along_with_its_own_joints(self) -> None:
        assembly = Assembly("limbs")
        body = assembly.part("body").fixed()
        upper, lower = Part("upper"), Part("lower")
        for side, x in ((0, 0.0), (1, 1.0)):
            u, low = assembly.part(upper, at(x)), assembly.part(lower, at(x, 0.2))
            if side == 0:
                bearing(assembly, body, u, np.array([0, 0, 0]))
                bearing(assembly, u, low, np.array([0, 0.2, 0]))
        assert joints(assembly) == [
            ("body-1", "upper-1", "revolute", (R,)), ("body-1", "upper-2", "revolute", (R,)),
            ("upper-1", "lower-1", "revolute", (R,)), ("upper-2", "lower-2", "revolute", (R,)),
        ]  # fmt: skip

    @pytest.mark.trap("R29")
    def test_twins_that_disagree_are_not_copied(self) -> None:
        assembly = self.wheels()
        odd = assembly.part(of_type(Part, assembly.children[1].file), at(0.5))
        assembly.lock(assembly.children[0].at(point(O)), odd.at(point(O)))
        assert codes(assembly)["copy-undecided"] == ["wheel-2", "wheel-3", "wheel-4"]

    def arm(self) -> Assembly:
        sub = Assembly("arm")
        upper, fore = sub.part("upper").fixed(), sub.part("fore", at(0.2))
        bearing(sub, upper, fore, np.array([0.2, 0, 0]))
        return sub

    @pytest.mark.parametrize("depth", [1, 2])
    @pytest.mark.trap("R34", "E2")
    def test_a_rigid_sub_assembly_whose_parts_move_is_opened_at_any_depth(self, depth: int) -> None:
        inner = self.arm()
        for level in range(depth - 1):
            outer = Assembly(f"level{level}")
            outer.sub(inner, at(0, 0.1)).fixed()
            inner = outer
        top = Assembly("top")
        top.sub(inner, at(1, 2, 3)).fixed()
        seen = understood(top)
        assert [joint.name for joint in joints(seen)] == ["revolute"]
        assert codes(seen)["opened"] == ["arm-1" if depth == 1 else "level0-1/arm-1"]
        (joint,) = seen.tree.joints
        assert np.allclose(joint.chain[0].point[:2], [1.2, 2.1 if depth == 2 else 2.0])

    def test_a_rigid_sub_assembly_without_motion_is_one_body(self) -> None:
        sub = Assembly("bracket")
        sub.part("x").fixed()
        sub.part("loose", at(0.1))
        top = Assembly("top")
        base = top.part("base").fixed()
        bracket = top.sub(sub, at(1))
        bearing(top, base, bracket, np.array([1, 0, 0]))
        assert together(top, "bracket-1", "bracket-1/x-1", "bracket-1/loose-1")
        assert joints(top) == [("base-1", "bracket-1", "revolute", (R,))]

    def test_a_rigid_sub_assembly_stays_rigid_if_the_settings_ask_for_it(self) -> None:
        top = Assembly("top")
        top.sub(self.arm()).fixed()
        assert joints(top, Settings(sub_assemblies={"arm-1": "never"})) == []

    @pytest.mark.trap("R35", "E2")
    def test_a_flexible_instance_poses_its_parts_by_itself(self) -> None:
        """Its mates are in the document's space, at the document's poses: the axis goes where the instance has it."""
        sub = Assembly("arm")
        upper, fore = sub.part("upper"), sub.part("fore", at(0.2))
        bearing(sub, upper, fore, np.array([0.2, 0, 0]))
        quarter = np.eye(4)
        quarter[:2, :2] = [[0, -1], [1, 0]]
        top = Assembly("top")
        base = top.part("base").fixed()
        arm = top.sub(sub, at(0, 1)).flexible(upper_1=quarter, fore_1=quarter @ at(0.2))
        bearing(top, base, arm / "upper-1", np.array([0, 1, 0]))
        seen = understood(top)
        assert joints(seen) == [
            ("arm-1/upper-1", "arm-1/fore-1", "revolute", (R,)), ("base-1", "arm-1/upper-1", "revolute", (R,)),
        ]  # fmt: skip
        elbow = next(j for j in seen.tree.joints if seen.body_name(j.child).endswith("fore-1"))
        assert np.allclose(elbow.chain[0].point[:2], [0, 1.2])

    @pytest.mark.trap("R36")
    def test_one_file_in_two_configurations_is_two_parts(self) -> None:
        """A copy without mates follows a twin of its own configuration only."""
        assembly = self.wheels()
        wheel = of_type(Part, assembly.children[1].file)
        other = assembly.part(wheel.configuration("Wide", None), at(2), configuration="Wide")
        assert other.name == "wheel-5"
        assert codes(assembly)["unattached"] == ["wheel-5"]

    @pytest.mark.trap("R30")
    def test_a_copy_on_the_other_side_follows_its_own_sides_parent(self) -> None:
        assembly = Assembly("sides")
        torso = assembly.part("torso").fixed()
        shoulder, arm = Part("shoulder"), Part("arm")
        shoulders = [assembly.part(shoulder, at(x)) for x in (-0.3, 0.3)]
        for x, part in zip((-0.3, 0.3), shoulders, strict=True):
            bearing(assembly, torso, part, np.array([x, 0, 0]))
        left = assembly.part(arm, at(-0.4))
        bearing(assembly, shoulders[0], left, np.array([-0.4, 0, 0]))
        assembly.part(arm, at(0.2)).state(pattern_instance=True)
        assert ("shoulder-2", "arm-2", "revolute", (R,)) in joints(assembly)

    @pytest.mark.trap("R38")
    def test_suppressed_parts_are_reported_and_hidden_ones_stay(self) -> None:
        assembly, a, b = pair()
        bearing(assembly, a, b, np.zeros(3))
        b.state(visible=0)
        assembly.part("gone").state(suppression=0)
        assert names(assembly) == {"b-1": "revolute"}
        assert codes(assembly)["suppressed"] == ["gone-1"]


class TestConventions:
    def test_the_base_is_turned_up(self) -> None:
        assembly, a, b = pair()
        bearing(assembly, a, b, np.zeros(3), Y)
        for base, axis in ((BaseSettings(up="y"), [0, 0, 1]), (BaseSettings(up="z"), [0, 1, 0])):
            robot = understood(assembly, Settings(base=base)).robot
            frame = next(f for f in robot.frames if f.joint)
            assert np.allclose(np.abs(frame.transform.matrix[:3, :3] @ present(frame.joint).axis), axis)

    def test_a_named_coordinate_system_is_the_base(self) -> None:
        assembly, a, b = pair()
        bearing(assembly, a, b, np.zeros(3))
        assembly.coordinate_system("base frame", at(1, 2, 3))
        robot = understood(assembly, Settings(base=BaseSettings(frame="base frame"))).robot
        assert np.allclose(robot.frame("a-1").transform.pos, [-1, -2, -3])

    def test_a_coordinate_system_drawn_for_a_joint_places_it(self) -> None:
        assembly, a, b = pair()
        bearing(assembly, a, b, np.zeros(3))
        for name, x in (("on", 0.0), ("off", 0.1)):
            assembly.coordinate_system(name, at(x, 0, 0.7))
        for name in ("on", "off"):
            seen = understood(
                assembly, Settings(joints={"b_joint": JointSettings(frame=name)}, base=BaseSettings(up="z"))
            )
            assert np.allclose(seen.robot.frame("b").transform.pos, [0, 0, 0.7])
            assert ("joint-frame" in codes(seen)) == (name == "off")

    def test_components_keep_their_frames_and_geometry_becomes_frames(self) -> None:
        assembly, a, b = pair()
        bearing(assembly, a, b, np.zeros(3))
        b.file.coordinate_system("tool", at(0, 0, 0.5))
        b.file.axis("spin", (0, 0, 0), (0, 0, 2))
        b.file.point("tip", (1, 0, 0))
        b.file.plane("face", at(0, 1))
        robot = understood(assembly).robot
        assert {f.id for f in robot.children("b-1")} == {"b-1/tool", "b-1/spin", "b-1/tip", "b-1/face"}
        assert of_type(Segment, robot.frame("b-1/spin").geometry).length == 2
        assert not robot.frame("b-1/tool").links
        assert [link.name for link in robot.frame("b-1").links] == ["b-1"]
        assert robot.frame("b-1").parent == "b"
        only = understood(
            assembly, Settings(frames=FrameSettings(coordinate_systems=False, axes=False, points=False))
        ).robot
        assert [f.id for f in only.children("b-1")] == ["b-1/face"]

    def test_properties_of_the_form_tag_attribute_become_props(self) -> None:
        assembly, _, b = pair()
        b.file.custom_property("gazebo.mu1", "0.3")
        b.file.custom_property("Weight", "5")
        assert dict(understood(assembly).robot.frame("b-1").links[0].props) == {"gazebo.mu1": "0.3"}


class TestRoot:
    @pytest.mark.trap("R31", "P16")
    def test_a_serial_arm_whose_first_link_is_fixed_is_rooted_there(self) -> None:
        assembly = serial_arm(4, fixed=0)
        seen = understood(assembly)
        assert [(j.parent, j.child) for j in joints(seen)] == [(f"link{k}-1", f"link{k + 1}-1") for k in range(3)]
        assert "`link0-1` is fixed" in seen.root_reason

    @pytest.mark.trap("R31")
    def test_without_anything_fixed_the_choice_is_explained(self) -> None:
        assembly = Assembly("free")
        one, two = assembly.part("one"), assembly.part("two")
        bearing(assembly, one, two, np.zeros(3))
        seen = understood(assembly)
        assert len(seen.tree.joints) == 1
        assert "nothing is fixed" in seen.root_reason
        assert joints(assembly, Settings(base=BaseSettings(root="two-1"))) == [("two-1", "one-1", "revolute", (R,))]

    @pytest.mark.trap("R32")
    def test_a_part_without_mates_is_reported_and_held(self) -> None:
        assembly, a, b = pair()
        bearing(assembly, a, b, np.zeros(3))
        assembly.part("lost", at(5))
        seen = understood(assembly)
        assert codes(seen)["unattached"] == ["lost-1"]
        assert "lost-1" in {link.name for _, link in seen.robot.links()}


class TestBadMates:
    def test_unusable_mates_are_reported_and_the_others_are_used(self) -> None:
        assembly, a, b = pair()
        bearing(assembly, a, b, np.zeros(3))
        nan = float("nan")
        assembly.parallel(a.at(plane(O, X)), b.at(plane((nan, 0, 0), X)), name="NaN")
        assembly.parallel(a.at(plane(O, X)), b.at(plane(O, (0, 0, 0))), name="Zero")
        assembly.coincident(a.at(plane(O, Z)), b.at(plane((0, 0, 0.01), Z)), name="Off")
        assembly.along_path(a.at(point(O)), b.at(point(O)), name="Path")
        assembly.tangent(a.at(point(O)), b.at(point(O)), name="Odd")
        ghost = assembly.part("ghost")
        assembly.coincident(a.at(point(O)), ghost.at(point(O)), name="Ghost")
        capture = assembly.capture()
        there = tuple(component for component in capture.components if component.name != "ghost-1")
        seen = understood(msgspec.structs.replace(capture, components=there))
        found = codes(seen)
        assert sorted(found["mate-not-understood"]) == ["NaN", "Odd", "Path", "Zero"]
        assert found["mate-unsatisfied"] == ["Off"]
        assert found["mate-component"] == ["Ghost"]
        assert names(seen) == {"b-1": "revolute"}

    def test_geometry_that_is_nearly_aligned_is_reported(self) -> None:
        """Two bores 5 µm apart hold each other: as good as locked, and most likely not meant."""
        assembly, a, b = pair()
        bearing(assembly, a, b, np.zeros(3))
        assembly.concentric(*(part.at(shaft((5e-6, 0, 0.05), Z, 0.01)) for part in (a, b)))
        assert together(assembly, "a-1", "b-1")
        assert codes(assembly)["nearly-aligned"]

    def test_a_joint_whose_axis_is_defined_by_nearly_coincident_points_is_reported(self) -> None:
        assembly, a, b = pair()
        for x in (0.0, 5e-6):
            assembly.coincident(a.at(point((x, 0, 0))), b.at(point((x, 0, 0))))
        assert names(assembly) == {"b-1": "revolute"}
        assert codes(assembly)["nearly-free"] == ["b-1"]

    def test_two_gear_mates_between_the_same_shafts_couple_once(self) -> None:
        assembly = Assembly("gears")
        base = assembly.part("base").fixed()
        small, large = assembly.part("small"), assembly.part("large", at(0.5))
        bearing(assembly, base, small, np.zeros(3))
        bearing(assembly, base, large, np.array([0.5, 0, 0]))
        for name, ratio in (("Gear1", (4, 1)), ("Gear2", (1, 2))):
            assembly.gear(small.at(shaft(O, Z, 0.1)), large.at(shaft(O, Z, 0.4)), ratio=ratio, name=name)
        seen = understood(assembly)
        assert coupling_of(seen.robot, "large_joint").ratio == pytest.approx(-0.25)
        assert codes(seen)["coupling-duplicate"] == ["Gear2"]

    def test_a_component_without_a_finite_position_and_an_axis_without_length_are_left_out(self) -> None:
        assembly, _, b = pair()
        b.file.axis("nowhere", (0, 0, 1), (0, 0, 1))
        lost = assembly.part("lost")
        capture = assembly.capture()
        components = tuple(
            msgspec.structs.replace(c, transform=(float("nan"), *present(c.transform)[1:]))
            if c.name == lost.name
            else c
            for c in capture.components
        )
        seen = understood(msgspec.structs.replace(capture, components=components))
        assert codes(seen)["no-pose"] == ["lost-1"]
        assert "geometry-unreadable" in codes(seen)
        assert "lost-1" not in {frame.id for frame in seen.robot.frames}


class TestWhatThePeerGetsWrong:
    """The second half of the table of traps: each case with the correct result."""

    @pytest.mark.trap("P1", "P9")
    def test_lock_hinge_and_universal_by_their_real_numbers(self) -> None:
        assembly, a, b = pair()
        assembly.lock(a.at(point(O)), b.at(point(O)))
        assert together(assembly, "a-1", "b-1")
        assembly, a, b = pair()
        assembly.hinge(a.at(shaft(O, Z, 0.01)), b.at(shaft(O, Z, 0.01)), a.at(plane(O, Z)), b.at(plane(O, Z)))
        assert names(assembly) == {"b-1": "revolute"}
        assembly, a, b = pair()
        assembly.universal(a.at(shaft((0, 0, -0.1), Z, 0.01)), b.at(shaft(O, (1, 0, 1), 0.01)))
        assert joints(assembly) == [("a-1", "b-1", "universal", (R, R))]

    @pytest.mark.parametrize("tilt", [0.0, 1e-7])
    @pytest.mark.trap("P4")
    def test_two_bores_a_tenth_of_a_micrometre_or_microradian_apart_are_one_hinge(self, tilt: float) -> None:
        assembly, a, b = pair()
        bearing(assembly, a, b, np.zeros(3))
        second = (1e-7, 0.0, 0.05), (tilt, 0.0, 1.0)
        assembly.concentric(a.at(shaft(*second, 0.01)), b.at(shaft(*second, 0.01)))
        assert names(assembly) == {"b-1": "revolute"}

    @pytest.mark.parametrize("entity", [point(O), sphere(O, 0.01)])
    @pytest.mark.trap("P5")
    def test_points_and_spheres_are_balls(self, entity: LocalEntity) -> None:
        assembly, a, b = pair()
        mate = assembly.coincident if entity.type == 0 else assembly.concentric
        mate(a.at(entity), b.at(entity))
        assert joints(assembly) == [("a-1", "b-1", "ball", (S,))]

    @pytest.mark.trap("P6")
    def test_concentric_alone_is_cylindrical(self) -> None:
        assembly, a, b = pair()
        assembly.concentric(a.at(shaft(O, Z, 0.01)), b.at(shaft(O, Z, 0.01)))
        assert joints(assembly) == [("a-1", "b-1", "cylindrical", (P, R))]

    @pytest.mark.trap("P7")
    def test_one_plane_is_planar(self) -> None:
        assembly, a, b = pair()
        assembly.coincident(a.at(plane(O, Z)), b.at(plane(O, Z)))
        assert joints(assembly) == [("a-1", "b-1", "planar", (P, P, R))]

    @pytest.mark.parametrize("reverse", [False, True])
    @pytest.mark.trap("P8")
    def test_concentric_and_a_screw_mate_are_a_screw(self, reverse: bool) -> None:
        assembly, a, b = pair()
        assembly.concentric(a.at(shaft(O, Z, 0.01)), b.at(shaft(O, Z, 0.01)))
        assembly.screw(a.at(shaft(O, Z, 0.01)), b.at(shaft(O, Z, 0.01)), lead=0.005, reverse=reverse)
        joint = only_joint(understood(assembly).robot)
        assert joint.type is H
        assert joint.pitch == pytest.approx(0.005 if reverse else -0.005, abs=1e-15)

    @pytest.mark.trap("P10")
    def test_point_on_line_and_two_parallels_are_prismatic(self) -> None:
        assembly, a, b = pair()
        assembly.coincident(a.at(line(O, Z)), b.at(point((0, 0, 0.1))))
        assembly.parallel(a.at(plane(O, Z)), b.at(plane(O, Z)))
        assembly.parallel(a.at(plane(O, X)), b.at(plane(O, X)))
        assert names(assembly) == {"b-1": "prismatic"}

    @pytest.mark.parametrize("reverse", [False, True])
    @pytest.mark.trap("P12")
    def test_gears_are_a_coupling(self, reverse: bool) -> None:
        assembly = Assembly("gears")
        base = assembly.part("base").fixed()
        small, large = assembly.part("small"), assembly.part("large", at(0.5))
        bearing(assembly, base, small, np.zeros(3))
        bearing(assembly, base, large, np.array([0.5, 0, 0]))
        assembly.gear(small.at(shaft(O, Z, 0.1)), large.at(shaft(O, Z, 0.4)), ratio=(4, 1), reverse=reverse)
        robot = understood(assembly).robot
        coupling = coupling_of(robot, "large_joint")
        assert coupling.joint == "small_joint"
        assert coupling.ratio == pytest.approx(0.25 if reverse else -0.25)

    @pytest.mark.parametrize("reverse", [False, True])
    def test_a_rack_moves_along_its_entity_as_the_pinion_turns_about_its_own(self, reverse: bool) -> None:
        assembly = Assembly("rack")
        base = assembly.part("base").fixed()
        pinion, rack = assembly.part("pinion"), assembly.part("rack", at(0, 0.02))
        bearing(assembly, base, pinion, np.zeros(3))
        assembly.coincident(base.at(plane(O, Z)), rack.at(plane(O, Z)))
        assembly.coincident(base.at(plane((0, 0.02, 0), Y)), rack.at(plane(O, Y)))
        assembly.rack_pinion(rack.at(line(O, X)), pinion.at(shaft(O, Z, 0.02)), diameter=0.04, reverse=reverse)
        coupling = coupling_of(understood(assembly).robot, "rack_joint")
        assert coupling.ratio == pytest.approx(-0.02 if reverse else 0.02)
        # The pinion turns forward about z: its top, where the rack lies, goes towards −x.
        rolling = understood(assembly, Settings(conventions=ConventionSettings(rack_sense="rolling")))
        assert coupling_of(rolling.robot, "rack_joint").ratio == pytest.approx(0.02 if reverse else -0.02)

    def test_a_lead_screw_drives_a_nut_that_cannot_turn(self) -> None:
        assembly = Assembly("drive")
        base = assembly.part("base").fixed()
        spindle, nut = assembly.part("spindle"), assembly.part("carriage", at(0, 0, 0.1))
        bearing(assembly, base, spindle, np.zeros(3))
        assembly.coincident(base.at(plane(O, X)), nut.at(plane(O, X)))
        assembly.coincident(base.at(plane(O, Y)), nut.at(plane(O, Y)))
        assembly.screw(spindle.at(shaft(O, Z, 0.005)), nut.at(shaft(O, Z, 0.005)), lead=0.01)
        coupling = coupling_of(understood(assembly).robot, "carriage_joint")
        assert coupling.ratio == pytest.approx(-0.01 / (2 * np.pi))

    def test_fingers_in_a_symmetric_mate_move_as_images_of_each_other(self) -> None:
        assembly = Assembly("gripper")
        palm = assembly.part("palm").fixed()
        fingers = [assembly.part(name, at(x)) for name, x in (("left", -0.05), ("right", 0.05))]
        for finger in fingers:
            assembly.coincident(palm.at(plane(O, Z)), finger.at(plane(O, Z)))
            assembly.coincident(palm.at(plane(O, Y)), finger.at(plane(O, Y)))
        assembly.symmetric(*(f.at(plane(O, X)) for f in fingers), palm.at(plane(O, X)))
        robot = understood(assembly).robot
        coupling = coupling_of(robot, "right_joint")
        assert coupling.joint == "left_joint"
        assert coupling.ratio == pytest.approx(-1.0)
        assert understood(assembly).mechanism.mobility == 1

    @pytest.mark.trap("P13")
    def test_a_rod_with_ball_ends_is_two_balls(self) -> None:
        assembly = Assembly("rod")
        base, rod, crank = assembly.part("base").fixed(), assembly.part("rod"), assembly.part("crank", at(0.3))
        assembly.coincident(base.at(point(O)), rod.at(point(O)))
        assembly.coincident(rod.at(point((0.3, 0, 0))), crank.at(point(O)))
        assert [joint.name for joint in joints(assembly)] == ["ball", "ball"]


def with_error(mate: Mate, error: int, *, warning: bool = False) -> Mate:
    return msgspec.structs.replace(mate, error=error, warning=warning)


class TestMatesThatSolidWorksDoubts:
    """Mates with an error, and mates whose entities exist no longer."""

    @pytest.mark.parametrize("error", [46, 47, 51])
    def test_of_mates_that_contradict_each_other_those_that_the_pose_satisfies_are_used(self, error: int) -> None:
        """SolidWorks adds a mate that over-defines, in error, and marks those that it fights."""
        assembly, a, b = pair()
        bearing(assembly, a, b, np.zeros(3))
        assembly.distance(a.at(plane(O, Z)), b.at(plane(O, Z)), value=0.05, name="Superfluous")
        assembly.mates[:] = [with_error(mate, error) for mate in assembly.mates]
        seen = understood(assembly)
        assert names(seen) == {"b-1": "revolute"}
        assert codes(seen)["mate-failed"] == ["Superfluous"]
        assert len(codes(seen)["mate-over-defined"]) == len(assembly.mates) - 1

    def test_a_mate_with_another_error_is_not_used_although_the_pose_satisfies_it(self) -> None:
        assembly, a, b = pair()
        bearing(assembly, a, b, np.zeros(3))
        assembly.mates[:] = [with_error(mate, 43) for mate in assembly.mates]
        assert len(codes(assembly)["mate-failed"]) == len(assembly.mates)

    @pytest.mark.parametrize("error", [1, 46, 48])
    def test_a_mate_whose_error_is_a_warning_is_used(self, error: int) -> None:
        assembly, a, b = pair()
        bearing(assembly, a, b, np.zeros(3))
        assembly.mates[:] = [with_error(mate, error, warning=True) for mate in assembly.mates]
        assert names(assembly) == {"b-1": "revolute"}
        assert not {"mate-failed", "mate-broken", "mate-over-defined"} & codes(assembly).keys()

    def test_a_mate_that_lost_its_entity_is_not_used(self) -> None:
        """No error code, numbers as they were, and no reference: its hole was deleted and made anew."""
        assembly, a, b = pair()
        bearing(assembly, a, b, np.zeros(3))
        assembly.distance(a.at(plane(O, X)), b.at(plane(O, X)), value=0.0, name="Stale")
        stale = assembly.mates[-1]
        lost = msgspec.structs.replace(stale.entities[1], lost=True)
        assembly.mates[-1] = msgspec.structs.replace(stale, entities=(stale.entities[0], lost))
        seen = understood(assembly)
        assert names(seen) == {"b-1": "revolute"}
        assert codes(seen)["mate-lost"] == ["Stale"]

    def test_mates_are_used_where_solidworks_returns_no_reference_at_all(self) -> None:
        assembly, a, b = pair()
        bearing(assembly, a, b, np.zeros(3))
        for number, mate in enumerate(assembly.mates):
            entities = tuple(msgspec.structs.replace(entity, lost=True) for entity in mate.entities)
            assembly.mates[number] = msgspec.structs.replace(mate, entities=entities)
        seen = understood(assembly)
        assert names(seen) == {"b-1": "revolute"}
        assert len(codes(seen)["mate-reference"]) == len(assembly.mates)
