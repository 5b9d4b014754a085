"""Results stored by the hash of everything they depend on, so that nothing is made twice."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

from swgrm.errors import FileError
from swgrm.files import write_bytes

VERSION = b"3"  # of what processing makes; raised when the same input gives other results


def key(*parts: bytes | str) -> str:
    """The hash of an input and its options; length-prefixed, so that ("ab", "c") and ("a", "bc") differ."""
    digest = hashlib.sha256(VERSION)
    for part in parts:
        data = part.encode() if isinstance(part, str) else part
        digest.update(len(data).to_bytes(8, "little"))
        digest.update(data)
    return digest.hexdigest()


def default_folder() -> Path:
    """Where a user's results are kept: SWGRM_CACHE, or the system's place for caches."""
    if given := os.environ.get("SWGRM_CACHE"):
        return Path(given)
    base = os.environ.get("LOCALAPPDATA") or os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "swgrm" / "meshes"


class Cache:
    """A folder of results; one that cannot be read or written is not used."""

    def __init__(self, folder: Path | None) -> None:
        self.folder = folder
        self.hits = self.misses = 0

    def get(self, name: str) -> bytes | None:
        """The result of that hash, or None if it is missing or damaged."""
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
        return data[32:] if hashlib.sha256(data[32:]).digest() == data[:32] else None

    def put(self, name: str, data: bytes) -> None:
        """Store a result with its own hash."""
        if self.folder is not None:
            try:
                write_bytes(self.folder / name[:2] / name, hashlib.sha256(data).digest() + data)
            except FileError:
                self.folder = None  # a full or read-only disk: go on without
