"""What a user must know but need not stop for: findings, with stable codes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import IntEnum
from itertools import groupby

import msgspec

MOST_PLACES = 6  # that are listed for findings of one kind


class Severity(IntEnum):
    """How much a finding matters: a note informs, a warning wants a look, an error makes the result wrong."""

    NOTE = 0
    WARNING = 1
    ERROR = 2


class Finding(msgspec.Struct, frozen=True, order=True):
    """One thing found: how bad, which kind (a stable code), where, and a sentence."""

    severity: Severity
    code: str
    where: str
    message: str

    def plain(self) -> dict[str, str]:
        """The finding for programs, its severity as a word."""
        return {
            "severity": self.severity.name.lower(),
            "code": self.code,
            "where": self.where,
            "message": self.message,
        }

    @classmethod
    def from_plain(cls, data: Mapping[str, str]) -> Finding:
        """The finding that `plain` made the data of."""
        return cls(Severity[data["severity"].upper()], data["code"], data["where"], data["message"])

    def __str__(self) -> str:
        return f"{self.severity.name.lower()} {self.code} at {self.where}: {self.message}"


def problems(findings: Iterable[Finding]) -> list[Finding]:
    """The findings that are more than notes."""
    return [finding for finding in findings if finding.severity > Severity.NOTE]


def by_kind(findings: Iterable[Finding]) -> list[list[Finding]]:
    """Worst first, those of one kind together."""
    ordered = sorted(findings, key=lambda f: (-f.severity, f.code, f.where))
    return [list(alike) for _, alike in groupby(ordered, key=lambda f: (f.severity, f.code))]


def more_like_it(others: list[Finding]) -> str:
    """How many further findings of a kind there are, and where."""
    places = ", ".join(dict.fromkeys(other.where for other in others[:MOST_PLACES]))
    return f"and {len(others)} more like it: {places}{', …' if len(others) > MOST_PLACES else ''}"
