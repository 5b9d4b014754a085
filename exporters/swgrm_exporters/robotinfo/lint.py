"""What each real reader of RobotInfo refuses, found without running it.

Four programs read these files: Robot Raconteur's InfoParser; its RobotUtil, which makes a kinematic robot of what
InfoParser gives; the YAML reader of general_robotics_toolbox; and AbstractRobot, the base of real drivers, which
needs both of the first two. The rules are theirs as observed, not the standard's; a test runs them side by side.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Any, NamedTuple

from swgrm.findings import Finding, Severity
from swgrm_exporters.robotinfo.fit import Kind, fit
from swgrm_exporters.robotinfo.info_parser import parser_complaints
from swgrm_exporters.robotinfo.kinematic_readers import (
    driver_complaints,
    misindexed,
    toolbox_complaints,
    util_complaints,
)

Value = Any  # what YAML holds


class Reader(StrEnum):
    """The programs that read RobotInfo."""

    INFO_PARSER = "InfoParser"
    ROBOT_UTIL = "RobotUtil"
    TOOLBOX = "general_robotics_toolbox"
    ABSTRACT_ROBOT = "AbstractRobot"


class Refusal(NamedTuple):
    """A reader that refuses the document, the place it stumbles over, and why."""

    reader: Reader
    place: str
    reason: str


def lint(document: Value) -> tuple[Finding, ...]:
    """Everything about a document that a user should know before a real reader meets it."""
    fitted = [
        Finding(Severity.WARNING, f"robotinfo-{problem.kind}", problem.place, problem.message)
        for problem in fit(document).problems
    ]
    by_place: dict[tuple[str, str], list[Reader]] = {}
    for reader, place, reason in refusals(document):
        by_place.setdefault((place, reason), []).append(reader)
    refused = [
        Finding(Severity.WARNING, "robotinfo-refused", place, f"{_listed(readers)} this: {reason}")
        for (place, reason), readers in by_place.items()
    ]
    shifted = [
        Finding(Severity.WARNING, "robotinfo-misindexed", place, reason) for place, reason in misindexed(document)
    ]
    wrong = {finding.where for finding in refused}
    kept = [f for f in fitted if not (f.code == f"robotinfo-{Kind.WRONG}" and f.where in wrong)]
    return (*kept, *refused, *shifted)


def refusals(document: Value) -> list[Refusal]:
    """Which readers refuse a document, where and why."""
    parser = [Refusal(Reader.INFO_PARSER, *complaint) for complaint in parser_complaints(document)]
    util = [Refusal(Reader.ROBOT_UTIL, *complaint) for complaint in util_complaints(document)] if not parser else []
    driver = [Refusal(Reader.ABSTRACT_ROBOT, *c) for c in driver_complaints(document)] if not parser else []
    toolbox = [Refusal(Reader.TOOLBOX, *complaint) for complaint in toolbox_complaints(document)]
    inherited = [
        Refusal(reader, each.place, each.reason) for each in (*parser, *util) for reader in _NEEDED_BY[each.reader]
    ]
    return [*parser, *util, *driver, *inherited, *toolbox]


_NEEDED_BY = {
    Reader.INFO_PARSER: (Reader.ROBOT_UTIL, Reader.ABSTRACT_ROBOT),
    Reader.ROBOT_UTIL: (Reader.ABSTRACT_ROBOT,),
}


def _listed(readers: list[Reader]) -> str:
    names = ", ".join(reader for reader in Reader if reader in readers)
    return f"{names} refuse{'s' if len(set(readers)) == 1 else ''}"
