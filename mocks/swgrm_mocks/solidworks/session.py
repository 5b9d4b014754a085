"""The mock SolidWorks session: its files, its open documents, and the state that a reader must not change."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping
from ntpath import splitext

from msgspec.structs import replace

from swgrm.capture import Capture, MassProperties
from swgrm.swconst import swDocumentTypes_e, swFileLoadError_e, swMessageBoxBtn_e, swMessageBoxResult_e
from swgrm.typevars import T
from swgrm_mocks.solidworks.application import CommandManager, ProgressBar, SldWorks
from swgrm_mocks.solidworks.dispatch import MockConnection, MockPointer
from swgrm_mocks.solidworks.documents import ModelDoc, Project
from swgrm_mocks.solidworks.quirks import NEWER_MEMBERS, known_quirks

PART, ASSEMBLY = swDocumentTypes_e.swDocPART, swDocumentTypes_e.swDocASSEMBLY
YES_NO, YES_NO_CANCEL = swMessageBoxBtn_e.swMbYesNo, swMessageBoxBtn_e.swMbYesNoCancel
NO = swMessageBoxResult_e.swMbHitNo
TYPES = {".sldprt": PART, ".sldasm": ASSEMBLY, ".slddrw": swDocumentTypes_e.swDocDRAWING}


class MockSolidWorks:
    """A SolidWorks session in memory that serves captures through the API slice, with the quirks of the real API.

    The first capture is open and active; all captures are files of the mock and can be opened by their paths.
    `open_errors` maps the paths of files that cannot be opened to their swFileLoadError_e; `quirks` are of the table in
    quirks.py.
    """

    def __init__(
        self,
        *captures: Capture,
        open_errors: Mapping[str, int] | None = None,
        seed: int = 0,
        opened: bool = True,
        quirks: Iterable[str] = (),
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
        self.command_in_progress = False
        self.include_hidden = False  # in mass properties
        self.working_directory = "C:\\Users\\me\\Documents"
        self.callbacks: object = None
        self.add_ins: dict[str, object] = {}  # the results of GetAddInObject, by ProgID
        self.messages: list[str] = []  # message boxes that were shown
        self.button_answers: dict[int, int] = {
            YES_NO: NO,
            YES_NO_CANCEL: NO,
        }  # the button that the simulated user presses, by swMessageBoxBtn_e
        self.progress, self.commands = ProgressBar(is_failing="progress-fails" in self.quirks), CommandManager()
        self.open: list[ModelDoc] = [Project(self, capture).root for capture in captures[:1] if opened]
        self.active = self.open[0] if self.open else None

    @property
    def application(self) -> MockPointer:
        """A new pointer to the application object."""
        return MockPointer(self.connection, SldWorks(self))

    def shuffled(self, items: list[T]) -> tuple[T, ...]:
        """Returns the items in random order."""
        return tuple(self.rng.sample(items, len(items)))

    def find_open(self, name: str) -> ModelDoc | None:
        """Returns the open document with a path or title, or None."""
        return next((doc for doc in self.open if _key(name) in (_key(doc.path), _key(doc.title))), None)

    def load(self, name: str, kind: int, configuration: str) -> tuple[ModelDoc | None, int, int]:
        """Opens a file; returns the document or None, swFileLoadError_e, and swFileLoadWarning_e."""
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

    def close(self, name: str) -> None:
        """Closes a document without saving; the last of the other open documents becomes active."""
        closed = self.find_open(name)
        self.open = [doc for doc in self.open if doc is not closed]
        if self.active is closed:
            self.active = self.open[-1] if self.open else None

    def weighed(self, mass: MassProperties, *, is_part: bool, items: int) -> MassProperties:
        """Returns mass properties as IMassProperty2 returns them for a part document or components."""
        if items > 1:
            mass = replace(mass, mass=items * mass.mass, volume=items * mass.volume)
        if "mass-zero" in self.quirks:
            mass = replace(mass, mass=0.0, volume=0.0, surface_area=0.0)
        is_wrong = is_part if "part-inertia-wrong" in self.quirks else False
        is_wrong |= mass.moments_overridden and "override-inertia-wrong" in self.quirks
        if is_wrong:
            mass = replace(mass, principal_moments=mass.principal_moments[::-1])
        return mass

    def state(self) -> dict[str, object]:
        """Returns the state that a reader must restore."""
        return {
            "open": [doc.title for doc in self.open],
            "active": self.active.title if self.active else None,
            "command in progress": self.command_in_progress,
            "progress bar": self.progress.shown,
            "hidden in mass properties": self.include_hidden,
            "working directory": self.working_directory,
            "documents": [doc.project.state() for doc in self.open],
        }


def _key(path: str) -> str:
    return path.replace("/", "\\").lower()
