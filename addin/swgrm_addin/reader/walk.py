"""The state that the reader's steps share: port, progress and findings; and the guards for what cannot be read."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from swgrm.errors import CallError, Cancelled
from swgrm.findings import Findings
from swgrm.typevars import T
from swgrm_addin.port import Port, Subject
from swgrm_addin.reader.ways import ask

ProgressCallback = Callable[[float, str], object]
Keep = Callable[[tuple[str, ...], list[bytes]], bytes]
"""Keeps the triangles of a shape, given its key and those of each face; returns what its record contains of them."""


class Walk:
    """The reading of one document."""

    def __init__(
        self, port: Port, report: ProgressCallback, guard: Any, findings: Findings, tolerance: float = 0.0,
        keep: Keep | None = None,
    ) -> None:  # fmt: skip
        self.port, self.guard, self.findings = port, guard, findings
        self.keep = keep or in_memory
        self._report, self._fraction = report, 0.0
        self.tolerance = tolerance  # [m] of meshes; 0: the triangles of the display
        self.reuses_mass_object = False
        self.not_loaded: set[tuple[str, str]] = set()  # files and configurations that SolidWorks does not load

    def progress(self, fraction: float, what: str) -> None:
        """Report the progress (0 to 1), at most a hundred times and never backwards."""
        if fraction >= self._fraction + 0.01:
            self._fraction = fraction
            self._report(fraction, what)

    def item(self, what: str, effect: str = "it is left out") -> Item:
        """A context for one item, such as "mate Coincident5": if a call fails, a finding names it, and it ends here."""
        return Item(self, what, effect)

    def attempt(self, action: Callable[[], T], default: T, effect: str) -> T:
        """The result of the action; if a call fails, the default and a finding that names the effect."""
        try:
            return action()
        except CallError as error:
            self.not_read(error, effect)
            return default

    def not_read(self, error: CallError, effect: str) -> None:
        """Add a finding for what is being read."""
        where = self.port.subject or "the document"
        self.findings.add("not-read", where, member=error.member, problem=error.problem, effect=effect)


def in_memory(_: tuple[str, ...], faces: list[bytes]) -> bytes:
    """Keeps the triangles of a shape in its record."""
    return b"".join(faces)


class Item(Subject):
    """The context of one item that may fail."""

    __slots__ = ("effect", "walk")

    def __init__(self, walk: Walk, what: str, effect: str) -> None:
        super().__init__(walk.port.subjects, what)
        self.walk, self.effect = walk, effect

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: object) -> bool | None:
        if isinstance(error, CallError):
            self.walk.not_read(error, self.effect)
        super().__exit__(kind, error, trace)
        return isinstance(error, CallError)


def active_configuration(document: Any) -> Any:
    """The active configuration of a document (IConfiguration)."""
    return ask("active configuration", document)


def root_component(document: Any) -> Any:
    """The root component of a document; None if it has none, as a part."""
    return ask("root component", active_configuration(document))


def active_document(application: Any) -> Any:
    """The active document; None if there is none."""
    return ask("active document", application)


def appearance(values: tuple[float, ...]) -> tuple[float, ...] | None:
    """The nine values of an appearance, unchanged; None if none is set: SolidWorks then returns nothing, or all -1."""
    is_set = len(values) == 9 and all(map(math.isfinite, values)) and set(values) != {-1.0}
    return values if is_set else None


def cancelled(what: str) -> Cancelled:
    """The error for the user's Cancel."""
    return Cancelled(f"Cancelled while reading {what}. Nothing was changed or written.")
