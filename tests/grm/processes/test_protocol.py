"""A job and its events: what is sent arrives, whatever the child prints, and the job ends with a result or an error."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from swgrm.errors import SwgrmError
from swgrm.findings import Finding
from swgrm.findings.codes import Severity
from swgrm.processes.child import Child
from swgrm.processes.conversation import Conversation
from swgrm.processes.protocol import (
    VERSION,
    ErrorEvent,
    Event,
    FindingEvent,
    Job,
    ProgressEvent,
    ResultEvent,
    decode_job,
    encode,
    result,
)


class DivisionJob(Job, frozen=True, tag="division"):
    """Divide two numbers."""

    dividend: int
    divisor: int


class NoteEvent(msgspec.Struct, frozen=True, tag="note"):
    """An event that only this job has."""

    text: str


PROGRAM = """
import os, sys
import msgspec
from swgrm.findings.codes import Severity
from swgrm.findings import Finding
from swgrm.processes.protocol import Job
from swgrm.processes.serving import serve
class DivisionJob(Job, frozen=True, tag="division"):
    dividend: int
    divisor: int
class NoteEvent(msgspec.Struct, frozen=True, tag="note"):
    text: str
def divide(job, answers):
    print("a library prints", flush=True)
    os.write(1, b"and one in C, too\\n")
    answers.progress("dividing", 1 / 3)
    answers.finding(Finding(Severity.NOTE, "code", "here", "A sentence: \\u00fc."))
    answers.emit(NoteEvent("halfway"))
    if job.divisor == 99:
        os._exit(7)
    return job.dividend / job.divisor
sys.exit(serve(DivisionJob, divide))
"""
COMMAND = [sys.executable, "-c", PROGRAM]


def answered(child: Child, dividend: int, divisor: int) -> Conversation:
    conversation = Conversation(child, DivisionJob(dividend=dividend, divisor=divisor))
    steps: list[tuple[str, float]] = []
    conversation.wait(lambda step, done: steps.append((step, done)))
    assert steps == [("dividing", 0.3333)]
    return conversation


def test_one_child_does_several_jobs_until_one_fails() -> None:
    with Child(COMMAND) as child:
        for dividend in (6, 7):
            done = answered(child, dividend, 2)
            assert isinstance(done.end, ResultEvent)
            assert msgspec.json.decode(done.end.value) == dividend / 2
            assert done.findings == [Finding(Severity.NOTE, "code", "here", "A sentence: ü.")]
        failed = answered(child, 1, 0)
        assert isinstance(failed.end, ErrorEvent)
        assert (failed.end.kind, failed.end.code) == ("ZeroDivisionError", 2)
        assert failed.end.message.startswith("Unexpected error in swgrm (ZeroDivisionError: division by zero).")
        assert child.popen.wait(20) == 2, "nothing of a failure reaches the next job"
        assert "Traceback" in failed.text
        assert failed.text.count("a library prints") == failed.text.count("and one in C, too") == 3


def test_a_child_that_ends_within_a_job_gives_neither_result_nor_error() -> None:
    with Child(COMMAND) as child:
        assert answered(child, 1, 99).end is None
        assert child.popen.wait(20) == 7


def until(condition: Callable[[], object]) -> None:
    end = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.01)


@pytest.mark.skipif(sys.platform == "win32" and sys.version_info < (3, 12), reason="its pipes cannot be polled")
def test_a_timer_gets_the_same_events_without_waiting() -> None:
    with Child(COMMAND, is_polled=True) as child:
        conversation = Conversation(child, DivisionJob(dividend=6, divisor=2), NoteEvent)
        assert conversation.poll() == []
        more: list[Any] = []

        def has_ended() -> bool:
            more.extend(conversation.poll())
            return child.popen.poll() is not None

        until(has_ended)
        assert more == [NoteEvent("halfway")]
        assert conversation.progress == ProgressEvent("dividing", 0.3333)
        assert conversation.end == result(3.0)
        assert child.popen.returncode == 0, "its input was closed after the result, and it ended by itself"


def test_lines_that_are_no_events_are_text() -> None:
    code = "import sys; sys.stdin.readline(); print('{ not JSON'); print('{\"type\": \"newer\"}', flush=True)\n"
    code += "sys.stdout.buffer.write(b'\\xff')"
    with Child([sys.executable, "-c", code]) as child:
        conversation = Conversation(child, DivisionJob(dividend=1, divisor=1))
        assert conversation.wait() is None
        assert conversation.text == '{ not JSON\n{"type": "newer"}\n�'


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (
            b'{"type": "division", "version": 2, "new": 1}',
            "version 2, and this program does jobs of version 1: swgrm",
        ),
        (b'{"type": "division", "dividend": 1, "divisor": 1, "extra": 1, "version": 1}', "unknown field `extra`"),
        (b'{"type": "other", "version": 1}', "Invalid value 'other'"),
        (b"[]", "cannot be read"),
        (b"{", "cannot be read"),
    ],
)
def test_a_job_of_another_version_or_form_is_refused(line: bytes, message: str) -> None:
    with pytest.raises(SwgrmError, match=message.replace("(", r"\(")):
        decode_job(line, DivisionJob)


finite = st.floats(allow_nan=False, allow_infinity=False)
findings = st.builds(Finding, st.sampled_from(Severity), st.text(), st.text(), st.text(), st.text())
events = st.one_of(
    st.builds(ProgressEvent, st.text(), finite),
    st.builds(FindingEvent, findings),
    st.builds(result, st.dictionaries(st.text(), finite)),
    st.builds(ErrorEvent, st.text(), st.text(), st.integers(0, 255)),
)


@given(events)
def test_every_event_is_one_line_and_arrives_as_it_was(event: Event) -> None:
    line = encode(event)
    assert b"\n" not in line
    assert msgspec.json.decode(line, type=Event) == event


@given(st.integers(-(2**60), 2**60), st.integers(1, 9))
def test_every_job_arrives_as_it_was(dividend: int, divisor: int) -> None:
    job = DivisionJob(dividend=dividend, divisor=divisor)
    assert decode_job(encode(job), DivisionJob) == job
    assert msgspec.json.decode(encode(job))["version"] == VERSION
