"""The solids that the mock models: closed meshes, and mass properties in closed form."""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import trimesh
from hypothesis import given, settings
from hypothesis import strategies as st
from tests import modeller as m
from tests.lookups import present
from tests.modeller import Modeller

from swgrm.capture import MassProperties
from swgrm_addin.reader import Request, read
from swgrm_mocks.builder import pose
from swgrm_mocks.modelling.extrusions import Extrusion, build
from swgrm_mocks.modelling.profiles import ProfileSegment, arc, circle, loops, rectangle, slot
from swgrm_mocks.modelling.revolutions import revolve
from swgrm_mocks.modelling.solid_faces import ModelSolid, NotModelled

DENSITY = 1000.0
AXIS = ProfileSegment((0.0, 0.0), (0.0, 1.0))
SIZES = st.floats(0.01, 0.2)


def weighed(solid: ModelSolid) -> MassProperties:
    return solid.mass_properties(DENSITY, np.eye(4))


def check_mesh(solid: ModelSolid, tolerance: float = 5e-3) -> None:
    """The mesh is closed, faces outward, and has nearly the volume and area."""
    corners = solid.triangles().reshape(-1, 3)
    mesh = trimesh.Trimesh(corners, np.arange(len(corners)).reshape(-1, 3))
    mesh.merge_vertices()
    assert mesh.is_watertight
    assert mesh.is_winding_consistent
    assert mesh.volume == pytest.approx(solid.exact.volume, rel=tolerance)
    assert mesh.area == pytest.approx(sum(face.area for face in solid.faces), rel=tolerance)


def extruded(*segments: ProfileSegment, height: float) -> ModelSolid:
    return build([Extrusion(tuple(loops(segments)), 0.0, height)], np.eye(4))


@given(SIZES, SIZES, SIZES)
@settings(max_examples=20, deadline=None)
def test_a_box_has_the_mass_of_a_box(x: float, y: float, z: float) -> None:
    solid = extruded(*rectangle(-x / 2, -y / 2, x / 2, y / 2), height=z)
    found, mass = weighed(solid), DENSITY * x * y * z
    assert found.mass == pytest.approx(mass, rel=1e-12)
    assert found.center_of_mass == pytest.approx((0, 0, z / 2), abs=1e-12)
    expected = sorted(mass / 12 * (a * a + b * b) for a, b in ((y, z), (x, z), (x, y)))
    assert sorted(present(found.principal_moments)) == pytest.approx(expected, rel=1e-9)
    assert found.surface_area == pytest.approx(2 * (x * y + y * z + x * z), rel=1e-12)
    check_mesh(solid, 1e-5)


@given(SIZES, SIZES)
@settings(max_examples=20, deadline=None)
def test_a_cylinder_has_the_mass_of_a_cylinder(r: float, h: float) -> None:
    solid = build([Extrusion((circle(0.0, 0.0, r),), 0.0, h)], np.eye(4))
    found, mass = weighed(solid), DENSITY * math.pi * r * r * h
    assert found.mass == pytest.approx(mass, rel=1e-12)
    across = mass / 12 * (3 * r * r + h * h)
    assert sorted(present(found.principal_moments)) == pytest.approx(
        sorted((across, across, mass * r * r / 2)), rel=1e-9
    )
    check_mesh(solid)


@given(SIZES)
@settings(max_examples=10, deadline=None)
def test_a_ball_has_the_mass_of_a_ball(r: float) -> None:
    half = [arc((0.0, 0.0), (0.0, -r), (0.0, r), 1), ProfileSegment((0.0, r), (0.0, -r))]
    solid = revolve(half, AXIS, np.eye(4))
    found, mass = weighed(solid), DENSITY * 4 / 3 * math.pi * r**3
    assert found.mass == pytest.approx(mass, rel=1e-12)
    assert found.principal_moments == pytest.approx([0.4 * mass * r * r] * 3, rel=1e-9)
    assert found.surface_area == pytest.approx(4 * math.pi * r * r, rel=1e-12)
    check_mesh(solid)


