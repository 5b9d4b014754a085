"""The command `swgrm selftest`: what it refuses, and what it writes into the user's defaults."""

from __future__ import annotations

import zipfile
from pathlib import Path

import msgspec
import pytest
from tests.addin.selftest.mock_runs import report_of
from tests.commands import swgrm

from swgrm.processes.conversation import Conversation
from swgrm.processes.protocol import ErrorEvent
from swgrm_addin.jobs import JudgeJob, start_program
from swgrm_addin.selftest.judge.archive import REPORT


def test_a_file_that_exists_is_not_replaced(tmp_path: Path) -> None:
    file = tmp_path / "mine.zip"
    file.write_bytes(b"mine")
    result = swgrm("selftest", "--mock", "-o", file)
    assert result.returncode == 2
    assert "the file exists" in result.stderr
    assert file.read_bytes() == b"mine"


def test_without_a_name_the_file_is_new_and_named_after_solidworks(tmp_path: Path) -> None:
    names = []
    for _ in range(2):
        result = swgrm("selftest", "--mock", "--only", "A1.locked", cwd=tmp_path)
        assert result.returncode == 0, result.stderr
        names.append(result.stdout.splitlines()[-1].removeprefix("wrote "))
    assert names[0].startswith("swgrm-selftest-mock-34.")
    assert names[1] == names[0].replace(".zip", "-2.zip")
    assert {path.name for path in tmp_path.iterdir()} == set(names)


def test_an_unknown_assembly_is_named(tmp_path: Path) -> None:
    result = swgrm("selftest", "--mock", "--only", "A99", "-o", tmp_path / "x.zip")
    assert result.returncode == 2
    assert "no assembly A99" in result.stderr


def test_undo_needs_apply(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SWGRM_CONFIG", str(tmp_path))
    assert swgrm("selftest", "--undo").returncode == 2
    result = swgrm("selftest", "--apply", "--undo")
    assert result.returncode == 0
    assert "has written nothing" in result.stdout


def test_files_that_are_not_of_a_selftest_are_refused(tmp_path: Path) -> None:
    report = report_of(tmp_path, ["A1.locked"])
    newer = tmp_path / "newer.zip"
    with zipfile.ZipFile(newer, "w") as archive:
        archive.writestr(REPORT, msgspec.json.encode(msgspec.structs.replace(report, version=99)))
    empty = tmp_path / "empty.zip"
    with zipfile.ZipFile(empty, "w"):
        pass
    text = tmp_path / "text.zip"
    text.write_text("no zip")
    expected = {
        newer: "version 99", empty: "not the file of a self-test", text: "not the file of a self-test",
        tmp_path / "none.zip": "does not exist",
    }  # fmt: skip
    for file, problem in expected.items():
        result = swgrm("selftest", "--read", file)
        assert result.returncode == 2
        assert problem in result.stderr


def test_the_judge_of_the_addin_needs_the_folder_of_a_run(tmp_path: Path) -> None:
    with start_program() as child:
        answer = Conversation(child, JudgeJob(folder=str(tmp_path), file=str(tmp_path / "x.zip"))).wait()
    assert isinstance(answer, ErrorEvent)
    assert (answer.kind, answer.code) == ("FileError", 2)
    assert "not the record of a self-test" in answer.message


def test_without_solidworks_the_remedy_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda _name: None)
    result = swgrm("selftest")
    assert result.returncode == 2
    assert "--mock" in result.stderr
