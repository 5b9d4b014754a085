"""What each real reader of RobotInfo refuses, found without running it.

Four programs read these files: Robot Raconteur's InfoParser; its RobotUtil, which makes a kinematic robot of what
InfoParser gives; the YAML reader of general_robotics_toolbox; and AbstractRobot, the base of real drivers, which
needs both of the first two. The rules are theirs as observed, not the standard's; a test runs them side by side.
"""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from swgrm.findings import Findings
from swgrm_exporters.robotinfo.fit import fit
from swgrm_exporters.robotinfo.info_parser import Complaints, parser_complaints
from swgrm_exporters.robotinfo.kinematic_readers import (
    driver_complaints,
    misindexed,
    toolbox_complaints,
    util_complaints,
)
from swgrm_exporters.robotinfo.schema import ROOT, YamlValue


class ReaderProgram(StrEnum):
    """The programs that read RobotInfo."""

    INFO_PARSER = "InfoParser"
    ROBOT_UTIL = "RobotUtil"
    TOOLBOX = "general_robotics_toolbox"
    ABSTRACT_ROBOT = "AbstractRobot"


class ReaderRefusal(NamedTuple):
    """A program that refuses the document, the place, and the reason."""

    program: ReaderProgram
    place: str
    reason: str


def lint(document: YamlValue, findings: Findings) -> None:
    """Report everything about a document that a user should know before another program reads it."""
    by_place: dict[tuple[str, str], list[ReaderProgram]] = {}
    for program, place, reason in refusals(document):
        by_place.setdefault((place, reason), []).append(program)
    refused = {place for place, _ in by_place}
    misfits = findings.fresh()
    fit(document, ROOT, misfits)
    findings.extend(each for each in misfits if each.code != "robotinfo-wrong" or each.where not in refused)
    for (place, reason), programs in by_place.items():
        names = ", ".join(program for program in ReaderProgram if program in programs)
        findings.add("robotinfo-refused", place, programs=names, reason=reason)
    if any(misindexed(document)):
        findings.add("robotinfo-misindexed", "chains")


def refusals(document: YamlValue) -> list[ReaderRefusal]:
    """Which programs refuse a document, where and why."""

    def refused(program: ReaderProgram, complaints: Complaints) -> list[ReaderRefusal]:
        return [ReaderRefusal(program, *complaint) for complaint in complaints]

    parser = refused(ReaderProgram.INFO_PARSER, parser_complaints(document))
    util = [] if parser else refused(ReaderProgram.ROBOT_UTIL, util_complaints(document))
    driver = [] if parser else refused(ReaderProgram.ABSTRACT_ROBOT, driver_complaints(document))
    toolbox = refused(ReaderProgram.TOOLBOX, toolbox_complaints(document))
    inherited = [each._replace(program=other) for each in (*parser, *util) for other in _NEEDED_BY[each.program]]
    return [*parser, *util, *driver, *inherited, *toolbox]


_NEEDED_BY = {
    ReaderProgram.INFO_PARSER: (ReaderProgram.ROBOT_UTIL, ReaderProgram.ABSTRACT_ROBOT),
    ReaderProgram.ROBOT_UTIL: (ReaderProgram.ABSTRACT_ROBOT,),
}
