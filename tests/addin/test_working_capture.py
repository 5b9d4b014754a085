"""Reading a document for a subprocess: the file is the capture, and the memory that it needs is bounded."""

from __future__ import annotations

import gc
import tracemalloc
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

from swgrm.capture import Capture, Face, PartBody, encode, load, save_streamed
from swgrm_addin.inside.working_capture import WorkingFolder, read_for_subprocess
from swgrm_addin.port import Port
from swgrm_addin.reader import Request, read
from swgrm_mocks.builder import Assembly, Part, pose
from swgrm_mocks.samples import SAMPLES, sample
from swgrm_mocks.solids import box
from swgrm_mocks.solidworks import MemoryTransport, MockSolidWorks

FACES, TRIANGLES = 10, 100  # of each part; triangles of each face


def application(capture: Capture) -> Any:
    return Port(MemoryTransport()).wrap(MockSolidWorks(capture).application, "ISldWorks")


def heavy(parts: int) -> Capture:
    """Different parts, all with the same triangles, so that the mock itself needs no memory for them."""
    assembly = Assembly("heavy")
    for number in range(parts):
        assembly.part(Part(f"part{number}", box(0.1, 0.1, 0.1)), pose(x=number))
    capture = assembly.capture()
    data = np.arange(9 * FACES * TRIANGLES, dtype="<f4").tobytes()
    body = PartBody("body", 0, faces=tuple(Face(TRIANGLES) for _ in range(FACES)))
    return replace(capture, shapes=tuple(replace(s, bodies=(body,), triangles=data) for s in capture.shapes))


def peak(action: Any) -> int:
    """The largest memory [bytes] that an action allocated at once."""
    gc.collect()
    tracemalloc.start()
    try:
        action()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("name", SAMPLES)
def test_the_file_is_the_capture_that_the_command_writes(name: str, tmp_path: Path) -> None:
    reading = read_for_subprocess(application(sample(name)), Request(), None, tmp_path / "work")
    expected = read(application(sample(name)))
    assert load(reading.file) == expected.value
    assert reading.findings == expected.findings
    save_streamed(reading.file, tmp_path / "saved.swcap")
    assert (tmp_path / "saved.swcap").read_bytes() == encode(expected.value)


def test_a_further_part_needs_no_memory_for_its_triangles(tmp_path: Path) -> None:
    parts = (10, 40)
    needed = Counter[str]()
    for sign, count in zip((-1, 1), parts, strict=True):
        capture = heavy(count)
        mocked, kept = application(capture), application(capture)
        needed["file"] += sign * peak(lambda m=mocked: read_for_subprocess(m, Request(), None, tmp_path))
        needed["memory"] += sign * peak(lambda m=kept: read(m))
    added = (parts[1] - parts[0]) * FACES * TRIANGLES
    assert needed["memory"] - needed["file"] > 0.9 * 36 * added
    assert needed["file"] < 18 * added  # [bytes]: records, and what the mock keeps of its calls


def test_the_times_and_the_calls_are_measured(tmp_path: Path) -> None:
    mocked = application(sample("four_bar"))
    first = read_for_subprocess(mocked, Request(), None, tmp_path)
    second = read_for_subprocess(mocked, Request(), None, tmp_path)
    assert first.held.calls == second.held.calls == mocked.port.calls.total() / 2
    assert first.held.reading > 0
    assert first.held.saving > 0


def test_a_folder_is_removed_once_nothing_uses_it(tmp_path: Path) -> None:
    folder = WorkingFolder.below(tmp_path)
    path = folder.path
    assert path.is_dir()
    del folder
    assert not path.exists()
