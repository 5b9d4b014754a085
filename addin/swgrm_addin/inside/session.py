"""The add-in's session with one SolidWorks, from connect to disconnect: its buttons, and the steps of their work."""

from __future__ import annotations

import contextlib
import logging
import time
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any
from weakref import proxy

import msgspec

from swgrm import __version__
from swgrm.errors import Cancelled, EditedFilesError, SolidWorksError, SwgrmError
from swgrm.processes.protocol import ErrorEvent
from swgrm.solidworks.swconst import swDocumentTypes_e
from swgrm.solidworks.swconst_calls import swMessageBoxBtn_e, swMessageBoxIcon_e, swMessageBoxResult_e
from swgrm.storage.files import write_bytes
from swgrm_addin.inside import messages, ribbon
from swgrm_addin.inside.addin_folders import AddinFolders, folder_beside
from swgrm_addin.inside.commands import COMMANDS, Command, Needs
from swgrm_addin.inside.highlight import Highlight
from swgrm_addin.inside.programs import Exported, Programs, plain
from swgrm_addin.inside.review_process import ReviewProcess
from swgrm_addin.inside.selftest_runner import SelfTestRunner
from swgrm_addin.inside.subprocess_runner import JobAnswer, SubprocessJob, SubprocessRunner, UserInterface
from swgrm_addin.inside.working_capture import WorkingCapture, read_for_subprocess
from swgrm_addin.jobs import CheckJob, ExportJob, ExportResult, ReportJob, ReportResult, ReviewJob, SettingsJob
from swgrm_addin.reader import Request
from swgrm_addin.reader.opening import release_objects
from swgrm_addin.reader.walk import ProgressCallback
from swgrm_addin.settings_file import SUFFIX

INFORMATION, WARNING, STOP = (
    swMessageBoxIcon_e.swMbInformation,
    swMessageBoxIcon_e.swMbWarning,
    swMessageBoxIcon_e.swMbStop,
)
OK, YES_NO, YES_NO_CANCEL = swMessageBoxBtn_e.swMbOk, swMessageBoxBtn_e.swMbYesNo, swMessageBoxBtn_e.swMbYesNoCancel
YES, CANCEL = swMessageBoxResult_e.swMbHitYes, swMessageBoxResult_e.swMbHitCancel
READABLE = (swDocumentTypes_e.swDocASSEMBLY, swDocumentTypes_e.swDocPART)
EDITED = EditedFilesError.__name__  # the kind of error of a job that refuses to replace edited files
DOUBLE_CLICK = 0.5  # [s] after a command within which pressing its button again is the second click of a double click
SOON = 1000  # [ms] after which a message of the start is shown

logger = logging.getLogger("swgrm.addin")


