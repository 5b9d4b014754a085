"""The program of the child processes that make meshes: `python -m swgrm.meshes.worker`."""

from __future__ import annotations

import pickle
import sys

import msgspec

from swgrm.errors import SwgrmError
from swgrm.meshes.making import MeshJob, MeshResult, make
from swgrm.processes.child import Child
from swgrm.processes.conversation import Conversation
from swgrm.processes.protocol import ErrorEvent, Job, ResultEvent
from swgrm.processes.serving import Answers, serve

PROGRAM = "swgrm.meshes.worker"


class PickledMeshJob(Job, frozen=True, tag="mesh"):
    """Make the meshes of a part; the result is a MeshResult as MessagePack, as in the cache."""

    pickled: bytes  # a MeshJob, whose triangles are arrays


def make_in_child(child: Child, job: MeshJob) -> MeshResult:
    """Let a child process make the meshes of a part, and wait for them."""
    answer = Conversation(child, PickledMeshJob(pickled=pickle.dumps(job))).wait()
    if isinstance(answer, ResultEvent):
        packed = msgspec.json.decode(answer.value, type=bytes)
        return msgspec.msgpack.decode(packed, type=MeshResult)
    if isinstance(answer, ErrorEvent):
        raise SwgrmError(answer.message)
    raise SwgrmError(
        f"A process that makes meshes ended unexpectedly (exit code {child.popen.wait()}). If the "
        "machine is short of memory, close other programs and try again."
    )


def _do(job: PickledMeshJob, _: Answers) -> bytes:
    part: MeshJob = pickle.loads(job.pickled)  # noqa: S301 - of the parent, over its own pipe
    return msgspec.msgpack.encode(make(part))


if __name__ == "__main__":
    sys.exit(serve(PickledMeshJob, _do))
