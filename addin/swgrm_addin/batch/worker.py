"""The worker: exports one document in one or two attempts, and records its inputs and outputs."""

from __future__ import annotations

import hashlib
import stat
import threading
import time
from contextlib import suppress
from functools import cache, lru_cache
from pathlib import Path

import msgspec

from swgrm import __version__
from swgrm.errors import SwgrmError, system_reason
from swgrm.processes.child import allow_starts, end_all
from swgrm.processes.leftovers import end_leftovers
from swgrm.storage.folders import MANIFEST, Manifest
from swgrm_addin.batch.attempt import OnStep, attempt, failure_policy
from swgrm_addin.batch.export_pool import ExportPool
from swgrm_addin.batch.instance_pool import InstancePool
from swgrm_addin.batch.records import DocumentResult, ExportSummary, Failure, Task
from swgrm_addin.user_defaults import read_defaults

ATTEMPTS = 2
CHANGED_WHILE_READ = "changed while it was read"  # instead of a digest, so that the file counts as changed
_pool_lock = threading.Lock()
_export_pool = ExportPool()
_active: list[Task] = []  # the tasks that run in this process


def run(task: Task, on_step: OnStep = lambda _step, _done: None) -> DocumentResult:
    """Export a document; failures are part of the result and never raised."""
    _active.append(task)
    try:
        return _run(task, on_step)
    finally:
        _active.remove(task)


def _run(task: Task, on_step: OnStep) -> DocumentResult:
    begin, since = time.monotonic(), time.time()
    before = digests([task.source, task.settings] if task.settings else [task.source])
    failures: list[Failure] = []
    answer: ExportSummary | Failure = Failure("", "")
    for _ in range(ATTEMPTS):
        answer = _attempt(task, on_step)
        if isinstance(answer, ExportSummary):
            break
        failures.append(answer)
        if not failure_policy(answer.kind).retry:
            break
    result = DocumentResult(
        document=task.document,
        status="failed",
        folder=str(task.out),
        seconds=round(time.monotonic() - begin, 3),
        failures=tuple(failures),
    )
    if isinstance(answer, Failure):
        return result
    return msgspec.structs.replace(
        result,
        status="exported",
        summary=answer,
        inputs={name: _reference_digest(Path(name), since) for name in answer.references} | before,
        key=key(task),
        output=digest(task.out / MANIFEST),
    )


def _attempt(task: Task, on_step: OnStep) -> ExportSummary | Failure:
    try:
        if not task.instance_kind:
            return attempt(task, "", on_step, _export_pool)
        with instance_pool().acquire(task.instance_kind, task.options.restart_every) as pooled:
            answer = attempt(task, pooled.instance.address, on_step, _export_pool)
            pooled.is_faulty = isinstance(answer, Failure) and failure_policy(answer.kind).replace_instance
            return answer
    except SwgrmError as error:
        kind = type(error).__name__
        return Failure(kind, str(error), failure_policy(kind).remedy)
    except OSError as error:
        why = system_reason(error)
        return Failure("crash", f"The export process could not be started: {why}.", failure_policy("crash").remedy)


def is_complete(task: Task, result: DocumentResult | None) -> bool:
    """Whether a document's last result is still valid: its inputs and outputs are unchanged."""
    if result is None or result.status not in ("exported", "unchanged"):
        return False
    sources = {str(task.source), str(task.settings or task.source)}
    return (
        result.folder == str(task.out)
        and result.key == key(task)
        and sources <= result.inputs.keys()
        and digests([Path(name) for name in result.inputs]) == result.inputs
        and result.output == digest(task.out / MANIFEST) != ""
        and all((task.out / name).is_file() for name in _files(task.out))
    )


def key(task: Task) -> str:
    """The hash of the inputs beside the files: formats, configuration, path of the settings, defaults, version."""
    options = task.options
    defaults = msgspec.json.encode(read_defaults().sections).decode()
    decisive = (__version__, options.formats, options.configuration, str(task.settings or ""), defaults)
    return hashlib.sha256(msgspec.json.encode(decisive)).hexdigest()


def _reference_digest(reference: Path, since: float) -> str:
    """The SHA-256 of a referenced file ("" if it does not exist), or CHANGED_WHILE_READ if it is newer than `since`."""
    with suppress(OSError):
        return CHANGED_WHILE_READ if reference.stat().st_mtime >= since else digest(reference)
    return ""


def digests(paths: list[Path]) -> dict[str, str]:
    """The SHA-256 of each file, "" for one that does not exist."""
    return {str(path): digest(path) for path in paths}


def digest(path: Path) -> str:
    """The SHA-256 of a file, "" if it does not exist or is a device or a pipe, which may have no end."""
    try:
        status = path.stat()
        return _digest(path, status.st_size, status.st_mtime_ns) if stat.S_ISREG(status.st_mode) else ""
    except OSError:
        return ""


@lru_cache(maxsize=100_000)
def _digest(path: Path, size: int, modified: int) -> str:  # noqa: ARG001 - the cache's key
    """The SHA-256 of a file, cached because many assemblies share their parts."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _files(folder: Path) -> list[str]:
    try:
        return list(msgspec.json.decode((folder / MANIFEST).read_bytes(), type=Manifest).files)
    except (OSError, msgspec.DecodeError):
        return [MANIFEST]


def instance_pool() -> InstancePool:
    """The pool of SolidWorks instances of this process; created once, after leftover processes were ended."""
    with _pool_lock:
        return _instance_pool()


@cache
def _instance_pool() -> InstancePool:
    end_leftovers()
    return InstancePool()


def stop() -> None:
    """Stop the tasks that run in this process, and end its SolidWorks instances."""
    while _active:
        end_all()
        time.sleep(0.05)
    allow_starts()
    _export_pool.close()
    instance_pool().close()
