"""In SolidWorks: how long its thread is held for reading and saving, and the memory for many triangles.

The times are those of swgrm alone: the calls are answered from a recording of the mock's answers. Memory is the peak of
a process of its own. SWGRM_FULL=1 adds 5,000 parts with 10 million triangles. Figures of growth are exponents: 1 is
linear.
"""

from __future__ import annotations

import math
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from time import process_time
from typing import Any
from unittest.mock import patch

import msgspec
import numpy as np
from msgspec.structs import replace

from swgrm.capture import Capture, CaptureStream
from swgrm.capture.records import Face, PartBody
from swgrm.solidworks.api_slice import Member
from swgrm_addin.inside.working_capture import HeldTime, read_for_subprocess
from swgrm_addin.port import Port
from swgrm_addin.reader import Request, read
from swgrm_mocks.solidworks import MemoryTransport, MockSolidWorks
from tests.bench.bench_end_to_end import Size, machine
from tests.bench.bench_reader import chain
from tests.bench.measure import peak_memory, row
from tests.full import IS_FULL

SIZES = (100, 1_000, 5_000)  # components of ten parts
PARTS = (50, 5_000) if IS_FULL else (50,)
FACES, TRIANGLES = 10, 2_000  # of each part
RUNS = 3


class Recording:
    """A transport to the mock that records what it answers."""

    def __init__(self) -> None:
        self.mock, self.answers = MemoryTransport(), []  # type: tuple[MemoryTransport, list[Any]]

    def invoke(self, target: Any, member: Member, args: tuple[Any, ...]) -> Any:
        """The mock's answer."""
        self.answers.append(self.mock.invoke(target, member, args))
        return self.answers[-1]

    def query(self, target: Any, interface: str) -> Any:
        """The mock's object."""
        self.answers.append(self.mock.query(target, interface))
        return self.answers[-1]

    def release(self) -> None:
        """Nothing."""


class Replay(Recording):
    """A transport that gives the recorded answers again, which costs nearly nothing."""

    def __init__(self, answers: list[Any]) -> None:
        self._next = iter(answers).__next__

    def invoke(self, target: Any, member: Member, args: tuple[Any, ...]) -> Any:  # noqa: ARG002 - the recording knows
        """The next answer."""
        return self._next()

    def query(self, target: Any, interface: str) -> Any:  # noqa: ARG002 - the recording knows
        """The next answer."""
        return self._next()


