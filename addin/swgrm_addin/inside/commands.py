"""The add-in's commands as a table: title, hint, callback, and the conditions under which each is available."""

from __future__ import annotations

from enum import Flag, auto
from typing import NamedTuple


class Needs(Flag):
    """The conditions under which a command is available."""

    NOTHING = 0
    DOCUMENT = auto()  # the active document is an assembly or a part
    FILE = auto()  # and it has been saved
    IDLE = auto()  # no job of the add-in is running
    EXPORT = auto()  # a document has been exported before


class Command(NamedTuple):
    """A button: SolidWorks calls `callback` when it is pressed, and `enabled` to find out whether it is available."""

    callback: str
    title: str
    hint: str
    needs: Needs
    icon: str = ""  # the command whose icon it has; such a command is in the menu only
    cancels: bool = False  # whether it cancels the job in the background while one runs

    @property
    def enabled(self) -> str:
        """The name of the method that returns whether the button is available."""
        return f"Can{self.callback}"


WORK = Needs.DOCUMENT | Needs.IDLE

COMMANDS = (  # in the order of the ribbon, of the icons, and of SolidWorks' ids
    Command(
        "ExportGRM",
        "Export GRM",
        "Export this assembly as a robot, with its meshes; while swgrm works in the background, cancel that",
        WORK | Needs.FILE,
        cancels=True,
    ),
    Command("Review", "Review", "See the robot move in the browser, and correct its joints", WORK | Needs.FILE),
    Command("Check", "Check", "Report problems of this robot without writing any file", WORK),
    Command("Settings", "Settings", "Open the settings file of this robot", WORK | Needs.FILE),
    Command(
        "SaveCapture",
        "Save capture for support",
        "Save what swgrm reads and its log, for a problem report",
        WORK | Needs.FILE,
    ),
    Command("OpenLastExport", "Open last export", "Open the folder of the last export", Needs.EXPORT),
    Command("Help", "Help", "Show what swgrm does, where its log is, and how to report a problem", Needs.NOTHING),
    Command("SelfTest", "Self-test", "Measure what this SolidWorks does with mates", Needs.IDLE, "Check"),
)
ICONS = tuple(command.callback for command in COMMANDS if not command.icon)  # in the order of the icons' strip
