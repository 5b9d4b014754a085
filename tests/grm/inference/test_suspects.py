"""Cases that need the whole mechanism or the user to decide: bolts or guides, bearings, units in contact."""

import msgspec
import numpy as np
import pytest
from tests.grm.inference.cases import outcome
from tests.grm.inference.looking import O, X, Y, Z, at, bearing, codes, joints, names, serial_arm, together, understood
from tests.lookups import joint_of, limits_of, of_type, present

from swgrm.capture import Capture, Distance
from swgrm.inference import Inference, infer
from swgrm.inference.mates.types import GeometryKind, MateType, PlacedEntity, PlacedMate
from swgrm.model import JointType, Vec3
from swgrm.settings import BaseSettings, MateSettings, Opening, Settings, settings_from
from swgrm_mocks.builder import Assembly, AssemblyComponent, Part
from swgrm_mocks.mates import line, plane, point, shaft
from swgrm_mocks.samples import sample

R, P = JointType.REVOLUTE, JointType.PRISMATIC
replace = msgspec.structs.replace


def bolted(assembly: Assembly, a: AssemblyComponent, b: AssemblyComponent, *places: float) -> None:
    """Two bores and a face: a bolt pair, in the assembly's space (both parts are unrotated)."""
    for x in places:
        own = [tuple(np.array([x, 0, 0]) - part.T_assembly_self[:3, 3]) for part in (a, b)]
        assembly.concentric(*(part.at(shaft(p, Z, 0.002)) for part, p in zip((a, b), own, strict=True)))
    assembly.coincident(*(part.at(plane(-part.T_assembly_self[:3, 3], Z)) for part in (a, b)))


class TestBoltOrGuide:
    def slide(self) -> tuple[Assembly, AssemblyComponent, AssemblyComponent]:
        assembly = Assembly("slide")
        base, block = assembly.part("base").fixed(), assembly.part("block")
        assembly.concentric(base.at(shaft(O, Z, 0.01)), block.at(shaft(O, Z, 0.01)), lock_rotation=True)
        return assembly, base, block

    @pytest.mark.trap("R12")
    def test_a_shaft_that_cannot_turn_is_a_guide_where_nothing_else_holds_it(self) -> None:
        assembly, _, _ = self.slide()
        assert names(assembly) == {"block-1": "prismatic"}

    @pytest.mark.trap("R12")
    def test_a_shaft_that_cannot_turn_is_a_bolt_where_another_path_holds_it(self) -> None:
        assembly, base, block = self.slide()
        plate = assembly.part("plate")
        bolted(assembly, base, plate, 0.1, 0.2)
        assembly.coincident(plate.at(plane(O, Z)), block.at(plane(O, Z)))
        assert together(assembly, "base-1", "plate-1", "block-1")

    @pytest.mark.trap("R14")
    def test_front_and_rear_bearing_of_a_servo_are_one_joint(self) -> None:
        """The bracket is bolted to the horn in front and turns on the idler behind; the body must not spin alone."""
        assembly = Assembly("servo")
        body, horn, idler, bracket = (assembly.part(name) for name in ("body", "horn", "idler", "bracket"))
        body.fixed()
        bearing(assembly, body, horn, np.array([0, 0, 0.02]))
        assembly.concentric(*(part.at(shaft((0, 0, -0.02), Z, 0.004)) for part in (body, idler)))
        bolted(assembly, horn, bracket, 0.005, -0.005)
        bolted(assembly, idler, bracket, 0.006, -0.006)
        seen = understood(assembly)
        assert [joint.name for joint in joints(seen)] == ["revolute"]
        assert together(seen, "horn-1", "idler-1", "bracket-1")
        assert seen.mechanism.mobility == 1
        assert not seen.robot.loop_joints

    @pytest.mark.trap("R15")
    @pytest.mark.parametrize(
        ("radius", "inside", "reported"), [(0.001, True, True), (0.004, True, False), (0.001, False, False)]
    )
    def test_a_thin_pin_inside_a_unit_is_reported(self, radius: float, inside: bool, reported: bool) -> None:
        unit = Assembly("servo")
        case, gear = unit.part("case").fixed(), unit.part("gear")
        unit.concentric(case.at(shaft(O, Z, radius)), gear.at(shaft(O, Z, radius)))
        unit.coincident(case.at(plane(O, Z)), gear.at(plane(O, Z)))
        whole = Assembly("robot")
        whole.sub(unit).fixed()
        seen = understood(whole if inside else unit)
        assert [joint.name for joint in joints(seen)] == ["revolute"]
        assert codes(seen).get("thin-pin", []) == (["servo-1/gear-1"] if reported else [])


