"""Records of child processes, by which the next run ends those that a killed one left behind.

If a process is killed, the standard input of its children ends, and they end themselves. Those that
cannot (SolidWorks, or a process that hangs) are recorded in the user's state folder, and the next
run on the same machine ends them.
"""

from __future__ import annotations

import contextlib
import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from platform import node

import msgspec

from swgrm.processes.identity import Process, current_process, end, is_alive


class ProcessRecord(msgspec.Struct, frozen=True):
    """A started process, and the process that started it."""

    process: Process
    owner: Process
    folder: str  # for its temporary files


def state_folder() -> Path:
    """The folder for swgrm's state of this user."""
    named = os.environ.get("LOCALAPPDATA") or os.environ.get("XDG_STATE_HOME")
    return (Path(named) if named else Path.home() / ".local" / "state") / "swgrm"


@contextlib.contextmanager
def recorded(process: Process, folder: str) -> Iterator[None]:
    """Record a process while the block runs; then end it, and remove its folder and the record."""
    records = state_folder() / "processes"
    records.mkdir(parents=True, exist_ok=True)
    path = records / f"{process.id}-{process.created:.0f}.json"
    path.write_bytes(msgspec.json.encode(ProcessRecord(process, current_process(), folder)))
    try:
        yield
    finally:
        _end_recorded(path, process, folder)


def _end_recorded(path: Path, process: Process, folder: str) -> None:
    end(process)
    shutil.rmtree(folder, ignore_errors=True)
    path.unlink(missing_ok=True)


def end_leftovers() -> list[ProcessRecord]:
    """End the recorded processes of runs that have ended; returns those that were still running."""
    ended = []
    for path in sorted((state_folder() / "processes").glob("*.json")):
        try:
            record = msgspec.json.decode(path.read_bytes(), type=ProcessRecord)
        except (OSError, msgspec.DecodeError):  # being written, or cut off by a full disk
            continue
        if record.owner.host != node() or is_alive(record.owner):
            continue
        if is_alive(record.process):
            ended.append(record)
        _end_recorded(path, record.process, record.folder)
    return ended
