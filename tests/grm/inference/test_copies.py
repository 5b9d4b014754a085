"""Components without mates follow another component of their part, and take no degree of freedom from others."""

from __future__ import annotations

import numpy as np
import pytest
from tests.grm.inference.looking import O, X, Y, Z, at, bearing, codes, joints, together, understood
from tests.large_robots import judge

from swgrm.inference import Inference, infer
from swgrm.inference.geometry.twists import Array
from swgrm.model import JointType
from swgrm_mocks.builder import Assembly, AssemblyComponent, Part, pose
from swgrm_mocks.large.robots import RobotKind, make_large_robot
from swgrm_mocks.mates import plane, shaft
from swgrm_mocks.solids import box, cylinder

R = JointType.REVOLUTE
SCREW = (0.002, 0.01)  # [m] radius and length


def screw_part() -> Part:
    return Part("ISO 4762 M4x10", cylinder(*SCREW)).from_toolbox()


def fasten(assembly: Assembly, host: AssemblyComponent, screw: AssemblyComponent) -> None:
    """The two mates of a screw in a hole."""
    T = screw.T_assembly_self
    for entity in (shaft(T[:3, 3], T[:3, 2], SCREW[0]), plane(T[:3, 3], T[:3, 2])):
        ends = [entity.of(component.name, np.eye(4)) for component in (host, screw)]
        assembly.concentric(*ends) if entity.radii else assembly.coincident(*ends)


def hold(assembly: Assembly, host: AssemblyComponent, part: AssemblyComponent) -> None:
    """A rigid connection."""
    assembly.lock(host.at(plane(O, Z)), part.at(plane(O, Z)))


def owners_of_copies(inference: Inference) -> list[bool]:
    """For each entity of a copied mate, whether it is in the document that has the mate."""
    nodes = inference.problem.nodes
    inside = []
    for mate in inference.problem.mates:
        prefix = f"{nodes[mate.owner].name}/" if mate.owner else ""
        inside += [nodes[entity.node].name.startswith(prefix) for entity in mate.entities if mate.copied_to]
    return inside


@pytest.mark.parametrize("is_read", [True, False])
@pytest.mark.parametrize(("kind", "size"), [("arm", 250), ("arm", 1000), ("quadruped", 300)])
def test_fasteners_of_patterns_are_in_the_link_that_they_are_on(kind: RobotKind, size: int, is_read: bool) -> None:
    """The arm of 1000 components has suppressed seeds; with and without the features of patterns in the capture."""
    robot = make_large_robot(kind, size, patterns=True, reads_patterns=is_read, detail=0.1)
    inference = infer(robot.capture)
    verdict = judge(robot, inference)
    assert verdict.joints == robot.joints
    assert verdict.wrong == ()
    inside = owners_of_copies(inference)
    assert len(inside) > size / 2
    assert verdict.false_joints == 0
    assert all(inside)


def boards() -> tuple[Assembly, AssemblyComponent, AssemblyComponent]:
    """A board on the base, and one of the same part above it on a link that turns."""
    assembly = Assembly("boards")
    base = assembly.part(Part("base", box(0.2, 0.2, 0.02))).fixed()
    link = assembly.part(Part("link", box(0.2, 0.2, 0.02)), at(0.0, 0.0, 0.03))
    bearing(assembly, base, link, np.array([0.3, 0.0, 0.0]))
    part = Part("board", box(0.06, 0.04, 0.002))
    for host, x, z in ((base, 0.0, 0.012), (link, 0.04, 0.042)):
        hold(assembly, host, assembly.part(part, at(x, 0.0, z)))
    return assembly, assembly.children[2], assembly.children[3]


def test_screws_of_a_board_do_not_go_to_a_board_of_the_same_part_in_another_link() -> None:
    """The shift from the first screw to the second carries the first board nearly to the second one."""
    assembly, low, high = boards()
    part = screw_part()
    fasten(assembly, low, assembly.part(part, at(-0.025, 0.0, 0.013)))
    assembly.part(part, at(0.025, 0.0, 0.013))
    fasten(assembly, high, assembly.part(part, at(0.015, 0.0, 0.043)))
    assembly.part(part, at(0.065, 0.0, 0.043))
    assert together(assembly, "base-1", "board-1", "ISO 4762 M4x10-1", "ISO 4762 M4x10-2")
    assert together(assembly, "link-1", "board-2", "ISO 4762 M4x10-3", "ISO 4762 M4x10-4")
    assert len(joints(assembly)) == 1


