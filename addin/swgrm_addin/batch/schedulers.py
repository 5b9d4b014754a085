"""Who works on the documents: threads of this process that wait for their children, or a Dask cluster's workers."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from functools import partial
from typing import TYPE_CHECKING

from swgrm import __version__
from swgrm.errors import MissingExtra, SwgrmError
from swgrm_addin.batch import worker
from swgrm_addin.batch.records import Failure, Outcome, Task

if TYPE_CHECKING:
    from distributed import Client
    from distributed import Future as DaskFuture

RESOURCE = "SolidWorks"  # what a Dask worker offers one of for each seat that it has
CONNECT = 10.0  # [s] to find the scheduler

Watch = Callable[[Task, str, float], None]  # a document's step and how much of it is done; the first step is ""
Schedule = Callable[[Sequence[Task], Watch], Generator[Outcome, None, None]]


def locally(jobs: int, tasks: Sequence[Task], watch: Watch) -> Generator[Outcome, None, None]:
    """Outcomes as they come, of so many documents at once."""
    pool = ThreadPoolExecutor(jobs, thread_name_prefix="document")
    waiting = iter(tasks)
    running: set[Future[Outcome]] = set()
    try:
        while True:
            # No more are handed out than are worked on, so that what the journal calls taken is being done.
            while len(running) < jobs and (task := next(waiting, None)):
                watch(task, "", 0.0)
                running.add(pool.submit(worker.run, task, partial(watch, task)))
            if not running:
                return
            done, running = wait(running, return_when=FIRST_COMPLETED)
            yield from sorted((future.result() for future in done), key=lambda outcome: outcome.document)
    finally:
        worker.stop()
        pool.shutdown()


def on_dask(address: str, tasks: Sequence[Task], watch: Watch) -> Generator[Outcome, None, None]:
    """Outcomes as they come, from the workers of a cluster; a worker that dies has its documents done by another."""
    try:
        from distributed import Client, as_completed
    except ImportError as error:
        raise MissingExtra("Working with a scheduler", "Dask distributed", "batch") from error
    try:
        client = Client(address, timeout=CONNECT, set_as_default=False)
    except (OSError, ValueError) as error:
        raise SwgrmError(
            f"No Dask scheduler answers at {address} ({error}). Start one with `dask scheduler`."
        ) from error
    with client:
        _check_workers(client, any(task.seat for task in tasks))
        futures: dict[DaskFuture, Task] = {}
        try:
            for task in tasks:
                watch(task, "", 0.0)
                resources = {RESOURCE: 1} if task.seat else {}
                futures[client.submit(worker.run, task, resources=resources, pure=False)] = task
            for future in as_completed(futures, loop=client.loop):
                yield _outcome(future, futures[future], address)
        finally:
            client.cancel(list(futures))
            client.run(worker.stop)


def _check_workers(client: Client, with_seats: bool) -> None:
    versions = client.run(swgrm_version)
    if not versions:
        raise SwgrmError("The Dask scheduler has no workers. Start some with `dask worker ADDRESS`.")
    for name, version in versions.items():
        if version != __version__:
            raise SwgrmError(f"The Dask worker {name} has swgrm {version}, not {__version__}. Install the same there.")
    offers = [info.get("resources", {}) for info in client.scheduler_info(n_workers=-1)["workers"].values()]
    if with_seats and not any(offer.get(RESOURCE) for offer in offers):
        raise SwgrmError(
            f"No Dask worker offers {RESOURCE}. Start each with `dask worker ADDRESS --resources {RESOURCE}=1`, "
            "or with the number of licences that it may use."
        )


def swgrm_version() -> str:
    """The version that a worker runs."""
    return __version__


def _outcome(future: DaskFuture, task: Task, address: str) -> Outcome:
    from concurrent.futures import CancelledError

    from distributed import KilledWorker

    try:
        outcome: Outcome = future.result()
    except KilledWorker as error:
        failure = Failure("crash", f"Every worker that tried it died: {error}.", "Look into the workers' logs.")
        return Outcome(task.document, "failed", str(task.out), failures=(failure,))
    except CancelledError as error:
        raise SwgrmError(f"The Dask scheduler at {address} went away. Start it again, then use --resume.") from error
    return outcome
