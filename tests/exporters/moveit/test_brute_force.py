"""Exported SRDF files before independent judges: pinocchio removes what is listed, and coal finds nothing that is."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("fcl", reason='pip install "swgrm[moveit]"')
pytest.importorskip("pinocchio", reason="it is tested on Linux")

from tests import full
from tests.exporters.moveit.brute_force import SHARE, ExportedPackages, collisions, removed_pairs

from swgrm_addin.pipeline import export

SAMPLES = ("arm", "gripper", "four_bar", "traps") + full.IS_FULL * (
    "mobile_base", "stewart", "lead_screw", "differential", "planetary", "spline_quill",
)  # fmt: skip
STATES = {"arm": 3_000, "gripper": 1_000, "four_bar": 100}  # in CI; with --full 100,000 of every sample


@pytest.mark.parametrize("name", SAMPLES)
def test_nothing_that_collides_is_disabled_as_never(tmp_path: Path, name: str) -> None:
    count = STATES.get(name, 0)
    samples = 16384 if count or full.IS_FULL else 256
    done = export(f"mock:{name}", tmp_path, formats=("moveit",), options={"moveit": {"samples": samples}})
    packages = ExportedPackages(tmp_path)
    removed, listed = removed_pairs(packages)
    rows = packages.rows()
    assert removed == listed
    if full.IS_FULL:
        count = 2_000 if done.robot.loop_joints else 100_000
    if count:
        never = {pair for pair, reason in rows.items() if reason == "Never"}
        found = collisions(packages, never, count, done.robot)
        assert {pair: n for pair, n in found.items() if n > SHARE * count} == {}


def test_the_check_finds_collisions_where_there_are_some(tmp_path: Path) -> None:
    export("mock:arm", tmp_path, formats=("moveit",), options={"moveit": {"samples": 0}})
    assert collisions(ExportedPackages(tmp_path), {("base", "flange")}, 2000)
