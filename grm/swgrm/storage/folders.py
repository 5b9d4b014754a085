"""Output folders: filled in a staging folder and then moved into place, without losing the user's own files.

One rule: the new files are always complete. A file of the user in their way, which swgrm did not write or which was
edited since, is renamed to NAME.bak. Files that a format declares the user's own stay; the new version is NAME.new.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import itertools
import re
import shutil
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from fnmatch import fnmatchcase
from pathlib import Path, PurePosixPath
from typing import NamedTuple

import msgspec

from swgrm.errors import FileError, system_reason
from swgrm.storage.files import clear_parts, write_bytes
from swgrm.storage.interrupts import deferred
from swgrm.storage.locks import locked

MANIFEST = ".swgrm.json"  # lists the files that swgrm wrote into the folder, with their hashes
LONGEST = 120  # [bytes] of a name, to which endings are added; systems allow 255
PATIENCE = 5.0  # [s] that an export waits for another one into the same folder
_STAGE = ".swgrm-part-"
_LOCK = ".swgrm.lock"
_RESERVED = re.compile(r"(con|prn|aux|nul|com[\d¹²³]|lpt[\d¹²³])(\.|$)", re.IGNORECASE)  # reserved names on Windows


class Manifest(msgspec.Struct, frozen=True, omit_defaults=True):
    """The files that swgrm wrote into a folder: SHA-256 by path relative to the folder."""

    files: dict[str, str]
    pending: dict[str, str] = {}  # those that a run is moving into the folder
    owner: str = ""  # what the files are made from: the name of the document


def safe_name(name: str) -> str:
    """A file name that is valid on every system and has no folder part; other characters become `_`."""
    safe = re.sub(r"[^\w.-]+", "_", name).strip("._").encode()[:LONGEST].decode(errors="ignore").rstrip("._") or "robot"
    return f"_{safe}" if _RESERVED.match(safe) else safe


@contextlib.contextmanager
def staged(folder: Path, *, force: bool = False, owner: str = "") -> Iterator[Path]:
    """Yields a staging folder; its files are moved into `folder` on success, and nothing changes on an exception.

    A file of the user in their way is renamed to NAME.bak first; with `force` it is replaced. A folder with the files
    of another owner, which this run would remove, is an error without `force`. So is one that another run fills.
    """
    with contextlib.ExitStack() as ending:
        try:
            with deferred():  # until what undoes these steps is registered
                ending.callback(_remove_empty, [each for each in (folder, *folder.parents) if not each.exists()])
                folder.mkdir(parents=True, exist_ok=True)
                if not ending.enter_context(locked(folder / _LOCK, PATIENCE)):
                    problem = "another export is writing into this folder"
                    raise FileError(folder, problem, remedy="Try again when it has ended")
                ending.callback(_clear_leftovers, folder)
                _clear_leftovers(folder)
                stage = Path(tempfile.mkdtemp(dir=folder, prefix=_STAGE))
        except OSError as error:
            raise FileError(folder, _why_not_a_folder(folder, error)) from error
        if not force:
            _check_owner(folder, owner)  # now that no other run can fill the folder
        try:
            yield stage
            _move_into_place(stage, folder, owner, force=force)
        except (OSError, FileError) as error:
            raise _as_placed(error, stage, folder) from error


def _check_owner(folder: Path, owner: str) -> None:
    """Raises FileError if a folder contains the files of another owner."""
    before = _read_manifest(folder).owner
    if "" not in (before, owner) and before != owner and any((folder / name).exists() for name in our_files(folder)):
        remedy = "Use another folder, remove this one, or use --force to replace it"
        raise FileError(folder, f"the folder contains the export of another robot, `{before}`", remedy=remedy)


def _as_placed(error: OSError | FileError, stage: Path, folder: Path) -> FileError:
    """The error with the name that the file was to get, instead of the one in the staging folder."""
    if isinstance(error, OSError):
        error = FileError(error.filename2 or error.filename or folder, f"it cannot be written: {system_reason(error)}")
    return FileError(error.path.replace(str(stage), str(folder)), error.problem, error.place, error.remedy)


def _remove_empty(folders: Iterable[Path]) -> None:
    """Removes the folders that are empty."""
    for each in folders:
        with contextlib.suppress(OSError):  # it contains something, or does not exist
            each.rmdir()


def _why_not_a_folder(folder: Path, error: OSError) -> str:
    problem = f"it cannot be written to: {system_reason(error)}"
    if error.errno == errno.ENAMETOOLONG:
        return problem
    if folder.is_symlink() and not folder.exists():
        return f"it is a link to {folder.readlink()}, which does not exist"
    if folder.is_file():
        return "it is a file, not a folder"
    return problem


class FilePlacement(NamedTuple):
    """How staged files get into a folder, by their names: beside the user's files, without losing one of them."""

    backups: Mapping[str, str]  # the user's files in the way, and the names that they get
    offered: Mapping[str, str]  # the files that stay as the user has them, and the names of the new versions
    same: frozenset[str]  # the files that the folder has already, with the same content


