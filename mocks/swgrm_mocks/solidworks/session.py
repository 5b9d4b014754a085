"""The mock SolidWorks session: its files, its open documents, and the state that a reader must not change."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Mapping
from ntpath import basename, splitext
from typing import Any

from msgspec.structs import replace

from swgrm.capture import Capture, MassProperties
from swgrm.solidworks.api_slice import ComError
from swgrm.solidworks.swconst import swComponentSuppressionState_e, swDocumentTypes_e
from swgrm.solidworks.swconst_calls import (
    swFileLoadError_e,
    swMessageBoxBtn_e,
    swMessageBoxResult_e,
    swUserPreferenceToggle_e,
)
from swgrm.typevars import T
from swgrm_mocks.solidworks.application import (
    ASSEMBLY_TEMPLATE,
    PART_TEMPLATE,
    CommandManager,
    ProgressBar,
    SldWorks,
)
from swgrm_mocks.solidworks.dispatch import MockConnection, MockPointer
from swgrm_mocks.solidworks.documents import ModelDoc, Project
from swgrm_mocks.solidworks.quirks import NEWER_MEMBERS, known_quirks

PART, ASSEMBLY = swDocumentTypes_e.swDocPART, swDocumentTypes_e.swDocASSEMBLY
YES_NO, YES_NO_CANCEL = swMessageBoxBtn_e.swMbYesNo, swMessageBoxBtn_e.swMbYesNoCancel
NO = swMessageBoxResult_e.swMbHitNo
TEMPLATES: dict[int, str] = {  # which are not files on this computer
    PART_TEMPLATE: "C:\\ProgramData\\SolidWorks\\templates\\Part.PRTDOT",
    ASSEMBLY_TEMPLATE: "C:\\ProgramData\\SolidWorks\\templates\\Assembly.ASMDOT",
}
ASK_FOR_VALUES = swUserPreferenceToggle_e.swInputDimValOnCreate
SERVER_FAULT = 0x80010105  # RPC_E_SERVERFAULT
TYPES = {".sldprt": PART, ".sldasm": ASSEMBLY, ".slddrw": swDocumentTypes_e.swDocDRAWING}


class MockSolidWorks:
    """A SolidWorks session in memory that serves captures through the API slice, with the quirks of the real API.

    The first capture is open and active; all captures are files of the mock and can be opened by their paths.
    `open_errors` maps the paths of files that cannot be opened to their swFileLoadError_e; `quirks` are of the table in
    quirks.py. `conventions` are those by which it solves mates, by the keys of `swgrm.solidworks.conventions`.
    """

    def __init__(
        self,
        *captures: Capture,
        open_errors: Mapping[str, int] | None = None,
        seed: int = 0,
        opened: bool = True,
        quirks: Iterable[str] = (),
        conventions: Mapping[str, str] | None = None,
    ) -> None:
        self.quirks = known_quirks(quirks)
        self.connection = MockConnection()
        self.connection.missing = NEWER_MEMBERS if "older-release" in self.quirks else frozenset()
        self.rng = random.Random(seed)  # noqa: S311 - shuffles children, whose order SolidWorks does not guarantee
        self.revision = captures[0].source.solidworks if captures else "34.0.0"
        self.disk: dict[str, list[Capture]] = {}
        for capture in captures:
            self.disk.setdefault(_key(capture.source.path), []).append(capture)
        self.open_errors = {_key(path): error for path, error in (open_errors or {}).items()}
        self.command_in_progress = 0  # how often CommandInProgress is set
        self.include_hidden = False  # in mass properties
        self.working_directory = "C:\\Users\\me\\Documents"
        self.callbacks: object = None
        self.add_ins: dict[str, object] = {}  # the results of GetAddInObject, by ProgID
        self.registered_add_ins: dict[str, object] = {}  # that LoadAddIn loads, by ProgID, CLSID or library
        self.messages: list[str] = []  # message boxes that were shown
        self.button_answers: dict[int, int] = {
            YES_NO: NO,
            YES_NO_CANCEL: NO,
        }  # the button that the simulated user presses, by swMessageBoxBtn_e
        self.conventions = dict(conventions or {})  # of mates, other than those of swgrm.solidworks.conventions
        self.changes = 0  # of modelled documents
        self.texts = dict(TEMPLATES)  # preferences, by swUserPreferenceStringValue_e
        self.toggles: dict[int, bool] = {ASK_FOR_VALUES: True}  # preferences, by swUserPreferenceToggle_e
        self.saved: dict[str, Any] = {}  # the models of saved files, by path
        self._live: dict[int, Any] = {}  # the documents of models
        self.invisible: set[int] = set()  # the types of documents that are opened without a window
        self._numbers = Counter[int]()  # of new documents, by template
        self.progress, self.commands = ProgressBar(is_failing="progress-fails" in self.quirks), CommandManager()
        self.closed_late: Any = None  # a document that is returned once more after it was closed
        self.is_blocked = False  # by the command of a feature that was refused
        self.drives = 0  # values of mates that were written
        self.open: list[Any] = [Project(self, capture).root for capture in captures[:1] if opened]
        self.active: ModelDoc | None = self.open[0] if self.open else None  # or a modelled document

    @property
    def application(self) -> MockPointer:
        """A new pointer to the application object."""
        return MockPointer(self.connection, SldWorks(self))

    def shuffled(self, items: list[T]) -> tuple[T, ...]:
        """The items in random order."""
        return tuple(self.rng.sample(items, len(items)))

    def find_open(self, name: str) -> Any:
        """The open document with a path or title, or None."""
        return next((doc for doc in self.open if _key(name) in (_key(doc.path), _key(doc.title))), None)

    def load(self, name: str, kind: int, configuration: str) -> tuple[ModelDoc | None, int, int]:
        """Opens a file; returns the document or None, swFileLoadError_e, and swFileLoadWarning_e."""
        if _key(name) in self.saved:
            return self._load_saved(name), 0, 0
        on_disk = self.disk.get(_key(name), [])
        if _key(name) in self.open_errors:
            return None, self.open_errors[_key(name)], 0
        if not on_disk:
            return None, swFileLoadError_e.swFileNotFoundError, 0
        capture = next((c for c in on_disk if c.source.configuration == configuration), on_disk[0])
        if TYPES.get(splitext(name)[1].lower()) != kind:
            return None, swFileLoadError_e.swInvalidFileTypeError, 0
        if any(_key(doc.title) == _key(capture.source.title) for doc in self.open):
            return None, swFileLoadError_e.swFileWithSameTitleAlreadyOpen, 0
        self.active = Project(self, capture).root
        self.open.append(self.active)
        return self.active, 0, 0

    def new_document(self, template: str) -> Any:
        """Makes a document from a template, and activates it; None if there is no such template."""
        kinds = [kind for kind in TEMPLATES if _key(self.texts.get(kind, "")) == _key(template)]
        return self.new_of_kind(kinds[0]) if kinds else None

    def new_of_kind(self, kind: int) -> Any:
        """Makes a part or an assembly, by the preference of its template, and activates it."""
        from swgrm_mocks.modelling.creating import new_model  # here: modelling needs numpy

        if self.is_blocked:
            raise ComError(SERVER_FAULT, "another command is running")
        self._numbers[kind] += 1
        is_part = kind == PART_TEMPLATE
        name = f"{'Part' if is_part else 'Assem'}{self._numbers[kind]}"
        model = new_model(name, self.conventions, is_part=is_part, quirks=self.quirks)
        return self._activated(self.document_of(model))

    def document_of(self, model: Any) -> Any:
        """The document of a model."""
        from swgrm_mocks.modelling.creating import live_document

        if id(model) not in self._live:
            self._live[id(model)] = live_document(self, model)
        return self._live[id(model)]

    def save(self, name: str, model: Any) -> None:
        """Keeps the copy of a model as a file."""
        self.saved[_key(name)] = model

    def _load_saved(self, name: str) -> Any:
        from swgrm_mocks.modelling.live_extension import saved_copy

        document = self.document_of(saved_copy(self.saved[_key(name)]))
        document.path, document.title = document.model.path, basename(document.model.path)
        return self._activated(document)

    def _activated(self, document: Any) -> Any:
        document.is_visible = document.GetType() not in self.invisible
        self.active = document
        self.open.append(document)
        return document

    def close(self, name: str) -> None:
        """Closes a document without saving; the last of the other open documents becomes active."""
        closed = self.find_open(name)
        self.closed_late = closed if "closed-late" in self.quirks else None
        self.open = [doc for doc in self.open if doc is not closed]
        if self.active is closed:
            self.active = self.open[-1] if self.open else None

    def lighten(self, document: Any) -> None:
        """Makes the components of an assembly lightweight whose parts are not open."""
        for child in document.model.children:
            if self.find_open(child.file.path) is None:
                child.state(suppression=int(swComponentSuppressionState_e.swComponentLightweight))
        self.changes += 1

    def drive(self) -> bool:
        """Counts the writing of a mate's value; whether it is taken."""
        self.drives += 1
        if "drives-ignored" in self.quirks:
            return False
        return "every-third-drive-ignored" not in self.quirks or self.drives % 3 > 0

    def weighed(self, mass: MassProperties, *, is_part: bool, items: int) -> MassProperties:
        """Mass properties as IMassProperty2 returns them for a part document or components."""
        if items > 1:
            mass = replace(mass, mass=items * mass.mass, volume=mass.volume and items * mass.volume)
        if "mass-zero" in self.quirks:
            mass = replace(mass, mass=0.0, volume=0.0, surface_area=0.0)
        is_wrong = is_part if "part-inertia-wrong" in self.quirks else False
        is_wrong |= bool(mass.moments_overridden) and "override-inertia-wrong" in self.quirks
        if is_wrong:
            mass = replace(mass, principal_moments=mass.principal_moments and mass.principal_moments[::-1])
        return mass

    def state(self) -> dict[str, object]:
        """The state that a reader must restore."""
        return {
            "open": [doc.title for doc in self.open],
            "active": self.active.title if self.active else None,
            "command in progress": self.command_in_progress,
            "progress bar": self.progress.shown,
            "hidden in mass properties": self.include_hidden,
            "working directory": self.working_directory,
            "preferences": dict(self.toggles),
            "invisible": sorted(self.invisible),
            "documents": [doc.project.state() for doc in self.open],
        }


def _key(path: str) -> str:
    return path.replace("/", "\\").lower()
