"""Orders of other programs: taken at once, run one after the other by a timer inside SolidWorks, asked for by ticket.

While the add-in handles a call from another process, SolidWorks treats its calls as calls from that process, which are
slow. A timer on SolidWorks' own message loop runs outside of any such call.
"""

from __future__ import annotations

import logging
import os
import time
from collections.abc import Callable, Sequence
from typing import Literal, Protocol

import msgspec

from swgrm.errors import Cancelled, SwgrmError
from swgrm.processes.protocol import ProgressEvent
from swgrm_addin.inside import messages
from swgrm_addin.inside.addin_folders import AddinFolders
from swgrm_addin.inside.subprocess_runner import UserInterface
from swgrm_addin.inside.timers import one_at_a_time

PERIOD = 50  # [ms] between two looks at the queue
KEPT = 100  # finished orders whose state can be asked for

OrderKind = Literal["capture", "export", "highlight"]
ENDED = ("done", "failed", "cancelled")

logger = logging.getLogger("swgrm.addin")


class OrderState(msgspec.Struct, omit_defaults=True):
    """The state of an order, as `State` returns it."""

    ticket: str
    state: Literal["queued", "running", "done", "failed", "cancelled", "unknown"]
    kind: OrderKind | None = None
    document: str = ""
    ahead: int = 0  # the number of orders that run before this one
    step: str = ""  # what is being done
    progress: float = 0.0  # the share of that step (0 to 1)
    files: tuple[str, ...] = ()
    findings: tuple[dict[str, str], ...] = ()
    summary: str = ""
    message: str = ""  # why there is no result
    waited: float = 0.0  # [s] in the queue
    took: float = 0.0  # [s] from then to the end


class Order:
    """One order. What runs it calls `report` meanwhile, and `finish` or `fail` at the end."""

    def __init__(
        self, ticket: str, kind: OrderKind, document: str, target: str, configuration: str, tolerance: float = 0.0
    ) -> None:
        self.document, self.target, self.configuration, self.tolerance = document, target, configuration, tolerance
        self.state = OrderState(ticket, "queued", kind, document)
        self.is_cancelled = False
        self._since = time.monotonic()

    def start(self) -> None:
        """Note that the order runs."""
        self.state.waited, self._since = time.monotonic() - self._since, time.monotonic()
        self.state.state = "running"

    def report(self, fraction: float, what: str) -> None:
        """Note the progress; raises Cancelled if the order was cancelled."""
        self.state.step, self.state.progress = what, fraction
        if self.is_cancelled:
            raise Cancelled(f"The order was cancelled while reading {what}. Nothing was written.")

    def finish(self, summary: str, files: Sequence[str], findings: Sequence[dict[str, str]]) -> None:
        """Note the result."""
        self._end("done")
        self.state.summary, self.state.files, self.state.findings = summary, tuple(files), tuple(findings)

    def fail(self, error: SwgrmError) -> None:
        """Note that there is no result, and why."""
        self._end("cancelled" if isinstance(error, Cancelled) else "failed")
        self.state.message = str(error)

    def _end(self, state: Literal["done", "failed", "cancelled"]) -> None:
        self.state.took = time.monotonic() - self._since
        self.state.state, self.state.step, self.state.progress = state, "", 0.0


class OrderHost(Protocol):
    """What the queue needs of the session that runs its orders."""

    ui: UserInterface
    folders: AddinFolders

    def is_busy(self) -> bool:
        """Whether a document is being read or a job is running."""

    def run_order(self, order: Order) -> None:
        """Run an order; an export may still be running afterwards."""

    def job_progress(self) -> ProgressEvent | None:
        """The progress of the job that is running."""

    def cancel_job(self, error: Cancelled) -> None:
        """End the job that is running with that error."""


class OrderQueue:
    """The orders of one session. They run one after the other, and never while a button's command runs."""

    def __init__(self, host: OrderHost) -> None:
        self._host = host
        self._orders: dict[str, Order] = {}  # by ticket, in the order in which they came
        self._running: Order | None = None
        self._count = 0
        self._stop_timer: Callable[[], object] | None = None

    def take(self, kind: OrderKind, document: str, target: str, configuration: str, tolerance: float = 0.0) -> str:
        """Take an order; returns its ticket at once."""
        self._count += 1
        ticket = f"{os.getpid()}-{time.time_ns():x}-{self._count}"  # unlike those of an earlier SolidWorks
        self._orders[ticket] = Order(ticket, kind, document, target, configuration, tolerance)
        self._forget(newest=ticket)
        if self._stop_timer is None:
            self._stop_timer = self._host.ui.start_timer(PERIOD, one_at_a_time(self.tick))
        return ticket

    def state(self, ticket: str) -> OrderState:
        """The state of an order now."""
        order = self._orders.get(ticket)
        if order is None:
            message = (
                f"There is no order {ticket} in this session of SolidWorks. It may belong to a SolidWorks that was "
                "closed, or have ended long ago. Give the order again."
            )
            return OrderState(ticket, "unknown", message=message)
        if order.state.state == "queued":
            order.state.ahead = [other.state.ticket for other in self._waiting()].index(ticket) + bool(self._running)
        elif order is self._running and (job := self._host.job_progress()):
            order.state.step, order.state.progress = job.step, job.done
        return order.state

    def cancel(self, ticket: str) -> OrderState:
        """Cancel an order that has not ended; returns its state, which a reading changes only at its next step."""
        order = self._orders.get(ticket)
        if order is not None and order.state.state == "queued":
            order.fail(Cancelled("The order was cancelled before it began."))
        elif order is not None and order is self._running:
            order.is_cancelled = True
            if self._host.job_progress():
                self._host.cancel_job(Cancelled("The order was cancelled. Nothing was written."))
        return self.state(ticket)

    def tick(self) -> None:
        """Run the next order, if nothing else is being done; called by the timer."""
        running = self._running
        if running is not None and running.state.state in ENDED:
            self._running = running = None
        if running is not None or self._host.is_busy():
            return
        order = next(iter(self._waiting()), None)
        if order is None:
            self._stop()
            return
        self._running = order
        order.start()
        logger.info("order %s: %s of %s", order.state.ticket, order.state.kind, order.document or "the active document")
        try:
            self._host.run_order(order)
        except SwgrmError as error:
            logger.error("order %s: %s", order.state.ticket, error)
            order.fail(error)
        except BaseException as error:
            logger.exception("order %s", order.state.ticket)
            order.fail(SwgrmError(messages.unexpected_error(f"The {order.state.kind}", error, self._host.folders)))

    def close(self) -> None:
        """Cancel all orders, because the add-in is unloaded."""
        self._stop()
        for order in self._orders.values():
            if order.state.state not in ENDED:
                order.fail(Cancelled("swgrm was unloaded from SolidWorks before the order was finished."))
        self._running = None

    def _waiting(self) -> list[Order]:
        return [order for order in self._orders.values() if order.state.state == "queued"]

    def _forget(self, newest: str) -> None:
        """Drop the oldest orders that have ended, beyond the number that is kept; only the newest highlight counts."""
        for ticket, order in tuple(self._orders.items()):
            if order.state.kind == "highlight" and order is not self._running and ticket != newest:
                del self._orders[ticket]
        ended = [ticket for ticket, order in self._orders.items() if order.state.state in ENDED]
        for ticket in ended[: max(0, len(ended) - KEPT)]:
            del self._orders[ticket]

    def _stop(self) -> None:
        if self._stop_timer is not None:
            self._stop_timer()
            self._stop_timer = None