def placement(stage: Path, folder: Path, users_own: Iterable[str] = (), more: Iterable[str] = ()) -> FilePlacement:
    """The placement of the staged files; those to be offered are renamed to NAME.new in the stage.

    `users_own` are patterns of files that become the user's own once they are written; `more` are names of files that
    will be in the stage.
    """
    fresh, ours = _digests(stage), _unedited(folder)
    patterns = tuple(users_own)
    offered = {
        name: f"{name}.new"
        for name in _in_the_way(folder, fresh, ours)
        if name in fresh and any(fnmatchcase(name, each) for each in patterns)
    }
    for name, other in offered.items():
        (stage / name).replace(stage / other)
        fresh[other] = fresh.pop(name)
    users = _in_the_way(folder, fresh | dict.fromkeys(more, ""), ours)
    backups = {name: (folder / name).with_name(free_name(folder / name).name) for name in users}
    same = frozenset(name for name, content in fresh.items() if _content(folder / name) == content)
    return FilePlacement({name: path.relative_to(folder).as_posix() for name, path in backups.items()}, offered, same)


def _in_the_way(folder: Path, fresh: Mapping[str, str], ours: Mapping[str, str]) -> list[str]:
    """The user's files that the fresh ones would replace: those that swgrm did not write, or that were edited since."""
    found: dict[str, None] = {}
    for name, content in fresh.items():
        parents = [str(each) for each in reversed(PurePosixPath(name).parents[:-1])]
        file = next((each for each in parents if _exists(folder / each) and not (folder / each).is_dir()), name)
        if not _exists(folder / file) or file in ours:
            continue
        if (folder / file).is_dir():
            problem = "it is a folder, and a file of this name is to be written"
            raise FileError(folder / file, problem, remedy="Rename the folder")
        if file != name or _content(folder / file) != content:
            found[file] = None
    return list(found)


def free_name(path: Path) -> Path:
    """The first of NAME.bak, NAME.bak1, NAME.bak2 … that does not exist."""
    names = (path.with_name(f"{path.name}.bak{number or ''}") for number in itertools.count())
    return next(each for each in names if not _exists(each))


def _move_into_place(stage: Path, folder: Path, owner: str, *, force: bool) -> None:
    """Moves the files; the manifest has the old and the new hashes meanwhile, so that a killed run knows its files."""
    fresh, ours = _digests(stage), _unedited(folder)
    users = _in_the_way(folder, fresh, ours)
    _write_manifest(folder, Manifest(ours, fresh, owner))
    with _renamed(folder, users) as backups:
        _remove_outdated(folder, ours.keys() - fresh.keys())
        for name, content in fresh.items():
            if _content(folder / name) != content:  # unchanged files keep their time stamps
                (folder / name).parent.mkdir(parents=True, exist_ok=True)
                (stage / name).replace(folder / name)
    _write_manifest(folder, Manifest(fresh, owner=owner))
    for backup in backups if force else ():
        backup.unlink()


@contextlib.contextmanager
def _renamed(folder: Path, names: Iterable[str]) -> Iterator[list[Path]]:
    """Renames the user's files to NAME.bak; on an exception they get their names back, where those are free."""
    renamed: dict[Path, Path] = {}
    try:
        for path in (folder / name for name in names):
            renamed[path] = free_name(path)
            path.rename(renamed[path])
        yield list(renamed.values())
    except BaseException:
        for path, backup in renamed.items():
            if not _exists(path) and _exists(backup):
                backup.rename(path)
        raise


def _write_manifest(folder: Path, manifest: Manifest) -> None:
    write_bytes(folder / MANIFEST, msgspec.json.format(msgspec.json.encode(manifest), indent=1))


def _digests(folder: Path) -> dict[str, str]:
    """The hashes of all files below a folder, by their paths relative to it."""
    return {path.relative_to(folder).as_posix(): digest(path) for path in sorted(folder.rglob("*")) if path.is_file()}


def _content(path: Path) -> str:
    """The hash of a file; empty if there is none."""
    return digest(path) if path.is_file() else ""


def _exists(path: Path) -> bool:
    """Whether the name is taken, if only by a link that leads nowhere."""
    return path.exists() or path.is_symlink()


def _remove_outdated(folder: Path, names: Iterable[str]) -> None:
    """Removes files that an earlier run wrote and this run does not, and folders that become empty."""
    for name in names:
        (folder / name).unlink(missing_ok=True)  # on Windows, a name that differs in case is the same
        for parent in PurePosixPath(name).parents[:-1]:
            with contextlib.suppress(OSError):  # not empty: it contains other files
                (folder / parent).rmdir()


def our_files(folder: Path) -> dict[str, str]:
    """The files that the last complete run wrote into a folder, with their hashes at that time."""
    return _inside(folder, _read_manifest(folder).files)


def _unedited(folder: Path) -> dict[str, str]:
    """The files in a folder that are as swgrm wrote them, also in a run that was killed while it moved them."""
    manifest = _read_manifest(folder)
    written = [*_inside(folder, manifest.files).items(), *_inside(folder, manifest.pending).items()]
    return {name: content for name, content in written if content and _content(folder / name) == content}


def _read_manifest(folder: Path) -> Manifest:
    try:
        return msgspec.json.decode((folder / MANIFEST).read_bytes(), type=Manifest)
    except (OSError, msgspec.DecodeError):  # no manifest, or a damaged one: no file is known to be ours
        return Manifest({})


def _inside(folder: Path, files: Mapping[str, str]) -> dict[str, str]:
    """The files without those outside the folder, which a hostile manifest may name."""
    home = folder.resolve()
    return {name: digest for name, digest in files.items() if (home / name).resolve().is_relative_to(home)}


def _clear_leftovers(folder: Path) -> None:
    """Removes the staging folders and temporary files of killed runs."""
    for leftover in folder.glob(f"{_STAGE}*"):
        shutil.rmtree(leftover, ignore_errors=True)
    clear_parts(folder / MANIFEST)


def digest(path: Path) -> str:
    """The SHA-256 of a file as hexadecimal digits."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
