"""Meshes for a whole robot: each part once, kept in the cache, placed by our own poses."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection, Iterator, Mapping
from fnmatch import fnmatchcase
from pathlib import Path, PureWindowsPath
from typing import NamedTuple

from msgspec.structs import replace

from swgrm.capture.file import unload
from swgrm.capture.index import Index
from swgrm.capture.records import Capture, Component
from swgrm.errors import SettingsError
from swgrm.findings import Findings
from swgrm.meshes.apart import cut_apart
from swgrm.meshes.cache import Cache
from swgrm.meshes.carrying import Meshed
from swgrm.meshes.collision import CUT, Collision
from swgrm.meshes.making import COLLISION, MeshFile, MeshJob, MeshResult
from swgrm.meshes.options import MeshOptions
from swgrm.meshes.store import MeshStore
from swgrm.meshes.surface import Surface
from swgrm.meshes.tessellation import Colour
from swgrm.meshes.working import Progress, all_made
from swgrm.model import EntityKind, Frame, Geometry, Material, Mesh, Robot
from swgrm.model.transliteration import in_ascii
from swgrm.storage.files import write_bytes
from swgrm.storage.folders import safe_name

FOLDER = "meshes"
PartKey = tuple[str, str, str]  # path, configuration and variant of a shape


def add_meshes(
    robot: Robot,
    capture: Capture,
    folder: Path,
    options: MeshOptions | None,
    findings: Findings,
    *,
    cache: Cache | None = None,
    welded: Mapping[PartKey, Surface] | None = None,
    fasteners: Collection[str] = (),
    workers: int | None = None,
    progress: Progress = lambda _step, _done: None,
) -> Meshed:
    """Give every component's link its meshes, written below the folder; URIs are relative to it.

    `welded` has surfaces of parts that were made for their mass, by path, configuration and variant. `fasteners` are
    components; they have no collision shape unless `collision` asks for one of every part.
    """
    options = options or MeshOptions()
    cache = cache or Cache(None)
    plan = _Plan(robot, Index(capture), options, findings, welded)
    made = all_made(plan.jobs, cache, workers, progress)
    writer = _MeshWriter(folder)
    parts: dict[str, _Part] = {}
    unload(capture)
    for name, job in plan.names.items():
        result = made[job.key]
        parts[name] = writer.keep(name, result)
        where = f"part {PureWindowsPath(job.shape.path).name}"
        for problem in result.problems:
            findings.add("mesh-readback", where, problem=problem)
    apart = _apart(robot, plan, made, fasteners, cache, findings)
    frames = tuple(_dressed(frame, plan, parts, writer.pieces(frame, plan, apart)) for frame in robot.frames)
    colours = {m.name: m for m in robot.materials} | {m.name: m for part in parts.values() for m in part.materials}
    dressed = replace(robot, frames=frames, materials=tuple(colours.values()))
    return Meshed(dressed, tuple(writer.files), writer.store, cache.misses, cache.hits)


class _Plan:
    """Which component needs which job, and what each job's files are called."""

    def __init__(
        self,
        robot: Robot,
        index: Index,
        options: MeshOptions,
        findings: Findings,
        welded: Mapping[PartKey, Surface] | None = None,
    ) -> None:
        self.jobs: dict[str, MeshJob] = {}
        self.names: dict[str, MeshJob] = {}  # by file name
        self.by_component: dict[str, str] = {}  # the file name for each component
        self._taken = TakenNames()
        known: dict[tuple[object, ...], str] = {}
        used: set[str] = set()
        for component in _components(robot, index):
            shape = index.shape(component)
            if (
                shape is None
                or component.is_assembly
                or component.envelope
                or not (component.visible or options.hidden)
            ):
                continue
            if not shape.triangles:
                findings.add("triangles-missing", f"component {component.name}")
                continue
            how = _collision(component, options, used)
            same = (shape.path, shape.configuration, shape.variant, component.appearance, how)
            if same not in known:
                document = index.document(component)
                look = document.appearance if document else None
                made = (welded or {}).get((shape.path, shape.configuration, shape.variant))
                faces = options.faces, options.visual_faces
                job = MeshJob(shape, look, component.appearance, options.format, how, *faces, welded=made)
                known[same] = self._name(job)
                self.names[known[same]] = job
                self.jobs[job.key] = job
            self.by_component[component.name] = known[same]
        for pattern in options.links:
            if pattern not in used:
                raise SettingsError(f"There is no component `{pattern}`.", ("meshes", "links", pattern))

    def _name(self, job: MeshJob) -> str:
        base = safe_name(in_ascii(PureWindowsPath(job.shape.path).stem) or "part")
        if base.lower() in self._taken and job.shape.configuration:
            base = safe_name(f"{base}_{in_ascii(job.shape.configuration)}")
        return self._taken.free(base, lambda number: f"{base}_{number}")


def _components(robot: Robot, index: Index) -> Iterator[Component]:
    for frame in robot.frames:
        entity = frame.entity
        if (
            entity is not None
            and entity.kind is EntityKind.COMPONENT
            and frame.links
            and entity.path in index.components
        ):
            yield index.components[entity.path]


