"""What the add-in does for one SolidWorks, from connect to disconnect: each button, and the calls of other programs."""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import msgspec

from swgrm import __version__
from swgrm.capture import Capture, anonymized, save
from swgrm.errors import Cancelled, SolidWorksError, SwgrmError
from swgrm.findings import Finding, Result
from swgrm.swconst import swDocumentTypes_e, swMessageBoxBtn_e, swMessageBoxIcon_e, swMessageBoxResult_e
from swgrm_addin.inside import ribbon, words
from swgrm_addin.inside.child import Outcome
from swgrm_addin.inside.commands import COMMANDS, Command, Needs
from swgrm_addin.inside.places import Places
from swgrm_addin.inside.work import CAPTURE, Desk, Order, Worker
from swgrm_addin.reader import Request, read

INFORMATION, WARNING, STOP = (
    swMessageBoxIcon_e.swMbInformation,
    swMessageBoxIcon_e.swMbWarning,
    swMessageBoxIcon_e.swMbStop,
)
OK, YES_NO, YES_NO_CANCEL = swMessageBoxBtn_e.swMbOk, swMessageBoxBtn_e.swMbYesNo, swMessageBoxBtn_e.swMbYesNoCancel
YES, CANCEL = swMessageBoxResult_e.swMbHitYes, swMessageBoxResult_e.swMbHitCancel
READABLE = (swDocumentTypes_e.swDocASSEMBLY, swDocumentTypes_e.swDocPART)
AUTOMATION = {"Capture": "capture", "Export": "export", "Version": "version"}  # what other programs call
FINDINGS_OF_CHECK = (0, 1)  # exit codes: none or notes, problems

logger = logging.getLogger("swgrm.addin")


