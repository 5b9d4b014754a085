"""Whatever call fails, and however: a capture with named gaps, or one clear error; SolidWorks is left as it was."""

from __future__ import annotations

import gc
import math
from collections import Counter
from pathlib import Path

import pytest
from msgspec.structs import replace
from tests import full
from tests.addin.living import Collecting, living_objects

from swgrm.capture import Capture, decode, encode, save
from swgrm.errors import BusyError, Cancelled, FileError, LostError, SolidWorksError, SwgrmError
from swgrm.findings import Result
from swgrm.inference import infer
from swgrm.solidworks.swconst_calls import swFileLoadError_e
from swgrm_addin import sources
from swgrm_addin.port import Port
from swgrm_addin.reader import Request, read
from swgrm_addin.reader.walk import Walk, appearance
from swgrm_mocks.builder import STEEL, Assembly, Part, pose
from swgrm_mocks.mates import ground, line, plane, shaft
from swgrm_mocks.samples import sample
from swgrm_mocks.solids import box, cylinder
from swgrm_mocks.solidworks import Fault, MemoryTransport, MockSolidWorks

PATIENCE = 1.0  # [s] on a clock that only the mock's sleep moves
KINDS = {
    "fails": Fault(0, "error", 0x80004005),
    "lacks the member": Fault(0, "error", 0x80020006),
    "wrong type": Fault(0, "error", 0x80020005),
    "busy for a while": Fault(0, "error", 0x80010001, times=3),
    "busy too long": Fault(0, "error", 0x8001010A, times=8),
    "gives nothing": Fault(0, "null"),
    "dies": Fault(0, "death"),
}
OTHER = sample("lead_screw")
REQUEST = Request("C:\\Robots\\small.SLDASM", out_of_process=True)


def small() -> Capture:
    """An assembly with one of every kind of object that the reader reads."""
    inner = Assembly("inner")
    hub = inner.part(Part("hub", box(0.1, 0.1, 0.1, 0.01), STEEL)).fixed()
    rod = inner.part(Part("rod", cylinder(0.01, 0.1)), pose(z=0.1))
    axis = shaft((0, 0, 0), (0, 0, 1), 0.01)
    inner.gear(hub.at(axis), rod.at(axis), ratio=(1, 2))
    outer = Assembly("small")
    base = Part("base", box(0.2, 0.2, 0.02), STEEL)
    base.coordinate_system("tool0", pose(z=1))
    base.axis("spin", (0, 0, 0), (0, 0, 1))
    base.point("mark", (1, 2, 3))
    base.custom_property("maker", "us")
    first = outer.part(base).fixed()
    outer.part(Part("light", cylinder(0.01, 0.02)), pose(x=1)).state(suppression=1)
    sub = outer.sub(inner, pose(y=1)).state(suppression=4)
    outer.distance(first.at(plane((0, 0, 0), (0, 0, 1))), (sub / "rod-1").at(plane((0, 0, 0), (0, 0, 1))), value=0.1)
    outer.in_place(first.at(plane((0, 0, 0), (0, 0, 1))), ground(line((0, 0, 0), (0, 0, 1))))
    outer.mirror(pose(x=0.5), first)
    return outer.capture()


def world_with(capture: Capture) -> MockSolidWorks:
    """Another document is active, and the assembly is a file that is not open."""
    return MockSolidWorks(OTHER, capture)


def attempt(world: MockSolidWorks) -> Result[Capture]:
    port = Port(MemoryTransport(), sleep=lambda _: None, patience=PATIENCE)
    return read(port.wrap(world.application, "ISldWorks"), REQUEST)


@pytest.fixture(scope="module")
def capture() -> Capture:
    return small()


@pytest.mark.parametrize("kind", KINDS)
def test_a_fault_at_every_call(kind: str, capture: Capture, record_property: pytest.FixtureRequest) -> None:
    world = world_with(capture)
    attempt(world)
    calls = world.connection.count
    numbers = range(1, calls + 1, 1 if full.IS_FULL else 4)
    outcomes = Counter(one_fault(kind, number, capture) for number in numbers)
    print(f"{len(numbers)} faults of the kind `{kind}`: {dict(outcomes)}")  # noqa: T201 - shown by pytest -rP
    record_property("faults", len(numbers))  # type: ignore[operator] # pytest's own fixture
    assert calls > 400
    if kind == "busy for a while":
        assert outcomes == {"complete": len(numbers)}
    elif kind not in ("dies", "busy too long"):
        assert outcomes["error"] < 0.05 * len(numbers)