def _collision(component: Component, options: MeshOptions, used: set[str]) -> Collision:
    for pattern, how in options.links.items():
        if fnmatchcase(component.name, pattern):
            used.add(pattern)
            return how
    return options.collision


class TakenNames:
    """The names of files so far; on Windows, names that differ in case are one."""

    def __init__(self) -> None:
        self._taken: set[str] = set()
        self._next: dict[str, int] = {}  # by the wanted name: below this number, all names are taken

    def __contains__(self, name: str) -> bool:
        return name.lower() in self._taken

    def free(self, wanted: str, numbered: Callable[[int], str]) -> str:
        """The wanted name, or the first numbered one that is free, from 2 on; it is taken from now on."""
        name, number = wanted, self._next.get(wanted.lower(), 2)
        while name in self:
            name, number = numbered(number), number + 1
        self._next[wanted.lower()] = number
        self._taken.add(name.lower())
        return name


class _Part(NamedTuple):
    """A part's geometry as links refer to it."""

    visuals: tuple[Geometry, ...]
    collisions: tuple[Geometry, ...]
    materials: tuple[Material, ...]


class _MeshWriter:
    """Writes mesh files, and keeps their surfaces for the formats; the same bytes are one file."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.files: list[Path] = []
        self.store = MeshStore()
        self._uris: dict[str, str] = {}
        self._taken = TakenNames()

    def keep(self, name: str, made: MeshResult) -> _Part:
        """Write a part's files and return the geometry that refers to them."""
        visuals: list[Geometry] = []
        materials: dict[str, Material] = {}
        for number, visual in enumerate(made.visuals):
            uri = self._write(f"{name}{f'_{number + 1}' if number else ''}.{made.format}", visual)
            material = material_of(visual.colour)
            materials |= {material.name: material} if material else {}
            visuals.append(Mesh(uri=uri, material=material.name if material else ""))
        collisions = [] if made.collision in CUT else self._collisions(name, made.collision_files)
        return _Part(tuple(visuals), (*collisions, *made.primitives), tuple(materials.values()))

    def pieces(self, frame: Frame, plan: _Plan, apart: Mapping[str, list[MeshFile]]) -> tuple[Geometry, ...]:
        """Write the collision files of a frame, which were cut for its place, and return their geometry."""
        entity = frame.entity
        name = plan.by_component.get(entity.path) if entity is not None else None
        return self._collisions(name, apart.get(frame.id, [])) if name is not None else ()

    def _collisions(self, name: str, files: list[MeshFile]) -> tuple[Geometry, ...]:
        return tuple(Mesh(uri=self._write(f"{name}_collision.{COLLISION}", made)) for made in files)

    def _write(self, file: str, made: MeshFile) -> str:
        digest = hashlib.sha256(made.data).hexdigest()
        if digest not in self._uris:
            file = self._free(file)
            path = self.folder / FOLDER / file
            write_bytes(path, made.data)
            self.files.append(path)
            self.store.add(path, digest, made.pieces)
            self._uris[digest] = f"{FOLDER}/{file}"
        return self._uris[digest]

    def _free(self, file: str) -> str:
        """The name, with a number if it is taken."""
        stem, _, suffix = file.rpartition(".")
        return self._taken.free(file, lambda number: f"{stem}_{number}.{suffix}")


def _apart(
    robot: Robot,
    plan: _Plan,
    made: Mapping[str, MeshResult],
    fasteners: Collection[str],
    cache: Cache,
    findings: Findings,
) -> dict[str, list[MeshFile]]:
    """The collision files of every frame whose shape may be cut, in pieces that leave the joints free."""
    jobs: dict[str, MeshJob] = {}
    fastener_frames = frozenset(frame.id for frame in robot.frames if frame.entity and frame.entity.path in fasteners)
    for frame in robot.frames:
        name = plan.by_component.get(frame.entity.path) if frame.entity is not None and frame.links else None
        if name is not None and plan.names[name].collision in CUT:
            jobs[frame.id] = plan.names[name]

    def make_pieces(todo: dict[str, MeshJob]) -> Mapping[str, MeshResult]:
        return all_made(todo, cache, None, lambda _step, _done: None)

    return cut_apart(robot, jobs, made, make_pieces, fastener_frames, Cache(cache.folder), findings)


def material_of(colour: Colour | None) -> Material | None:
    """The robot's material for a colour, named by it."""
    if colour is None:
        return None
    digits = "".join(f"{round(255 * value):02x}" for value in colour)
    return Material(f"colour_{digits}", colour)


def _dressed(frame: Frame, plan: _Plan, parts: dict[str, _Part], pieces: tuple[Geometry, ...]) -> Frame:
    entity = frame.entity
    name = plan.by_component.get(entity.path) if entity is not None and frame.links else None
    if name is None:
        return frame
    first, *others = frame.links
    part = parts[name]
    return replace(frame, links=(replace(first, visuals=part.visuals, collisions=(*part.collisions, *pieces)), *others))
