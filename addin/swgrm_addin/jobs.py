"""The jobs that the add-in and the batch give to a child process, and what it answers.

`swgrm.processes.protocol` describes how they are sent; `job_program` does them. Paths are texts;
"" stands for none.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any, Literal

import msgspec

from swgrm.processes.child import NO_LIMITS, Child, python_command
from swgrm.processes.limits import ChildLimits
from swgrm.processes.protocol import Job

PROGRAM = "swgrm_addin.job_program"


class ExportJob(Job, frozen=True, tag="export"):
    """Export a source into a folder; the result is an `ExportResult`."""

    source: str
    folder: str = ""  # to write into; "": the one that the settings name, or else `default_folder`
    default_folder: str = ""
    formats: tuple[str, ...] = ()  # (): those that the settings name, or else the usual ones
    settings: str = ""  # "": the file beside the source, if there is one
    # Settings by section, which take precedence over the file.
    options: dict[str, dict[str, Any]] = msgspec.field(default_factory=dict)
    configuration: str = ""
    instance: str = ""  # the address of the SolidWorks that opens the document
    # What is done with files of the user in the way of new ones.
    edited: Literal["keep", "replace", "refuse"] = "keep"


class ExportResult(msgspec.Struct, frozen=True):
    """What was exported; the findings are events of their own."""

    robot: str
    folder: str
    links: int
    joints: dict[str, int]  # the number of moving joints of each type
    sensors: int
    mass: float  # [kg]
    files: tuple[str, ...]
    references: tuple[str, ...] = ()  # the files that SolidWorks read, where they are known
    reading: str = ""  # in which way and how long SolidWorks read the document


class CheckJob(Job, frozen=True, tag="check"):
    """Check a source; there is no result but the findings."""

    source: str
    settings: str = ""


class SettingsJob(Job, frozen=True, tag="settings"):
    """Write the settings file of a source with the inferred values; there is no result."""

    source: str
    file: str


class ReportJob(Job, frozen=True, tag="report"):
    """Write the report of a problem with a source; the result is a `ReportResult`."""

    source: str
    file: str
    with_names: bool


class ReportContent(msgspec.Struct, frozen=True):
    """One file in a report."""

    name: str
    what: str  # it contains
    size: int  # [bytes]


class ReportResult(msgspec.Struct, frozen=True):
    """What a report contains."""

    contents: tuple[ReportContent, ...]


class JudgeJob(Job, frozen=True, tag="judge"):
    """Judge a self-test that ran in SolidWorks, and write its file; gives a `JudgeResult`."""

    folder: str  # of the run
    file: str


class JudgeResult(msgspec.Struct, frozen=True):
    """The verdicts of a self-test."""

    verdicts: dict[str, int]  # the number of checks with each verdict
    refuted: tuple[str, ...]  # the conventions that differ


class ReviewJob(Job, frozen=True, tag="review"):
    """Serve the review page of a source until it is closed, with events of `ReviewEvent`."""

    source: str
    settings: str  # the file to write
    folder: str = ""  # for Export on the page, unless the settings name one


class PageEvent(msgspec.Struct, frozen=True, tag="page"):
    """The page is served."""

    file: str  # that leads a browser to the page, once; the address itself has a secret


class SelectionEvent(msgspec.Struct, frozen=True, tag="selection"):
    """A joint was selected on the page."""

    components: tuple[str, ...]  # between which it is; none if nothing is selected


class PageExportEvent(msgspec.Struct, frozen=True, tag="page-export"):
    """The robot was exported from the page."""

    folder: str


ReviewEvent = PageEvent | SelectionEvent | PageExportEvent


class WaitJob(Job, frozen=True, tag="wait"):
    """Wait until the SolidWorks with that process id can open documents; there is no result."""

    process: int


AnyJob = ExportJob | CheckJob | SettingsJob | ReportJob | JudgeJob | ReviewJob | WaitJob


def start_program(
    python: Path | str = sys.executable,
    *,
    limits: ChildLimits = NO_LIMITS,
    is_polled: bool = False,
    is_recorded: bool = False,
) -> Child:
    """Start a child process that does these jobs."""
    command = python_command(PROGRAM, python=python)
    return Child(command, limits=limits, is_polled=is_polled, is_recorded=is_recorded)
