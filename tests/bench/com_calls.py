"""What a COM call and a capture cost, in memory, in process and from another process."""

from __future__ import annotations

import gc
from array import array
from time import perf_counter
from typing import Any

from swgrm.capture.file import encode
from swgrm_addin.com.transport import ComTransport
from swgrm_addin.port import Port
from swgrm_addin.reader import Request, read
from swgrm_mocks.solidworks import MockSolidWorks
from swgrm_mocks.testing.com_objects import HandlePolicy
from tests.bench.bench_reader import chain
from tests.bench.measure import row
from tests.contract.transports import MAKERS, InMemory

CALLS = {"in memory": 20_000, "in process": 20_000, "another process": 1_000}


class Constant(HandlePolicy):
    """A server whose methods do nothing, so that only the call itself is measured."""

    answer: Any = "34.0.0"

    def _Invoke_(self, *_: Any) -> tuple[int, int, Any]:  # noqa: N802 - pywin32's name
        return 0, -1, self.answer


def per_call(application: Any, calls: int) -> float:
    """The time [s] of one call through the port."""
    start = perf_counter()
    for _ in range(calls):
        application.RevisionNumber()
    return (perf_counter() - start) / calls


def bare_application() -> Any:
    """ISldWorks of the server that does nothing."""
    import pythoncom

    raw = pythoncom.WrapObject(Constant(MockSolidWorks().application), pythoncom.IID_IDispatch)
    return Port(ComTransport()).wrap(raw, "ISldWorks")


def bare_call(application: Any, calls: int = 100_000) -> float:
    """The time [s] of one InvokeTypes, without the port."""
    invoke, dispid = application.raw.InvokeTypes, application.raw.GetIDsOfNames("RevisionNumber")
    start = perf_counter()
    for _ in range(calls):
        invoke(dispid, 0, 1, (8, 0), ())
    return (perf_counter() - start) / calls


def per_number(numbers: int = 90_000, repeats: int = 5) -> float:
    """The time [s] for each number of an array, from the server's list to the client's bytes."""
    import pythoncom
    from win32com.client import VARIANT

    policy = Constant(MockSolidWorks().application)
    policy.answer = VARIANT(pythoncom.VT_ARRAY | pythoncom.VT_R4, [0.5] * numbers)
    raw = pythoncom.WrapObject(policy, pythoncom.IID_IDispatch)
    start = perf_counter()
    for _ in range(repeats):
        array("f", raw.InvokeTypes(1, 0, 1, (12, 0), ())).tobytes()
    return (perf_counter() - start) / numbers / repeats


def calls(ways: dict[str, InMemory]) -> None:
    """The cost of one call through each transport."""
    row("one call", "microseconds")
    bare = bare_application()
    row("in process, InvokeTypes alone", f"{1e6 * bare_call(bare):.2f}")
    row("in process, through the port", f"{1e6 * per_call(bare, CALLS['in process']):.2f}")
    row("in process, a number of an array", f"{1e6 * per_number():.3f}")
    for name, way in ways.items():
        row(f"{name}, the mock answering", f"{1e6 * per_call(way.application(chain(2)), CALLS[name]):.1f}")


def captures(ways: dict[str, InMemory], components: int) -> None:
    """The cost of a capture through each transport; the captures are the same."""
    capture = chain(components)
    expected = encode(capture)
    for name, way in ways.items():
        application = way.application(capture)
        gc.collect()
        start = perf_counter()
        taken = read(application, Request(out_of_process=name == "another process")).value
        seconds = perf_counter() - start
        made = application.port.calls.total()
        same = "the same" if encode(taken) == expected else "DIFFERENT"
        row(
            f"{components} components, {name}",
            f"{seconds:.2f} s",
            f"{made} calls",
            f"{1e6 * seconds / made:.0f} µs/call",
            same,
        )


def main() -> None:
    """Print both tables."""
    ways = {name: make() for name, make in MAKERS.items()}
    try:
        calls(ways)
        row("a capture", "time", "calls", "per call", "the file is")
        for components in (100, 1000):
            captures(ways, components)
    finally:
        for way in ways.values():
            way.close()


if __name__ == "__main__":
    main()
