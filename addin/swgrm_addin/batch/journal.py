"""The journal of a run: a line of JSON per step, on the disk before the next step begins."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType

import msgspec

from swgrm.errors import FileError, SwgrmError
from swgrm_addin.batch.processes import Process, lock
from swgrm_addin.batch.records import Outcome


class Begun(msgspec.Struct, frozen=True, tag="run"):
    """A run began."""

    process: Process
    at: str
    documents: int


class Taken(msgspec.Struct, frozen=True, tag="taken"):
    """A document was given to a worker."""

    document: str


class Finished(msgspec.Struct, frozen=True, tag="finished"):
    """A document was exported, or failed for good."""

    outcome: Outcome


class Ended(msgspec.Struct, frozen=True, tag="ended"):
    """The run came to its end."""

    process: Process


Record = Begun | Taken | Finished | Ended


class Journal:
    """Appends; each line is forced to the disk. What a kill cut off is left behind as a line that is no JSON.

    It is locked while it is open, so that one run works in a folder at a time, whichever machine it is on.
    """

    def __init__(self, path: Path, *, anew: bool = False) -> None:
        self.path = path
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND | getattr(os, "O_BINARY", 0), 0o666)
            if not lock(self._file):
                os.close(self._file)
                raise SwgrmError(f"{path.parent}: {_who(path)} is at work here. Wait for it, or end it.")
            if anew:
                os.ftruncate(self._file, 0)
            elif os.fstat(self._file).st_size and path.read_bytes()[-1:] != b"\n":
                self._append(b"\n")
        except OSError as error:
            raise self._failed(error) from error

    def __enter__(self) -> Journal:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        os.close(self._file)

    def write(self, record: Record) -> None:
        """Add a record."""
        try:
            self._append(msgspec.json.encode(record) + b"\n")
        except OSError as error:
            raise self._failed(error) from error

    def _append(self, line: bytes) -> None:
        while line:
            line = line[os.write(self._file, line) :]
        os.fsync(self._file)

    def _failed(self, error: OSError) -> FileError:
        reason = (error.strerror or str(error)).lower()
        return FileError(self.path, f"the journal cannot be written: {reason}", remedy="Mend that, then use --resume")


def read_journal(path: Path) -> Iterator[Record]:
    """The records of a journal that can be read; the last ones of a killed run may be cut off."""
    try:
        lines = path.read_bytes().splitlines()
    except FileNotFoundError:
        return
    except OSError as error:
        raise FileError(path, f"the journal cannot be read: {(error.strerror or str(error)).lower()}") from error
    decoder = msgspec.json.Decoder(Record)
    for line in lines:
        try:
            yield decoder.decode(line)
        except msgspec.DecodeError:  # cut off
            continue


def outcomes(path: Path) -> dict[str, Outcome]:
    """The last outcome of every document."""
    finished = (record.outcome for record in read_journal(path) if isinstance(record, Finished))
    return {outcome.document: outcome for outcome in finished}


def _who(path: Path) -> str:
    """The run that has locked a journal, as far as that says."""
    begun = [record for record in read_journal(path) if isinstance(record, Begun)]
    return "another run" + "".join(
        f" (process {it.process.id} on {it.process.host}, since {it.at})" for it in begun[-1:]
    )
