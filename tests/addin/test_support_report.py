"""The report of a problem: complete, shown before it is written, and without anything that identifies the user."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import msgspec
import pytest
from msgspec.structs import replace
from tests.commands import swgrm

from swgrm.capture import CallFailure, Capture, decode, save
from swgrm.capture.anonymize import chosen_names
from swgrm_addin import pipeline, support_report
from swgrm_addin.inside.addin_folders import user_folders
from swgrm_addin.support_report import LOG_LENGTH, packed, report_files
from swgrm_mocks.samples import sample

USER, COMPUTER, PROJECT = "annabella müller", "WORKSTATION-7", "Geheimprojekt Otter"
OTHER = "otter_gripper"  # a document that the log names, and the report is not about


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The home folder of a user, with a project in it and a log that names both in every spelling."""
    home = tmp_path / "home" / USER
    project = home / PROJECT
    project.mkdir(parents=True)
    for name in ("USER", "USERNAME", "LOGNAME"):
        monkeypatch.setenv(name, USER)
    monkeypatch.setenv("COMPUTERNAME", COMPUTER)
    monkeypatch.setenv("SWGRM_DATA", str(home / "state"))
    monkeypatch.setattr(Path, "home", lambda: home)
    monkeypatch.setattr("platform.node", lambda: COMPUTER)
    monkeypatch.chdir(project)
    lines = [
        f"2026-11-17 10:00:00,000 7 INFO read {project}/otter arm.SLDASM: 11 components",
        f"2026-11-17 10:00:01,000 7 INFO read C:\\Users\\{USER}\\{PROJECT}\\{OTHER}.SLDASM: 3 components",
        f"2026-11-17 10:00:01,500 7 INFO Checking {OTHER}: process 9",
        f"2026-11-17 10:00:02,000 7 ERROR [Errno 13] {json.dumps(str(project / 'x.json'))} of {USER.upper()}",
        f"2026-11-17 10:00:03,000 7 ERROR file://{quote(str(project))}/arm.html on {COMPUTER.lower()}",
        "2026-11-17 10:00:04,000 7 ERROR joint shoulder_otter_joint has no axis",
    ]
    (home / "state").mkdir()
    (home / "state" / "swgrm.log").write_text("\n".join([*lines, ""]), "utf-8")
    return home


RENAMED = {
    "shoulder": "shoulder_otter",
    "C:\\Robots\\arm.SLDASM": f"C:\\Users\\{USER}\\{PROJECT}\\otter arm.SLDASM",
}


def otter() -> Capture:
    """The sample arm, with names of the user in it, and a failed call that names his folder."""
    failure = CallFailure("IMate2.Alignment", "mate Otter1", f"denied: C:\\Users\\{USER}\\{PROJECT}\\x.SLDPRT")
    renamed_arm: Capture = renamed(sample("arm"))
    return replace(renamed_arm, failures=(failure,))


def renamed(value: Any) -> Any:
    """A part of a capture with other names."""
    if isinstance(value, str):
        for name, other in RENAMED.items():
            value = value.replace(name, other)
        return value
    if isinstance(value, tuple):
        return tuple(map(renamed, value))
    if not isinstance(value, msgspec.Struct):
        return value
    return replace(value, **{field: renamed(getattr(value, field)) for field in value.__struct_fields__})


def contents(data: bytes) -> Iterator[bytes]:
    """The bytes of a file, and of all files in it, however deep, if it is a zip."""
    yield data
    if zipfile.is_zipfile(io.BytesIO(data)):
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            for entry in archive.infolist():
                yield entry.filename.encode() + entry.comment + entry.extra
                yield from contents(archive.read(entry))


def found_in(data: bytes, words: Iterator[str] | set[str]) -> set[str]:
    """The words that the file contains, in any usual encoding."""
    every = [content.lower() for content in contents(data)]
    return {
        word
        for word in words
        for spelling in (word, word.lower(), json.dumps(word)[1:-1], quote(word))
        for encoding in ("utf-8", "utf-16-le", "utf-16-be", "cp1252")
        if any(spelling.lower().encode(encoding, "replace") in content for content in every)
    }


SECRETS = {USER, "annabella", "müller", COMPUTER, PROJECT, "Geheimprojekt", "otter"}


