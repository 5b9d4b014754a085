"""Each convention of mates that is switched in the mock changes the motions that depend on it, and no others."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest
from tests.mocks.mechanisms import P0, Mechanism, X, Y, Z

from swgrm.solidworks.conventions import CONVENTIONS
from swgrm.solidworks.swconst import swMateType_e as Sw
from swgrm_mocks.builder import pose
from swgrm_mocks.mates import line, plane, point, shaft
from swgrm_mocks.modelling.creating import new_model

STEP = 0.1  # [rad] by which what is driven turns


def turn(mechanism: Mechanism, number: int) -> None:
    """Turns a component about z by STEP."""
    part = mechanism.assembly.children[number]
    sides = (mechanism.base, plane(P0, X)), (part, plane(P0, X))
    driver = mechanism.mate(Sw.swMateANGLE, *sides, angle=0.5)
    assert mechanism.drive(driver, 0.5 + STEP)


def gears(mechanism: Mechanism, radii: tuple[float, float], numerator: float, denominator: float) -> float:
    """How far the second gear turns per turn of the first."""
    wheels = [mechanism.add(name, pose(x, yaw=math.degrees(0.5))) for name, x in (("one", 0.0), ("two", 0.03))]
    for wheel, x in zip(wheels, (0.0, 0.03), strict=True):
        mechanism.hinge(mechanism.base, wheel, at=(x, 0.0, 0.0))
    sides = [(wheel, shaft(P0, Z, radius)) for wheel, radius in zip(wheels, radii, strict=True)]
    ratio = {"gear_ratio_numerator": numerator, "gear_ratio_denominator": denominator}
    mechanism.mate(Sw.swMateGEAR, *sides, **ratio)
    before = mechanism.turned(wheels[1])
    turn(mechanism, 1)
    return (mechanism.turned(wheels[1]) - before) / STEP


def rack(mechanism: Mechanism) -> float:
    """How far a rack on the far side of its pinion moves [m/rad]."""
    pinion, bar = mechanism.add("pinion", pose(yaw=math.degrees(0.5))), mechanism.add("bar", pose(0.0, 0.02))
    mechanism.hinge(mechanism.base, pinion)
    for normal, at in ((Y, (0.0, 0.02, 0.0)), (Z, P0)):
        mechanism.mate(Sw.swMateCOINCIDENT, (mechanism.base, plane(at, normal)), (bar, plane(P0, normal)))
    mechanism.mate(Sw.swMateRACKPINION, (bar, line(P0, X)), (pinion, shaft(P0, Z, 0.02)), diameter_val=0.04)
    turn(mechanism, 1)
    return float(bar.T_assembly_self[0, 3]) / STEP


def screw(mechanism: Mechanism, kind: int) -> float:
    """The travel of a screw [m/rad]."""
    rod = mechanism.add("rod", pose(yaw=math.degrees(0.5)))
    sides = (mechanism.base, shaft(P0, Z, 0.01)), (rod, shaft(P0, Z, 0.01))
    mechanism.mate(Sw.swMateSCREW, *sides, revolution_type=kind, revolution_val=0.5 if kind == 0 else 0.002)
    turn(mechanism, 1)
    return float(rod.T_assembly_self[2, 3]) / STEP


def coupler(mechanism: Mechanism) -> float:
    """How far a slider that another one carries moves, when that one moves by 10 mm [m]."""
    below, above = mechanism.add("below", pose(0.02)), mechanism.add("above", pose(0.02))
    mechanism.slider(mechanism.base, below)
    mechanism.slider(below, above)
    ratio = {"coupler_ratio_numerator": 1.0, "coupler_ratio_denominator": 3.0}
    mechanism.mate(Sw.swMateLINEARCOUPLER, (below, plane(P0, X)), (above, plane(P0, X)), **ratio)
    driver = mechanism.mate(Sw.swMateDISTANCE, (mechanism.base, plane(P0, X)), (below, plane(P0, X)), distance=0.02)
    assert mechanism.drive(driver, 0.03)
    return float(above.T_assembly_self[0, 3]) - 0.02


def systems(mechanism: Mechanism) -> float:
    """How far a part that coordinate systems hold stays from where it is moved to [m]."""
    part = mechanism.add("part")
    mechanism.mate(Sw.swMateCOORDINATE, (mechanism.base, point(P0)), (part, point(P0)), frames=True)
    part.T_assembly_self = pose(0.05)
    assert mechanism.assembly.rebuild()
    return 0.05 - float(part.T_assembly_self[0, 3])


def profile(mechanism: Mechanism) -> float:
    """The rotation that is left of 20° after a part on a profile centre mate is turned by hand."""
    part = mechanism.add("part")
    mechanism.mate(Sw.swMatePROFILECENTER, (mechanism.base, plane(P0, Z)), (part, plane(P0, Z)))
    part.T_assembly_self = pose(yaw=20.0)
    assert mechanism.assembly.rebuild()
    return mechanism.turned(part)


def limit(mechanism: Mechanism, *, flip: bool) -> float:
    """Where a limit distance goes that starts at zero [m]."""
    part = mechanism.add("part")
    mechanism.slider(mechanism.base, part)
    values = {"is_advanced_mate": True, "maximum_distance": 0.04, "flip_dimension": flip}
    mate = mechanism.mate(Sw.swMateDISTANCE, (mechanism.base, plane(P0, X)), (part, plane(P0, X)), **values)
    assert mechanism.drive(mate, 0.03)
    return float(part.T_assembly_self[0, 3])


MOTIONS: dict[str, Callable[[Mechanism], float]] = {
    "gears by their radii": lambda mechanism: gears(mechanism, (0.02, 0.01), 1.0, 2.0),
    "gears against their radii": lambda mechanism: gears(mechanism, (0.02, 0.01), 2.0, 1.0),
    "gears unlike their radii": lambda mechanism: gears(mechanism, (0.02, 0.01), 1.0, 3.0),
    "equal gears": lambda mechanism: gears(mechanism, (0.01, 0.01), 1.0, 1.0),
    "rack": rack,
    "screw by revolutions": lambda mechanism: screw(mechanism, 0),
    "screw by distance": lambda mechanism: screw(mechanism, 1),
    "coupler": coupler,
    "coordinate systems": systems,
    "profile centre": profile,
    "limit": lambda mechanism: limit(mechanism, flip=False),
    "flipped limit": lambda mechanism: limit(mechanism, flip=True),
}
DEFAULT = {
    "gears by their radii": -2.0, "gears against their radii": -0.5, "gears unlike their radii": -3.0,
    "equal gears": -1.0, "rack": 0.02, "screw by revolutions": -2e-3 / (2 * math.pi),
    "screw by distance": -2e-3 / (2 * math.pi), "coupler": 0.03, "coordinate systems": 0.05,
    "profile centre": math.radians(20.0), "limit": 0.03, "flipped limit": -0.03,
}  # fmt: skip
SWITCHED: dict[tuple[str, str], dict[str, float]] = {
    ("gearRatio", "numerator"): {
        "gears by their radii": -0.5, "gears against their radii": -2.0, "gears unlike their radii": -1 / 3,
    },
    ("gearRatio", "radii"): {"gears against their radii": -2.0},
    ("screwUnit", "metre"): {"screw by revolutions": -2 / (2 * math.pi)},
    ("screwSense", "reversedIsLeft"): {
        "screw by revolutions": 2e-3 / (2 * math.pi), "screw by distance": 2e-3 / (2 * math.pi),
    },
    ("rackSense", "rolling"): {"rack": -0.02},
    ("couplerReference", "parent"): {"coupler": 0.04},
    ("coordinateMate", "ignored"): {"coordinate systems": 0.0},
    ("profileCentre", "locked"): {"profile centre": 0.0},
    ("limitFlip", "ignored"): {"flipped limit": 0.03},
}  # fmt: skip


def motions(conventions: dict[str, str] | None = None) -> dict[str, float]:
    return {name: motion(Mechanism(conventions=conventions)) for name, motion in MOTIONS.items()}


def test_every_choice_is_switched() -> None:
    others = {(key, choice) for key, each in CONVENTIONS.items() for choice in list(each.choices)[1:]}
    assert set(SWITCHED) == others


def test_the_motions_by_the_default_conventions() -> None:
    assert motions() == pytest.approx(DEFAULT, abs=1e-9)


@pytest.mark.parametrize(("key", "choice"), SWITCHED)
def test_a_switch_changes_the_motions_that_depend_on_it_and_no_others(key: str, choice: str) -> None:
    assert motions({key: choice}) == pytest.approx(DEFAULT | SWITCHED[key, choice], abs=1e-9)


def test_gears_without_numbers_roll_on_their_radii_by_any_convention() -> None:
    for choice in CONVENTIONS["gearRatio"].choices:
        assert gears(Mechanism(conventions={"gearRatio": choice}), (0.02, 0.01), 0.0, 0.0) == pytest.approx(
            -2.0, abs=1e-9
        )


def test_an_unknown_convention_is_refused() -> None:
    with pytest.raises(ValueError, match="gearRadio"):
        new_model("part", {"gearRadio": "radii"}, is_part=True)


def test_reference_components_of_a_coupler_take_precedence() -> None:
    mechanism = Mechanism()
    below, above = mechanism.add("below", pose(0.02)), mechanism.add("above", pose(0.02))
    mechanism.slider(mechanism.base, below)
    mechanism.slider(below, above)
    ratio = {"coupler_ratio_numerator": 1.0, "coupler_ratio_denominator": 3.0}
    sides = (below, plane(P0, X)), (above, plane(P0, X))
    mechanism.mate(Sw.swMateLINEARCOUPLER, *sides, references=("base-1", "below-1"), **ratio)
    driver = mechanism.mate(Sw.swMateDISTANCE, (mechanism.base, plane(P0, X)), (below, plane(P0, X)), distance=0.02)
    assert mechanism.drive(driver, 0.03)
    assert np.allclose(above.T_assembly_self[0, 3], 0.06, atol=1e-9)
