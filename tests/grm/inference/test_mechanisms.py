"""Closed mechanisms: mobility as in theory, pairs keep their own types, loops are closed in the model."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np
import pytest
from scipy.optimize import least_squares
from tests.grm.inference.looking import Y, Z, bearing, understood

from swgrm.inference import Inference
from swgrm.inference.geometry.twists import Array
from swgrm.inference.mechanism.joint_chain import name_of
from swgrm.kinematics.forward import Kinematics
from swgrm.transforms import inverse
from swgrm_mocks.builder import Assembly, AssemblyComponent
from swgrm_mocks.mates import line, plane, point, shaft

if TYPE_CHECKING:
    from swgrm.kinematics.forward import Positions


Vector = Sequence[float] | Array


class Linkage:
    """Parts that are all at the origin, so that mates are written in the assembly's space."""

    def __init__(self, *names: str) -> None:
        self.assembly = Assembly("linkage")
        self.parts = {name: self.assembly.part(name) for name in names}
        self.parts[names[0]].fixed()

    def of(self, first: str, second: str) -> tuple[AssemblyComponent, AssemblyComponent]:
        return self.parts[first], self.parts[second]

    def r(self, a: str, b: str, at: Vector, axis: Vector = Z) -> Linkage:
        bearing(self.assembly, *self.of(a, b), np.array(at), tuple(axis))
        return self

    def c(self, a: str, b: str, at: Vector, axis: Vector = Z) -> Linkage:
        self.assembly.concentric(*(part.at(shaft(at, axis, 0.01)) for part in self.of(a, b)))
        return self

    def s(self, a: str, b: str, at: Vector) -> Linkage:
        self.assembly.coincident(*(part.at(point(at)) for part in self.of(a, b)))
        return self

    def p(self, a: str, b: str, at: Vector, across: Vector, normal: Vector) -> Linkage:
        for n in (across, normal):
            self.assembly.coincident(*(part.at(plane(at, n)) for part in self.of(a, b)))
        return self

    def u(self, a: str, b: str, at: Vector, first: Vector, second: Vector) -> Linkage:
        one, other = self.of(a, b)
        self.assembly.coincident(one.at(point(at)), other.at(point(at)))
        self.assembly.perpendicular(one.at(line(at, first)), other.at(line(at, second)))
        return self


def four_bar(last: str = "r") -> Linkage:
    bar = Linkage("base", "crank", "coupler", "rocker")
    bar.r("base", "crank", (0, 0, 0)).r("crank", "coupler", (0, 0.1, 0)).r("coupler", "rocker", (0.3, 0.2, 0))
    close = bar.r if last == "r" else bar.c
    return close("rocker", "base", (0.25, 0, 0))


def parallelogram() -> Linkage:
    bar = Linkage("base", "crank", "coupler", "rocker")
    bar.r("base", "crank", (0, 0, 0)).r("crank", "coupler", (0.05, 0.1, 0))
    return bar.r("coupler", "rocker", (0.35, 0.1, 0)).r("rocker", "base", (0.3, 0, 0))


def flat_parallelogram() -> Linkage:
    bar = Linkage("base", "crank", "coupler", "rocker")
    bar.r("base", "crank", (0, 0, 0)).r("crank", "coupler", (0.1, 0, 0))
    return bar.r("coupler", "rocker", (0.4, 0, 0)).r("rocker", "base", (0.3, 0, 0))


def slider_crank() -> Linkage:
    bar = Linkage("base", "crank", "rod", "slider")
    bar.r("base", "crank", (0, 0, 0)).r("crank", "rod", (0.03, 0.04, 0)).r("rod", "slider", (0.2, 0, 0))
    return bar.p("slider", "base", (0.2, 0, 0), Y, Z)


