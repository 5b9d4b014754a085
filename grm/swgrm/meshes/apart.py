"""The collision files of a robot's frames, cut apart where they overlap; the result is kept in the cache."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

import msgspec

from swgrm.findings import Finding, Findings
from swgrm.kinematics.mechanism import motion_content
from swgrm.meshes.cache import Cache, key
from swgrm.meshes.collision import Collision
from swgrm.meshes.making import COLLISION, MeshFile, MeshJob, MeshResult
from swgrm.model import Robot

if TYPE_CHECKING:
    from swgrm.meshes.polytopes import Polytope

Make = Callable[[dict[str, MeshJob]], Mapping[str, MeshResult]]  # the results of jobs, both by the jobs' keys


class _Apart(msgspec.Struct, frozen=True):
    """The files of the frames whose shapes were cut, and what was reported."""

    files: dict[str, list[MeshFile]]
    findings: list[Finding]


def cut_apart(
    robot: Robot, jobs: Mapping[str, MeshJob], made: Mapping[str, MeshResult], make: Make, fasteners: frozenset[str],
    cache: Cache, findings: Findings,
) -> dict[str, list[MeshFile]]:  # fmt: skip
    """The collision files of every frame that has a job, in pieces that leave the joints free.

    Frames whose job is `auto` have few pieces per body, and none if they are fasteners.
    """
    of_part = {name: made[name].collision_files for name in {job.key: None for job in jobs.values()}}
    files = {frame: of_part[job.key] for frame, job in jobs.items()}
    if not any(of_part.values()):
        return files
    content: list[str | bytes] = ["apart", motion_content(robot), *sorted(fasteners & jobs.keys()), ""]
    for frame, job in jobs.items():
        content += [frame, job.key]
    found = cache.kept(key(*content), _Apart, lambda: _cut(robot, jobs, of_part, make, fasteners))
    findings.extend(found.findings)
    return files | found.files


def _cut(
    robot: Robot,
    jobs: Mapping[str, MeshJob],
    of_part: Mapping[str, list[MeshFile]],
    make: Make,
    fasteners: frozenset[str],
) -> _Apart:
    from swgrm.meshes.budget import within_budget, without_hidden
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
    motion = robot.mechanism.motion
    few = frozenset(frame for frame, job in jobs.items() if job.collision == Collision.AUTO)
    shown = without_hidden(motion, hulls, fasteners, few)
    separate = separated(motion, shown, decompose, findings)
    hidden = {frame: shapes for frame, shapes in hulls.items() if frame not in shown}
    budgeted = within_budget(motion, separate.shapes, few, hidden, findings)
    cut: dict[str, list[MeshFile]] = {frame: [] for frame in hidden}
    for frame in sorted(separate.changed | budgeted.changed):
        cut[frame] = [_file(shape) for shape in budgeted.shapes[frame]]
    return _Apart(cut, list(findings))


def _polytopes(files: list[MeshFile]) -> list[Polytope]:
    from swgrm.meshes.convex import polytope

    polytopes = []
    for file in files:
        for piece in file.pieces:
            shape = polytope(piece.unpack().surface.vertices)
            if shape is not None:
                polytopes.append(shape)
    return polytopes


def _file(shape: Polytope) -> MeshFile:
    import numpy as np

    from swgrm.meshes.collision import hull
    from swgrm.meshes.files import as_written, encode
    from swgrm.meshes.pieces import pack
    from swgrm.meshes.surface import Surface
    from swgrm.meshes.tessellation import PLAIN, ColouredSurface

    solid = ColouredSurface(PLAIN, hull(Surface(shape.vertices, np.zeros((0, 3), np.int64))))
    return MeshFile(encode([solid], COLLISION), [pack(as_written(solid, COLLISION))])
