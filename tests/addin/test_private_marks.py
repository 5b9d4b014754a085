"""A mark in every text and every byte field is found nowhere in a report or an anonymous capture."""

from __future__ import annotations

import base64
import io
import string
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import msgspec
import pytest
from msgspec.structs import replace
from tests.contract.full_capture import full_capture

from swgrm.capture import CallFailure, Capture, encode, save
from swgrm.capture.anonymize import COMPONENT, KEPT, PATH, ROLES, anonymized
from swgrm.findings import finding
from swgrm.findings.codes import CODES
from swgrm.storage.privacy import scrubbed, with_known_words, without_folders
from swgrm_addin.support_report import packed, report_files
from swgrm_mocks.samples import SAMPLES, sample

STEM = "Xqvj"  # of every mark; no word of ours contains it


class Marks:
    """Makes marks that differ, and puts one into every text and byte field of a capture."""

    def __init__(self) -> None:
        self.count = 0
        self._known: dict[str, str] = {}

    def new(self) -> str:
        self.count += 1
        return f"{STEM}{self.count}"

    def _of(self, text: str) -> str:
        """The mark of a text, the same wherever the text is."""
        if text not in self._known:
            self._known[text] = self.new()
        return self._known[text]

    def marked(self, value: Any, role: str = "", keep: bool = False) -> Any:
        if isinstance(value, msgspec.Struct):
            return replace(value, **{name: self._field(value, name) for name in value.__struct_fields__})
        if isinstance(value, tuple):
            return tuple(self.marked(item, role, keep) for item in value)
        if keep or not value:
            return value
        if isinstance(value, bytes):  # of the same length, because triangles are counted
            return (self.new().encode() + value[len(STEM) + 4 :])[: max(len(value), len(STEM) + 1)]
        if not isinstance(value, str):
            return value
        if role == PATH:
            folder, _, name = value.rpartition("\\")
            stem, _, ending = name.partition(".")
            return f"C:\\{self._of(folder)}\\{self._of(stem)}.{ending or 'SLDPRT'}"
        if role == COMPONENT:
            levels = [level.rpartition("-") for level in value.split("/")]
            return "/".join(f"{self._of(stem)}-{number}" for stem, _, number in levels)
        return self._of(value)

    def _field(self, record: msgspec.Struct, name: str) -> Any:
        kind: Any = type(record)
        is_defined = (kind, name) in KEPT and name in DEFINED
        return self.marked(getattr(record, name), ROLES.get(kind, {}).get(name, ""), is_defined)


DEFINED = {"solidworks", "name_hint", "kind", "feature_type", "member"}  # texts of SolidWorks or swgrm, not of users


def marked_capture(capture: Capture, marks: Marks) -> Capture:
    problems = (f"{marks.new()} is gone", f"in \\\\{marks.new()}\\{marks.new()}\\x", f"denied: {marks.new()}/a b")
    failures = tuple(CallFailure("IMate2.Type", f"mate {marks.new()}", problem) for problem in problems)
    marked: Capture = marks.marked(capture)
    return replace(marked, failures=failures)


def contents(data: bytes) -> Iterator[bytes]:
    """The bytes of a file, and of all files in it if it is a zip."""
    yield data
    if zipfile.is_zipfile(io.BytesIO(data)):
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            for entry in archive.infolist():
                yield entry.filename.encode() + entry.comment + entry.extra
                yield from contents(archive.read(entry))


def marks_in(data: bytes) -> list[str]:
    """The spellings of the marks' stem that the bytes contain."""
    found = []
    for content in contents(data):
        lower = content.lower()
        for encoding in ("utf-8", "utf-16-le", "utf-16-be"):
            if STEM.lower().encode(encoding) in lower:
                found.append(encoding)
        for shift in range(3):  # base64 has another spelling for each place in a group of three bytes
            code = base64.b64encode(b"\0" * shift + STEM.encode())[4 if shift else 0 : -4]
            if len(code) >= 4 and code in content:
                found.append(f"base64 {shift}")
        if quote(STEM[::-1]).encode() in content:
            found.append("reversed")
    return found