def bennett() -> Linkage:
    """Opposite sides alike, a/sin α = b/sin β, tan(θ₁/2) tan(θ₂/2) = sin((β + α)/2) / sin((β − α)/2)."""
    a, alpha, beta, theta = 0.3, 0.5, 1.1, 0.7
    b = a * np.sin(beta) / np.sin(alpha)
    other = 2 * np.arctan(np.sin((beta + alpha) / 2) / np.sin((beta - alpha) / 2) / np.tan(theta / 2))
    T, axes = np.eye(4), []
    for angle, side, twist in ((theta, a, alpha), (other, b, beta), (-theta, a, alpha), (-other, b, beta)):
        axes.append((T[:3, 3].copy(), T[:3, 2].copy()))
        c, s, ca, sa = np.cos(angle), np.sin(angle), np.cos(twist), np.sin(twist)
        T = T @ np.array([[c, -s * ca, s * sa, side * c], [s, c * ca, -c * sa, side * s], [0, sa, ca, 0], [0, 0, 0, 1]])
    assert np.allclose(T, np.eye(4))
    names = ("one", "two", "three", "four")
    bar = Linkage(*names)
    for k, (at, axis) in enumerate(axes):
        bar.r(names[k - 1], names[k], at, axis)
    return bar


def rssr() -> Linkage:
    bar = Linkage("base", "crank", "rod", "rocker")
    bar.r("base", "crank", (0, 0, 0)).s("crank", "rod", (0.05, 0.1, 0.1)).s("rod", "rocker", (0.4, 0.1, 0.2))
    return bar.r("rocker", "base", (0.4, 0, 0), (0, 1, 0.3))


def rccc() -> Linkage:
    bar = Linkage("base", "crank", "coupler", "follower")
    bar.r("base", "crank", (0, 0, 0)).c("crank", "coupler", (0.05, 0.1, 0.1), (1, 0.2, 0.5))
    return bar.c("coupler", "follower", (0.4, 0.1, 0.2), (0.3, 0.9, 0.1)).c(
        "follower", "base", (0.4, 0, 0), (0, 1, 0.3)
    )


def delta() -> Linkage:
    names = [f"{part}{k}{side}" for k in range(3) for part, sides in (("arm", "_"), ("rod", "lr")) for side in sides]
    robot = Linkage("base", "platform", *names)
    for k, angle in enumerate(np.array([0, 2, 4]) * np.pi / 3):
        out, across = np.array([np.cos(angle), np.sin(angle), 0]), np.array([-np.sin(angle), np.cos(angle), 0])
        robot.r("base", f"arm{k}_", tuple(0.2 * out), tuple(across))
        for side, shift in (("l", 0.04), ("r", -0.04)):
            robot.s(f"arm{k}_", f"rod{k}{side}", tuple(0.35 * out + shift * across - [0, 0, 0.1]))
            robot.s(f"rod{k}{side}", "platform", tuple(0.05 * out + shift * across - [0, 0, 0.5]))
    return robot


def stewart(foot: str) -> Linkage:
    robot = Linkage("base", "platform", *(f"{part}{k}" for k in range(6) for part in ("lower", "upper")))
    chance = np.random.default_rng(3)
    for k in range(6):
        angle = k * np.pi / 3
        low = np.array([np.cos(angle), np.sin(angle), 0]) * 0.5
        high = np.array([np.cos(angle + 0.6), np.sin(angle + 0.6), 2]) * 0.3
        leg = (high - low) / np.linalg.norm(high - low)
        across = np.cross(leg, chance.normal(size=3))
        across /= np.linalg.norm(across)
        if foot == "S":
            robot.s("base", f"lower{k}", tuple(low))
        else:
            robot.u("base", f"lower{k}", tuple(low), tuple(across), tuple(np.cross(leg, across)))
        robot.p(f"lower{k}", f"upper{k}", tuple(low), tuple(across), tuple(np.cross(leg, across)))
        robot.s(f"upper{k}", "platform", tuple(high))
    return robot


