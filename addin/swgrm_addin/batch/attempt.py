"""One attempt at one document: a child process exports it until it reports a result, fails or times out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import msgspec

from swgrm import errors
from swgrm.findings import Finding
from swgrm.processes.conversation import Conversation
from swgrm.processes.protocol import ErrorEvent, ResultEvent
from swgrm_addin.batch.export_pool import ExportPool
from swgrm_addin.batch.records import ExportSummary, Failure, Task
from swgrm_addin.jobs import ExportJob, ExportResult

OnStep = Callable[[str, float], None]  # the step that begins, and the share of the work done (0 to 1)
LAST_LINES = 5  # of the output of a crashed process, for the error message


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


def export_job(task: Task, instance: str) -> ExportJob:
    """The job of a document, with the address of the SolidWorks instance, if it needs one."""
    return ExportJob(
        source=str(task.source),
        folder=str(task.out),
        formats=task.options.formats,
        settings=str(task.settings or ""),
        configuration=task.options.configuration,
        instance=instance,
    )


def attempt(task: Task, instance: str, on_step: OnStep, pool: ExportPool) -> ExportSummary | Failure:
    """Export a document in a child process."""
    pooled = pool.take()
    child = pooled.child
    try:
        with child.limited(task.options.timeout) as timed_out:
            conversation = Conversation(child, export_job(task, instance))
            answer = conversation.wait(on_step)
            code = 0 if isinstance(answer, ResultEvent) else child.popen.wait()
    except BaseException:
        child.end()
        raise
    if isinstance(answer, ResultEvent) and not timed_out.is_set():
        pool.give_back(pooled, task.instance_kind)
    else:
        child.end()
    if timed_out.is_set():
        return _failed("timeout", f"The export took longer than the time limit of {task.options.timeout:g} s.")
    if isinstance(answer, ResultEvent):
        return _summary(answer, conversation.findings)
    if isinstance(answer, ErrorEvent) and hasattr(errors, answer.kind):
        return _failed(answer.kind, answer.message)
    last = answer.message if answer else " ".join(conversation.text.splitlines()[-LAST_LINES:])
    end = f"The export process ended without a result (exit code {code}). Last output: {last or '(none)'}"
    return _failed("crash", end)


def _summary(answer: ResultEvent, findings: Sequence[Finding]) -> ExportSummary:
    done = msgspec.json.decode(answer.value, type=ExportResult)
    return ExportSummary(
        robot=done.robot,
        links=done.links,
        joints=sum(done.joints.values()),
        findings=tuple(finding.plain() for finding in findings),
        files=done.files,
        references=done.references,
        reading=done.reading,
    )


def _failed(kind: str, message: str) -> Failure:
    return Failure(kind, message, failure_policy(kind).remedy)
