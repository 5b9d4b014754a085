"""Schedulers, which distribute the tasks of a run: to subprocesses of this machine, or to the workers of Dask."""

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
from swgrm_addin.batch.records import DocumentResult, Failure, Task

if TYPE_CHECKING:
    from distributed import Client
    from distributed import Future as DaskFuture

RESOURCE = "SolidWorks"  # the Dask resource: a worker has as many as it may run instances
CONNECT = 10.0  # [s] time limit for the connection to the scheduler
AGAIN = 0.05  # [s] after which documents that still run are stopped again

OnTaskStep = Callable[[Task, str, float], None]  # the step that begins ("" first), and the share of the work done
Schedule = Callable[[Sequence[Task], OnTaskStep], Generator[DocumentResult, None, None]]


def run_locally(jobs: int, tasks: Sequence[Task], on_step: OnTaskStep) -> Generator[DocumentResult, None, None]:
    """Yield results as documents finish; at most `jobs` documents are exported at once."""
    pool = ThreadPoolExecutor(jobs, thread_name_prefix="document")
    waiting = iter(tasks)
    running: dict[Future[DocumentResult], Task] = {}
    try:
        while True:
            # No task waits in the executor's queue, so that a document that the journal has as started is running.
            while len(running) < jobs and (task := next(waiting, None)):
                on_step(task, "", 0.0)
                running[pool.submit(worker.run, task, partial(on_step, task))] = task
            if not running:
                return
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                task, error = running.pop(future), future.exception()
                yield _failed_result(task, error) if error else future.result()
    finally:
        worker.stop()
        while wait(running, timeout=AGAIN).not_done:  # a document that began while the others were stopped
            worker.stop()
        pool.shutdown()


def run_on_dask(address: str, tasks: Sequence[Task], on_step: OnTaskStep) -> Generator[DocumentResult, None, None]:
    """Yield results as the workers of a Dask cluster finish them. Dask gives the tasks of a dead worker to another."""
    try:
        from distributed import Client, as_completed
    except ImportError as error:
        raise MissingExtra("The option --scheduler", "Dask distributed", "batch") from error
    for name in ("distributed", "distributed.client"):
        logging.getLogger(name).setLevel(logging.CRITICAL)  # swgrm reports connection errors itself
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
                on_step(task, "", 0.0)
                resources = {RESOURCE: 1} if task.instance_kind else {}
                futures[client.submit(worker.run, task, resources=resources, pure=False)] = task
            for future in as_completed(futures, loop=client.loop):
                yield _dask_result(future, futures[future], address)
        finally:
            with suppress(OSError):  # a lost scheduler has been reported already
                client.cancel(list(futures))
                client.run(worker.stop)


def _check_workers(client: Client, needs_instances: bool) -> None:
    versions = client.run(swgrm_version)
    if not versions:
        raise SwgrmError("The Dask scheduler has no workers. Start some with `dask worker ADDRESS`.")
    for name, version in versions.items():
        if version != __version__:
            raise SwgrmError(
                f"The Dask worker {name} has swgrm {version}, not {__version__}. Install the same version there."
            )
    offers = [info.get("resources", {}) for info in client.scheduler_info(n_workers=-1)["workers"].values()]
    if needs_instances and not any(offer.get(RESOURCE) for offer in offers):
        raise SwgrmError(
            f"No Dask worker has the resource {RESOURCE}. Start each with `dask worker ADDRESS --resources "
            f"{RESOURCE}=1`, or with the number of licences that it may use."
        )


def swgrm_version() -> str:
    """The version of swgrm; run on each worker."""
    return __version__


def _dask_result(future: DaskFuture, task: Task, address: str) -> DocumentResult:
    if future.cancelled():
        raise SwgrmError(f"The connection to the Dask scheduler at {address} was lost. Restart it and use --resume.")
    result: DocumentResult = _failed_result(task, error) if (error := future.exception()) else future.result()
    return result


def _failed_result(task: Task, error: BaseException) -> DocumentResult:
    """The result of a document whose worker raised an error, or died each time (Dask's KilledWorker)."""
    message = f"The worker failed: {type(error).__name__}: {error}."
    failure = Failure("crash", message, "Try again with --resume; if that fails too, report it with a capture.")
    return DocumentResult(task.document, "failed", str(task.out), failures=(failure,))
