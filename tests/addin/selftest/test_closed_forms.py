"""The truth about the self-test's parts agrees with integrals over their volumes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from swgrm_addin.selftest.assemblies import ASSEMBLIES
from swgrm_addin.selftest.judge.closed_forms import SOLIDS, mass_truth
from swgrm_addin.selftest.parts import (
    DENSITY,
    PARTS,
    Ball,
    Brick,
    Cone,
    Disc,
    Hole,
    SetCentre,
    SetMass,
    SetMoments,
    SlotCut,
)

CELL = 0.0005  # [m]


def inside(feature: object, x: Any, y: Any, z: Any) -> Any:
    """Which points are inside a feature; the mirror of the tables' definitions, not of the closed forms."""
    match feature:
        case Brick():
            within = (feature.x1 < x) & (x < feature.x2) & (feature.y1 < y) & (y < feature.y2)
            return within & (feature.start < z) & (z < feature.start + feature.height)
        case Disc():
            within = (x - feature.x) ** 2 + (y - feature.y) ** 2 < feature.radius**2
            return within & (feature.start < z) & (z < feature.start + feature.height)
        case Hole():
            return (x - feature.x) ** 2 + (y - feature.y) ** 2 < feature.radius**2
        case SlotCut():
            nearest = np.clip(x, feature.x1, feature.x2)
            return (x - nearest) ** 2 + (y - feature.y1) ** 2 < (feature.width / 2) ** 2
        case Ball():
            return x**2 + y**2 + z**2 < feature.radius**2
        case Cone():
            return (y > 0) & (np.hypot(x, z) < feature.radius * (1 - y / feature.height))
    raise TypeError(feature)


GIVEN = (SetCentre, SetMoments)
CALCULATED = [name for name, features in PARTS.items() if not any(isinstance(each, GIVEN) for each in features)]


@pytest.mark.parametrize("part", CALCULATED)
def test_closed_forms_agree_with_sums_over_cells(part: str) -> None:
    axis = np.arange(-0.0602, 0.1202, 2 * CELL)
    x, y, z = np.meshgrid(axis[axis < 0.0602], axis[axis < 0.0602], axis, indexing="ij")
    solid = np.zeros(x.shape, bool)
    for feature in PARTS[part]:
        if type(feature) in SOLIDS:
            held = inside(feature, x, y, z)
            solid = solid & ~held if isinstance(feature, Hole | SlotCut) else solid | held
    points = np.stack([x[solid], y[solid], z[solid]])
    volume = solid.sum() * (2 * CELL) ** 3
    truth = mass_truth(part)
    assert volume == pytest.approx(truth.volume, rel=0.04)
    centre = points.mean(axis=1)
    assert centre == pytest.approx(truth.centre, abs=2 * CELL)
    d = points - centre[:, None]
    spread = truth.mass * (d @ d.T) / solid.sum()
    tensor = np.trace(spread) * np.eye(3) - spread
    assert np.abs(tensor - truth.tensor).max() < 0.04 * np.abs(truth.tensor).max()


def test_a_mass_that_was_set_scales_the_tensor() -> None:
    free, given = mass_truth("plate"), mass_truth("weight")
    assert free.mass == pytest.approx(DENSITY * free.volume)
    (override,) = [each for each in PARTS["weight"] if isinstance(each, SetMass)]
    assert given.mass == override.mass != DENSITY * given.volume


def test_a_centre_and_moments_that_were_set_are_the_truth() -> None:
    calculated = mass_truth("weight").tensor * DENSITY * mass_truth("weight").volume / mass_truth("weight").mass
    (centre,) = [each for each in PARTS["offcentre"] if isinstance(each, SetCentre)]
    (moments,) = [each for each in PARTS["stiff"] if isinstance(each, SetMoments)]
    assert tuple(mass_truth("offcentre").centre) == tuple(centre)
    assert mass_truth("offcentre").tensor == pytest.approx(calculated)
    tensor = mass_truth("stiff").tensor
    assert tensor == pytest.approx(tensor.T)
    assert (tensor[0, 0], tensor[1, 2]) == (moments.xx, moments.yz)
    assert tensor != pytest.approx(calculated)
    assert min(np.linalg.eigvalsh(tensor)) > 0


def test_the_block_has_products_of_inertia() -> None:
    """Otherwise a wrong sign of them would not be found."""
    tensor = mass_truth("block").tensor
    assert min(abs(tensor[0, 1]), abs(tensor[0, 2]), abs(tensor[1, 2])) > 1e-3 * tensor.max()


def test_the_tables_are_consistent() -> None:
    files = {spec.file for spec in ASSEMBLIES}
    ids = [spec.id for spec in ASSEMBLIES]
    assert len(set(ids)) == len(ids) > 40
    for spec in ASSEMBLIES:
        names = {component.name for component in spec.components}
        assert all(component.file in PARTS or component.file in files for component in spec.components), spec.id
        assert spec.components[0].fixed, f"{spec.id} has no base"
        for mate in (*spec.mates, *(drive.mate for drive in spec.drives if drive.mate)):
            assert {entity.component.partition("/")[0] for picked in mate.picked for entity in picked.entities} <= names
        assert {name.split("/")[0] for name in (*spec.truth, *spec.limits)} <= names
        assert {each.component for each in spec.positions} <= names | set(spec.instances)
        assert not spec.conventions or spec.drives or spec.trials, f"{spec.id} cannot show a convention"
