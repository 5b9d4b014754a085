"""Sources: what the user names to be exported, read into a capture or a robot.

A source is an assembly or part of SolidWorks, a capture file, a sample of the mock SolidWorks (`mock:NAME`), or a robot
file of any format that can be read. Everything but a robot file gives a capture, whose joints are still to be inferred.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable, Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from swgrm.errors import FileError, SolidWorksError
from swgrm.findings import Finding, Findings
from swgrm.model import Robot

if TYPE_CHECKING:
    from swgrm.capture import Capture
    from swgrm_addin.reader import Request

MOCK = "mock:"
OTHERS = "a capture (.swcap), an assembly or part (.SLDASM, .SLDPRT), or mock:SAMPLE"  # than robot files


class ReadOptions(NamedTuple):
    """How a document is read."""

    configuration: str = ""
    tolerance: float = 0.0  # [m] of meshes


class Source(NamedTuple):
    """A source that was read: its name, its capture or else its robot, and the findings of reading."""

    name: str
    capture: Capture | None = None
    robot: Robot | None = None
    findings: tuple[Finding, ...] = ()
    references: tuple[str, ...] = ()  # the files that SolidWorks read, where they are known
    reading: str = ""  # in which way and how long an instance of SolidWorks read it, as a sentence

    @property
    def folder(self) -> Path:
        """The folder that relative names in a robot file begin at."""
        return Path(self.name).parent


def read(source: str, configuration: str = "", *, instance: str = "", tolerance: float = 0.0) -> Source:
    """Read a source; an empty name is the active document of the running SolidWorks.

    `configuration` names the one to read of an assembly or part; by default the active one. `instance` is the address
    of a running SolidWorks that opens the document; by default one is found or started. `tolerance` [m] is that of the
    meshes of an assembly or part; 0 takes the triangles that SolidWorks displays.
    """
    findings = Findings()
    if instance:
        return _read_by_instance(source, configuration, instance)
    opener = _opener(source)
    if opener is None:
        from swgrm_exporters.formats import of_file
        from swgrm_exporters.formats import read as read_robot

        of_file(source, others=OTHERS)
        return Source(source, robot=read_robot(source, findings), findings=tuple(findings))
    capture = opener(source, ReadOptions(configuration, tolerance), findings)
    _check_configuration(source, capture, configuration)
    if capture.failures:
        members = ", ".join(sorted({failure.member for failure in capture.failures}))
        count = sum(failure.count for failure in capture.failures)
        findings.add("calls-failed", "the reading", count=count, members=members)
    return Source(source, capture, findings=tuple(findings))


def is_capture(source: str) -> bool:
    """Whether a source gives a capture, whose joints must be inferred, rather than a robot."""
    return _opener(source) is not None


def _read_by_instance(source: str, configuration: str, address: str) -> Source:
    from swgrm_addin.instances import capture

    with tempfile.TemporaryDirectory(prefix="swgrm-") as folder:
        captured = capture(address, Path(source), configuration, Path(folder) / "document.swcap")
    _check_configuration(source, captured.capture, configuration)
    return Source(
        source,
        captured.capture,
        findings=captured.findings,
        references=captured.references,
        reading=captured.reading,
    )


def _check_configuration(source: str, capture: Capture, configuration: str) -> None:
    if configuration and capture.source.configuration != configuration:
        raise FileError(
            source,
            f"it was captured in configuration `{capture.source.configuration}`, not `{configuration}`",
            remedy="Capture it in that configuration",
        )


def _from_capture_file(source: str, options: ReadOptions, findings: Findings) -> Capture:  # noqa: ARG001 - an opener
    from swgrm.capture import load

    if options.tolerance:
        problem = "the meshes of a capture are those with which it was read"
        raise FileError(source, problem, remedy="Name the assembly or part to use a tolerance")
    return load(source)


def _from_mock(source: str, options: ReadOptions, findings: Findings) -> Capture:
    """A sample, read from the mock SolidWorks through the port, as a real document is."""
    from swgrm_addin.reader import Request
    from swgrm_addin.synthetic import sample_application

    request = Request("", options.configuration, tolerance=options.tolerance)
    return _from_application(sample_application(source.removeprefix(MOCK)), request, findings)


def _from_solidworks(source: str, options: ReadOptions, findings: Findings) -> Capture:
    """A document, read by the running SolidWorks or by one that is started."""
    if source and not Path(source).exists():
        raise FileError(source, "the file does not exist", remedy="Check the path")
    if find_spec("pythoncom") is None:
        what = f"{source} needs" if source else "SOURCE is missing, and reading the active document needs"
        raise SolidWorksError(
            f"{what} SolidWorks, which is not installed on this machine. Run `swgrm capture` on a machine with "
            "SolidWorks and copy the capture here; `swgrm samples` lists assemblies that work without it."
        )
    from swgrm_addin.document_reading import read_document
    from swgrm_addin.reader import Request

    path = str(Path(source).absolute()) if source else ""
    request = Request(path, options.configuration, out_of_process=True, tolerance=options.tolerance)
    with tempfile.TemporaryDirectory(prefix="swgrm-") as folder:
        reading = read_document(_application(source), request, Path(folder) / "document.swcap")
    _show(str(reading))
    findings.extend(reading.findings)
    return reading.capture


def _application(source: str) -> Any:  # noqa: ANN401 - an object of SolidWorks
    """The application object of SolidWorks, which is started only if there is a file to open."""
    from swgrm_addin.com import reach

    return reach.started(report=_show) if source else reach.running()


def _show(sentence: str) -> None:
    sys.stderr.write(f"{sentence}\n")
    sys.stderr.flush()


def _from_application(application: Any, request: Request, findings: Findings) -> Capture:  # noqa: ANN401 - see above
    from swgrm_addin.reader import read as read_document

    result = read_document(application, request)
    findings.extend(result.findings)
    return result.value


def _from_drawing(source: str, options: ReadOptions, findings: Findings) -> Capture:  # noqa: ARG001 - an opener
    raise FileError(source, "it is a drawing", remedy="Name the assembly or part that it shows")


Opener = Callable[[str, ReadOptions, Findings], "Capture"]
ENDINGS: Mapping[str, Opener] = {
    ".swcap": _from_capture_file,
    ".sldasm": _from_solidworks,
    ".sldprt": _from_solidworks,
    ".slddrw": _from_drawing,
}


def _opener(source: str) -> Opener | None:
    if not source:
        return _from_solidworks
    if source.startswith(MOCK):
        return _from_mock
    return next((opener for ending, opener in ENDINGS.items() if source.lower().endswith(ending)), None)
