"""The collision files of a robot's frames, cut apart where they overlap; the result is kept in the cache."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

import msgspec

from swgrm.findings import Finding, Findings
from swgrm.mechanism import motion_content
from swgrm.meshes.cache import Cache, key
from swgrm.meshes.making import COLLISION, MeshJob, MeshResult
from swgrm.model import Robot

if TYPE_CHECKING:
    from swgrm.meshes.polytopes import Polytope

Make = Callable[[dict[str, MeshJob]], Mapping[str, MeshResult]]  # the results of jobs, both by the jobs' keys


class _Apart(msgspec.Struct, frozen=True):
    """The files of the frames whose shapes were cut, and what was reported."""

    files: dict[str, list[bytes]]
    findings: list[Finding]


def cut_apart(
    robot: Robot, jobs: Mapping[str, MeshJob], made: Mapping[str, MeshResult], make: Make, cache: Cache,
    findings: Findings,
) -> dict[str, list[bytes]]:  # fmt: skip
    """The collision files of every frame that has a job, in pieces that leave the joints free."""
    of_part = {name: made[name].collision_files for name in {job.key: None for job in jobs.values()}}
    files = {frame: of_part[job.key] for frame, job in jobs.items()}
    if not any(of_part.values()):
        return files
    name = key("apart", motion_content(robot), *(text for frame, job in jobs.items() for text in (frame, job.key)))
    found = cache.kept(name, _Apart, lambda: _cut(robot, jobs, of_part, make))
    findings.extend(found.findings)
    return files | found.files


def _cut(robot: Robot, jobs: Mapping[str, MeshJob], of_part: Mapping[str, list[bytes]], make: Make) -> _Apart:
    from swgrm.meshes.separating import separated

    known = {name: _polytopes(each) for name, each in of_part.items()}
    hulls = {frame: shapes for frame, job in jobs.items() if (shapes := known[job.key])}
    if not hulls:
        return _Apart({}, [])

    def decompose(frames: frozenset[str]) -> dict[str, list[Polytope]]:
        whole = {f: replace(jobs[f], only_pieces=True) for f in sorted(frames)}
        made = make({job.key: job for job in whole.values()})
        pieces = {name: _polytopes(each.collision_files) for name, each in made.items()}
        return {frame: pieces[job.key] for frame, job in whole.items()}

    findings = Findings()
    found = separated(robot.mechanism.motion, hulls, decompose, findings)
    cut = {frame: [_file(each) for each in found.shapes[frame]] for frame in sorted(found.changed)}
    return _Apart(cut, list(findings))


def _polytopes(files: list[bytes]) -> list[Polytope]:
    from swgrm.meshes.convex import polytope
    from swgrm.meshes.files import decode

    return [shape for data in files if (shape := polytope(decode(data, COLLISION).vertices)) is not None]


def _file(shape: Polytope) -> bytes:
    import numpy as np

    from swgrm.meshes.collision import hull
    from swgrm.meshes.files import encode
    from swgrm.meshes.surface import Surface
    from swgrm.meshes.tessellation import PLAIN, ColouredSurface

    return encode([ColouredSurface(PLAIN, hull(Surface(shape.vertices, np.zeros((0, 3), np.int64))))], COLLISION)