Types = dict[str, int]
MECHANISMS: dict[str, tuple[Callable[[], Linkage], int, Types]] = {
    "four-bar": (four_bar, 1, {"revolute": 4}),
    "four-bar with a cylindrical pair": (lambda: four_bar("c"), 1, {"revolute": 4}),
    "parallelogram": (parallelogram, 1, {"revolute": 4}),
    "flat parallelogram": (flat_parallelogram, 1, {"revolute": 4}),
    "slider-crank": (slider_crank, 1, {"revolute": 3, "prismatic": 1}),
    "Bennett": (bennett, 1, {"revolute": 4}),
    "RSSR": (rssr, 2, {"revolute": 2, "ball": 2}),  # the rod spins
    "RCCC": (rccc, 1, {"revolute": 1, "cylindrical": 3}),
    "Delta": (delta, 3 + 6, {"revolute": 3, "ball": 12}),  # the rods spin
    "Stewart, SPS": (lambda: stewart("S"), 6 + 6, {"ball": 12, "prismatic": 6}),  # the legs spin
    "Stewart, UPS": (lambda: stewart("U"), 6, {"ball": 6, "prismatic": 6, "universal": 6}),
}


@pytest.fixture(scope="module", params=sorted(MECHANISMS))
def mechanism(request: pytest.FixtureRequest) -> tuple[Inference, int, Types]:
    build, mobility, types = MECHANISMS[request.param]
    return understood(build().assembly), mobility, types


def test_mobility_is_that_of_theory(mechanism: tuple[Inference, int, Types]) -> None:
    seen, mobility, _ = mechanism
    assert seen.mechanism.mobility == mobility


def test_pairs_keep_their_own_types(mechanism: tuple[Inference, int, Types]) -> None:
    seen, _, types = mechanism
    assert Counter(name_of(joint.chain) for joint in (*seen.tree.joints, *seen.tree.loops)) == types


def gaps(seen: Inference, positions: Positions) -> list[Array]:
    """How the two frames of each loop joint are placed to each other: closed where that is the joint's motion."""
    poses = Kinematics(seen.robot).poses(positions)
    return [inverse(poses[loop.parent] @ loop.transform.matrix) @ poses[loop.child] for loop in seen.robot.loop_joints]


def test_loops_are_in_the_model_and_closed_at_zero(mechanism: tuple[Inference, int, Types]) -> None:
    seen, _, _ = mechanism
    bodies, pairs = len(seen.tree.bodies), len(seen.mechanism.pairs)
    assert len(seen.robot.loop_joints) == pairs - (bodies - 1)
    assert all(np.allclose(gap, np.eye(4), atol=1e-9) for gap in gaps(seen, {}))


@pytest.mark.trap("P14")
def test_a_slider_cranks_stroke_is_twice_its_crank() -> None:
    seen = understood(slider_crank().assembly)
    free = [name for name in ("rod_joint", "slider_joint") if name in seen.robot.joints]
    assert "crank_joint" in seen.robot.joints
    (loop,) = seen.robot.loop_joints
    axis = np.array(loop.joint.axis)

    def closure(q: Array, crank: float) -> Array:
        (gap,) = gaps(seen, {"crank_joint": crank} | dict(zip(free, q, strict=True)))
        turned = gap[:3, :3] @ axis - axis
        return np.concatenate([gap[:3, 3], turned])

    guess, travel = np.zeros(len(free)), []
    for crank in np.linspace(0, 2 * np.pi, 61):
        guess = least_squares(closure, guess, args=(crank,), xtol=1e-15, ftol=1e-15, gtol=1e-15).x
        assert np.abs(closure(guess, crank)).max() < 1e-9
        travel.append(guess[free.index("slider_joint")])
    assert max(travel) - min(travel) == pytest.approx(2 * 0.05, abs=3e-4)


def test_what_moves_only_infinitesimally_is_rigid() -> None:
    """Three hinges in line can move to first order, and not at all."""
    bar = Linkage("base", "one", "two")
    bar.r("base", "one", (0, 0, 0)).r("one", "two", (0.1, 0, 0)).r("two", "base", (0.3, 0, 0))
    assert understood(bar.assembly).mechanism.mobility == 0
