"""The sample `mock:bad_day`: fifteen quirks at once, the robot of the arm, and findings that a person understands."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
from tests.addin.survival import lines

from swgrm.findings.codes import Severity
from swgrm.mass.inertia import tensor_matrix
from swgrm_addin import sources
from swgrm_addin.pipeline import Understanding, understand
from swgrm_mocks.samples import BAD_DAYS, sample
from swgrm_mocks.solidworks.quirks import QUIRKS, known_quirks

PICTURE = Path(__file__).parents[2] / "docs" / "pictures" / "bad_day.svg"


@pytest.fixture(scope="module")
def day() -> Understanding:
    return understand(sources.read("mock:bad_day"))


def test_it_has_a_dozen_quirks() -> None:
    quirks = known_quirks(BAD_DAYS["bad_day"].quirks)
    assert len(quirks) >= 12
    assert len({QUIRKS[name].source for name in quirks}) > 6


def test_the_robot_is_that_of_the_arm(day: Understanding) -> None:
    good = understand(sources.read("mock:arm")).robot
    joints, expected = lines(day.robot), lines(good)
    assert joints.keys() == expected.keys()
    for name, line in expected.items():
        assert joints[name][:4] == line[:4]
        assert np.allclose(np.concatenate(joints[name][4:]), np.concatenate(line[4:]), atol=1e-9)  # type: ignore[arg-type]
    masses = {link.name: link.inertial for _, link in day.robot.links()}
    for _, link in good.links():
        found = masses[link.name]
        assert (found is None) == (link.inertial is None)
        if found is not None and link.inertial is not None:
            assert found.mass == pytest.approx(link.inertial.mass)
            assert found.origin == pytest.approx(link.inertial.origin, abs=1e-9)
            assert np.allclose(tensor_matrix(found), tensor_matrix(link.inertial), rtol=1e-9, atol=1e-15)


def test_the_meshes_are_those_of_the_arm(day: Understanding) -> None:
    read, good = day.source.capture, sample("arm")
    assert read is not None
    assert [len(shape.triangles) for shape in read.shapes] == [len(shape.triangles) for shape in good.shapes]


def test_every_gap_is_named_once_and_nothing_else(day: Understanding) -> None:
    serious = [finding for finding in day.source.findings if finding.severity > Severity.NOTE]
    assert {finding.code for finding in serious} == {"mass-not-calculated", "not-read", "other-file"}
    assert [finding.where for finding in serious if finding.code == "not-read"] == ["mate Magnetic1"]
    notes = {finding.code for finding in day.source.findings if finding.severity == Severity.NOTE}
    assert notes <= {"default-used", "calls-failed"}


def test_the_picture_in_the_documentation_shows_these_messages(day: Understanding) -> None:
    """docs/pictures/message.py draws it."""
    shown = " ".join(re.sub("<[^>]*>", " ", PICTURE.read_text("utf-8")).split())
    for code in ("mass-not-calculated", "not-read", "other-file"):
        first = next(finding for finding in day.source.findings if finding.code == code)
        assert f"{first.where}: {first.message}" in shown