def test_mates_of_a_sub_assembly_stay_in_it() -> None:
    """A module with a board is on the base, and the same module is on a link where the shift of its screws leads."""
    module = Assembly("module")
    board = module.part(Part("board", box(0.06, 0.04, 0.002))).fixed()
    part = screw_part()
    fasten(module, board, module.part(part, at(-0.025, 0.0, 0.001)))
    module.part(part, at(0.025, 0.0, 0.001))
    top = Assembly("top")
    base = top.part(Part("base", box(0.2, 0.2, 0.02))).fixed()
    link = top.part(Part("link", box(0.2, 0.2, 0.02)), at(0.05, 0.0, 0.0))
    bearing(top, base, link, np.array([0.3, 0.0, 0.0]))
    for host, x in ((base, 0.0), (link, 0.05)):  # the second module is where the pattern carries the first one
        sub_assembly = top.sub(module, at(x, 0.0, 0.012))
        hold(top, host, sub_assembly / "board-1")
    inference = understood(top)
    assert len(joints(inference)) == 1
    assert owners_of_copies(inference)
    assert all(owners_of_copies(inference))


def test_a_part_takes_the_nearest_seed_whose_partner_reaches_it() -> None:
    """The nearest screw that is mated is on the link that turns, but that link ends before this screw."""
    assembly = Assembly("reach")
    base = assembly.part(Part("base", box(0.4, 0.1, 0.01))).fixed()
    link = assembly.part(Part("link", box(0.1, 0.1, 0.01)), at(0.1, 0.0, 0.01))
    bearing(assembly, base, link, np.array([0.1, 0.0, 0.0]))
    part = screw_part()
    fasten(assembly, link, assembly.part(part, at(0.055, 0.0, 0.015)))
    fasten(assembly, base, assembly.part(part, at(-0.19, 0.0, 0.005)))
    assembly.part(part, at(0.0, 0.0, 0.005))
    assert together(assembly, "base-1", "ISO 4762 M4x10-2", "ISO 4762 M4x10-3")
    assert codes(assembly)["copy"] == ["ISO 4762 M4x10-3"]


def test_a_copied_mate_does_not_block_a_joint_of_other_bodies() -> None:
    """A pin in the first joint is mated to both links; copied as it is, that in the second joint would pin them."""
    assembly = Assembly("pins")
    links = [assembly.part(f"link{k}", at(0.1 * k)) for k in range(3)]
    links[0].fixed()
    pin = Part("shaft")
    for k in range(2):
        bearing(assembly, links[k], links[k + 1], np.array([0.1 * k, 0.0, 0.0]))
        assembly.part(pin, at(0.1 * k))
    for entity in (shaft(O, Z, 0.004), plane(O, Z)):
        for host in links[:2]:
            ends = [entity.of(component.name, np.eye(4)) for component in (host, assembly.children[3])]
            assembly.concentric(*ends) if entity.radii else assembly.coincident(*ends)
    assembly.parallel(assembly.children[3].at(plane(O, X)), links[0].at(plane(O, X)))
    inference = understood(assembly)
    assert [joint[:3] for joint in joints(inference)] == [
        ("link0-1", "link1-1", "revolute"),
        ("link1-1", "link2-1", "revolute"),
    ]
    assert codes(inference)["copy-blocks"] == ["shaft-2"]
    message = next(finding.message for finding in inference.findings if finding.code == "copy-blocks")
    assert "would block joints between `link0-1` and `link1-1`; those to `link1-1` are left out" in message


def test_bolts_that_clamp_two_parts_are_copied_with_all_mates() -> None:
    """Without the pins nothing but a contact connects the parts, so that pins in two holes hold them together."""
    assembly = Assembly("clamped")
    base = assembly.part("base").fixed()
    lid = assembly.part("lid")
    assembly.coincident(base.at(plane(O, Z)), lid.at(plane(O, Z)))
    pin = Part("shaft")
    first = assembly.part(pin)
    assembly.part(pin, at(0.1))
    for host in (base, lid):
        assembly.concentric(first.at(shaft(O, Z, 0.004)), host.at(shaft(O, Z, 0.004)))
    assert together(assembly, "base-1", "lid-1")
    assert "copy-blocks" not in codes(assembly)


def test_parts_in_the_air_are_one_warning() -> None:
    assembly = Assembly("air")
    assembly.part("base").fixed()
    for k in range(9):
        assembly.part(f"lost{k}", at(0.1 * k))
    findings = [finding for finding in understood(assembly).findings if finding.code == "unattached"]
    (finding,) = findings
    assert finding.where.startswith("9 components (lost0-1, lost1-1, ")
    assert finding.message.startswith("Components without mates: 9.")


