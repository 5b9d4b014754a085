"""Files on disk: read with a clear error, written beside and then put in place, never half."""

from __future__ import annotations

import glob
import os
import tempfile
from pathlib import Path

from swgrm.errors import FileError

LARGEST = 1 << 30  # [bytes] what we agree to read into memory


def read_bytes(path: Path | str, *, largest: int = LARGEST) -> bytes:
    """The content of a file, or a FileError that says why there is none."""
    path = Path(path)
    try:
        if path.is_dir():
            raise FileError(path, "this is a folder", remedy="Name a file in it")
        size = path.stat().st_size
        if size > largest:
            raise FileError(path, f"it is larger ({size:,} bytes) than the {largest:,} that are read")
        return path.read_bytes()
    except OSError as error:
        raise FileError(path, _reason(error), remedy="Check the path and the permissions") from error


def write_bytes(path: Path | str, data: bytes) -> None:
    """Put data into a file whole: written beside it, flushed to disk, then moved into place."""
    path = Path(path)
    beside = None
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, beside = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name[:40]}.", suffix=".part")
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        _give_usual_mode(beside)
        Path(beside).replace(path)
    except OSError as error:
        raise FileError(path, f"it cannot be written: {_reason(error)}") from error
    finally:
        if beside is not None:
            Path(beside).unlink(missing_ok=True)


def clear_parts(path: Path | str) -> None:
    """Remove what was left beside a file when its writers were killed."""
    path = Path(path)
    for part in path.parent.glob(f".{glob.escape(path.name[:40])}.*.part"):
        part.unlink(missing_ok=True)


def decode_utf8(path: Path | str, data: bytes) -> str:
    """The text of a UTF-8 file (a byte order mark is accepted), or a FileError at the wrong byte."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise FileError(path, "it is not UTF-8 text", place=f"byte {error.start}", remedy="Save it as UTF-8") from error


def _reason(error: OSError) -> str:
    return (error.strerror or str(error)).lower()


def _give_usual_mode(path: str) -> None:
    """Temporary files are private; the user's umask decides what the final one is."""
    mask = os.umask(0)
    os.umask(mask)
    Path(path).chmod(0o666 & ~mask)
