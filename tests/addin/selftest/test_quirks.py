"""Under every quirk of a SolidWorks that models, the self-test reports what is true, or undecided with the reason."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pytest
from tests import full
from tests.addin.selftest.mock_runs import World

from swgrm.solidworks.conventions import CONVENTIONS
from swgrm_addin.selftest.assemblies import UNSETTLED
from swgrm_addin.selftest.command import run_selftest
from swgrm_addin.selftest.judge.checks import Verdict
from swgrm_addin.selftest.judge.report import Report
from swgrm_mocks.solidworks.quirks import BUILDING

GEARS = ("A6.radii", "A6.third")
HELD = ("A5.profile", "A5.profile-locked", "A5.lock", "A1.systems")
DRIVEN = ("A1.hinge", "A3.angle", "A3.angle-180", "A3.distance", "A5.profile", *GEARS)
UNSETTLED_IDS = {each.id for each in UNSETTLED}


class Shown(NamedTuple):
    """The assemblies that show a quirk, and what cannot be decided under it: checks, and conventions."""

    only: tuple[str, ...]
    undecided: frozenset[str] = frozenset()
    refuted: frozenset[str] = frozenset()  # what swgrm is wrong about in such a SolidWorks


def lost(*ids: str) -> frozenset[str]:
    """Checks or conventions that cannot be decided."""
    return frozenset(ids)


MOTIONS = lost(
    *(f"{name}/motion {number}" for name in DRIVEN[:4] for number in (1, 2)),
    "A5.profile/motion 1", "A6.radii/motion 1", "A6.third/motion 1", "gearRatio", "profileCentre",
)  # fmt: skip
QUIRKS = {
    "add-to-db-ignored": Shown(("A1.hinge",), lost("part plate", "part lever", "A1.hinge/built")),
    "axis-elsewhere": Shown(
        ("A7.diameter",), lost("part rackbar", "A7.diameter/built", "A7.diameter/read", "rackSense")
    ),
    "closed-late": Shown(("A1.hinge",)),
    "coordinate-data-missing": Shown(("A1.systems",)),
    "definition-ignored": Shown(DRIVEN),
    "definition-needs-selection": Shown(("B2.pattern", "B2.mirror")),
    "drives-ignored": Shown(DRIVEN, MOTIONS),
    "edits-the-new-part": Shown(("A10.in-place",)),
    "every-third-drive-ignored": Shown((*DRIVEN, "A5.lock")),
    "flip-decides-side": Shown(
        ("A3.distance-from-zero", "A3.distance-side", "A3.distance-side-flipped", "A5.symmetric", "A9.carried")
    ),
    "gear-needs-ratio": Shown(("A6.proposed", *GEARS), lost("A6.proposed/built", "A6.proposed/read")),
    "hinge-limits-derived": Shown(("A4.hinge",), lost("A4.hinge/limits of lever-1")),
    "limit-through-zero": Shown(
        ("A3.distance-from-zero", "A3.distance"), refuted=lost("A3.distance-from-zero/motion 1")
    ),
    "mated-parts-stay": Shown(HELD),
    "options-refused": Shown(
        ("B1.flexible", "B2.states"),
        lost("B1.flexible/built", "B2.states/built", "B2.states/read", "B2.states/peg-1"),
    ),
    "placement-ignored": Shown(("C1.override",), lost("C1.override/built")),
    "plane-before-front": Shown(("A1.hinge", "B2.mirror")),
    "range-collapses": Shown(("A3.angle", "A3.distance", "B1.elsewhere")),
    "redundant-mates-refused": Shown(HELD),
    "refused-cut-blocks": Shown(
        ("B2.cut", "C1.component"),
        lost("B2.cut/built", "B2.cut/read", "B2.cut/shape of slider-1", "B2.cut/slider-1"),
    ),
    "resolved-while-open": Shown(("B2.lightweight", "B2.states")),
    "screw-needs-to-be-alone": Shown(("A8.distance", "A8.inch")),
    "screw-value-kept": Shown(("A8.distance", "A8.revolutions", "A8.inch")),
    "sketch-snaps": Shown(
        ("C1.component",), lost("part block", "C1.component/built")
    ),
    "sketching-crashes": Shown(("A1.hinge", "B2.cut")),
    "slot-by-third-point": Shown(("A5.slot",)),
    "system-at-origin": Shown(("C1.component",), lost("part block", "C1.part/corner")),
    "template-not-a-file": Shown(("A1.hinge",)),
    "toggle-ignored": Shown(("A1.hinge",)),
    "z-up": Shown(("A1.hinge", "A1.systems", "A5.symmetric", "B1.sub", "B1.held", "B2.mirror", "B2.cut")),
}  # fmt: skip


def report_with(folder: Path, only: tuple[str, ...], *quirks: str) -> Report:
    """The report of a self-test in a SolidWorks with quirks, which is as before afterwards."""
    world = World(quirks=quirks)
    report = run_selftest(world.application, folder / "x.zip", lambda _what, _done: None, mock=True, only=only)
    assert world.is_as_before()
    assert world.solidworks.open == []
    return report


def verdicts(report: Report) -> dict[str, Verdict]:
    """The verdicts on checks and conventions; those of conventions that no assembly depends on are left out."""
    found = {check.id: check.verdict for check in report.checks if check.id not in UNSETTLED_IDS}
    shown = (each for each in report.conventions if each.seen != "no assembly of this run depends on it")
    return found | {each.key: each.verdict for each in shown}


def reasons(report: Report) -> dict[str, str]:
    """What was seen of everything that is not decided."""
    found = {check.id: check.seen for check in report.checks if check.verdict is Verdict.UNDECIDED}
    return found | {each.key: each.seen for each in report.conventions if each.verdict is Verdict.UNDECIDED}


def test_every_quirk_is_tried() -> None:
    assert set(QUIRKS) == set(BUILDING)


@pytest.mark.parametrize("name", QUIRKS)
def test_the_report_is_true_under_a_quirk(name: str, tmp_path: Path) -> None:
    """What is decided is decided rightly, and what is not has a reason; at full size in all assemblies."""
    only, undecided, refuted = QUIRKS[name]
    report = report_with(tmp_path, () if full.IS_FULL else only, name)
    found = verdicts(report)
    assert {key for key, verdict in found.items() if verdict is Verdict.REFUTED} == refuted
    not_decided = {key for key, verdict in found.items() if verdict is Verdict.UNDECIDED}
    assert not_decided >= undecided if full.IS_FULL else not_decided == undecided
    seen = reasons(report)
    assert all(seen[key] for key in not_decided if not key.endswith("/read")), "a reason is missing"
    assert bool(report.stopped) == (name == "toggle-ignored")


@pytest.mark.parametrize("quirk", ["mated-parts-stay", "redundant-mates-refused", "every-third-drive-ignored"])
@pytest.mark.parametrize("choice", ["spins", "locked"])
def test_a_part_that_may_be_held_is_judged_by_a_drive(quirk: str, choice: str, tmp_path: Path) -> None:
    """A spinning profile centre mate and a locked one are told apart, whatever a written Transform2 does."""
    world = World({"profileCentre": choice}, [quirk])
    report = run_selftest(
        world.application, tmp_path / "x.zip", lambda _what, _done: None, mock=True, only=["A5.profile"]
    )
    (verdict,) = [each for each in report.conventions if each.key == "profileCentre"]
    assert verdict.fitting == (choice,)
    default = next(iter(CONVENTIONS["profileCentre"].choices))
    assert verdict.verdict is (Verdict.CONFIRMED if choice == default else Verdict.REFUTED)
