"""Output folders: filled in a staging folder and then moved into place, without touching the user's own files."""

from __future__ import annotations

import contextlib
import hashlib
import re
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import msgspec

from swgrm.errors import FileError
from swgrm.files import clear_parts, write_bytes

MANIFEST = ".swgrm.json"  # lists the files that swgrm wrote into the folder, with their hashes
_STAGE = ".swgrm-part-"
_RESERVED = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\.|$)", re.IGNORECASE)  # reserved names on Windows


class Manifest(msgspec.Struct, frozen=True):
    """The files that swgrm wrote into a folder: SHA-256 by path relative to the folder."""

    files: dict[str, str]


def safe_name(name: str) -> str:
    """Returns a file name that is valid on every system and has no folder part; other characters become `_`."""
    safe = re.sub(r"[^\w.-]+", "_", name).strip("._") or "robot"
    return f"_{safe}" if _RESERVED.match(safe) else safe[:120]


@contextlib.contextmanager
def staged(folder: Path) -> Iterator[Path]:
    """Yields a staging folder; its files are moved into `folder` on success, and nothing changes on an exception."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        _clear_leftovers(folder)
        stage = Path(tempfile.mkdtemp(dir=folder, prefix=_STAGE))
    except OSError as error:
        raise FileError(folder, f"it cannot be written to: {(error.strerror or str(error)).lower()}") from error
    try:
        yield stage
        _move_into_place(stage, folder)
    except OSError as error:
        raise FileError(folder, f"it cannot be written: {(error.strerror or str(error)).lower()}") from error
    finally:
        shutil.rmtree(stage, ignore_errors=True)


def _move_into_place(stage: Path, folder: Path) -> None:
    fresh = {path.relative_to(stage).as_posix(): path for path in sorted(stage.rglob("*")) if path.is_file()}
    manifest = Manifest({name: digest(path) for name, path in fresh.items()})
    _remove_outdated(folder, set(fresh))
    for name, path in fresh.items():
        if (folder / name).is_file() and digest(folder / name) == manifest.files[name]:
            continue  # unchanged files keep their time stamps
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        path.replace(folder / name)
    write_bytes(folder / MANIFEST, msgspec.json.format(msgspec.json.encode(manifest), indent=1))


def _remove_outdated(folder: Path, fresh: set[str]) -> None:
    """Removes files that an earlier run wrote and this run does not, except those that were changed since."""
    for name, written in our_files(folder).items():
        path = folder / name
        if name not in fresh and path.is_file() and digest(path) == written:
            path.unlink()
            for parent in path.relative_to(folder).parents[:-1]:
                with contextlib.suppress(OSError):  # not empty: it contains other files
                    (folder / parent).rmdir()


def our_files(folder: Path) -> dict[str, str]:
    """Returns the files that an earlier run wrote into a folder, with their hashes at that time."""
    try:
        files = msgspec.json.decode((folder / MANIFEST).read_bytes(), type=Manifest).files
    except (OSError, msgspec.DecodeError):  # no manifest, or a damaged one: no file is known to be ours
        return {}
    home = folder.resolve()
    return {name: digest for name, digest in files.items() if (home / name).resolve().is_relative_to(home)}


def _clear_leftovers(folder: Path) -> None:
    """Removes the staging folders and temporary files of killed runs."""
    for leftover in folder.glob(f"{_STAGE}*"):
        shutil.rmtree(leftover, ignore_errors=True)
    clear_parts(folder / MANIFEST)


def digest(path: Path) -> str:
    """Returns the SHA-256 of a file as hexadecimal digits."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
