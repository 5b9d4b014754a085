"""The report of a self-test: every check with its verdict, and the verdict on every convention."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import msgspec
from msgspec.structs import replace

from swgrm_addin.selftest.judge.assembly_checks import assembly_checks
from swgrm_addin.selftest.judge.checks import Check, ConventionVerdict, Verdict, judged
from swgrm_addin.selftest.judge.convention_verdicts import convention_verdicts, default_of
from swgrm_addin.selftest.judge.evidence import Evidence
from swgrm_addin.selftest.judge.other_checks import other_checks
from swgrm_addin.selftest.results import Environment

VERSION = 1  # of report.json


class Report(msgspec.Struct, frozen=True):
    """The content of report.json."""

    version: int
    environment: Environment
    conventions: tuple[ConventionVerdict, ...]
    checks: tuple[Check, ...]
    steps: dict[str, int]  # how many steps ended how
    stopped: str = ""

    @property
    def corrections(self) -> dict[str, str]:
        """The conventions that were refuted, with the choice that fits."""
        return {each.key: each.correction for each in self.conventions if each.correction}

    def count(self, verdict: Verdict) -> int:
        """How many checks have a verdict."""
        return sum(check.verdict is verdict for check in self.checks)


def judge(folder: Path) -> Report:
    """Judge the run whose record and captures are in a folder."""
    evidence = Evidence(folder)
    conventions = tuple(convention_verdicts(evidence))
    return Report(
        VERSION,
        evidence.run.environment,
        conventions,
        tuple(_checks(evidence, conventions)),
        dict(Counter(step.outcome for step in evidence.run.steps)),
        evidence.run.stopped,
    )


def _checks(evidence: Evidence, conventions: tuple[ConventionVerdict, ...]) -> Iterator[Check]:
    fitting = {each.key: each.correction or default_of(each.key) for each in conventions}
    for step in evidence.run.steps:
        if step.subject.startswith("part "):
            hypotheses, verdict = judged("SolidWorks builds it through its API", step.outcome == "done" or None)
            yield Check(step.subject, "a part", "", hypotheses, step.problem or "it was built", verdict)
    for spec in evidence.specs:
        yield from assembly_checks(evidence, spec, fitting)
    for check in other_checks(evidence):
        yield _unless_unfinished(evidence, check)


def _unless_unfinished(evidence: Evidence, check: Check) -> Check:
    """A check that refutes something about an assembly which was not built as planned decides nothing."""
    subject = check.id.partition("/")[0]
    is_assembly = any(spec.id == subject for spec in evidence.specs)
    obstacle = evidence.obstacle(subject) if is_assembly and check.verdict is Verdict.REFUTED else ""
    if not obstacle:
        return check
    return replace(check, verdict=Verdict.UNDECIDED, seen=f"{check.seen}\nit was not built as planned: {obstacle}")
