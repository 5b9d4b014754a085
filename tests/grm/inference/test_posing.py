"""Mates that only pose the model, and bases that nothing holds."""

import numpy as np
import pytest
from tests.grm.inference.looking import O, X, Y, Z, at, bearing, codes, names, serial_arm, together, understood
from tests.grm.inference.test_mechanisms import Linkage, four_bar

from swgrm.capture.anonymize import anonymized
from swgrm.findings import Severity
from swgrm.inference import infer
from swgrm.settings import BaseSettings, MateSettings, Settings
from swgrm_mocks.builder import Assembly
from swgrm_mocks.mates import ground, line, plane, point, shaft
from swgrm_mocks.samples import sample


def posed_four_bar() -> Assembly:
    bar = four_bar()
    bar.assembly.parallel(*(part.at(plane(O, X)) for part in bar.of("base", "coupler")), name="Pose1")
    return bar.assembly


@pytest.mark.trap("G8")
def test_a_parallel_mate_that_freezes_a_four_bar_is_named() -> None:
    seen = understood(posed_four_bar())
    assert seen.mobility == 0
    assert codes(seen)["clocking-loop"] == ["Pose1"]
    assert seen.posing_mates == ("Pose1",)
    assert understood(posed_four_bar(), Settings(mates=MateSettings(ignore=("Pose1",)))).mobility == 1


@pytest.mark.trap("G8")
def test_so_is_one_on_a_hinge_of_the_four_bar() -> None:
    bar = four_bar()
    bar.assembly.parallel(*(part.at(plane(O, X)) for part in bar.of("base", "crank")), name="Pose1")
    seen = understood(bar.assembly)
    assert seen.mobility == 0
    assert codes(seen)["clocking-loop"] == ["Pose1"]


@pytest.mark.trap("G8")
def test_a_parallel_mate_across_an_arm_is_named() -> None:
    assembly = serial_arm(4, fixed=0)
    base, hand = assembly.children[0], assembly.children[-1]
    assembly.parallel(base.at(plane(O, X)), hand.at(plane(O, X)), name="Pose1")
    seen = understood(assembly)
    assert seen.mobility == 2
    assert codes(seen)["clocking-loop"] == ["Pose1"]


@pytest.mark.trap("G8")
def test_a_parallel_mate_that_changes_nothing_is_not_named() -> None:
    """On a truss, and on a hinge that another path holds."""
    truss = (
        Linkage("base", "one", "two").r("base", "one", O).r("one", "two", (0.1, 0.2, 0)).r("two", "base", (0.3, 0, 0))
    )
    truss.assembly.parallel(*(part.at(plane(O, X)) for part in truss.of("base", "one")), name="Pose1")
    seen = understood(truss.assembly)
    assert together(seen, "base-1", "one-1", "two-1")
    assert not {"clocking", "clocking-loop"} & codes(seen).keys()
    braced = posed_four_bar()
    parts = {child.name: child for child in braced.children}
    bearing(braced, parts["crank-1"], parts["rocker-1"], np.array([0.12, 0.05, 0]))
    assert not {"clocking", "clocking-loop"} & codes(understood(braced)).keys()


@pytest.mark.trap("G8")
def test_a_parallel_mate_that_keeps_a_slide_from_spinning_is_not_named() -> None:
    """A valve in its guide, held by the plane of a rocker that moves by itself."""
    assembly = serial_arm(2, fixed=0)
    base, rocker = assembly.children
    valve = assembly.part("valve")
    assembly.concentric(base.at(shaft(O, X, 0.01)), valve.at(shaft(O, X, 0.01)))
    rocker_plane = np.linalg.inv(rocker.T_assembly_self)[:3, :3] @ Z
    assembly.parallel(rocker.at(plane(O, tuple(rocker_plane))), valve.at(plane(O, Z)), name="Guide1")
    seen = understood(assembly)
    assert names(seen) == {"link1-1": "revolute", "valve-1": "prismatic"}
    assert not {"clocking", "clocking-loop"} & codes(seen).keys()


