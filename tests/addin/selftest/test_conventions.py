"""Every convention that is switched in the mock SolidWorks is found, and once it is applied, the export is right."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest
from tests.addin.selftest.mock_runs import report_of, showing
from tests.commands import swgrm as command

import swgrm
from swgrm.solidworks.conventions import CONVENTIONS
from swgrm_addin.selftest.assemblies import ASSEMBLIES
from swgrm_addin.selftest.judge.checks import Verdict
from swgrm_addin.selftest.judge.convention_verdicts import groups
from swgrm_addin.selftest.judge.evidence import Evidence, fits_robot
from swgrm_addin.selftest.judge.fitting import FittedRobot

SWITCHED = [(key, choice) for key, each in CONVENTIONS.items() for choice in list(each.choices)[1:]]


def test_every_convention_can_be_shown() -> None:
    assert {key for spec in ASSEMBLIES for key in spec.conventions} == set(CONVENTIONS)
    assert sorted(key for group in groups(ASSEMBLIES) for key in group) == sorted(CONVENTIONS)
    assert ["screwUnit", "screwSense"] in groups(ASSEMBLIES)  # they are judged together


@pytest.mark.parametrize(("key", "choice"), SWITCHED)
def test_a_switched_convention_is_named_and_applying_it_makes_the_export_right(
    key: str, choice: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SWGRM_CONFIG", str(tmp_path / "config"))
    only = showing(key)
    report = report_of(tmp_path, only, **{key: choice})
    verdicts = {each.key: each for each in report.conventions}
    assert verdicts[key].verdict is Verdict.REFUTED
    assert verdicts[key].fitting == (choice,)
    assert report.corrections == {key: choice}
    assert [check.id for check in report.checks if check.verdict is Verdict.REFUTED] == []  # with the choice that fits

    file = tmp_path / "selftest.zip"
    applied = command("selftest", "--read", file, "--apply")
    assert f"refuted   {key} ({next(iter(CONVENTIONS[key].choices))}): {choice} fits" in applied.stdout
    assert f"{key}: {choice} is now in {tmp_path / 'config'}" in applied.stdout
    assert applied.returncode == 1
    with zipfile.ZipFile(file) as archive:
        archive.extractall(tmp_path / "run")
    assert exports_that_fit(tmp_path, only) == set(only)

    assert command("selftest", "--apply", "--undo").returncode == 0
    assert exports_that_fit(tmp_path, only) < set(only)


def exports_that_fit(folder: Path, only: list[str]) -> set[str]:
    """The assemblies whose exports move as SolidWorks moved them, by drives and by hand."""
    evidence = Evidence(folder / "run")
    found = set()
    for spec in [spec for spec in ASSEMBLIES if spec.id in only]:
        source = folder / "run" / "captures" / f"{spec.file}.swcap"
        done = command("export", source, "-o", folder / "out", "--format", "grm", "--force")
        assert done.returncode == 0, done.stderr
        capture = evidence.capture(spec.file)
        assert capture is not None
        robot = swgrm.load(folder / "out" / f"{spec.file}.grm.json")
        poses = {each.name: each.transform for each in capture.components if each.transform}
        fitted = FittedRobot(robot, poses)
        if all(fits_robot(fitted, motion) for motion in evidence.motions(spec.id)):
            found.add(spec.id)
    return found
