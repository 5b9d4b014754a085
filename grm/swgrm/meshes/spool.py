"""Results of mesh jobs in a temporary file instead of in memory: those of a large assembly are a gigabyte."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping
from weakref import finalize

import msgspec

from swgrm.meshes.making import MeshResult

IN_MEMORY = 16 << 20  # [bytes] up to which no file is needed


class Spool(Mapping[str, MeshResult]):
    """Results by name, decoded whenever they are asked for. The file has no name and ends with the object."""

    def __init__(self) -> None:
        self._file = tempfile.SpooledTemporaryFile(IN_MEMORY)  # noqa: SIM115 - it is closed with this object
        finalize(self, self._file.close)
        self._places: dict[str, tuple[int, int]] = {}
        self._end = 0

    def put(self, name: str, encoded: bytes) -> None:
        """Add a result, encoded as the cache has it."""
        self._file.seek(self._end)
        self._file.write(encoded)
        self._places[name] = self._end, len(encoded)
        self._end += len(encoded)

    def __getitem__(self, name: str) -> MeshResult:
        start, size = self._places[name]
        self._file.seek(start)
        return msgspec.msgpack.decode(self._file.read(size), type=MeshResult)

    def __iter__(self) -> Iterator[str]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)
