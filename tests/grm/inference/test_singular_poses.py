"""Loops saved in a singular pose: the same joints as a milliradian beside it; loops with a fine screw."""

import numpy as np
import pytest
from tests.grm.inference.looking import Z, bearing, codes, joints, understood
from tests.grm.inference.test_mechanisms import Linkage
from tests.grm.inference.test_noise import check
from tests.noise import noisy

from swgrm.inference.mechanism.joint_chain import name_of
from swgrm_mocks.mates import line, point, shaft

PAIRS = (("base", "crank"), ("crank", "coupler"), ("coupler", "rocker"), ("rocker", "base"))
SIDES = {"plain": (0.1, 0.3, 0.25, 0.28), "parallelogram": (0.1, 0.3, 0.1, 0.3), "foldable": (0.1, 0.2, 0.15, 0.25)}


def four_bar(sides: tuple[float, ...], angle: float, pairs: str) -> Linkage:
    """The four-bar of crank, coupler, rocker and base with its crank at an angle; R, C or S for each pair."""
    crank, coupler, rocker, base = sides
    pin = np.array([crank * np.cos(angle), crank * np.sin(angle)])
    across = np.array([base, 0.0]) - pin
    gap = float(np.linalg.norm(across))
    along = (gap**2 + coupler**2 - rocker**2) / (2 * gap)
    height = np.sqrt(max(coupler**2 - along**2, 0.0))
    tip = pin + (along * across + height * np.array([-across[1], across[0]])) / gap
    bar = Linkage("base", "crank", "coupler", "rocker")
    places = ((0, 0, 0), (*pin, 0), (*tip, 0), (base, 0, 0))
    for (one, other), place, pair in zip(PAIRS, places, pairs, strict=True):
        getattr(bar, pair)(one, other, place)
    return bar


def singular_angles(sides: tuple[float, ...]) -> list[float]:
    """Where crank and coupler are in line (dead centres), and where the four-bar folds flat."""
    crank, coupler, rocker, base = sides
    found = []
    for reach, turn in ((crank + coupler, 0.0), (coupler - crank, np.pi)):
        cosine = (base**2 + reach**2 - rocker**2) / (2 * base * reach)
        found += [float(np.arccos(cosine)) + turn] if abs(cosine) <= 1 else []
    is_flat = np.isclose(crank + rocker, base) or np.isclose(crank + base, coupler + rocker)
    return [*found, 0.0] if is_flat else found


def inferred(sides: tuple[float, ...], angle: float, pairs: str) -> object:
    seen = understood(four_bar(sides, angle, pairs).assembly)
    return seen.mobility, joints(seen), [name_of(joint.chain) for joint in seen.tree.loops]


@pytest.mark.trap("G11")
@pytest.mark.parametrize("pairs", ["rrrr", "crrr", "rcrr", "rrcr", "rrrc", "rsrr", "rrsr"])
@pytest.mark.parametrize("name", sorted(SIDES))
def test_a_singular_pose_gives_the_joints_of_the_pose_beside_it(name: str, pairs: str) -> None:
    sides = SIDES[name]
    angles = singular_angles(sides)
    assert angles
    for angle in angles:
        beside = inferred(sides, angle + 1e-3, pairs)
        assert inferred(sides, angle, pairs) == beside
        assert beside[0] == 1  # type: ignore[index]  # the mobility


JACKS = {  # start and end of the screw, and the second pivot; the first one is the origin
    "generic": ((0, 0.1, 0), (0.26, 0.13, 0), (0.2, 0, 0)),
    "square": ((0, 0.1, 0), (0.1, 0.1, 0), (0.1, 0, 0)),
    "screw square to the second arm": ((0, 0.1, 0), (0.2, 0.1, 0), (0.2, 0, 0)),
    "screw through the first pivot": ((0.1, 0.1, 0), (0.2, 0.2, 0), (0.4, 0, 0)),
    "screw in line with the second arm": ((0, 0.1, 0), (0.3, 0.1, 0), (0.2, 0.1, 0)),
    "all in line": ((0.05, 0, 0), (0.3, 0, 0), (0.2, 0, 0)),
}


@pytest.mark.parametrize("lead", [0.02, 0.004, 0.001])
@pytest.mark.parametrize("name", sorted(JACKS))
def test_a_fine_screw_in_a_loop_moves_both_of_its_arms(name: str, lead: float) -> None:
    """A turn of the screw moves the arms by little, at a singular pose by next to nothing: they move nevertheless."""
    start, end, pivot = JACKS[name]
    bar = Linkage("base", "arm", "screw", "other")
    bar.r("base", "arm", (0, 0, 0)).r("base", "other", pivot)
    thread = shaft(start, tuple(np.subtract(end, start)), 0.01)
    arm, screw = bar.of("arm", "screw")
    bar.assembly.screw(arm.at(thread), screw.at(thread), lead=lead)
    bar.assembly.coincident(bar.parts["other"].at(line(end, Z)), screw.at(point(end)))
    seen = check(bar.assembly.capture(), 4)
    assert seen.mobility == 1
    assert sorted(joint.name for joint in joints(seen)) == ["revolute", "revolute", "screw"]


def screw_ram(lead: float) -> Linkage:
    """An arm that a spindle in a hinged housing lifts, by a nut in a rod that is pinned to the arm."""
    foot, eye = np.array([0.3, 0.0, 0.0]), np.array([0.1, 0.25, 0.0])
    along = (eye - foot) / np.linalg.norm(eye - foot)
    bar = Linkage("base", "arm", "housing", "rod", "spindle")
    bar.r("base", "arm", (0, 0, 0)).r("base", "housing", foot).r("arm", "rod", eye)
    bar.r("housing", "spindle", foot + 0.05 * along, along).c("spindle", "rod", foot, along)
    threads = (part.at(shaft(foot, along, 0.01)) for part in bar.of("spindle", "rod"))
    bar.assembly.screw(*threads, lead=lead)
    return bar


@pytest.mark.parametrize("lead", [0.02, 0.004, 0.001])
def test_loops_with_a_lead_screw_bear_the_noise_that_others_bear(lead: float) -> None:
    capture = screw_ram(lead).assembly.capture()
    for seed in range(4):
        seen = understood(noisy(capture, 1e-7, seed))
        assert seen.mobility == 1
        assert "loop-nearly-aligned" not in codes(seen)


@pytest.mark.parametrize("level", [0.0, 1e-8, 1e-7])
def test_a_lead_screw_in_a_loop_that_is_braced_is_rigid(level: float) -> None:
    """The counter-case: a strut between base and arm holds the loop, whatever the screw's unit."""
    bar = screw_ram(0.001)
    strut = bar.assembly.part("strut")
    bearing(bar.assembly, bar.parts["base"], strut, np.array([-0.2, 0.0, 0.0]))
    bearing(bar.assembly, bar.parts["arm"], strut, np.array([0.05, 0.125, 0.0]))
    seen = understood(noisy(bar.assembly.capture(), level, 3))
    assert seen.mobility == 0