class TestUnitsThatTouch:
    """An upper arm and a forearm, each a unit of two parts, hinged; the forearm also lies on a face."""

    def arm(self, *, one_unit: bool = False) -> tuple[Assembly, AssemblyComponent, AssemblyComponent]:
        robot = Assembly("robot")
        inside: list[AssemblyComponent] = []
        for name in ("upper", "fore"):
            unit = Assembly(name)
            shell, core = unit.part(f"{name} shell").fixed(), unit.part(f"{name} core")
            unit.lock(shell.at(point(O)), core.at(point(O)))
            if one_unit:
                inside.append(robot.part(f"{name} shell"))
            else:
                inside.append(robot.sub(unit) / f"{name} shell-1")
        (robot.children[0]).fixed()
        upper, fore = inside
        bearing(robot, upper, fore, np.zeros(3))
        return robot, upper, fore

    @pytest.mark.trap("R17")
    @pytest.mark.parametrize("one_unit", [False, True])
    def test_a_contact_that_welds_a_hinge_between_units_is_a_suspect(self, one_unit: bool) -> None:
        robot, upper, fore = self.arm(one_unit=one_unit)
        robot.coincident(upper.at(plane((0, 0.02, 0), Y)), fore.at(plane((0, 0.02, 0), Y)), name="Rest1")
        assert not understood(robot).tree.joints
        assert codes(robot).get("resting", []) == ([] if one_unit else ["Rest1"])
        freed = understood(robot, Settings(mates=MateSettings(ignore=("Rest1",))))
        assert [joint.name for joint in joints(freed)] == ["revolute"]

    @pytest.mark.trap("R17")
    def test_a_contact_that_closes_an_immobile_loop_is_a_suspect(self) -> None:
        robot, upper, fore = self.arm()
        hand = Assembly("hand")
        palm = hand.part("palm").fixed()
        assert palm.name == "palm-1"
        tool = robot.sub(hand, at(0.3)) / "palm-1"
        bearing(robot, fore, tool, np.array([0.3, 0, 0]))
        robot.coincident(upper.at(plane((0.3, 0.05, 0), Y)), tool.at(plane((0, 0.05, 0), Y)), name="Rest1")
        seen = understood(robot)
        assert not seen.tree.joints
        assert codes(seen)["resting"] == ["Rest1"]


class TestBackbone:
    @pytest.mark.trap("R20")
    def test_a_rigid_tie_between_two_driven_parts_closes_a_loop(self) -> None:
        """Two arms hold one box: each keeps its own chain from the base, and the loop moves as a four-bar."""
        assembly = Assembly("two arms")
        base = assembly.part("base").fixed()
        hands = []
        for side, x in (("left", -0.2), ("right", 0.25)):
            upper, hand = assembly.part(f"{side} upper"), assembly.part(f"{side} hand")
            bearing(assembly, base, upper, np.array([x, 0, 0]))
            bearing(assembly, upper, hand, np.array([x, 0.3 + 0.1 * x, 0]))
            hands.append(hand)
        box = assembly.part("box")
        for hand in hands:
            assembly.lock(hand.at(point(O)), box.at(point(O)))
        seen = understood(assembly)
        assert seen.mechanism.mobility == 1
        parents = {joint.child: joint.parent for joint in joints(seen)}
        assert parents["left upper-1"] == parents["right upper-1"] == "base-1"
        assert len(seen.robot.loop_joints) == 1

    @pytest.mark.trap("R22")
    def test_a_bolted_mount_is_backbone_and_carries_its_joint(self) -> None:
        assembly = Assembly("mount")
        frame, motor, arm = assembly.part("frame").fixed(), assembly.part("motor"), assembly.part("arm")
        mount = assembly.part("a mount")  # before all others by name
        bolts = [assembly.part(Part("ISO 4762 M3x8").from_toolbox()) for _ in range(2)]
        for bolt, x in zip(bolts, (0.1, 0.2), strict=True):
            for part in (frame, mount):
                assembly.concentric(part.at(shaft((x, 0, 0), Z, 0.0015)), bolt.at(shaft((x, 0, 0), Z, 0.0015)))
            assembly.coincident(mount.at(plane(O, Z)), bolt.at(plane(O, Z)))
        bolted(assembly, mount, motor, 0.01, 0.02)
        bearing(assembly, motor, arm, np.zeros(3))
        bearing(assembly, arm, mount, np.zeros(3))
        seen = understood(assembly)
        assert together(seen, "", "frame-1", "a mount-1", "motor-1")
        assert [(joint.child, joint.name) for joint in joints(seen)] == [("arm-1", "revolute")]
        assert seen.tree.root == 0

    @pytest.mark.trap("R31")
    def test_a_fixed_part_at_the_tip_is_the_root_unless_the_settings_name_another(self) -> None:
        assembly = serial_arm(3, fixed=2)
        seen = understood(assembly)
        assert "`link2-1` is fixed" in seen.root_reason
        assert "root" in codes(seen)
        turned = understood(assembly, Settings(base=BaseSettings(root="link0-1")))
        assert [(j.parent, j.child) for j in joints(turned)] == [("link0-1", "link1-1"), ("link1-1", "link2-1")]

    @pytest.mark.trap("R30")
    def test_a_mirrored_hinge_without_a_bore_is_a_hinge_all_the_same(self) -> None:
        """Edge on edge, a corner on a corner, and an angle that is a range."""
        assembly = Assembly("flap")
        base, flap = assembly.part("base").fixed(), assembly.part("flap")
        assembly.coincident(base.at(line(O, Z)), flap.at(line((0, 0, 0.1), Z)))
        assembly.coincident(base.at(point(O)), flap.at(point(O)))
        turned = (np.cos(0.4), np.sin(0.4), 0)
        assembly.angle(base.at(plane(O, X)), flap.at(plane(O, turned)), value=0.4, limits=(0.1, 1.0))
        seen = understood(assembly)
        assert names(seen) == {"flap-1": "revolute"}
        assert np.allclose(limits_of(joint_of(seen.robot, "flap_joint")), [-0.3, 0.6], atol=1e-12)


