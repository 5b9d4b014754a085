"""Collision geometry contains the body and is as small as expected."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.grm.meshes.solids import solid

from swgrm import Box, Capsule, Cylinder, Sphere
from swgrm.errors import MissingExtra
from swgrm.meshes import simplifying
from swgrm.meshes.collision import FITTED, Collision, collision_shapes, hull, simplified
from swgrm.meshes.primitives import FITTERS, enclosing_circle, fit, volume
from swgrm.meshes.surface import Surface, surface, volume_integrals
from swgrm.transforms import homogeneous, inverse, quaternion_matrix

KINDS = ["box", "cylinder", "ball", "ring"]


def outside(shape: Box | Cylinder | Sphere | Capsule, points: np.ndarray) -> float:
    """The largest distance of a point outside a primitive; negative if all points are inside."""
    T = inverse(shape.origin.matrix)
    x, y, z = (points @ T[:3, :3].T + T[:3, 3]).T
    radial = np.hypot(x, y)
    if isinstance(shape, Box):
        return float(max(np.abs(v).max() - s / 2 for v, s in zip((x, y, z), shape.size, strict=True)))
    if isinstance(shape, Sphere):
        return float(np.sqrt(x**2 + y**2 + z**2).max() - shape.radius)
    if isinstance(shape, Cylinder):
        return float(max(radial.max() - shape.radius, np.abs(z).max() - shape.length / 2))
    beyond = np.maximum(np.abs(z) - shape.length / 2, 0)
    return float(np.hypot(radial, beyond).max() - shape.radius)


@given(st.sampled_from(sorted(FITTERS)), st.sampled_from(KINDS), st.integers(0, 1 << 20))
def test_a_fitted_primitive_contains_every_point(kind: str, body: str, seed: int) -> None:
    rng = np.random.default_rng(seed)
    T = homogeneous(quaternion_matrix(rng.normal(size=4)), rng.uniform(-2, 2, 3))
    points = solid(body).reshape(-1, 3) * rng.uniform(0.1, 3, 3) @ T[:3, :3].T + T[:3, 3]
    assert outside(fit(points, kind), points) <= 1e-9


@given(st.lists(st.tuples(*[st.floats(-1, 1)] * 3), min_size=1, max_size=6), st.sampled_from(sorted(FITTERS)))
def test_few_coplanar_or_equal_points_are_contained(points: list[tuple[float, ...]], kind: str) -> None:
    assert outside(fit(np.array(points), kind), np.array(points)) <= 1e-9


@pytest.mark.parametrize(("body", "best"), [("box", Box), ("cylinder", Cylinder), ("ball", Sphere)])
def test_the_best_primitive_has_the_shape_of_the_body_in_any_orientation(body: str, best: type) -> None:
    rng = np.random.default_rng(1)
    points = solid(body).reshape(-1, 3) @ quaternion_matrix(rng.normal(size=4)).T
    found = fit(points)
    assert isinstance(found, best | Capsule if best is Sphere else best)
    assert volume(found) <= volume_integrals(hull(surface(solid(body)))).volume * 1.12


@given(st.lists(st.tuples(st.floats(-1, 1), st.floats(-1, 1)), min_size=1, max_size=12))
def test_the_smallest_circle_contains_all_points_and_touches_two(points: list[tuple[float, float]]) -> None:
    x, y, radius = enclosing_circle(np.array(points))
    far = np.hypot(np.array(points)[:, 0] - x, np.array(points)[:, 1] - y)
    assert far.max() == pytest.approx(radius, abs=1e-12)
    assert len(points) < 2 or radius < 1e-9 or (far > radius * (1 - 1e-6)).sum() >= 2


@pytest.mark.parametrize("kind", KINDS)
def test_a_hull_is_closed_and_convex_and_contains_the_body(kind: str) -> None:
    body = surface(solid(kind))
    around = hull(body)
    assert around.is_closed
    assert volume_integrals(around).volume >= volume_integrals(body).volume * (1 - 1e-9)
    T = around.triangles
    normals = np.cross(T[:, 1] - T[:, 0], T[:, 2] - T[:, 0])
    heights = ((body.vertices[None] - T[:, :1]) * normals[:, None]).sum(axis=2)
    assert heights.max() <= 1e-9


def test_a_flat_body_is_its_own_hull() -> None:
    flat = surface(np.array([[[0, 0, 0], [1, 0, 0], [0, 1, 0]]], float))
    assert hull(flat) == flat


def test_simplification_reduces_triangles_and_keeps_the_volume() -> None:
    body = surface(solid("ring"))
    fewer = simplified(body, 60)
    assert len(fewer.faces) <= 60
    assert volume_integrals(fewer).volume == pytest.approx(volume_integrals(body).volume, rel=0.2)
    assert simplified(body, 10_000) is body


def test_the_library_that_simplifies_is_used_by_one_thread_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """It keeps the mesh in global variables, so that threads would exchange their bodies."""
    running: list[int] = []
    most: list[int] = []

    def simplify(points: Any, faces: Any, target_count: int) -> Any:
        running.append(target_count)
        time.sleep(0.02)
        most.append(len(running))
        running.pop()
        return points, faces

    monkeypatch.setattr(simplifying, "import_module", lambda _: SimpleNamespace(simplify=simplify))
    body = surface(solid("ring"))
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda _: simplified(body, 60), range(8)))
    assert most == [1] * 8


def test_a_convex_decomposition_is_closer_to_the_body_than_its_hull() -> None:
    body = surface(solid("ring"))
    parts = collision_shapes(body, Collision.DECOMPOSE, 0)
    assert len(parts) > 1
    total = sum(volume_integrals(part).volume for part in parts if isinstance(part, Surface))
    assert total < 0.95 * volume_integrals(hull(body)).volume


@pytest.mark.parametrize("how", Collision)
def test_every_collision_type_makes_geometry(how: Collision) -> None:
    shapes = collision_shapes(surface(solid("box")), how, 100)
    assert bool(shapes) == (how is not Collision.NONE)
    assert all(isinstance(each, Surface) != (how in FITTED) for each in shapes)


def test_a_missing_library_is_an_error_that_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("swgrm.meshes.collision.is_installed", lambda: False)
    with pytest.raises(MissingExtra, match=r'pip install "swgrm\[meshes\]"'):
        collision_shapes(surface(solid("ball")), Collision.SIMPLIFY, 10)