class Session:
    """One connection to SolidWorks."""

    def __init__(self, application: Any, desk: Desk, places: Places, python: Path) -> None:
        self.application, self.desk, self.places = application, desk, places
        self.worker = Worker(application, desk, places, python)
        self._last_export = places.recall().last
        self._complaints: set[str] = set()

    def connect(self, cookie: int, callbacks: Any) -> None:
        """Hang ourselves into SolidWorks."""
        self.application.SetAddinCallbackInfo2(0, callbacks, cookie)
        ribbon.add(self.application, cookie)
        logger.info("swgrm %s connected to SolidWorks %s", __version__, self.application.RevisionNumber())

    def disconnect(self, cookie: int) -> None:
        """Leave nothing behind."""
        self.worker.abandon()
        ribbon.remove(self.application, cookie)
        logger.info("disconnected")

    def callbacks(self) -> Mapping[str, Callable[..., object]]:
        """What SolidWorks calls, by name. None of these ever raises."""
        pressed = {command.callback: partial(self._press, command) for command in COMMANDS}
        return pressed | {command.enabled: partial(self._enabled, command) for command in COMMANDS}

    # ------------------------------------------------------------------ other programs

    def capture(self, document: str, file: str, configuration: str = "") -> str:
        """Read a document ("" is the active one) into a capture file; what was found on the way, as JSON."""
        self.worker.check_free()
        reading = self._read(document, configuration)
        save(reading.value, Path(file))
        return msgspec.json.encode(_plain(reading.findings)).decode()

    def export(self, document: str, folder: str, configuration: str = "") -> str:
        """Export a document ("" is the active one) into a folder ("" is the usual one); the summary in words."""
        told: list[str] = []
        errors: list[SwgrmError] = []
        self._export(document, folder, configuration, told.append, errors.append)
        self.worker.wait()
        if errors:
            raise errors[0]
        return told[0]

    def version(self) -> str:
        """The version of swgrm."""
        return __version__

    # ------------------------------------------------------------------ the buttons

    def _press(self, command: Command) -> None:
        """Do what a button says; whatever goes wrong is told and logged, and stays here."""
        logger.info("pressed: %s", command.title)
        try:
            getattr(self, f"_on_{command.callback}")()
        except SwgrmError as error:
            self._fail(error)
        except BaseException as error:
            logger.exception("%s", command.title)
            self._tell(words.unexpected(command.title, error, self.places), STOP)

    def _enabled(self, command: Command) -> int:
        """1 if the button can be pressed. SolidWorks asks many times a second."""
        try:
            return int(command.needs in self._given())
        except BaseException as error:  # noqa: BLE001 - an add-in never throws into its host
            complaint = f"{command.enabled}: {error}"
            if complaint not in self._complaints:
                self._complaints.add(complaint)
                logger.warning(complaint)
            return 0

    def _given(self) -> Needs:
        """What is the case now."""
        document = self.application.ActiveDoc
        readable = document is not None and document.GetType() in READABLE
        given = Needs.DOCUMENT if readable else Needs.NOTHING
        if readable and document.GetPathName():
            given |= Needs.FILE
        if not self.worker.doing:
            given |= Needs.REST
        return given | Needs.EXPORT if self._last_export else given

    def _on_ExportGRM(self) -> None:
        self._export("", "", "", self._offer_folder, self._fail)

    def _offer_folder(self, summary: str) -> None:
        if self._ask(f"{summary}\n\nOpen the folder now?", YES_NO) == YES:
            self.desk.open(Path(self._last_export))

    def _on_Check(self) -> None:
        reading = self._read("", "")
        title = reading.value.source.title

        def finish(outcome: Outcome) -> None:
            findings = [*_plain(reading.findings), *msgspec.json.decode(outcome.output)]
            self._tell(words.checked(findings, title), INFORMATION)

        arguments = ["check", CAPTURE, "--json", *self._settings(reading)]
        self._start(reading, Order(f"Checking {title}", arguments, finish, self._fail, FINDINGS_OF_CHECK))

    def _on_Settings(self) -> None:
        file = settings_file(Path(self._document().GetPathName()))
        if file.exists():
            self.desk.open(file)
            return
        reading = self._read("", "")
        doing = f"Making the settings of {reading.value.source.title}"
        arguments = ["settings", CAPTURE, "-o", str(file)]
        self._start(reading, Order(doing, arguments, lambda _: self.desk.open(file), self._fail, answers=False))

    def _on_SaveCapture(self) -> None:
        question = (
            "swgrm saves what it reads of this document, so that a problem can be reproduced without"
            " your CAD files.\n\n"
            "Leave names, paths and shapes out? (Yes is right for confidential work.)"
        )
        answer = self._ask(question, YES_NO_CANCEL)
        if answer == CANCEL:
            return
        reading = self._read("", "")
        capture = anonymized(reading.value) if answer == YES else reading.value
        file = Path(reading.value.source.path).with_suffix(".swcap")
        save(capture, file)
        self._tell(f"Saved {file}.\n\nAttach this file to your report.", INFORMATION)

    def _on_OpenLastExport(self) -> None:
        folder = Path(self._last_export)
        if not folder.is_dir():
            raise SwgrmError(f"{folder} is no longer there. Press Export GRM to make it again.")
        self.desk.open(folder)

    def _on_Help(self) -> None:
        self._tell(words.help_text(self.places), INFORMATION)

    # ------------------------------------------------------------------ the steps

    def _export(
        self, document: str, folder: str, configuration: str,
        finish: Callable[[str], object], fail: Callable[[SwgrmError], object],
    ) -> None:  # fmt: skip
        """Read the document, and have a child export it; either `finish` or `fail` hears of the end."""
        reading = self._read(document, configuration)
        path = reading.value.source.path
        if not (path or folder):
            raise SwgrmError(f"{reading.value.source.title} has no file yet. Save it, and export it then.")
        where = ["-o", folder] if folder else ["--otherwise", str(self._usual_folder(path))]

        def exported(outcome: Outcome) -> None:
            data = msgspec.json.decode(outcome.output)
            data["findings"] = [*_plain(reading.findings), *data["findings"]]
            self._last_export = data["folder"]
            self.places.remember(path, self._last_export)
            finish(words.exported(data, self._last_export))

        arguments = ["export", CAPTURE, *where, "--events", "--json", *self._settings(reading)]
        self._start(reading, Order(f"Exporting {reading.value.source.title}", arguments, exported, fail))

    def _usual_folder(self, document: str) -> Path:
        """Where a document was exported to last, if that is still within reach; else beside it."""
        last = self.places.recall().folders.get(document)
        return Path(last) if last and Path(last).parent.is_dir() else export_folder(Path(document))

    def _document(self) -> Any:
        document = self.application.ActiveDoc
        if document is None:
            raise SolidWorksError("No document is open in SolidWorks. Open an assembly or a part.")
        return document

    def _read(self, document: str, configuration: str) -> Result[Capture]:
        self.worker.check_free()
        reading = read(self.application, Request(document, configuration))
        logger.info("read %s: %d components", reading.value.source.path, len(reading.value.components))
        return reading

    def _start(self, reading: Result[Capture], order: Order) -> None:
        self.worker.start(reading.value, Path(reading.value.source.title).stem, order)

    def _settings(self, reading: Result[Capture]) -> list[str]:
        """The option that names the settings beside the document, if there are any."""
        path = reading.value.source.path
        file = settings_file(Path(path)) if path else None
        return ["--settings", str(file)] if file and file.exists() else []

    # ------------------------------------------------------------------ the user

    def _fail(self, error: SwgrmError) -> None:
        notes = "\n".join(getattr(error, "__notes__", ()))
        if isinstance(error, Cancelled):
            logger.info("%s", error)
        else:
            logger.error("%s %s", error, notes)
        self._tell(f"{error}\n{notes}".strip(), INFORMATION if isinstance(error, Cancelled) else WARNING)

    def _tell(self, text: str, icon: int) -> None:
        with contextlib.suppress(SwgrmError):  # a SolidWorks that is going down shows nothing
            self.application.SendMsgToUser2(text, int(icon), int(OK))

    def _ask(self, text: str, buttons: int) -> int:
        return int(self.application.SendMsgToUser2(text, int(swMessageBoxIcon_e.swMbQuestion), int(buttons)))


def export_folder(document: Path) -> Path:
    """Where a document is exported to unless the user says otherwise."""
    return document.with_name(f"{document.stem}_grm")


def settings_file(document: Path) -> Path:
    """The settings beside a document."""
    return document.with_name(f"{document.stem}.grm.yaml")


def _plain(findings: Iterable[Finding]) -> list[dict[str, str]]:
    return [finding.plain() for finding in findings]