def with_triangles(capture: Capture) -> Capture:
    """The capture with many triangles in each part; they are the same, so that the mock needs no memory for them."""
    body = PartBody("body", 0, faces=tuple(Face(TRIANGLES // FACES) for _ in range(FACES)))
    data = np.sin(np.arange(9 * TRIANGLES)).astype("<f4").tobytes()
    return replace(capture, shapes=tuple(replace(s, bodies=(body,), triangles=data) for s in capture.shapes))


def held(components: int) -> HeldTime:
    """The least times of several runs."""
    raw = MockSolidWorks(with_triangles(chain(components))).application
    recording = Recording()
    read(Port(recording).wrap(raw, "ISldWorks"))

    def application() -> Any:
        return Port(Replay(recording.answers)).wrap(raw, "ISldWorks")

    clocks = ("swgrm.capture.stream.perf_counter", "swgrm_addin.inside.working_capture.perf_counter")
    with patch(clocks[0], process_time), patch(clocks[1], process_time):  # which a busy machine disturbs least
        return min(_runs(application), key=lambda each: each.reading + each.saving)


def _runs(application: Any) -> Iterator[HeldTime]:
    for _ in range(RUNS):
        with tempfile.TemporaryDirectory() as folder:
            reading = read_for_subprocess(application(), Request(), None, Path(folder))
            yield reading.held
            reading.folder.remove()


def times() -> None:
    """Print what holds SolidWorks as assemblies grow."""
    row("components (10 parts)", "calls", "per component", "reading", "µs per call", "saving", "growth")
    before: tuple[int, float] | None = None
    for size in SIZES:
        found = held(size)
        total = found.reading + found.saving
        growth = f"{math.log(total / before[1]) / math.log(size / before[0]):.2f}" if before else ""
        before = size, total
        row(
            f"{size:,}", f"{found.calls:,}", f"{found.calls / size:.1f}", f"{found.reading:.3f} s",
            f"{1e6 * found.reading / found.calls:.2f}", f"{found.saving:.3f} s", growth,
        )  # fmt: skip


class Peak(msgspec.Struct):
    """The memory of a process [MiB]: before its work, and its peak."""

    before: float
    peak: float


def host(parts: int, folder: Path) -> None:
    """In a process of its own: read parts from the mock into a file, as the add-in does, and print the memory."""
    port = Port(MemoryTransport())
    application = port.wrap(MockSolidWorks(with_triangles(chain(parts, parts, mated=False))).application, "ISldWorks")
    before = peak_memory()
    read_for_subprocess(application, Request(), None, folder)
    _print(Peak(before, peak_memory()))


def machine_of(parts: int, file: Path) -> None:
    """Write the capture of a machine whose parts are different balls."""
    given = machine(Size(parts, parts, 0))
    body = PartBody("ball", 0, faces=(Face(TRIANGLES),))
    shapes = tuple(replace(shape, bodies=(body,), triangles=b"") for shape in given.shapes)
    with CaptureStream(file) as stream:
        for number, shape in enumerate(shapes):
            stream.keep((shape.path, shape.configuration, shape.variant), [ball(number).tobytes()])
        stream.finish(replace(given, shapes=shapes))


def ball(number: int, around: int = 40, along: int = 26) -> np.ndarray:
    """A closed ball with waves, 10 cm across, of `2 * around * (along - 1)` triangles."""
    latitude, longitude = np.linspace(0, np.pi, along + 1), np.linspace(0, 2 * np.pi, around, endpoint=False)
    radius = 0.05 * (1 + 0.1 * np.sin((number % 97 + 3) * np.cos(latitude))) * (1 + number * 1e-5)
    circle = np.stack([np.cos(longitude), np.sin(longitude), np.ones(around)], axis=-1)
    profile = np.stack([np.sin(latitude), np.sin(latitude), np.cos(latitude)], axis=-1) * radius[:, None]
    points = profile[:, None] * circle
    points[[0, -1], :, :2] = 0.0  # the poles
    above, below = points[:-1], points[1:]
    next_above, next_below = np.roll(above, -1, axis=1), np.roll(below, -1, axis=1)
    first = np.stack([above, below, next_below], axis=-2)[:-1]
    second = np.stack([above, next_below, next_above], axis=-2)[1:]
    return np.concatenate([first.reshape(-1, 3, 3), second.reshape(-1, 3, 3)]).astype("<f4")


def export(file: Path, out: Path) -> None:
    """In a process of its own: export a capture in the default formats, as the add-in's subprocess does."""
    from swgrm_addin import pipeline

    before = peak_memory()
    pipeline.export(str(file), out)
    _print(Peak(before, peak_memory()))


def _print(found: Peak) -> None:
    sys.stdout.write(msgspec.json.encode(found).decode())


def _in_process(step: str, *arguments: object, folder: Path) -> Peak:
    command = [sys.executable, "-m", "tests.bench.bench_host", step, *map(str, arguments)]
    variables = {**os.environ, "SWGRM_CACHE": str(folder / "cache")}
    done = subprocess.run(command, env=variables, stdout=subprocess.PIPE, check=True)
    return msgspec.json.decode(done.stdout, type=Peak)


def memory() -> None:
    """Print the peaks of the host and of the subprocess that exports."""
    row("parts, triangles", "before reading", "host's peak", "B per triangle", "export's peak")
    for parts in PARTS:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            read_by = _in_process("host", parts, folder, folder=folder)
            machine_of(parts, folder / "machine.swcap")
            made_by = _in_process("export", folder / "machine.swcap", folder / "out", folder=folder)
            added = (read_by.peak - read_by.before) * 2**20 / parts / TRIANGLES
            row(
                f"{parts:,}, {parts * TRIANGLES:,}", f"{read_by.before:.0f} MB", f"{read_by.peak:.0f} MB",
                f"{added:.1f}", f"{made_by.peak:.0f} MB",
            )  # fmt: skip


def run() -> None:
    """Print both tables."""
    times()
    memory()


if __name__ == "__main__":
    if sys.argv[1] == "host":
        host(int(sys.argv[2]), Path(sys.argv[3]))
    else:
        export(Path(sys.argv[2]), Path(sys.argv[3]))