def one_fault(kind: str, number: int, capture: Capture) -> str:
    """Try one fault; returns whether the capture is complete, has gaps, or there was an error."""
    world = world_with(capture)
    before = world.state()
    fault = KINDS[kind]
    world.connection.faults = [Fault(number, fault.kind, fault.hresult, fault.times)]
    expected = {"dies": LostError, "busy too long": BusyError}.get(kind, SwgrmError)
    reading, sentence = None, "."
    try:
        reading = attempt(world)
    except expected as error:
        sentence = str(error)
    assert sentence.endswith(".")
    assert kind == "dies" or world.state() == before, f"fault {number}"
    if reading is None:
        return "error"
    if reading.value == capture:
        return "complete"
    assert kind == "gives nothing" or reading.findings, f"fault {number}"
    assert kind == "gives nothing" or sum(failure.count for failure in reading.value.failures) == 1, f"fault {number}"
    if number % 20 == 0:
        assert decode(encode(reading.value)) == reading.value
        assert infer(reading.value).robot.frames
    return "gaps"


def test_cancel_restores_the_state() -> None:
    capture = sample("traps")
    for position in (1, 30, 60, 95):
        world = MockSolidWorks(capture)
        world.progress.cancel_at = position
        before = world.state()
        with pytest.raises(Cancelled, match="Nothing was changed"):
            read(Port(MemoryTransport()).wrap(world.application, "ISldWorks"))
        assert world.state() == before
        assert len(world.progress.positions) <= 101


def test_a_state_that_is_not_restored_is_reported() -> None:
    """A component that SolidWorks does not make lightweight again is named in a finding."""
    world = MockSolidWorks(sample("traps"))
    light = [name for name, state in world.open[0].project.suppression.items() if state in (1, 4)]

    class Stubborn(dict):  # type: ignore[type-arg] # the states by name
        def __setitem__(self, name: str, state: int) -> None:
            if state == 2:
                super().__setitem__(name, state)

    project = world.open[0].project
    project.suppression = Stubborn(project.suppression)
    reading = read(Port(MemoryTransport()).wrap(world.application, "ISldWorks"))
    assert light
    assert all(any(name in f.message for name in light) for f in reading.findings)
    assert {f.code for f in reading.findings} == {"document-changed"}


def test_no_document_is_open() -> None:
    world = MockSolidWorks(sample("lead_screw"), opened=False)
    with pytest.raises(SolidWorksError, match=r"No document is open.*Open an assembly"):
        read(Port(MemoryTransport()).wrap(world.application, "ISldWorks"))


@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        (swFileLoadError_e.swFileNotFoundError, "does not exist. Check the path"),
        (swFileLoadError_e.swFutureVersion, "newer release of SolidWorks"),
        (swFileLoadError_e.swFileWithSameTitleAlreadyOpen, "same name is open"),
        (swFileLoadError_e.swFileRequiresRepairError, "needs repair. Open it in SolidWorks once"),
        (swFileLoadError_e.swGenericError, "error 1. Open it in SolidWorks by hand"),
    ],
)
def test_a_document_that_does_not_open(error: int, sentence: str) -> None:
    world = MockSolidWorks(sample("lead_screw"), open_errors={REQUEST.path: int(error)})
    before = world.state()
    with pytest.raises(FileError) as caught:
        attempt(world)
    assert sentence in str(caught.value)
    assert world.state() == before


def test_the_same_title_is_open(capture: Capture) -> None:
    other = Assembly("small")
    other.path = "D:\\Elsewhere\\small.SLDASM"
    other.part("x")
    world = MockSolidWorks(other.capture(), capture)
    with pytest.raises(FileError, match="Close that document first"):
        attempt(world)


def test_a_drawing_and_other_files() -> None:
    application = Port(MemoryTransport()).wrap(MockSolidWorks().application, "ISldWorks")
    for path in ("C:\\a.SLDDRW", "C:\\a.step", "C:\\a"):
        with pytest.raises(FileError, match="neither an assembly nor a part"):
            read(application, Request(path))


def test_an_empty_assembly() -> None:
    world = MockSolidWorks(Assembly("nothing").capture())
    before = world.state()
    with pytest.raises(SolidWorksError, match=r"without components. Insert parts"):
        read(Port(MemoryTransport()).wrap(world.application, "ISldWorks"))
    assert world.state() == before


def test_another_configuration() -> None:
    default, other = Assembly("robot"), Assembly("robot", configuration="Folded")
    default.part("x")
    other.part("x", pose(x=1))
    world = MockSolidWorks(default.capture(), other.capture(), opened=False)
    application = Port(MemoryTransport()).wrap(world.application, "ISldWorks")
    assert read(application, Request(default.path, "Folded")).value == other.capture()
    assert read(application, Request(default.path)).value == default.capture()
    with pytest.raises(FileError, match="configuration `Fodled` is not the active one"):
        read(application, Request(default.path, "Fodled"))
    assert world.open == []
    world = MockSolidWorks(default.capture(), other.capture())
    with pytest.raises(FileError, match="configuration `Folded`"):  # the user's own document is never switched
        read(Port(MemoryTransport()).wrap(world.application, "ISldWorks"), Request(default.path, "Folded"))


