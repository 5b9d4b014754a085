"""SolidWorks as the batch uses it: started as a program, found by its process id, read by a subprocess, and ended."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import msgspec
import pytest
import pythoncom
from tests.com.addin_server import progids
from tests.com.playing import SERVER
from tests.com.test_command import moved
from tests.contract.transports import running

from swgrm import load as load_robot
from swgrm.capture import Capture
from swgrm.capture.file import save
from swgrm.errors import BusyError, Cancelled, SolidWorksError, SwgrmError
from swgrm.processes.child import Child
from swgrm.processes.identity import is_running
from swgrm.processes.windows import kill
from swgrm_addin import remote
from swgrm_addin.batch import solidworks, worker
from swgrm_addin.batch.instance_pool import InstancePool
from swgrm_addin.batch.journal import DocumentStarted, Journal, read_journal
from swgrm_addin.batch.records import BatchOptions, DocumentResult, Task
from swgrm_addin.batch.solidworks import StartedInstance, capture
from swgrm_addin.com import reach
from swgrm_addin.com.transport import ComTransport
from swgrm_addin.inside.identity import CLSID as CLSID_OF_ADDIN
from swgrm_addin.inside.identity import PROGID as PROGID_OF_ADDIN
from swgrm_addin.installation import registry
from swgrm_addin.port import Port
from swgrm_mocks.samples import sample
from swgrm_mocks.solidworks import Fault
from swgrm_mocks.solidworks.dispatch import E_FAIL, REJECTED, RETRY_LATER
from swgrm_mocks.testing.com_registration import registered

PROGID = "swgrm.BatchTest"


@pytest.fixture
def gripper(tmp_path: Path) -> Capture:
    """An assembly whose file exists."""
    made = moved(sample("gripper"), tmp_path)
    Path(made.source.path).touch()
    return made


@pytest.fixture
def program(tmp_path: Path, gripper: Capture, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """The command of a server like SLDWORKS.EXE, which registers itself under its process id."""
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path / "state"))
    save(gripper, tmp_path / "served.swcap")
    command = [
        sys.executable,
        "-X",
        "utf8",
        "-m",
        "swgrm_mocks.testing.com_server",
        PROGID,
        str(tmp_path / "served.swcap"),
    ]
    with registered(PROGID, LocalServer32=subprocess.list2cmdline(command)):
        yield command


def test_an_own_instance_is_started_reads_a_document_and_is_ended(
    program: list[str], gripper: Capture, tmp_path: Path
) -> None:
    instance = StartedInstance(program)
    scheme, _, identity = instance.address.partition(":")
    assert scheme == "process"
    assert instance.is_alive()
    captured = capture(identity, Path(gripper.source.path), "", tmp_path / "read.swcap")
    assert "from outside SolidWorks" in captured.reading
    assert captured.capture == gripper
    assert captured.findings == ()
    assert set(captured.references) == {document.path for document in gripper.documents}
    instance.end()
    assert not instance.is_alive()
    assert not is_running(int(identity))


def test_a_document_is_read_by_its_own_subprocess_and_retried_once_if_solidworks_is_killed(
    program: list[str], gripper: Capture, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[StartedInstance] = []

    def start() -> StartedInstance:
        started.append(StartedInstance(program))
        if len(started) == 1:
            kill(int(started[0].address.partition(":")[2]))
        return started[-1]

    pool = InstancePool({"solidworks": start})
    monkeypatch.setattr(worker, "instance_pool", lambda: pool)
    task = Task(
        "gripper.SLDASM", Path(gripper.source.path), tmp_path / "out", "solidworks", options=BatchOptions(("grm",))
    )
    result = worker.run(task)
    pool.close()
    assert result.status == "exported", msgspec.json.encode(result)
    assert (len(started), len(result.failures)) == (2, 1)
    assert (tmp_path / "out" / "gripper.grm.json").is_file()
    assert not any(instance.is_alive() for instance in started)
    assert list((tmp_path / "state").rglob("*.json")) == []


def faulty(program: list[str], *faults: Fault) -> list[str]:
    """The program, failing some calls; the first call is StartupProcessCompleted."""
    encoded = msgspec.json.encode(faults).decode()
    return [*program[:3], "-m", "tests.com.faulty_server", *program[-2:], encoded]


def result_of(gripper: Capture, folder: Path, monkeypatch: pytest.MonkeyPatch, *commands: list[str]) -> DocumentResult:
    """The result of the gripper, with an instance for each command, one after the other."""
    left = iter(commands)
    pool = InstancePool({"solidworks": lambda: StartedInstance(next(left))})
    monkeypatch.setattr(worker, "instance_pool", lambda: pool)
    task = Task(
        "gripper.SLDASM", Path(gripper.source.path), folder / "out", "solidworks", options=BatchOptions(("grm",))
    )
    try:
        return worker.run(task)
    finally:
        pool.close()
        assert next(left, None) is None, "as many instances were started as expected"
        assert list((folder / "state").rglob("*.json")) == []


def test_calls_that_a_busy_solidworks_rejects_are_repeated(
    program: list[str], gripper: Capture, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    busy = Fault(2, hresult=REJECTED, times=3), Fault(40, hresult=RETRY_LATER, times=3)
    result = result_of(gripper, tmp_path, monkeypatch, faulty(program, *busy))
    assert (result.status, result.failures) == ("exported", ())


def test_a_document_is_retried_on_another_instance_after_a_lost_licence(
    program: list[str], gripper: Capture, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lost = Fault(20, hresult=E_FAIL, times=10**6, description="the licence was lost")
    result = result_of(gripper, tmp_path, monkeypatch, faulty(program, lost), program)
    assert result.status == "exported", msgspec.json.encode(result)
    assert [failure.kind for failure in result.failures] == ["CallError"]
    assert "the licence was lost" in result.failures[0].message


@pytest.mark.parametrize("code", [REJECTED, RETRY_LATER], ids=hex)
def test_a_solidworks_that_stays_busy_is_an_error(
    program: list[str], gripper: Capture, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: int
) -> None:
    defaults = Port.__init__.__kwdefaults__
    assert defaults is not None
    monkeypatch.setitem(defaults, "patience", 0.5)
    instance = StartedInstance(faulty(program, Fault(2, hresult=code, times=10**6)))
    with pytest.raises(BusyError, match=r"stayed busy for .* s"):
        capture(instance.address.partition(":")[2], Path(gripper.source.path), "", tmp_path / "read.swcap")
    instance.end()


def test_an_order_waits_while_solidworks_is_busy() -> None:
    pauses: list[float] = []
    answers: list[Exception | int] = [busy_error(REJECTED), busy_error(RETRY_LATER), 7]
    states = [f'{{"ticket": "T", "state": "{state}"}}' for state in ("queued", "running")]
    states.append('{"ticket": "T", "state": "done", "summary": "It was exported."}')
    given: list[tuple[str, ...]] = []

    def number(_locale: int, _name: str) -> int:
        answer = answers.pop(0) if answers else 7
        if isinstance(answer, Exception):
            raise answer
        return answer

    def invoke(_dispid: int, _locale: int, _flags: int, _wanted: bool, *words: str) -> str:
        given.append(words)
        return "T" if len(words) > 1 else states.pop(0)

    raw = SimpleNamespace(GetIDsOfNames=number, Invoke=invoke)
    port = Port(ComTransport(), sleep=pauses.append)
    named: list[str] = []

    def add_in(name: str) -> SimpleNamespace | None:
        named.append(name)
        return SimpleNamespace(raw=raw) if name == PROGID_OF_ADDIN else None

    application = SimpleNamespace(port=port, GetAddInObject=add_in)
    seen: list[str] = []
    summary = remote.export(application, "a.sldasm", "out", report=lambda state: seen.append(state.state))
    assert summary == "It was exported."
    assert (seen, len(pauses)) == (["queued", "running"], 2)
    assert given == [("a.sldasm", "out", ""), ("T",), ("T",), ("T",)]
    assert named == [CLSID_OF_ADDIN, PROGID_OF_ADDIN], "Windows may not find it by its CLSID"


@pytest.mark.parametrize(
    ("state", "error"),
    [("failed", SolidWorksError), ("unknown", SolidWorksError), ("cancelled", Cancelled)],
)
def test_an_order_without_a_result_is_an_error(state: str, error: type[SwgrmError]) -> None:
    answer = f'{{"ticket": "T", "state": "{state}", "message": "The reason."}}'
    raw = SimpleNamespace(GetIDsOfNames=lambda *_: 7, Invoke=lambda *_: answer)
    application = SimpleNamespace(port=Port(ComTransport()), GetAddInObject=lambda _: SimpleNamespace(raw=raw))
    with pytest.raises(error, match=r"The reason\."):
        remote.capture(application, "a.sldasm", "out")


def test_an_order_is_cancelled_if_the_program_is_interrupted() -> None:
    names = ["QueueCapture", "State", "Cancel"]
    called: list[str] = []

    def invoke(dispid: int, *_: object) -> str:
        called.append(names[dispid])
        return '{"ticket": "T", "state": "running"}'

    def interrupt(_: object) -> None:
        raise KeyboardInterrupt

    raw = SimpleNamespace(GetIDsOfNames=lambda _locale, name: names.index(name), Invoke=invoke)
    application = SimpleNamespace(port=Port(ComTransport()), GetAddInObject=lambda _: SimpleNamespace(raw=raw))
    with pytest.raises(KeyboardInterrupt):
        remote.capture(application, "a.sldasm", "out", report=interrupt)
    assert called == names


def busy_error(code: int) -> Exception:
    return pythoncom.com_error(code - 2**32, "busy", None, None)  # type: ignore[no-any-return]


def batch_of(folder: Path, *words: str, solidworks: str = PROGID) -> subprocess.CompletedProcess[str]:
    """The command on a folder, with the SolidWorks that is open."""
    command = [sys.executable, "-X", "utf8", "-m", "swgrm_addin", "batch", str(folder), "-o", str(folder / "out")]
    variables = os.environ | {"SWGRM_SOLIDWORKS": solidworks, "LOCALAPPDATA": str(folder / "state")}
    return subprocess.run(
        [*command, "--attach", "--format", "grm", *words],
        env=variables, capture_output=True, text=True, encoding="utf-8", timeout=300, check=False,
    )  # fmt: skip


def test_the_solidworks_that_is_open_is_used_and_stays_open(
    program: list[str], gripper: Capture, tmp_path: Path
) -> None:
    (tmp_path / "served.swcap").rename(tmp_path / "served.data")  # only the assembly is meant
    with running([*program[:-1], str(tmp_path / "served.data")]) as server:
        done = batch_of(tmp_path, "--jobs", "3", "--restart-every", "1")
        assert done.returncode == 0, done.stdout + done.stderr
        assert load_robot(tmp_path / "out" / "gripper" / "gripper.grm.json").name == "gripper"
        wrong = batch_of(tmp_path, "--configuration", "Long", "--resume")
        assert wrong.returncode == 1
        assert f"configuration `Long` is not the active one (`{gripper.source.configuration}`)" in wrong.stderr
        right = batch_of(tmp_path, "--configuration", gripper.source.configuration, "--resume")
        assert right.returncode == 0, right.stdout + right.stderr
        assert server.poll() is None


def test_without_an_open_solidworks_to_attach_to_the_document_fails(gripper: Capture, tmp_path: Path) -> None:
    done = batch_of(tmp_path, solidworks="swgrm.Nothing")
    assert done.returncode == 1
    assert "No running SolidWorks was found" in done.stderr
    assert Path(gripper.source.path).name in done.stderr


def test_processes_that_solidworks_started_end_with_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path))
    code = "import subprocess, sys; print(subprocess.Popen(sys.argv[1:]).pid, flush=True); input()"
    waits = [sys.executable, "-c", "import time; time.sleep(600)"]
    with Child([sys.executable, "-c", code, *waits], is_recorded=True) as started:
        other = int(next(started.lines()))
        assert is_running(other)
    assert not is_running(started.process.id)
    assert not is_running(other)


def test_a_journal_is_locked_by_one_run_and_can_be_read_meanwhile(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    code = "import sys; from pathlib import Path; from swgrm_addin.batch.journal import Journal, DocumentStarted\n"
    code += "journal = Journal(Path(sys.argv[1]), truncate=True)\n"
    code += "journal.write(DocumentStarted('theirs')); print(flush=True); input()"
    path.write_bytes(b'{"type":"document-started","document":"old"}')
    with subprocess.Popen([sys.executable, "-c", code, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as it:
        assert it.stdout is not None
        it.stdout.readline()
        with pytest.raises(SwgrmError, match="another run is using this folder"):
            Journal(path)
        assert list(read_journal(path)) == [DocumentStarted("theirs")]
        it.kill()
    with Journal(path) as journal:
        journal.write(DocumentStarted("ours"))
        assert list(read_journal(path)) == [DocumentStarted("theirs"), DocumentStarted("ours")]


def test_the_program_is_the_one_that_is_registered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reach, "PROGID", "swgrm.ProgramTest")
    with pytest.raises(SolidWorksError, match=r"SolidWorks is not registered.*Install"):
        solidworks.program()
    with registered("swgrm.ProgramTest", LocalServer32=r"C:\Program Files\SOLIDWORKS\SLDWORKS.exe /automation"):
        assert solidworks.program() == r"C:\Program Files\SOLIDWORKS\SLDWORKS.exe"


def test_where_the_add_in_is_loaded_it_takes_an_order_and_returns_the_findings(
    gripper: Capture, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def read_from_outside(*_: object) -> None:
        raise AssertionError("it was read call by call")

    monkeypatch.setattr("swgrm_addin.reader.read", read_from_outside)
    monkeypatch.setenv("SWGRM_DATA", str(tmp_path / "data"))
    save(gripper, tmp_path / "served.swcap")
    name = "BatchTest.WithAddin"  # not that of another test's server: this one is killed at the end
    application, control = progids(name)
    command = [sys.executable, "-X", "utf8", str(SERVER), name, str(tmp_path / "served.swcap"), "load", "spoil"]
    registry.register()
    try:
        with registered(application), registered(control):
            instance = StartedInstance(command)
            identity = instance.address.partition(":")[2]
            captured = capture(identity, Path(gripper.source.path), "", tmp_path / "read.swcap")
            instance.end()
    finally:
        registry.unregister()
    assert "inside SolidWorks, by swgrm's add-in." in captured.reading
    assert captured.capture.components == gripper.components
    assert [finding.code for finding in captured.findings] == ["not-read"]
    assert set(captured.references) == {document.path for document in gripper.documents}
