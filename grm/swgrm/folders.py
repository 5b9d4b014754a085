"""Folders of results: filled beside their place and moved in; what was ours and outdated goes, the rest stays."""

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

MANIFEST = ".swgrm.json"  # which files of the folder are ours, with the hashes of what we wrote
_STAGE = ".swgrm-part-"
_RESERVED = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\.|$)", re.IGNORECASE)  # names that Windows keeps for itself


class Manifest(msgspec.Struct, frozen=True):
    """The files that we wrote into a folder, by their paths within it, with their SHA-256."""

    files: dict[str, str]


def safe_name(name: str) -> str:
    """A file name that any system takes and that stays in its folder: other characters become underscores."""
    safe = re.sub(r"[^\w.-]+", "_", name).strip("._") or "robot"
    return f"_{safe}" if _RESERVED.match(safe) else safe[:120]


@contextlib.contextmanager
def staged(folder: Path) -> Iterator[Path]:
    """A folder to write into; when all went well its files are put into the real one, else nothing has changed."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        _clear_leftovers(folder)
        stage = Path(tempfile.mkdtemp(dir=folder, prefix=_STAGE))
    except OSError as error:
        raise FileError(folder, f"it cannot be written to: {(error.strerror or str(error)).lower()}") from error
    try:
        yield stage
        _move_in(stage, folder)
    except OSError as error:
        raise FileError(folder, f"it cannot be written: {(error.strerror or str(error)).lower()}") from error
    finally:
        shutil.rmtree(stage, ignore_errors=True)


def _move_in(stage: Path, folder: Path) -> None:
    fresh = {path.relative_to(stage).as_posix(): path for path in sorted(stage.rglob("*")) if path.is_file()}
    manifest = Manifest({name: digest(path) for name, path in fresh.items()})
    _remove_outdated(folder, set(fresh))
    for name, path in fresh.items():
        if (folder / name).is_file() and digest(folder / name) == manifest.files[name]:
            continue  # what did not change is not touched
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        path.replace(folder / name)
    write_bytes(folder / MANIFEST, msgspec.json.format(msgspec.json.encode(manifest), indent=1))


def _remove_outdated(folder: Path, fresh: set[str]) -> None:
    """Remove what an earlier run wrote and this one does not, unless it was changed since: then it is the user's."""
    for name, written in our_files(folder).items():
        path = folder / name
        if name not in fresh and path.is_file() and digest(path) == written:
            path.unlink()
            for parent in path.relative_to(folder).parents[:-1]:
                with contextlib.suppress(OSError):  # not empty: it holds something else
                    (folder / parent).rmdir()


def our_files(folder: Path) -> dict[str, str]:
    """The files that an earlier run put into a folder, with the hashes of what it wrote."""
    try:
        files = msgspec.json.decode((folder / MANIFEST).read_bytes(), type=Manifest).files
    except (OSError, msgspec.DecodeError):  # none, or not ours: then nothing is known to be ours
        return {}
    home = folder.resolve()
    return {name: digest for name, digest in files.items() if (home / name).resolve().is_relative_to(home)}


def _clear_leftovers(folder: Path) -> None:
    """Remove what a run that was killed left behind."""
    for leftover in folder.glob(f"{_STAGE}*"):
        shutil.rmtree(leftover, ignore_errors=True)
    clear_parts(folder / MANIFEST)


def digest(path: Path) -> str:
    """The SHA-256 of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
