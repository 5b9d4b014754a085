"""The add-in's commands as a table: what the ribbon shows, what SolidWorks calls, and when it may."""

from __future__ import annotations

from enum import Flag, auto
from typing import NamedTuple


class Needs(Flag):
    """What must be so for a command to make sense."""

    NOTHING = 0
    DOCUMENT = auto()  # an assembly or a part is in front
    FILE = auto()  # and it has been saved
    REST = auto()  # no other work of ours is going on
    EXPORT = auto()  # something has been exported before


class Command(NamedTuple):
    """A button: SolidWorks calls `callback` when it is pressed, and `enabled` to know whether it can be."""

    callback: str
    title: str
    hint: str
    needs: Needs

    @property
    def enabled(self) -> str:
        """The name of the method that says whether the button can be pressed."""
        return f"Can{self.callback}"


WORK = Needs.DOCUMENT | Needs.REST

COMMANDS = (  # in the order of the ribbon, of the icons, and of SolidWorks' ids
    Command("ExportGRM", "Export GRM", "Export this robot: GRM, URDF with meshes, RobotInfo", WORK | Needs.FILE),
    Command("Check", "Check", "Say what this robot lacks, without writing anything", WORK),
    Command("Settings", "Settings", "Open the settings of this robot's export", WORK | Needs.FILE),
    Command("SaveCapture", "Save capture for support", "Save what swgrm reads, to report a problem", WORK | Needs.FILE),
    Command("OpenLastExport", "Open last export", "Open the folder that was exported last", Needs.EXPORT),
    Command("Help", "Help", "What swgrm does, where its log lies, how to report a problem", Needs.NOTHING),
)
