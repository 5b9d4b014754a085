"""Discovery: which files of a folder are exported, and into which folder each one goes."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from fnmatch import fnmatchcase
from pathlib import Path
from typing import NamedTuple

from swgrm.errors import FileError
from swgrm.storage.files import is_file
from swgrm.storage.folders import MANIFEST
from swgrm_addin.batch.records import OWN_FILES, BatchOptions, Task
from swgrm_addin.settings_file import SUFFIX as SETTINGS
from swgrm_exporters.formats import FORMATS

TEMPORARY = ("~$", ".")  # prefixes of SolidWorks' temporary files and of hidden files


class DocumentKind(NamedTuple):
    """A kind of document: its file ending, and the kind of SolidWorks instance that opens it, if any."""

    suffix: str
    instance_kind: str = ""
    by_default: bool = True  # found when no pattern is given


KINDS = (
    DocumentKind(".sldasm", "solidworks"),
    DocumentKind(".mock.json", "mock"),
    DocumentKind(".swcap"),
    # These are often parts or exports of the documents above, so they are found only by a pattern.
    DocumentKind(".sldprt", "solidworks", by_default=False),
    *(DocumentKind(form.suffixes[0], by_default=False) for form in FORMATS.values() if form.can_read),
)


def kind_of(name: str) -> DocumentKind | None:
    """The kind of a document by the ending of its name; None for other files."""
    return next((kind for kind in KINDS if name.lower().endswith(kind.suffix)), None)


def find_tasks(
    folder: Path,
    out: Path,
    *,
    pattern: str = "",
    recursive: bool = False,
    settings: Path | None = None,
    options: BatchOptions | None = None,
    on_skipped: Callable[[str, str], object] = lambda *_: None,
) -> list[Task]:
    """A task for every document to export, sorted by path.

    `on_skipped` is called with each folder that cannot be read, and the reason.
    """
    found = {path.relative_to(folder).as_posix(): path for path in _files(folder, out, recursive, on_skipped)}
    chosen = {name: kind for name, path in sorted(found.items()) if (kind := _chosen_kind(path.name, pattern))}
    if not chosen:
        raise FileError(folder, "the folder contains no document to export", remedy=_remedy(pattern, recursive))
    folders = result_folders({name: _stem(name, kind) for name, kind in chosen.items()})
    return [
        Task(
            document=name,
            source=found[name],
            out=out / folders[name],
            instance_kind=_instance_kind(kind, options),
            settings=_settings(found[name], kind, settings),
            options=options or BatchOptions(),
        )
        for name, kind in chosen.items()
    ]


def result_folders(stems: Mapping[str, str]) -> dict[str, str]:
    """A folder name for each document: its name without the ending.

    The ending is kept where two documents, or a document and a report, would have the same folder.
    """
    folders = dict(stems)
    while True:
        users = Counter([*OWN_FILES, *(folder.lower() for folder in folders.values())])
        shared = [name for name, folder in folders.items() if users[folder.lower()] > 1 and folder != name]
        if not shared:
            return folders
        folders |= {name: name for name in shared}


def _files(folder: Path, out: Path, recursive: bool, on_skipped: Callable[[str, str], object]) -> Iterator[Path]:
    """Every file except those that an export has written."""
    if not folder.is_dir():
        raise FileError(folder, "the folder does not exist", remedy="Check the path")

    def refused(error: OSError) -> None:
        if Path(error.filename) == folder:
            raise FileError(folder, f"the folder cannot be read ({error.strerror})", remedy="Check its permissions")
        on_skipped(str(error.filename), str(error.strerror))

    for parent, folders, files in os.walk(folder, onerror=refused):
        here = Path(parent)
        if here != folder and (MANIFEST in files or here.resolve() == out.resolve()):
            folders.clear()
            continue
        folders[:] = sorted(name for name in folders if recursive and not name.startswith(TEMPORARY))
        for name in files:
            if not _is_unicode(name):
                raise FileError(here / ascii(name), "the file name is not valid Unicode", remedy="Rename the file")
            if not name.startswith(TEMPORARY):
                yield here / name


def _is_unicode(name: str) -> bool:
    try:
        return bool(name.encode())
    except UnicodeEncodeError:
        return False


def _chosen_kind(name: str, pattern: str) -> DocumentKind | None:
    kind = kind_of(name)
    if kind is None or not (fnmatchcase(name.lower(), pattern.lower()) if pattern else kind.by_default):
        return None
    return kind


def _instance_kind(kind: DocumentKind, options: BatchOptions | None) -> str:
    is_attached = kind.instance_kind == "solidworks" and options is not None and options.attach
    return "attached" if is_attached else kind.instance_kind


def _stem(name: str, kind: DocumentKind) -> str:
    return name[: -len(kind.suffix)]


def _settings(path: Path, kind: DocumentKind, default: Path | None) -> Path | None:
    """The settings file beside a document, or else the default one."""
    beside = path.with_name(_stem(path.name, kind) + SETTINGS)
    return beside if is_file(beside) else default


def _remedy(pattern: str, recursive: bool) -> str:
    endings = ", ".join(kind.suffix for kind in KINDS if kind.by_default)
    expected = f"No document matches {pattern!r}" if pattern else f"Documents end in {endings}"
    return expected + ("" if recursive else "; use --recursive to search subfolders")
