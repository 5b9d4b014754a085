"""Folders, user names and computer names are replaced in texts, however they are spelt."""

from __future__ import annotations

import json
from pathlib import Path
from urllib.parse import quote

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from swgrm.storage.privacy import names, own_folders, scrubbed, without_folders
from swgrm_addin.port import Port
from swgrm_addin.selftest.judge.archive import without_names
from swgrm_addin.selftest.judge.checks import Check, ConventionVerdict, Verdict
from swgrm_addin.selftest.judge.report import Report
from swgrm_addin.selftest.recorder import Recorder
from swgrm_addin.selftest.results import Environment
from swgrm_mocks.solidworks import MemoryTransport, MockSolidWorks

WORD = st.text("abcdefghijklmnopqrstuvwxyz_-", min_size=1, max_size=8)


def test_the_working_directory_is_not_recorded() -> None:
    """Its last name is a folder of the user's, not a file."""
    solidworks = MockSolidWorks()
    solidworks.working_directory = "C:\\Projects\\secret arm"
    recorder = Recorder(MemoryTransport())
    application = Port(recorder, sleep=bool).wrap(solidworks.application, "ISldWorks")
    application.SetCurrentWorkingDirectory(application.GetCurrentWorkingDirectory() + " 2")
    assert solidworks.working_directory == "C:\\Projects\\secret arm 2"
    recorded = msgspec.json.encode({name: msgspec.to_builtins(each) for name, each in recorder.take().items()})
    assert b"secret" not in recorded
    assert recorded.count(b'"<folder>"') == 2


@pytest.mark.parametrize(
    ("text", "replaced"),
    [
        (r"C:\Users\anna b\AppData\Local\Temp\x\block.SLDPRT", "<folder>/block.SLDPRT"),
        (r"saved C:\Users\anna\part.sldprt again", "saved <folder>/part.sldprt again"),
        (r"\\server\share\anna\templates\Part.prtdot", "<folder>/Part.prtdot"),
        ("/home/anna/.cache/x/part.SLDPRT", "<folder>/part.SLDPRT"),
        ("a ratio of 1/2, and A6.radii: done", "a ratio of 1/2, and A6.radii: done"),
        (repr(r"C:\Users\anna\x y\part.sldprt"), "'<folder>/part.sldprt'"),
        (json.dumps(r"\\server\anna\part.sldprt"), '"<folder>/part.sldprt"'),
        ("IMate2.MateEntity", "IMate2.MateEntity"),
        ("/mnt/My Secret Project/a.swcap", "<folder>/a.swcap"),
        (
            "read /My Disk/Anna's arm/a.swcap: 1/2, wrote /mnt/b c/d.urdf",
            "read <folder>/a.swcap: 1/2, wrote <folder>/d.urdf",
        ),
        ("it is '/mnt/a b/c.urdf' or '/mnt/a b/d.urdf'", "it is '<folder>/c.urdf' or '<folder>/d.urdf'"),
        ("(rad)/s of 1/2", "(rad)/s of 1/2"),
    ],
)
def test_folders_are_replaced_and_file_names_are_kept(text: str, replaced: str) -> None:
    assert without_folders(text) == replaced


@given(st.lists(WORD, min_size=1, max_size=5), WORD, st.sampled_from(["C:\\", "\\\\", "/"]))
def test_no_folder_of_a_path_is_left(folders: list[str], name: str, start: str) -> None:
    separator = "/" if start == "/" else "\\"
    text = without_folders(f"it is {start}{separator.join([*folders, name])}")
    assert text == f"it is <folder>/{name}"


def test_names_are_replaced_as_words_in_any_case(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("USER", "annabella")
    monkeypatch.setattr("platform.node", lambda: "WORKSTATION-7")
    data = {"annabella": ["Owner: Annabella, on workstation-7", 3, None, ("C_ANNABELLA2",)]}
    hidden = names()
    assert scrubbed(data, hidden) == {"annabella": ["Owner: <user>, on <computer>", 3, None, ["C_<user>2"]]}
    assert scrubbed("Jo in Jonas", {"jo": "<user>"}) == "<user> in Jonas"


def test_of_names_that_overlap_nothing_is_left() -> None:
    hidden = {"arm.SLDASM": "<name>", "otter arm": "<name>", "otter": "<name>"}
    assert scrubbed("read otter arm.SLDASM of Otter", hidden) == "read <name>.SLDASM of <name>"


def test_names_that_identify_nobody_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in ("USERNAME", "USER", "LOGNAME"):
        monkeypatch.setenv(variable, "root")
    assert "root" not in names()


@given(st.text(st.characters(codec="utf-8", exclude_categories=["C", "Z"], exclude_characters='\\/:"<>'), min_size=4))
def test_names_are_replaced_in_every_spelling(name: str) -> None:
    for spelling in (name, json.dumps(name), json.dumps(name, ensure_ascii=False), quote(name)):
        assert scrubbed(f"by {spelling}.", {name: "<user>"}).count("<user>") == 1


def test_folders_with_spaces_are_replaced_in_every_spelling(tmp_path: Path) -> None:
    folder = tmp_path / "Müller & Co" / "Project X"
    folder.mkdir(parents=True)
    for text in (f"{folder}/arm.urdf", json.dumps(str(folder / "arm.urdf")), quote(str(folder / "arm.urdf"))):
        found = scrubbed(f"it is {text}", own_folders(folder))
        assert "X" not in found
        assert found.strip('"').endswith("/arm.urdf")


def test_folders_in_a_known_folder_are_replaced_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Path, "home", lambda: Path("/home/anna b"))
    hidden = own_folders() | {r"C:\Users\anna b": "<folder>"}
    for text in ("/home/anna b/Secret Client/x/arm.urdf", r"C:\Users\anna b\Secret Client\arm.urdf"):
        assert scrubbed(f"it is {text}: 1/2", hidden) == "it is <folder>/arm.urdf: 1/2"


def test_relative_folders_are_replaced_and_roots_are_not() -> None:
    assert scrubbed("client/arm.urdf: ../a", own_folders(Path("client"))) == "<folder>/arm.urdf: ../a"
    assert own_folders(Path(), Path("/"), Path(".."), Path("D:")).keys().isdisjoint({".", "/", "..", "D:"})


def test_messages_of_failed_steps_name_no_folder_of_the_user() -> None:
    seen = "capture it: C:\\Users\\annabella\\Temp\\x\\A1.SLDASM: it is damaged, annabella."
    check = Check("A1/built", "a hinge", "", (), seen, Verdict.UNDECIDED)
    verdict = ConventionVerdict("gearRatio", "radii", (), Verdict.UNDECIDED, seen)
    report = Report(1, Environment(system="annabella's"), (verdict,), (check,), {}, seen)
    text = msgspec.json.encode(without_names(report, {"annabella": "<user>"})).decode()
    assert "annabella" not in text
    assert text.count("<folder>/A1.SLDASM: it is damaged, <user>.") == 3
