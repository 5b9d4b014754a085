"""Does the jobs that make mesh files: from the cache, here, in threads, or in processes, each where it pays."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

import msgspec

from swgrm.interrupts import deferred, kept_from_processes
from swgrm.meshes.cache import Cache
from swgrm.meshes.collision import Collision
from swgrm.meshes.making import MeshJob, MeshResult, make
from swgrm.meshes.spool import Spool

SAFE_PATH = "PYTHONSAFEPATH"  # the variable of Python's option -P
MOST_WORKERS = 61  # Windows waits for no more processes at once
PARALLEL_FROM = 400_000  # [triangles] below this, one thread is as fast
Progress = Callable[[str, float], None]


def all_made(
    jobs: dict[str, MeshJob], cache: Cache, workers: int | None, progress: Progress
) -> Mapping[str, MeshResult]:
    """The results of all jobs: from the cache, or made here, or by several processes where that pays."""
    results = Spool()
    todo: list[tuple[str, MeshJob]] = []
    for name, job in jobs.items():
        stored = cache.load(name, MeshResult)
        if stored is None:
            todo.append((name, job))
        else:
            results.put(name, msgspec.msgpack.encode(stored))
    for done, (name, made) in enumerate(_results(todo, workers, progress), 1):
        data = msgspec.msgpack.encode(made)
        results.put(name, data)
        cache.put(name, data)
        progress(f"meshing parts ({done} of {len(todo)})", done / len(todo))
    return results


def _results(
    todo: list[tuple[str, MeshJob]], workers: int | None, progress: Progress
) -> Iterator[tuple[str, MeshResult]]:
    """The results by name, as they become ready; in several threads or processes where that pays.

    Threads share the triangles; numpy and Qhull, which do most of the work, let them run at the same time. Decomposing
    is Python for the most part, so that needs processes.
    """
    if not todo:
        return
    decomposes = any(job.collision == Collision.DECOMPOSE for _, job in todo)
    in_processes = decomposes or any(job.only_pieces for _, job in todo)
    heavy = decomposes or sum(len(job.shape.triangles) for _, job in todo) >= PARALLEL_FROM * 36
    count = min(len(todo), MOST_WORKERS, workers or ((os.cpu_count() or 1) if heavy else 1))
    progress(f"decomposing {len(todo)} parts, which may take minutes" if decomposes else "meshing parts", 0.0)
    if count <= 1:
        for name, job in todo:
            yield name, make(job)
        return
    pool = _in_processes if in_processes else _in_threads
    yield from pool(todo, count)


def _in_threads(todo: list[tuple[str, MeshJob]], count: int) -> Iterator[tuple[str, MeshResult]]:
    from concurrent.futures import ThreadPoolExecutor, as_completed

    pool = ThreadPoolExecutor(count)
    try:
        futures = {pool.submit(make, job): name for name, job in todo}
        for future in as_completed(futures):
            yield futures.pop(future), future.result()
    finally:  # after an error or an interrupt, the parts that have not begun are not made
        pool.shutdown(cancel_futures=True)


def _in_processes(todo: list[tuple[str, MeshJob]], count: int) -> Iterator[tuple[str, MeshResult]]:
    from concurrent.futures import ProcessPoolExecutor, as_completed
    from multiprocessing import get_context

    pool = ProcessPoolExecutor(count, mp_context=get_context("spawn"), initializer=_depend_on_parent)
    try:
        with deferred(), kept_from_processes(), _safe_path():
            futures = {pool.submit(make, job): name for name, job in todo}
        for future in as_completed(futures):
            yield futures.pop(future), future.result()
    except BaseException:  # an interrupt, too: the workers would continue for minutes
        for process in list((pool._processes or {}).values()):  # noqa: SLF001 - no public way before Python 3.14
            process.kill()
        raise
    finally:
        pool.shutdown(cancel_futures=True)


@contextmanager
def _safe_path() -> Iterator[None]:
    """A context in which new processes of Python do not load modules from the current folder."""
    before = os.environ.get(SAFE_PATH)
    os.environ[SAFE_PATH] = "1"
    try:
        yield
    finally:
        if before is None:
            del os.environ[SAFE_PATH]
        else:
            os.environ[SAFE_PATH] = before


def _depend_on_parent() -> None:
    """In a worker: Ctrl-C reaches the parent, which ends the workers; a parent that is killed ends them, too."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    from multiprocessing import parent_process

    if parent := parent_process():
        parent.join()
        os._exit(1)