@pytest.mark.trap("L1")
def test_variations_are_limits_less_the_value_that_they_were_read_at() -> None:
    """The true limits are in the feature's data; the variation is relative to the mate's value when it was read."""
    assembly = Assembly("slide")
    base, block = assembly.part("base").fixed(), assembly.part("block")
    assembly.concentric(base.at(shaft(O, Z, 0.01)), block.at(shaft(O, Z, 0.01)), lock_rotation=True)
    assembly.distance(base.at(plane(O, Z)), block.at(plane((0, 0, 0.2), Z)), value=0.2, limits=(0.05, 0.5))
    mate = assembly.mates[-1]
    assert (mate.minimum_variation, mate.maximum_variation) == pytest.approx((-0.15, 0.3))
    assembly.mates[-1] = replace(
        mate, data=replace(of_type(Distance, mate.data), distance=0.4)
    )  # entered, not yet rebuilt
    assert np.allclose(limits_of(joint_of(understood(assembly).robot, "block_joint")), [-0.15, 0.3], atol=1e-12)


@pytest.mark.parametrize(("way", "found"), [("auto", []), ("always", ["bracket-1/loose-1"]), ("never", [])])
def test_sub_assemblies_are_opened_as_set(way: Opening, found: list[str]) -> None:
    """A part without mates is rigid in a closed sub-assembly; in an opened one it is reported as unattached."""
    sub = Assembly("bracket")
    plate, pin = sub.part("plate").fixed(), sub.part("pin")
    bearing(sub, plate, pin, np.zeros(3))
    sub.part("loose", at(0.1))
    top = Assembly("top")
    top.sub(sub).fixed()
    seen = understood(top, Settings(sub_assemblies={"all": way}))
    assert codes(seen).get("unattached", []) == found
    assert names(seen) == ({} if way == "never" else {"bracket-1/pin-1": "revolute"})


def unit(name: str, *, is_loose: bool) -> Assembly:
    """A sub-assembly with a part that turns in it, or that only touches a face."""
    sub = Assembly(name)
    housing, inner = sub.part("housing").fixed(), sub.part("inner")
    sub.concentric(housing.at(shaft(O, Z, 0.01)), inner.at(shaft(O, Z, 0.01)))
    if not is_loose:
        sub.coincident(housing.at(plane(O, Z)), inner.at(plane(O, Z)))
    return sub


@pytest.mark.trap("R34")
@pytest.mark.parametrize(
    ("name", "is_loose", "code"),
    [("gripper", False, "opened"), ("gripper", True, "opened-loose"), ("SKF bearing 608", False, "opened-loose")],
)
def test_a_bought_unit_that_opens_into_joints_is_suspected(name: str, is_loose: bool, code: str) -> None:
    top = Assembly("top")
    top.sub(unit(name, is_loose=is_loose)).fixed()
    seen = understood(top)
    assert codes(seen)[code] == [f"{name}-1"]
    assert {"opened", "opened-loose"} & codes(seen).keys() == {code}


@pytest.mark.trap("R34")
def test_sub_assemblies_move_as_solidworks_solves_them() -> None:
    """A rigid unit stays rigid, also with a flexible one in it; a flexible one opens."""
    inner, outer, top = unit("inner_unit", is_loose=False), Assembly("outer_unit"), Assembly("top")
    frame = outer.part("frame").fixed()
    deep = outer.sub(inner).flexible()
    outer.lock(frame.at(point(O)), (deep / "housing-1").at(point(O)))
    base = top.part("base").fixed()
    top.sub(outer).fixed()
    bent = top.sub(inner).flexible()
    top.lock(base.at(point(O)), (bent / "housing-1").at(point(O)))
    assert len(joints(top)) == 2
    settings = Settings(sub_assemblies={"all": "asSolved"})
    assert names(understood(top, settings)) == {"inner_unit-1/inner-1": "revolute"}