@pytest.mark.trap("G8")
def test_a_part_that_is_fixed_by_a_parallel_mate_gets_no_warning() -> None:
    """Two faces and a bore are how a flange is fixed as often as how a hinge is posed."""
    assembly = serial_arm(2, fixed=0)
    assembly.parallel(*(child.at(plane(O, X)) for child in assembly.children), name="Pose1")
    (found,) = (finding for finding in understood(assembly).findings if finding.code == "clocking")
    assert found.severity is Severity.NOTE


@pytest.mark.trap("G12")
def test_a_base_that_only_one_plane_holds_floats() -> None:
    assembly = serial_arm(3, fixed=0)
    assembly.children[0].is_fixed = False
    assert codes(assembly)["base-free"] == ["link0-1"]
    assembly.coincident(ground(plane(O, Z)), assembly.children[0].at(plane(O, Z)))
    seen = understood(assembly)
    assert codes(seen)["base-floats"] == ["link0-1"]
    assert "base-free" not in codes(seen)
    assert not {"base-floats", "base-free"} & codes(serial_arm(3, fixed=0)).keys()


@pytest.mark.trap("G12")
def test_a_part_on_an_axis_of_the_assembly_does_not_float() -> None:
    assembly = Assembly("turntable")
    table = assembly.part("table")
    for normal in (X, Z):
        assembly.coincident(ground(plane(O, normal)), table.at(plane(O, normal)))
    assert not {"base-floats", "base-free"} & codes(assembly).keys()
    assert understood(assembly, Settings(base=BaseSettings(root="table-1"))).mobility == 1


