"""Steps that measure SolidWorks itself: captures of parts, the time of calls, and its user interface."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from swgrm.capture import save
from swgrm.errors import CallError
from swgrm.solidworks.swconst import swDocumentTypes_e
from swgrm.solidworks.swconst_calls import swBodyType_e
from swgrm_addin.reader import Request, read
from swgrm_addin.reader.command_flag import CommandFlag
from swgrm_addin.reader.walk import root_component
from swgrm_addin.selftest.assembling import Step
from swgrm_addin.selftest.documents import ASSEMBLY, PART, add_features
from swgrm_addin.selftest.mating import add_component
from swgrm_addin.selftest.own_folder import with_own_paths
from swgrm_addin.selftest.parts import PARTS
from swgrm_addin.selftest.results import CAPTURES, Observation, Timing
from swgrm_addin.selftest.specs import AssemblySpec, ComponentSpec

if TYPE_CHECKING:
    from swgrm_addin.selftest.running import SelfTest

CALLS, MASSES = 2000, 20
FINE = 1e-4  # [m] tolerance of a mesh
WEIGHED = "block"  # the part whose mass and meshes are compared with closed forms
UNSEEN = "slider"  # the part that is opened without a window
PART_TYPE, SOLID = int(swDocumentTypes_e.swDocPART), int(swBodyType_e.swSolidBody)


def measuring_steps(test: SelfTest, assemblies: Sequence[AssemblySpec]) -> Iterator[Step]:
    """The steps after the assemblies; those on a part only if it was built."""
    if any(component.file == WEIGHED for spec in assemblies for component in spec.components):
        yield Step("C1.part", "capture the part", lambda: _capture(test, "C1_part", 0.0))
        yield Step("C2.tolerance", "capture its mesh with a tolerance", lambda: _capture(test, "C2_tolerance", FINE))
        yield Step("C2.hidden", "capture the part with a hidden body", lambda: _capture_hidden(test))
    if any(component.file == UNSEEN for spec in assemblies for component in spec.components):
        yield Step("C2.invisible", "capture a document without a window", lambda: _capture_invisible(test))
    if assemblies:
        part = assemblies[0].components[0].file
        yield Step("D1.speed", "time calls", lambda: time_calls(test, part))
        yield Step("D1.speed", "time mass properties", lambda: _time_masses(test, part))
    yield Step("D2.progress", "show a progress bar outside a command", lambda: _show_progress(test))
    yield Step("D2.flag", "set CommandInProgress and read it back", lambda: _read_flag_back(test))


def _capture(test: SelfTest, name: str, tolerance: float = 0.0, part: str = WEIGHED) -> None:
    bench = test.bench
    request = Request(bench.files[part], out_of_process=bench.out_of_process, tolerance=tolerance)
    folder = bench.folder / CAPTURES
    folder.mkdir(exist_ok=True)
    with bench.flag.undone():
        capture = read(bench.application, request).value
    save(with_own_paths(capture), folder / f"{name}.swcap")


def _capture_hidden(test: SelfTest) -> None:
    """Capture the part while its body is hidden."""
    document = test.bench.application.GetOpenDocumentByName(test.bench.files[WEIGHED])
    (body,) = document.port.cast(document, "IPartDoc").GetBodies2(SOLID, False)
    body.HideBody(True)
    try:
        _capture(test, "C2_hidden")
    finally:
        body.HideBody(False)


def _capture_invisible(test: SelfTest) -> None:
    """Capture a part that is not open, while SolidWorks opens parts without a window."""
    bench, name = test.bench, "C2_invisible"
    count = bench.open_count
    bench.create(name, PART, lambda document: add_features(document, PARTS[UNSEEN]))
    bench.close_last(count)
    before = bench.application.GetDocumentVisible(PART_TYPE)
    bench.put_back_later("the visibility of parts", lambda: bench.application.DocumentVisible(before, PART_TYPE))
    bench.application.DocumentVisible(False, PART_TYPE)
    try:
        _capture(test, name, part=name)
    finally:
        bench.application.DocumentVisible(before, PART_TYPE)


def time_calls(test: SelfTest, part: str) -> None:
    """Time IComponent2.GetID in the context of the run, and with CommandInProgress if it is another process."""
    bench = test.bench
    bench.opened(part)
    count = bench.open_count

    def fill(document: Any) -> None:
        add_component(bench.application, document, bench.opened(part), ComponentSpec(f"{part}-1"))

    document = bench.create("D1_speed", ASSEMBLY, fill)
    component = root_component(document).GetChildren()[0]
    contexts = {test.context: False} if not bench.out_of_process else {
        test.context: False, f"{test.context}, command in progress": True,
    }  # fmt: skip
    for context, flag in contexts.items():
        if bench.out_of_process:
            switch = bench.flag.set if flag else bench.flag.undo
            switch()
        test.records.timings.append(_timed(context, "IComponent2.GetID", CALLS, component.GetID))
        test.records.timings.append(
            _timed(context, "ISldWorks.RevisionNumber", CALLS, bench.application.RevisionNumber)
        )
    del document, component
    bench.close_last(count)


def _time_masses(test: SelfTest, part: str) -> None:
    document = test.bench.application.GetOpenDocumentByName(test.bench.opened(part))
    extension = document.Extension
    member = "IModelDocExtension.CreateMassProperty2"
    test.records.timings.append(_timed(test.context, member, MASSES, extension.CreateMassProperty2))


def _timed(context: str, member: str, calls: int, action: Callable[[], object]) -> Timing:
    start = time.perf_counter()
    for _ in range(calls):
        action()
    return Timing(context, member, calls, round(time.perf_counter() - start, 6))


def _show_progress(test: SelfTest) -> None:
    available, bar = test.bench.application.GetUserProgressBar()
    if not available:
        test.records.observations.append(Observation("D2.progress", "no progress bar is available"))
        return
    bar.Start(0, 100, "swgrm self-test")
    try:
        answer = f"UpdateProgress returned {bar.UpdateProgress(50)}"
    except CallError as error:
        answer = f"UpdateProgress reported {error.problem}"
    bar.End()
    test.records.observations.append(Observation("D2.progress", answer))


def _read_flag_back(test: SelfTest) -> None:
    application = test.bench.application
    with test.bench.flag.undone():
        flag = CommandFlag(application)
        flag.set()
        seen = application.CommandInProgress
        flag.undo()
    test.records.observations.append(Observation("D2.flag", "it read back true" if seen else "it read back false"))
