"""The whole self-test in the mock SolidWorks: everything is built, driven and judged, and the file names nobody."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.commands import CommandResult, swgrm

from swgrm.solidworks.conventions import CONVENTIONS
from swgrm_addin.selftest.assemblies import ASSEMBLIES, UNSETTLED
from swgrm_addin.selftest.parts import PARTS

USER = "wilhelmina-of-orange"


class Done:
    """A self-test that was run by the command."""

    def __init__(self, file: Path, result: CommandResult) -> None:
        self.file, self.result = file, result
        with zipfile.ZipFile(file) as archive:
            self.entries = {name: archive.read(name) for name in archive.namelist()}
        self.report: dict[str, Any] = json.loads(self.entries["report.json"])
        self.checks: dict[str, dict[str, Any]] = {check["id"]: check for check in self.report["checks"]}


@pytest.fixture(scope="module")
def done(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Done]:
    """The whole self-test, run by a user with a conspicuous name in a home folder of that name."""
    home = tmp_path_factory.mktemp("home") / USER
    (home / "tmp").mkdir(parents=True)
    with pytest.MonkeyPatch.context() as patched:
        for name in ("USER", "USERNAME", "LOGNAME"):
            patched.setenv(name, USER)
        patched.setenv("HOME", str(home))
        patched.setenv("USERPROFILE", str(home))
        patched.setattr("tempfile.tempdir", str(home / "tmp"))
        file = home / "selftest.zip"
        result = swgrm("selftest", "--mock", "-o", file)
        assert not list((home / "tmp").iterdir()), "the working folder was left behind"
        yield Done(file, result)


def test_everything_is_confirmed_except_what_the_api_cannot_build(done: Done) -> None:
    assert done.result.returncode == 0, done.result.stderr
    verdicts = {name: check["verdict"] for name, check in done.checks.items()}
    left = {name for name, verdict in verdicts.items() if verdict not in ("confirmed", "measured")}
    assert left == {each.id for each in UNSETTLED}
    assert all("not settled" in done.checks[each.id]["seen"] for each in UNSETTLED)
    assert set(done.report["steps"]) == {"done"}
    assert done.report["stopped"] == ""


def test_every_assembly_is_built_read_and_moved(done: Done) -> None:
    for name in PARTS:
        assert f"part {name}" in done.checks
    for spec in ASSEMBLIES:
        motions = sum(len(drive.values) for drive in spec.drives) + len(spec.trials)
        expected = {f"{spec.id}/built", f"{spec.id}/read", *(f"{spec.id}/freedom of {name}" for name in spec.truth)}
        expected |= {f"{spec.id}/limits of {name}" for name in spec.limits}
        expected |= {f"{spec.id}/motion {number + 1}" for number in range(motions)}
        assert {name for name in done.checks if name.startswith(f"{spec.id}/")} >= expected
        assert f"captures/{spec.file}.swcap" in done.entries
        assert f"raw/{spec.id}.json" in done.entries


def test_every_convention_is_confirmed(done: Done) -> None:
    found = {each["key"]: (each["verdict"], each["fitting"]) for each in done.report["conventions"]}
    assert found == {key: ("confirmed", [next(iter(each.choices))]) for key, each in CONVENTIONS.items()}


def test_raw_answers_have_values_and_hresults(done: Done) -> None:
    raw = json.loads(done.entries["raw/A8.inch.json"])
    assert raw["IScrewMateFeatureData.RevolutionVal"]["answers"]
    assert raw["IAssemblyDoc.CreateMateData"]["calls"] == 2  # the screw, and the angle that drives it
    assert {answer["value"] for answer in raw["IComponent2.Name2"]["answers"]} == {"plate-1", "rod-1"}
    environment = done.report["environment"]
    assert environment["solidworks"]
    assert environment["language"] == "english"
    assert all("/" not in module["name"] and "\\" not in module["name"] for module in environment["modules"])


def entries(data: bytes) -> Iterator[bytes]:
    """The content of a file, and of all files in it if it is a zip."""
    yield data
    if data.startswith(b"PK"):
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            for name in archive.namelist():
                yield name.encode()
                yield from entries(archive.read(name))


def test_the_file_has_no_name_and_no_folder_of_the_user(done: Done) -> None:
    """It was run in a home folder with the user's name; the folder of the test's files stands for all folders."""
    everything = b"\n".join(entries(done.file.read_bytes())).lower()
    home = str(done.file.parent).lower()
    for secret in (USER, home, home.replace("\\", "\\\\"), str(done.file.parent.parent).lower(), "swgrm-selftest-"):
        assert secret.encode() not in everything.replace(b"c:\\\\swgrm-selftest\\\\", b""), secret
    assert b"<folder>/block.sldprt" in everything  # it was in the raw answers
    assert len(everything) > 1e6


def test_the_page_shows_every_check_and_needs_nothing_else(done: Done) -> None:
    page = done.entries["report.html"].decode()
    assert all(f">{name}<br>" in page for name in done.checks)
    assert all(f"<code>{key}</code>" in page for key in CONVENTIONS)
    assert "The mock SolidWorks, not a real one" in page
    assert "src=" not in page
    assert "http" not in page.replace('http-equiv="Content-Security-Policy"', "")


def test_the_report_can_be_read_again(done: Done) -> None:
    again = swgrm("selftest", "--read", done.file)
    assert again.returncode == 0
    assert again.stdout == done.result.stdout.replace(f"wrote {done.file}\n", "")
    assert f"{len(done.checks)} checks:" in again.stdout
    data = json.loads(swgrm("selftest", "--read", done.file, "--json").stdout)
    assert len(data["checks"]) == len(done.checks)


def test_nothing_to_apply_is_reported(done: Done, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SWGRM_CONFIG", str(tmp_path))
    result = swgrm("selftest", "--read", done.file, "--apply")
    assert "Your defaults are not changed" in result.stdout
    assert list(tmp_path.iterdir()) == []
