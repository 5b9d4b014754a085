"""Parts that are fasteners, and parts that only look like fasteners: each rule with a case in which it must not act."""

from itertools import pairwise

import numpy as np
import pytest
from tests.grm.inference.looking import O, X, Z, at, bearing, codes, joints, names, together, understood

from swgrm.errors import SettingsError
from swgrm.settings import Settings, settings_from
from swgrm.solidworks.fasteners import NameHint, find_name_hint, is_named_like_fastener
from swgrm_mocks.builder import STEEL, Assembly, AssemblyComponent, Part
from swgrm_mocks.mates import circle, plane, shaft
from swgrm_mocks.solids import Solid, box, cylinder

SCREW = cylinder(0.003, 0.02)


def block(name: str) -> Part:
    return Part(name, box(0.2, 0.1, 0.05), STEEL)


def chain_of(*parts: Part) -> Assembly:
    """Parts on one axis, each on a hinge of the one before; the first one is fixed."""
    assembly = Assembly("chain")
    placed = [assembly.part(part) for part in parts]
    placed[0].fixed()
    for first, second in pairwise(placed):
        bearing(assembly, first, second, np.zeros(3))
    return assembly


def slider_crank(crank: Part) -> Assembly:
    """A crank disc on a hinge of the frame, a rod on it, and a slider on the rod."""
    assembly = Assembly("slider_crank")
    frame = assembly.part(Part("frame", box(0.5, 0.1, 0.05), STEEL)).fixed()
    disc = assembly.part(crank)
    rod = assembly.part(Part("rod", box(0.2, 0.02, 0.01), STEEL), at(0.05))
    slider = assembly.part(Part("slider", box(0.05, 0.05, 0.05), STEEL), at(0.25))
    bearing(assembly, frame, disc, np.zeros(3))
    bearing(assembly, disc, rod, np.array([0.05, 0, 0]))
    bearing(assembly, rod, slider, np.array([0.25, 0, 0]))
    assembly.concentric(frame.at(shaft((0.25, 0, 0), X, 0.01)), slider.at(shaft(O, X, 0.01)))
    return assembly


class TestToolboxParts:
    @pytest.mark.parametrize("name", ["Spur gear 1M 24T", "timing pulley", "Kettenrad", "sprocket 24"])
    @pytest.mark.trap("R7")
    def test_a_gear_of_the_toolbox_is_the_crank_of_a_slider_crank(self, name: str) -> None:
        seen = understood(slider_crank(Part(name, cylinder(0.06, 0.01), STEEL).from_toolbox()))
        assert seen.mobility == 1
        assert "fastener" not in codes(seen)

    @pytest.mark.parametrize("solid", [None, cylinder(0.011, 0.007, 0.004), cylinder(0.06, 0.02, 0.03)])
    @pytest.mark.parametrize("name", ["Ball bearing 608", "Rillenkugellager 6204", "roulement 608", "深沟球轴承"])
    @pytest.mark.trap("R7")
    def test_an_arm_on_bearings_of_the_toolbox_has_a_joint_for_each(self, name: str, solid: Solid | None) -> None:
        bearings = [Part(name, solid, STEEL).from_toolbox() for _ in range(3)]
        links = [Part(f"link{k}", box(0.2, 0.1, 0.05) if solid else None, STEEL) for k in range(4)]
        assembly = Assembly("arm")
        placed = [assembly.part(link, at(0.3 * k)) for k, link in enumerate(links)]
        placed[0].fixed()
        for k, part in enumerate(bearings):
            ring = assembly.part(part, at(0.3 * k))
            bearing(assembly, placed[k], ring, np.array([0.3 * k, 0, 0]))
            bearing(assembly, ring, placed[k + 1], np.array([0.3 * k, 0, 0]))
        seen = understood(assembly)
        assert seen.mobility == 3
        assert names(seen) == {f"link{k}-1": "revolute" for k in (1, 2, 3)}

    def test_a_wheel_of_the_toolbox_on_an_axle_is_a_joint(self) -> None:
        assembly = chain_of(block("frame"), Part("roller chain wheel", cylinder(0.03, 0.01), STEEL).from_toolbox())
        assert names(assembly) == {"roller chain wheel-1": "revolute"}

    def test_a_beam_of_the_toolbox_is_not_a_fastener_by_its_size(self) -> None:
        assembly = chain_of(block("frame"), Part("W 100", box(0.6, 0.1, 0.1), STEEL).from_toolbox())
        assert names(assembly) == {"W 100-1": "revolute"}

    def test_an_unknown_small_part_of_the_toolbox_in_a_hole_is_a_fastener(self) -> None:
        assembly = chain_of(block("frame"), Part("Kolík 4x20", SCREW, STEEL).from_toolbox())
        assert codes(assembly)["fastener"] == ["Kolík 4x20-1"]
        assert not joints(assembly)

    @pytest.mark.parametrize(("solid", "moving"), [(SCREW, 0), (cylinder(0.02, 0.008, 0.01), 2)])
    def test_an_unknown_part_of_the_toolbox_between_two_others_must_look_like_a_bolt(
        self, solid: Solid, moving: int
    ) -> None:
        assembly = chain_of(block("frame"), Part("4711", solid, STEEL).from_toolbox(), block("arm"))
        settings = Settings(fasteners={"byShape": False})
        assert understood(assembly, settings).mobility == moving


