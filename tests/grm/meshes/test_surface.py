"""Surfaces: welding keeps positions, winding is restored, and integrals are those of the solid."""

from __future__ import annotations

import math

import numpy as np
import pytest
import trimesh
from hypothesis import given
from hypothesis import strategies as st
from tests.grm.meshes.solids import solid

from swgrm.meshes.surface import Surface, joined, placed, surface, volume_integrals, weld, welded
from swgrm.transforms import homogeneous, quaternion_matrix

KINDS = ["box", "cylinder", "ball", "ring"]
kinds = st.sampled_from(KINDS)
seeds = st.integers(0, 1 << 20)


@given(kinds, seeds)
def test_any_order_and_winding_of_triangles_is_one_closed_surface(kind: str, seed: int) -> None:
    rng = np.random.default_rng(seed)
    triangles = solid(kind)
    expected = surface(triangles)
    shuffled = rng.permutation(triangles)
    shuffled = np.stack([np.roll(t, rng.integers(3), axis=0) for t in shuffled])
    flipped = rng.random(len(shuffled)) < 0.4
    shuffled[flipped] = shuffled[flipped][:, ::-1]
    found = surface(shuffled)
    assert found.is_closed
    assert len(found.vertices) == len(expected.vertices)
    assert volume_integrals(found).volume == pytest.approx(volume_integrals(expected).volume, rel=1e-12)


@given(kinds, seeds, st.floats(1e-3, 10))
def test_noise_below_the_weld_distance_keeps_it_closed(kind: str, seed: int, size: float) -> None:
    triangles = solid(kind, size)
    noise = np.random.default_rng(seed).uniform(-1, 1, triangles.shape) * 1e-8 * size
    assert surface(triangles + noise).is_closed


def test_corners_on_either_side_of_a_cells_border_are_merged() -> None:
    """The middle of the box's edges lies on a border of the grid: corners there are a hair to both sides of it."""
    box, cell = solid("box"), 2.0**-20
    low, high = box.min(axis=(0, 1)), box.max(axis=(0, 1))
    scaled = (box - low) / (high - low).max()
    wide = np.where(scaled == scaled.max(), 1.0, scaled)
    for border in (0.5 * cell, 1000.5 * cell):
        middle = np.where(wide == 0, border, wide)  # three faces are on the border
        anchor = np.array([[[0.0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 0, 0], [0, 1, 0], [1, 0, 0]]])  # of the grid
        for seed in range(20):
            noise = np.random.default_rng(seed).uniform(-1, 1, middle.shape) * cell / 100
            found = weld(np.concatenate([anchor, middle + noise]))
            assert len(found.vertices) == 3 + 8


def test_degenerate_and_duplicate_triangles_are_removed() -> None:
    triangles = solid("box")
    point = np.zeros((1, 3, 3))
    sliver = np.array([[[0, 0, 0], [1, 0, 0], [0.5, 0, 0]]], float)
    found = surface(np.concatenate([triangles, triangles[:3], point, sliver]))
    assert len(found.faces) == 12
    assert found.is_closed


@given(kinds, seeds, st.sampled_from(["welded", "loose", "close", "unused", "degenerate"]))
def test_welding_a_surface_is_welding_its_triangles(kind: str, seed: int, state: str) -> None:
    random = np.random.default_rng(seed)
    made = weld(solid(kind)[random.permutation(len(solid(kind)))])
    order = random.permutation(len(made.vertices))
    vertices, faces = made.vertices[order], np.argsort(order)[made.faces]
    if state == "loose":
        vertices, faces = vertices[faces].reshape(-1, 3), np.arange(3 * len(faces)).reshape(-1, 3)
    elif state == "close":  # two of the vertices are one, but for half of the distance that is merged
        vertices[1] = vertices[0] + 0.5e-6 * np.ptp(vertices)
    elif state == "unused":
        vertices = np.concatenate([vertices, [[9.0, 9.0, 9.0]]])
    elif state == "degenerate":
        faces = np.concatenate([faces, faces[:2], [[0, 0, 1]]])
    found, expected = welded(Surface(vertices, faces)), weld(vertices[faces])
    assert np.array_equal(found.vertices, expected.vertices)
    assert np.array_equal(found.faces, expected.faces)


def test_a_welded_surface_is_not_welded_again(monkeypatch: pytest.MonkeyPatch) -> None:
    made = surface(solid("ring"))
    monkeypatch.setattr("swgrm.meshes.surface.weld", lambda _triangles: pytest.fail("it was welded again"))
    assert len(welded(made).faces) == len(made.faces)


def test_two_bodies_that_touch_keep_both_faces() -> None:
    triangles = solid("box")
    neighbour = triangles + np.array([1.0, 0.0, 0.0])
    found = surface(np.concatenate([triangles, neighbour]))
    assert len(found.faces) == 24
    assert found.is_closed
    assert volume_integrals(found).volume == pytest.approx(12.0)


def test_an_open_surface_is_not_closed() -> None:
    assert not surface(solid("box")[1:]).is_closed
    assert not surface(np.zeros((0, 3, 3))).is_closed


def test_integrals_of_a_box_match_the_formulas() -> None:
    volume, centre, tensor = volume_integrals(surface(solid("box")))
    assert volume == pytest.approx(6.0)
    np.testing.assert_allclose(centre, (0.3, -0.2, 0.1), atol=1e-12)
    np.testing.assert_allclose(tensor, np.diag([6 * 13 / 12, 6 * 10 / 12, 6 * 5 / 12]), atol=1e-12)


@given(kinds, seeds)
def test_integrals_move_with_the_body(kind: str, seed: int) -> None:
    rng = np.random.default_rng(seed)
    T = homogeneous(quaternion_matrix(rng.normal(size=4)), rng.uniform(-100, 100, 3))
    body = surface(solid(kind))
    before, after = volume_integrals(body), volume_integrals(placed(body, T))
    R = T[:3, :3]
    assert after.volume == pytest.approx(before.volume, rel=1e-9)
    np.testing.assert_allclose(after.centre, R @ before.centre + T[:3, 3], atol=1e-9)
    np.testing.assert_allclose(after.tensor, R @ before.tensor @ R.T, atol=1e-9 * float(np.linalg.norm(before.tensor)))


@pytest.mark.parametrize("scale", [(1.0, 1.0, -1.0), (-2.0, 1.0, 1.0), (0.001, 0.001, 0.001)])
def test_a_mirrored_body_is_wound_outwards(scale: tuple[float, float, float]) -> None:
    body = surface(solid("ring"))
    volume = volume_integrals(placed(body, np.eye(4), scale)).volume
    assert volume == pytest.approx(volume_integrals(body).volume * abs(math.prod(scale)))


def test_joining_keeps_every_triangle() -> None:
    parts = [surface(solid(kind)) for kind in KINDS]
    assert len(joined(parts).faces) == sum(len(part.faces) for part in parts)
    assert len(joined([]).faces) == 0


@given(st.integers(0, 1000), st.floats(-10, 10))
def test_volume_integrals_are_those_of_trimesh(seed: int, far: float) -> None:
    points = np.random.default_rng(seed).normal(size=(12, 3)) + far
    hull = trimesh.convex.convex_hull(points)
    found = volume_integrals(surface(np.asarray(hull.triangles)))
    assert found.volume == pytest.approx(hull.volume, rel=1e-9)
    np.testing.assert_allclose(found.centre, hull.center_mass, rtol=0, atol=1e-9)
    np.testing.assert_allclose(found.tensor, hull.moment_inertia, rtol=0, atol=1e-6 * hull.volume)
