"""Reading SolidWorks: calls per component, per mate and per unique part, as assemblies grow.

A call costs about 1.5 µs in process and about a thousand times that from outside, so the counts are what matters.
"""

from __future__ import annotations

from collections import Counter
from time import perf_counter

from swgrm.capture import Capture
from swgrm_addin.port import Port
from swgrm_addin.reader import read
from swgrm_mocks.builder import Assembly, Part, pose
from swgrm_mocks.mates import plane, shaft
from swgrm_mocks.solids import box
from swgrm_mocks.solidworks import MemoryTransport, MockSolidWorks
from tests.bench.measure import row

PARTS = 10
AXIS = (0.0, 0.0, 1.0)


def chain(components: int) -> Capture:
    """Instances of ten parts, each hinged to the one before it."""
    assembly = Assembly("chain")
    parts = [Part(f"part{n}", box(0.1, 0.1, 0.1, 0.01)) for n in range(PARTS)]
    before = assembly.part(parts[0]).fixed()
    for number in range(1, components):
        after = assembly.part(parts[number % PARTS], pose(z=0.1 * number))
        assembly.concentric(before.at(shaft((0, 0, 0), AXIS, 0.01)), after.at(shaft((0, 0, 0), AXIS, 0.01)))
        assembly.coincident(before.at(plane((0, 0, 0.05), AXIS)), after.at(plane((0, 0, -0.05), (0, 0, -1))))
        before = after
    return assembly.capture()


def measured(capture: Capture) -> tuple[Counter[str], float]:
    port = Port(MemoryTransport())
    world = MockSolidWorks(capture)
    start = perf_counter()
    read(port.wrap(world.application, "ISldWorks"))
    return port.calls, perf_counter() - start


def run() -> None:
    """Print the table."""
    row("components", "calls", "per component", "per mate", "per part", "mass reads", "mesh reads", "s (mock)")
    for size in (10, 100, 1_000, 10_000):
        capture = chain(size)
        calls, seconds = measured(capture)
        mates = len(capture.documents[0].mates) if capture.documents[0].mates else 2 * (size - 1)
        mate_calls = sum(n for name, n in calls.items() if name.startswith(("IMate", "IConcentric")))
        instance = sum(n for name, n in calls.items() if name.startswith(("IComponent2", "IMathTransform")))
        rest = calls.total() - mate_calls - instance
        row(
            f"{size:,}", f"{calls.total():,}", f"{instance / size:.1f}", f"{mate_calls / mates:.1f}",
            f"{rest / PARTS:.1f}", calls["IMassProperty2.Mass"], calls["IComponent2.GetBodies3"], f"{seconds:.2f}",
        )  # fmt: skip
