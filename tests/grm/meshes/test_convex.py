"""Convex decomposition and the geometry of convex bodies."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.lookups import present

from swgrm.meshes.collision import hull
from swgrm.meshes.convex import cut, decomposed, depth, polytope
from swgrm.meshes.surface import Surface, surface, volume_integrals
from swgrm.transforms import Array
from swgrm_mocks.builder import pose
from swgrm_mocks.solids import Solid, ball, box, cylinder

SEEDS = st.integers(0, 10_000)


def made(solid: Solid) -> Surface:
    return surface(solid.triangles())


def points(seed: int, count: int = 20) -> Array:
    return np.random.default_rng(seed).normal(size=(count, 3))


@pytest.mark.parametrize(
    ("solid", "count"),
    [
        (box(1, 2, 3), 1),
        (ball(1.0), 1),
        (box(1, 1, 0.1) + cylinder(0.1, 1).moved(pose(z=0.55)), 2),  # a plate and a pin
        (box(1, 1, 0.1) + box(0.1, 1, 1).moved(pose(x=0.45, z=0.55)) + box(0.1, 1, 1).moved(pose(x=-0.45, z=0.55)), 3),
    ],
    ids=["box", "ball", "plate and pin", "channel"],
)
def test_a_body_becomes_its_convex_pieces(solid: Solid, count: int) -> None:
    body = made(solid)
    pieces = decomposed(body, 16)
    assert len(pieces) == count
    assert sum(piece.volume for piece in pieces) == pytest.approx(volume_integrals(body).volume, rel=1e-6)


def test_a_body_of_one_surface_is_cut_at_its_faces() -> None:
    channel = np.array([[0, 0], [3, 0], [3, 2], [2, 2], [2, 1], [1, 1], [1, 2], [0, 2]], float)
    body = extruded(channel)
    pieces = decomposed(body, 16)
    assert len(pieces) == 3
    assert sum(piece.volume for piece in pieces) == pytest.approx(5.0)


def extruded(outline: Array) -> Surface:
    """A prism of height 1; the outline starts at its corner, and its ends are triangulated by hand."""
    ends = [(0, 1, 4), (1, 2, 3), (1, 3, 4), (0, 4, 5), (0, 5, 6), (0, 6, 7)]
    low, high = (np.column_stack([outline, np.full(len(outline), z)]) for z in (0.0, 1.0))
    triangles = [high[list(end)] for end in ends] + [low[list(end)][::-1] for end in ends]
    for i in range(len(outline)):
        j = (i + 1) % len(outline)
        triangles += [np.array([low[i], low[j], high[j]]), np.array([low[i], high[j], high[i]])]
    return surface(np.array(triangles))


@given(SEEDS, st.integers(2, 12))
def test_pieces_contain_every_vertex_and_are_few(seed: int, most: int) -> None:
    rng = np.random.default_rng(seed)
    places = [pose(*rng.uniform(-1, 1, 3)) @ pose(yaw=rng.uniform(0, 90)) for _ in range(4)]
    parts = [box(*rng.uniform(0.1, 1, 3)).moved(place) for place in places]
    body = made(Solid(tuple(face for part in parts for face in part.surfaces)))
    pieces = decomposed(body, most)
    assert len(pieces) <= most
    heights = np.stack([(body.vertices @ p.normals.T - p.offsets).max(axis=1) for p in pieces])
    assert heights.min(axis=0).max() < 1e-5


def test_a_ring_is_cut_open_where_holes_count() -> None:
    ring = made(cylinder(1.0, 0.2, 0.7))
    assert len(decomposed(ring, 16)) == 1
    pieces = decomposed(ring, 16, holes=True)
    assert sum(piece.volume for piece in pieces) < 1.25 * volume_integrals(ring).volume
    assert len(pieces) <= 16


@given(SEEDS)
def test_cutting_gives_two_parts_of_the_whole(seed: int) -> None:
    body = present(polytope(points(seed)))
    normal = points(seed + 1, 1)[0]
    normal /= np.linalg.norm(normal)
    offset = float(np.median(body.vertices @ normal))
    parts = [cut(body, normal, offset), cut(body, -normal, -offset)]
    assert sum(part.volume for part in parts if part is not None) == pytest.approx(body.volume)
    assert all((part.vertices @ normal >= offset - 1e-9).all() for part in parts[:1] if part is not None)


@given(SEEDS, st.floats(-4, 4))
def test_moving_bodies_apart_by_their_depth_separates_them(seed: int, x: float) -> None:
    one, other = present(polytope(points(seed))), present(polytope(points(seed + 1) + np.array([x, 0, 0])))
    deep = depth(one, other)
    inside = bool(((other.vertices @ one.normals.T) < one.offsets - 1e-6).all(axis=1).any())
    assert deep > 0 or not inside
    if deep > 0:
        steps = [deep * normal for normal in (*one.normals, *-other.normals)]
        assert min(depth(one, other.moved(pose(*step))) for step in steps) < 1e-6


def test_bodies_that_only_edges_separate_do_not_overlap() -> None:
    one = present(polytope(made(box(2, 0.2, 0.2).moved(pose(roll=45))).vertices))
    other = present(polytope(made(box(0.2, 2, 0.2).moved(pose(z=0.3, pitch=45))).vertices))
    assert depth(one, other) <= 0
    assert depth(one, other.moved(pose(z=-0.1))) > 0


NOISY = {
    "cylinder": cylinder(0.02, 0.05),
    "cube": box(0.1, 0.1, 0.1),
    "cross": box(0.3, 0.05, 0.05) + box(0.05, 0.3, 0.05),
    "two equal pins": box(0.2, 0.1, 0.02)
    + cylinder(0.01, 0.05).moved(pose(0.05))
    + cylinder(0.01, 0.05).moved(pose(-0.05)),
    "fork": box(0.2, 0.1, 0.02) + box(0.02, 0.1, 0.1).moved(pose(0.09)) + box(0.02, 0.1, 0.1).moved(pose(-0.09)),
}


@pytest.mark.parametrize("holes", [False, True])
@pytest.mark.parametrize("name", sorted(NOISY))
def test_noise_decides_neither_the_pieces_of_a_body_nor_their_order(name: str, holes: bool) -> None:
    """Equal halves, equal pins and the axes of a square are told apart by their order, wherever a digit is rounded."""
    body = made(NOISY[name])
    expected = decomposed(body, 6, holes=holes)
    for seed in range(4):
        noise = 1 + 1e-15 * np.random.default_rng(seed).normal(size=3)  # of each axis: faces stay planar
        found = decomposed(Surface(body.vertices * noise, body.faces), 6, holes=holes)
        assert len(found) == len(expected)
        for before, after in zip(expected, found, strict=True):
            assert np.allclose(before.vertices, after.vertices, rtol=0, atol=1e-12)
            assert np.allclose(before.normals, after.normals, rtol=0, atol=1e-9)


@pytest.mark.parametrize("name", sorted(NOISY))
def test_noise_does_not_decide_the_triangles_of_a_hull(name: str) -> None:
    body = made(NOISY[name])
    expected = hull(body)
    assert expected.is_closed
    for seed in range(4):
        noise = 1 + 1e-15 * np.random.default_rng(seed).normal(size=3)
        found = hull(Surface(body.vertices * noise, body.faces))
        assert found.faces.tolist() == expected.faces.tolist()
