"""The ribbon: a command group, and a tab for assemblies and parts, from one table of commands; and gone again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from swgrm.swconst import swDocumentTypes_e

GROUP = 7310  # our command group's id; another one whenever the commands change
TITLE = "Robot model"
DOCUMENTS = (int(swDocumentTypes_e.swDocASSEMBLY), int(swDocumentTypes_e.swDocPART))
MENU_AND_TOOLBAR = 3  # swMenuItem | swToolbarItem
TEXT_BELOW = 2  # swCommandTabButton_TextBelow


class Command(NamedTuple):
    """A button: its text and hint, and the names of the callbacks that run it and say whether it is enabled."""

    name: str
    hint: str
    callback: str
    enabled: str


def add(application: Any, cookie: int, callbacks: object, commands: Sequence[Command], icons: tuple[str, ...]) -> None:
    """Put the commands into SolidWorks' menu and ribbon."""
    application.SetAddinCallbackInfo2(0, callbacks, cookie)
    manager = application.GetCommandManager(cookie)
    ours = tuple(range(len(commands)))
    remembered, ids = manager.GetGroupDataFromRegistry(GROUP)
    changed = remembered and tuple(sorted(ids)) != ours
    group, _ = manager.CreateCommandGroup2(GROUP, TITLE, TITLE, TITLE, -1, changed, 0)
    group.IconList = icons
    group.MainIconList = icons
    indices = [
        group.AddCommandItem2(
            command.name, -1, command.hint, command.name, i, command.callback, command.enabled, i, MENU_AND_TOOLBAR
        )
        for i, command in enumerate(commands)
    ]
    group.HasToolbar = True
    group.HasMenu = True
    group.Activate()
    buttons = tuple(group.CommandID(index) for index in indices)
    for kind in DOCUMENTS:
        _fresh_tab(manager, kind).AddCommandTabBox().AddCommands(buttons, (TEXT_BELOW,) * len(buttons))


def remove(application: Any, cookie: int) -> None:
    """Take all of it away again."""
    manager = application.GetCommandManager(cookie)
    for kind in DOCUMENTS:
        _drop_tab(manager, kind)
    manager.RemoveCommandGroup2(GROUP, False)


def _fresh_tab(manager: Any, kind: int) -> Any:
    _drop_tab(manager, kind)
    return manager.AddCommandTab(kind, TITLE)


def _drop_tab(manager: Any, kind: int) -> None:
    tab = manager.GetCommandTab(kind, TITLE)
    if tab is not None:
        manager.RemoveCommandTab(tab)
