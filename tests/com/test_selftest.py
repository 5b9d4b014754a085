"""The self-test over real COM: a subset of its assemblies is built, driven, read and judged through each transport."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.contract.transports import MAKERS

from swgrm_addin.selftest.assemblies import UNSETTLED
from swgrm_addin.selftest.command import run_selftest
from swgrm_addin.selftest.judge.checks import Verdict

SUBSET = (  # arrays of objects, puts with an index, single objects, booleans; trials; sub-assemblies; overrides
    "A1.hinge", "A1.systems", "A1.vertex-edge", "A3.distance", "A4.hinge", "A5.width", "A6.radii", "A6.third",
    "A7.diameter", "A8.inch", "A9.carried", "B1.configuration", "B1.flexible", "B2.cut", "B2.lightweight",
    "B2.mirror", "B2.pattern", "B2.states", "C1.component", "C1.moments", "C1.override",
)  # fmt: skip


UNSETTLED_IDS = {each.id for each in UNSETTLED}


@pytest.mark.parametrize("name", ["in process", "another process"])
def test_a_subset_is_built_driven_and_judged(name: str, tmp_path: Path) -> None:
    transport = MAKERS[name]()
    application = transport.application()
    try:
        report = run_selftest(application, tmp_path / "selftest.zip", lambda _what, _done: None, only=SUBSET)
        assert application.GetDocuments() == ()
    finally:
        del application
        transport.close()
    verdicts = {check.id: (check.verdict, check.seen) for check in report.checks if check.id not in UNSETTLED_IDS}
    assert {
        key: value for key, value in verdicts.items() if value[0] not in (Verdict.CONFIRMED, Verdict.MEASURED)
    } == {}
    assert set(report.steps) == {"done"}
    assert report.stopped == ""
    confirmed = {each.key for each in report.conventions if each.verdict is Verdict.CONFIRMED}
    assert confirmed == {"gearRatio", "screwUnit", "screwSense", "rackSense", "couplerReference", "coordinateMate"}
    timed = {check.id: check.seen for check in report.checks if check.id.startswith("D1.speed")}
    assert "D1.speed/automation/IComponent2.GetID" in timed
    assert report.environment.modules
    assert all("\\" not in module.name for module in report.environment.modules)
    print(name, timed)  # noqa: T201 - figures for people, with -s
