"""What a program and its child process send each other: a job, and its events, as lines of JSON.

    parent → child    {"type": "export", "version": 1, "source": "arm.swcap", …}
    child → parent    {"type": "progress", "step": "meshing parts", "done": 0.4}
                      {"type": "finding", "finding": {"severity": 1, …}}
                      {"type": "result", "value": {…}}
                   or {"type": "error", "kind": "FileError", "message": "…", "code": 2}

A job goes to the standard input of the child, events come from its standard output. Every job ends
with one result or one error. The job's version decides: a child of another version of swgrm, as
after an update while SolidWorks is open, answers with an error, whose form does not change.
"""

from __future__ import annotations

from typing import Any, TypeVar

import msgspec

from swgrm.errors import SwgrmError
from swgrm.findings import Finding

VERSION = 1  # of jobs and events; any change of them is a new version
JobT = TypeVar("JobT", bound="Job")


class Job(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a child process is to do; each kind of job adds its fields, and a tag."""

    version: int = VERSION


class ProgressEvent(msgspec.Struct, frozen=True, tag="progress"):
    """A step begins."""

    step: str
    done: float  # the share of the work done (0 to 1)


class FindingEvent(msgspec.Struct, frozen=True, tag="finding"):
    """Something that the user should know, and that does not stop the work."""

    finding: Finding


class ResultEvent(msgspec.Struct, frozen=True, tag="result"):
    """The job is done; each kind of job has its own type of value."""

    value: msgspec.Raw = msgspec.Raw(b"null")


class ErrorEvent(msgspec.Struct, frozen=True, tag="error"):
    """The job has failed: the exception's class, the sentence for the user, and the exit code."""

    kind: str
    message: str
    code: int


Event = ProgressEvent | FindingEvent | ResultEvent | ErrorEvent


class _Version(msgspec.Struct):
    """The part of a job that every version has."""

    version: int = 0


def encode(message: Any) -> bytes:  # noqa: ANN401 - any job or event
    """A job or an event as one line, without its end."""
    return msgspec.json.encode(message)


def result(value: Any) -> ResultEvent:  # noqa: ANN401 - of any type that JSON can hold
    """The event that ends a job with a value."""
    return ResultEvent(msgspec.Raw(msgspec.json.encode(value)))


def decode_job(line: bytes, kinds: Any) -> Any:  # noqa: ANN401 - one of the kinds
    """The job in a line; an error names the other version of swgrm, or what is wrong."""
    try:
        version = msgspec.json.decode(line, type=_Version).version
        if version != VERSION:
            raise SwgrmError(
                f"This job is of version {version}, and this program does jobs of version "
                f"{VERSION}: swgrm was updated while a program was using it. Close that program "
                "and start it again."
            )
        return msgspec.json.decode(line, type=kinds)
    except msgspec.DecodeError as error:
        raise SwgrmError(f"The job cannot be read: {error}.") from error