def test_the_report_contains_nothing_of_the_user(home: Path) -> None:
    save(otter(), home / PROJECT / "otter arm.swcap")
    files = report_files("otter arm.swcap")
    data = packed(files)
    assert found_in(data, SECRETS | {str(home)}) == set()
    names = {name for name in chosen_names(otter()) if len(name) > 4 and name not in ("Default", "Origin")}
    capture = next(file.data for file in files if file.name == "capture.swcap")
    assert found_in(capture, names) == set()
    assert [file.name for file in files] == [
        "README.txt", "versions.json", "doctor.json", "failures.json", "log.txt", "capture.swcap",
    ]  # fmt: skip


def test_the_search_finds_what_a_report_with_names_contains(home: Path) -> None:
    """The test above can fail: the same search finds the names in a report that keeps them."""
    save(otter(), home / PROJECT / "otter arm.swcap")
    data = packed(report_files("otter arm.swcap", with_names=True))
    assert {"annabella", "müller", PROJECT, "otter"} <= found_in(data, SECRETS)
    text = f'{{"path": {json.dumps(USER)}}}'.encode() + COMPUTER.encode("utf-16-le")
    inner, outer = io.BytesIO(), io.BytesIO()
    for buffer, name, content in ((inner, "a.json", text), (outer, "a.zip", inner)):
        with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr(name, content if isinstance(content, bytes) else content.getvalue())
    assert {USER, COMPUTER} <= found_in(outer.getvalue(), SECRETS)


def test_what_a_maintainer_needs_is_inside(home: Path) -> None:
    save(otter(), home / PROJECT / "otter arm.swcap")
    files = {file.name: file.data for file in report_files("otter arm.swcap")}
    failures = json.loads(files["failures.json"])
    assert failures["sameJoints"] is True
    assert failures["calls"][0]["problem"] == "denied: <folder>/x.SLDPRT"
    assert failures["findingsOfReading"] == {"calls-failed": 1}
    log = files["log.txt"].decode()
    assert "INFO read <folder>/<name>.SLDASM: 11 components" in log
    assert log.count("\n") == 6
    versions = json.loads(files["versions.json"])
    assert versions["solidworks"] == "34.1.0"
    assert versions["libraries"].keys() >= {"numpy", "msgspec"}
    assert {each["name"] for each in json.loads(files["doctor.json"])} >= {"swgrm", "libraries", "subprocess"}
    robot = pipeline.understand(decode(files["capture.swcap"])).robot
    assert sum(not frame.is_rigid for frame in robot.frames) == 6


@pytest.mark.parametrize("source", ["there is none.swcap", "damaged.swcap"])
def test_a_source_that_cannot_be_read_is_a_failure_in_the_report(home: Path, source: str) -> None:
    (home / PROJECT / "damaged.swcap").write_bytes(b"PK damaged")
    files = {file.name: file.data for file in report_files(source)}
    assert "capture.swcap" not in files
    error = json.loads(files["failures.json"])["reading"]
    assert error["type"] == "FileError"
    assert "sources.py" in error["traceback"]


