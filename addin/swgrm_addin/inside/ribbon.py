"""The ribbon: a command group with its menu, and a CommandManager tab for assemblies and for parts."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from swgrm.errors import SolidWorksError
from swgrm.swconst import (
    swCommandItemType_e,
    swCommandTabButtonTextDisplay_e,
    swCreateCommandGroupErrors,
    swDocumentTypes_e,
)
from swgrm_addin.inside.commands import COMMANDS

TITLE = "swgrm"
TIP = "From this assembly to a robot"
GROUP = 20260  # the command group's id, under which SolidWorks stores its buttons
SIZES = (20, 32, 40, 64, 96, 128)  # [px] the icon heights that SolidWorks uses
ICONS = Path(__file__).with_name("icons")
DOCUMENTS = (int(swDocumentTypes_e.swDocASSEMBLY), int(swDocumentTypes_e.swDocPART))
EVERYWHERE = int(swCommandItemType_e.swMenuItem | swCommandItemType_e.swToolbarItem)
TEXT_BELOW = int(swCommandTabButtonTextDisplay_e.swCommandTabButton_TextBelow)


def add(application: Any, cookie: int) -> None:
    """Add the command group and the tabs."""
    manager = application.GetCommandManager(cookie)
    known, stored = manager.GetGroupDataFromRegistry(GROUP)
    outdated = known and sorted(stored) != list(range(len(COMMANDS)))
    group, error = manager.CreateCommandGroup2(GROUP, TITLE, TIP, TIP, -1, outdated, 0)
    if error != swCreateCommandGroupErrors.swCreateCommandGroup_Success:
        raise SolidWorksError(
            f"SolidWorks could not create the swgrm command group (error {error}). Restart SolidWorks."
        )
    group.IconList = tuple(str(ICONS / f"commands{size}.png") for size in SIZES)
    group.MainIconList = tuple(str(ICONS / f"swgrm{size}.png") for size in SIZES)
    indices = [
        group.AddCommandItem2(
            command.title,
            -1,
            command.hint,
            command.title,
            number,
            command.callback,
            command.enabled,
            number,
            EVERYWHERE,
        )
        for number, command in enumerate(COMMANDS)
    ]
    group.HasToolbar = True
    group.HasMenu = True
    group.Activate()
    _add_tabs(manager, tuple(group.CommandID(index) for index in indices))


def _add_tabs(manager: Any, ids: tuple[int, ...]) -> None:
    _remove_tabs(manager)  # a stored tab has the command ids of an earlier session
    for kind in DOCUMENTS:
        box = manager.AddCommandTab(kind, TITLE).AddCommandTabBox()
        box.AddCommands(ids, (TEXT_BELOW,) * len(ids))


def _remove_tabs(manager: Any) -> None:
    for kind in DOCUMENTS:
        tab = manager.GetCommandTab(kind, TITLE)
        if tab is not None:
            manager.RemoveCommandTab(tab)


def remove(application: Any, cookie: int) -> None:
    """Remove the tabs and the command group; SolidWorks keeps their positions for the next time."""
    manager = application.GetCommandManager(cookie)
    _remove_tabs(manager)
    manager.RemoveCommandGroup2(GROUP, True)
