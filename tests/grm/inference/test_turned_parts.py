"""Small turned parts are rigid with what they are in; wheels, knobs, rollers and flanges are joints."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.grm.inference.looking import X, Y, Z, at, bearing, codes, joints, together, understood
from tests.large_robots import judge
from tests.noise import noisy

from swgrm.capture import Capture
from swgrm.capture.anonymize import anonymized
from swgrm.errors import SettingsError
from swgrm.inference import Inference, infer
from swgrm.inference.geometry.twists import Array
from swgrm.inference.keeping import kept
from swgrm.settings import JointSettings, Settings, settings_from
from swgrm.solidworks.fasteners import find_name_hint
from swgrm_mocks.builder import STEEL, Assembly, AssemblyComponent, Part, pose
from swgrm_mocks.large.names import NameSet
from swgrm_mocks.large.robots import make_large_robot
from swgrm_mocks.mates import plane, shaft
from swgrm_mocks.solids import Solid, box, cylinder, plate


def regular(corners: int, radius: float, length: float, bore: float = 0.0) -> Solid:
    """A prism of a regular polygon, along z."""
    angles = np.arange(corners) * 2 * math.pi / corners
    return plate(radius * np.stack([np.cos(angles), np.sin(angles)], axis=1), length, bore)


SCREW = cylinder(0.002, 0.012) + cylinder(0.0035, 0.004).moved(pose(z=0.008))
FIXINGS = {
    "pin": cylinder(0.0015, 0.01),
    "screw": SCREW,
    "spacer": cylinder(0.004, 0.012, 0.0022),
    "standoff": regular(6, 0.0035, 0.02, 0.0015),
    "washer": cylinder(0.0045, 0.0008, 0.00215),
    "nut": regular(6, 0.004, 0.0032, 0.002),
    "bush": cylinder(0.006, 0.008, 0.005),
    "plug": cylinder(0.005, 0.004),
}


RIM = cylinder(0.003, 0.0005)
DISC = cylinder(0.003, 0.004)


def arm(*solids: tuple[str, Solid]) -> Assembly:
    """A base and a link of 300 mm on it, with parts in holes of the link."""
    assembly = Assembly("arm")
    base = assembly.part(Part("base", box(0.2, 0.2, 0.1), STEEL)).fixed()
    link = assembly.part(Part("link", box(0.3, 0.06, 0.06), STEEL), at(z=0.1))
    bearing(assembly, base, link, np.zeros(3))
    for number, (name, solid) in enumerate(solids):
        place = at(0.02 * number - 0.1, 0.0, 0.13)
        bearing(assembly, link, assembly.part(Part(name, solid, STEEL), place), place[:3, 3])
    return assembly


def moving(source: Assembly | Capture | Inference, settings: Settings | None = None) -> set[str]:
    """The components that name the moving bodies."""
    return {joint.child for joint in joints(source, settings)}


class TestWhatIsRigid:
    @pytest.mark.parametrize("kind", FIXINGS)
    @pytest.mark.parametrize("name", ["400123", "Dowel pin 3x10", "Abstandsbolzen", "Втулка", "衬套"])
    @pytest.mark.trap("R33")
    def test_a_small_turned_part_is_not_a_joint_whatever_its_name(self, kind: str, name: str) -> None:
        assembly = arm((name, FIXINGS[kind]))
        assert moving(assembly) == {"link-1"}
        assert together(assembly, "link-1", f"{name}-1")

    def test_it_is_known_by_its_mass_and_box_where_there_is_no_mesh(self) -> None:
        assembly = arm(("400123", FIXINGS["pin"]))
        assert len(joints(anonymized(assembly.capture()))) == 1

    def test_without_a_mesh_a_short_part_of_unknown_bore_stays_a_joint(self) -> None:
        assembly = arm(("400123", FIXINGS["washer"]))
        assert len(joints(anonymized(assembly.capture()))) == 2

    def test_a_pin_across_the_axes_of_its_own_part_is_known_by_its_mesh(self) -> None:
        tilted = FIXINGS["pin"].moved(pose(roll=30, pitch=20))
        assembly = arm()
        pin = assembly.part(Part("400123", tilted, STEEL), at(z=0.13))
        axis = tuple(pose(roll=30, pitch=20)[:3, 2].tolist())
        bearing(assembly, assembly.children[1], pin, np.array([0, 0, 0.13]), axis)
        assert moving(assembly) == {"link-1"}

    def test_a_washer_on_a_screw_goes_with_the_screw(self) -> None:
        assembly = arm(("400123", SCREW))
        screw = assembly.children[2]
        washer = assembly.part(Part("400124", FIXINGS["washer"], STEEL), screw.T_assembly_self)
        bearing(assembly, screw, washer, screw.T_assembly_self[:3, 3])
        assert moving(assembly) == {"link-1"}

    def test_a_pin_on_which_a_lever_turns_is_rigid_and_the_lever_is_the_joint(self) -> None:
        """The pin can spin in its hole; that is not a second joint about the same axis."""
        assembly = arm(("400123", FIXINGS["pin"]))
        pin = assembly.children[2]
        lever = assembly.part(Part("lever", box(0.2, 0.03, 0.01), STEEL), pin.T_assembly_self)
        bearing(assembly, pin, lever, pin.T_assembly_self[:3, 3])
        assert moving(assembly) == {"link-1", "lever-1"}
        assert together(assembly, "link-1", "400123-1")
        assert understood(assembly).mobility == 2

    def test_a_hinge_pin_beside_the_mates_of_the_hinge(self) -> None:
        """Concentric with one leaf, flush with the other one, which has the mates of the hinge."""
        assembly = arm()
        link = assembly.children[1]
        leaf = assembly.part(Part("leaf", box(0.1, 0.05, 0.02), STEEL), at(0.1, 0, 0.13))
        bearing(assembly, link, leaf, np.array([0.1, 0, 0.13]))
        pin = assembly.part(Part("400123", FIXINGS["pin"], STEEL), at(0.1, 0, 0.13))
        assembly.concentric(link.at(shaft((0.1, 0, 0.03), Z, 0.0015)), pin.at(shaft((0, 0, 0), Z, 0.0015)))
        assembly.coincident(leaf.at(plane((0, 0, 0.005), Z)), pin.at(plane((0, 0, 0.005), Z)))
        assert moving(assembly) == {"link-1", "leaf-1"}
        assert understood(assembly).mobility == 2

    def test_a_bearing_between_two_links_is_not_a_second_joint(self) -> None:
        """The bearing sits in the link, the journal of the next link in the bearing: one joint, not two."""
        assembly = arm()
        bearing_ = on(assembly, assembly.children[1], "Kugellager 608", cylinder(0.011, 0.007, 0.004), at(z=0.13))
        on(assembly, bearing_, "lever", box(0.2, 0.03, 0.01), at(z=0.13))
        assert moving(assembly) == {"link-1", "lever-1"}
        assert understood(assembly).mobility == 2

    def test_a_loose_part_is_rigid_only_if_it_is_named_like_one(self) -> None:
        for name, expected in (("400123", {"link-1", "400123-1"}), ("Distanzhülse 8x12", {"link-1"})):
            assembly = arm()
            spacer = assembly.part(Part(name, FIXINGS["spacer"], STEEL), at(z=0.13))
            link = assembly.children[1]
            assembly.concentric(link.at(shaft((0, 0, 0), Z, 0.002)), spacer.at(shaft((0, 0, 0), Z, 0.002)))
            assert moving(assembly) == expected

    def test_a_name_makes_up_for_the_size(self) -> None:
        large = cylinder(0.008, 0.08)
        assert moving(arm(("400123", large))) == {"link-1", "400123-1"}
        assert moving(arm(("Zylinderstift 16x80", large))) == {"link-1"}

    def test_a_name_does_not_make_up_for_the_shape(self) -> None:
        assert moving(arm(("Dowel pin 3x10", box(0.02, 0.005, 0.005)))) == {"link-1", "Dowel pin 3x10-1"}


class TestFindingAndSettings:
    PARTS = (("400123", FIXINGS["pin"]), ("400123", FIXINGS["pin"]), ("400777", FIXINGS["spacer"]))

    def seen(self, fasteners: dict[str, bool]) -> set[str]:
        return moving(arm(*self.PARTS), Settings(fasteners=fasteners))

    def test_one_finding_names_every_kind_of_part(self) -> None:
        found = [finding for finding in understood(arm(*self.PARTS)).findings if finding.code == "turned-rigid"]
        assert [finding.where for finding in found] == ["assembly"]
        assert found[0].message.startswith("Small turned parts")
        assert "(3 ×)" in found[0].message
        assert "`400123` (2 ×), `400777` (1 ×)" in found[0].message
        assert "byShape" in found[0].remedy

    def test_the_result_lists_them_with_the_fasteners(self) -> None:
        seen = understood(arm(*self.PARTS))
        assert sorted(seen.fasteners) == ["400123-1", "400123-2", "400777-1"]
        assert "`400123-1` is a small turned part in `link-1`" in seen.reasons_for_body(seen.body_of("link-1"))

    @pytest.mark.parametrize(
        ("decided", "expected"),
        [
            ({"400123-2": False}, {"400123-2"}),
            ({"400123": False}, {"400123-1", "400123-2"}),
            ({"4001*": False}, {"400123-1", "400123-2"}),
            ({"*": False, "400777-1": True}, {"400123-1", "400123-2"}),
            ({"byShape": False}, {"400123-1", "400123-2", "400777-1"}),
            ({"byShape": False, "400777.SLDPRT": True}, {"400123-1", "400123-2"}),
            ({"byShape": True}, set()),
        ],
    )  # fmt: skip
    def test_settings_free_them(self, decided: dict[str, bool], expected: set[str]) -> None:
        assert self.seen(decided) == {"link-1"} | expected

    def test_confirmed_parts_are_not_in_the_warning(self) -> None:
        seen = understood(arm(*self.PARTS), Settings(fasteners={"400*": True}))
        assert "turned-rigid" not in codes(seen)
        assert len(codes(seen)["fastener"]) == 3

    def test_a_pattern_without_components_is_an_error(self) -> None:
        with pytest.raises(SettingsError, match="no component `5\\*`"):
            self.seen({"5*": False})

    @pytest.mark.parametrize(
        "decided",
        [
            {"joints": {"400777_joint": {"lower": 0, "upper": 1}}},
            {"joints": {"j": {"between": ["link-1", "400777-1"], "velocity": 2}}},
            {"actuators": {"400777_joint": {"type": "motor"}}},
            {"poses": {"home": {"400777_joint": 0.5}}},
        ],
    )
    def test_a_part_that_the_settings_use_as_a_joint_is_one(self, decided: dict[str, object]) -> None:
        assert moving(arm(*self.PARTS), settings_from(decided)) == {"link-1", "400777-1"}

    def test_an_inference_is_made_again_if_the_settings_begin_to_use_the_joint(self) -> None:
        inference = understood(arm(*self.PARTS))
        limited = JointSettings(lower=0, upper=1)
        assert kept(inference, Settings(), Settings(joints={"link_joint": limited})) is not None
        assert kept(inference, Settings(), Settings(joints={"400777_joint": limited})) is None
        used = Settings(joints={"400777_joint": limited})
        assert kept(understood(arm(*self.PARTS), used), used, Settings()) is None
        used = Settings(joints={"link_joint": limited})
        assert kept(understood(arm(*self.PARTS), used), used, Settings()) is not None


def on(
    assembly: Assembly, host: AssemblyComponent, name: str, solid: Solid, T: Array, axis: tuple[float, ...] = Z
) -> AssemblyComponent:
    """A part on a bearing in another one, about an axis of the assembly; its own axis is z."""
    component = assembly.part(Part(name, solid, STEEL), T)
    bearing(assembly, host, component, T[:3, 3], axis)
    return component


class TestWhatStaysAJoint:
    """Each under a bare number, so that the name does not decide."""

    @pytest.mark.parametrize(
        ("radius", "width", "bore"),
        [(0.0325, 0.026, 0.003), (0.0325, 0.026, 0.0), (0.016, 0.007, 0.0015), (0.1, 0.04, 0.01)],
    )
    def test_wheels_of_a_vehicle(self, radius: float, width: float, bore: float) -> None:
        assembly = Assembly("vehicle")
        chassis = assembly.part(Part("chassis", box(0.4, 0.25, 0.08), STEEL)).fixed()
        for x in (-0.15, 0.15):
            for y in (-0.15, 0.15):
                on(assembly, chassis, "400123", cylinder(radius, width, bore), at(x, y) @ pose(roll=90), Y)
        assert len(moving(assembly)) == 4

    def test_casters_swivel_and_roll_and_their_axles_do_not_spin(self) -> None:
        assembly = Assembly("cart")
        deck = assembly.part(Part("deck", box(0.8, 0.5, 0.02), STEEL)).fixed()
        for x in (-0.3, 0.3):
            fork = on(assembly, deck, "400100", box(0.03, 0.04, 0.05), at(x, 0, -0.03))
            axle = on(assembly, fork, "400101", cylinder(0.002, 0.02), at(x - 0.01, 0, -0.05) @ pose(roll=90), Y)
            on(assembly, axle, "400102", cylinder(0.012, 0.01, 0.002), axle.T_assembly_self, Y)
        assert moving(assembly) == {"400100-1", "400100-2", "400102-1", "400102-2"}

    def test_rollers_of_a_conveyor(self) -> None:
        assembly = Assembly("conveyor")
        frame = assembly.part(Part("frame", box(2.0, 0.5, 0.1), STEEL)).fixed()
        for k in range(6):
            on(assembly, frame, "400123", cylinder(0.02, 0.45), at(0.2 * k) @ pose(roll=90), Y)
        assert len(moving(assembly)) == 6

    def test_rollers_of_a_peristaltic_pump_and_not_their_pins(self) -> None:
        assembly = Assembly("pump")
        housing = assembly.part(Part("housing", box(0.12, 0.12, 0.05), STEEL)).fixed()
        rotor = on(assembly, housing, "400100", cylinder(0.03, 0.02, 0.004), at())
        for k in range(3):
            place = pose(yaw=120.0 * k) @ at(0.022)
            pin = on(assembly, rotor, "400101", cylinder(0.0015, 0.02), place)
            on(assembly, pin, "400102", cylinder(0.006, 0.015, 0.0015), place)
        assert moving(assembly) == {"400100-1", "400102-1", "400102-2", "400102-3"}

    def test_idler_pulleys_and_encoder_discs_on_a_large_frame(self) -> None:
        assembly = Assembly("printer")
        frame = assembly.part(Part("frame", box(0.5, 0.5, 0.05), STEEL)).fixed()
        on(assembly, frame, "400100", cylinder(0.009, 0.0085, 0.0025), at(0.1))
        on(assembly, frame, "400101", cylinder(0.015, 0.001, 0.003), at(-0.1))
        assert moving(assembly) == {"400100-1", "400101-1"}

    def test_propellers(self) -> None:
        blades = box(0.06, 0.004, 0.001) + box(0.004, 0.06, 0.001) + cylinder(0.003, 0.006)
        assembly = Assembly("drone")
        frame = assembly.part(Part("frame", box(0.25, 0.25, 0.1), STEEL)).fixed()
        for x in (-0.1, 0.1):
            on(assembly, frame, "400123", blades, at(x, 0, 0.06))
        assert len(moving(assembly)) == 2

    def test_a_knob_with_a_limit(self) -> None:
        assembly = arm(("400123", FIXINGS["plug"]))
        link, knob = assembly.children[1:]
        sides = link.at(plane((0, 0, 0), X)), knob.at(plane((0, 0, 0), X))
        assembly.angle(*sides, value=0.0, limits=(-1.0, 1.0))
        assert moving(assembly) == {"link-1", "400123-1"}

    def test_small_gears_with_a_gear_mate(self) -> None:
        assembly = arm(("400123", FIXINGS["bush"]), ("400124", FIXINGS["bush"]))
        first, second = assembly.children[2:]
        axes = first.at(shaft((0, 0, 0), Z, 0.006)), second.at(shaft((0, 0, 0), Z, 0.006))
        assembly.gear(*axes, ratio=(1.0, 1.0))
        assert moving(assembly) == {"link-1", "400123-1", "400124-1"}

    def test_a_shaft_that_carries_what_is_rigid_with_it(self) -> None:
        assembly = arm(("400123", FIXINGS["pin"]))
        shaft_ = assembly.children[2]
        lever = assembly.part(Part("400124", box(0.04, 0.01, 0.005), STEEL), shaft_.T_assembly_self)
        bearing(assembly, shaft_, lever, shaft_.T_assembly_self[:3, 3])
        assembly.parallel(shaft_.at(plane((0, 0, 0), X)), lever.at(plane((0, 0, 0), X)))
        assert len(moving(assembly)) == 2

    @pytest.mark.parametrize(
        ("name", "radius", "with_frame"),
        [("400123", 0.0315, False), ("400123", 0.01, False), ("400123", 0.01, True), ("Werkzeugflansch", 0.01, False)],
    )
    def test_the_flange_of_an_arm(self, name: str, radius: float, with_frame: bool) -> None:
        """Turned, short, with a wide bore, the only part of its file, the last link of a chain of joints."""
        part = Part(name, cylinder(radius, 0.008, 0.5 * radius), STEEL)
        if with_frame:
            part.coordinate_system("tool0", at(z=0.004))
        assembly = arm()
        wrist = on(assembly, assembly.children[1], "wrist", box(0.1, 0.1, 0.12), at(0.15, 0, 0.1), Y)
        flange = assembly.part(part, at(0.15, 0, 0.16))
        bearing(assembly, wrist, flange, np.array([0.15, 0, 0.16]))
        assert moving(assembly) == {"link-1", "wrist-1", f"{name}-1"}

    @pytest.mark.parametrize(
        ("is_twice", "with_frame", "expected"), [(False, False, 4), (True, False, 3), (True, True, 5)]
    )
    def test_what_tells_a_flange_from_a_ring_on_the_last_link(
        self, is_twice: bool, with_frame: bool, expected: int
    ) -> None:
        part = Part("400123", cylinder(0.01, 0.008, 0.005), STEEL)
        if with_frame:
            part.coordinate_system("tool0", at(z=0.004))
        assembly = arm()
        elbow = on(assembly, assembly.children[1], "elbow", box(0.2, 0.06, 0.06), at(0.15, 0, 0.1), Y)
        wrist = on(assembly, elbow, "wrist", box(0.1, 0.1, 0.12), at(0.25, 0, 0.1), Z)
        for x in (0.25, 0.27)[: 1 + is_twice]:
            ring = assembly.part(part, at(x, 0, 0.16))
            bearing(assembly, wrist, ring, np.array([x, 0, 0.16]))
        assert len(moving(assembly)) == expected

    @pytest.mark.parametrize(("name", "expected"), [("400100", 1), ("Laufrad", 2)])
    def test_a_sub_assembly_is_judged_as_a_whole(self, name: str, expected: int) -> None:
        """A bearing of two rings is rigid with the link; a small wheel is known by the name of its sub-assembly."""
        unit = Assembly(name)
        outer = unit.part(Part("400123", cylinder(0.008, 0.004, 0.006), STEEL)).fixed()
        unit.part(Part("400124", cylinder(0.005, 0.004, 0.004), STEEL)).fixed()
        assembly = arm()
        sub = assembly.sub(unit, at(z=0.13))
        bearing(assembly, assembly.children[1], sub / outer.name, np.array([0, 0, 0.13]))
        assert len(moving(assembly)) == expected

    def test_a_limit_of_the_sub_assembly(self) -> None:
        unit = Assembly("400100")
        outer = unit.part(Part("400123", FIXINGS["bush"], STEEL)).fixed()
        assembly = arm()
        link, sub = assembly.children[1], assembly.sub(unit, at(z=0.13))
        bearing(assembly, link, sub / outer.name, np.array([0, 0, 0.13]))
        assembly.angle(link.at(plane((0, 0, 0), X)), sub.at(plane((0, 0, 0), X)), value=0.0, limits=(-1.0, 1.0))
        assert len(moving(assembly)) == 2

    def test_a_hinge_mate(self) -> None:
        assembly = arm()
        link = assembly.children[1]
        pin = assembly.part(Part("400123", FIXINGS["pin"], STEEL), at(z=0.13))
        ends = [(c.at(shaft((0, 0, z), Z, 0.002)), c.at(plane((0, 0, z), Z))) for c, z in ((link, 0.03), (pin, 0.0))]
        assembly.hinge(ends[0][0], ends[1][0], ends[0][1], ends[1][1])
        assert moving(assembly) == {"link-1", "400123-1"}

    @pytest.mark.parametrize(
        "solid",
        [
            pytest.param(box(0.012, 0.004, 0.02), id="flat bar"),
            pytest.param(regular(4, 0.005, 0.012), id="square"),
            pytest.param(cylinder(0.003, 0.01).moved(pose(x=0.002)), id="eccentric"),
            pytest.param(cylinder(0.002, 0.02).moved(pose(pitch=20)), id="tilted"),
            # With a round outline, where only the mass shows it.
            pytest.param(RIM + cylinder(0.002, 0.012).moved(pose(x=0.0009)), id="weight on one side"),
            pytest.param(RIM + box(0.0056, 0.001, 0.012), id="blade"),
            pytest.param(DISC.moved(pose(x=0.0006, z=0.004)) + DISC.moved(pose(x=-0.0006, z=-0.004)), id="crankshaft"),
        ],
    )
    def test_small_parts_that_are_not_turned(self, solid: Solid) -> None:
        assert len(moving(arm(("400123", solid)))) == 2

    def test_a_part_that_is_as_large_as_what_it_is_on(self) -> None:
        assembly = Assembly("pair")
        base = assembly.part(Part("base", cylinder(0.005, 0.02), STEEL)).fixed()
        on(assembly, base, "400123", cylinder(0.004, 0.02), at())
        assert moving(assembly) == {"400123-1"}

    def test_a_part_without_geometry(self) -> None:
        assembly = arm()
        bearing(assembly, assembly.children[1], assembly.part(Part("400123"), at(z=0.13)), np.array([0, 0, 0.13]))
        assert moving(assembly) == {"link-1", "400123-1"}


@pytest.mark.parametrize(
    ("hint", "names"),
    [
        ("fixing", ["spacer hex 6", "Abstandshalter", "O-ring 12x2", "Sicherungsring", "Distanzhülse",
                    "entretoise M3"]),
        ("pivot", ["Dowel pin 3x10", "Zylinderstift 3x10", "Passstift", "Паз штифт", "ISO 2338 x", "定位销"]),
        ("element", ["bush_8", "Kugellager", "轴承"]),
        ("moving", ["wheel-3", "Laufrolle", "Umlenkrolle 20", "roller", "GT2 idler", "Zahnrad", "Flansch",
                    "tool_flange", "Räder", "ролик", "同步轮", "knob", "encoder disc", "roue"]),
        ("", ["400123", "arm", "wheel spacer", "roller pin", "spinner", "string_guide", "capacitor", "Riemenscheibe 20",
              "steering", "opinion", "passive"]),
    ],
)  # fmt: skip
def test_names_suggest_what_a_turned_part_is(hint: str, names: list[str]) -> None:
    assert {name: str(find_name_hint(f"sub-1/{name}-2")) for name in names} == dict.fromkeys(names, hint)


@pytest.mark.parametrize("patterns", [False, True])
@pytest.mark.parametrize("names", ["words", "numbers"])
def test_a_robot_of_hundreds_of_parts_has_its_six_joints(names: NameSet, patterns: bool) -> None:
    robot = make_large_robot("arm", 250, patterns=patterns, names=names, detail=0.1)
    inference = infer(robot.capture)
    verdict = judge(robot, inference)
    assert (verdict.joints, verdict.false_joints, verdict.wrong, inference.mobility) == (6, 0, (), 6)
    assert [finding.code for finding in inference.findings].count("turned-rigid") == 1


@st.composite
def fixings(draw: st.DrawFn) -> list[tuple[int, str, tuple[float, ...]]]:
    """Turned parts: which link each is in (not the last one, which may have a flange), its kind, where its axis is."""
    angles = st.sampled_from([-90.0, -30.0, 0.0, 45.0, 90.0])
    places = st.tuples(st.floats(-0.1, 0.1), st.floats(-0.02, 0.02), angles, angles)
    return draw(st.lists(st.tuples(st.integers(0, 1), st.sampled_from(sorted(FIXINGS)), places), max_size=6))


@given(fixings(), st.integers(0, 3))
@settings(max_examples=25, deadline=None)
def test_turned_parts_change_nothing_else(parts: list[tuple[int, str, tuple[float, ...]]], noise: int) -> None:
    """Joints and degrees of freedom are those of the assembly without the parts, also where poses are noisy."""
    assembly = Assembly("chain")
    links = [assembly.part(Part(f"link{k}", box(0.3, 0.08, 0.06), STEEL), at(0.25 * k, 0, 0.06 * k)) for k in range(3)]
    links[0].fixed()
    for k in range(2):
        bearing(assembly, links[k], links[k + 1], np.array([0.25 * k + 0.125, 0, 0]))
    expected, mobility = joints(assembly), understood(assembly).mobility
    for number, (link, kind, (x, y, roll, pitch)) in enumerate(parts):
        place = links[link].T_assembly_self @ pose(x=x, y=y, roll=roll, pitch=pitch)
        component = assembly.part(Part(f"{400000 + number}", FIXINGS[kind], STEEL), place)
        bearing(assembly, links[link], component, place[:3, 3], tuple(place[:3, 2].tolist()))
    seen = infer(noisy(assembly.capture(), (0, 1e-10, 1e-9, 1e-8)[noise], seed=len(parts)))
    assert joints(seen) == expected
    assert seen.mobility == mobility
    for number, (link, _, _) in enumerate(parts):
        assert seen.body_of(f"{400000 + number}-1") == seen.body_of(f"link{link}-1")


@pytest.mark.trap("R33")
def test_dowel_pins_under_numbers_hold_the_plate_that_they_locate() -> None:
    """Their mates to the frame and to the cover are what makes these one body; they must not be used up."""
    assembly = Assembly("plate")
    frame = assembly.part(Part("frame", box(0.2, 0.1, 0.05), STEEL)).fixed()
    cover = assembly.part(Part("cover", box(0.2, 0.1, 0.05), STEEL))
    for x in (0.0, 0.05):
        pin = assembly.part(Part("400123", FIXINGS["pin"], STEEL), at(x))
        bearing(assembly, frame, pin, np.array([x, 0, 0]))
        assembly.concentric(pin.at(shaft((0, 0, 0), Z, 0.003)), cover.at(shaft((x, 0, 0), Z, 0.003)))
    assembly.coincident(frame.at(plane((0, 0, 0), Z)), cover.at(plane((0, 0, 0), Z)))
    assert not joints(assembly)
