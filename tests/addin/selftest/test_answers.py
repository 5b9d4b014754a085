"""The self-test finds out what a SolidWorks with other habits does, in mass, meshes, cuts and states."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.addin.selftest.mock_runs import World

from swgrm.transforms import Array
from swgrm_addin.selftest.command import run_selftest
from swgrm_addin.selftest.judge.checks import Check, Verdict
from swgrm_addin.selftest.judge.mesh_checks import unmatched_edges
from swgrm_mocks.modelling.component_features import PatternData
from swgrm_mocks.modelling.live_assemblies import LiveAssembly
from swgrm_mocks.modelling.live_components import LiveComponent
from swgrm_mocks.modelling.managers import FeatureManager
from swgrm_mocks.solidworks.components import Component2


def checks(folder: Path, only: str, **options: Any) -> dict[str, Check]:
    """The checks of a self-test of one assembly in a mock SolidWorks with these options."""
    world = World(**options)
    report = run_selftest(world.application, folder / "x.zip", lambda _what, _done: None, mock=True, only=[only])
    assert world.is_as_before()
    assert set(report.steps) == {"done"}
    return {check.id: check for check in report.checks}


def hypotheses(check: Check) -> dict[str, bool | None]:
    return {each.text: each.fits for each in check.hypotheses}


def test_a_selection_that_adds_is_found_and_does_not_change_the_mass(tmp_path: Path) -> None:
    found = checks(tmp_path, "C1.component", quirks=["selection-adds"])
    answers = hypotheses(found["C1.component/selection"])
    assert answers["SelectedItems adds to the user's selection"]
    assert not answers["SelectedItems replaces the user's selection"]
    assert not answers["the put leaves the user's selection as it was"]
    (tmp_path / "other").mkdir()
    selected = checks(tmp_path / "other", "C1.selected", quirks=["selection-adds"])
    assert selected["C1.selected/mass of block"].verdict is Verdict.CONFIRMED


def test_wrong_principal_moments_are_found_and_the_robot_is_right(tmp_path: Path) -> None:
    found = checks(tmp_path, "C1.component", quirks=["part-inertia-wrong"])
    assert found["C1.part/IMassProperty2 of block"].verdict is Verdict.REFUTED
    assert found["C1.part/IMassProperty of block"].verdict is Verdict.CONFIRMED
    assert found["C1.part/mass of block"].verdict is Verdict.CONFIRMED  # by the moments that agree with the mesh


def test_wrong_overridden_moments_are_found(tmp_path: Path) -> None:
    found = checks(tmp_path, "C1.moments", quirks=["override-inertia-wrong"])
    assert found["C1.moments/IMassProperty2 of stiff"].verdict is Verdict.REFUTED


def test_a_cut_that_is_not_marked_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Component2, "HasAssemblyFeatures", lambda _self: (True, ""))
    unmarked = Component2.GetBodies3
    monkeypatch.setattr(
        Component2, "GetBodies3", lambda self, kind: (unmarked(self, kind)[0], (1,) * len(unmarked(self, kind)[0]))
    )
    found = checks(tmp_path, "B2.cut")
    assert found["B2.cut/cut"].verdict is Verdict.REFUTED
    assert not hypotheses(found["B2.cut/cut"])["HasAssemblyFeatures is false of the other one"]
    assert found["B2.cut/slider-1"].verdict is Verdict.REFUTED


def test_a_release_without_has_assembly_features_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(Component2, "HasAssemblyFeatures")
    found = checks(tmp_path, "B2.cut")["B2.cut/cut"]
    assert found.verdict is Verdict.CONFIRMED  # swgrm does not need it
    assert hypotheses(found)["HasAssemblyFeatures is true of the cut instance"] is None
    assert "IComponent2.HasAssemblyFeatures reported" in found.seen


def test_a_release_without_a_call_for_reference_geometry_builds_the_rest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delattr(FeatureManager, "CreateCoordinateSystemUsingNumericalValues")
    world = World()
    report = run_selftest(
        world.application, tmp_path / "x.zip", lambda _what, _done: None, mock=True, only=["A1.hinge", "C1.component"]
    )
    found = {check.id: check for check in report.checks}
    assert world.is_as_before()
    assert "CreateCoordinateSystemUsingNumericalValues" in found["part plate"].seen
    assert found["part plate"].verdict is Verdict.UNDECIDED
    assert found["A1.hinge/freedom of lever-1"].verdict is Verdict.CONFIRMED
    assert found["C1.component/mass of block"].verdict is Verdict.CONFIRMED
    assert found["C1.part/corner"].verdict is Verdict.CONFIRMED
    assert found["C1.part/system"].verdict is Verdict.UNDECIDED  # the one at the corner is not it


def test_a_component_that_stays_resolved_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(LiveComponent, "SetSuppression2", lambda _self, _state: 3)
    found = checks(tmp_path, "B2.lightweight")
    assert found["B2.lightweight/suppression"].verdict is Verdict.REFUTED
    assert found["B2.lightweight/slider-1"].verdict is Verdict.CONFIRMED  # it was opened lightweight instead


def test_a_pattern_that_goes_the_other_way_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make = PatternData.make

    def reversed_make(self: PatternData, document: LiveAssembly) -> bool:
        self.spacing *= -1
        return make(self, document)

    monkeypatch.setattr(PatternData, "make", reversed_make)
    found = checks(tmp_path, "B2.pattern")["B2.pattern/position of peg-2"]
    assert found.verdict is Verdict.CONFIRMED
    assert list(hypotheses(found).values()) == [False, True]


def tetrahedron() -> Array:
    corners = np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]])
    return corners[[[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]]


def test_edges_that_differ_slightly_are_counted() -> None:
    assert unmatched_edges(tetrahedron()) == 0
    assert unmatched_edges(tetrahedron()[:3]) == 3
    moved = tetrahedron()
    moved[0, 0] += 1e-7
    assert unmatched_edges(moved) == 4