def test_the_search_finds_marks() -> None:
    marks = Marks()
    capture = marked_capture(full_capture(), marks)
    assert marks.count > 60
    assert marks_in(encode(capture))
    assert marks_in(f"{STEM}1".encode("utf-16-le"))


@pytest.mark.parametrize("name", ["full", *SAMPLES])
def test_no_mark_is_in_an_anonymous_capture(name: str) -> None:
    capture = full_capture() if name == "full" else sample(name)
    assert marks_in(encode(anonymized(marked_capture(capture, Marks())))) == []


class AnyFact(str):
    """A mark for a fact of a finding, whatever format its sentence gives to it."""

    __slots__ = ()

    def __format__(self, _spec: str) -> str:
        return str(self)


def lines_about_another_assembly(marks: Marks) -> list[str]:
    """A line of the log for every kind of finding, and errors as they were seen in logs."""
    lines = [
        f"The connection to SolidWorks was lost while reading the shape of {marks.new()}-1 (IMate2.Type: 0x80010108).",
        f"There is no joint `{marks.new()}_joint`. Did you mean `{marks.new()}_joint`?",
        f"Exporting {marks.new()} v2: process 9: python.exe -m swgrm_addin export x.swcap",
        f"KeyError: {marks.new()}",
        f"GET https://anna:{marks.new()}@proxy.{marks.new()}.com:8080/a?token={marks.new()}",
        f"[Errno 13] Permission denied: 'D:\\{marks.new()}\\{marks.new()} {marks.new()}.SLDPRT'",
    ]
    for code, kind in CODES.items():
        fields = [name for _, name, _, _ in string.Formatter().parse(kind.sentence) if name]
        facts = {name.partition(".")[0].partition("[")[0]: AnyFact(marks.new()) for name in fields}
        lines.append(str(finding(code, f"component {marks.new()}-1", **facts)))
    return [f"2026-11-17 10:00:00,000 7 ERROR {line}" for line in lines]


@pytest.fixture
def log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("SWGRM_DATA", str(tmp_path / "state"))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "state").mkdir()
    file = tmp_path / "state" / "swgrm.log"
    file.write_text("\n".join([*lines_about_another_assembly(Marks()), ""]), "utf-8")
    return file


def test_no_mark_of_another_assembly_is_in_a_report(log: Path) -> None:
    assert marks_in(log.read_bytes())
    files = report_files("mock:gripper")
    assert marks_in(packed(files)) == []
    text = next(file.data for file in files if file.name == "log.txt").decode()
    assert "was lost while reading the shape of <name>-1 (IMate2.Type: 0x80010108)." in text
    assert "There is no joint `<name>`. Did you mean `<name>`?" in text
    assert text.count("\n") == log.read_text("utf-8").count("\n")


def test_no_mark_of_the_assembly_itself_is_in_its_report(log: Path) -> None:
    save(marked_capture(full_capture(), Marks()), Path("robot.swcap"))
    assert marks_in(packed(report_files("robot.swcap"))) == []
    Path("robot.swcap").write_bytes(f"PK {STEM}1".encode())
    assert marks_in(packed(report_files("robot.swcap"))) == []
    assert log.exists()


# ---- addresses


@pytest.mark.parametrize(
    ("text", "replaced"),
    [
        ("see https://example.org/docs/a.html: done", "see https://example.org/docs/a.html: done"),
        ("http://anna:pa55@proxy:8080/x", "http://<user>@proxy:8080/x"),
        ("https://host/a?x=1&access_token=abc&y=2", "https://host/a?x=1&access_token=<secret>&y=2"),
        ("https://host/a and C:\\Users\\anna\\b.stl", "https://host/a and <folder>/b.stl"),
        ("file:///home/anna/secret/x.html", "file:/<folder>/x.html"),
    ],
)
def test_addresses_stay_whole_and_lose_their_passwords(text: str, replaced: str) -> None:
    assert without_folders(text) == replaced
    assert scrubbed(text, {}) == replaced


def test_words_of_swgrm_stay() -> None:
    for code, kind in CODES.items():
        assert with_known_words(kind.sentence) == kind.sentence, code
