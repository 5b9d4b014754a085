"""Where every file of a package comes from: the part that it belongs to, and how it was made."""

from __future__ import annotations

import hashlib
import re
import zipfile
from collections.abc import Iterable, Iterator
from email import message_from_bytes
from pathlib import Path, PurePosixPath
from typing import NamedTuple

REPOSITORY = Path(__file__).parents[2]
PACKAGES = {"swgrm": "grm", "swgrm_exporters": "exporters", "swgrm_mocks": "mocks", "swgrm_addin": "addin"}
METADATA = "made by hatchling from pyproject.toml"
MADE = {  # files of the set-up program that are in none of its parts
    "swgrm.cmd": "written by installer/setup/payload.py",
    "licences/made-of.txt": "written by installer/setup/payload.py",
    "licences/with-Python.txt": "written by installer/setup/payload.py",
    "licences/swgrm.txt": "copied from LICENSE",
    "licences/Python.txt": "the licence of Python, from its archive for Linux",
    "probe/probe.exe": "compiled from installer/setup/probe.c",
    "python3.dll": "compiled by installer/combench/native.py",
}
PYTHON = re.compile(r"c?python-(\d+\.\d+\.\d+)")


Known = dict[str, list[tuple[Path, str]]]  # by hash: the archives, and the names in them


class ShippedFile(NamedTuple):
    """A file: its path in the package, its SHA-256, and how it was made."""

    path: str
    sha256: str
    made: str


class ShippedPart(NamedTuple):
    """A part of a package, with its files; a part that is not shipped has none."""

    name: str
    version: str
    licence: str
    archive: str  # that it was taken from
    sha256: str  # of the archive
    files: tuple[ShippedFile, ...] = ()


class UnknownOrigin(Exception):
    """Files whose origin is not known must not be shipped."""


def digest(data: bytes) -> str:
    """The SHA-256 of bytes."""
    return hashlib.sha256(data).hexdigest()


def wheel_metadata(wheel: Path) -> tuple[str, str, str]:
    """The name, the version and the licence of a wheel, as its metadata has them."""
    with zipfile.ZipFile(wheel) as archive:
        name = next(each for each in archive.namelist() if each.endswith(".dist-info/METADATA"))
        message = message_from_bytes(archive.read(name))
    classifiers = [each.rpartition(" :: ")[2] for each in message.get_all("Classifier", []) if "License ::" in each]
    first_line = (message["License"] or "").strip().partition("\n")[0]
    licence = message["License-Expression"] or " and ".join(classifiers) or first_line
    return message["Name"], message["Version"], licence or "not stated"


def requirements(wheel: Path) -> list[str]:
    """What a wheel requires, without its extras."""
    with zipfile.ZipFile(wheel) as archive:
        name = next(each for each in archive.namelist() if each.endswith(".dist-info/METADATA"))
        found = message_from_bytes(archive.read(name)).get_all("Requires-Dist", [])
    return [each for each in found if "extra ==" not in each]


def own_wheel(wheel: Path) -> ShippedPart:
    """Our wheel: every file is one of the repository, byte for byte, or metadata."""
    files, unknown = [], []
    with zipfile.ZipFile(wheel) as archive:
        for name in sorted(each for each in archive.namelist() if not each.endswith("/")):
            data = archive.read(name)
            made = _own_origin(name, data)
            files.append(ShippedFile(name, digest(data), made))
            unknown += [] if made else [name]
    if unknown:
        raise UnknownOrigin(f"{wheel.name}: not as in the repository: {', '.join(unknown)}")
    return ShippedPart(*wheel_metadata(wheel), wheel.name, digest(wheel.read_bytes()), tuple(files))


def _own_origin(name: str, data: bytes) -> str:
    if name.endswith("/licenses/LICENSE"):
        return "copied from LICENSE"
    if ".dist-info/" in name:
        return METADATA
    top = PurePosixPath(name).parts[0]
    source = REPOSITORY / PACKAGES.get(top, "") / name
    same = source.is_file() and source.read_bytes() == data
    return f"copied from {source.relative_to(REPOSITORY).as_posix()}" if same else ""


def of_folder(folder: Path, python: Path, wheels: Iterable[Path]) -> list[ShippedPart]:
    """The parts of a folder that is shipped: each file is found in an archive by its hash, or made in a known way."""
    archives = [python, *wheels]
    known: Known = {}
    for each in archives:
        for key, entry in _entries(each):
            known.setdefault(key, []).append((each, entry))
    found: dict[Path, list[ShippedFile]] = {each: [] for each in archives}
    own, unknown = [], []
    for path in sorted(file for file in folder.rglob("*") if file.is_file()):
        name = path.relative_to(folder).as_posix()
        archive, made = _origin(path, name, known)
        shipped = ShippedFile(name, digest(path.read_bytes()), made)
        if archive is not None:
            found[archive].append(shipped)
        elif made:
            own.append(shipped)
        else:
            unknown.append(name)
    if unknown:
        raise UnknownOrigin(f"{folder}: files whose origin is not known: {', '.join(unknown[:20])}")
    parts = [_part(each, tuple(files)) for each, files in found.items()]
    return [*parts, ShippedPart("set-up program", "", "MIT", "", "", tuple(own))]


def _entries(archive: Path) -> Iterator[tuple[str, str]]:
    """The hash and the name of every file in an archive."""
    with zipfile.ZipFile(archive) as file:
        yield from ((digest(file.read(entry)), entry.filename) for entry in file.infolist() if not entry.is_dir())


def _archive_of(path: Path, known: Known) -> Path | None:
    """The archive with this content; of several, as for empty files, one that has it under this name."""
    same = known.get(digest(path.read_bytes()), []) if path.exists() else []
    named = [archive for archive, entry in same if path.as_posix().endswith(f"/{entry}")]
    return next(iter([*named, *(archive for archive, _ in same)]), None)


def _origin(path: Path, name: str, known: Known) -> tuple[Path | None, str]:
    """The archive that a file is from, and how it was made; an empty text if that is not known."""
    if name in MADE or re.fullmatch(r"python\d+\._pth", name):
        made = MADE.get(name, "written by installer/combench/private_python.py")
        return _archive_of(path, known) if name == "python3.dll" else None, made
    if path.suffix == ".pyc":
        source = path.parent.parent / f"{path.name.partition('.')[0]}.py"
        archive = _archive_of(source, known)
        return archive, f"compiled from {source.name}" if archive else ""
    archive = _archive_of(path, known)
    return archive, "unpacked" if archive else ""


def _part(archive: Path, files: tuple[ShippedFile, ...]) -> ShippedPart:
    if archive.suffix == ".whl":
        return ShippedPart(*wheel_metadata(archive), archive.name, digest(archive.read_bytes()), files)
    number = PYTHON.search(archive.name)
    version = number[1] if number else ""
    return ShippedPart("Python", version, "PSF-2.0", archive.name, digest(archive.read_bytes()), files)
