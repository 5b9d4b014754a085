"""Findings: what a user should know about a robot, without stopping the work.

`swgrm.findings.codes` lists every kind of finding with its severity, sentence and remedy. Functions that may have
something to report take a `Findings` collector as their last argument:

    findings.add("limits-reversed", f"joint {name}", lower=lower, upper=upper)
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import Generic, NamedTuple, TypeVar

import msgspec

from swgrm.findings.codes import CODES, Severity

T_co = TypeVar("T_co", covariant=True)

MAX_PLACES = 6  # listed per kind of finding in a summary


class Finding(msgspec.Struct, frozen=True, order=True, omit_defaults=True):
    """One finding: its severity, its code in the table, the object that it concerns, and a sentence."""

    severity: Severity
    code: str
    where: str
    message: str
    format: str = ""  # the output format that it concerns; empty: the robot itself

    @property
    def remedy(self) -> str:
        """What the user can do about it, as the table has it; empty if nothing is needed."""
        return CODES[self.code].remedy if self.code in CODES else ""

    @property
    def place(self) -> str:
        """The object that it concerns, with the format if there is one: `urdf: joint elbow`."""
        return f"{self.format}: {self.where}" if self.format else self.where

    def plain(self) -> dict[str, str]:
        """The finding as JSON data, with the severity as a word."""
        found = {
            "severity": self.severity.name.lower(),
            "code": self.code,
            "where": self.where,
            "message": self.message,
            "remedy": self.remedy,
            "format": self.format,
        }
        return {key: value for key, value in found.items() if value or key not in ("remedy", "format")}

    @classmethod
    def from_plain(cls, data: Mapping[str, str]) -> Finding:
        """The inverse of `plain`."""
        severity = Severity[data["severity"].upper()]
        return cls(severity, data["code"], data["where"], data["message"], data.get("format", ""))

    def __str__(self) -> str:
        return f"{self.severity.name.lower()} {self.code} at {self.place}: {self.message}"


def finding(code: str, where: str, format: str = "", **facts: object) -> Finding:  # noqa: A002 - the field's name
    """A finding of the table, its sentence filled in with the facts."""
    kind = CODES[code]
    return Finding(kind.severity, code, where, kind.sentence.format(**facts), format)


class Findings(Sequence[Finding]):
    """The collector that a pipeline passes down; `format` marks everything added as a matter of that format."""

    def __init__(self, findings: Iterable[Finding] = (), *, format: str = "") -> None:  # noqa: A002 - the field's name
        self._found = list(findings)
        self._once: set[Finding] = set()  # those of `add_once`, as they were before folding
        self._format = format
        self._stage = ""  # a temporary folder, whose name is in no finding

    def in_stage(self, folder: Path) -> Findings:
        """A collector of the same findings, which name the files of a temporary folder relative to it."""
        view = self.of_format(self._format)
        view._stage = str(folder)  # noqa: SLF001 - of its own class
        return view

    def _made(self, code: str, where: str, form: str, facts: Mapping[str, object]) -> Finding:
        made = finding(code, where, form, **facts)
        if self._stage and self._stage in made.message:
            message = made.message.replace(f"{self._stage}{os.sep}", "").replace(self._stage, "the output folder")
            made = msgspec.structs.replace(made, message=message)
        return made

    def add(self, code: str, where: str, **facts: object) -> None:
        """Add a finding of the table."""
        self._found.append(self._made(code, where, self._format, facts))

    def add_group(self, code: str, places: Sequence[str], **facts: object) -> None:
        """Add one finding for several objects; its sentence may count them, as `{count}`. None for no object."""
        if places:
            self.add(code, join_places(places), count=len(places), **facts)

    def add_once(self, code: str, where: str, **facts: object) -> None:
        """Add a finding that concerns the robot itself, unless another format reported the same."""
        found = self._made(code, where, "", facts)
        if found not in self._once:
            self._once.add(found)
            self._found.append(found)

    def fresh(self) -> Findings:
        """An empty collector for the same format, for findings that are filtered before they are taken over."""
        fresh = Findings(format=self._format)
        fresh._stage = self._stage
        return fresh

    def of_format(self, name: str) -> Findings:
        """A collector of the same findings that marks what is added to it as a matter of that format."""
        view = Findings(format=name)
        view._found, view._once, view._stage = self._found, self._once, self._stage
        return view

    def extend(self, findings: Iterable[Finding]) -> None:
        """Take over findings that were made elsewhere."""
        self._found.extend(findings)

    def fold(self, start: int) -> None:
        """Make one of the notes from that position on that differ only in their object."""
        self._found[start:] = folded(self._found[start:])

    def __len__(self) -> int:
        return len(self._found)

    def __getitem__(self, index):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN204 - both overloads of Sequence
        return self._found[index]

    def __iter__(self) -> Iterator[Finding]:
        return iter(self._found)


class Result(NamedTuple, Generic[T_co]):
    """What a public function returns where there may be findings beside the value."""

    value: T_co
    findings: tuple[Finding, ...] = ()


def problems(findings: Iterable[Finding]) -> list[Finding]:
    """The findings of severity warning or error."""
    return [each for each in findings if each.severity > Severity.NOTE]


def by_kind(findings: Iterable[Finding]) -> list[list[Finding]]:
    """Groups of findings with the same code and format, worst first."""
    ordered = sorted(findings, key=lambda f: (-f.severity, f.code, f.format, f.where))
    return [list(alike) for _, alike in groupby(ordered, key=lambda f: (f.severity, f.code, f.format))]


def folded(findings: Iterable[Finding]) -> list[Finding]:
    """The findings, with notes that differ only in their object as one: `6 joints (elbow, wrist, …)`."""
    alike: dict[tuple[object, ...], list[Finding]] = {}
    for number, each in enumerate(findings):
        key = (each.code, each.format, each.message) if each.severity is Severity.NOTE else (number,)
        alike.setdefault(key, []).append(each)
    return [
        msgspec.structs.replace(group[0], where=join_places([each.where for each in group])) for group in alike.values()
    ]


def join_places(objects: Iterable[str]) -> str:
    """The objects of findings that are alike, as one text; if all are of one kind, they are counted."""
    places = list(dict.fromkeys(objects))
    kinds = {place.partition(" ")[0] for place in places}
    if len(places) == 1:
        return places[0]
    names = places if len(kinds) > 1 else [place.partition(" ")[2] for place in places]
    shown = ", ".join(names[:MAX_PLACES]) + (", …" if len(names) > MAX_PLACES else "")
    return shown if len(kinds) > 1 else f"{len(names)} {kinds.pop()}s ({shown})"


def more_like_it(others: Sequence[Finding]) -> str:
    """How many further findings of a kind there are, and where."""
    places = list(dict.fromkeys(other.where for other in others[:MAX_PLACES]))
    places += ["…"] if len(others) > MAX_PLACES else []
    separator = "; " if any("," in place for place in places) else ", "
    return f"and {len(others)} more: {separator.join(places)}"


__all__ = [
    "Finding",
    "Findings",
    "Result",
    "Severity",
    "by_kind",
    "finding",
    "folded",
    "join_places",
    "more_like_it",
    "problems",
]
