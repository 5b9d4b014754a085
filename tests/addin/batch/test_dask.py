from __future__ import annotations

import json
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest
from tests.batches import World, tree
from tests.full import IS_FULL

pytest.importorskip("distributed", reason="the extra `batch` is not installed")

DOCUMENTS = 16 if IS_FULL else 6
SERVER = [
    sys.executable,
    "-m",
    "distributed.cli.dask_scheduler",
    "--host",
    "127.0.0.1",
    "--port",
    "0",
    "--no-dashboard",
]
WORKER = [sys.executable, "-m", "distributed.cli.dask_worker", "--host", "127.0.0.1", "--no-nanny", "--no-dashboard"]


class Cluster:
    """A scheduler and its workers, on loopback."""

    def __init__(self, world: World, stack: ExitStack) -> None:
        self.world, self.stack, self.workers = world, stack, list[subprocess.Popen[bytes]]()
        self.file = world.folder / "scheduler.json"
        self.scheduler = self._start(SERVER, "--scheduler-file", str(self.file))
        self.address = self._address()

    def worker(self, *more: str) -> subprocess.Popen[bytes]:
        folder = self.world.folder / f"worker{len(self.workers)}"
        place = ["--nthreads", "3", "--local-directory", str(folder), self.address]
        self.workers.append(self._start(WORKER, *place, *more))
        return self.workers[-1]

    def _start(self, command: list[str], *more: str) -> subprocess.Popen[bytes]:
        quiet = subprocess.DEVNULL
        process = subprocess.Popen([*command, *more], env=self.world.environment, stdout=quiet, stderr=quiet)
        self.stack.callback(process.wait)
        self.stack.callback(process.kill)
        return process

    def _address(self) -> str:
        for _ in range(600):
            try:
                address: str = json.loads(self.file.read_text())["address"]
            except (OSError, ValueError):
                time.sleep(0.1)
            else:
                return address
        raise AssertionError("the scheduler did not start")

    def wait_for(self, workers: int) -> None:
        code = "import sys; from distributed import Client; Client(sys.argv[1]).wait_for_workers(int(sys.argv[2]), 120)"
        subprocess.run([sys.executable, "-c", code, self.address, str(workers)], check=True, timeout=180)


@contextmanager
def cluster(world: World) -> Iterator[Cluster]:
    with ExitStack() as stack:
        yield Cluster(world, stack)


def instances(log: Path) -> dict[str, list[str]]:
    """The steps of each instance, in order."""
    steps = defaultdict(list)
    for line in log.read_text().splitlines():
        instance, step, document = line.split(" ", 2)
        steps[instance].append(f"{step} {Path(document).name}")
    return steps


def test_two_workers_with_an_instance_each_export_what_one_machine_exports(world: World) -> None:
    for number in range(DOCUMENTS):
        world.mock(f"mock{number}", seconds=0.2)
    world.robot("robot")
    world.mock("crashing", fault={"kind": "crash"})
    local = world.folder / "local"
    assert world.run("--jobs", "2", out=local).returncode == 1
    world.log.unlink()
    with cluster(world) as dask:
        dask.worker("--resources", "SolidWorks=1")
        dask.worker("--resources", "SolidWorks=1")
        dask.wait_for(2)
        result = world.run("--scheduler", dask.address)
        assert result.returncode == 1, result.stderr
        assert not [line for line in world.left_behind() if "instance_server" in line], "instances end with the run"
    assert tree(world.out) == tree(local)
    assert world.results() == world.results(local)
    for steps in instances(world.log).values():
        opened = [step for step in steps if step.startswith("open")]
        expected = [line for step in opened for line in (step, step.replace("open", "close"))]
        assert steps in (expected, expected[:-1]), "two documents on one instance at a time"  # a crash closes nothing
    print(f"{len(instances(world.log))} instances for {DOCUMENTS + 1} documents")  # noqa: T201 - a figure to look at


def test_all_documents_are_exported_after_a_worker_is_killed(world: World) -> None:
    for number in range(DOCUMENTS):
        world.mock(f"mock{number}", seconds=1)
    with cluster(world) as dask:
        victim = dask.worker("--resources", "SolidWorks=1")
        dask.worker("--resources", "SolidWorks=1")
        dask.wait_for(2)
        run = subprocess.Popen(
            world.command("--scheduler", dask.address), env=world.environment, stdout=subprocess.PIPE
        )
        while not world.log.exists() or world.log.read_text().count(" open ") < DOCUMENTS // 2:
            assert run.poll() is None
            time.sleep(0.05)
        victim.kill()
        run.communicate(timeout=600)
        assert run.returncode == 0
    assert len(instances(world.log)) == 2
    assert list(world.results().values()) == ["exported"] * DOCUMENTS
    expected = world.folder / "local"
    assert world.run("--jobs", "2", out=expected).returncode == 0
    assert tree(world.out) == tree(expected)


def test_a_killed_scheduler_ends_the_run_which_can_be_resumed_without_it(world: World) -> None:
    for number in range(3):
        world.mock(f"mock{number}", seconds=1)
    with cluster(world) as dask:
        dask.worker("--resources", "SolidWorks=1")
        dask.wait_for(1)
        run = subprocess.Popen(
            world.command("--scheduler", dask.address), env=world.environment, stderr=subprocess.PIPE, text=True
        )
        while not world.log.exists():
            assert run.poll() is None
            time.sleep(0.05)
        dask.scheduler.kill()
        output = run.communicate(timeout=600)[1]
    assert run.returncode == 2
    assert f"The connection to the Dask scheduler at {dask.address} was lost. Restart it and use --resume." in output
    assert "Traceback" not in output
    assert world.run("--resume").returncode == 0


def test_a_cluster_without_workers_or_resources_is_an_error(world: World) -> None:
    world.mock("mock")
    with cluster(world) as dask:
        result = world.run("--scheduler", dask.address)
        assert result.returncode == 2
        assert "has no workers" in result.stderr
        dask.worker()
        dask.wait_for(1)
        result = world.run("--scheduler", dask.address)
        assert result.returncode == 2
        assert "--resources SolidWorks=1" in result.stderr
