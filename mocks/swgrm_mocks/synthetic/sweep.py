"""Writes many synthetic robots to files in parallel; the result does not depend on the number of workers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from os import cpu_count
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from swgrm.errors import SwgrmError
from swgrm.storage.files import write_bytes
from swgrm_mocks.synthetic.generator import MixedChainGenerator

INDEX = "index.json"
SERIAL_LIMIT = 8  # up to this number of robots, no worker processes are started

Progress = Callable[[int, int], None]  # called with the number of finished robots and the total


class WriteJob(NamedTuple):
    """A robot to write: the arguments of its generator, the folder and the formats."""

    arguments: dict[str, Any]
    folder: Path
    formats: tuple[str, ...]


class WriteResult(NamedTuple):
    """The result of a job: an entry of the index, or the message of an error."""

    entry: dict[str, Any]
    problem: str = ""


def no_progress(done: int, total: int) -> None:
    """Ignores the progress."""


def write_robots(
    batch: Sequence[tuple[MixedChainGenerator, dict[str, Any]]],
    folder: Path,
    formats: tuple[str, ...] = ("urdf",),
    *,
    workers: int | None = None,
    progress: Progress = no_progress,
) -> list[Path]:
    """Writes a batch of robots and an index of them; returns the files, with the index last."""
    from swgrm_exporters.formats import named

    for name in formats:
        if not named(name).suffixes:
            raise SwgrmError(f"The format `{name}` is a folder of files and cannot be written for each robot.")
    jobs = [WriteJob(_arguments(generator), folder, formats) for generator, _ in batch]
    entries: list[dict[str, Any]] = []
    for (_, metadata), done in zip(batch, _run(jobs, workers or cpu_count() or 1), strict=True):
        if done.problem:
            raise SwgrmError(done.problem)
        entries.append({**metadata, **done.entry})
        progress(len(entries), len(jobs))
    index = folder / INDEX
    write_bytes(index, msgspec.json.format(msgspec.json.encode(entries), indent=1) + b"\n")
    return [*(folder / name for entry in entries for name in entry["files"]), index]


def _arguments(generator: MixedChainGenerator) -> dict[str, Any]:
    return {**generator.parameters._asdict(), "seed": generator.seed, "name": generator.name}


def _run(jobs: list[WriteJob], workers: int) -> Iterator[WriteResult]:
    if len(jobs) <= SERIAL_LIMIT or workers == 1:
        yield from map(_write, jobs)
        return
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        yield from pool.map(_write, jobs, chunksize=max(1, min(16, len(jobs) // (4 * workers))))


def _write(job: WriteJob) -> WriteResult:
    try:
        generator = MixedChainGenerator(**job.arguments)
        files = [name for form in job.formats for name in _files(generator, job.folder, form)]
        return WriteResult({"name": generator.name, "files": files, **generator.get_statistics()})
    except SwgrmError as error:
        return WriteResult({}, str(error))


def _files(generator: MixedChainGenerator, folder: Path, form: str) -> list[str]:
    from swgrm_exporters.formats import named, write

    path = folder / f"{generator.name}{named(form).suffixes[0]}"
    if form == "urdf":  # the same bytes as MixedChainGenerator.save_urdf
        return [generator.save_urdf(path).name]
    return [file.name for file in write(generator.robot, path)]
