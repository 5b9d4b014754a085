"""Copies the mesh and texture files of a robot into another folder."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

from msgspec.structs import replace

from swgrm.errors import FileError
from swgrm.findings import Findings
from swgrm.meshes.store import MeshStore
from swgrm.meshes.uris import report_absent, resolve
from swgrm.model import Geometry, Link, Mesh, Robot
from swgrm.storage.files import read_bytes, write_bytes
from swgrm.storage.folders import safe_name


class Meshed(NamedTuple):
    """A robot whose mesh files are in the new folder, those files, and the surfaces in them."""

    robot: Robot
    files: tuple[Path, ...]
    store: MeshStore
    made: int = 0  # parts that were processed
    kept: int = 0  # parts that came from the cache


def carry(robot: Robot, source: Path, target: Path, findings: Findings, *, with_schemes: bool = False) -> Meshed:
    """Copy the files that have relative names; missing files stay as they are.

    Names with a scheme, such as `package://`, stay too, unless `with_schemes` is set and the file is found.
    Only meshes and textures are copied, by their endings and contents: a robot may come from anywhere, and names files
    as it likes.
    """
    shapes = (shape for _, link in robot.links() for shape in (*link.visuals, *link.collisions))
    copier = _Copier(source, target, with_schemes, findings)
    copier.copy("meshes", [shape.uri for shape in shapes if isinstance(shape, Mesh)])
    copier.copy("textures", [material.texture for material in robot.materials if material.texture])
    report_absent(robot, source, findings)
    return Meshed(_with_names(robot, copier.names), tuple(copier.files), MeshStore())


def seen_from(robot: Robot, files: Iterable[Path], here: Path, there: Path) -> Robot:
    """The robot whose mesh and texture files are named relative to `here`, with names relative to `there`."""
    if here == there:
        return robot
    names = {path.relative_to(here).as_posix(): Path(os.path.relpath(path, there)).as_posix() for path in files}
    return _with_names(robot, names)


def _with_names(robot: Robot, names: Mapping[str, str]) -> Robot:
    """The robot with other names of mesh and texture files."""
    if not names:
        return robot

    def moved(shapes: tuple[Geometry, ...]) -> tuple[Geometry, ...]:
        return tuple(replace(s, uri=names.get(s.uri, s.uri)) if isinstance(s, Mesh) else s for s in shapes)

    def dressed(old: Link) -> Link:
        return replace(old, visuals=moved(old.visuals), collisions=moved(old.collisions))

    frames = tuple(replace(frame, links=tuple(map(dressed, frame.links))) for frame in robot.frames)
    materials = tuple(replace(each, texture=names.get(each.texture, each.texture)) for each in robot.materials)
    return replace(robot, frames=frames, materials=materials)


class _Copier:
    """Copies files into folders of the target; `names` maps each URI to its name there."""

    def __init__(self, source: Path, target: Path, with_schemes: bool, findings: Findings) -> None:
        self.source, self.target, self.with_schemes, self.findings = source, target, with_schemes, findings
        self.names: dict[str, str] = {}
        self.files: list[Path] = []
        self._taken: set[str] = set()

    def copy(self, folder: str, uris: Iterable[str]) -> None:
        for uri in dict.fromkeys(uris):
            path = None if "://" in uri and not self.with_schemes else resolve(uri, self.source)
            data = None if path is None else self._checked(uri, path)
            if path is not None and data is not None:
                name = f"{folder}/{_free(safe_name(path.stem), path.suffix, self._taken)}"
                write_bytes(self.target / name, data)
                self.files.append(self.target / name)
                self.names[uri] = name

    def _checked(self, uri: str, path: Path) -> bytes | None:
        """The content of a mesh or picture; None and a finding if it is something else."""
        from swgrm.meshes.recognition import check_content  # here: most exports copy nothing

        try:
            data = read_bytes(path)
            check_content(path, data)
        except FileError as error:
            self.findings.add("file-not-copied", f"file {uri}", problem=error.problem)
            return None
        return data


def _free(stem: str, suffix: str, taken: set[str]) -> str:
    name, number = f"{stem}{suffix}", 1
    while name.lower() in taken:
        number += 1
        name = f"{stem}_{number}{suffix}"
    taken.add(name.lower())
    return name
