"""One attempt at one document: a subprocess exports it until it reports a result, fails or times out."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Any, NamedTuple

import msgspec

from swgrm import errors
from swgrm_addin.batch.export_pool import ExportPool, ExportProcess
from swgrm_addin.batch.records import SUCCESS, ExportSummary, Failure, Task

OnStep = Callable[[str, float], None]  # the step that begins, and the share of the work done (0 to 1)
LAST_LINES = 5  # of the output of a crashed subprocess, for the error message


class FailurePolicy(NamedTuple):
    """What the batch does after a kind of failure, and the remedy that it reports."""

    retry: bool
    replace_instance: bool
    remedy: str = ""


NO_RETRY = FailurePolicy(retry=False, replace_instance=False)
POLICIES = {
    "timeout": FailurePolicy(
        retry=False,
        replace_instance=True,
        remedy="Open the document in SolidWorks and check for dialogs and long rebuilds, or raise --timeout.",
    ),
    "crash": FailurePolicy(
        retry=True,
        replace_instance=True,
        remedy="Export the document alone with `swgrm export`; if that fails too, report it with a capture.",
    ),
    "SolidWorksError": FailurePolicy(
        retry=True,
        replace_instance=True,
        remedy="Open the document in SolidWorks, rebuild it (Ctrl+Q), then run the batch again with --resume.",
    ),
}


def failure_policy(kind: str) -> FailurePolicy:
    """The policy for a kind of failure; errors of SolidWorks are retried once with a new instance."""
    error = getattr(errors, kind, None)
    if isinstance(error, type) and issubclass(error, errors.SolidWorksError):
        return POLICIES["SolidWorksError"]
    return POLICIES.get(kind, NO_RETRY)


def arguments(task: Task, instance: str) -> list[str]:
    """The arguments of `swgrm` for a document, with the address of the SolidWorks instance, if it needs one."""
    given = {
        "--format": ",".join(task.options.formats),
        "--configuration": task.options.configuration,
        "--settings": str(task.settings or ""),
        "--instance": instance,
    }
    extra = [word for option, value in given.items() if value for word in (option, value)]
    return ["export", str(task.source), "-o", str(task.out), "--events", *extra]


class _Outcome(NamedTuple):
    """What a process reported about a document, its exit code (None: the process has ended), and its last output."""

    answer: ExportSummary | Failure | None
    code: int | None
    last: str


def attempt(task: Task, instance: str, on_step: OnStep, pool: ExportPool) -> ExportSummary | Failure:
    """Export a document in a subprocess."""
    process = pool.take()
    try:
        with process.limited(task.options.timeout) as timed_out:
            process.send(arguments(task, instance))
            outcome = _outcome(process, on_step)
        code = process.popen.wait() if outcome.code is None else outcome.code
    except BaseException:
        process.end()
        raise
    if outcome.code is None or timed_out.is_set():
        process.end()
    else:
        pool.give_back(process, task.instance_kind)
    if timed_out.is_set():
        return _failed("timeout", f"The export took longer than the time limit of {task.options.timeout:g} s.")
    if outcome.answer is None or (code not in SUCCESS and isinstance(outcome.answer, ExportSummary)):
        end = f"The export process ended without a result (exit code {code}). Last output: {outcome.last}"
        return _failed("crash", end)
    return outcome.answer


def _outcome(process: ExportProcess, on_step: OnStep) -> _Outcome:
    """Read the output of a process until it has finished a document or ends."""
    last: deque[str] = deque(maxlen=LAST_LINES)
    answer: ExportSummary | Failure | None = None
    code: int | None = None
    for line in process.answers:
        event = _event(line)
        if event is None:
            last.append(line.decode("utf-8", "replace").strip())
        elif "step" in event:
            on_step(event["step"], event["done"])
        elif "exit" in event:
            code = int(event["exit"])
            break
        else:
            answer = _answer(event) or answer
    return _Outcome(answer, code, " ".join(last) or "(none)")


def _event(line: bytes) -> dict[str, Any] | None:
    try:
        return msgspec.json.decode(line, type=dict[str, Any])
    except msgspec.DecodeError:
        return None


def _answer(event: dict[str, Any]) -> ExportSummary | Failure | None:
    if "result" in event:
        return msgspec.convert(event["result"], ExportSummary)
    if "error" in event:
        return _failed(str(event["error"]), str(event.get("message")))
    return None


def _failed(kind: str, message: str) -> Failure:
    return Failure(kind, message, failure_policy(kind).remedy)
