"""Where the add-in keeps its things: the log, the work in progress, what it remembers, and its own Python."""

from __future__ import annotations

import logging
import os
import sys
from logging.handlers import RotatingFileHandler
from pathlib import Path
from typing import NamedTuple

import msgspec

from swgrm.errors import FileError
from swgrm.files import read_bytes, write_bytes

LOG_SIZE, LOG_COUNT = 1 << 20, 3  # [bytes] of one log file, and how many older ones are kept
REMEMBERED = 200  # documents whose folder we remember


class Memory(msgspec.Struct):
    """What is remembered from one session to the next: where each document was exported to, the last one last."""

    folders: dict[str, str] = {}

    @property
    def last(self) -> str:
        """The folder of the last export."""
        return next(reversed(self.folders.values()), "")


class Places(NamedTuple):
    """The add-in's own folder, one per user."""

    folder: Path

    @property
    def log(self) -> Path:
        """The log."""
        return self.folder / "swgrm.log"

    @property
    def work(self) -> Path:
        """Captures that a child process works on."""
        return self.folder / "work"

    @property
    def failed(self) -> Path:
        """The capture that could not be exported, kept to be reported."""
        return self.folder / "failed.swcap"

    @property
    def memory(self) -> Path:
        """What is remembered."""
        return self.folder / "memory.json"

    def recall(self) -> Memory:
        """What is remembered; nothing, if that cannot be read."""
        try:
            return msgspec.json.decode(read_bytes(self.memory), type=Memory)
        except (FileError, msgspec.DecodeError):
            return Memory()

    def remember(self, document: str, folder: str) -> None:
        """Remember where a document was exported to."""
        folders = {key: value for key, value in self.recall().folders.items() if key != document}
        folders[document] = folder
        newest = dict(list(folders.items())[-REMEMBERED:])
        write_bytes(self.memory, msgspec.json.format(msgspec.json.encode(Memory(newest)), indent=1))


def own_places() -> Places:
    """The places of this user; SWGRM_DATA names others."""
    if named := os.environ.get("SWGRM_DATA"):
        return Places(Path(named))
    if local := os.environ.get("LOCALAPPDATA"):
        return Places(Path(local) / "swgrm")
    return Places(Path(os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state") / "swgrm")


def open_log(places: Places) -> logging.Logger:
    """The add-in's log: a file that is set aside when it grows large."""
    logger = logging.getLogger("swgrm.addin")
    close_log()
    places.folder.mkdir(parents=True, exist_ok=True)
    file = RotatingFileHandler(places.log, maxBytes=LOG_SIZE, backupCount=LOG_COUNT, encoding="utf-8", delay=True)
    file.setFormatter(logging.Formatter("%(asctime)s %(process)d %(levelname)s %(message)s"))
    logger.addHandler(file)
    logger.setLevel(logging.INFO)
    logger.propagate = False
    return logger


def close_log() -> None:
    """Let go of the log's file."""
    logger = logging.getLogger("swgrm.addin")
    for handler in list(logger.handlers):
        logger.removeHandler(handler)
        handler.close()


def python_folder() -> Path:
    """The folder of the DLL that COM loads to start this interpreter."""
    import _ctypes

    return Path(_ctypes.__file__).parent


def private_python() -> Path:
    """The Python that runs the child process. Inside SolidWorks, `sys.executable` is SolidWorks."""
    if os.name != "nt":
        return Path(sys.executable)
    folder = python_folder()
    for place in (folder, folder.parent, Path(sys.prefix), Path(sys.prefix) / "Scripts"):
        if (place / "python.exe").exists():
            return place / "python.exe"
    raise FileError(folder / "python.exe", "swgrm's own Python is not there", remedy="Run swgrm's set-up program again")
