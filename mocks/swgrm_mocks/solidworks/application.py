"""The application object of the mock, with the progress bar and the command manager."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from swgrm.solidworks.api_slice import ComError
from swgrm.solidworks.swconst import swDocumentTypes_e
from swgrm.solidworks.swconst_calls import (
    swFileLoadError_e,
    swFileLoadWarning_e,
    swMessageBoxResult_e,
    swOpenDocOptions_e,
    swUpdateProgressError_e,
    swUserPreferenceStringValue_e,
)
from swgrm_mocks.solidworks.dispatch import E_FAIL, MockObject

if TYPE_CHECKING:
    from swgrm_mocks.solidworks.documents import ModelDoc
    from swgrm_mocks.solidworks.session import MockSolidWorks

PART_TEMPLATE = int(swUserPreferenceStringValue_e.swDefaultTemplatePart)
ASSEMBLY_TEMPLATE = int(swUserPreferenceStringValue_e.swDefaultTemplateAssembly)


class SldWorks(MockObject):
    """ISldWorks."""

    interfaces: ClassVar = ("ISldWorks",)

    def __init__(self, session: MockSolidWorks) -> None:
        self.session = session

    def ActiveDoc(self) -> ModelDoc | None:
        return self.session.active

    def IActiveDoc2(self) -> ModelDoc | None:
        return self.session.active

    def ActivateDoc3(self, name: str, _preferences: bool, _option: int, _errors: int) -> tuple[Any, int]:
        document = self.session.find_open(name)
        if document is None:
            return None, swFileLoadError_e.swGenericError
        self.session.active = document
        return document, 0

    def CloseDoc(self, name: str) -> None:
        self.session.close(name)

    def CommandInProgress(self) -> bool:
        return self.session.command_in_progress > 0 and "flag-not-read-back" not in self.session.quirks

    def put_CommandInProgress(self, value: bool) -> None:
        """SolidWorks counts: each True needs a False of its own."""
        count = self.session.command_in_progress + (1 if value else -1)
        self.session.command_in_progress = max(count, 0)

    def GetAddInObject(self, name: str) -> object:
        return self.session.add_ins.get(name)

    def LoadAddIn(self, name: str) -> int:
        """0 if an add-in with this name is registered, which is loaded from now on; otherwise 3, file not found."""
        if name not in self.session.registered_add_ins:
            return 3
        self.session.add_ins |= self.session.registered_add_ins
        return 0

    def GetCommandManager(self, _cookie: int) -> CommandManager:
        return self.session.commands

    def GetCurrentWorkingDirectory(self) -> str:
        return self.session.working_directory

    def SetCurrentWorkingDirectory(self, folder: str) -> bool:
        self.session.working_directory = folder
        return True

    def GetOpenDocumentByName(self, name: str) -> Any:
        closed, self.session.closed_late = self.session.closed_late, None
        return self.session.find_open(name) or closed

    def GetUserProgressBar(self) -> tuple[bool, ProgressBar]:
        return True, self.session.progress

    def OpenDoc6(
        self, name: str, kind: int, options: int, configuration: str, _errors: int, _warnings: int
    ) -> tuple[ModelDoc | None, int, int]:
        already = self.session.find_open(name)
        if already is not None:
            return already, 0, swFileLoadWarning_e.swFileLoadWarning_AlreadyOpen
        if options & swOpenDocOptions_e.swOpenDocOptions_ViewOnly:
            return None, swFileLoadError_e.swViewOnlyRestrictions, 0
        document, errors, warnings = self.session.load(name, kind, configuration)
        is_read_only = options & swOpenDocOptions_e.swOpenDocOptions_ReadOnly
        if document is not None and is_read_only and "read-only-hollow" in self.session.quirks:
            document.project.is_hollow = document.GetType() == swDocumentTypes_e.swDocASSEMBLY
        if hasattr(document, "model") and options & swOpenDocOptions_e.swOpenDocOptions_LoadLightweight:
            self.session.lighten(document)
        if document is not None and "errors-with-document" in self.session.quirks:
            errors = int(swFileLoadError_e.swFileNotFoundError)
            warnings = int(swFileLoadWarning_e.swFileLoadWarning_NeedsRegen)
        return document, errors, warnings

    def DocumentVisible(self, visible: bool, kind: int) -> None:
        (self.session.invisible.discard if visible else self.session.invisible.add)(kind)

    def GetDocumentVisible(self, kind: int) -> bool:
        return kind not in self.session.invisible

    def NewDocument(self, template: str, _paper: int, _width: float, _height: float) -> object:
        return None if "template-not-a-file" in self.session.quirks else self.session.new_document(template)

    def NewPart(self) -> object:
        return self.session.new_of_kind(PART_TEMPLATE)

    def NewAssembly(self) -> object:
        return self.session.new_of_kind(ASSEMBLY_TEMPLATE)

    def GetDocuments(self) -> tuple[ModelDoc, ...]:
        return tuple(self.session.open)

    def GetCurrentLanguage(self) -> str:
        return "english"

    def GetMathUtility(self) -> object:
        from swgrm_mocks.modelling.managers import MathUtility  # here: modelling needs numpy

        return MathUtility()

    def GetUserPreferenceStringValue(self, preference: int) -> str:
        return self.session.texts.get(preference, "")

    def GetUserPreferenceToggle(self, preference: int) -> bool:
        return self.session.toggles.get(preference, False)

    def SetUserPreferenceToggle(self, preference: int, value: bool) -> None:
        if "toggle-ignored" not in self.session.quirks:
            self.session.toggles[preference] = value

    def RevisionNumber(self) -> str:
        return self.session.revision

    def SendMsgToUser2(self, message: str, _icon: int, buttons: int) -> int:
        self.session.messages.append(message)
        return self.session.button_answers.get(buttons, swMessageBoxResult_e.swMbHitOk)

    def SetAddinCallbackInfo2(self, _module: int, callbacks: object, _cookie: int) -> bool:
        self.session.callbacks = callbacks
        return True

    def StartupProcessCompleted(self) -> bool:
        return True


class ProgressBar(MockObject):
    """IUserProgressBar; the simulated user cancels at the position `cancel_at`."""

    interfaces: ClassVar = ("IUserProgressBar",)

    def __init__(self, *, is_failing: bool = False) -> None:
        self.is_failing = is_failing
        self.shown = False
        self.positions: list[int] = []
        self.cancel_at: int | None = None

    def Start(self, _lower: int, _upper: int, _title: str) -> bool:
        self.shown = True
        return True

    def UpdateProgress(self, position: int) -> int:
        if self.is_failing:
            raise ComError(E_FAIL, "SolidWorks shows a progress bar of its own")
        self.positions.append(position)
        if self.cancel_at is not None and position >= self.cancel_at:
            return swUpdateProgressError_e.swUpdateProgressError_UserCancel
        return swUpdateProgressError_e.swUpdateProgressError_Success

    def End(self) -> bool:
        self.shown = False
        return True


ITEM = ("name", "position", "hint", "tip", "image", "callback", "enable", "id", "menu")


class CommandManager(MockObject):
    """ICommandManager: groups by the add-in's identifier, tabs by document type and title."""

    interfaces: ClassVar = ("ICommandManager",)

    def __init__(self) -> None:
        self.groups: dict[int, CommandGroup] = {}
        self.tabs: dict[tuple[int, str], CommandTab] = {}
        self.registry: dict[
            int, tuple[int, ...]
        ] = {}  # the commands of a group, which SolidWorks stores in the registry

    def CreateCommandGroup2(
        self, user: int, title: str, _tip: str, _hint: str, _position: int, _ignore: bool, _errors: int
    ) -> tuple[CommandGroup, int]:
        self.groups[user] = CommandGroup(self, user, title)
        return self.groups[user], 1  # swCreateCommandGroup_Success

    def RemoveCommandGroup2(self, user: int, runtime_only: bool) -> int:
        if not runtime_only:
            self.registry.pop(user, None)
        return 1 if self.groups.pop(user, None) else 0

    def GetGroupDataFromRegistry(self, user: int) -> tuple[bool, tuple[int, ...]]:
        return user in self.registry, self.registry.get(user, ())

    def AddCommandTab(self, kind: int, title: str) -> CommandTab:
        return self.tabs.setdefault((kind, title), CommandTab(kind, title))

    def GetCommandTab(self, kind: int, title: str) -> CommandTab | None:
        return self.tabs.get((kind, title))

    def RemoveCommandTab(self, tab: CommandTab) -> bool:
        return self.tabs.pop((tab.kind, tab.title), None) is not None


