"""Does the jobs that make mesh files: from the cache, here, in threads, or in processes, each where it pays."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping

import msgspec

from swgrm.meshes.cache import Cache
from swgrm.meshes.collision import Collision
from swgrm.meshes.making import MeshJob, MeshResult, make
from swgrm.meshes.spool import Spool
from swgrm.storage.interrupts import deferred

PARALLEL_FROM = 400_000  # [triangles] below this, one thread is as fast
Progress = Callable[[str, float], None]


def all_made(
    jobs: dict[str, MeshJob], cache: Cache, workers: int | None, progress: Progress
) -> Mapping[str, MeshResult]:
    """The results of all jobs: from the cache, or made here, or by several processes where that pays."""
    results = Spool(MeshResult)
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
    count = min(len(todo), workers or ((os.cpu_count() or 1) if heavy else 1))
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
    """The results of as many child processes, each with a thread that waits for it.

    Ctrl-C reaches this process only, which ends its children; if it is killed, they end themselves.
    """
    from concurrent.futures import ThreadPoolExecutor, as_completed
    from queue import SimpleQueue

    from swgrm.meshes.worker import PROGRAM, make_in_child
    from swgrm.processes.child import Child, finish, python_command

    children: list[Child] = []
    idle: SimpleQueue[Child] = SimpleQueue()

    def make_in_idle_child(job: MeshJob) -> MeshResult:
        child = idle.get()
        try:
            return make_in_child(child, job)
        finally:
            idle.put(child)

    pool = ThreadPoolExecutor(count)
    try:
        for _ in range(count):
            with deferred():  # until what ends it knows it
                children.append(Child(python_command(PROGRAM)))
            idle.put(children[-1])
        futures = {pool.submit(make_in_idle_child, job): name for name, job in todo}
        for future in as_completed(futures):
            yield futures.pop(future), future.result()
    except BaseException:  # an interrupt, too: the children would continue for minutes
        for child in children:
            child.kill()
        raise
    finally:
        pool.shutdown(cancel_futures=True)
        finish(children)
