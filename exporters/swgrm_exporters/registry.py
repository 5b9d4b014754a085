"""The formats that swgrm knows: a line each, loaded when used."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

from swgrm.errors import FileError, SwgrmError, nearest
from swgrm.findings import Finding
from swgrm.model import Robot


class Loaded(NamedTuple):
    """A robot that was read, and what there is to say about the reading."""

    robot: Robot
    findings: tuple[Finding, ...] = ()


class Written(NamedTuple):
    """The files that were written, and what there is to say about the writing."""

    files: tuple[Path, ...]
    findings: tuple[Finding, ...] = ()


class Format(NamedTuple):
    """A format: what it is, and what reads and writes it.

    `read(path)` gives a Loaded; `write(robot, path, options)` gives a Written. The options are the format's own.
    """

    title: str
    read: Callable[[Path], Loaded] | None = None
    write: Callable[[Robot, Path, Mapping[str, Any]], Written] | None = None


class Entry(NamedTuple):
    """Where a format lives: its module (which has a FORMAT) and the endings of its files."""

    module: str
    suffixes: tuple[str, ...]


FORMATS: Mapping[str, Entry] = {
    "grm": Entry("swgrm_exporters.grm", (".grm.json",)),
    "urdf": Entry("swgrm_exporters.urdf", (".urdf", ".xacro")),
    "robotinfo": Entry("swgrm_exporters.robotinfo", (".yml", ".yaml")),
}
SETTINGS_SUFFIXES = (".grm.yaml", ".grm.yml")  # a settings file is YAML too, but holds no robot


def load_format(name: str) -> Format:
    """The format of that name."""
    if name not in FORMATS:
        raise SwgrmError(f"There is no format `{name}`.{nearest(name, list(FORMATS))} Known: {', '.join(FORMATS)}.")
    found: Format = import_module(FORMATS[name].module).FORMAT
    return found


def format_of(path: Path | str) -> str:
    """The name of the format that a file's ending says."""
    if str(path).lower().endswith(SETTINGS_SUFFIXES):
        raise FileError(path, "this is a settings file, not a robot", remedy="Name the robot that it belongs to")
    for name, entry in FORMATS.items():
        if str(path).lower().endswith(entry.suffixes):
            return name
    endings = ", ".join(suffix for entry in FORMATS.values() for suffix in entry.suffixes)
    raise FileError(path, "its ending names no known format", remedy=f"Use one of: {endings}")


def read(path: Path | str) -> Loaded:
    """The robot in a file of any format that can be read."""
    name = format_of(path)
    reader = load_format(name).read
    if reader is None:
        raise FileError(path, f"the format {name} is written only, not read")
    return reader(Path(path))


def write(robot: Robot, path: Path | str, options: Mapping[str, Any] | None = None) -> Written:
    """Write a robot in the format that the file's ending says."""
    name = format_of(path)
    writer = load_format(name).write
    if writer is None:
        raise FileError(path, f"the format {name} is read only, not written")
    return writer(robot, Path(path), options or {})
