"""Editions of SolidWorks that no program may start: those that the 3DEXPERIENCE platform manages."""

from __future__ import annotations

from pathlib import Path

from swgrm.errors import SolidWorksError

LAUNCHER = "CATSTART.exe"  # of the 3DEXPERIENCE platform
PLACES = ("", "win_b64/code/bin")  # of the launcher, in the folder of SolidWorks or in one of those above it
LEVELS = 3  # folders, beginning with that of the program
CANNOT_START = (
    "Some editions (SolidWorks Connected, 3DEXPERIENCE, Maker) refuse that: only their own shortcut starts them, with "
    "a login. Start SolidWorks by hand"
)


def is_managed(program: Path) -> bool:
    """Whether the 3DEXPERIENCE platform manages the installation of this program."""
    folders = list(program.parents)[:LEVELS]
    return any((folder / place / LAUNCHER).is_file() for folder in folders for place in PLACES)


def check_startable(program: Path) -> None:
    """Raise an error if the program can be started only by its shortcut and a login."""
    if is_managed(program):
        raise SolidWorksError(
            f"{program} is managed by 3DEXPERIENCE, so that swgrm cannot start it: SolidWorks would show a dialog and "
            f"never be ready. {CANNOT_START}, and run the batch again with --attach, which uses the SolidWorks that is "
            "open."
        )
