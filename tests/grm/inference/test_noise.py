"""The law of noise: poses that a mate solver leaves a little off give the same robot, loops included."""

from collections import Counter

import numpy as np
import pytest
from tests import full
from tests.closed_chains import random_chain
from tests.grm.inference.looking import O, X, Y, Z, bearing, codes, understood
from tests.grm.inference.test_mechanisms import MECHANISMS, Linkage, four_bar
from tests.lookups import present
from tests.noise import noisy

from swgrm.capture import Capture
from swgrm.inference import Inference
from swgrm.inference.geometry.twists import Array
from swgrm.inference.mechanism import loop_solver
from swgrm.inference.mechanism.graph import Edge
from swgrm.inference.mechanism.joint_chain import name_of
from swgrm.kinematics.forward import Kinematics
from swgrm.model import JointType
from swgrm.settings import Settings
from swgrm_mocks.builder import Assembly
from swgrm_mocks.mates import plane
from swgrm_mocks.samples import SAMPLES, sample

LEVELS = (1e-12, 1e-10, 1e-9, 1e-8)  # [m and rad]
FLOOR = 1e-11  # [m and rad] what rounding alone may change
TURNED = (np.cos(0.5), np.sin(0.5), 0.0)
CHAINS = 100
CHAINS_IN_FULL = 1000


def shape_of(seen: Inference) -> object:
    """What must be equal: bodies, tree, types, couplings, relations, loops, mobility, and the codes of the findings."""
    frames = [
        (f.id, f.parent, f.joint and (f.joint.type, f.joint.name, f.joint.coupling and f.joint.coupling.joint))
        for f in seen.robot.frames
    ]
    loops = [(loop.parent, loop.child, loop.joint.type, loop.joint.name) for loop in seen.robot.loop_joints]
    relations = [tuple(relation.terms) for relation in seen.robot.relations]
    return seen.mobility, frames, loops, relations, Counter((f.code, f.where) for f in seen.findings)


def numbers_of(seen: Inference) -> Array:
    """What may differ by a multiple of the noise: axes and points in the base's space, pitches, limits, relations."""
    poses = Kinematics(seen.robot).poses({})
    numbers: list[float] = []
    joints = [(f.id, f.joint) for f in seen.robot.frames if f.joint]
    for frame, joint in [*joints, *((loop.child, loop.joint) for loop in seen.robot.loop_joints)]:
        if joint.type is not JointType.BALL:
            numbers += (poses[frame][:3, :3] @ joint.axis).tolist()
        if joint.type is not JointType.FIXED:
            numbers += poses[frame][:3, 3].tolist()
        limits = (joint.limits.lower, joint.limits.upper)
        ratio = joint.coupling.ratio if joint.coupling else 0.0
        numbers += [joint.pitch, ratio, *(np.inf if bound is None else bound for bound in limits)]
    numbers += [value for relation in seen.robot.relations for value in relation.terms.values()]
    return np.array(numbers)


def check(capture: Capture, seed: int, settings: Settings | None = None) -> Inference:
    """Check that every level of noise gives the robot that the exact poses give; returns the exact inference."""
    exact = understood(capture, settings)
    expected, numbers = shape_of(exact), numbers_of(exact)
    for level in LEVELS:
        seen = understood(noisy(capture, level, seed), settings)
        assert shape_of(seen) == expected, level
        assert np.allclose(numbers_of(seen), numbers, rtol=0, atol=100 * level + FLOOR), level
    return exact


@pytest.mark.parametrize("name", sorted(SAMPLES))
def test_samples_are_the_same_robots(name: str) -> None:
    check(sample(name), 1)


@pytest.mark.parametrize("name", sorted(MECHANISMS))
def test_mechanisms_are_the_same_robots(name: str) -> None:
    build, mobility, types = MECHANISMS[name]
    seen = check(build().assembly.capture(), 1)
    assert seen.mobility == mobility
    assert Counter(name_of(joint.chain) for joint in (*seen.tree.joints, *seen.tree.loops)) == types


@pytest.mark.parametrize("seed", range(CHAINS_IN_FULL if full.IS_FULL else CHAINS))
def test_random_closed_chains_are_the_same_robots_and_move_as_theory_says(seed: int) -> None:
    chain = random_chain(seed)
    seen = check(chain.assembly.capture(), seed)
    assert seen.mobility == chain.mobility, chain.name
    assert len(seen.mechanism.pairs) == chain.pairs, chain.name
    edges = [sorted(map(seen.body_of, pair)) for pair in chain.coupled]
    assert coupled_pairs(seen) == ({frozenset((a, b) for a, b in edges)} if edges else set()), chain.name
    assert not {"coupling-unused", "coupling-duplicate", "coupling-redundant"} & codes(seen).keys(), chain.name


def coupled_pairs(seen: Inference) -> set[frozenset[Edge]]:
    """The pairs of bodies whose joints follow each other or are in a relation, one set for each."""
    edges = {name: edge for edge, names in seen.joint_names.items() for name in names}
    joints = seen.robot.joints
    followers = [(name, f.joint.coupling.joint) for name, f in joints.items() if f.joint and f.joint.coupling]
    return {
        frozenset(edges[name] for name in names) for names in (*followers, *(r.terms for r in seen.robot.relations))
    }


@pytest.mark.trap("G1")
def test_a_four_bar_that_is_off_by_a_nanometre_moves() -> None:
    seen = understood(noisy(four_bar().assembly.capture(), 1e-9, 0))
    assert seen.mobility == 1
    assert len(seen.robot.joints) == 3


