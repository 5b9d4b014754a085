"""An inference that is used again for other settings is the one that would be made anew."""

from __future__ import annotations

from typing import Any

import pytest

from swgrm.findings import Findings
from swgrm.inference import infer
from swgrm.inference.keeping import kept
from swgrm.settings import Settings, apply, settings_from
from swgrm_mocks.samples import sample

BETWEEN = ["upper_arm-1", "forearm-1"]
JOINT = "forearm_joint"
APPLIED: list[dict[str, Any]] = [  # decided after the inference
    {},
    {"joints": {JOINT: {"upper": "30 deg"}}},
    {"joints": {JOINT: {"between": BETWEEN, "lower": "-1 rad", "flip": True, "name": "elbow"}}},
    {"joints": {JOINT: {"between": BETWEEN[::-1], "zero": "5 deg"}}},
    {"joints": {"old_name": {"between": BETWEEN, "reviewed": True}}},
    {"joints": {"gone": {"between": ["base-1", "flange-1"], "effort": 4}}},
    {"joints": {JOINT: {"type": "fixed"}, "wrist_1_joint": {"velocity": 2}}},
    {"sensors": {"eye": {"type": "camera", "at": "flange-1/tool0"}}, "links": {"rename": {"flange": "tip"}}},
]
STRUCTURAL: list[dict[str, Any]] = [
    {"links": {"join": [["wrist_1-1", "wrist_2-1"]]}},
    {"links": {"leaveOut": ["flange-1"]}},
    {"base": {"root": "flange-1"}},
    {"fasteners": {"flange-1": True}},
    {"joints": {"mine": {"parent": "base-1", "child": "flange-1", "axis": [[0, 0, 0], [0, 0, 1]]}}},
    {"joints": {JOINT: {"frame": "flange-1/tool0"}}},
    {"robot": {"name": "other"}},
]


@pytest.mark.parametrize("used", APPLIED[:3])
@pytest.mark.parametrize("now", APPLIED)
def test_what_is_kept_is_what_would_be_inferred(used: dict[str, Any], now: dict[str, Any]) -> None:
    capture, before, after = sample("arm"), settings_from(used), settings_from(now)
    found, expected = kept(infer(capture, before), before, after), infer(capture, after)
    assert found is not None
    assert found.robot == expected.robot
    assert found.settings == expected.settings
    assert found.findings == expected.findings
    assert apply(found.robot, found.settings, Findings()) == apply(expected.robot, expected.settings, Findings())


@pytest.mark.parametrize("now", STRUCTURAL)
def test_structural_settings_are_inferred_anew(now: dict[str, Any]) -> None:
    inference = infer(sample("arm"))
    assert kept(inference, Settings(), settings_from(now)) is None
    assert kept(inference, settings_from(now), Settings()) is None
    assert kept(inference, settings_from(now), settings_from(now)) is not None