def test_an_error_in_the_inference_is_a_failure_in_the_report(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise ZeroDivisionError(f"in {home}/x.py")

    monkeypatch.setattr(pipeline, "understand", fail)
    failures = json.loads(next(f.data for f in report_files("mock:arm") if f.name == "failures.json"))
    assert failures["understanding"]["message"] == failures["understandingOfThisCapture"]["message"]
    assert failures["understanding"]["message"].startswith("in <folder>")
    assert failures["findings"] == []


def failures_of(source: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(next(f.data for f in report_files(source) if f.name == "failures.json"))
    return found


def test_names_in_an_error_are_replaced_although_the_log_does_not_have_them(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(source: object) -> None:
        raise KeyError("wrist_2-1" if isinstance(source, pipeline.Source) else "c000003-1")

    monkeypatch.setattr(pipeline, "understand", fail)
    (home / "state" / "swgrm.log").unlink()
    failure = CallFailure("IMate2.Alignment", "", "the component wrist_2-1 is gone")
    save(replace(sample("arm"), failures=(failure,)), Path("otter arm.swcap"))
    failures = failures_of("otter arm.swcap")
    assert failures["understanding"]["message"] == "'<name>-1'"
    assert failures["understandingOfThisCapture"]["message"] == "'c000003-1'"
    assert failures["calls"][0]["problem"] == "the component <name>-1 is gone"


def test_names_in_the_errors_of_a_robot_file_are_replaced(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (home / "state" / "swgrm.log").unlink()
    links = '<link name="otter base"/><link name="wrist"/>'
    ends = '<parent link="otter base"/><child link="{}"/>'
    for file, child in (("broken.urdf", "secret_gripper_fingr"), ("good.urdf", "wrist")):
        joint = f'<joint name="elbow_secret" type="fixed">{ends.format(child)}</joint>'
        Path(file).write_text(f'<robot name="secret_bot">{links}{joint}</robot>', "utf-8")
    reading = failures_of("broken.urdf")["reading"]
    assert '<joint name="<name>"> has the child link `<name>`' in reading["message"]
    assert "sources.py" in reading["traceback"]

    def fail(_: object) -> None:
        raise ValueError("secret_bot: 'a secret' of elbow_secret, it's \"Anna's\"")

    monkeypatch.setattr(pipeline, "understand", fail)
    assert failures_of("good.urdf")["understanding"]["message"] == "<name>: '<name>' of <name>, it's \"<name>\""


@pytest.mark.parametrize("is_in_history", [True, False])
def test_the_output_folder_of_a_command_line_is_replaced(home: Path, is_in_history: bool) -> None:
    folder = "D:\\Kunden\\Otterwerk GmbH"
    option = "--into" if is_in_history else "-o"  # an export that failed is in its command line alone
    if is_in_history:
        user_folders().add_to_history("D:\\arm.SLDASM", folder)
    line = f'INFO Exporting arm: process 9: python.exe -m swgrm_addin export x.swcap {option} "{folder}" --events'
    (home / "state" / "swgrm.log").write_text(f"{line}\n", "utf-8")
    log = next(file.data for file in report_files("mock:arm") if file.name == "log.txt").decode()
    assert f'{option} "<folder>" --events' in log


@pytest.mark.usefixtures("home")
def test_the_relative_folder_of_the_source_is_replaced() -> None:
    assert failures_of("Kunde/x.swcap")["reading"]["message"].startswith("<folder>/x.swcap: ")


def test_a_robot_file_is_not_in_its_report(home: Path) -> None:
    swgrm("convert", "mock:gripper", "otter.urdf")
    files = {file.name: file.data for file in report_files("otter.urdf")}
    assert "capture.swcap" not in files
    assert "it is not in this report" in files["README.txt"].decode()
    assert isinstance(json.loads(files["failures.json"])["findings"], dict)
    assert found_in(packed(report_files("otter.urdf")), SECRETS) == set()
    assert home.exists()


def test_the_end_of_a_long_log_is_kept_from_the_start_of_a_line(home: Path) -> None:
    (home / "state" / "swgrm.log").write_text("".join(f"line {n}\n" for n in range(100_000)), "utf-8")
    log = next(file.data for file in report_files("mock:arm") if file.name == "log.txt").decode()
    assert log.startswith("line ")
    assert log.endswith("line 99999\n")
    assert LOG_LENGTH - 20 < len(log) <= LOG_LENGTH


@pytest.mark.usefixtures("home")
def test_the_contents_are_shown_and_nothing_is_written_without_consent(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = swgrm("report", "mock:arm", "-o", "r.zip")
    assert "capture.swcap" in shown.stdout
    assert '"processors"' in shown.stdout
    assert "add --yes" in shown.stderr
    assert not Path("r.zip").exists()
    monkeypatch.setattr("sys.stdin.isatty", lambda: True, raising=False)
    for answer, is_written in ((False, False), (True, True)):
        monkeypatch.setattr("click.confirm", lambda _, answer=answer: answer)
        swgrm("report", "mock:arm", "-o", "r.zip")
        assert Path("r.zip").exists() is is_written


@pytest.mark.usefixtures("home")
def test_yes_writes_a_new_file_and_json_lists_it() -> None:
    written = swgrm("report", "mock:arm", "--yes")
    (file,) = Path().glob("swgrm-report-*.zip")
    assert f"wrote {file} (" in written.stdout
    again = swgrm("report", "mock:arm", "--yes", "--json")
    second = file.with_name(f"{file.stem}-2.zip")
    listed = json.loads(again.stdout)
    assert listed["file"] == second.name
    with zipfile.ZipFile(second) as archive:
        assert [entry["name"] for entry in listed["contents"]] == archive.namelist()
    assert "the file exists" in swgrm("report", "mock:arm", "-o", file).stderr
    assert "ends in .zip" in swgrm("report", "mock:arm", "-o", "a.swcap").stderr


def test_names_that_the_log_does_not_contain_are_not_searched_for(home: Path) -> None:
    found = pipeline.Source("mock:arm", sample("arm"))
    assert "flange" not in support_report._names_in("nothing", found, user_folders())
    assert "flange" in support_report._names_in("the flange", found, user_folders())
    assert home.exists()