class TestParkedModels:
    """Mates of any type that only park the model, each with what would be free without it; and mates that do not."""

    def slide(self) -> Assembly:
        """A block on two guiding faces of a bed."""
        assembly = Assembly("slide")
        bed, block = assembly.part("bed").fixed(), assembly.part("block", at(0.1))
        for normal in (Y, Z):
            assembly.coincident(bed.at(plane(O, normal)), block.at(plane(O, normal)))
        return assembly

    def hinge(self) -> Assembly:
        assembly = Assembly("hinge")
        base, arm = assembly.part("base").fixed(), assembly.part("arm")
        bearing(assembly, base, arm, np.zeros(3))
        return assembly

    def check_parked(self, assembly: Assembly, name: str, joint: str, code: str = "parked") -> None:
        seen = understood(assembly)
        assert seen.mobility == 0
        (finding,) = (finding for finding in seen.findings if finding.code == code and finding.where == f"mate {name}")
        assert f"by a {joint} joint" in finding.message
        if code == "parked":
            assert understood(assembly, Settings(mates=MateSettings(ignore=(name,)))).mobility == 1

    @pytest.mark.trap("R16")
    def test_a_slide_at_a_distance(self) -> None:
        assembly = self.slide()
        bed, block = assembly.children
        assembly.distance(bed.at(plane(O, X)), block.at(plane(O, X)), value=0.1, name="Park1")
        self.check_parked(assembly, "Park1", "prismatic")

    @pytest.mark.trap("R16")
    def test_a_slide_flush_at_its_stop(self) -> None:
        """On a guide rod beside other joints, and on two faces where nothing else moves."""
        rod = serial_arm(2, fixed=0)
        bed, block = rod.children[0], rod.part("block")
        rod.concentric(bed.at(shaft(O, X, 0.01)), block.at(shaft(O, X, 0.01)))
        rod.coincident(bed.at(plane(O, Z)), block.at(plane(O, Z)))
        rod.coincident(bed.at(plane(O, X)), block.at(plane(O, X)), name="Stop1")
        assert "Stop1" in codes(understood(rod))["parked"]
        faces = self.slide()
        bed, block = faces.children
        faces.coincident(bed.at(plane((0.1, 0, 0), X)), block.at(plane(O, X)), name="Stop1")
        assert "Stop1" in codes(understood(faces))["parked"]

    @pytest.mark.trap("R16")
    @pytest.mark.parametrize("kind", ["flush face", "edge distance", "point on plane"])
    def test_a_hinge_that_is_held(self, kind: str) -> None:
        assembly = self.hinge()
        base, arm = assembly.children
        if kind == "flush face":
            assembly.coincident(base.at(plane((0, 0.02, 0), Y)), arm.at(plane((0, 0.02, 0), Y)), name="Park1")
        elif kind == "edge distance":
            lines = base.at(line((0, 0.1, 0), Z)), arm.at(line((0.1, 0, 0), Z))
            assembly.distance(*lines, value=0.1 * 2**0.5, name="Park1")
        else:
            assembly.coincident(base.at(plane((0, 0.1, 0), Y)), arm.at(point((0.05, 0.1, 0))), name="Park1")
        self.check_parked(assembly, "Park1", "revolute")

    @pytest.mark.trap("R16")
    def test_a_hinge_whose_rotation_is_locked(self) -> None:
        assembly = Assembly("hinge")
        base, arm = assembly.part("base").fixed(), assembly.part("arm")
        assembly.concentric(base.at(shaft(O, Z, 0.01)), arm.at(shaft(O, Z, 0.01)), lock_rotation=True, name="Park1")
        assembly.coincident(base.at(plane(O, Z)), arm.at(plane(O, Z)))
        self.check_parked(assembly, "Park1", "revolute", "rotation-locked")

    def test_a_flange_on_two_bolts_and_a_block_on_three_faces_are_not_parked(self) -> None:
        """Where other joints move, these are how parts are fixed."""
        assembly = self.hinge()
        base = assembly.children[0]
        flange, block = assembly.part("flange"), assembly.part("block")
        for x in (0.0, 0.1):
            assembly.concentric(base.at(shaft((x, 0, 0), Z, 0.002)), flange.at(shaft((x, 0, 0), Z, 0.002)))
        assembly.coincident(base.at(plane(O, Z)), flange.at(plane(O, Z)))
        for normal in (X, Y, Z):
            assembly.coincident(base.at(plane(O, normal)), block.at(plane(O, normal)))
        assert not {"parked", "rotation-locked", "parked-loop"} & codes(assembly).keys()

    @pytest.mark.trap("R16")
    @pytest.mark.parametrize("count", [3, 4, 6])
    def test_the_point_of_a_tool_on_a_workpiece(self, count: int) -> None:
        """An arm of `count` − 1 parallel joints; the point takes two degrees of freedom of a planar arm."""
        assembly = serial_arm(count, fixed=0)
        base, tool = assembly.children[0], assembly.children[-1]
        tip = tool.T_assembly_self[:3, 3] + [0.03, 0.07, 0]
        assembly.coincident(base.at(point(tip)), tool.at(point((0.03, 0.07, 0))), name="Park1")
        seen = understood(assembly)
        free = count - 1
        assert codes(seen)["parked-loop"] == ["Park1"]
        (finding,) = (finding for finding in seen.findings if finding.code == "parked-loop")
        assert f"{free} degrees of freedom instead of {seen.mobility}" in finding.message

    def test_a_wrist_at_a_distance_from_the_table(self) -> None:
        assembly = serial_arm(4, fixed=0)
        base, hand = assembly.children[0], assembly.children[-1]
        assembly.distance(base.at(plane(O, Y)), hand.at(plane((0, 0.2, 0), Y)), value=0.2, name="Park1")
        seen = understood(assembly)
        assert codes(seen)["parked-loop"] == ["Park1"]

    def test_the_ball_joints_of_a_parallel_robot_are_not_parked(self) -> None:
        assert "parked-loop" not in codes(infer(sample("stewart")))


