"""What travels and what is kept: the task of one document, its outcome, and the whole report."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import msgspec

JOURNAL, JSON_REPORT, HTML_REPORT = OWN_FILES = ("batch.journal", "batch.json", "batch.html")  # in the output folder
Result = Literal["exported", "unchanged", "failed", "missing"]


class Options(msgspec.Struct, frozen=True):
    """What holds for every document of a run."""

    formats: tuple[str, ...] = ()
    configuration: str = ""
    timeout: float = 3600.0  # [s] for one document; 0: no limit
    restart_every: int = 50  # documents after which a SolidWorks is replaced; 0: never
    attach: bool = False  # use the SolidWorks that the user has open


class Task(msgspec.Struct, frozen=True):
    """One document to be exported: paths and options, nothing else travels."""

    document: str  # its path below the folder, with forward slashes: its name in journal and report
    source: Path
    out: Path
    instance_kind: str = ""  # the kind of SolidWorks instance that must open it; "" if none is needed
    settings: Path | None = None
    options: Options = Options()


class Failure(msgspec.Struct, frozen=True):
    """Why an attempt failed: the kind of error, a sentence, and what to do."""

    kind: str
    message: str
    remedy: str = ""


class Summary(msgspec.Struct, frozen=True):
    """What an export told about itself."""

    robot: str = ""
    links: int = 0
    joints: int = 0  # that move
    findings: tuple[dict[str, str], ...] = ()
    files: tuple[str, ...] = ()
    references: tuple[str, ...] = ()  # the files that the document is made of


class Outcome(msgspec.Struct, frozen=True):
    """What became of a document."""

    document: str
    result: Result
    folder: str = ""
    seconds: float = 0.0
    summary: Summary = Summary()
    failures: tuple[Failure, ...] = ()  # one per failed attempt; a document that was exported may have one
    inputs: dict[str, str] = {}  # every file that went in, with its SHA-256 ("" if it was not there)
    key: str = ""  # the hash of what else decides the output: options and version
    output: str = ""  # the hash of the list of files that came out


class Report(msgspec.Struct, frozen=True):
    """A whole run, for programs."""

    version: str
    folder: str
    out: str
    started: str
    seconds: float
    documents: tuple[Outcome, ...]

    @property
    def counts(self) -> dict[str, int]:
        """How many documents ended how."""
        results = [outcome.result for outcome in self.documents]
        return {result: results.count(result) for result in ("exported", "unchanged", "failed", "missing")}

    @property
    def is_complete(self) -> bool:
        """Whether every document has its robot."""
        return all(outcome.result in ("exported", "unchanged") for outcome in self.documents)
