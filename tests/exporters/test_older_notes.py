"""Files that swgrm 0.2 wrote, each with a note of its format's own, are read as the robots that 0.2 read."""

from __future__ import annotations

from pathlib import Path

import pytest

import swgrm
from swgrm.findings import Findings
from swgrm_exporters import formats
from swgrm_exporters.urdf.reader import loads

OLD = Path(__file__).parents[1] / "data" / "v0_2"


def test_remarks_of_swgrm_0_1_have_other_tags() -> None:
    text = (OLD / "press.urdf").read_bytes()
    older = text.replace(b"_remark", b"")
    assert older != text
    assert loads(older, Findings()) == loads(text, Findings())


@pytest.mark.parametrize("file", ["press.urdf", "press.xml", "press.sdf", "press.usda"])
def test_a_file_with_an_older_note_is_read_as_the_same_robot(file: str) -> None:
    findings = Findings()
    robot, expected = formats.read(OLD / file, findings), swgrm.load(OLD / f"{file}.grm.json")
    comparison = expected.is_same_as(robot)
    assert comparison.is_same, str(comparison)
    assert [finding.code for finding in findings if finding.code == "note-stale"] == []
