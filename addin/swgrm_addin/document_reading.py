"""Reads a document by a running SolidWorks: inside it by an order to the add-in, or else from outside, call by call.

Inside SolidWorks a call takes microseconds, from another process about a thousand times as long.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any, NamedTuple

from swgrm.findings import Finding

if TYPE_CHECKING:
    from swgrm.capture import Capture
    from swgrm_addin.reader import Request

INSIDE = "inside SolidWorks, by swgrm's add-in"
LOADED = "inside SolidWorks, by swgrm's add-in, which was loaded for it"
OUTSIDE = (
    "from outside SolidWorks, which takes many times as long as inside, because swgrm's add-in is not loaded there "
    "(Tools > Add-Ins; `swgrm doctor` checks whether it is installed)"
)


class DocumentReading(NamedTuple):
    """A document that was read: its capture, the findings, and in which way and how long [s] it was read."""

    capture: Capture
    findings: tuple[Finding, ...]
    way: str
    seconds: float

    def __str__(self) -> str:
        return f"{self.capture.source.title} was read in {self.seconds:.1f} s, {self.way}."


def read_document(application: Any, request: Request, file: Path) -> DocumentReading:  # noqa: ANN401 - over COM
    """Read a document, by the add-in of that SolidWorks if it can be loaded; it leaves the capture in the file."""
    from swgrm.capture import load
    from swgrm_addin import remote
    from swgrm_addin.reader import read

    order = partial(
        remote.capture, application, request.path, str(file), request.configuration, tolerance=request.tolerance
    )
    start, way = perf_counter(), INSIDE
    findings = order()
    if findings is None and remote.load(application):
        way = LOADED
        findings = order()
    if findings is None:
        way = OUTSIDE
        capture, findings = read(application, request)
    else:
        capture = load(file)
    return DocumentReading(capture, tuple(findings), way, perf_counter() - start)
