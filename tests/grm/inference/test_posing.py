"""Mates that only pose the model, and bases that nothing holds."""

import numpy as np
import pytest
from tests.grm.inference.looking import O, X, Z, bearing, codes, names, serial_arm, together, understood
from tests.grm.inference.test_mechanisms import Linkage, four_bar

from swgrm.findings import Severity
from swgrm.settings import BaseSettings, MateSettings, Settings
from swgrm_mocks.builder import Assembly
from swgrm_mocks.mates import ground, plane, shaft


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
    assert codes(assembly)["base-free"] == ["link1-1"]
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
