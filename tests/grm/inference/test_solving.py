"""Laws of the solver: blocks give the same result together as alone, merging bodies visits only their equations."""

from collections.abc import Callable, Sequence
from itertools import permutations

import numpy as np
import pytest
from tests.grm.inference.looking import O, X, Y, Z, at, bearing, codes, joints, together, understood
from tests.grm.inference.test_mechanisms import MECHANISMS
from tests.lookups import present

from swgrm.inference.geometry.equations import MateEquations
from swgrm.inference.geometry.twists import Array, Ints
from swgrm.inference.mechanism import solver
from swgrm.inference.mechanism.body_pairs import BodyPair, find_pairs
from swgrm.inference.mechanism.graph import Edge
from swgrm.inference.mechanism.joint_chain import name_of, twists_of
from swgrm.inference.mechanism.loop_solver import BlockSolution, solve_blocks
from swgrm.model import JointType
from swgrm_mocks.builder import Assembly
from swgrm_mocks.mates import plane, shaft


def many_four_bars(count: int, seed: int) -> Assembly:
    """Four-bars of all proportions on one base: one shape for the solve, some of them flat or locked."""
    chance = np.random.default_rng(seed)
    assembly = Assembly("bars")
    base = assembly.part("base").fixed()
    for k in range(count):
        parts = [base, *(assembly.part(f"{name}{k:02d}") for name in ("crank", "coupler", "rocker")), base]
        places = chance.normal(size=(4, 3)) * [0.2, 0.2, 0]
        if k % 5 == 4:
            places[:, 1] = 0.0  # all in line: it moves to first order, and not always further
        for one, other, place in zip(parts[:-1], parts[1:], places, strict=True):
            bearing(assembly, one, other, place + np.array([k, 0, 0]))
    return assembly


def summary(solution: BlockSolution) -> object:
    chains = {edge: (name_of(chain), twists_of(chain).tolist()) for edge, chain in solution.chains.items()}
    return solution.mobility, solution.is_infinitesimal, chains


