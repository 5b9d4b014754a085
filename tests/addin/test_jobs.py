"""The program that does jobs: every kind of job, its result, its findings and its errors."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest
from tests.batches import tree

from swgrm.capture import save
from swgrm.findings import Severity
from swgrm.processes.child import Child
from swgrm.processes.conversation import Conversation
from swgrm.processes.protocol import ErrorEvent, Job, ResultEvent, encode
from swgrm_addin import job_program
from swgrm_addin.jobs import (
    AnyJob,
    CheckJob,
    ExportJob,
    ExportResult,
    ReportJob,
    ReportResult,
    SettingsJob,
    WaitJob,
    start_program,
)
from swgrm_addin.pipeline import export
from swgrm_mocks.samples import sample


@pytest.fixture
def child() -> Iterator[Child]:
    with start_program() as child:
        yield child


def result_of(child: Child, job: Job) -> tuple[Any, Conversation]:
    conversation = Conversation(child, job)
    end = conversation.wait()
    assert isinstance(end, ResultEvent), (end, conversation.text)
    return end.value, conversation


def error_of(child: Child, job: Job) -> ErrorEvent:
    end = Conversation(child, job).wait()
    assert isinstance(end, ErrorEvent)
    assert child.popen.wait(60) == end.code
    return end


def test_every_kind_of_job_is_done() -> None:
    assert set(job_program.RUNNERS) == set(get_args(AnyJob))


def test_an_export_has_the_files_of_the_pipeline_and_reports_what_it_found(child: Child, tmp_path: Path) -> None:
    expected = export("mock:arm", tmp_path / "expected")
    job = ExportJob(source="mock:arm", folder=str(tmp_path / "out"))
    value, conversation = result_of(child, job)
    done = msgspec.json.decode(value, type=ExportResult)
    assert tree(tmp_path / "out") == tree(tmp_path / "expected")
    assert [Path(file).name for file in done.files] == [file.name for file in expected.files]
    assert tuple(conversation.findings) == expected.findings
    moving = [frame.joint.type for frame in expected.robot.frames if frame.joint and not frame.is_rigid]
    assert done.joints == {str(kind): moving.count(kind) for kind in moving}
    assert (done.robot, done.folder) == ("arm", str(tmp_path / "out"))
    assert done.links == sum(len(frame.links) for frame in expected.robot.frames)
    assert conversation.progress.done == 1.0


def test_the_folder_is_that_of_the_job_or_of_the_settings_or_the_default(child: Child, tmp_path: Path) -> None:
    settings = tmp_path / "arm.grm.yaml"
    settings.write_text("export: {folder: named}\n")
    job = ExportJob(source="mock:four_bar", formats=("grm",), default_folder=str(tmp_path / "default"))
    named = msgspec.structs.replace(job, settings=str(settings))
    given = msgspec.structs.replace(named, folder=str(tmp_path / "given"))
    for each, folder in ((job, "default"), (named, "named"), (given, "given")):
        value, _ = result_of(child, each)
        assert msgspec.json.decode(value, type=ExportResult).folder == str(tmp_path / folder)
        assert (tmp_path / folder / "four_bar.grm.json").exists()
    error = error_of(child, ExportJob(source="mock:four_bar"))
    assert "No folder to write into" in error.message


def test_options_take_precedence_and_edited_files_can_be_refused(child: Child, tmp_path: Path) -> None:
    job = ExportJob(source="mock:four_bar", folder=str(tmp_path), formats=("grm",))
    result_of(child, job)
    short = (tmp_path / "four_bar.grm.json").read_bytes()
    complete = msgspec.structs.replace(job, options={"grm": {"complete": True}})
    result_of(child, complete)
    assert len((tmp_path / "four_bar.grm.json").read_bytes()) > len(short)
    (tmp_path / "four_bar.grm.json").write_text("edited")
    error = error_of(child, msgspec.structs.replace(job, edited="refuse"))
    assert (error.kind, error.code) == ("EditedFilesError", 73)
    assert "files were edited" in error.message
    assert (tmp_path / "four_bar.grm.json").read_text() == "edited"


def test_one_child_checks_drafts_settings_and_makes_a_report(child: Child, tmp_path: Path) -> None:
    capture = tmp_path / "arm.swcap"
    save(sample("arm"), capture)
    _, checked = result_of(child, CheckJob(source=str(capture)))
    assert all(finding.severity is Severity.NOTE for finding in checked.findings)
    result_of(child, SettingsJob(source=str(capture), file=str(tmp_path / "arm.grm.yaml")))
    assert "joints:" in (tmp_path / "arm.grm.yaml").read_text("utf-8")
    value, _ = result_of(child, ReportJob(source=str(capture), file=str(tmp_path / "report.zip"), with_names=False))
    names = [content.name for content in msgspec.json.decode(value, type=ReportResult).contents]
    assert "capture.swcap" in names
    assert (tmp_path / "report.zip").stat().st_size > 0
    error = error_of(child, SettingsJob(source=str(capture), file=str(tmp_path / "arm.grm.yaml")))
    assert "settings are never overwritten" in error.message


def test_a_job_of_another_version_is_refused_with_a_sentence(child: Child) -> None:
    job = msgspec.json.decode(encode(WaitJob(process=1))) | {"version": 2, "limit": 3}
    child.send(msgspec.json.encode(job))
    answer = msgspec.json.decode(next(child.lines()), type=ErrorEvent)
    assert "version 2" in answer.message
    assert "Close that program and start it again." in answer.message


def test_files_beside_a_robot_are_not_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder of a robot from elsewhere may contain modules with the names of libraries."""
    for name in ("lxml", "yaml", "numpy", "swgrm_mocks"):
        (tmp_path / f"{name}.py").write_text(f"open('{name} was run', 'w')\n")
    monkeypatch.chdir(tmp_path)
    with start_program() as child:
        result_of(child, ExportJob(source="mock:four_bar", folder=str(tmp_path / "out"), formats=("grm", "urdf")))
    assert list(tmp_path.glob("*was run")) == []
