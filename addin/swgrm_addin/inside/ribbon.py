"""The ribbon: a command group with its menu, and a CommandManager tab for assemblies and for parts."""

from __future__ import annotations

import logging
import zlib
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

from swgrm import __version__
from swgrm.errors import CallError, SolidWorksError, SwgrmError
from swgrm.solidworks.swconst import swDocumentTypes_e
from swgrm.solidworks.swconst_calls import (
    swCommandItemType_e,
    swCommandTabButtonTextDisplay_e,
    swCreateCommandGroupErrors,
)
from swgrm_addin.inside import messages
from swgrm_addin.inside.addin_folders import AddinFolders, RibbonState
from swgrm_addin.inside.commands import COMMANDS, Command
from swgrm_addin.inside.commands import ICONS as WITH_ICONS

TITLE = "swgrm"
TIP = "From this assembly to a robot"
FIRST_GROUP, GROUPS = 20260, 0x10000  # the range of the command group's id
SIZES = (20, 32, 40, 64, 96, 128)  # [px] the icon heights that SolidWorks uses
ICONS = Path(__file__).with_name("icons")
DOCUMENTS = {int(swDocumentTypes_e.swDocASSEMBLY): "assemblies", int(swDocumentTypes_e.swDocPART): "parts"}
EVERYWHERE = int(swCommandItemType_e.swMenuItem | swCommandItemType_e.swToolbarItem)
MENU_ONLY = int(swCommandItemType_e.swMenuItem)
TEXT_BELOW = int(swCommandTabButtonTextDisplay_e.swCommandTabButton_TextBelow)

logger = logging.getLogger("swgrm.addin")


def group_id(callbacks: Iterable[str]) -> int:
    """The command group's id, which follows from its commands.

    SolidWorks stores the layout of a group under its id, and crashed at start when a group had fewer commands than its
    stored layout. Other commands have another id, which has no stored layout.
    """
    return FIRST_GROUP + zlib.crc32("\n".join(callbacks).encode()) % GROUPS


GROUP = group_id(command.callback for command in COMMANDS)
IDS = list(range(1, len(COMMANDS) + 1))  # of the commands in the group; 0 means that there is none


def add_and_log(application: Any, cookie: int, folders: AddinFolders) -> str:
    """Add the ribbon. If a part of it fails, the others are kept, and a message for the user is returned.

    It is returned once: not again at the next start if the same fails. A stored layout is ignored once per version.
    """
    before = folders.read_ribbon()
    errors: list[SwgrmError]
    try:
        errors, version = [*add(application, cookie, ignore_layout=before.version != __version__)], __version__
    except Exception as error:
        logger.exception("the ribbon")
        errors, version = [SwgrmError(str(error))], ""
    for failed in errors:
        logger.error("%s", failed)
    problem = messages.ribbon_failed(errors, folders) if errors else ""
    with suppress(SwgrmError):  # then the layout is ignored again at the next start
        folders.write_ribbon(RibbonState(version, problem))
    return "" if problem == before.problem else problem


def add(application: Any, cookie: int, *, ignore_layout: bool) -> list[SolidWorksError]:
    """Add the command group with its menu, and the tabs; returns the errors of the parts that SolidWorks refused.

    `ignore_layout`: whether SolidWorks must not use the layout that it stored for the group.
    """
    errors: list[SolidWorksError] = []
    manager = application.GetCommandManager(cookie)
    known, stored = manager.GetGroupDataFromRegistry(GROUP)
    is_outdated = known and sorted(stored) != IDS
    group, error = manager.CreateCommandGroup2(GROUP, TITLE, TIP, TIP, -1, ignore_layout or is_outdated, 0)
    if error != swCreateCommandGroupErrors.swCreateCommandGroup_Success:
        raise SolidWorksError(
            f"SolidWorks could not create the swgrm command group (error {error}). Restart SolidWorks."
        )
    _attempt(partial(_add_icons, group), "the icons", errors)
    indices = [_add_item(group, number) for number in range(len(COMMANDS))]
    group.HasMenu = True
    _attempt(partial(_add_toolbar, group), "the toolbar", errors)
    if not group.Activate():
        errors.append(SolidWorksError("SolidWorks did not activate the commands of swgrm (ICommandGroup.Activate)."))
    ids = tuple(group.CommandID(index) for index, each in zip(indices, COMMANDS, strict=True) if not each.icon)
    for kind, documents in DOCUMENTS.items():
        _attempt(partial(_fill_tab, manager, kind, ids), f"the tab for {documents}", errors)
    return errors


def remove(application: Any, cookie: int) -> None:
    """Remove the command group. The tabs stay, since the user may have moved or hidden them.

    SolidWorks keeps the group's stored layout, but not that of other commands.
    """
    manager = application.GetCommandManager(cookie)
    _, stored = manager.GetGroupDataFromRegistry(GROUP)
    manager.RemoveCommandGroup2(GROUP, sorted(stored) == IDS)


def answers(application: Any, cookie: int) -> dict[str, Any]:
    """What SolidWorks returns about the ribbon: the stored ids of the group, and whether each tab is there."""
    manager = application.GetCommandManager(cookie)
    _, stored = manager.GetGroupDataFromRegistry(GROUP)
    tabs = {documents: manager.GetCommandTab(kind, TITLE) is not None for kind, documents in DOCUMENTS.items()}
    return {"ids": IDS, "stored": sorted(stored), **tabs}


def _attempt(action: Callable[[], object], what: str, errors: list[SolidWorksError]) -> None:
    try:
        action()
    except CallError as error:
        errors.append(SolidWorksError(f"SolidWorks did not add {what} of swgrm. {error}"))


def _add_icons(group: Any) -> None:
    group.IconList = tuple(str(ICONS / f"commands{size}.png") for size in SIZES)
    group.MainIconList = tuple(str(ICONS / f"swgrm{size}.png") for size in SIZES)


def _add_toolbar(group: Any) -> None:
    group.HasToolbar = True


def _add_item(group: Any, number: int) -> int:
    """Add a command; returns its index in the group."""
    command = COMMANDS[number]
    names = command.title, -1, command.hint, command.title
    image, where = _icon(command), MENU_ONLY if command.icon else EVERYWHERE
    index: int = group.AddCommandItem2(*names, image, command.callback, command.enabled, IDS[number], where)
    return index


def _icon(command: Command) -> int:
    """The number of a command's icon in the strip."""
    return WITH_ICONS.index(command.icon or command.callback)


def _fill_tab(manager: Any, kind: int, ids: tuple[int, ...]) -> None:
    """Fill the tab of a document type. A stored tab has the command ids of an earlier session, which are replaced."""
    tab = manager.GetCommandTab(kind, TITLE)
    if tab is not None and not _is_emptied(tab):
        manager.RemoveCommandTab(tab)
        tab = None
    if tab is None:
        tab = manager.AddCommandTab(kind, TITLE)
    if not tab.AddCommandTabBox().AddCommands(ids, (TEXT_BELOW,) * len(ids)):
        problem = "it returned false"
        raise CallError(f"ICommandTabBox.AddCommands: {problem}, so that there are no buttons.", "", problem)


def _is_emptied(tab: Any) -> bool:
    """Remove the boxes of a tab; returns whether SolidWorks did so."""
    try:
        for box in tab.CommandTabBoxes():
            tab.RemoveCommandTabBox(box)
    except CallError:
        return False
    return True