def turn(degrees: float) -> Array:
    """A rotation about z."""
    return pose(yaw=degrees)


def test_a_bolt_circle_that_two_links_share() -> None:
    """Every second bolt of one circle is in the base, the others in the table that turns on it."""
    assembly = Assembly("turntable")
    base = assembly.part(Part("base", cylinder(0.06, 0.01))).fixed()
    table = assembly.part(Part("table", cylinder(0.06, 0.01)), at(0.0, 0.0, 0.01))
    bearing(assembly, base, table, np.zeros(3))
    part = screw_part()
    for host, degrees in ((base, 0.0), (table, 30.0)):
        seed = assembly.part(part, turn(degrees) @ at(0.05, 0.0, 0.005))
        fasten(assembly, host, seed)
        assembly.pattern([seed], [turn(60.0 * k) for k in range(1, 6)], "LocalCirPattern")
    bolts = [f"ISO 4762 M4x10-{k}" for k in range(1, 13)]
    inference = understood(assembly)
    assert together(inference, "base-1", *bolts[:6])
    assert together(inference, "table-1", *bolts[6:])
    assert joints(inference) == [("base-1", "table-1", "revolute", (R,))]


def test_hinged_doors_of_a_pattern_stay_joints() -> None:
    """Each door turns on its own hinge, and its knob goes with it."""
    assembly = Assembly("cupboard")
    frame = assembly.part(Part("frame", box(1.0, 0.4, 0.02))).fixed()
    door = assembly.part(Part("door", box(0.2, 0.3, 0.01)), at(-0.4))
    knob = assembly.part(Part("knob", cylinder(0.01, 0.02)), at(-0.35))
    bearing(assembly, frame, door, np.array([-0.5, 0.0, 0.0]), Y)
    hold(assembly, door, knob)
    assembly.pattern([door, knob], [at(0.25 * k) for k in range(1, 4)])
    inference = understood(assembly)
    assert joints(inference) == [("frame-1", f"door-{k}", "revolute", (R,)) for k in range(1, 5)]
    assert all(together(inference, f"door-{k}", f"knob-{k}") for k in range(1, 5))
    hinges = {inference.body_name(joint.child): joint.chain[0].point for joint in inference.tree.joints}
    assert [round(float(hinges[f"door-{k}"][0]), 6) for k in range(1, 5)] == [-0.5, -0.25, 0.0, 0.25]


def test_a_pattern_of_a_pattern() -> None:
    """The instances of the first pattern are seeds of the second one."""
    assembly = Assembly("grid")
    base = assembly.part(Part("base", box(0.4, 0.4, 0.01))).fixed()
    link = assembly.part(Part("link", box(0.3, 0.3, 0.01)), at(0.0, 0.0, 0.01))
    bearing(assembly, base, link, np.zeros(3))
    seed = assembly.part(screw_part(), at(0.0, 0.0, 0.015))
    fasten(assembly, link, seed)
    row = assembly.pattern([seed], [at(0.02 * k) for k in (1, 2)])
    assembly.pattern([seed, *row], [at(0.0, 0.02 * k) for k in (1, 2)], "DerivedLPattern")
    assert together(assembly, "link-1", *[f"ISO 4762 M4x10-{k}" for k in range(1, 10)])
    assert "copy-undecided" not in codes(assembly)


def test_two_seeds_of_one_part_are_told_apart_by_the_transforms() -> None:
    """One screw is in the base, one in the link; SolidWorks lists the instances in another order than the seeds."""
    assembly = Assembly("pair")
    base = assembly.part(Part("base", box(0.4, 0.4, 0.01))).fixed()
    link = assembly.part(Part("link", box(0.4, 0.4, 0.01)), at(0.0, 0.0, 0.01))
    bearing(assembly, base, link, np.zeros(3))
    part = screw_part()
    seeds = [assembly.part(part, at(0.03 * k, 0.0, 0.005)) for k in range(2)]
    for host, seed in zip((base, link), seeds, strict=True):
        fasten(assembly, host, seed)
    instances = [assembly.part(part, at(x, 0.02, 0.005)) for x in (0.03, 0.0)]
    assembly.pattern_of(seeds, instances, [at(0.0, 0.02)])
    assert together(assembly, "base-1", seeds[0].name, instances[1].name)
    assert together(assembly, "link-1", seeds[1].name, instances[0].name)