class TestPartsThatCarryOthers:
    @pytest.mark.trap("R7", "P17")
    def test_a_name_alone_does_not_make_a_fastener_of_a_link(self) -> None:
        runner = Part("nut_runner", box(0.12, 0.05, 0.05), STEEL)
        assembly = chain_of(block("frame"), block("upper"), runner, block("tool"))
        assert len(joints(assembly)) == 3
        assert "fastener" not in codes(assembly)

    @pytest.mark.trap("R7", "P17")
    def test_the_same_name_on_a_small_turned_part_makes_one(self) -> None:
        assembly = chain_of(block("frame"), Part("nut_runner screw", SCREW, STEEL), block("tool"))
        assert not joints(assembly)
        assert codes(assembly)["fastener-holds"] == ["nut_runner screw-1"]

    @pytest.mark.parametrize("solid", [None, cylinder(0.004, 0.03)])
    @pytest.mark.parametrize(
        "name", ["ISO 7379 8 x 20", "shoulder screw 8x20", "Passschraube M8", "ISO 2340 clevis pin"]
    )
    @pytest.mark.parametrize("is_toolbox", [True, False])
    @pytest.mark.trap("R7")
    def test_links_turn_on_shoulder_screws_and_pins(self, name: str, solid: Solid | None, is_toolbox: bool) -> None:
        part = Part(name, solid, STEEL)
        part = part.from_toolbox() if is_toolbox else part
        assembly = chain_of(block("frame"), part, block("link"))
        seen = understood(assembly)
        assert names(seen) == {"link-1": "revolute"}
        assert seen.mobility == 1

    def test_two_dowel_pins_hold_a_plate(self) -> None:
        assembly = Assembly("plate")
        frame, cover = assembly.part(block("frame")).fixed(), assembly.part(block("cover"))
        for x in (0.0, 0.05):
            pin = assembly.part(Part("ISO 2338 4x20", SCREW, STEEL).from_toolbox(), at(x))
            bearing(assembly, frame, pin, np.array([x, 0, 0]))
            assembly.concentric(pin.at(shaft(O, Z, 0.003)), cover.at(shaft((x, 0, 0), Z, 0.003)))
        assembly.coincident(frame.at(plane(O, Z)), cover.at(plane(O, Z)))
        seen = understood(assembly)
        assert together(seen, "frame-1", "cover-1", "ISO 2338 4x20-1", "ISO 2338 4x20-2")
        assert "fastener-holds" not in codes(seen)

    def test_a_pin_that_is_locked_in_the_lever_stays_with_the_lever(self) -> None:
        assembly = Assembly("lever")
        frame, lever = assembly.part(block("frame")).fixed(), assembly.part(block("lever"))
        pin = assembly.part(Part("ISO 2338 4x20", SCREW, STEEL).from_toolbox())
        bearing(assembly, frame, pin, np.zeros(3))
        assembly.lock(*(part.at(plane(O, Z)) for part in (lever, pin)))
        assert joints(assembly)[0].child == "lever-1"
        assert together(assembly, "lever-1", "ISO 2338 4x20-1")


class TestWhatASettingDecides:
    def clamped(self) -> Assembly:
        return chain_of(block("frame"), Part("ISO 4762 M6x20", SCREW, STEEL).from_toolbox(), block("arm"))

    @pytest.mark.trap("P17")
    def test_a_screw_that_removes_the_motion_of_two_other_parts_is_a_warning(self) -> None:
        seen = understood(self.clamped())
        assert together(seen, "frame-1", "arm-1")
        (finding,) = (finding for finding in seen.findings if finding.code == "fastener-holds")
        assert "`arm-1` and `frame-1`" in finding.message
        assert "`pivot`" in finding.remedy

    @pytest.mark.parametrize(("choice", "mobility"), [(True, 0), ("pivot", 1), (False, 2)])
    def test_the_settings_decide_and_the_warning_is_gone(self, choice: bool | str, mobility: int) -> None:
        seen = understood(self.clamped(), settings_from({"fasteners": {"ISO 4762*": choice, "byShape": False}}))
        assert seen.mobility == mobility
        assert "fastener-holds" not in codes(seen)

    def test_screws_that_hold_a_plate_by_their_mates_are_no_warning(self) -> None:
        assembly = Assembly("plate")
        frame, cover = assembly.part(block("frame")).fixed(), assembly.part(block("cover"))
        for x in (0.0, 0.05):
            screw = assembly.part(Part("ISO 4762 M6x20", SCREW, STEEL).from_toolbox(), at(x))
            bearing(assembly, frame, screw, np.array([x, 0, 0]))
            bearing(assembly, screw, cover, np.array([x, 0, 0]))
        seen = understood(assembly)
        assert together(seen, "frame-1", "cover-1")
        assert "fastener-holds" not in codes(seen)

    def test_another_word_is_an_error_that_lists_the_choices(self) -> None:
        with pytest.raises(SettingsError, match="Write true, false or pivot"):
            settings_from({"fasteners": {"x": "sometimes"}})


