"""The methods of the add-in for other programs: done at once, or ordered and done by a timer inside SolidWorks."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable
from time import perf_counter
from typing import Any, NamedTuple, Protocol
from weakref import proxy

import msgspec

from swgrm import __version__
from swgrm.capture import save_streamed
from swgrm.errors import Cancelled, SwgrmError
from swgrm.findings import Finding
from swgrm.processes.protocol import ProgressEvent
from swgrm_addin.inside.addin_folders import AddinFolders
from swgrm_addin.inside.highlight import Highlight
from swgrm_addin.inside.orders import Order, OrderQueue
from swgrm_addin.inside.subprocess_runner import SubprocessRunner, UserInterface
from swgrm_addin.inside.working_capture import WorkingCapture
from swgrm_addin.reader.opening import release_objects
from swgrm_addin.reader.walk import ProgressCallback

SEPARATOR = "\n"  # between the components of a highlight

logger = logging.getLogger("swgrm.addin")

AUTOMATION = {  # methods for other programs
    "Capture": "capture",
    "Export": "export",
    "QueueCapture": "queue_capture",
    "QueueExport": "queue_export",
    "State": "state",
    "Cancel": "cancel",
    "Version": "version",
}


class Exported(NamedTuple):
    """The result of an export."""

    summary: str
    files: list[str]
    findings: list[dict[str, str]]


class Steps(Protocol):
    """The steps of a session that its commands consist of."""

    application: Any
    ui: UserInterface
    folders: AddinFolders
    runner: SubprocessRunner
    highlight: Highlight

    def is_busy(self) -> bool:
        """Whether a document is being read, a job is running, or a command shows a message."""

    def read(
        self, document: str, configuration: str, report: ProgressCallback | None = None, *, in_call: bool = False,
        tolerance: float = 0.0,
    ) -> WorkingCapture:  # fmt: skip
        """Read a document."""

    def export(
        self, reading: WorkingCapture, folder: str,
        on_finish: Callable[[Exported], object], on_error: Callable[[SwgrmError], object],
    ) -> None:  # fmt: skip
        """Export what was read, in a subprocess."""


class Programs:
    """What other programs may call."""

    def __init__(self, session: Steps) -> None:
        self.session, self.ui, self.folders = session, session.ui, session.folders
        self.orders = OrderQueue(proxy(self))

    def capture(self, document: str, file: str, configuration: str = "") -> str:
        """Read a document ("" is the active one) into a capture file; returns the findings as JSON."""
        reading = self.session.read(document, configuration, in_call=True)
        _save(reading, file)
        return msgspec.json.encode(plain(reading.findings)).decode()

    def export(self, document: str, folder: str, configuration: str = "") -> str:
        """Export a document ("" is the active one) into a folder ("" is the usual one); returns the summary."""
        results: list[Exported] = []
        errors: list[SwgrmError] = []
        reading = self.session.read(document, configuration, in_call=True)
        self.session.export(reading, folder, results.append, errors.append)
        self.session.runner.wait()
        if errors:
            raise errors[0]
        return results[0].summary

    def queue_capture(self, document: str, file: str, configuration: str = "", tolerance: float = 0.0) -> str:
        """Order a capture; returns the ticket at once. `tolerance` [m] is that of the meshes; 0: as displayed."""
        return self.orders.take("capture", document, file, configuration, float(tolerance))

    def queue_export(self, document: str, folder: str, configuration: str = "") -> str:
        """Order an export; returns the ticket at once."""
        return self.orders.take("export", document, folder, configuration)

    def queue_highlight(self, document: str, components: Iterable[str]) -> str:
        """Order that exactly these components are highlighted; for the add-in's own review, not for other programs."""
        return self.orders.take("highlight", document, SEPARATOR.join(components), "")

    def state(self, ticket: str) -> str:
        """The state of an order, as JSON."""
        return msgspec.json.encode(self.orders.state(ticket)).decode()

    def cancel(self, ticket: str) -> str:
        """Cancel an order; returns its state, as JSON."""
        return msgspec.json.encode(self.orders.cancel(ticket)).decode()

    def version(self) -> str:
        """The version of swgrm."""
        return __version__

    # ------------------------------------------------------------------ what the queue needs

    def is_busy(self) -> bool:
        """Whether a document is being read, a job is running, or a command shows a message."""
        return self.session.is_busy()

    def run_order(self, order: Order) -> None:
        """Run an order; an export continues in the subprocess."""
        if order.state.kind == "highlight":
            self.session.highlight.show(order.document, [name for name in order.target.split(SEPARATOR) if name])
            release_objects(self.session.application)
            order.finish("", [], [])
            return
        reading = self.session.read(order.document, order.configuration, order.report, tolerance=order.tolerance)
        if order.state.kind == "export":
            self.session.export(reading, order.target, lambda result: order.finish(*result), order.fail)
        else:
            _save(reading, order.target)
            order.finish("", [order.target], plain(reading.findings))

    def job_progress(self) -> ProgressEvent | None:
        """The progress of the job that is running."""
        return self.session.runner.progress

    def cancel_job(self, error: Cancelled) -> None:
        """End the job that is running with that error."""
        self.session.runner.cancel(error)


def _save(reading: WorkingCapture, file: str) -> None:
    """Save a capture for another program, compressed; SolidWorks waits meanwhile."""
    start = perf_counter()
    try:
        save_streamed(reading.file, file)
    finally:
        reading.folder.remove()
    logger.info("saved %s: SolidWorks waited %.2f s more", file, perf_counter() - start)


def plain(findings: Iterable[Finding]) -> list[dict[str, str]]:
    """The findings as data for JSON."""
    return [finding.plain() for finding in findings]