@given(SIZES, SIZES)
@settings(max_examples=10, deadline=None)
def test_a_cone_has_the_mass_of_a_cone(r: float, h: float) -> None:
    corners = [(0.0, 0.0), (r, 0.0), (0.0, h)]
    sides = [ProfileSegment(a, b) for a, b in zip(corners, corners[1:] + corners[:1], strict=True)]
    solid = revolve(sides, AXIS, np.eye(4))
    found, mass = weighed(solid), DENSITY * math.pi * r * r * h / 3
    assert found.mass == pytest.approx(mass, rel=1e-12)
    assert found.center_of_mass == pytest.approx((0, h / 4, 0), abs=1e-12)
    across = mass * (3 / 20 * r * r + 3 / 80 * h * h)
    assert sorted(present(found.principal_moments)) == pytest.approx(
        sorted((across, across, 0.3 * mass * r * r)), rel=1e-9
    )
    check_mesh(solid)
    assert {face.surface.type for face in solid.faces} == {3, 7}


def test_a_slot_has_the_area_of_a_rectangle_and_a_circle() -> None:
    outline = rectangle(-0.05, -0.03, 0.05, 0.03)
    cut = Extrusion(tuple(loops(slot(-0.02, 0.0, 0.02, 0.0, 0.01))), -math.inf, math.inf, is_cut=True)
    solid = build([Extrusion(tuple(loops(outline)), 0.0, 0.01), cut], np.eye(4))
    area = 0.1 * 0.06 - 0.04 * 0.01 - math.pi * 0.005**2
    assert weighed(solid).volume == pytest.approx(area * 0.01, rel=1e-12)
    check_mesh(solid, 1e-4)


def test_a_profile_of_lines_and_an_arc_is_a_shaft_with_a_flat() -> None:
    r, flat = 0.01, 0.008
    side = math.sqrt(r * r - flat * flat)
    solid = extruded(
        arc((0.0, 0.0), (flat, side), (flat, -side), 1), ProfileSegment((flat, -side), (flat, side)), height=0.06
    )
    segment = r * r * math.acos(flat / r) - flat * side
    assert weighed(solid).volume == pytest.approx(0.06 * (math.pi * r * r - segment), rel=1e-12)
    check_mesh(solid)


@pytest.mark.parametrize("touches", [0.0, 0.005])
def test_a_boss_on_a_plate_adds_its_own_volume(touches: float) -> None:
    plate, boss = loops(rectangle(-0.05, -0.04, 0.05, 0.04)), loops(rectangle(0.0, 0.0, 0.05 - touches, 0.02))
    hole = Extrusion((circle(-0.02, 0.0, 0.01),), -math.inf, math.inf, is_cut=True)
    solid = build([Extrusion(tuple(plate), 0.0, 0.02), Extrusion(tuple(boss), 0.0, 0.05), hole], np.eye(4))
    volume = 0.1 * 0.08 * 0.02 + (0.05 - touches) * 0.02 * 0.03 - math.pi * 0.01**2 * 0.02
    assert weighed(solid).volume == pytest.approx(volume, rel=1e-12)
    check_mesh(solid, 1e-4)


def test_a_boss_that_touches_the_outline_of_what_it_is_on_is_closed() -> None:
    disc, bar = circle(0.0, 0.0, 0.01), loops(rectangle(-0.01, -0.01, 0.05, 0.01))
    check_mesh(build([Extrusion((disc,), 0.0, 0.06), Extrusion(tuple(bar), 0.06, 0.07)], np.eye(4)))


@given(st.integers(0, 2**32 - 1))
@settings(max_examples=10, deadline=None)
def test_mass_properties_move_with_the_part(seed: int) -> None:
    rng = np.random.default_rng(seed)
    T = pose(*rng.uniform(-1, 1, 3), *rng.uniform(-180, 180, 3))
    solid = extruded(*rectangle(0.0, 0.0, 0.1, 0.05), height=0.03)
    here, there = weighed(solid), solid.mass_properties(DENSITY, T)
    assert there.mass == pytest.approx(here.mass, rel=1e-12)
    assert there.principal_moments == pytest.approx(here.principal_moments, rel=1e-6)
    assert there.center_of_mass == pytest.approx(T[:3, :3] @ here.center_of_mass + T[:3, 3], abs=1e-12)


def crossing() -> list[Extrusion]:
    one, other = loops(rectangle(0.0, 0.0, 0.1, 0.1)), loops(rectangle(0.05, 0.05, 0.2, 0.2))
    return [Extrusion(tuple(one), 0.0, 0.1), Extrusion(tuple(other), 0.0, 0.1)]


def test_crossing_outlines_are_not_modelled() -> None:
    with pytest.raises(NotModelled, match="crosses"):
        build(crossing(), np.eye(4))


