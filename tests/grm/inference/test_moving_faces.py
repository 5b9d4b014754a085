"""Width and limit mates between parts that move against each other."""

import numpy as np
import pytest
from tests.grm.inference.looking import O, X, Y, Z, codes, joints, understood
from tests.grm.inference.test_implied_mates import parents, slide
from tests.grm.inference.test_mechanisms import Linkage
from tests.lookups import coupling_of, joint_of, limits_of
from tests.noise import noisy

from swgrm.capture import MateEntity
from swgrm_mocks.builder import Assembly, AssemblyComponent
from swgrm_mocks.mates import plane


def jaws() -> tuple[Assembly, AssemblyComponent, AssemblyComponent, AssemblyComponent]:
    """A body and two jaws that slide on it."""
    assembly = Assembly("gripper")
    body, left, right = (assembly.part(name) for name in ("body", "left", "right"))
    body.fixed()
    for jaw in (left, right):
        slide(assembly, body, jaw, is_limited=False)
    return assembly, body, left, right


def faces(one: AssemblyComponent, other: AssemblyComponent, half: float) -> list[MateEntity]:
    """Faces at equal distances on both sides of x = 0."""
    return [one.at(plane((-half, 0, 0), X)), other.at(plane((half, 0, 0), (-1.0, 0.0, 0.0)))]


@pytest.mark.parametrize("level", [0.0, 1e-8])
@pytest.mark.parametrize("is_groove", [True, False])
def test_a_width_mate_on_two_jaws_makes_them_move_oppositely(is_groove: bool, level: float) -> None:
    assembly, body, left, right = jaws()
    moving, still = faces(left, right, 0.05), faces(body, body, 0.02)
    assembly.width(*(moving + still if is_groove else still + moving))
    seen = understood(noisy(assembly.capture(), level, 3))
    assert seen.mobility == 1
    assert parents(seen) == {"left-1": "body-1", "right-1": "body-1"}
    coupling = coupling_of(seen.robot, "right_joint")
    assert coupling.joint == "left_joint"
    assert coupling.ratio == pytest.approx(-1)


def test_a_workpiece_between_two_jaws_stays_in_their_middle() -> None:
    assembly, body, left, right = jaws()
    piece = assembly.part("piece")
    slide(assembly, body, piece, is_limited=False)
    assembly.width(*faces(left, right, 0.05), *faces(piece, piece, 0.02))
    seen = understood(assembly)
    assert seen.mobility == 2
    assert len(joints(seen)) == 3
    (relation,) = seen.robot.relations
    terms = relation.terms
    assert terms["left_joint"] == pytest.approx(terms["right_joint"])
    assert terms["piece_joint"] == pytest.approx(-2 * terms["left_joint"])


@pytest.mark.parametrize("is_locked", [True, False])
def test_a_groove_of_two_parts_that_are_rigid_together_holds_a_tab(is_locked: bool) -> None:
    """The counter-case: the two faces are on one body, so the tab is held in its middle and nothing is tied."""
    assembly, body, left, right = jaws()
    if is_locked:
        assembly.lock(left.at(plane(O, X)), right.at(plane(O, X)))
    else:
        assembly.coincident(left.at(plane(O, X)), right.at(plane(O, X)))
    piece = assembly.part("piece")
    for normal in (Y, Z):
        assembly.coincident(body.at(plane(O, normal)), piece.at(plane(O, normal)))
    assembly.width(*faces(left, right, 0.05), *faces(piece, piece, 0.02))
    seen = understood(assembly)
    assert seen.mobility == 1
    assert len({seen.body_of(name) for name in ("left-1", "right-1", "piece-1")}) == 1


ALIGNED, ANTI_ALIGNED, CLOSEST = 0, 1, 2


