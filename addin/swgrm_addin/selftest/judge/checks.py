"""The checks of the self-test, as data of the report: hypotheses, what was seen, and the verdict."""

from __future__ import annotations

from enum import StrEnum

import msgspec

from swgrm.capture import PartShape


class Verdict(StrEnum):
    """What became of a check."""

    CONFIRMED = "confirmed"
    REFUTED = "refuted"
    UNDECIDED = "undecided"
    MEASURED = "measured"  # a number without an expectation


class Hypothesis(msgspec.Struct, frozen=True):
    """A hypothesis, and whether what was seen agrees with it; None if it does not tell."""

    text: str
    fits: bool | None = None


class Check(msgspec.Struct, frozen=True):
    """A check: what it is about, which questions it settles, and its result."""

    id: str
    title: str
    settles: str
    hypotheses: tuple[Hypothesis, ...]
    seen: str
    verdict: Verdict


class ConventionVerdict(msgspec.Struct, frozen=True):
    """What became of a convention: the choice that is built in, and those that agree with what was seen."""

    key: str
    default: str
    fitting: tuple[str, ...]
    verdict: Verdict
    seen: str = ""

    @property
    def correction(self) -> str:
        """The choice that fits where the built-in one does not; "" if there is not exactly one."""
        return self.fitting[0] if self.verdict is Verdict.REFUTED and len(self.fitting) == 1 else ""


def part_of(shape: PartShape) -> str:
    """The part of the tables that a shape is of."""
    return shape.path.rpartition("\\")[2].rpartition(".")[0]


def judged(hypothesis: str, fits: bool | None) -> tuple[tuple[Hypothesis, ...], Verdict]:
    """One hypothesis, with the verdict on it."""
    verdict = Verdict.UNDECIDED if fits is None else Verdict.CONFIRMED if fits else Verdict.REFUTED
    return (Hypothesis(hypothesis, fits),), verdict
