"""The add-in's files of one user: the log, captures in work, the export history, and the private Python."""

from __future__ import annotations

import logging
import os
import sys
import tempfile
from logging.handlers import RotatingFileHandler
from pathlib import Path
from typing import NamedTuple

import msgspec

from swgrm.errors import FileError
from swgrm.storage.files import read_bytes, write_bytes
from swgrm.typevars import T

LOG_SIZE, LOG_COUNT = 1 << 20, 3  # [bytes] of one log file, and the number of older ones that are kept
HISTORY_SIZE = 200  # documents


class ExportHistory(msgspec.Struct):
    """The folder that each document was exported to; the last export is the last entry."""

    folders: dict[str, str] = {}

    @property
    def last(self) -> str:
        """The folder of the last export; "" if there was none."""
        return next(reversed(self.folders.values()), "")


class RibbonState(msgspec.Struct):
    """The version of swgrm that added its ribbon last, and the problem that was shown to the user."""

    version: str = ""
    problem: str = ""


class AddinFolders(NamedTuple):
    """The add-in's own folder of one user, and the files in it."""

    folder: Path

    @property
    def log(self) -> Path:
        """The log file."""
        return self.folder / "swgrm.log"

    @property
    def work(self) -> Path:
        """The folder for captures that a subprocess works on."""
        return self.folder / "work"

    @property
    def failed(self) -> Path:
        """The last capture that could not be exported, kept so that it can be reported."""
        return self.folder / "failed.swcap"

    @property
    def report(self) -> Path:
        """The last report of a problem, until the user has decided to keep it."""
        return self.folder / "report.zip"

    @property
    def history(self) -> Path:
        """The file with the export history."""
        return self.folder / "history.json"

    @property
    def ribbon(self) -> Path:
        """The file with the state of the ribbon."""
        return self.folder / "ribbon.json"

    def read_ribbon(self) -> RibbonState:
        """The state of the ribbon; empty if its file does not exist or is damaged."""
        return _read(self.ribbon, RibbonState)

    def write_ribbon(self, state: RibbonState) -> None:
        """Keep the state of the ribbon for the next start."""
        write_bytes(self.ribbon, msgspec.json.encode(state))

    def read_history(self) -> ExportHistory:
        """The export history; empty if its file does not exist or is damaged."""
        return _read(self.history, ExportHistory)

    def add_to_history(self, document: str, folder: str) -> None:
        """Record the folder that a document was exported to."""
        folders = {key: value for key, value in self.read_history().folders.items() if key != document}
        folders[document] = folder
        newest = dict(list(folders.items())[-HISTORY_SIZE:])
        write_bytes(self.history, msgspec.json.format(msgspec.json.encode(ExportHistory(newest)), indent=1))


def _read(file: Path, kind: type[T]) -> T:
    """The content of a file; an empty one if the file does not exist or is damaged."""
    try:
        return msgspec.json.decode(read_bytes(file), type=kind)
    except (FileError, msgspec.DecodeError):
        return kind()


def user_folders() -> AddinFolders:
    """The folders of the current user; the environment variable SWGRM_DATA names another place."""
    if named := os.environ.get("SWGRM_DATA"):
        return AddinFolders(Path(named))
    if local := os.environ.get("LOCALAPPDATA"):
        return AddinFolders(Path(local) / "swgrm")
    return AddinFolders(Path(os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state") / "swgrm")


def folder_beside(document: Path) -> Path:
    """The folder of a document; if nothing can be written there, as in a library or a vault, one of the user's own."""
    try:
        with tempfile.TemporaryFile(dir=document.parent):
            return document.parent
    except OSError:
        documents = Path.home() / "Documents"
        return (documents if documents.is_dir() else Path.home()) / "swgrm"


def open_log(folders: AddinFolders) -> logging.Logger:
    """Open the add-in's log, a rotating file, and return its logger."""
    logger = logging.getLogger("swgrm.addin")
    close_log()
    folders.folder.mkdir(parents=True, exist_ok=True)
    file = RotatingFileHandler(folders.log, maxBytes=LOG_SIZE, backupCount=LOG_COUNT, encoding="utf-8", delay=True)
    file.setFormatter(logging.Formatter("%(asctime)s %(process)d %(levelname)s %(message)s"))
    logger.addHandler(file)
    logger.setLevel(logging.INFO)
    logger.propagate = False
    return logger


def close_log() -> None:
    """Close the log file."""
    logger = logging.getLogger("swgrm.addin")
    for handler in list(logger.handlers):
        logger.removeHandler(handler)
        handler.close()


def python_folder() -> Path:
    """The folder of the DLL that COM loads to start this interpreter."""
    import _ctypes

    return Path(_ctypes.__file__).parent


def command_name() -> str:
    """How the user runs the command `swgrm`: by its path after the set-up program, which does not change the PATH."""
    script = python_folder() / "swgrm.cmd"
    return f'"{script}"' if script.exists() else "swgrm"


def private_python() -> Path:
    """The Python program for subprocesses. Inside SolidWorks, `sys.executable` is SolidWorks."""
    if os.name != "nt":
        return Path(sys.executable)
    folder = python_folder()
    for place in (folder, folder.parent, Path(sys.prefix), Path(sys.prefix) / "Scripts"):
        if (place / "python.exe").exists():
            return place / "python.exe"
    raise FileError(
        folder / "python.exe", "swgrm's private Python does not exist", remedy="Run swgrm's set-up program again"
    )
