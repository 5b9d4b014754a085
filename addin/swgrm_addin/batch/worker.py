"""The work on one document, wherever it is done: attempts on a SolidWorks instance, and a record of what went in and came out."""

from __future__ import annotations

import hashlib
import threading
import time
from contextlib import suppress
from functools import cache, lru_cache
from pathlib import Path

import msgspec

from swgrm import __version__
from swgrm.errors import SwgrmError
from swgrm.folders import MANIFEST, Manifest
from swgrm_addin.batch.child import Tell, attempt, verdict
from swgrm_addin.batch.processes import end_leftovers, end_started, let_start
from swgrm_addin.batch.records import Failure, Outcome, Summary, Task
from swgrm_addin.batch.instance_pool import InstancePool

ATTEMPTS = 2
CHANGED = "changed while it was read"
_only_once = threading.Lock()
_active: list[Task] = []  # what is being done in this process


def run(task: Task, tell: Tell = lambda _step, _done: None) -> Outcome:
    """Export a document; what goes wrong is told in the outcome, never raised."""
    _active.append(task)
    try:
        return _run(task, tell)
    finally:
        _active.remove(task)


def _run(task: Task, tell: Tell) -> Outcome:
    begin, since = time.monotonic(), time.time()
    before = digests([task.source, task.settings] if task.settings else [task.source])
    failures: list[Failure] = []
    answer: Summary | Failure = Failure("", "")
    for _ in range(ATTEMPTS):
        answer = _attempt(task, tell)
        if isinstance(answer, Summary):
            break
        failures.append(answer)
        if not verdict(answer.kind).retry:
            break
    outcome = Outcome(
        document=task.document,
        result="failed",
        folder=str(task.out),
        seconds=round(time.monotonic() - begin, 3),
        failures=tuple(failures),
    )
    if isinstance(answer, Failure):
        return outcome
    return msgspec.structs.replace(
        outcome,
        result="exported",
        summary=answer,
        inputs={name: _known(Path(name), since) for name in answer.references} | before,
        key=key(task),
        output=digest(task.out / MANIFEST),
    )


def _attempt(task: Task, tell: Tell) -> Summary | Failure:
    try:
        if not task.instance_kind:
            return attempt(task, "", tell)
        with instance_pool().acquire(task.instance_kind, task.options.restart_every) as pooled:
            answer = attempt(task, pooled.instance.address, tell)
            pooled.is_faulty = isinstance(answer, Failure) and verdict(answer.kind).replace_instance
            return answer
    except SwgrmError as error:
        kind = type(error).__name__
        return Failure(kind, str(error), verdict(kind).remedy)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        return Failure("crash", f"Its process could not be started: {reason}.", verdict("crash").remedy)


def is_complete(task: Task, outcome: Outcome | None) -> bool:
    """Whether a document's last outcome still holds: all that went in and all that came out is as it was."""
    if outcome is None or outcome.result not in ("exported", "unchanged"):
        return False
    sources = {str(task.source), str(task.settings or task.source)}
    return (
        outcome.folder == str(task.out)
        and outcome.key == key(task)
        and sources <= outcome.inputs.keys()
        and digests([Path(name) for name in outcome.inputs]) == outcome.inputs
        and outcome.output == digest(task.out / MANIFEST) != ""
        and all((task.out / name).is_file() for name in _files(task.out))
    )


def key(task: Task) -> str:
    """The hash of what decides the output beside the files: formats, configuration, settings' place, version."""
    options = task.options
    decisive = (__version__, options.formats, options.configuration, str(task.settings or ""))
    return hashlib.sha256(msgspec.json.encode(decisive)).hexdigest()


def _known(reference: Path, since: float) -> str:
    """The SHA-256 of a file that was read, unless it was changed meanwhile: then nobody knows what was read of it."""
    with suppress(OSError):
        return CHANGED if reference.stat().st_mtime >= since else digest(reference)
    return ""


def digests(paths: list[Path]) -> dict[str, str]:
    """The SHA-256 of each file, "" for one that is not there."""
    return {str(path): digest(path) for path in paths}


def digest(path: Path) -> str:
    """The SHA-256 of a file, "" if it is not there."""
    try:
        status = path.stat()
        return _digest(path, status.st_size, status.st_mtime_ns)
    except OSError:
        return ""


@lru_cache(maxsize=100_000)
def _digest(path: Path, size: int, modified: int) -> str:  # noqa: ARG001 - another file, another entry
    """Parts are shared by many assemblies: each is read once."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _files(folder: Path) -> list[str]:
    try:
        return list(msgspec.json.decode((folder / MANIFEST).read_bytes(), type=Manifest).files)
    except (OSError, msgspec.DecodeError):
        return [MANIFEST]


def instance_pool() -> InstancePool:
    """The pool of SolidWorks instances of this process; what a former one left behind is ended first."""
    with _only_once:
        return _instance_pool()


@cache
def _instance_pool() -> InstancePool:
    end_leftovers()
    return InstancePool()


def stop() -> None:
    """End what is being done here, if anything is, and the SolidWorks instances."""
    while _active:
        end_started()
        time.sleep(0.05)
    let_start()
    instance_pool().close()
