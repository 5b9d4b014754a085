"""What SOURCE means on the command line: a capture or a robot, whatever it is stored in."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from swgrm.errors import FileError, SolidWorksError
from swgrm.findings import Finding, Findings
from swgrm.model import Robot
from swgrm_exporters.formats import read

if TYPE_CHECKING:
    from swgrm.capture import Capture
    from swgrm.mass import MassOptions
    from swgrm_addin.reader import Reading
    from swgrm_addin.settings import Read

MOCK = "mock:"


class Understood(NamedTuple):
    """A robot, what there is to say about it, and the capture that it was understood from, if it was."""

    robot: Robot
    findings: tuple[Finding, ...]
    capture: Capture | None = None


def load_robot(source: str, settings: Path | None = None) -> Understood:
    """The robot that a SOURCE names, checked: with all findings of reading, understanding and of the robot itself."""
    return understand(source, settings=settings_for(source, settings))


def settings_file(source: str, given: Path | None) -> Path | None:
    """The settings file that was given, or the one beside an assembly or capture."""
    from swgrm_addin.settings import beside

    return given or (beside(source) if is_capture(source) else None)


def settings_for(source: str, given: Path | None) -> Read:
    """The settings that were given, or those beside an assembly or capture."""
    from swgrm_addin.settings import Read, read_settings

    path = settings_file(source, given)
    return read_settings(path) if path else Read()


def understand(source: str, mass: MassOptions | None = None, settings: Read | None = None) -> Understood:
    """The robot that a SOURCE names, as the settings want it, weighed where it is an assembly, and checked."""
    from swgrm.inference.options import options_of
    from swgrm.settings import apply
    from swgrm.validation import check
    from swgrm_addin.settings import Read

    settings = settings or Read()
    if not is_capture(source):
        path = Path(source)
        found = Findings()
        robot = apply(read(path, found), settings.settings, found)
        return Understood(robot, (*found, *check(robot, path.parent)))
    from swgrm.inference import as_assembly, infer
    from swgrm.mass import MassOptions, weigh

    reading = load_capture(source)
    capture = as_assembly(reading.capture)
    inferred = infer(capture, options_of(settings.settings))
    applied = Findings()
    robot = apply(inferred.robot, settings.settings, applied)
    mass = mass or msgspec.convert(settings.sections.get("mass", {}), MassOptions)
    weighed = weigh(robot, capture, mass, applied)
    return Understood(weighed, (*reading.findings, *inferred.findings, *applied, *check(weighed)), capture)


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
