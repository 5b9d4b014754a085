"""Collision shapes are cut so that no joint is held."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from tests.lookups import present

from swgrm import Frame, Joint, JointType, Limits, Link, Robot
from swgrm.capture.index import Index
from swgrm.findings import Findings
from swgrm.inference import as_assembly, infer
from swgrm.kinematics.body_motion import BodyMotion
from swgrm.meshes.body_shapes import CLEARANCE
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


@pytest.mark.parametrize("shift", [0.0, 1e-9, -1e-9])
def test_a_rod_through_the_middle_of_a_housing_keeps_its_upper_half(shift: float) -> None:
    """Both halves are equal. The lower one would touch the ground first, and noise must not decide."""
    rod = cylinder(0.01, 0.4).moved(pose(z=shift))
    shapes = apart(hinge(), {"base": box(0.1, 0.1, 0.1), "arm": rod})
    (left,) = shapes["arm"]
    assert left.vertices[:, 2].min() > 0.04


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


def test_equal_faces_that_rest_on_each_other_are_cut_alike_whatever_the_noise() -> None:
    """Both would lose the same: it is the first body that is cut, not the one that rounding prefers."""
    solids = {"base": cylinder(0.05, 0.1), "arm": cylinder(0.05, 0.1).moved(pose(0, 0, 0.1))}
    bodies = {name: surface(solid.triangles()) for name, solid in solids.items()}
    lengths = []
    for seed in range(6):
        chance = np.random.default_rng(seed)
        noisy = {}
        for name, body in bodies.items():
            noise = 1e-15 * chance.normal(size=body.vertices.shape)
            noisy[name] = Surface(body.vertices + noise, body.faces)
        shapes = of_surfaces(hinge(), noisy, Findings()).shapes
        lengths.append({name: round(float(np.ptp(shapes[name][0].vertices[:, 2])), 6) for name in noisy})
    assert all(each == lengths[0] for each in lengths)
    assert lengths[0]["base"] < lengths[0]["arm"]


def in_single_precision(solid: Solid, seed: int) -> Surface:
    """The surface of a solid with noise of single precision in its corners."""
    body = surface(solid.triangles())
    noise = 4e-9 * np.random.default_rng(seed).uniform(-1, 1, size=body.vertices.shape)
    return Surface(body.vertices + noise, body.faces)


@pytest.mark.parametrize("seed", range(6))
def test_a_flat_side_of_several_planes_is_one_face_to_cut_at(seed: int) -> None:
    """A housing with many corners in its flat sides: noise makes more planes of one side than are tried."""
    bodies = {
        "base": in_single_precision(cylinder(0.05, 0.1), seed),
        "arm": in_single_precision(cylinder(0.01, 0.4), seed + 100),
    }
    shapes = of_surfaces(hinge(), bodies, Findings()).shapes
    (left,) = shapes["arm"]
    assert left.vertices[:, 2].min() == pytest.approx(0.05 + CLEARANCE / 2, abs=CLEARANCE)
    assert left.volume == pytest.approx(present(polytope(bodies["arm"].vertices)).volume * 0.375, rel=1e-2)


@pytest.mark.parametrize("seed", range(6))
def test_parts_that_are_half_a_clearance_apart_are_not_cut(seed: int) -> None:
    """It is a distance that people design, and single precision must not decide about it."""
    block = box(0.1, 0.1, 0.1)
    bodies = {
        "base": in_single_precision(block, seed),
        "arm": in_single_precision(block.moved(pose(z=0.1 + CLEARANCE / 2)), seed + 100),
    }
    assert of_surfaces(hinge(), bodies, Findings()).changed == frozenset()
