"""SolidWorks as the batch drives it: started as a program, known by its process id, asked by a child, and ended."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from tests.com.addin_server import APPLICATION, CONTROL
from tests.com.playing import SERVER
from tests.com.test_command import moved

from swgrm.capture import Capture, load
from swgrm.capture.file import save
from swgrm_addin.batch import worker
from swgrm_addin.batch.processes import is_running
from swgrm_addin.batch.records import Options, Task
from swgrm_addin.batch.seats import Seats
from swgrm_addin.batch.solidworks import SolidWorksSeat, capture
from swgrm_addin.batch.windows import kill
from swgrm_addin.com.registration import registered
from swgrm_addin.installation import registry
from swgrm_mocks.samples import sample

PROGID = "swgrm.BatchTest"


@pytest.fixture
def gripper(tmp_path: Path) -> Capture:
    """An assembly whose file is there."""
    made = moved(sample("gripper"), tmp_path)
    Path(made.source.path).touch()
    return made


@pytest.fixture
def program(tmp_path: Path, gripper: Capture, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """What stands for SLDWORKS.EXE: it enters itself under its process id, as that does."""
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path / "state"))
    save(gripper, tmp_path / "served.swcap")
    command = [
        sys.executable,
        "-X",
        "utf8",
        "-m",
        "swgrm_addin.com.local_server",
        PROGID,
        str(tmp_path / "served.swcap"),
    ]
    with registered(PROGID, LocalServer32=subprocess.list2cmdline(command)):
        yield command


def test_a_seat_of_our_own_is_started_asked_and_ended(program: list[str], gripper: Capture, tmp_path: Path) -> None:
    seat = SolidWorksSeat(program)
    scheme, _, identity = seat.address.partition(":")
    assert scheme == "process"
    assert seat.is_alive()
    references, findings = capture(identity, Path(gripper.source.path), "", tmp_path / "read.swcap")
    assert load(tmp_path / "read.swcap") == gripper
    assert findings == ()
    assert set(references) == {document.path for document in gripper.documents}
    seat.end()
    assert not seat.is_alive()
    assert not is_running(int(identity))


def test_a_document_goes_through_its_own_child_and_a_killed_solidworks_costs_one_retry(
    program: list[str], gripper: Capture, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[SolidWorksSeat] = []

    def start() -> SolidWorksSeat:
        started.append(SolidWorksSeat(program))
        if len(started) == 1:
            kill(int(started[0].address.partition(":")[2]))
        return started[-1]

    seats = Seats({"solidworks": start})
    monkeypatch.setattr(worker, "seats", lambda: seats)
    task = Task("gripper.SLDASM", Path(gripper.source.path), tmp_path / "out", "solidworks", options=Options(("grm",)))
    outcome = worker.run(task)
    seats.close()
    assert outcome.result == "exported", msgspec.json.encode(outcome)
    assert (len(started), len(outcome.failures)) == (2, 1)
    assert (tmp_path / "out" / "gripper.grm.json").is_file()
    assert not any(seat.is_alive() for seat in started)
    assert list((tmp_path / "state").rglob("*.json")) == []


def test_where_the_add_in_is_loaded_a_document_takes_one_call_that_brings_its_findings(
    gripper: Capture, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def read_from_outside(*_: object) -> None:
        raise AssertionError("it was read call by call")

    monkeypatch.setattr("swgrm_addin.reader.read", read_from_outside)
    monkeypatch.setenv("SWGRM_DATA", str(tmp_path / "data"))
    save(gripper, tmp_path / "served.swcap")
    command = [sys.executable, "-X", "utf8", str(SERVER), str(tmp_path / "served.swcap"), "load", "spoil"]
    registry.register()
    try:
        with registered(APPLICATION), registered(CONTROL):
            seat = SolidWorksSeat(command)
            identity = seat.address.partition(":")[2]
            references, findings = capture(identity, Path(gripper.source.path), "", tmp_path / "read.swcap")
            seat.end()
    finally:
        registry.unregister()
    assert load(tmp_path / "read.swcap").components == gripper.components
    assert [finding.code for finding in findings] == ["bad-numbers"]
    assert set(references) == {document.path for document in gripper.documents}
