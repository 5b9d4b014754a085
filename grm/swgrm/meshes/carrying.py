"""Mesh files that a robot already has, taken along into another folder."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from msgspec.structs import replace

from swgrm.files import read_bytes, write_bytes
from swgrm.folders import safe_name
from swgrm.meshes.agreement import resolve
from swgrm.model import Geometry, Link, Mesh, Robot

FOLDER = "meshes"


class Carried(NamedTuple):
    """A robot whose mesh files are in the new folder, and those files."""

    robot: Robot
    files: tuple[Path, ...]


def carry(robot: Robot, source: Path, target: Path) -> Carried:
    """Copy the mesh files that have relative names; names with a scheme and missing files stay as they are."""
    names: dict[str, str] = {}
    files: list[Path] = []
    taken: set[str] = set()
    for _, link in robot.links():
        for shape in (*link.visuals, *link.collisions):
            if isinstance(shape, Mesh) and shape.uri not in names and "://" not in shape.uri:
                path = resolve(shape.uri, source)
                if path is not None:
                    name = _free(safe_name(path.stem), path.suffix, taken)
                    write_bytes(target / FOLDER / name, read_bytes(path))
                    files.append(target / FOLDER / name)
                    names[shape.uri] = f"{FOLDER}/{name}"

    def moved(shapes: tuple[Geometry, ...]) -> tuple[Geometry, ...]:
        return tuple(replace(s, uri=names.get(s.uri, s.uri)) if isinstance(s, Mesh) else s for s in shapes)

    def dressed(old: Link) -> Link:
        return replace(old, visuals=moved(old.visuals), collisions=moved(old.collisions))

    frames = tuple(replace(frame, links=tuple(map(dressed, frame.links))) for frame in robot.frames)
    return Carried(replace(robot, frames=frames) if names else robot, tuple(files))


def _free(stem: str, suffix: str, taken: set[str]) -> str:
    name, number = f"{stem}{suffix}", 1
    while name.lower() in taken:
        number += 1
        name = f"{stem}_{number}{suffix}"
    taken.add(name.lower())
    return name
