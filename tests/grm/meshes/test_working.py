"""Processes that make meshes start without losing an interrupt, and end with the process that needs them."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from swgrm.findings import Findings
from swgrm.inference import infer
from swgrm.interrupts import deferred, kept_from_processes
from swgrm.meshes.building import add_meshes
from swgrm.meshes.cache import Cache
from swgrm.meshes.collision import Collision
from swgrm.meshes.options import MeshOptions
from swgrm_mocks.samples import sample

BLOCKED = "import signal; print(signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, []))"


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no masks of signals")
@pytest.mark.parametrize("other_threads", [False, True])
def test_an_interrupt_while_processes_start_comes_afterwards_and_not_to_them(other_threads: bool) -> None:
    """Another thread gets the signal that the main one blocks; its handler still runs in the main one."""
    children, ending = list[str](), threading.Event()
    other = threading.Thread(target=ending.wait, daemon=True)
    if other_threads:
        other.start()

    def start() -> None:
        with deferred(), kept_from_processes():
            os.kill(os.getpid(), signal.SIGINT)
            child = subprocess.run([sys.executable, "-c", BLOCKED], capture_output=True, text=True, check=True)
            children.append(child.stdout)

    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt):
            start()
    finally:
        signal.signal(signal.SIGINT, before)
        ending.set()
    assert children == ["True\n"]
    assert signal.SIGINT not in signal.pthread_sigmask(signal.SIG_BLOCK, [])


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
    assert (caught.type, multiprocessing.active_children()) == (KeyboardInterrupt, [])


def test_the_processes_end_with_a_parent_that_is_killed() -> None:
    script = (
        "import os\nfrom concurrent.futures import ProcessPoolExecutor\nfrom multiprocessing import get_context\n"
        "from swgrm.meshes.working import _depend_on_parent\n"
        "pool = ProcessPoolExecutor(1, mp_context=get_context('spawn'), initializer=_depend_on_parent)\n"
        "print(pool.submit(os.getpid).result(), flush=True)\n"
        "os._exit(130)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=30, check=False)
    assert (done.returncode, done.stdout.strip().isdecimal()) == (130, True), "the output is closed: nothing runs on"
