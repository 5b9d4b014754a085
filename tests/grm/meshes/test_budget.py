"""Few collision shapes per body: none is lost that matters, and none touches another body."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.grm.meshes.test_separating import ROBOTS, hinge, sample_shapes
from tests.lookups import present

from swgrm import Frame, Limits, Link, Robot
from swgrm.findings import Findings
from swgrm.kinematics.body_motion import BodyMotion
from swgrm.meshes.body_shapes import BodyShapes
from swgrm.meshes.bounded_hull import MOST_VERTICES, bounded_points
from swgrm.meshes.budget import MOST_PIECES, Budgeted, Surroundings, within_budget, without_hidden
from swgrm.meshes.convex import hull_volume, polytope
from swgrm.meshes.merging import merge_pieces
from swgrm.meshes.overhang import distance, overhang
from swgrm.meshes.polytopes import Polytope
from swgrm.transforms import Array
from swgrm_mocks.builder import pose
from swgrm_mocks.solids import Solid, box

SEEDS = st.integers(0, 10_000)


def shape_of(solid: Solid) -> Polytope:
    return present(polytope(solid.triangles().reshape(-1, 3)))


def cube(x: float, y: float = 0.0, z: float = 0.0, size: float = 0.02) -> Polytope:
    return shape_of(box(size, size, size).moved(pose(x=x, y=y, z=z)))


def ball_points(seed: int, count: int = 400) -> Array:
    points = np.random.default_rng(seed).normal(size=(count, 3))
    return np.asarray(0.1 * points / np.linalg.norm(points, axis=1, keepdims=True), float)


@given(SEEDS)
def test_a_bounded_hull_has_few_vertices_of_the_body_and_most_of_its_volume(seed: int) -> None:
    points = ball_points(seed)
    few = bounded_points(points)
    assert len(few) <= MOST_VERTICES
    assert {tuple(point) for point in few} <= {tuple(point) for point in points}
    assert hull_volume(few) > 0.8 * hull_volume(points)


def test_hulls_of_few_vertices_and_flat_ones_stay() -> None:
    corners = cube(0.0).vertices
    assert bounded_points(corners) is corners
    flat = ball_points(1) * [1, 1, 0]
    assert len(bounded_points(flat)) <= MOST_VERTICES


@given(SEEDS)
def test_noise_does_not_choose_the_vertices(seed: int) -> None:
    """Of a cylinder, whose vertices are all alike."""
    angles = np.linspace(0, 2 * np.pi, 200, endpoint=False)
    circle = 0.05 * np.column_stack([np.cos(angles), np.sin(angles)])
    points = np.concatenate([np.column_stack([circle, np.full(200, z)]) for z in (-0.05, 0.05)])
    noise = np.random.default_rng(seed).uniform(-1e-15, 1e-15, points.shape)
    assert np.allclose(bounded_points(points + noise), bounded_points(points), rtol=0, atol=1e-12)


def test_pieces_are_merged_where_the_hull_grows_least() -> None:
    near, far = [cube(0.0), cube(0.02), cube(0.04)], [cube(1.0), cube(1.03)]
    merged = merge_pieces([*near, *far], 2, lambda _: True)
    assert sorted(sorted(piece.members) for piece in merged) == [[0, 1, 2], [3, 4]]
    assert merge_pieces(near, 3, lambda _: pytest.fail("nothing is merged")) != []


def test_what_is_not_free_is_not_merged() -> None:
    pieces = [cube(0.1 * number) for number in range(4)]
    assert len(merge_pieces(pieces, 1, lambda _: False)) == 4
    short = merge_pieces(pieces, 1, lambda shape: bool(np.ptp(shape.vertices[:, 0]) < 0.15))
    assert sorted(len(piece.members) for piece in short) == [2, 2]


def one_body(*names: str) -> Robot:
    frames = [Frame(id=names[0], links=(Link(name=names[0]),))]
    frames += [Frame(id=name, parent=names[0], links=(Link(name=name),)) for name in names[1:]]
    return Robot(name="r", frames=tuple(frames))


def left(
    robot: Robot, hulls: dict[str, list[Polytope]], fasteners: set[str], chosen: set[str] | None = None
) -> set[str]:
    return set(without_hidden(BodyMotion(robot), hulls, fasteners, hulls.keys() if chosen is None else chosen))


def test_fasteners_and_parts_inside_others_have_no_shape() -> None:
    hulls = {"case": [cube(0.0, size=0.1)], "motor": [cube(0.01, size=0.05)], "screw": [cube(0.06)]}
    robot = one_body(*hulls)
    assert left(robot, hulls, {"screw"}) == {"case"}
    assert left(robot, hulls, set()) == {"case", "screw"}
    assert left(robot, hulls, {"screw"}, chosen={"motor"}) == {"case", "screw"}, "others keep theirs"


def test_fasteners_alone_keep_their_shapes() -> None:
    hulls = {"screw": [cube(0.0)], "nut": [cube(0.1)]}
    assert left(one_body(*hulls), hulls, {"screw", "nut"}) == {"screw", "nut"}


def test_of_two_equal_parts_at_one_place_one_stays() -> None:
    hulls = {"first": [cube(0.0)], "second": [cube(0.0)]}
    assert left(one_body(*hulls), hulls, set()) == {"first"}


def test_a_part_in_the_corner_of_two_others_keeps_its_shape() -> None:
    """It is inside the hull of the two together, and a robot would reach into it."""
    plate, wall = box(0.2, 0.2, 0.01), box(0.01, 0.2, 0.2).moved(pose(x=-0.1, z=0.1))
    corner = box(0.03, 0.03, 0.03).moved(pose(x=-0.07, z=0.03))
    hulls = {"plate": [shape_of(plate)], "wall": [shape_of(wall)], "corner": [shape_of(corner)]}
    assert left(one_body(*hulls), hulls, set()) == {"plate", "wall", "corner"}


def test_a_merged_hull_leaves_the_other_body_its_room() -> None:
    """A row of studs on both sides of a lever: the hull of all of them would hold it."""
    studs = {f"stud {number}": [cube(0.05 * number - 0.3, y=0.1 if number % 2 else -0.1)] for number in range(12)}
    lever = {"arm": [shape_of(box(0.6, 0.04, 0.02))]}
    fixed = [Frame(id=name, parent="base", links=(Link(name=name),)) for name in studs]
    held = hinge(limits=Limits(lower=-0.01, upper=0.01))
    robot = Robot(name="r", frames=(held.frames[0], *fixed, held.frames[1]))
    findings = Findings()
    done = within_budget(BodyMotion(robot), {**studs, **lever}, studs.keys(), {}, findings)
    shapes = [shape for name in studs for shape in done.shapes[name]]
    assert len(shapes) == MOST_PIECES
    assert all(shape.vertices[:, 1].min() > 0.02 or shape.vertices[:, 1].max() < -0.02 for shape in shapes)
    assert [finding.code for finding in findings] == ["collision-merged"]


def test_more_shapes_are_kept_where_fewer_would_touch() -> None:
    """Studs between the bars of a grid, which moves with another body."""
    studs = {f"stud {number}": [cube(0.1 * number)] for number in range(10)}
    bars = [shape_of(box(0.02, 0.2, 0.2).moved(pose(x=0.1 * number + 0.05))) for number in range(10)]
    fixed = [Frame(id=name, parent="base", links=(Link(name=name),)) for name in studs]
    still = hinge(limits=Limits(lower=-1e-6, upper=1e-6))
    robot = Robot(name="r", frames=(still.frames[0], *fixed, still.frames[1]))
    findings = Findings()
    done = within_budget(BodyMotion(robot), {**studs, "arm": bars}, studs.keys(), {}, findings)
    assert sum(len(done.shapes[name]) for name in studs) == 10
    assert [finding.code for finding in findings] == ["collision-merged", "collision-many"]


@cache
def budgeted(name: str) -> tuple[BodyMotion, Budgeted]:
    motion, separated = sample_shapes(name)
    return motion, within_budget(motion, separated.shapes, separated.shapes.keys(), {}, Findings())


@pytest.mark.parametrize("name", ROBOTS)
def test_the_shapes_of_a_sample_are_few_and_free(name: str) -> None:
    motion, done = budgeted(name)
    work = BodyShapes(motion, done.shapes)
    places = work.places()
    for body, pieces in work.bodies.items():
        surroundings = Surroundings(work, places, body)
        assert len(pieces) <= MOST_PIECES
        merged = [piece for piece in pieces if piece.frame in done.changed]
        assert all(len(piece.shape.vertices) <= MOST_VERTICES for piece in merged)
        assert all(surroundings.is_free(piece.shape) for piece in merged)


@given(SEEDS)
def test_the_distance_to_a_box_is_that_of_its_formula(seed: int) -> None:
    point = np.random.default_rng(seed).uniform(-0.3, 0.3, 3)
    outside = np.maximum(np.abs(point) - [0.1, 0.05, 0.02], 0.0)
    assert distance(point, shape_of(box(0.2, 0.1, 0.04))) == pytest.approx(np.linalg.norm(outside), abs=1e-6)


def test_the_overhang_of_a_hull_over_two_cubes() -> None:
    parts = [cube(0.0), cube(0.1)]
    (merged,) = merge_pieces(parts, 1, lambda _: True)
    over = overhang([merged.shape], parts)
    assert over.beyond == pytest.approx(0.04, abs=1e-6), "the middle between the cubes"
    assert over.lost == pytest.approx(0.0, abs=1e-9)
    assert over.added == pytest.approx(2.0, rel=0.2)
    assert over.missing == 0
    assert overhang(parts[:1], parts).lost == pytest.approx(0.1, abs=1e-6)
