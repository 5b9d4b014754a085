"""What SOURCE means on the command line: a capture or a robot, whatever it is stored in."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from swgrm.errors import FileError, SolidWorksError
from swgrm.findings import Finding
from swgrm.model import Robot
from swgrm_exporters.registry import Loaded, read

if TYPE_CHECKING:
    from swgrm.capture import Capture
    from swgrm.mass import MassOptions
    from swgrm_addin.reader import Reading

MOCK = "mock:"


class Understood(NamedTuple):
    """A robot, what there is to say about it, and the capture that it was understood from, if it was."""

    robot: Robot
    findings: tuple[Finding, ...]
    capture: Capture | None = None


def load_robot(source: str) -> Loaded:
    """The robot that a SOURCE names, checked: with all findings of reading, understanding and of the robot itself."""
    understood = understand(source)
    return Loaded(understood.robot, understood.findings)


def understand(source: str, mass: MassOptions | None = None) -> Understood:
    """The robot that a SOURCE names, weighed where it is an assembly, and checked."""
    from swgrm.validation import check

    if not is_capture(source):
        path = Path(source)
        loaded = read(path)
        return Understood(loaded.robot, (*loaded.findings, *check(loaded.robot, path.parent)))
    from swgrm.inference import infer
    from swgrm.mass import weigh

    reading = load_capture(source)
    inferred = infer(reading.capture)
    weighed = weigh(inferred.robot, reading.capture, mass)
    findings = (*reading.findings, *inferred.findings, *weighed.findings, *check(weighed.robot))
    return Understood(weighed.robot, findings, reading.capture)


def is_capture(source: str) -> bool:
    """Whether a source is an assembly or part that must be understood, rather than a robot already."""
    return _opener(source) is not None


def load_capture(source: str, configuration: str = "") -> Reading:
    """What SolidWorks says about a source: an assembly or part file, a capture file, or `mock:SAMPLE`."""
    opener = _opener(source)
    if opener is _from_solidworks:
        return _from_solidworks(source, configuration)
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


def _from_solidworks(source: str, configuration: str = "") -> Reading:
    """A document read by the SolidWorks that runs here or that is started for it; "" is its active one."""
    from swgrm_addin.reader import Request
    from swgrm_addin.reader import read as read_document

    if source and not Path(source).exists():
        raise FileError(source, "the file is not there", remedy="Check the path")
    if find_spec("pythoncom") is None:
        what = f"{source} needs" if source else "SOURCE was left out: reading the active document needs"
        raise SolidWorksError(
            f"{what} SolidWorks, which is not on this machine. Run `swgrm capture` where SolidWorks is, and bring the "
            "capture here; `swgrm samples` lists what works without it."
        )
    from swgrm_addin.com import reach

    application = reach.started() if source else reach.running()
    path = str(Path(source).absolute()) if source else ""
    return read_document(application, Request(path, configuration, out_of_process=True))


def _drawing(source: str) -> Reading:
    raise FileError(source, "it is a drawing", remedy="Name the assembly or part that it shows")


ENDINGS: Mapping[str, Callable[[str], Reading]] = {
    ".swcap": _from_file,
    ".sldasm": _from_solidworks,
    ".sldprt": _from_solidworks,
    ".slddrw": _drawing,
}


def _opener(source: str) -> Callable[[str], Reading] | None:
    if not source:
        return _from_solidworks
    if source.startswith(MOCK):
        return _from_mock
    return next((opener for ending, opener in ENDINGS.items() if source.lower().endswith(ending)), None)
