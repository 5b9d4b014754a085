"""Meshes in a temporary file instead of in memory: those of a large assembly are a gigabyte."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping
from typing import Generic, TypeVar
from weakref import finalize

import msgspec

T = TypeVar("T")
IN_MEMORY = 16 << 20  # [bytes] up to which no file is needed


class Spool(Mapping[str, T], Generic[T]):
    """Values by name, decoded whenever they are asked for. The file has no name and ends with the object."""

    def __init__(self, kind: type[T]) -> None:
        self._decoder = msgspec.msgpack.Decoder(kind)
        self._file = tempfile.SpooledTemporaryFile(IN_MEMORY)  # noqa: SIM115 - it is closed with this object
        finalize(self, self._file.close)
        self._places: dict[str, tuple[int, int]] = {}
        self._end = 0

    def put(self, name: str, encoded: bytes) -> None:
        """Add a value, encoded as the cache has it."""
        self._file.seek(self._end)
        self._file.write(encoded)
        self._places[name] = self._end, len(encoded)
        self._end += len(encoded)

    def __getitem__(self, name: str) -> T:
        start, size = self._places[name]
        self._file.seek(start)
        return self._decoder.decode(self._file.read(size))

    def __iter__(self) -> Iterator[str]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)
