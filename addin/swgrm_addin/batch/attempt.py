"""One attempt at one document: runs `swgrm export` in a subprocess until it reports a result, fails or times out."""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Callable
from typing import Any, NamedTuple

import msgspec

from swgrm import errors
from swgrm_addin.batch.processes import OwnedProcess
from swgrm_addin.batch.records import ExportSummary, Failure, Task

OnStep = Callable[[str, float], None]  # the step that begins, and the share of the work done (0 to 1)
SUCCESS = (0, 1)  # exit codes of `swgrm export`: done, done with findings of severity error
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


def command(task: Task, instance: str) -> list[str]:
    """The `swgrm export` command for a document, with the address of the SolidWorks instance, if it needs one."""
    given = {
        "--format": ",".join(task.options.formats),
        "--configuration": task.options.configuration,
        "--settings": str(task.settings or ""),
        "--instance": instance,
    }
    extra = [word for option, value in given.items() if value for word in (option, value)]
    program = [sys.executable, "-m", "swgrm_addin"]
    return [*program, "export", str(task.source), "-o", str(task.out), "--events", "--end-with-input", *extra]


def attempt(task: Task, instance: str, on_step: OnStep) -> ExportSummary | Failure:
    """Export a document in a subprocess."""
    last: deque[str] = deque(maxlen=LAST_LINES)
    answer: ExportSummary | Failure | None = None
    with OwnedProcess(command(task, instance), answers=2) as process:
        with process.limited(task.options.timeout) as timed_out:
            for line in process.answers:
                event = _event(line)
                if event is None:
                    last.append(line.decode("utf-8", "replace").strip())
                elif "step" in event:
                    on_step(event["step"], event["done"])
                else:
                    answer = _answer(event)
        code = process.popen.wait()
    if timed_out.is_set():
        return _failed("timeout", f"The export took longer than the time limit of {task.options.timeout:g} s.")
    if answer is None or (code not in SUCCESS and isinstance(answer, ExportSummary)):
        output = " ".join(last) or "(none)"
        return _failed("crash", f"The export process ended without a result (exit code {code}). Last output: {output}")
    return answer


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
