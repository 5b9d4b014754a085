"""The work that goes on in a child process while the user goes on in SolidWorks: one at a time, watched by a timer."""

from __future__ import annotations

import contextlib
import logging
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import msgspec

from swgrm.capture import Capture, save
from swgrm.errors import Cancelled, SolidWorksError, SwgrmError
from swgrm.swconst import swUpdateProgressError_e
from swgrm_addin.inside import words
from swgrm_addin.inside.child import Child, Outcome
from swgrm_addin.inside.places import Places

EVERY = 200  # [ms] between two looks at the child
PATIENCE = 900.0  # [s] without a word from the child
LEFTOVER = 86400.0  # [s] after which nobody works on a capture any more
USER_CANCEL = swUpdateProgressError_e.swUpdateProgressError_UserCancel

logger = logging.getLogger("swgrm.addin")


class Desk(Protocol):
    """What the user's machine can do for us."""

    def every(self, milliseconds: int, action: Callable[[], object]) -> Callable[[], object]:
        """Have the message loop call the action again and again; gives what stops it."""

    def wait(self) -> None:
        """Let messages be handled for a moment."""

    def open(self, path: Path) -> None:
        """Show a file or folder to the user."""

    def leash(self, process: subprocess.Popen[bytes]) -> object:
        """Something that ends the process when it is let go of, also because we ended."""


class Order(NamedTuple):
    """What a child is to do: what to call it, its command line but for the Python, and who hears how it ended.

    `finish` gets the outcome; `fail` an error instead: it could not be done, or the user cancelled it.
    """

    doing: str
    arguments: list[str]
    finish: Callable[[Outcome], object]
    fail: Callable[[SwgrmError], object]
    good: tuple[int, ...] = (0,)  # exit codes of work that was done
    answers: bool = True  # in JSON, on its standard output

    def is_done(self, outcome: Outcome) -> bool:
        """Whether the work was done. Some ways to end a process by force leave an exit code of 0."""
        if outcome.code not in self.good:
            return False
        try:
            return not self.answers or msgspec.json.decode(outcome.output) is not None
        except msgspec.DecodeError:
            return False


class Worker:
    """Runs one order at a time."""

    def __init__(self, application: Any, desk: Desk, places: Places, python: Path) -> None:
        self.application, self.desk, self.places, self.python = application, desk, places, python
        self.doing = ""
        self._order: Order | None = None
        self._child: Child | None = None
        self._bar: Any = None
        self._stop_timer: Callable[[], object] = bool
        self._folder = Path()
        self._clear_leftovers()

    def check_free(self) -> None:
        """Refuse a second order."""
        if self.doing:
            raise SolidWorksError(f"swgrm is still at work ({self.doing}). Wait for its end, or cancel it.")

    def start(self, capture: Capture, name: str, order: Order) -> None:
        """Save the capture where the child finds it (CAPTURE in the order's arguments), and start the child."""
        self.check_free()
        self.places.work.mkdir(parents=True, exist_ok=True)
        self._folder = Path(tempfile.mkdtemp(dir=self.places.work))
        file = self._folder / f"{name}.swcap"
        save(capture, file)
        words_of_child = [str(file) if word == CAPTURE else word for word in order.arguments]
        command = [str(self.python), "-X", "utf8", "-m", "swgrm_addin", *words_of_child]
        try:
            self._child = Child(command, self.desk.leash)
        except OSError as error:
            self._put_away(failed=True)
            reason = (
                f"swgrm: {self.python} cannot be started: {error.strerror or error}. Run swgrm's set-up program again."
            )
            raise SwgrmError(words.child_failed(order.doing, -1, reason, self.places)) from error
        logger.info("%s: process %d: %s", order.doing, self._child.id, subprocess.list2cmdline(command))
        self.doing, self._order = order.doing, order
        self._show_bar()
        self._stop_timer = self.desk.every(EVERY, self.tick)

    def tick(self) -> None:
        """Look after the child; called by the timer. Whatever happens, it is the order that hears of it."""
        if self._child is None or self._order is None:
            return
        order = self._order
        try:
            outcome = self._look(self._child)
            if outcome is not None:
                self._finish(order, outcome)
        except BaseException as error:
            self.abandon(failed=not isinstance(error, Cancelled))
            if isinstance(error, SwgrmError):
                order.fail(error)
            else:
                logger.exception("%s", order.doing)
                order.fail(SwgrmError(words.unexpected(order.doing, error, self.places)))

    def wait(self) -> None:
        """Wait until the order is done; the user can go on meanwhile."""
        while self.doing:
            self.desk.wait()

    def abandon(self, *, failed: bool = False) -> None:
        """End the child, if there is one, and forget the order."""
        if self._child is not None:
            self._child.end()
        self._stop_timer()
        with contextlib.suppress(SolidWorksError):
            if self._bar is not None:
                self._bar.End()
        self._put_away(failed=failed)
        self.doing, self._order, self._child, self._bar, self._stop_timer = "", None, None, None, bool

    def _look(self, child: Child) -> Outcome | None:
        outcome = child.poll()
        if outcome is not None:
            return outcome
        if self._bar is not None and self._bar.UpdateProgress(round(100 * child.done)) == USER_CANCEL:
            raise Cancelled(f"{self.doing} was cancelled. Nothing was written.")
        if child.silence > PATIENCE:
            logger.error("%s: process %d said nothing for %.0f s; ended it", self.doing, child.id, PATIENCE)
            raise SwgrmError(words.child_hung(self.doing, child.step, PATIENCE, self.places))
        return None

    def _finish(self, order: Order, outcome: Outcome) -> None:
        good = order.is_done(outcome)
        logger.log(
            logging.INFO if good else logging.ERROR, "%s: exit code %d\n%s", order.doing, outcome.code, outcome.said
        )
        self.abandon(failed=not good)
        if good:
            order.finish(outcome)
        else:
            order.fail(SwgrmError(words.child_failed(order.doing, outcome.code, outcome.said, self.places)))

    def _show_bar(self) -> None:
        available, bar = self.application.GetUserProgressBar()
        if available and bar.Start(0, 100, f"swgrm: {self.doing}"):
            self._bar = bar

    def _put_away(self, *, failed: bool) -> None:
        """Remove the capture that was worked on; that of a failure is kept, to be reported."""
        with contextlib.suppress(OSError):
            for capture in self._folder.glob("*.swcap") if failed and self._folder != Path() else ():
                capture.replace(self.places.failed)
        if self._folder != Path():
            shutil.rmtree(self._folder, ignore_errors=True)
            self._folder = Path()

    def _clear_leftovers(self) -> None:
        """Remove what sessions that were ended by force left behind."""
        for folder in self.places.work.glob("*"):
            with contextlib.suppress(OSError):
                if folder.stat().st_mtime < time.time() - LEFTOVER:
                    shutil.rmtree(folder, ignore_errors=True)


CAPTURE = "<capture>"  # stands for the capture's file in an order's arguments
