"""Results stored by the hash of everything they depend on, so that nothing is made twice."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

from swgrm.errors import FileError
from swgrm.files import write_bytes

VERSION = b"5"  # of the processing; increased when the same input gives other results


def key(*parts: bytes | str) -> str:
    """Returns the hash of several inputs; each is length-prefixed, so that ("ab", "c") and ("a", "bc") differ."""
    digest = hashlib.sha256(VERSION)
    for part in parts:
        data = part.encode() if isinstance(part, str) else part
        digest.update(len(data).to_bytes(8, "little"))
        digest.update(data)
    return digest.hexdigest()


def default_folder() -> Path:
    """Returns the user's cache folder: SWGRM_CACHE, or a folder in the system's cache directory."""
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
        """Returns the result with a hash, or None if it is missing or damaged."""
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
        """Stores a result, preceded by the SHA-256 of its content."""
        if self.folder is not None:
            try:
                write_bytes(self.folder / name[:2] / name, hashlib.sha256(data).digest() + data)
            except FileError:
                self.folder = None  # a full or read-only disk: continue without a cache
