"""Collision shapes are cut so that no joint is held."""

from __future__ import annotations

from functools import cache

import pytest
from tests.lookups import present

from swgrm import Frame, Joint, JointType, Limits, Link, Robot
from swgrm.body_motion import BodyMotion
from swgrm.capture.index import Index
from swgrm.findings import Findings
from swgrm.inference import as_assembly, infer
from swgrm.meshes.convex import decomposed, depth, polytope
from swgrm.meshes.polytopes import Polytope
from swgrm.meshes.separating import Separated, separated
from swgrm.meshes.surface import Surface, surface
from swgrm.meshes.tessellation import whole as all_bodies
from swgrm_mocks.builder import pose
from swgrm_mocks.samples import sample
from swgrm_mocks.solids import Solid, box, cylinder

ROBOTS = ("arm", "gripper", "four_bar", "mobile_base", "stewart", "lead_screw", "traps")


def hinge(**joint: object) -> Robot:
    moving = Joint(type=JointType.REVOLUTE, name="hinge", **joint)  # type: ignore[arg-type] # fields of a joint
    return Robot(
        name="r",
        frames=(
            Frame(id="base", links=(Link(name="base"),)),
            Frame(id="arm", parent="base", joint=moving, links=(Link(name="arm"),)),
        ),
    )


def apart(robot: Robot, solids: dict[str, Solid], findings: Findings | None = None) -> dict[str, list[Polytope]]:
    bodies = {frame: surface(each.triangles()) for frame, each in solids.items()}
    return of_surfaces(robot, bodies, Findings() if findings is None else findings).shapes


def of_surfaces(robot: Robot, bodies: dict[str, Surface], findings: Findings) -> Separated:
    hulls = {frame: [present(polytope(body.vertices))] for frame, body in bodies.items()}
    return separated(
        BodyMotion(robot), hulls, lambda frames: {f: decomposed(bodies[f], 16) for f in frames}, findings
    )  # fmt: skip


def test_a_pin_in_a_hub_is_left_out_and_the_rest_stays() -> None:
    plate = box(0.2, 0.2, 0.02).moved(pose(z=-0.04))
    base = plate + cylinder(0.01, 0.06)
    findings = Findings()
    shapes = apart(hinge(), {"base": base, "arm": cylinder(0.03, 0.06, 0.01)}, findings)
    (left,) = shapes["base"]
    assert left.volume == pytest.approx(0.2 * 0.2 * 0.02, rel=0.02)
    assert shapes["arm"][0].volume == pytest.approx(3.14e-4 * 0.06 * 9, rel=0.02)
    assert [finding.code for finding in findings] == ["collision-cut"]


def test_a_part_inside_another_has_no_shape_left() -> None:
    findings = Findings()
    shapes = apart(hinge(), {"base": cylinder(0.03, 0.2, 0.01), "arm": cylinder(0.01, 0.1)}, findings)
    assert shapes["arm"] == []
    assert {finding.code for finding in findings} == {"collision-cut", "collision-left-out"}


def test_what_only_meets_in_the_range_of_a_joint_is_cut_too() -> None:
    """A lever that swings into a stop; with limits that keep it away, the stop stays."""
    stop, lever = box(0.1, 0.1, 0.1).moved(pose(y=0.2)), box(0.4, 0.02, 0.1).moved(pose(x=0.2))
    free = apart(hinge(limits=Limits(lower=-1.0, upper=0.2)), {"base": stop, "arm": lever})
    assert sum(shape.volume for shape in free["base"]) == pytest.approx(0.001)
    cut = apart(hinge(), {"base": stop, "arm": lever})
    assert sum(shape.volume for shapes in cut.values() for shape in shapes) < 0.001 + 0.0008 - 1e-5


def test_shapes_far_apart_are_not_touched() -> None:
    far = surface(box(0.1, 0.1, 0.1).moved(pose(x=2)).triangles())
    bodies = {"base": surface(box(0.1, 0.1, 0.1).triangles()), "arm": far}
    assert of_surfaces(hinge(), bodies, Findings()).changed == frozenset()


@cache
def sample_shapes(name: str) -> tuple[BodyMotion, Separated]:
    capture = as_assembly(sample(name))
    robot = infer(capture).robot
    index = Index(capture)
    bodies = {}
    for frame, _ in robot.links():
        entity = frame.entity
        shape = index.shape(index.components[entity.path]) if entity and entity.path in index.components else None
        if shape is not None and shape.triangles:
            bodies[frame.id] = all_bodies(shape)
    return BodyMotion(robot), of_surfaces(robot, bodies, Findings())


@pytest.mark.parametrize("name", ROBOTS)
def test_no_shapes_of_two_bodies_of_a_sample_overlap(name: str) -> None:
    """As assembled, and of bodies that a joint connects, wherever that joint goes."""
    motion, done = sample_shapes(name)
    shapes: dict[str, list[Polytope]] = {}
    for frame, each in done.shapes.items():
        shapes.setdefault(motion.body_of[frame], []).extend(one.moved(motion.in_body(frame)) for one in each)
    bodies = list(shapes)
    places = [(motion.pair(a, b), motion.relative(motion.pair(a, b))) for a in bodies for b in bodies if a != b]
    places += [(placed.pair, placed.T) for placed in motion.moved() if placed.is_certain]
    for (one, other), T in places:
        for a in shapes.get(one, ()):
            for b in shapes.get(other, ()):
                assert depth(a, b.moved(T)) <= 1e-6, f"{one} and {other} overlap"


@pytest.mark.parametrize("name", ROBOTS)
def test_most_of_a_sample_keeps_its_shape(name: str) -> None:
    _, done = sample_shapes(name)
    assert sum(bool(shapes) for shapes in done.shapes.values()) >= 0.5 * len(done.shapes)
