"""Results stored by the hash of everything they depend on, so that nothing is made twice."""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import time
from collections.abc import Callable
from pathlib import Path

import msgspec

from swgrm import __version__
from swgrm.errors import FileError
from swgrm.storage.files import write_bytes
from swgrm.typevars import T

VERSION = b"16"  # of the processing; increased when the same input gives other results

DAY = 86_400.0  # [s]
UNUSED = 60 * DAY  # [s] after which a result is removed
_ENTRY = re.compile(r"[0-9a-f]{64}|\.[0-9a-f]{40}\.\w+\.part")  # a result, or what a killed process wrote of one
_TIDIED = "tidied"  # a file whose time is that of the last search for unused results


def key(*parts: bytes | str) -> str:
    """The hash of several inputs; each is length-prefixed, so that ("ab", "c") and ("a", "bc") differ."""
    digest = hashlib.sha256(VERSION + __version__.encode())  # another release may store other records and findings
    for part in parts:
        data = part.encode() if isinstance(part, str) else part
        digest.update(len(data).to_bytes(8, "little"))
        digest.update(data)
    return digest.hexdigest()


def default_folder() -> Path:
    """The user's cache folder: SWGRM_CACHE, or a folder in the system's cache directory."""
    if given := os.environ.get("SWGRM_CACHE"):
        return Path(given)
    base = os.environ.get("LOCALAPPDATA") or os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "swgrm" / "meshes"


class Cache:
    """A folder of results; one that cannot be read or written is not used."""

    def __init__(self, folder: Path | None) -> None:
        self.folder = folder
        self._is_tidy = False
        self.hits = self.misses = 0

    def get(self, name: str) -> bytes | None:
        """The result with a hash, or None if it is missing or damaged."""
        data = self._read(name)
        self.hits, self.misses = self.hits + (data is not None), self.misses + (data is None)
        return data

    def _read(self, name: str) -> bytes | None:
        if self.folder is None:
            return None
        try:
            data = (self.folder / name[:2] / name).read_bytes()
        except OSError:
            return None
        with contextlib.suppress(OSError):  # a folder of another user
            os.utime(self.folder / name[:2] / name)
        return data[32:] if _checksum(name, data[32:]) == data[:32] else None

    def load(self, name: str, kind: type[T]) -> T | None:
        """The value that was encoded as a result; None, too, if another build has stored something else there."""
        data = self.get(name)
        try:
            return None if data is None else msgspec.msgpack.decode(data, type=kind)
        except (msgspec.DecodeError, ValueError):
            self.hits, self.misses = self.hits - 1, self.misses + 1
            return None

    def kept(self, name: str, kind: type[T], make: Callable[[], T]) -> T:
        """The value with a hash; if the cache does not have it, it is made and stored."""
        value = self.load(name, kind)
        if value is None:
            value = make()
            self.put(name, msgspec.msgpack.encode(value))
        return value

    def put(self, name: str, data: bytes) -> None:
        """Stores a result, preceded by the SHA-256 of its name and content."""
        if self.folder is not None:
            self._tidy(self.folder)
            try:
                write_bytes(self.folder / name[:2] / name, _checksum(name, data) + data, durable=False)
            except FileError:
                self.folder = None  # a full or read-only disk: continue without a cache

    def _tidy(self, folder: Path) -> None:
        """Remove what was not used for a long time, once a day; other files of the folder stay."""
        if self._is_tidy:
            return
        self._is_tidy, now = True, time.time()
        with contextlib.suppress(OSError):  # a folder of another user
            if (folder / _TIDIED).exists() and now - (folder / _TIDIED).stat().st_mtime < DAY:
                return
            folder.mkdir(parents=True, exist_ok=True)
            (folder / _TIDIED).touch()
            for entry in folder.glob("[0-9a-f][0-9a-f]/*"):
                with contextlib.suppress(OSError):  # on Windows, one that another process reads
                    if _ENTRY.fullmatch(entry.name) and now - entry.stat().st_mtime > UNUSED:
                        entry.unlink()


def _checksum(name: str, data: bytes) -> bytes:
    """The SHA-256 of a result and its name, so that a result under another name is not taken for it."""
    return hashlib.sha256(name.encode() + data).digest()
