"""The state of a self-test in SolidWorks: its documents and preferences, which are closed and put back at its end."""

from __future__ import annotations

import logging
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import msgspec

from swgrm.errors import CallError, LostError, SolidWorksError
from swgrm.solidworks.swconst import swDocumentTypes_e
from swgrm.solidworks.swconst_calls import swOpenDocOptions_e, swRebuildOnActivation_e, swUserPreferenceToggle_e
from swgrm_addin.port import Port
from swgrm_addin.reader.command_flag import FLAG, CommandFlag
from swgrm_addin.reader.guard import RestoreResult, retried
from swgrm_addin.reader.opening import name_of, release_objects
from swgrm_addin.reader.walk import active_document
from swgrm_addin.selftest.documents import PART, new_document, save
from swgrm_addin.selftest.recorder import Recorder
from swgrm_addin.selftest.results import RAW

PREFERENCES = {int(swUserPreferenceToggle_e.swInputDimValOnCreate): False}  # toggles of SolidWorks for the run
LIGHTWEIGHT = int(
    swOpenDocOptions_e.swOpenDocOptions_OverrideDefaultLoadLightweight
    | swOpenDocOptions_e.swOpenDocOptions_LoadLightweight
)

logger = logging.getLogger("swgrm.selftest")


class Bench:
    """SolidWorks during a self-test."""

    def __init__(self, application: Any, folder: Path, *, out_of_process: bool) -> None:
        self.recorder = Recorder(application.port.transport)
        port = Port(self.recorder, sleep=application.port.sleep, patience=application.port.patience)
        self.application: Any = port.wrap(application.raw, "ISldWorks")
        self.folder, self.out_of_process = folder, out_of_process
        self.files: dict[str, str] = {}  # the paths of saved documents, by name without ending
        self._titles: dict[str, str] = {}  # of saved documents, by name
        self._open: list[str] = []  # the titles of the documents of this run that are open
        self._undo: list[tuple[str, Callable[[], object]]] = []
        self._subject = "start"  # whose calls are being recorded
        self.flag = CommandFlag(self.application)  # readings set it themselves

    def check_saved(self) -> None:
        """Raise an error if a document has changes that were not saved."""
        changed = [name_of(document) for document in self.application.GetDocuments() if document.GetSaveFlag()]
        if changed:
            raise SolidWorksError(
                f"The self-test does not start while documents have unsaved changes ({', '.join(sorted(changed))}). "
                "Save or close them, then start it again."
            )

    def prepare(self) -> None:
        """Set the preferences of the run, and remember what they and the active document were."""
        active = active_document(self.application)
        if active is not None:
            title = name_of(active)
            option = int(swRebuildOnActivation_e.swDontRebuildActiveDoc)
            self._undo.append(("the active document", lambda: self.application.ActivateDoc3(title, False, option, 0)))
        for toggle, value in PREFERENCES.items():
            before = self.application.GetUserPreferenceToggle(toggle)
            self._undo.append((f"preference {toggle}", partial(self._set_toggle, toggle, before)))
            self._set_toggle(toggle, value)  # without it SolidWorks would ask for values, and wait
        if self.out_of_process:
            before = self.application.CommandInProgress
            self._undo.append((FLAG, lambda: self._undo_flag(before)))
            self.flag.set()

    def put_back_later(self, what: str, undo: Callable[[], object]) -> None:
        """Put something back at the end of the run."""
        self._undo.append((what, undo))

    def create(self, name: str, ending: str, build: Callable[[Any], object]) -> Any:
        """Create a document, build its content, and save it in the folder of this run."""
        document = new_document(self.application, ending)
        title = self._tracked(document)
        build(document)
        self.files[name] = save(document, self.folder, f"{name}{ending}")
        self._titles[name] = self._tracked(document)
        self._open.remove(title)  # a saved document has another title
        return document

    def opened(self, name: str) -> str:
        """The path of a document of this run, which is opened again if it was closed."""
        path = self.files.get(name)
        if path is None:
            raise SolidWorksError(f"{name} was not built.")
        if self.application.GetOpenDocumentByName(path) is None:
            self._titles[name] = self._tracked(self._load(path, 0))
        return path

    def _load(self, path: str, options: int) -> Any:
        kind = swDocumentTypes_e.swDocPART if path.endswith(PART) else swDocumentTypes_e.swDocASSEMBLY
        silent = int(swOpenDocOptions_e.swOpenDocOptions_Silent)
        document, errors, _ = self.application.OpenDoc6(path, int(kind), silent | options, "", 0, 0)
        if document is None:
            raise SolidWorksError(f"SolidWorks did not open {Path(path).name} (swFileLoadError_e {errors}).")
        return document

    def reopened_lightweight(self, name: str, part: str) -> Any:
        """Save and close an assembly and one of its parts, and open the assembly with lightweight components."""
        document = self.application.GetOpenDocumentByName(self.files[name])
        save(document, self.folder, Path(self.files[name]).name)
        del document
        release_objects(self.application)
        for each in (name, part):
            self._close(self._titles[each])
        document = self._load(self.files[name], LIGHTWEIGHT)
        self._titles[name] = self._tracked(document)
        return document

    def _tracked(self, document: Any) -> str:
        """The title of a document, by which it is closed whatever happens; a failed call is repeated."""
        titles: list[str] = []
        if retried(lambda: titles.append(name_of(document))) is not RestoreResult.DONE:
            raise SolidWorksError("SolidWorks did not return the title of a new document, which may be left open.")
        self._open.append(titles[-1])
        return titles[-1]

    def close_last(self, count: int) -> None:
        """Close the documents that were created after the first `count`; their objects must not be used any more."""
        release_objects(self.application)
        for title in self._open[count:][::-1]:
            self._close(title)

    @property
    def open_count(self) -> int:
        """How many documents of this run are open."""
        return len(self._open)

    def _close(self, title: str) -> None:
        self.application.CloseDoc(title)
        if self._is_open(title) and self._is_open(title):  # shortly after closing it may still be found
            raise SolidWorksError(f"{title} is still open.")
        self._open = [each for each in self._open if each != title]

    def _is_open(self, title: str) -> bool:
        document = self.application.GetOpenDocumentByName(title)
        return document is not None and bool(document.Visible)

    def clean_up(self) -> list[str]:
        """Close the documents of this run, the last first, and put preferences back; returns what did not succeed."""
        release_objects(self.application)
        undoing: list[tuple[str, Callable[[], object]]] = [
            (f"document {title}", partial(self._close, title)) for title in reversed(self._open)
        ]
        undoing += reversed(self._undo)
        left = [what for what, undo in undoing if retried(undo) is not RestoreResult.DONE]
        self._undo.clear()
        release_objects(self.application)
        return left

    def _set_toggle(self, toggle: int, value: bool) -> None:
        self.application.SetUserPreferenceToggle(toggle, value)
        if self.application.GetUserPreferenceToggle(toggle) != value:
            name = swUserPreferenceToggle_e(toggle).name
            raise SolidWorksError(f"SolidWorks did not take its preference {name}: set it by hand, then start again.")

    def _undo_flag(self, before: bool) -> None:
        self.flag.undo()
        if self.application.CommandInProgress and not before:
            raise SolidWorksError(f"{FLAG} is still set.")

    def begin(self, subject: str) -> None:
        """Record from now on what belongs to a subject, and write what belonged to the one before."""
        if subject == self._subject:
            return
        taken, before, self._subject = self.recorder.take(), self._subject, subject
        if taken and before:
            file = self.folder / RAW / f"{before.replace(' ', '-')}.json"
            file.parent.mkdir(exist_ok=True)
            data = {name: msgspec.to_builtins(record) for name, record in sorted(taken.items())}
            file.write_bytes(msgspec.json.format(msgspec.json.encode(data), indent=1))


def problem_of(error: BaseException) -> str:
    """What went wrong, as a member with its HRESULT where a call failed."""
    if isinstance(error, CallError):
        return f"{error.member} reported {error.problem}"
    return str(error) or type(error).__name__


def is_fatal(error: BaseException) -> bool:
    """Whether nothing more can be done in this SolidWorks."""
    return isinstance(error, LostError)