class TestAssumptionsAreReported:
    def test_the_phase_of_a_universal_joint_is_reported_as_assumed(self) -> None:
        assembly = Assembly("cardan")
        a, b = assembly.part("a").fixed(), assembly.part("b")
        assembly.universal(a.at(shaft((0, 0, -0.1), Z, 0.01)), b.at(shaft(O, (1, 0, 1), 0.01)), name="Cardan1")
        seen = understood(assembly)
        assert codes(seen)["universal-assumed"] == ["Cardan1"]
        assert all(
            "Cardan1: its cross is assumed" in present(joint_of(seen.robot, name).why).reason
            for name in seen.robot.joints
        )

    @pytest.mark.parametrize("constraint", [0, 1])
    def test_the_direction_of_a_free_slot_is_reported_as_assumed(self, constraint: int) -> None:
        assembly = Assembly("slot")
        a, b = assembly.part("a").fixed(), assembly.part("b")
        axes = (a.at(shaft(O, Z, 0.01)), b.at(shaft(O, Z, 0.01)))
        assembly.slot(*axes, constraint=constraint, name="Slot1")
        assert codes(assembly).get("slot-direction", []) == (["Slot1"] if constraint == 0 else [])


class TestConfigurations:
    def other(self, capture: Capture, path: str) -> Inference:
        documents = tuple(replace(d, read_in="Wide") if path in d.path else d for d in capture.documents)
        return understood(replace(capture, documents=documents))

    @pytest.mark.trap("R37")
    def test_a_file_read_in_another_configuration_is_reported_where_it_matters(self) -> None:
        sub = Assembly("sub")
        sub.part("plain").fixed()
        drawn = Part("drawn")
        drawn.coordinate_system("tool", at(0, 0, 0.5))
        sub.part(drawn).fixed()
        top = Assembly("top")
        for x in (0.0, 1.0):
            top.sub(sub, at(x)).fixed()
        capture = top.capture()
        assert "other-configuration" not in codes(understood(capture))
        assert codes(self.other(capture, "sub."))["other-configuration"] == ["sub-1"]
        assert codes(self.other(capture, "drawn."))["other-configuration"] == ["sub-1/drawn-1"]
        assert "other-configuration" not in codes(self.other(capture, "plain."))


@pytest.mark.trap("P3")
def test_a_locked_triangle_is_rigid_among_hundreds_of_parts() -> None:
    assembly = Assembly("many")
    parts = [assembly.part(f"part{k:03d}", at(0.1 * k)) for k in range(420)]
    parts[0].fixed()
    for k in range(419):
        bearing(assembly, parts[k], parts[k + 1], np.array([0.1 * k + 0.1, 0.01 * (k % 2), 0]))
    bearing(assembly, parts[417], parts[419], np.array([41.95, 0.2, 0]))
    seen = understood(assembly)
    assert together(seen, "part417-1", "part418-1", "part419-1")
    assert len(seen.tree.joints) == 417


@pytest.mark.trap("P11")
@pytest.mark.parametrize(
    ("mate_type", "first", "second", "rows"),
    [
        (MateType.PERPENDICULAR, (GeometryKind.PLANE, Z), (GeometryKind.LINE, Z), 2),
        (MateType.PARALLEL, (GeometryKind.PLANE, Z), (GeometryKind.LINE, X), 1),
        (MateType.DISTANCE, (GeometryKind.CYLINDER, Z), (GeometryKind.CYLINDER, Z), 3),
    ],
)
def test_rows_that_are_easily_miscounted(
    mate_type: MateType, first: tuple[GeometryKind, Vec3], second: tuple[GeometryKind, Vec3], rows: int
) -> None:
    entities = (PlacedEntity(first[0], 0, O, first[1]), PlacedEntity(second[0], 1, (0.1, 0.2, 0.3), second[1]))
    assert outcome(PlacedMate("m", mate_type, entities)).rank == rows


@pytest.mark.parametrize(
    ("base", "sentence"),
    [
        ({"up": "z"}, "at the assembly's origin; its z axis is the assembly's z axis, which is taken to point up."),
        ({"frame": "imu"}, "the coordinate system `imu`."),  # whose z axis need not point up
        ({"frame": {"xyz": [0, 0, 1]}}, "at the pose in the settings."),
    ],
)
def test_where_the_base_frame_is_and_what_is_up_is_reported(base: dict[str, object], sentence: str) -> None:
    findings = infer(sample("arm"), settings_from({"base": base})).findings
    assert [each.message for each in findings if each.code == "convention"] == [f"The base frame is {sentence}"]
