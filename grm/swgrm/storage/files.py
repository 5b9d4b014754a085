"""Reading and writing files: errors name the file and the remedy, and a file is replaced as a whole or not at all."""

from __future__ import annotations

import glob
import os
import stat
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path, PurePath
from typing import BinaryIO

from swgrm.errors import FileError, system_reason

LARGEST = 1 << 30  # [bytes] the largest file that is read into memory
WRITABLE = stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH


def read_bytes(path: Path | str, *, largest: int = LARGEST) -> bytes:
    """The content of a file; raises FileError if it cannot be read or is larger than `largest` bytes."""
    with reading(path, largest=largest) as file:
        return file.read()


@contextmanager
def reading(path: Path | str, *, largest: int = LARGEST) -> Iterator[BinaryIO]:
    """The open file; raises FileError as `read_bytes` does, also for errors of reading in the block."""
    path = Path(path)
    if "\0" in str(path):
        raise FileError(str(path).replace("\0", "?"), "no file can have such a name", remedy="Check the path")
    try:
        check_not_folder(path)
        if path.exists() and not path.is_file():
            raise FileError(path, "it is a device or a pipe, not a file", remedy="Name a file")
        size = path.stat().st_size
        if size > largest:
            raise FileError(path, f"it is too large: {size:,} bytes, and the limit is {largest:,} bytes")
        with path.open("rb") as file:
            yield file
    except OSError as error:
        raise FileError(path, system_reason(error), remedy="Check the path and the permissions") from error


def is_file(path: Path) -> bool:
    """Whether there is a file; False, too, if its name is impossible or its folder may not be read."""
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


def leaves_machine(path: PurePath, home: PurePath) -> bool:
    """Whether a path of a file of somebody else is on another machine, unless that file is there itself.

    Windows sends the user's credentials to the server of such a path (two separators, server, share) as soon as it is
    asked whether there is a file. `home` is the file or folder that the path is named in.
    """
    share = _share(path)
    return bool(share) and share != _share(home)


def _share(path: PurePath) -> str:
    """The server and share that a path begins with, in lower case; empty if it begins otherwise."""
    text = str(path).replace("/", "\\")
    if not text.startswith("\\\\"):
        return ""
    server, _, rest = text.lstrip("\\").partition("\\")
    return f"{server}\\{rest.partition(chr(92))[0]}".casefold()


def check_not_folder(path: Path) -> None:
    """Raises FileError if a folder is named where a file is expected."""
    if path.is_dir():
        raise FileError(path, "it is a folder, not a file", remedy="Name a file in it")


def check_new(path: Path) -> None:
    """Raises FileError if the name is taken."""
    check_not_folder(path)
    if path.exists() or path.is_symlink():
        raise FileError(path, "the file exists", remedy="Use another name, or --force to replace it")


def unused(stem: str, suffix: str) -> Path:
    """A name in the current folder that is not taken: the stem, with a number if needed."""
    numbers = ["", *(f"-{number}" for number in range(2, 1000))]
    return next(file for number in numbers if not (file := Path(f"{stem}{number}{suffix}")).exists())


def write_bytes(path: Path | str, data: bytes, *, durable: bool = True) -> None:
    """Writes a file atomically: to a temporary file in the same folder, flushed to disk, then renamed.

    Without `durable`, it is not flushed: if the machine loses power, the file may be damaged.
    """
    with writing(path, durable=durable) as file:
        file.write(data)


class ChangedMeanwhile(FileError):
    """Raised when another program has changed a file while its new content was computed."""

    def __init__(self, path: Path | str) -> None:
        super().__init__(path, "another program has changed it in the same moment", remedy="Try again")

    def __reduce__(self) -> tuple[type[ChangedMeanwhile], tuple[str]]:
        return type(self), (self.path,)  # pickle calls the class with the path alone


def content(path: Path) -> bytes | None:
    """The content of a file; None if there is none."""
    return read_bytes(path) if path.exists() else None


def update_bytes(path: Path, data: bytes | None, *, before: bytes | None) -> None:
    """Write a file of the user, such as settings, whose content was `before`; None: there is no file, or shall be none.

    A link stays a link, permissions stay, and a read-only file is refused. If another program has written the file
    meanwhile, it stays, and ChangedMeanwhile is raised.
    """

    def check() -> None:
        if content(path) != before:
            raise ChangedMeanwhile(path)

    target = path.resolve() if path.is_symlink() else path
    permissions = stat.S_IMODE(target.stat().st_mode) if target.exists() else None
    if permissions is not None and not permissions & WRITABLE:
        raise FileError(path, "it is read-only", remedy="Allow writing, or name another file")
    if data is None:
        check()
        with write_errors(path):
            path.unlink(missing_ok=True)
        return
    with writing(target, permissions=permissions, check=check) as file:
        file.write(data)


@contextmanager
def writing(
    path: Path | str, *, durable: bool = True, permissions: int | None = None, check: Callable[[], None] | None = None
) -> Iterator[BinaryIO]:
    """A stream whose bytes become the file at the end of the block, as `write_bytes` writes it.

    It gets the permissions that the user gives to new files, or the given ones; `check` is called last, and may raise.
    """
    path = Path(path)
    temporary = None
    try:
        with write_errors(path):
            path.parent.mkdir(parents=True, exist_ok=True)
            handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name[:40]}.", suffix=".part")
            with os.fdopen(handle, "w+b") as file:
                yield file
                file.flush()
                if durable:
                    os.fsync(file.fileno())
            Path(temporary).chmod(_usual_permissions() if permissions is None else permissions)
            if check is not None:
                check()
            Path(temporary).replace(path)
    finally:
        if temporary is not None:
            Path(temporary).unlink(missing_ok=True)


@contextmanager
def write_errors(path: Path | str) -> Iterator[None]:
    """A context in which an error of the operating system is a FileError about writing this file."""
    try:
        yield
    except OSError as error:
        raise FileError(path, f"it cannot be written: {system_reason(error)}") from error


def clear_parts(path: Path | str) -> None:
    """Removes temporary files that killed processes left next to a file."""
    path = Path(path)
    for part in path.parent.glob(f".{glob.escape(path.name[:40])}.*.part"):
        part.unlink(missing_ok=True)


def decode_utf8(path: Path | str, data: bytes) -> str:
    """Decodes UTF-8 with or without a byte order mark; raises FileError that names the first invalid byte."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise FileError(path, "it is not UTF-8 text", place=f"byte {error.start}", remedy="Save it as UTF-8") from error


def _usual_permissions() -> int:
    """The permissions that the user's umask gives to new files; temporary files are created private."""
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
