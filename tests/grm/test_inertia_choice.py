"""Of the tensors that SolidWorks returned, the one that agrees with the mesh is used, and a finding states both."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from tests.grm.meshes.solids import solid
from tests.grm.test_mass import KINDS, placement, properties
from tests.lookups import present

from swgrm.capture import Face, MassProperties, PartBody, PartShape
from swgrm.findings import Findings
from swgrm.mass.inertia import tensor_matrix
from swgrm.mass.inertia_choice import LEGACY, NEGATED, NINE, chosen_tensor
from swgrm.meshes.agreement import report_box
from swgrm.meshes.surface import Integrals, surface, volume_integrals

DENSITY = 2700.0


def part(kind: str, T: np.ndarray) -> tuple[PartShape, Integrals]:
    """A part that is read through a component at T, also by the older interface, and the integrals of its mesh."""
    triangles = solid(kind)
    newer, older = properties(triangles, DENSITY, T), properties(triangles, DENSITY, np.eye(4))
    shape = PartShape("C:\\part.SLDPRT", "Default", "", "part-1", newer, legacy_mass=older)
    return shape, volume_integrals(surface(triangles))


def turned(mass: MassProperties) -> MassProperties:
    """Mass properties whose principal moments belong to other axes, and which are not those of any mesh here."""
    one, two, three = present(mass.principal_moments)
    return replace(mass, principal_moments=(three, one, 3 * two))


def without_moments(mass: MassProperties) -> MassProperties:
    return replace(mass, moments=(1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0))


def expected(integrals: Integrals) -> np.ndarray:
    return integrals.tensor * DENSITY


@given(st.sampled_from(KINDS), st.integers(0, 10**6), st.sampled_from(["nothing", "axes", "sign", "legacy"]))
def test_the_tensor_is_that_of_the_mesh_whatever_is_wrong(kind: str, seed: int, wrong: str) -> None:
    T = placement(seed)
    shape, integrals = part(kind, T)
    mass = present(shape.mass)
    nine = np.asarray(mass.moments).reshape(3, 3)
    flipped = tuple((2 * np.diag(np.diag(nine)) - nine).ravel().tolist())
    spoiled = {
        "nothing": mass,
        "axes": turned(mass),
        "sign": replace(turned(mass), moments=flipped),
        "legacy": without_moments(turned(mass)),
    }[wrong]
    older = None if wrong == "sign" else shape.legacy_mass if wrong == "legacy" else present(shape.legacy_mass)
    findings = Findings()
    found = present(chosen_tensor(replace(shape, mass=spoiled, legacy_mass=older), T, integrals, "part", findings))
    assert tensor_matrix(found) == pytest.approx(expected(integrals), rel=0.06, abs=0.06 * expected(integrals).max())
    assert [finding.code for finding in findings] == [] if wrong == "nothing" else ["inertia-chosen"]


@pytest.mark.parametrize(
    ("older", "spoil", "source"),
    [(True, turned, LEGACY), (False, turned, NINE), (True, lambda m: without_moments(turned(m)), LEGACY)],
)
def test_a_finding_names_the_source_and_both_tensors(older: bool, spoil: object, source: str) -> None:
    shape, integrals = part("ring", np.eye(4))
    spoiled = spoil(present(shape.mass))  # type: ignore[operator] # one of the functions above
    shape = replace(shape, mass=spoiled, legacy_mass=shape.legacy_mass if older else None)
    findings = Findings()
    chosen_tensor(shape, np.eye(4), integrals, "part ring", findings)
    (finding,) = findings
    assert f"from {source} is used, because it is that of the mesh" in finding.message
    assert "that from the principal moments of IMassProperty2 is (" in finding.message
    assert NEGATED not in finding.message


def test_moments_entered_by_hand_come_from_the_older_interface() -> None:
    shape, integrals = part("box", np.eye(4))
    by_hand = replace(present(shape.legacy_mass), principal_moments=(7.0, 8.0, 9.0), moments_overridden=True)
    newer = replace(present(shape.mass), principal_moments=(9.0, 7.0, 8.0), moments_overridden=True)
    findings = Findings()
    shape = replace(shape, mass=newer, legacy_mass=by_hand)
    found = present(chosen_tensor(shape, np.eye(4), integrals, "part", findings))
    assert sorted(np.linalg.eigvalsh(tensor_matrix(found))) == pytest.approx([7, 8, 9])
    A = np.asarray(by_hand.principal_axes).reshape(3, 3)
    assert A @ tensor_matrix(found) @ A.T == pytest.approx(np.diag([7.0, 8.0, 9.0]), abs=1e-9)
    assert [finding.code for finding in findings] == ["inertia-chosen"]


def test_without_the_newer_interface_the_older_one_weighs_the_part() -> None:
    shape, integrals = part("box", placement(3))
    findings = Findings()
    found = present(chosen_tensor(replace(shape, mass=None), placement(3), integrals, "part", findings))
    assert found.mass == pytest.approx(DENSITY * integrals.volume)
    assert found.origin == pytest.approx(integrals.centre)
    assert [finding.code for finding in findings] == ["mass-from-document"]


def test_a_box_that_does_not_fit_the_triangles_is_a_finding_with_both() -> None:
    triangles = solid("box")
    low, high = triangles.reshape(-1, 3).min(axis=0), triangles.reshape(-1, 3).max(axis=0)
    size = float(np.linalg.norm(high - low))
    for shift, codes in ((0.0, []), (0.2 * size, []), (0.5 * size, ["mesh-box"])):
        box = (*low.tolist(), *(high + np.array([shift, 0, 0])).tolist())
        body = PartBody("Boss1", 0, box, faces=(Face(len(triangles)),))
        shape = PartShape("C:\\part.SLDPRT", "", bodies=(body,), triangles=triangles.astype("<f4").tobytes())
        findings = Findings()
        report_box(shape, "part", findings)
        assert [finding.code for finding in findings] == codes