class Session:
    """One connection to SolidWorks."""

    def __init__(self, application: Any, ui: UserInterface, folders: AddinFolders, python: Path) -> None:
        self.application, self.ui, self.folders = application, ui, folders
        self.runner = SubprocessRunner(application, ui, folders, python)
        self._last_export = folders.read_history().last
        self._logged: set[str] = set()
        self._reading = ""  # the document that is being read
        self._last_press: tuple[Command, float] | None = None  # the last command, and the time at which it ended
        self._in_press: Command | None = None
        self._stop_message: Callable[[], object] = bool
        self._cookie: int | None = None  # once the ribbon was added
        self._asked_enabled = 0  # how often SolidWorks asked whether a command is available
        self.double_click = DOUBLE_CLICK
        weak = proxy(self)  # no cycle: SolidWorks' application is released with the session
        self.programs = Programs(weak)
        self.highlight = Highlight(application)
        self.review = ReviewProcess(weak, python)
        self.selftest = SelfTestRunner(application, ui, folders, self.runner)

    def connect(self, cookie: int, callbacks: Any) -> None:
        """Register the callbacks and the ribbon in SolidWorks. A ribbon that fails is logged and shown, not raised."""
        self.application.SetAddinCallbackInfo2(0, callbacks, cookie)
        if problem := ribbon.add_and_log(self.application, cookie, self.folders):
            self._stop_message = self.ui.start_timer(SOON, partial(self._show_once, problem))
        self._cookie = cookie
        logger.info("swgrm %s connected to SolidWorks %s", __version__, self.application.RevisionNumber())

    def disconnect(self, cookie: int) -> None:
        """Stop the running job and the orders, and remove the ribbon."""
        self.programs.orders.close()
        self._stop_message()
        self.selftest.stop()
        self.runner.stop()
        self.review.stop()
        ribbon.remove(self.application, cookie)
        logger.info("disconnected")

    def _show_once(self, text: str) -> None:
        self._stop_message()
        self._show(text, WARNING)

    def callbacks(self) -> Mapping[str, Callable[..., object]]:
        """The functions that SolidWorks calls, by name. None of them raises."""
        pressed = {command.callback: partial(self._press, command) for command in COMMANDS}
        return pressed | {command.enabled: partial(self._enabled, command) for command in COMMANDS}

    def is_busy(self) -> bool:
        """Whether a document is being read, a job is running, or a command shows a message."""
        return bool(self._reading or self.runner.current or self.selftest.is_running or self._in_press)

    # ------------------------------------------------------------------ the buttons

    def _press(self, command: Command) -> None:
        """Run a command; errors are shown and logged, never raised. The second click of a double click is ignored."""
        if self._is_second_click(command):
            logger.info("pressed again: %s", command.title)
            return
        logger.info("pressed: %s", command.title)
        outer, self._in_press = self._in_press, command
        try:
            self._run(command)
        except SwgrmError as error:
            self.show_error(error)
        except BaseException as error:
            logger.exception("%s", command.title)
            self._show(messages.unexpected_error(command.title, error, self.folders), STOP)
        self._in_press, self._last_press = outer, (command, time.monotonic())

    def _is_second_click(self, command: Command) -> bool:
        """Whether the command is running, or has just ended: SolidWorks handles clicks while a document is read."""
        if self._in_press is command:
            return True
        last, ended = self._last_press or (None, 0.0)
        return last is command and time.monotonic() - ended < self.double_click

    def _run(self, command: Command) -> None:
        """Run a command, and release the objects of SolidWorks at its end, on this thread, which is SolidWorks' own."""
        try:
            getattr(self, f"_on_{command.callback}")()
        except BaseException as error:
            release_objects(self.application, error)
            raise
        release_objects(self.application)

    def _enabled(self, command: Command) -> int:
        """1 if the command is available, otherwise 0. SolidWorks calls this many times a second."""
        self._asked_enabled += 1
        try:
            is_cancel = command.cancels and bool(self.runner.current)
            return int(is_cancel or command.needs in self._satisfied())
        except BaseException as error:  # noqa: BLE001 - an add-in never throws into its host
            message = f"{command.enabled}: {error}"
            if message not in self._logged:
                self._logged.add(message)
                logger.warning(message)
            return 0

    def _satisfied(self) -> Needs:
        """The conditions that are met now."""
        document = self.application.ActiveDoc
        readable = document is not None and document.GetType() in READABLE
        satisfied = Needs.DOCUMENT if readable else Needs.NOTHING
        if readable and document.GetPathName():
            satisfied |= Needs.FILE
        if not self.is_busy():
            satisfied |= Needs.IDLE
        return satisfied | Needs.EXPORT if self._last_export else satisfied

    def _on_ExportGRM(self) -> None:
        if job := self.runner.current:
            self._offer_cancel(job)
            return
        self.export(self.read("", ""), "", self._offer_folder, self.show_error, asks=True)

    def _offer_cancel(self, job: str) -> None:
        """Ask whether to cancel the job in the background, which may end or be followed by another one meanwhile."""
        if self._ask(messages.CANCEL_JOB.format(job=job), YES_NO) == YES and self.runner.current == job:
            self.runner.cancel(Cancelled(f"{job} was cancelled. Nothing was written."))

    def _offer_folder(self, result: Exported) -> None:
        if self._ask(f"{result.summary}\n\nOpen the folder now?", YES_NO) == YES:
            self.ui.open(Path(self._last_export))

    def _on_Review(self) -> None:
        reading = self.read("", "")
        path = reading.capture.source.path
        settings, folder = settings_file(Path(path)), self._usual_folder(path)
        self.review.start(reading, ReviewJob(source=str(reading.file), settings=str(settings), folder=str(folder)))

    def _on_Check(self) -> None:
        reading = self.read("", "")
        title = reading.capture.source.title

        def finish(answer: JobAnswer) -> None:
            self._show(messages.checked([*reading.findings, *answer.findings], title), INFORMATION)

        job = CheckJob(source=str(reading.file), settings=self._settings(reading))
        self._start(reading, SubprocessJob(f"Checking {title}", job, finish, self.show_error))

    def _on_Settings(self) -> None:
        file = settings_file(Path(self._document().GetPathName()))
        if file.exists():
            self.ui.open(file)
            return
        reading = self.read("", "")
        title = f"Writing the settings of {reading.capture.source.title}"
        job = SettingsJob(source=str(reading.file), file=str(file))
        self._start(reading, SubprocessJob(title, job, lambda _: self.ui.open(file), self.show_error))

    def _on_SaveCapture(self) -> None:
        answer = self._ask(messages.REPORT, YES_NO_CANCEL)
        if answer == CANCEL:
            return
        reading = self.read("", "")
        job = ReportJob(source=str(reading.file), file=str(self.folders.report), with_names=answer != YES)
        finish = partial(self._offer_problem_report, Path(reading.capture.source.path))
        title = f"Making the report about {reading.capture.source.title}"
        self._start(reading, SubprocessJob(title, job, finish, self.show_error))

    def _offer_problem_report(self, document: Path, answer: JobAnswer) -> None:
        """Show what is inside the report, and save it beside the document if the user agrees."""
        data = self.folders.report.read_bytes()
        self.folders.report.unlink()
        file = folder_beside(document) / f"swgrm-report-{datetime.now(UTC):%Y-%m-%d-%H%M%S}.zip"
        if self._ask(messages.problem_report(answer.value(ReportResult), file), YES_NO) == YES:
            write_bytes(file, data)
            self._show(f"Saved {file}.\n\nAttach this file to your report.", INFORMATION)

    def _on_OpenLastExport(self) -> None:
        folder = Path(self._last_export)
        if not folder.is_dir():
            raise SwgrmError(f"{folder} does not exist any more. Press Export GRM to export again.")
        self.ui.open(folder)

    def _on_Help(self) -> None:
        self._show(messages.help_text(self.folders), INFORMATION)

    def _on_SelfTest(self) -> None:
        if self._ask(messages.SELFTEST, YES_NO) == YES:
            self._check_idle()
            self.selftest.start(self._offer_report, self.show_error, self._ribbon_answers)

    def _ribbon_answers(self) -> dict[str, Any]:
        """What the self-test records about the ribbon; nothing before it was added."""
        if self._cookie is None:
            return {}
        return ribbon.answers(self.application, self._cookie) | {"asked": self._asked_enabled}

    def _offer_report(self, file: Path, text: str) -> None:
        if self._ask(f"{text}\n\nOpen its folder now?", YES_NO) == YES:
            self.ui.open(file.parent)

    # ------------------------------------------------------------------ the steps

    def export(
        self, reading: WorkingCapture, folder: str,
        on_finish: Callable[[Exported], object], on_error: Callable[[SwgrmError], object], *, asks: bool = False,
    ) -> None:  # fmt: skip
        """Export what was read in a subprocess; `on_finish` gets the result, or `on_error` the error.

        Edited files in the folder are kept as NAME.bak; with `asks` the user decides first whether to continue.
        """
        path = reading.capture.source.path
        if not (path or folder):
            reading.folder.remove()
            raise SwgrmError(f"{reading.capture.source.title} has not been saved yet. Save it, then export it.")
        usual = "" if folder else str(self._usual_folder(path))

        def exported(answer: JobAnswer) -> None:
            done, findings = answer.value(ExportResult), [*reading.findings, *answer.findings]
            self.add_to_history(path, done.folder)
            summary = messages.exported(done, findings, str(reading.held))
            on_finish(Exported(summary, list(done.files), plain(findings)))

        export = ExportJob(
            source=str(reading.file), folder=folder, default_folder=usual, settings=self._settings(reading)
        )
        title = f"Exporting {reading.capture.source.title}"
        job = SubprocessJob(title, export, exported, on_error)
        if asks:
            refusing = msgspec.structs.replace(export, edited="refuse")
            asking = partial(self._ask_about_edited, reading, job)
            job = SubprocessJob(title, refusing, asking, on_error, (EDITED,))
        self._start(reading, job)

    def _ask_about_edited(self, reading: WorkingCapture, job: SubprocessJob, answer: JobAnswer) -> None:
        """Finish the job, or ask whether to run it although files in the folder were edited."""
        if not isinstance(answer.end, ErrorEvent):
            job.on_finish(answer)
        elif self._ask(messages.edited_files(answer.end.message), YES_NO) == YES:
            self._start(reading, job)

    def add_to_history(self, document: str, folder: str) -> None:
        """Record the folder that a document was exported to."""
        self._last_export = folder
        self.folders.add_to_history(document, folder)

    def _usual_folder(self, document: str) -> Path:
        """The folder of the document's last export, if its parent folder exists; otherwise one beside the document."""
        last = self.folders.read_history().folders.get(document)
        return Path(last) if last and Path(last).parent.is_dir() else export_folder(Path(document))

    def _document(self) -> Any:
        document = self.application.ActiveDoc
        if document is None:
            raise SolidWorksError("No document is open in SolidWorks. Open an assembly or a part.")
        return document

    def read(
        self, document: str, configuration: str, report: ProgressCallback | None = None, *, in_call: bool = False,
        tolerance: float = 0.0,
    ) -> WorkingCapture:  # fmt: skip
        """Read a document, unless another one is being read; `in_call`: inside a call of another process."""
        self._check_idle()
        self._reading = document or "the active document"
        try:
            request = Request(document, configuration, out_of_process=in_call, tolerance=tolerance)
            reading = read_for_subprocess(self.application, request, report, self.folders.work)
        finally:
            self._reading = ""
        source, components = reading.capture.source, len(reading.capture.components)
        logger.info("read %s: %d components, %d calls. %s", source.path, components, reading.held.calls, reading.held)
        return reading

    def _check_idle(self) -> None:
        """Raise an error if something else is going on."""
        self.runner.check_idle()
        self.selftest.check_idle()
        if self._reading:
            raise SolidWorksError(
                f"swgrm is reading {self._reading}. Wait until it has finished, or press Esc to cancel it."
            )

    def _start(self, reading: WorkingCapture, job: SubprocessJob) -> None:
        self.runner.start(reading.folder, job)

    def _settings(self, reading: WorkingCapture) -> str:
        """The settings file beside the document; "" if there is none."""
        path = reading.capture.source.path
        file = settings_file(Path(path)) if path else None
        return str(file) if file and file.exists() else ""

    # ------------------------------------------------------------------ the user

    def show_error(self, error: SwgrmError) -> None:
        """Show an error to the user, and log it."""
        notes = "\n".join(getattr(error, "__notes__", ()))
        if isinstance(error, Cancelled):
            logger.info("%s", error)
        else:
            logger.error("%s %s", error, notes)
        self._show(f"{error}\n{notes}".strip(), INFORMATION if isinstance(error, Cancelled) else WARNING)

    def _show(self, text: str, icon: int) -> None:
        with contextlib.suppress(SwgrmError):  # SolidWorks shows no messages while it closes
            self.application.SendMsgToUser2(text, int(icon), int(OK))

    def _ask(self, text: str, buttons: int) -> int:
        return int(self.application.SendMsgToUser2(text, int(swMessageBoxIcon_e.swMbQuestion), int(buttons)))


def export_folder(document: Path) -> Path:
    """The folder that a document is exported to by default."""
    return folder_beside(document) / f"{document.stem}_grm"


def settings_file(document: Path) -> Path:
    """The settings file beside a document."""
    return document.with_name(f"{document.stem}{SUFFIX}")