def test_numbers_that_are_not_finite_are_omitted_with_a_finding() -> None:
    """NaN and infinity are left out with a finding, and the rest is read; the capture has the failures."""
    assembly = Assembly("bad")
    part = assembly.part(Part("p", box(1, 1, 1)))
    good = part.at(plane((0, 0, 0), (0, 0, 1)))
    assembly.coincident(*(replace(good, params=(bad, *good.params[1:])) for bad in (math.nan, math.inf)))
    capture = assembly.capture()
    reading = read(Port(MemoryTransport()).wrap(MockSolidWorks(capture).application, "ISldWorks"))
    assert [(f.code, f.where) for f in reading.findings] == [("not-read", "mate Coincident5")] * 2
    assert [(f.member, f.object, f.problem) for f in reading.value.failures] == [
        ("IMateEntity2.EntityParams", "mate Coincident5", f"{bad} was returned where a number was expected")
        for bad in (math.inf, math.nan)
    ]
    root = next(d for d in reading.value.documents if d.type == 2)
    assert [entity.params for entity in root.mates[0].entities] == [(), ()]


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ((-1.0,) * 9, False),
        ((0.5,) * 9, True),
        ((0.5,) * 8 + (1.5,), True),
        ((), False),
        ((0.5,) * 8, False),
        ((math.nan,) * 9, False),
    ],
)
def test_an_appearance_is_kept_unless_it_is_unset(given: tuple[float, ...], kept: bool) -> None:
    assert appearance(given) == (given if kept else None)


def test_a_capture_file_tells_which_calls_failed(tmp_path: Path) -> None:
    world = MockSolidWorks(sample("lead_screw"))
    world.connection.faults = [Fault(1, times=10**6, member="IComponent2.IsVirtual")]
    reading = read(Port(MemoryTransport()).wrap(world.application, "ISldWorks"))
    save(reading.value, tmp_path / "x.swcap")
    (finding,) = sources.read(str(tmp_path / "x.swcap")).findings
    count = len(reading.value.components)
    failed = f"Calls to SolidWorks failed while the document was read ({count})"
    assert finding.message == f"{failed}: IComponent2.IsVirtual."


class BackgroundSolidWorks(MockSolidWorks):
    """A SolidWorks without a window, which ends when its last document is closed."""

    def close(self, name: str) -> None:
        super().close(name)
        if not self.open:
            self.connection.faults.append(Fault(self.connection.count + 1, "death"))


@pytest.mark.parametrize("others", [0, 1])
def test_a_solidworks_that_ends_with_its_last_document_has_closed_it(capture: Capture, others: int) -> None:
    world = BackgroundSolidWorks(*[OTHER][:others], capture, opened=bool(others))
    reading = attempt(world)
    assert (reading.value, reading.findings) == (capture, ())
    assert len(world.open) == others


@pytest.mark.parametrize("fault", [None, *range(3, 600, 31)], ids=str)
@pytest.mark.parametrize("opened", [True, False])
def test_nothing_refers_to_a_document_when_it_is_closed_or_was_read(
    capture: Capture, fault: int | None, opened: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither after a reading nor after an error, whose traceback has the frames of all calls."""
    gc.collect()
    before = living_objects()
    alive: list[list[str]] = []

    class Watched(MockSolidWorks):
        def close(self, name: str) -> None:
            alive.append(living_objects())
            super().close(name)

    world = Watched(*([] if opened else [OTHER]), capture)
    monkeypatch.setattr(Walk, "attempt", lambda _walk, action, *_: action())  # so that more faults are errors
    world.connection.faults = [Fault(fault)] if fault else []
    application = Port(Collecting()).wrap(world.application, "ISldWorks")
    error = None
    try:
        read(application, Request() if opened else REQUEST)
    except SwgrmError as raised:
        error = raised  # kept, as a program may do
    alive.append(living_objects())
    assert alive == [before] * len(alive), error


def test_an_unexpected_error_keeps_its_traceback_as_text(capture: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("a bug")

    monkeypatch.setattr(Walk, "attempt", fail)
    with pytest.raises(RuntimeError, match="a bug") as caught:
        attempt(MockSolidWorks(OTHER, capture))
    assert "in fail" in caught.value.__notes__[0]
