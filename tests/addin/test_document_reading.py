"""A document is read inside SolidWorks if the add-in is loaded or can be loaded, and otherwise from outside."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from tests.addin.inside import Bench, arm

import swgrm.capture
from swgrm.errors import SolidWorksError
from swgrm_addin import remote, sources
from swgrm_addin.cli import app
from swgrm_addin.document_reading import INSIDE, LOADED, OUTSIDE, read_document
from swgrm_addin.editions import check_startable, is_managed
from swgrm_addin.inside.addin_folders import close_log
from swgrm_addin.inside.identity import CLSID
from swgrm_addin.pipeline import export
from swgrm_addin.port import Port
from swgrm_addin.reader import Request, read
from swgrm_mocks.solidworks import MemoryTransport

run = CliRunner().invoke
LIBRARY = "C:\\Program Files\\swgrm\\_ctypes.pyd"


class Addin:
    """The add-in as GetAddInObject returns it; while its state is asked for, SolidWorks handles messages."""

    def __init__(self, bench: Bench) -> None:
        self.bench = bench

    def QueueCapture(self, *arguments: Any) -> str:  # noqa: N802 - as over COM
        return self.bench.session.programs.queue_capture(*arguments)

    def State(self, ticket: str) -> str:  # noqa: N802 - as over COM
        self.bench.ui.wait()
        return self.bench.session.programs.state(ticket)


@pytest.fixture
def bench(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Bench]:
    made = Bench(tmp_path, arm(tmp_path, monkeypatch))
    (tmp_path / "arm.SLDASM").write_bytes(b"")
    monkeypatch.setattr(remote, "FIRST_PAUSE", 0.0)
    yield made
    made.session.disconnect(0)
    close_log()


def prepared(bench: Bench, way: str, monkeypatch: pytest.MonkeyPatch) -> Any:
    """The application as another process has it, for a way of reading."""
    names: dict[str, tuple[str, ...]] = {LOADED: (CLSID, LIBRARY)}
    monkeypatch.setattr(remote, "registered_names", lambda: names.get(way, ()))
    add_in = Addin(bench)
    bench.world.add_ins |= {CLSID: add_in} if way == INSIDE else {}
    bench.world.registered_add_ins |= {CLSID: add_in, LIBRARY: add_in} if way == LOADED else {}
    return Port(MemoryTransport()).wrap(bench.world.application, "ISldWorks")


@pytest.mark.parametrize("way", [INSIDE, LOADED, OUTSIDE])
@pytest.mark.parametrize("tolerance", [0.0, 1e-3])
def test_every_way_reads_the_same(
    bench: Bench, way: str, tolerance: float, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    application = prepared(bench, way, monkeypatch)
    request = Request(str(tmp_path / "arm.SLDASM"), out_of_process=True, tolerance=tolerance)
    reading = read_document(application, request, tmp_path / "read.swcap")
    expected, findings = read(bench.application, request)
    assert (reading.capture, reading.findings, reading.way) == (expected, findings, way)
    assert reading.way in str(reading)
    assert " s, " in str(reading)
    members = {"ISldWorks.GetAddInObject", "ISldWorks.LoadAddIn"}
    assert (set(application.port.calls) <= members) == (way != OUTSIDE)
    assert application.port.calls["ISldWorks.LoadAddIn"] == (way == LOADED)


def test_an_add_in_that_solidworks_does_not_load_is_no_error(
    bench: Bench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    application = prepared(bench, OUTSIDE, monkeypatch)
    monkeypatch.setattr(remote, "registered_names", lambda: (CLSID, LIBRARY))
    reading = read_document(application, Request(out_of_process=True), tmp_path / "read.swcap")
    assert reading.way == OUTSIDE
    assert application.port.calls["ISldWorks.LoadAddIn"] == 2


@pytest.mark.parametrize("way", [INSIDE, OUTSIDE])
@pytest.mark.parametrize(
    "command",
    [
        ["export", "-o", "{}/out"],
        ["capture", "-o", "{}/new.swcap"],
        ["show"],
        ["check"],
        ["settings", "-o", "{}/s.yaml"],
        ["joints", "-o", "{}/joints.csv"],
    ],
    ids=lambda words: words[0],
)
def test_every_command_takes_the_way_and_names_it(
    bench: Bench, way: str, command: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    application = prepared(bench, way, monkeypatch)
    monkeypatch.setattr(sources, "find_spec", lambda _: True)
    monkeypatch.setattr(sources, "_application", lambda _: application)
    name, *options = command
    result = run(app, [name, str(tmp_path / "arm.SLDASM"), *(option.format(tmp_path) for option in options)])
    assert result.exit_code in (0, 1), result.output
    assert f"s, {way}." in " ".join(result.stderr.split())
    assert (set(application.port.calls) == {"ISldWorks.GetAddInObject"}) == (way == INSIDE)


def test_an_instance_of_the_batch_reports_the_way(
    bench: Bench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The batch's function is the same; only the SolidWorks is another one."""
    application = prepared(bench, INSIDE, monkeypatch)
    reading = read_document(application, Request(str(tmp_path / "arm.SLDASM")), tmp_path / "read.swcap")
    monkeypatch.setattr(
        "swgrm_addin.instances.capture",
        lambda _address, _document, _configuration, out: captured(application, out, str(reading)),
    )
    done = export(str(tmp_path / "arm.SLDASM"), tmp_path / "out", instance="mock:1")
    assert done.reading == str(reading)


@pytest.mark.parametrize("way", [INSIDE, OUTSIDE])
def test_a_document_of_an_instance_is_loaded_at_most_once(
    bench: Bench, way: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What SolidWorks read outside its own process needs no file at all."""
    application = prepared(bench, way, monkeypatch)
    loaded: list[object] = []
    saved: list[object] = []
    original = swgrm.capture.load

    def load(path: Any) -> Any:
        loaded.append(path)
        return original(path)

    monkeypatch.setattr(swgrm.capture, "load", load)
    monkeypatch.setattr(swgrm.capture, "save", lambda *given: saved.append(given))
    monkeypatch.setattr(
        "swgrm_addin.instances.capture",
        lambda *given: captured(application, given[-1], ""),
    )
    source = sources.read(str(tmp_path / "arm.SLDASM"), instance="mock:1")
    assert source.capture == read(bench.application, Request()).value
    assert (len(loaded), saved) == (1 if way == INSIDE else 0, [])


def captured(application: Any, out: Path, sentence: str) -> Any:
    from swgrm_addin.instances import Captured

    return Captured(read_document(application, Request(), out).capture, reading=sentence)


@pytest.mark.parametrize("place", ["SOLIDWORKS", ".", "win_b64/code/bin", "SOLIDWORKS/win_b64/code/bin"])
def test_the_batch_refuses_what_3dexperience_manages(place: str, tmp_path: Path) -> None:
    program = tmp_path / "R2026x" / "SOLIDWORKS" / "SLDWORKS.exe"
    program.parent.mkdir(parents=True)
    program.write_bytes(b"")
    check_startable(program)
    assert not is_managed(program)
    launcher = tmp_path / "R2026x" / place / "CATSTART.exe"
    launcher.parent.mkdir(parents=True, exist_ok=True)
    launcher.write_bytes(b"")
    with pytest.raises(SolidWorksError, match=r"3DEXPERIENCE.*--attach"):
        check_startable(program)
