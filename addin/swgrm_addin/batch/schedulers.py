"""Who works on the documents: threads of this process that wait for their children, or a Dask cluster's workers."""

from __future__ import annotations

import logging
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING

from swgrm import __version__
from swgrm.errors import MissingExtra, SwgrmError
from swgrm_addin.batch import worker
from swgrm_addin.batch.records import Failure, Outcome, Task

if TYPE_CHECKING:
    from distributed import Client
    from distributed import Future as DaskFuture

RESOURCE = "SolidWorks"  # what a Dask worker offers one of for each instance that it has
CONNECT = 10.0  # [s] to find the scheduler

Watch = Callable[[Task, str, float], None]  # a document's step and how much of it is done; the first step is ""
Schedule = Callable[[Sequence[Task], Watch], Generator[Outcome, None, None]]


def locally(jobs: int, tasks: Sequence[Task], watch: Watch) -> Generator[Outcome, None, None]:
    """Outcomes as they come, of so many documents at once."""
    pool = ThreadPoolExecutor(jobs, thread_name_prefix="document")
    waiting = iter(tasks)
    running: dict[Future[Outcome], Task] = {}
    try:
        while True:
            # No more are handed out than are worked on, so that what the journal calls taken is being done.
            while len(running) < jobs and (task := next(waiting, None)):
                watch(task, "", 0.0)
                running[pool.submit(worker.run, task, partial(watch, task))] = task
            if not running:
                return
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                task, error = running.pop(future), future.exception()
                yield _broken(task, error) if error else future.result()
    finally:
        worker.stop()
        pool.shutdown()


def on_dask(address: str, tasks: Sequence[Task], watch: Watch) -> Generator[Outcome, None, None]:
    """Outcomes as they come, from the workers of a cluster; a worker that dies has its documents done by another."""
    try:
        from distributed import Client, as_completed
    except ImportError as error:
        raise MissingExtra("Working with a scheduler", "Dask distributed", "batch") from error
    for name in ("distributed", "distributed.client"):
        logging.getLogger(name).setLevel(logging.CRITICAL)  # what matters of it is said by our own errors
    try:
        client = Client(address, timeout=CONNECT, set_as_default=False)
    except (OSError, ValueError) as error:
        raise SwgrmError(
            f"No Dask scheduler answers at {address} ({error}). Start one with `dask scheduler`."
        ) from error
    with client:
        _check_workers(client, any(task.instance_kind for task in tasks))
        futures: dict[DaskFuture, Task] = {}
        try:
            for task in tasks:
                watch(task, "", 0.0)
                resources = {RESOURCE: 1} if task.instance_kind else {}
                futures[client.submit(worker.run, task, resources=resources, pure=False)] = task
            for future in as_completed(futures, loop=client.loop):
                yield _outcome(future, futures[future], address)
        finally:
            with suppress(OSError):  # a scheduler that is gone has been told of
                client.cancel(list(futures))
                client.run(worker.stop)


def _check_workers(client: Client, needs_instances: bool) -> None:
    versions = client.run(swgrm_version)
    if not versions:
        raise SwgrmError("The Dask scheduler has no workers. Start some with `dask worker ADDRESS`.")
    for name, version in versions.items():
        if version != __version__:
            raise SwgrmError(f"The Dask worker {name} has swgrm {version}, not {__version__}. Install the same there.")
    offers = [info.get("resources", {}) for info in client.scheduler_info(n_workers=-1)["workers"].values()]
    if needs_instances and not any(offer.get(RESOURCE) for offer in offers):
        raise SwgrmError(
            f"No Dask worker offers {RESOURCE}. Start each with `dask worker ADDRESS --resources {RESOURCE}=1`, "
            "or with the number of licences that it may use."
        )


def swgrm_version() -> str:
    """The version that a worker runs."""
    return __version__


def _outcome(future: DaskFuture, task: Task, address: str) -> Outcome:
    if future.cancelled():
        raise SwgrmError(f"The Dask scheduler at {address} went away. Start it again, then use --resume.")
    outcome: Outcome = _broken(task, error) if (error := future.exception()) else future.result()
    return outcome


def _broken(task: Task, error: BaseException) -> Outcome:
    """The outcome of a document whose worker failed: one that died each time (KilledWorker), or by a fault of ours."""
    message = f"What worked on it failed: {type(error).__name__}: {error}."
    failure = Failure("crash", message, "Try it again with --resume; if that fails too, report it with a capture.")
    return Outcome(task.document, "failed", str(task.out), failures=(failure,))
