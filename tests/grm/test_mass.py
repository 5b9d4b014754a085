"""Mass: from principal moments, through any placement, combined, overridden, and checked against the mesh."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from tests.grm.meshes.solids import solid
from tests.lookups import present

from swgrm import Entity, EntityKind, Frame, Inertial, Link, Pose, Robot, Severity
from swgrm.capture import Capture, CaptureSource, Component, Document, Face, MassProperties, PartBody, PartShape
from swgrm.errors import SettingsError
from swgrm.findings import Finding, Findings, Result
from swgrm.mass.inertia import combine, moved, tensor_matrix
from swgrm.mass.inertia_choice import part_inertial
from swgrm.mass.links import MassOptions, MassOverride, WeighedParts
from swgrm.mass.links import weigh as weigh_into
from swgrm.meshes.surface import joined, placed, surface, volume_integrals
from swgrm.transforms import homogeneous, quaternion_matrix

NOTHING: Mapping[str, object] = {}
KINDS = ["box", "cylinder", "ball", "ring"]


def placement(seed: int) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return homogeneous(quaternion_matrix(rng.normal(size=4)), rng.uniform(-2, 2, 3))


def row_transform(T: np.ndarray) -> tuple[float, ...]:
    return (*T[:3, :3].T.ravel().tolist(), *T[:3, 3].tolist(), 1.0, 0.0, 0.0, 0.0)


def properties(triangles: np.ndarray, density: float, T: np.ndarray, **overrides: object) -> MassProperties:
    """Mass properties as SolidWorks returns them: root space, principal axes as rows in any order and handedness."""
    volume, centre, tensor = volume_integrals(placed(surface(triangles), T))
    moments, axes = np.linalg.eigh(tensor * density)
    made = MassProperties(
        mass=volume * density,
        volume=volume,
        surface_area=1.0,
        density=density,
        center_of_mass=tuple(centre.tolist()),
        principal_moments=tuple(moments.tolist()),
        principal_axes=tuple((-axes.T).ravel().tolist()),
        moments=tuple((tensor * density).ravel().tolist()),
    )
    return replace(made, **overrides)


def capture(
    kind: str = "ring",
    *,
    density: float = 2700.0,
    seed: int = 1,
    material: str = "1060",
    envelope: bool = False,
    mass: Mapping[str, object] = NOTHING,
) -> Capture:
    """An assembly with one part in two instances; `mass` replaces fields of its mass properties."""
    triangles, T = solid(kind).astype("<f4").astype(float), placement(seed)
    weighed = properties(triangles, density, T, **mass)
    path = r"C:\parts\ring.SLDPRT"
    instances = tuple(
        Component(
            f"ring-{n}",
            path,
            "Default",
            n,
            b"",
            3,
            visible,
            -1,
            row_transform(T if n == 1 else placement(n)),
            envelope=envelope,
        )
        for n, visible in ((1, 1), (2, 0))
    )
    body = PartBody("b", 0, faces=(Face(len(triangles)),))
    return Capture(
        1,
        CaptureSource("a.sldasm", "a", "Default", 2, "34.0.0", 4, True),
        instances,
        (Document(path, "Default", 1, "Default", material=material),),
        (PartShape(path, "Default", "", "ring-1", weighed, (body,), triangles.astype("<f4").tobytes()),),
    )


def robot() -> Robot:
    def frame(name: str) -> Frame:
        return Frame(id=name, parent="base", entity=Entity(EntityKind.COMPONENT, name), links=(Link(name=name),))

    return Robot(name="r", frames=(Frame(id="base"), frame("ring-1"), frame("ring-2")))


def inertial(weighed: Robot, name: str = "ring-1") -> Inertial:
    found = weighed.frame(name).links[0].inertial
    assert found is not None
    return found


def weigh(given: Robot, assembly: Capture, options: MassOptions | None = None) -> Result[Robot]:
    findings = Findings()
    return Result(weigh_into(given, assembly, options, findings), tuple(findings))


def codes(findings: tuple[Finding, ...]) -> list[str]:
    return [finding.code for finding in findings]


@given(st.sampled_from(KINDS), st.integers(0, 1 << 20))
def test_root_space_principal_axes_become_the_parts_own_tensor(kind: str, seed: int) -> None:
    T = placement(seed)
    found = part_inertial(properties(solid(kind), 1000.0, T), T)
    expected = volume_integrals(surface(solid(kind)))
    assert found.mass == pytest.approx(expected.volume * 1000)
    np.testing.assert_allclose(found.origin, expected.centre, atol=1e-9)
    scale = float(np.linalg.norm(expected.tensor)) * 1000
    np.testing.assert_allclose(tensor_matrix(found), expected.tensor * 1000, atol=1e-9 * scale)


def test_three_parts_of_different_densities_rotated_and_mirrored_weigh_as_their_merged_mesh() -> None:
    mirror = (1.0, -1.0, 1.0)
    bodies, surfaces, densities = [], [], (2700.0, 7800.0, 1100.0)
    for number, (kind, density) in enumerate(zip(("ring", "box", "cylinder"), densities, strict=True)):
        part = surface(solid(kind, 0.1))
        if number == 1:
            part = placed(part, np.eye(4), mirror)
        T_root_part, T_link_part = placement(number), placement(number + 10)
        bodies.append(moved(part_inertial(properties(part.triangles, density, T_root_part), T_root_part), T_link_part))
        surfaces.append(placed(part, T_link_part))
    combined = combine(bodies)
    each = [volume_integrals(part) for part in surfaces]
    mass = sum(i.volume * d for i, d in zip(each, densities, strict=True))
    # The integral over the merged mesh with each triangle's tetrahedron weighed by its density.
    merged = joined(surfaces)
    weight = np.repeat(densities, [len(part.faces) for part in surfaces])
    first, second = _tetrahedra(merged.triangles, weight)
    centre = first / mass
    about = second - mass * np.outer(centre, centre)
    tensor = np.trace(about) * np.eye(3) - about
    assert combined.mass == pytest.approx(mass, rel=1e-6)
    np.testing.assert_allclose(combined.origin, centre, atol=1e-6)
    np.testing.assert_allclose(tensor_matrix(combined), tensor, atol=1e-6 * float(np.linalg.norm(tensor)))


def _tetrahedra(triangles: np.ndarray, weight: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """∫ρx dV and ∫ρ x xᵀ dV as sums over the tetrahedra of the origin and each triangle, by their closed formulas."""
    volumes = np.linalg.det(triangles) / 6 * weight
    sums = triangles.sum(axis=1)
    first = (volumes[:, None] * sums / 4).sum(axis=0)
    squares = np.einsum("nik,nil->nkl", triangles, triangles) + np.einsum("nk,nl->nkl", sums, sums)
    return first, (volumes[:, None, None] * squares / 20).sum(axis=0)


@pytest.mark.trap("R39")
def test_every_instance_weighs_the_hidden_one_too() -> None:
    weighed = weigh(robot(), capture())
    assert inertial(weighed.value, "ring-2") == inertial(weighed.value, "ring-1")
    assert weighed.findings == ()


def test_an_envelope_weighs_nothing() -> None:
    weighed = weigh(robot(), capture(envelope=True))
    assert all(link.inertial is None for _, link in weighed.value.links())


def test_a_part_without_a_material_has_the_default_density_and_one_finding() -> None:
    assert codes(weigh(robot(), capture(density=1000.0, material="")).findings) == ["density-default"]
    assert codes(weigh(robot(), capture(density=1000.0)).findings) == []


def test_an_overridden_mass_is_used_and_scales_the_moments() -> None:
    plain = inertial(weigh(robot(), capture()).value)
    overridden = weigh(robot(), capture(mass={"mass": 2 * plain.mass, "mass_overridden": True}))
    heavy = inertial(overridden.value)
    assert heavy.mass == pytest.approx(2 * plain.mass)
    np.testing.assert_allclose(tensor_matrix(heavy), 2 * tensor_matrix(plain), rtol=1e-4, atol=1e-9)
    assert [(f.code, f.severity) for f in overridden.findings] == [("mass-overridden", Severity.NOTE)]


def test_an_overridden_centre_and_tensor_are_used_without_findings() -> None:
    given = {"center_of_mass": (9.0, 9.0, 9.0), "center_of_mass_overridden": True}
    given |= {"principal_moments": (1.0, 2.0, 2.5), "moments_overridden": True}
    weighed = weigh(robot(), capture(mass=given))
    found = inertial(weighed.value)
    np.testing.assert_allclose(np.linalg.eigvalsh(tensor_matrix(found)), (1.0, 2.0, 2.5), atol=1e-9)
    expected = np.linalg.inv(placement(1)) @ (9.0, 9.0, 9.0, 1.0)
    np.testing.assert_allclose(found.origin, expected[:3], atol=1e-9)
    assert codes(weighed.findings) == ["mass-overridden"]


@pytest.mark.parametrize(
    ("wrong", "code"),
    [
        ({"mass": 1.0}, "mesh-mass"),
        ({"center_of_mass": (0.0, 0.0, 9.0)}, "mesh-centre"),
        (
            {"principal_moments": (1.0, 2.0, 2.5), "moments": (1.0, 0.0, 0.0, 0.0, 2.0, 0.0, 0.0, 0.0, 2.5)},
            "mesh-tensor",
        ),
    ],
)
def test_what_does_not_fit_the_mesh_is_a_finding_with_both_figures(wrong: dict[str, object], code: str) -> None:
    findings = weigh(robot(), capture(mass=wrong)).findings
    assert code in codes(findings)
    assert all(finding.severity is Severity.WARNING and "the mesh" in finding.message for finding in findings)


def test_parts_that_were_weighed_before_are_not_weighed_again(monkeypatch: pytest.MonkeyPatch) -> None:
    assembly = capture(mass={"mass": 1.0})
    weighed: WeighedParts = {}
    first, again = Findings(), Findings()
    before = weigh_into(robot(), assembly, None, first, weighed)
    monkeypatch.delattr("swgrm.mass.links.solid")
    assert weigh_into(robot(), assembly, None, again, weighed) == before
    assert tuple(again) == tuple(first)
    assert "mesh-mass" in codes(tuple(first))
    heavier = MassOptions(parts={"ring-1": MassOverride(mass=3.0)})
    assert inertial(weigh_into(robot(), assembly, heavier, Findings(), weighed)).mass == 3.0


def test_settings_override_mass_or_density_by_component_or_file() -> None:
    plain = inertial(weigh(robot(), capture()).value)
    by_file = weigh(robot(), capture(), MassOptions({"ring": MassOverride(density=5400.0)}))
    assert inertial(by_file.value, "ring-2").mass == pytest.approx(2 * plain.mass)
    by_name = weigh(robot(), capture(), MassOptions({"ring-1": MassOverride(mass=5.0)}))
    assert inertial(by_name.value).mass == pytest.approx(5.0)
    assert inertial(by_name.value, "ring-2") == plain
    np.testing.assert_allclose(
        tensor_matrix(inertial(by_name.value)), tensor_matrix(plain) * 5 / plain.mass, rtol=1e-12, atol=1e-15
    )


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"rnig": MassOverride(mass=1.0)}, "There is no component or part `rnig`"),
        ({"ring": MassOverride()}, "either a mass or a density"),
        ({"ring": MassOverride(mass=1.0, density=1.0)}, "either a mass or a density"),
    ],
)
def test_wrong_settings_are_errors_with_whole_sentences(options: dict[str, MassOverride], message: str) -> None:
    with pytest.raises(SettingsError, match=message):
        weigh(robot(), capture(), MassOptions(options))


def test_a_part_without_mass_is_found() -> None:
    given = capture()
    bare = replace(given, shapes=(replace(given.shapes[0], mass=None),))
    assert codes(weigh(robot(), bare).findings) == ["mass-unknown", "mass-unknown"]


def test_a_sub_assembly_whose_mass_is_overridden_weighs_as_a_whole() -> None:
    given = capture()
    mass = replace(present(given.shapes[0].mass), mass=50.0, mass_overridden=True)
    part = replace(given.components[0], name="sub-1/ring-1")
    sub = replace(part, name="sub-1", path="sub.sldasm", solving=0, transform=row_transform(np.eye(4)))
    whole = PartShape("sub.sldasm", "Default", "", "", mass)
    assembled = replace(given, components=(sub, part), shapes=(*given.shapes, whole))
    frames = (
        Frame(id="sub-1", entity=Entity(EntityKind.COMPONENT, "sub-1")),
        Frame(
            id="r",
            parent="sub-1",
            transform=Pose(),
            entity=Entity(EntityKind.COMPONENT, "sub-1/ring-1"),
            links=(Link(name="ring"),),
        ),
    )
    weighed = weigh(Robot(name="r", frames=frames), assembled).value
    assert [link.inertial.mass for _, link in weighed.links() if link.inertial] == [50.0]