def lever(value: float, low: float, high: float, alignment: int, *, flip: bool = False) -> Assembly:
    """A lever whose face is at a right angle to the base's, with a limit angle [deg]."""
    bar = Linkage("base", "lever").r("base", "lever", O)
    base, arm = bar.of("base", "lever")
    normal = (0.0, -1.0, 0.0) if flip else Y
    bar.assembly.angle(
        base.at(plane(O, X)), arm.at(plane(O, normal)), value=np.radians(value),
        limits=(np.radians(low), np.radians(high)), alignment=alignment, name="Limit1",
    )  # fmt: skip
    return bar.assembly


@pytest.mark.parametrize("level", [0.0, 1e-8])
@pytest.mark.parametrize(
    ("value", "low", "high", "alignment", "expected"),
    [
        (90, 20, 170, ALIGNED, (-70, 80)),
        (90, 20, 170, ANTI_ALIGNED, (-80, 70)),
        (270, 190, 300, ALIGNED, (-30, 80)),
        (270, 190, 300, ANTI_ALIGNED, (-80, 30)),
    ],
)
def test_the_alignment_decides_the_sense_of_a_limit_angle_at_a_right_angle(
    value: float, low: float, high: float, alignment: int, expected: tuple[float, float], level: float
) -> None:
    seen = understood(noisy(lever(value, low, high, alignment).capture(), level, 3))
    found = np.degrees(limits_of(joint_of(seen.robot, "lever_joint")))
    assert np.allclose(found, expected, atol=1e-4)
    assert "limit-side" not in codes(seen)


def test_a_limit_at_a_right_angle_without_alignment_is_reported() -> None:
    """The counter-case: nothing tells the angle from its supplement."""
    assert codes(lever(90, 20, 170, CLOSEST))["limit-side"] == ["Limit1"]


def palletiser(*, is_parallelogram: bool = True) -> Linkage:
    """A lower arm and a crank on one hinge of the base; the crank turns the upper arm through a link: mobility two."""
    reach = 0.1 if is_parallelogram else 0.06
    bar = Linkage("base", "lower", "crank", "link", "upper")
    bar.r("base", "lower", O).r("base", "crank", O).r("crank", "link", (-reach, 0, 0))
    return bar.r("link", "upper", (-0.1, 0.3, 0)).r("lower", "upper", (0, 0.3, 0))


def limited(bar: Linkage, one: str, other: str) -> Assembly:
    """A limit of 60° to 140° on an angle, which is 120° as assembled."""
    turned = (np.cos(np.radians(120)), np.sin(np.radians(120)), 0.0)
    first, second = bar.of(one, other)
    limits = (np.radians(60), np.radians(140))
    ends = first.at(plane(O, X)), second.at(plane(O, turned))
    bar.assembly.angle(*ends, value=np.radians(120), limits=limits, name="Limit1")
    return bar.assembly


@pytest.mark.parametrize("level", [0.0, 1e-8])
def test_a_limit_across_a_parallelogram_is_the_range_of_the_joint_that_decides(level: float) -> None:
    """The upper arm stays parallel to the crank, so its angle to the base is the crank's."""
    seen = understood(noisy(limited(palletiser(), "base", "upper").capture(), level, 3))
    assert seen.mobility == 2
    found = np.degrees(limits_of(joint_of(seen.robot, "crank_joint")))
    assert np.allclose(np.sort(np.abs(found)), [20, 60], atol=1e-4)
    assert found[0] < 0 < found[1]
    assert joint_of(seen.robot, "lower_joint").limits.lower is None
    assert "limit-loop" not in codes(seen)


def test_a_limit_that_two_joints_of_a_loop_decide_names_them() -> None:
    """The counter-case: without a parallelogram, both arms change the angle."""
    seen = understood(limited(palletiser(is_parallelogram=False), "base", "upper"))
    assert joint_of(seen.robot, "crank_joint").limits.lower is None
    (finding,) = (finding for finding in seen.findings if finding.code == "limit-loop")
    assert "joints of `lower-1`, `upper-1` together" in str(finding)
