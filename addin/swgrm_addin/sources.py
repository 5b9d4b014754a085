"""What SOURCE means on the command line: a capture or a robot, whatever it is stored in."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from swgrm.errors import SolidWorksError
from swgrm_exporters.registry import Loaded, read

if TYPE_CHECKING:
    from swgrm_addin.reader import Reading

MOCK = "mock:"


def load_robot(source: str) -> Loaded:
    """The robot that a SOURCE names, checked: with all findings of reading, understanding and of the robot itself."""
    from swgrm.validation import check

    if not is_capture(source):
        path = Path(source)
        loaded = read(path)
        return Loaded(loaded.robot, (*loaded.findings, *check(loaded.robot, path.parent)))
    from swgrm.inference import infer

    reading = load_capture(source)
    understood = infer(reading.capture)
    return Loaded(understood.robot, (*reading.findings, *understood.findings, *check(understood.robot)))


def is_capture(source: str) -> bool:
    """Whether a source is an assembly or part that must be understood, rather than a robot already."""
    return _opener(source) is not None


def load_capture(source: str) -> Reading:
    """What SolidWorks says about a source: an assembly or part file, a capture file, or `mock:SAMPLE`."""
    opener = _opener(source)
    if opener is None:
        raise SolidWorksError(f"{source} is a robot already: there is no assembly in it to capture.")
    return opener(source)


def _from_file(source: str) -> Reading:
    from swgrm.capture import load
    from swgrm_addin.reader import Reading

    return Reading(load(source), [])


def _from_mock(source: str) -> Reading:
    """A sample, read as a real document is: through the port, from the mock SolidWorks."""
    from swgrm_addin.port import Port
    from swgrm_addin.reader import read as read_document
    from swgrm_mocks.samples import sample
    from swgrm_mocks.solidworks import MemoryTransport, MockSolidWorks

    world = MockSolidWorks(sample(source.removeprefix(MOCK)))
    return read_document(Port(MemoryTransport()).wrap(world.application, "ISldWorks"))


def _from_solidworks(source: str) -> Reading:
    raise SolidWorksError(f"{source} needs SolidWorks, which is not on this machine. Capture it where it is.")


ENDINGS: Mapping[str, Callable[[str], Reading]] = {
    ".swcap": _from_file,
    ".sldasm": _from_solidworks,
    ".sldprt": _from_solidworks,
}


def _opener(source: str) -> Callable[[str], Reading] | None:
    if source.startswith(MOCK):
        return _from_mock
    return next((opener for ending, opener in ENDINGS.items() if source.lower().endswith(ending)), None)
