"""Results of mesh jobs in a temporary file: as they were put, and not in memory."""

from __future__ import annotations

import tracemalloc

import msgspec
import pytest

from swgrm.meshes.making import MeshFile, MeshResult
from swgrm.meshes.spool import IN_MEMORY, Spool


def result(number: int, size: int = 10) -> MeshResult:
    return MeshResult(
        [MeshFile(bytes([number]) * size, [])], [MeshFile(b"hull", [])], [], [f"problem {number}"], number
    )


def test_results_are_as_they_were_put() -> None:
    spool = Spool(MeshResult)
    for number in (3, 1, 2):
        spool.put(str(number), msgspec.msgpack.encode(result(number)))
        assert spool[str(number)] == result(number)
    assert list(spool) == ["3", "1", "2"]
    assert len(spool) == 3
    assert {name: spool[name] for name in spool} == {name: result(int(name)) for name in "312"}
    with pytest.raises(KeyError):
        spool["4"]


def test_many_results_are_not_kept_in_memory() -> None:
    spool, size = Spool(MeshResult), 1 << 20
    count = 4 * IN_MEMORY // size
    tracemalloc.start()
    for number in range(count):
        spool.put(str(number), msgspec.msgpack.encode(result(number, size)))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 3 * IN_MEMORY
    assert all(spool[str(number)] == result(number, size) for number in range(count))
