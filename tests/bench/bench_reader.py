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


def chain(components: int, parts: int = PARTS, *, mated: bool = True) -> Capture:
    """Instances of some parts, each hinged to the one before it."""
    assembly = Assembly("chain")
    files = [Part(f"part{n}", box(0.1, 0.1, 0.1, 0.01)) for n in range(parts)]
    before = assembly.part(files[0]).fixed()
    for number in range(1, components):
        after = assembly.part(files[number % parts], pose(z=0.1 * number))
        if mated:
            assembly.concentric(before.at(shaft((0, 0, 0), AXIS, 0.01)), after.at(shaft((0, 0, 0), AXIS, 0.01)))
            assembly.coincident(before.at(plane((0, 0, 0.05), AXIS)), after.at(plane((0, 0, -0.05), (0, 0, -1))))
        before = after
    return assembly.capture()


def counted(capture: Capture) -> Counter[str]:
    """The calls of one reading, except the progress bar's, which are at most a hundred."""
    port = Port(MemoryTransport())
    read(port.wrap(MockSolidWorks(capture).application, "ISldWorks"))
    port.calls.pop("IUserProgressBar.UpdateProgress")
    return port.calls


def run() -> None:
    """Print the table: what one more component, one more mate and one more part cost, by subtraction."""
    row(
        "components (10 parts)",
        "calls",
        "per component",
        "per mate",
        "per part",
        "mass reads",
        "mesh reads",
        "s (mock)",
    )
    empty = counted(chain(PARTS, mated=False)).total()
    for size in (10, 100, 1_000, 10_000):
        capture = chain(size)
        start = perf_counter()
        calls = counted(capture)
        seconds = perf_counter() - start
        bare = counted(chain(size, mated=False)).total()
        more = counted(chain(size, PARTS // 2, mated=False)).total()
        component = f"{(bare - empty) / (size - PARTS):.2f}" if size > PARTS else "-"
        row(
            f"{size:,}", f"{calls.total():,}", component, f"{(calls.total() - bare) / (2 * (size - 1)):.2f}",
            f"{(bare - more) / (PARTS - PARTS // 2):.2f}", calls["IMassProperty2.Mass"],
            calls["IComponent2.GetBodies3"], f"{seconds:.2f}",
        )  # fmt: skip
