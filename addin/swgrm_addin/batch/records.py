"""The batch's records: the task for one document, its result, and the report of a run."""

from __future__ import annotations

from pathlib import Path
from typing import Literal, get_args

import msgspec

JOURNAL, JSON_REPORT, HTML_REPORT = OWN_FILES = ("batch.journal", "batch.json", "batch.html")  # in the output folder
Status = Literal["exported", "unchanged", "failed", "missing"]
STATUSES = get_args(Status)
COMPLETE = ("exported", "unchanged")
OUTCOMES = ("exported", "exported with errors", "unchanged", "unchanged with errors", "failed", "missing")


class BatchOptions(msgspec.Struct, frozen=True):
    """The options that apply to every document of a run."""

    formats: tuple[str, ...] = ()
    configuration: str = ""
    timeout: float = 3600.0  # [s] for one document; 0: no limit
    restart_every: int = 50  # documents after which a SolidWorks instance is replaced; 0: never
    attach: bool = False  # use the SolidWorks that the user has open


class Task(msgspec.Struct, frozen=True):
    """One document to be exported. Only paths and options, so that it can be sent to other machines."""

    document: str  # its path below the folder, with forward slashes: its name in journal and report
    source: Path
    out: Path
    instance_kind: str = ""  # the kind of SolidWorks instance that must open it; "" if none is needed
    settings: Path | None = None
    options: BatchOptions = BatchOptions()


class Failure(msgspec.Struct, frozen=True):
    """Why an attempt failed: the kind of error, a sentence, and the remedy."""

    kind: str
    message: str
    remedy: str = ""


class ExportSummary(msgspec.Struct, frozen=True):
    """What a worker reports about its export."""

    robot: str = ""
    links: int = 0
    joints: int = 0  # without fixed ones
    findings: tuple[dict[str, str], ...] = ()
    files: tuple[str, ...] = ()
    references: tuple[str, ...] = ()  # the files that the document refers to
    reading: str = ""  # in which way and how long SolidWorks read the document

    @property
    def has_errors(self) -> bool:
        """Whether a finding is of severity error."""
        return any(finding["severity"] == "error" for finding in self.findings)


class DocumentResult(msgspec.Struct, frozen=True):
    """The result of one document."""

    document: str
    status: Status
    folder: str = ""
    seconds: float = 0.0
    summary: ExportSummary = ExportSummary()
    failures: tuple[Failure, ...] = ()  # one per failed attempt; an exported document may have one, too
    inputs: dict[str, str] = {}  # the SHA-256 of every input file ("" if it did not exist)
    key: str = ""  # the hash of the other inputs: options and version
    output: str = ""  # the hash of the list of output files

    @property
    def outcome(self) -> str:
        """The status in words: a document whose findings contain an error is `exported with errors`."""
        return f"{self.status} with errors" if self.status in COMPLETE and self.summary.has_errors else self.status


class BatchReport(msgspec.Struct, frozen=True):
    """The report of a run, as batch.json contains it."""

    version: str
    folder: str
    out: str
    started: str
    seconds: float
    documents: tuple[DocumentResult, ...]

    @property
    def counts(self) -> dict[str, int]:
        """The number of documents by outcome."""
        every = [result.outcome for result in self.documents]
        return {outcome: every.count(outcome) for outcome in OUTCOMES if outcome in STATUSES or outcome in every}

    @property
    def is_complete(self) -> bool:
        """Whether every document is exported."""
        return all(result.status in COMPLETE for result in self.documents)

    @property
    def has_problems(self) -> bool:
        """Whether a document is not exported, or is exported with errors."""
        return not self.is_complete or any(result.summary.has_errors for result in self.documents)
