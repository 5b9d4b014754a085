"""How far a drive moved two components is measured whatever their poses; every second way is taken and recorded."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.addin.selftest.mock_runs import World, report_of

from swgrm.transforms import Array, axis_angle_matrix
from swgrm_addin.selftest.command import run_selftest
from swgrm_addin.selftest.driving import ANGLE, Pair, moved_by, present_value
from swgrm_addin.selftest.entities import Flat, X
from swgrm_addin.selftest.judge.checks import Verdict
from swgrm_addin.selftest.judge.evidence import doubt, fits_robot
from swgrm_addin.selftest.mating import transform
from swgrm_addin.selftest.results import Motion
from swgrm_addin.selftest.specs import At, MateRecipe, Picked
from swgrm_mocks.builder import pose, transform_array

POSES = st.builds(
    pose,
    *[st.floats(-0.5, 0.5)] * 3, *[st.floats(-170.0, 170.0)] * 3,
)  # fmt: skip
AXES = st.sampled_from([*np.eye(3)])


def turned(axis: Array, angle: float) -> Array:
    T = np.eye(4)
    T[:3, :3] = axis_angle_matrix(axis, angle)
    return T


@given(POSES, POSES, AXES, st.floats(-3.0, 3.0), POSES)
def test_an_angle_is_measured_wherever_the_pair_is(
    base: Array, own: Array, axis: Array, angle: float, by: Array
) -> None:
    """Both components move by `by`, and the second one turns about an axis of its own."""
    before = {"a": transform_array(base), "b": transform_array(own)}
    after = {"a": transform_array(by @ base), "b": transform_array(by @ own @ turned(axis, angle))}
    pair = Pair("a", "b", ANGLE)
    assert pair.change(before, after) == pytest.approx(abs(angle), abs=1e-7)
    assert pair.is_seen(before, after, angle)
    assert not pair.is_seen(before, after, angle + np.sign(angle or 1.0) * 0.01)


@given(POSES, POSES, st.floats(-0.2, 0.2), st.floats(-0.2, 0.2), POSES)
def test_a_distance_is_measured_wherever_the_pair_is(base: Array, own: Array, x: float, y: float, by: Array) -> None:
    before = {"a": transform_array(base), "b": transform_array(own)}
    after = {"a": transform_array(by @ base), "b": transform_array(by @ own @ pose(x, y))}
    pair = Pair("a", "b", "Distance")
    assert pair.change(before, after) == pytest.approx(np.hypot(x, y), abs=1e-9)
    assert not pair.is_seen(before, after, np.hypot(x, y) + 0.001)


@given(POSES, POSES)
def test_the_present_value_is_that_of_the_faces(base: Array, own: Array) -> None:
    recipe = MateRecipe("angle", (Picked("EntitiesToMate", (Flat("a", X, 0.1), Flat("b", X, 0.2))),))
    at = {"a": transform_array(base), "b": transform_array(own)}
    normals = base[:3, 0], own[:3, 0]
    points = [T[:3, :3] @ (offset, 0, 0) + T[:3, 3] for T, offset in ((base, 0.1), (own, 0.2))]
    assert np.cos(present_value(recipe, at, ANGLE)) == pytest.approx(float(normals[0] @ normals[1]), abs=1e-9)
    distance = abs(float(normals[0] @ (points[1] - points[0])))
    assert present_value(recipe, at, "Distance") == pytest.approx(distance, abs=1e-9)


@given(POSES)
def test_a_motion_is_one_of_the_assembly(own: Array) -> None:
    by = At(0.1, -0.2, 0.3, 10.0, 20.0, 30.0)
    expected = own.copy()
    expected[:3, :3] = pose(0, 0, 0, 10.0, 20.0, 30.0)[:3, :3] @ own[:3, :3]
    expected[:3, 3] += (0.1, -0.2, 0.3)
    assert moved_by(transform_array(own), by) == pytest.approx(transform_array(expected), abs=1e-12)


def motion(kind: Any, *, driven: float, control: float = 0.0, commanded: float = 0.01) -> Motion:
    """The slider and the control go as far as they do [m]."""
    before = {name: transform(At()) for name in ("plate-1", "slider-1", "slider-2")}
    after = before | {"slider-1": transform(At(driven)), "slider-2": transform(At(control))}
    wanted = transform(At(0.01))
    pairs = ("plate-1", "slider-1"), ("plate-1", "slider-2")
    return Motion("A", "", kind, before, after, pairs[0], "Distance", commanded, "", wanted, pairs[1])


class Robot:
    """A robot whose slider can reach some positions along x [m]."""

    def __init__(self, *positions: float) -> None:
        self.positions = positions

    def fit(self, poses: dict[str, tuple[float, ...]]) -> Any:
        x = poses["slider-1"][9]
        is_reached = any(abs(x - each) < 1e-9 for each in self.positions)
        return type("Fit", (), {"is_reached": is_reached})


FREE, HELD = Robot(0.0, 0.01), Robot(0.0)


@pytest.mark.parametrize(
    ("seen", "free", "held"),
    [
        (motion("drive", driven=0.01), True, False),
        (motion("drive", driven=0.0), None, None),  # nothing moved: nothing follows
        (motion("drive", driven=0.004), None, None),  # another motion than the commanded one
        (motion("drive", driven=0.0, commanded=0.0), None, None),  # it was there already
        (motion("trial", driven=0.01, control=0.01), True, False),
        (motion("trial", driven=0.0, control=0.01), False, True),
        (motion("trial", driven=0.0, control=0.0), None, None),  # not even the free one moved
        (motion("trial", driven=0.01, control=0.0), None, None),
    ],
)
def test_a_motion_decides_only_what_was_seen(seen: Motion, free: bool | None, held: bool | None) -> None:
    robots: list[Any] = [FREE, HELD]
    assert [fits_robot(robot, seen) for robot in robots] == [free, held]
    assert bool(doubt(seen)) == (free is None)


@pytest.mark.parametrize(("quirk", "ways"), [("", {"definition"}), ("definition-ignored", {"dimension"})])
def test_the_way_that_moved_it_is_recorded(quirk: str, ways: set[str], tmp_path: Path) -> None:
    world = World(quirks=[quirk] if quirk else [])
    run_selftest(world.application, tmp_path / "x.zip", lambda _what, _done: None, mock=True, only=["A3.angle"])
    with zipfile.ZipFile(tmp_path / "x.zip") as archive:
        run = json.loads(archive.read("run.json"))
    assert {each["way"] for each in run["motions"]} == ways


def test_values_that_are_read_otherwise_than_set_are_reported(tmp_path: Path) -> None:
    """The mock sets the ratio of gears the other way round than it reads it, as SolidWorks does."""
    checks = {check.id: check for check in report_of(tmp_path, ["A6.third"]).checks}
    assert "GearRatioNumerator of a gear mate: set 1, read 3" in checks["A6.third/values"].seen
    assert checks["A6.third/values"].verdict is Verdict.MEASURED
    assert "A1.hinge/values" not in checks
