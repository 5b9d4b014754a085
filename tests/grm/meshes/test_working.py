"""Processes that make meshes start without losing an interrupt, and end with the process that needs them."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import psutil
import pytest

from swgrm.errors import SwgrmError
from swgrm.findings import Findings
from swgrm.inference import infer
from swgrm.meshes.building import add_meshes
from swgrm.meshes.cache import Cache
from swgrm.meshes.collision import Collision
from swgrm.meshes.options import MeshOptions
from swgrm.meshes.worker import PROGRAM, make_in_child
from swgrm.processes.child import Child, python_command
from swgrm.storage.interrupts import deferred
from swgrm_mocks.samples import sample

GROUP = "import os; print(os.getpgid(0), flush=True)"


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no process groups of this kind")
def test_an_interrupt_while_processes_start_comes_afterwards_and_not_to_them() -> None:
    """A terminal sends Ctrl-C to its process group, which the children are not in."""
    groups: list[int] = []

    def start() -> None:
        with deferred():
            os.kill(os.getpid(), signal.SIGINT)
            with Child([sys.executable, "-c", GROUP]) as child:
                groups.append(int(next(child.lines())))

    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt):
            start()
    finally:
        signal.signal(signal.SIGINT, before)
    assert len(groups) == 1
    assert groups[0] != os.getpgid(0)


class InterruptedCache(Cache):
    """A cache whose user presses Ctrl-C when the first result is stored."""

    def put(self, *_: object) -> None:
        raise KeyboardInterrupt


def test_an_interrupt_while_a_result_is_stored_ends_the_processes(tmp_path: Path) -> None:
    assembly = sample("gripper")
    robot = infer(assembly).robot
    options = MeshOptions(collision=Collision.DECOMPOSE)
    with pytest.raises(KeyboardInterrupt) as caught:  # what was raised keeps the frames alive that make the meshes
        add_meshes(robot, assembly, tmp_path, options, Findings(), cache=InterruptedCache(None), workers=2)
    assert (caught.type, workers()) == (KeyboardInterrupt, [])


def workers(parent: int | None = None) -> list[psutil.Process]:
    """The processes that make meshes for a process."""
    return [child for child in psutil.Process(parent).children() if PROGRAM in child.cmdline()]


def test_processes_make_the_same_meshes(tmp_path: Path) -> None:
    assembly = sample("gripper")
    robot = infer(assembly).robot
    options = MeshOptions(collision=Collision.DECOMPOSE)
    made = [
        add_meshes(robot, assembly, tmp_path / str(count), options, Findings(), cache=Cache(None), workers=count)
        for count in (1, 2)
    ]
    assert made[0].robot == made[1].robot
    bytes_of = [[file.read_bytes() for file in meshed.files] for meshed in made]
    assert bytes_of[0] == bytes_of[1]
    assert workers() == []


def test_a_process_that_fails_or_is_killed_is_explained() -> None:
    job: Any = "no job"
    with (
        Child(python_command(PROGRAM)) as child,
        pytest.raises(SwgrmError, match=r"Unexpected error in swgrm \(Attrib"),
    ):
        make_in_child(child, job)
    killed = [sys.executable, "-c", "import os; input(); os.kill(os.getpid(), 9)"]
    with (
        Child(killed) as child,
        pytest.raises(SwgrmError, match=r"ended unexpectedly \(exit code -9\)\. If the machine"),
    ):
        make_in_child(child, job)


def test_the_processes_end_with_a_parent_that_is_killed() -> None:
    script = (
        "from swgrm.processes.child import Child, python_command\n"
        f"child = Child(python_command({PROGRAM!r}))\n"
        "print(child.process.id, flush=True)\n"
        "input()"
    )
    with subprocess.Popen([sys.executable, "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as parent:
        assert parent.stdout is not None
        worker = psutil.Process(int(parent.stdout.readline()))
        assert worker.is_running()
        parent.kill()
    psutil.wait_procs([worker], timeout=30)
    assert not worker.is_running()