class TestFixedComponents:
    @pytest.mark.trap("R31")
    def test_a_second_fixed_component_on_a_hinge_is_a_warning(self) -> None:
        assembly = serial_arm(3, fixed=0)
        assembly.children[1].fixed()
        seen = understood(assembly)
        assert codes(seen)["fixed-joint"] == ["link1-1"]
        (finding,) = (finding for finding in seen.findings if finding.code == "fixed-joint")
        assert "connected to `link0-1` by a revolute joint" in finding.message

    def test_fixed_scenery_and_bolted_parts_are_not(self) -> None:
        assembly = serial_arm(3, fixed=0)
        assembly.part("table", at(1.0)).fixed()
        plate = assembly.part("plate").fixed()
        for normal in (X, Y, Z):
            assembly.coincident(assembly.children[0].at(plane(O, normal)), plate.at(plane(O, normal)))
        assert "fixed-joint" not in codes(assembly)


class TestBaseOfALooseRobot:
    """Nothing is fixed: the base is an end of a chain, the part that is named or was inserted as base, or a hub."""

    def chain(self, *links: str) -> Assembly:
        assembly = Assembly("chain")
        parts = [assembly.part(name, at(0.1 * k)) for k, name in enumerate(links)]
        for k in range(len(parts) - 1):
            bearing(assembly, parts[k], parts[k + 1], np.array([0.1 * k + 0.1, 0, 0]))
        return assembly

    @pytest.mark.trap("G12")
    def test_the_end_of_a_chain_that_was_inserted_first(self) -> None:
        seen = understood(self.chain("z", "b", "c", "a"))
        assert seen.root_name == "z-1"
        assert "the end of the chain that was inserted first" in seen.root_reason

    @pytest.mark.parametrize("name", ["base", "base_link", "Sockel", "底座"])
    def test_the_part_that_is_named_as_base(self, name: str) -> None:
        assembly = self.chain("tool", "wrist", "arm", name)
        assert understood(assembly).root_name == f"{name}-1"
        anonymous = infer(anonymized(assembly.capture()))
        assert len([joint for joint in anonymous.tree.joints if joint.parent == anonymous.tree.root]) == 1
        assert anonymous.root_reason == understood(assembly).root_reason

    def test_the_hub_of_a_vehicle_that_was_inserted_last(self) -> None:
        assembly = Assembly("vehicle")
        wheels = [assembly.part(f"wheel{k}", at(0.1 * k)) for k in range(4)]
        hub = assembly.part("carrier")
        for k, wheel in enumerate(wheels):
            bearing(assembly, hub, wheel, np.array([0.1 * k, 0, 0]))
        assert understood(assembly).root_name == "carrier-1"


def test_a_joint_that_only_a_limit_mate_holds_names_it() -> None:
    assembly = Assembly("limit")
    a, b = assembly.part("a").fixed(), assembly.part("b", at(0, 0, 0.1))
    assembly.distance(a.at(plane(O, Z)), b.at(plane(O, Z)), value=0.1, limits=(0.0, 0.2))
    why = next(frame.joint.why for frame in understood(assembly).robot.frames if frame.joint and frame.joint.why)
    assert why.reason.startswith("limit distance leaves")


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 0, 1), (0, 2, 1)])
def test_a_width_mate_may_have_its_cylinder_at_any_place(order: tuple[int, ...]) -> None:
    assembly = Assembly("width")
    groove, pin = assembly.part("groove").fixed(), assembly.part("pin")
    faces = [groove.at(plane((0, y, 0), (0, -np.sign(y), 0))) for y in (-0.01, 0.01)]
    entities = [*faces, pin.at(shaft(O, X, 0.004))]
    assembly.width(*(entities[k] for k in order))
    seen = understood(assembly)
    assert "mate-not-understood" not in codes(seen)
    assert seen.mobility == 4
