"""One attempt at one document: a child process that exports it, watched until it answers, fails or is late."""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Callable
from typing import Any, NamedTuple

import msgspec

from swgrm import errors
from swgrm_addin.batch.processes import Started
from swgrm_addin.batch.records import Failure, Summary, Task

Tell = Callable[[str, float], None]  # what the document's child is doing, and how much of it is done (0 to 1)
LAST_LINES = 5  # of what a child wrote before it died


class Verdict(NamedTuple):
    """What follows from a kind of failure: another try, another SolidWorks, and what the user may do."""

    retry: bool
    replace_seat: bool
    remedy: str = ""


FINAL = Verdict(retry=False, replace_seat=False)
VERDICTS = {
    "timeout": Verdict(
        retry=False,
        replace_seat=True,
        remedy="Open it in SolidWorks by hand and see what it asks or rebuilds; or give it more time with --timeout.",
    ),
    "crash": Verdict(
        retry=True,
        replace_seat=True,
        remedy="Export it alone with `swgrm export`; if that fails too, report it with a capture.",
    ),
    "SolidWorksError": Verdict(
        retry=True,
        replace_seat=True,
        remedy="Open it in SolidWorks by hand, rebuild it (Ctrl+Q), then run the batch again with --resume.",
    ),
}


def verdict(kind: str) -> Verdict:
    """What follows from a kind of failure; SolidWorks' troubles deserve a fresh SolidWorks and one more try."""
    error = getattr(errors, kind, None)
    if isinstance(error, type) and issubclass(error, errors.SolidWorksError):
        return VERDICTS["SolidWorksError"]
    return VERDICTS.get(kind, FINAL)


def command(task: Task, seat: str) -> list[str]:
    """The command that exports a document, as anybody may type it, but for the events and the seat."""
    given = {
        "--format": ",".join(task.options.formats),
        "--configuration": task.options.configuration,
        "--settings": str(task.settings or ""),
        "--instance": seat,
    }
    extra = [word for option, value in given.items() if value for word in (option, value)]
    program = [sys.executable, "-m", "swgrm_addin"]
    return [*program, "export", str(task.source), "-o", str(task.out), "--events", "--tethered", *extra]


def attempt(task: Task, seat: str, tell: Tell) -> Summary | Failure:
    """Export a document in a child process of its own."""
    last: deque[str] = deque(maxlen=LAST_LINES)
    answer: Summary | Failure | None = None
    with Started(command(task, seat), answers=2) as started:
        with started.limited(task.options.timeout) as late:
            for line in started.answers:
                event = _event(line)
                if event is None:
                    last.append(line.decode("utf-8", "replace").strip())
                elif "step" in event:
                    tell(event["step"], event["done"])
                else:
                    answer = _answer(event)
        code = started.popen.wait()
    if late.is_set():
        return _failed("timeout", f"It took longer than the {task.options.timeout:g} s that it may take.")
    if answer is None or (code and isinstance(answer, Summary)):
        said = " ".join(last) or "nothing"
        return _failed("crash", f"Its process ended with code {code} and without an answer. It said: {said}")
    return answer


def _event(line: bytes) -> dict[str, Any] | None:
    try:
        return msgspec.json.decode(line, type=dict[str, Any])
    except msgspec.DecodeError:
        return None


def _answer(event: dict[str, Any]) -> Summary | Failure | None:
    if "result" in event:
        return msgspec.convert(event["result"], Summary)
    if "error" in event:
        return _failed(str(event["error"]), str(event.get("message")))
    return None


def _failed(kind: str, message: str) -> Failure:
    return Failure(kind, message, verdict(kind).remedy)