@pytest.mark.parametrize("is_read", [True, False])
def test_instances_of_a_suppressed_seed_go_with_its_partner(is_read: bool) -> None:
    assembly = Assembly("suppressed")
    base = assembly.part(Part("base", box(0.4, 0.4, 0.01))).fixed()
    link = assembly.part(Part("link", box(0.2, 0.2, 0.01)), at(0.0, 0.0, 0.01))
    bearing(assembly, base, link, np.zeros(3))
    seed = assembly.part(screw_part(), at(0.0, 0.0, 0.015)).state(suppression=0)
    fasten(assembly, link, seed)
    assembly.pattern([seed], [at(0.02), at(0.04)])
    if not is_read:
        assembly.patterns.clear()
    assert together(assembly, "link-1", "ISO 4762 M4x10-2", "ISO 4762 M4x10-3")


def test_instances_of_a_fixed_seed_are_fixed() -> None:
    assembly = Assembly("feet")
    base = assembly.part("base").fixed()
    link = assembly.part("link")
    bearing(assembly, base, link, np.zeros(3))
    foot = assembly.part("foot", at(0.1)).fixed()
    assembly.pattern([foot], [at(0.1)])
    assert together(assembly, "base-1", "foot-1", "foot-2")
    assert "unattached" not in codes(assembly)


def test_a_suppressed_pattern_says_nothing_about_its_instances() -> None:
    assembly = Assembly("off")
    base = assembly.part("base").fixed()
    other = assembly.part("other", at(1.0))
    seed = assembly.part("pin", at(0.1))
    bearing(assembly, base, seed, np.array([0.1, 0.0, 0.0]))
    assembly.part("pin", at(0.5))
    assembly.pattern_of([other], [assembly.children[-1]], suppressed=True)
    assert "pin-2" in codes(assembly)["copy"]


def planetary(*, moves_pattern: Array | None = None) -> Assembly:
    """A planetary gear with a fixed ring; one planet is mated and geared, two are instances of a pattern."""
    assembly = Assembly("planetary")
    ring = assembly.part(Part("ring", cylinder(0.06, 0.01, 0.05))).fixed()
    sun = assembly.part(Part("sun", cylinder(0.01, 0.01)))
    carrier = assembly.part(Part("carrier", cylinder(0.05, 0.005)), at(z=0.02))
    bearing(assembly, ring, sun, np.zeros(3))
    bearing(assembly, ring, carrier, np.zeros(3))
    planet = assembly.part(Part("planet", cylinder(0.02, 0.01)), at(0.03))
    bearing(assembly, carrier, planet, np.array([0.03, 0, 0]))
    assembly.gear(sun.at(shaft(O, Z, 0.01)), planet.at(shaft(O, Z, 0.02)), ratio=(2, 1))
    assembly.gear(ring.at(shaft(O, Z, 0.05)), planet.at(shaft(O, Z, 0.02)), ratio=(2, 5), reverse=True)
    shifts = [turn(120.0), turn(240.0)] if moves_pattern is None else [moves_pattern]
    assembly.pattern([planet], shifts, "LocalCirPattern")
    return assembly


def test_the_planets_of_a_pattern_keep_their_gears() -> None:
    """Without the gears of the copies, each planet would spin by itself: mobility 3."""
    seen = understood(planetary())
    assert seen.mobility == 1
    assert len(joints(seen)) == 5
    assert "coupling-redundant" not in codes(seen)


def test_a_gear_is_not_copied_to_where_its_partner_does_not_reach() -> None:
    seen = understood(planetary(moves_pattern=at(0.5)))
    assert seen.mobility == 2
    assert set(codes(seen)["copy-uncoupled"]) == {"planet-2"}


def arm_and_spare(distance: float, **states: bool) -> Assembly:
    """An arm on a base, and a component of the same part without mates; no sizes are known."""
    assembly = Assembly("spare")
    base = assembly.part("base").fixed()
    part = Part("arm")
    arm = assembly.part(part, at(0.2))
    bearing(assembly, base, arm, np.array([0.1, 0, 0]))
    assembly.part(part, at(0.2, distance)).state(**states)
    return assembly


@pytest.mark.trap("R32")
def test_a_spare_instance_far_from_everything_is_not_a_joint() -> None:
    seen = understood(arm_and_spare(1.6))
    assert [joint.child for joint in joints(seen)] == ["arm-1"]
    assert codes(seen)["unattached"] == ["arm-2"]


@pytest.mark.parametrize("assembly", [arm_and_spare(0.15), arm_and_spare(1.6, pattern_instance=True)])
def test_a_near_instance_or_one_of_a_pattern_is_a_copy(assembly: Assembly) -> None:
    assert [joint.child for joint in joints(assembly)] == ["arm-1", "arm-2"]