@pytest.mark.parametrize("seed", range(3))
def test_blocks_come_out_together_as_they_do_alone(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    sizes: list[int] = []

    def both(
        jobs: Sequence[tuple[Sequence[Edge], Sequence[BodyPair], Ints]],
        equations: MateEquations,
        labels: Ints,
        orientation: Callable[[int], Array],
    ) -> list[BlockSolution]:
        sizes.append(len(jobs))
        stacked = solve_blocks(jobs, equations, labels, orientation)
        alone = [solve_blocks([job], equations, labels, orientation)[0] for job in jobs]
        assert list(map(summary, stacked)) == list(map(summary, alone))
        return stacked

    monkeypatch.setattr(solver, "solve_blocks", both)
    assert understood(many_four_bars(15, seed)).mechanism.mobility >= 12
    assert max(sizes) == 15


def test_linkages_of_all_kinds_in_one_assembly_move_as_each_does_alone() -> None:
    """A linkage that is not connected to a loop changes nothing in it."""
    whole = Assembly("zoo")
    expected = 0
    for number, (build, mobility, _) in enumerate(MECHANISMS.values()):
        linkage = build().assembly
        linkage.name, linkage.path = f"linkage{number}", f"C:\\zoo\\linkage{number}.SLDASM"
        whole.sub(linkage, at(10.0 * number)).fixed()
        expected += mobility
    assert understood(whole).mechanism.mobility == expected


def staircase(count: int) -> Assembly:
    """Plates that each lie on a plane of three plates before them: each is rigid only when those are one body."""
    assembly = Assembly("stairs")
    plates = [assembly.part(f"plate{k:03d}") for k in range(count)]
    for plate in plates[:3]:
        plate.fixed()
    for k in range(3, count):
        for back, normal in ((1, X), (2, Y), (3, Z)):
            assembly.coincident(*(part.at(plane(O, normal)) for part in (plates[k - back], plates[k])))
    return assembly


@pytest.mark.trap("P19")
def test_joinings_that_wait_for_each_other_cost_what_they_touch(monkeypatch: pytest.MonkeyPatch) -> None:
    def equations_visited(count: int) -> int:
        total = 0

        def counted(equations: MateEquations, numbers: Ints, low: Ints, high: Ints, labels: Ints) -> list[BodyPair]:
            nonlocal total
            total += len(numbers)
            return find_pairs(equations, numbers, low, high, labels)

        monkeypatch.setattr(solver, "find_pairs", counted)
        seen = understood(staircase(count))
        assert len(seen.tree.bodies) == 1
        return total

    once = equations_visited(20)
    assert equations_visited(40) < 2.5 * once  # visiting all of them each time would be four times as many


@pytest.mark.parametrize("order", [*permutations(("base", "nut", "spindle"))])
def test_a_jack_moves_by_its_screw_in_any_order_of_its_parts(order: tuple[str, ...]) -> None:
    """The spindle and the nut keep their common axis without the concentric mate: two joints, and one follows."""
    assembly = Assembly("jack")
    parts = {name: assembly.part(f"{order.index(name)}{name}") for name in order}
    base, nut, spindle = parts["base"].fixed(), parts["nut"], parts["spindle"]
    bearing(assembly, base, spindle, np.zeros(3))
    assembly.concentric(spindle.at(shaft(O, Z, 0.01)), nut.at(shaft(O, Z, 0.01)))
    assembly.screw(spindle.at(shaft(O, Z, 0.01)), nut.at(shaft(O, Z, 0.01)), lead=0.004)
    for normal in (X, Y):
        assembly.coincident(base.at(plane(O, normal)), nut.at(plane(O, normal)))
    seen = understood(assembly)
    assert seen.mobility == 1
    assert sorted(joint.name for joint in joints(seen)) == ["prismatic", "revolute"]
    assert not seen.robot.loop_joints
    coupling = next(f.joint.coupling for f in seen.robot.frames if f.joint and f.joint.type is JointType.PRISMATIC)
    assert present(coupling).ratio == pytest.approx(-0.004 / (2 * np.pi))


@pytest.mark.parametrize("mated", [0, 1])
def test_a_symmetric_mate_between_three_free_parts_is_reported_as_unused(mated: int) -> None:
    assembly = Assembly("images")
    left, middle, right = (assembly.part(name, at(x)) for name, x in (("l", -0.1), ("m", 0.0), ("r", 0.1)))
    assembly.symmetric(left.at(plane(O, X)), right.at(plane(O, X)), middle.at(plane(O, X)), name="Symmetric1")
    if mated:
        bearing(assembly, left, middle, np.zeros(3))
    assert codes(assembly)["symmetry-unused"] == ["Symmetric1"]


def test_a_loop_is_solved_again_when_another_one_stiffens_its_pairs() -> None:
    """A triangle makes `a` and `brace` one body; the brace's second hinge then holds the four-bar that `a` is in."""
    assembly = Assembly("braced")
    names = ("base", "a", "b", "c", "d", "brace")
    base, a, b, c, d, brace = (assembly.part(name) for name in names)
    base.fixed()
    places = [(0, 0, 0), (0, 0.1, 0), (0.3, 0.2, 0), (0.25, 0, 0)]
    for one, other, place in zip((base, a, b, c), (a, b, c, base), places, strict=True):
        bearing(assembly, one, other, np.array(place))
    for one, other, place in ((a, d, (-0.1, 0, 0)), (d, brace, (-0.2, 0.1, 0)), (brace, a, (-0.1, 0.2, 0))):
        bearing(assembly, one, other, np.array(place))
    assert understood(assembly).mechanism.mobility == 1
    bearing(assembly, brace, b, np.array([0.1, 0.3, 0]))
    seen = understood(assembly)
    assert seen.mechanism.mobility == 0
    assert together(seen, *(f"{name}-1" for name in names))