class CommandGroup(MockObject):
    """ICommandGroup."""

    interfaces: ClassVar = ("ICommandGroup",)
    FIRST_ID = 33000

    def __init__(self, manager: CommandManager, user: int, title: str) -> None:
        self.manager, self.user, self.title = manager, user, title
        self.items: list[dict[str, Any]] = []
        self.settings: dict[str, Any] = {}
        self.active = False

    def AddCommandItem2(self, *values: Any) -> int:
        self.items.append(dict(zip(ITEM, values, strict=True)))
        return len(self.items) - 1

    def CommandID(self, index: int) -> int:
        return self.FIRST_ID + index

    def put_HasMenu(self, value: bool) -> None:
        self.settings["HasMenu"] = value

    def put_HasToolbar(self, value: bool) -> None:
        self.settings["HasToolbar"] = value

    def put_IconList(self, value: tuple[str, ...]) -> None:
        self.settings["IconList"] = value

    def put_MainIconList(self, value: tuple[str, ...]) -> None:
        self.settings["MainIconList"] = value

    def Activate(self) -> bool:
        self.active = True
        self.manager.registry[self.user] = tuple(item["id"] for item in self.items)
        return True


class CommandTab(MockObject):
    """ICommandTab."""

    interfaces: ClassVar = ("ICommandTab",)

    def __init__(self, kind: int, title: str) -> None:
        self.kind, self.title = kind, title
        self.boxes: list[CommandTabBox] = []

    def AddCommandTabBox(self) -> CommandTabBox:
        self.boxes.append(CommandTabBox())
        return self.boxes[-1]

    def CommandTabBoxes(self) -> tuple[CommandTabBox, ...]:
        return tuple(self.boxes)

    def RemoveCommandTabBox(self, box: CommandTabBox) -> None:
        self.boxes.remove(box)


class CommandTabBox(MockObject):
    """ICommandTabBox."""

    interfaces: ClassVar = ("ICommandTabBox",)

    def __init__(self) -> None:
        self.commands: list[tuple[int, int]] = []

    def AddCommands(self, ids: tuple[int, ...], styles: tuple[int, ...]) -> bool:
        self.commands += zip(ids, styles, strict=True)
        return True