class TestSlotsAndProfileCentres:
    def screwed(self, *, by: str) -> tuple[Assembly, AssemblyComponent, AssemblyComponent]:
        """A plate, an arm on a hinge of it, and a screw in the plate by a slot or a profile centre mate."""
        assembly = Assembly("slotted")
        frame, arm = assembly.part(block("frame")).fixed(), assembly.part(block("arm"))
        bearing(assembly, frame, arm, np.array([0.05, 0, 0]))
        screw = assembly.part(Part("ISO 4762 M6x20", SCREW, STEEL).from_toolbox())
        if by == "slot":
            assembly.slot(frame.at(plane((0, 0.003, 0), (0, 1, 0))), screw.at(shaft(O, Z, 0.003)))
            assembly.coincident(frame.at(plane(O, Z)), screw.at(plane(O, Z)))
        else:
            assembly.profile_center(frame.at(circle(O, Z, 0.003)), screw.at(circle(O, Z, 0.003)))
        return assembly, frame, screw

    @pytest.mark.parametrize("by", ["slot", "profile centre"])
    @pytest.mark.trap("R7")
    def test_a_screw_in_a_slot_or_on_a_profile_centre_is_a_fastener(self, by: str) -> None:
        assembly, _, _ = self.screwed(by=by)
        seen = understood(assembly)
        assert names(seen) == {"arm-1": "revolute"}
        assert codes(seen)["fastener"] == ["ISO 4762 M6x20-1"]

    def test_a_follower_that_slides_in_a_slot_is_not(self) -> None:
        """The pin is in the lever, and slides in the slot of the frame: the slot must not be its host."""
        assembly = Assembly("crank")
        frame = assembly.part(Part("a frame", box(0.2, 0.1, 0.05), STEEL)).fixed()
        lever = assembly.part(block("lever"))
        pin = assembly.part(Part("ISO 4762 M6x20", SCREW, STEEL).from_toolbox())
        bearing(assembly, lever, pin, np.zeros(3))
        assembly.slot(frame.at(plane((0, 0.003, 0), (0, 1, 0))), pin.at(shaft(O, Z, 0.003)))
        assembly.coincident(frame.at(plane(O, Z)), lever.at(plane(O, Z)))
        assert together(assembly, "lever-1", "ISO 4762 M6x20-1")
        assert understood(assembly).mobility == 2


@pytest.mark.trap("R7")
@pytest.mark.parametrize(
    "name",
    ["Zylinderschraube M6", "Sechskantmutter M6", "Vite TCEI M4", "Dado M4", "parafuso M4", "Śruba M6", "Šroub",
     "skruv", "Болт М6", "Гайка", "螺钉M3", "螺母", "볼트", "座金", "91290A115-1", "BN 610", "SHCS 10-32",
     "#8-32 x 0.5", "10-32 x 0.5", "ГОСТ 7798-70", "GB_T 5783"],
)  # fmt: skip
def test_fasteners_in_other_languages_and_catalogues(name: str) -> None:
    assert is_named_like_fastener(name)


@pytest.mark.trap("R7")
@pytest.mark.parametrize(
    "name",
    ["Kugelgewindemutter", "Spindelmutter-1", "DIN 6885 A 5x5x20", "link 4-12 x 3", "Mutterplatte", "vista", "dadone",
     "visor", "Ходовой винт", "9129A11", "BNC socket", "UNCLE"],
)  # fmt: skip
def test_names_that_only_contain_such_words(name: str) -> None:
    assert not is_named_like_fastener(name)


def test_pins_and_bearings_have_hints_of_their_own() -> None:
    expected = {
        "ISO 7379 M6": NameHint.PIVOT,
        "dowel pin": NameHint.PIVOT,
        "ball bearing": NameHint.ELEMENT,
        "DIN 6885 key": NameHint.ELEMENT,
        "M6x20": NameHint.FIXING,
        "bearing screw M6x20": NameHint.FIXING,
        "chain": NameHint.MOVING,
        "chain spacer": NameHint.NONE,
    }
    assert {name: find_name_hint(name) for name in expected} == expected