@pytest.mark.trap("G1")
def test_a_loop_that_is_held_by_little_more_than_the_tolerance_is_reported() -> None:
    """One hinge is 100 µrad out of parallel: too much for noise, too little for a design."""
    bar = Linkage("base", "crank", "coupler", "rocker")
    bar.r("base", "crank", (0, 0, 0), (1e-4, 0, 1)).r("crank", "coupler", (0, 0.1, 0))
    bar.r("coupler", "rocker", (0.3, 0.2, 0)).r("rocker", "base", (0.25, 0, 0))
    seen = understood(bar.assembly)
    assert seen.mobility == 0
    assert "loop-nearly-aligned" in codes(seen)
    braced = four_bar().r("crank", "rocker", (0.12, 0.05, 0))
    assert "loop-nearly-aligned" not in codes(understood(braced.assembly))


def test_a_pair_that_stands_still_in_the_one_direction_that_was_tried_moves(monkeypatch: pytest.MonkeyPatch) -> None:
    """A chain with several degrees of freedom is displaced in one direction, in which a pair may move by nothing."""
    monkeypatch.setattr(loop_solver, "_moved", lambda block, _D: np.zeros(len(block.pairs), bool))
    bar = Linkage("base", "left", "low", "high", "right")
    bar.r("base", "left", (0, 0, 0)).r("left", "low", (-0.1, 0.1, 0)).r("low", "high", (0.1, 0.3, 0))
    bar.r("high", "right", (0.3, 0.12, 0)).r("right", "base", (0.2, 0, 0))
    seen = understood(bar.assembly)
    assert (seen.mobility, len(seen.mechanism.pairs)) == (2, 5)


@pytest.mark.parametrize("level", [0.0, *LEVELS])
def test_arches_that_only_bend_stay_rigid(level: float) -> None:
    """Three hinges in line bend by δ² at δ; an arch that holds the end of another one, by δ⁴."""
    arch = Linkage("base", "one", "two")
    arch.r("base", "one", (0, 0, 0)).r("one", "two", (0.1, 0, 0)).r("two", "base", (0.3, 0, 0))
    assert understood(noisy(arch.assembly.capture(), level, 2)).mobility == 0
    arches = Linkage("base", "one", "two", "low", "high")
    arches.r("base", "one", (0, 0, 0)).r("one", "two", (0.1, 0, 0)).r("two", "low", (0.3, 0, 0))
    arches.r("low", "high", (0.3, 0, 0)).r("low", "base", (0.3, -0.1, 0)).r("high", "base", (0.3, 0.1, 0))
    assert understood(noisy(arches.assembly.capture(), level, 2)).mobility == 0


def test_limits_in_loops_are_the_same() -> None:
    bar = four_bar()
    coupler, rocker = bar.of("coupler", "rocker")
    faces = (coupler.at(plane((0.3, 0.2, 0), X)), rocker.at(plane((0.3, 0.2, 0), TURNED)))
    bar.assembly.angle(*faces, value=0.5, limits=(0.2, 0.9))
    seen = check(bar.assembly.capture(), 4)
    assert seen.robot.loop_joints[0].joint.limits.lower is not None
    assert any(present(frame.joint).limits.lower is not None for frame in seen.robot.joints.values())


def test_limits_between_bodies_that_share_no_joint_are_the_same() -> None:
    bar = four_bar()
    base, coupler = bar.of("base", "coupler")
    faces = (base.at(plane((0.3, 0.2, 0), X)), coupler.at(plane((0.3, 0.2, 0), TURNED)))
    bar.assembly.angle(*faces, value=0.5, limits=(0.4, 0.7))
    seen = check(bar.assembly.capture(), 5)
    assert any(present(frame.joint).limits.lower is not None for frame in seen.robot.joints.values())


@pytest.mark.parametrize("measured", ["0 rad", "π rad", "0 m"])
def test_noise_does_not_decide_on_which_side_of_a_limit_the_joint_is(measured: str) -> None:
    """The assembled position is at an end of what the mate measures; it is a little off to one side or the other."""
    assembly = Assembly("limited")
    a, b = assembly.part("a").fixed(), assembly.part("b")
    if measured == "0 m":
        for normal in (Y, Z):
            assembly.coincident(a.at(plane(O, normal)), b.at(plane(O, normal)))
        assembly.distance(a.at(plane(O, X)), b.at(plane(O, X)), value=0.0, limits=(0.0, 0.1))
    else:
        bearing(assembly, a, b, np.zeros(3))
        facing, value, limits = (X, 0.0, (0.0, 1.0)) if measured == "0 rad" else ((-1.0, 0.0, 0.0), np.pi, (2.0, np.pi))
        assembly.angle(a.at(plane(O, X)), b.at(plane(O, facing)), value=value, limits=limits)
    for seed in range(6):
        assert "limit-side" in codes(check(assembly.capture(), seed))


def test_noise_does_not_decide_between_equal_distances() -> None:
    """A triangle of two equal links: which hinge is cut is decided by name, wherever a digit is rounded."""
    for level in LEVELS:
        for reach in (0.1000005, 0.1234565, 0.2):
            bar = Linkage("base", "left", "right", "bridge")
            bar.r("base", "left", (reach, 0, 0)).r("base", "right", (0, reach, 0))
            bar.r("left", "bridge", (2 * reach, reach, 0)).r("right", "bridge", (reach, 2 * reach, 0))
            capture = bar.assembly.capture()
            expected = shape_of(understood(capture))
            assert all(shape_of(understood(noisy(capture, level, seed))) == expected for seed in range(4))
