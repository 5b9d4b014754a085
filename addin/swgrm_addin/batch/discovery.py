"""Finding the documents in a folder: which files are meant, and where each one's results go."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from fnmatch import fnmatchcase
from pathlib import Path
from typing import NamedTuple

from swgrm.errors import FileError
from swgrm.folders import MANIFEST
from swgrm_addin.batch.records import OWN_FILES, Options, Task

TEMPORARY = ("~$", ".")  # what SolidWorks writes beside an open document; what systems hide
SETTINGS = ".grm.yaml"


class Kind(NamedTuple):
    """A kind of document: its ending, the instance that opens it, and whether it is meant when no pattern is given."""

    suffix: str
    instance_kind: str = ""
    by_default: bool = True


KINDS = (
    Kind(".sldasm", "solidworks"),
    Kind(".mock.json", "mock"),
    Kind(".swcap"),
    # These lie beside the documents that they belong to; whoever means them says so by a pattern.
    Kind(".sldprt", "solidworks", by_default=False),
    Kind(".grm.json", by_default=False),
    Kind(".urdf", by_default=False),
)


def kind_of(name: str) -> Kind | None:
    """The kind of a document, by the ending of its name."""
    return next((kind for kind in KINDS if name.lower().endswith(kind.suffix)), None)


def find_tasks(
    folder: Path,
    out: Path,
    *,
    pattern: str = "",
    recursive: bool = False,
    settings: Path | None = None,
    options: Options | None = None,
    passed_over: Callable[[str, str], object] = lambda *_: None,
) -> list[Task]:
    """A task for every document that is meant, in order of their paths; told which folders cannot be read, and why."""
    found = {path.relative_to(folder).as_posix(): path for path in _files(folder, out, recursive, passed_over)}
    meant = {name: kind for name, path in sorted(found.items()) if (kind := _meant(path.name, pattern))}
    if not meant:
        raise FileError(folder, "no document to export is in it", remedy=_remedy(pattern, recursive))
    folders = result_folders({name: _stem(name, kind) for name, kind in meant.items()})
    return [
        Task(
            document=name,
            source=found[name],
            out=out / folders[name],
            instance_kind="attached"
            if kind.instance_kind == "solidworks" and options and options.attach
            else kind.instance_kind,
            settings=_settings(found[name], kind, settings),
            options=options or Options(),
        )
        for name, kind in meant.items()
    ]


def result_folders(stems: Mapping[str, str]) -> dict[str, str]:
    """A folder for each document: its name without the ending, with it where two, or a report, would share one."""
    folders = dict(stems)
    while True:
        users = Counter([*OWN_FILES, *(folder.lower() for folder in folders.values())])
        shared = [name for name, folder in folders.items() if users[folder.lower()] > 1 and folder != name]
        if not shared:
            return folders
        folders |= {name: name for name in shared}


def _files(folder: Path, out: Path, recursive: bool, passed_over: Callable[[str, str], object]) -> Iterator[Path]:
    """Every file, but none that an export has written."""
    if not folder.is_dir():
        raise FileError(folder, "there is no such folder", remedy="Check the path")

    def refused(error: OSError) -> None:
        if Path(error.filename) == folder:
            raise FileError(folder, f"it cannot be read ({error.strerror})", remedy="Check its permissions")
        passed_over(str(error.filename), str(error.strerror))

    for parent, folders, files in os.walk(folder, onerror=refused):
        here = Path(parent)
        if here != folder and (MANIFEST in files or here.resolve() == out.resolve()):
            folders.clear()
            continue
        folders[:] = sorted(name for name in folders if recursive and not name.startswith(TEMPORARY))
        for name in files:
            if not _is_unicode(name):
                raise FileError(here / ascii(name), "its name is not Unicode", remedy="Rename it")
            if not name.startswith(TEMPORARY):
                yield here / name


def _is_unicode(name: str) -> bool:
    try:
        return bool(name.encode())
    except UnicodeEncodeError:
        return False


def _meant(name: str, pattern: str) -> Kind | None:
    kind = kind_of(name)
    if kind is None or not (fnmatchcase(name.lower(), pattern.lower()) if pattern else kind.by_default):
        return None
    return kind


def _stem(name: str, kind: Kind) -> str:
    return name[: -len(kind.suffix)]


def _settings(path: Path, kind: Kind, default: Path | None) -> Path | None:
    """The settings beside a document, else those for all."""
    beside = path.with_name(_stem(path.name, kind) + SETTINGS)
    return beside if beside.is_file() else default


def _remedy(pattern: str, recursive: bool) -> str:
    endings = ", ".join(kind.suffix for kind in KINDS if kind.by_default)
    looked = f"Nothing matches {pattern!r}" if pattern else f"Documents end in {endings}"
    return looked + ("" if recursive else "; look into the folders below with --recursive")
