"""Fingerprints of robots: what they compare, and how far."""

import copy
from typing import Any

import numpy as np
import pytest
from tests.fingerprints import differences, fingerprint_with_meshes, shaken

from swgrm.capture import Capture
from swgrm_mocks.samples import sample


@pytest.fixture(scope="module")
def gripper() -> dict[str, Any]:
    return fingerprint_with_meshes(sample("gripper"))


def test_a_fingerprint_is_the_same_again(gripper: dict[str, Any]) -> None:
    assert list(differences(gripper, fingerprint_with_meshes(sample("gripper")))) == []


def test_what_differs_is_named_by_its_place(gripper: dict[str, Any]) -> None:
    changed = copy.deepcopy(gripper)
    finger = changed["robot"]["rootFrame"]["children"][0]
    finger["joint"]["type"] = "screw"
    finger["transform"]["pos"][1] += 1e-7
    changed["meshes"].pop(next(iter(changed["meshes"])))
    changed["findings"].pop()
    found = list(differences(gripper, changed))
    assert len(found) >= 4
    assert any("/joint/type: " in line for line in found)
    assert any("/transform/pos: " in line for line in found)
    assert any(line.endswith("only before") for line in found)
    assert any(line.startswith("/findings: ") for line in found)


@pytest.mark.parametrize(
    ("before", "after", "is_same"),
    [
        ({"pos": [0.1, 0.0]}, {"pos": [0.1, 1e-16]}, True),
        ({"pos": [0.1, 0.0]}, {"pos": [0.1, 1e-7]}, False),
        ({"rot": [1.0, 0.0, 0.0, 0.0]}, {"rot": [-1.0, 0.0, 0.0, 0.0]}, False),  # the same pose, but another file
        ({"tensor": {"ixx": 2e-9, "ixy": 1e-25}}, {"tensor": {"ixx": 2e-9, "ixy": -1e-25}}, True),
        ({"tensor": {"ixx": 2e-9, "ixy": 0.0}}, {"tensor": {"ixx": 2e-9, "ixy": 1e-12}}, False),
        (["2 joints are 0.123 mm off"], ["2 joints are 0.124 mm off"], True),
        (["2 joints are 0.123 mm off"], ["3 joints are 0.123 mm off"], False),
        (["The axis of `a-1`"], ["The axis of `b-1`"], False),
        ({"count": 1}, {"count": 2}, False),
    ],
)
def test_numbers_are_compared_with_a_tolerance_and_all_else_exactly(before: Any, after: Any, is_same: bool) -> None:
    assert (not list(differences(before, after))) is is_same


def test_shaking_changes_every_number_by_its_last_digit_only() -> None:
    before, after = sample("arm"), shaken(sample("arm"), 1)
    old, new = _numbers_of(before), _numbers_of(after)
    assert (old != new).all()
    assert np.abs(new - old).max() < 1e-15
    assert shaken(before, 1) == after != shaken(before, 2)


def _numbers_of(capture: Capture) -> np.ndarray:
    transforms = [component.transform or () for component in capture.components]
    entities = [e.params for document in capture.documents for mate in document.mates for e in mate.entities]
    return np.concatenate([*transforms, *entities])
