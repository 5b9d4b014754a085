"""The journal of a run: one line of JSON per step, written to disk before the next step begins."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType

import msgspec

from swgrm.errors import FileError, SwgrmError, system_reason
from swgrm.processes.identity import Process
from swgrm.storage.locks import lock
from swgrm_addin.batch.records import DocumentResult


class RunStarted(msgspec.Struct, frozen=True, tag="run-started"):
    """A run started."""

    process: Process
    at: str
    documents: int


class DocumentStarted(msgspec.Struct, frozen=True, tag="document-started"):
    """A document was given to a worker."""

    document: str


class DocumentFinished(msgspec.Struct, frozen=True, tag="document-finished"):
    """A document was exported, or its last attempt failed."""

    result: DocumentResult


class RunEnded(msgspec.Struct, frozen=True, tag="run-ended"):
    """The run ended."""

    process: Process


Record = RunStarted | DocumentStarted | DocumentFinished | RunEnded


class Journal:
    """Appends records and syncs each to disk. A line that a kill cut off stays in the file as invalid JSON.

    The file is locked while it is open, so that only one run at a time uses an output folder, on any machine.
    """

    def __init__(self, path: Path, *, truncate: bool = False) -> None:
        self.path = path
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND | getattr(os, "O_BINARY", 0), 0o666)
            if not lock(self._file):
                os.close(self._file)
                raise SwgrmError(f"{path.parent}: {_lock_holder(path)} is using this folder. Wait for it, or stop it.")
            if truncate:
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
        """Append a record."""
        try:
            self._append(msgspec.json.encode(record) + b"\n")
        except OSError as error:
            raise self._failed(error) from error

    def _append(self, line: bytes) -> None:
        while line:
            line = line[os.write(self._file, line) :]
        os.fsync(self._file)

    def _failed(self, error: OSError) -> FileError:
        why = system_reason(error)
        return FileError(
            self.path, f"the journal cannot be written: {why}", remedy="Fix the problem and rerun with --resume"
        )


def read_journal(path: Path) -> Iterator[Record]:
    """The valid records of a journal; lines that a kill cut off are skipped."""
    try:
        lines = path.read_bytes().splitlines()
    except FileNotFoundError:
        return
    except OSError as error:
        raise FileError(path, f"the journal cannot be read: {system_reason(error)}") from error
    decoder = msgspec.json.Decoder(Record)
    for line in lines:
        try:
            yield decoder.decode(line)
        except msgspec.DecodeError:  # cut off
            continue


def last_results(path: Path) -> dict[str, DocumentResult]:
    """The last result of every document in a journal."""
    finished = (record.result for record in read_journal(path) if isinstance(record, DocumentFinished))
    return {result.document: result for result in finished}


def _lock_holder(path: Path) -> str:
    """The run that has locked a journal, with its process if the journal has it."""
    starts = [record for record in read_journal(path) if isinstance(record, RunStarted)]
    return "another run" + "".join(
        f" (process {it.process.id} on {it.process.host}, since {it.at})" for it in starts[-1:]
    )