def profile(*corners: tuple[float, float]) -> list[ProfileSegment]:
    return [ProfileSegment(a, b) for a, b in pairwise(corners)]


@pytest.mark.parametrize(
    ("sides", "why"),
    [
        (profile((0.0, 0.0), (0.1, 0.0), (0.1, 0.1)), "open"),
        (profile((-0.1, 0.0), (0.1, 0.0), (0.1, 0.1), (-0.1, 0.0)), "crosses the axis"),
        ([arc((0.1, 0.0), (0.12, 0.0), (0.12, 0.0), 1)], "torus"),
    ],
)
def test_profiles_that_are_not_modelled(sides: list[ProfileSegment], why: str) -> None:
    with pytest.raises(NotModelled, match=why):
        revolve(sides, AXIS, np.eye(4))


PLANES = {0: (0.0, 0.0, 0.05), 1: (0.0, 0.05, 0.0), 2: (0.05, 0.0, 0.0)}


@pytest.mark.parametrize("plane", PLANES)
def test_an_extrusion_goes_along_the_normal_of_its_plane(tmp_path: Path, plane: int) -> None:
    modeller = Modeller.of_mock(tmp_path)
    part = modeller.new(m.PART)
    m.sketch(part, lambda manager: m.rectangle(manager, -0.01, -0.02, 0.01, 0.02), plane)
    assert m.extrude(part, 0.1)
    assert part.Extension.CreateMassProperty2().CenterOfMass == pytest.approx(PLANES[plane], abs=1e-12)
    m.sketch(part, lambda manager: m.rectangle(manager, -0.01, -0.02, 0.01, 0.02), plane)
    assert m.extrude(part, 0.1, reverse=True)
    assert part.Extension.CreateMassProperty2().CenterOfMass == pytest.approx((0, 0, 0), abs=1e-12)


def drawn(document: Any) -> Any:
    """The part, with a circle drawn."""
    m.sketch(document, lambda manager: manager.CreateCircleByRadius(0.0, 0.0, 0.0, 0.01))
    return document


def blocked(document: Any) -> Any:
    """The part, with a cube."""
    m.box(0.1, 0.1, 0.1)(document)
    return document


FAILING: dict[str, Callable[[Any], Any]] = {
    "cut without a body": lambda part: m.cut(drawn(part)),
    "extrusion without a sketch": lambda part: m.extrude(part, 0.1),
    "extrusion of no depth": lambda part: m.extrude(drawn(part), 0.0),
    "cut that misses": lambda part: m.cut(drawn(blocked(part)), single=True),
    "half a revolution": lambda part: m.revolve(drawn(part), math.pi),
    "folder in a part": lambda part: part.FeatureManager.InsertFeatureTreeFolder2(2),
    "plane without a selection": lambda part: part.FeatureManager.InsertRefPlane(8, 0.1, 0, 0.0, 0, 0.0),
    "coordinate system without a vertex": lambda part: part.FeatureManager.InsertCoordinateSystem(False, False, False),
}


@pytest.mark.parametrize("name", FAILING)
def test_a_feature_that_cannot_be_made_is_nothing(tmp_path: Path, name: str) -> None:
    assert FAILING[name](Modeller.of_mock(tmp_path).new(m.PART)) is None


def test_a_cut_goes_against_the_normal_unless_it_is_reversed(tmp_path: Path) -> None:
    part = Modeller.of_mock(tmp_path).new(m.PART)
    m.box(0.1, 0.1, 0.1)(part)
    drawn(part)
    assert m.cut(part, single=True, end=0, depth=0.02, reverse=True)
    assert part.Extension.CreateMassProperty2().Volume == pytest.approx(0.1**3 - math.pi * 0.01**2 * 0.02, rel=1e-12)


def test_a_modelled_part_is_read_with_its_exact_mass_and_no_findings(tmp_path: Path) -> None:
    modeller = Modeller.of_mock(tmp_path)
    modeller.part("plate", m.box(0.1, 0.08, 0.02), m.hole(0.01))
    capture, findings = read(modeller.application, Request())
    (shape,) = capture.shapes
    assert list(findings) == []
    assert shape.mass is not None
    assert shape.mass.mass == pytest.approx(1000 * (0.1 * 0.08 * 0.02 - math.pi * 0.01**2 * 0.02), rel=1e-12)
    assert len(shape.bodies[0].faces) == 7
