"""The origin of every shipped file is known, or the release stops; differences of two builds are named."""

from __future__ import annotations

import io
import re
import tarfile
import zipfile
from collections.abc import Mapping
from pathlib import Path

import pytest
import yaml
from installer.release import __main__ as release
from installer.release.comparing import differences
from installer.release.fragments import fragments
from installer.release.origins import REPOSITORY, UnknownOrigin, of_folder, own_wheel, requirements
from installer.release.versions import disagreements, notes, set_version, version

INFORMATION = "x-1.dist-info"
METADATA = "Metadata-Version: 2.4\nName: x\nVersion: 1\nLicense-Expression: MIT\nRequires-Dist: numpy>=2\n"
OPTIONAL = "Requires-Dist: pytest; extra == 'test'\n"
INIT = "swgrm/__init__.py"


def archive(path: Path, files: Mapping[str, str | bytes]) -> Path:
    with zipfile.ZipFile(path, "w") as made:
        for name, content in files.items():
            made.writestr(zipfile.ZipInfo(name), content)
    return path


def test_our_wheel_is_the_repository_byte_for_byte(tmp_path: Path) -> None:
    source = (REPOSITORY / "grm" / INIT).read_bytes()
    good: dict[str, str | bytes] = {
        INIT: source,
        f"{INFORMATION}/METADATA": METADATA + OPTIONAL,
        f"{INFORMATION}/licenses/LICENSE": "MIT",
    }
    wheel = archive(tmp_path / "x-1-py3-none-any.whl", good)
    part = own_wheel(wheel)
    assert (part.name, part.version, part.licence) == ("x", "1", "MIT")
    assert [(file.path, file.made) for file in part.files] == [
        (INIT, f"copied from grm/{INIT}"),
        (f"{INFORMATION}/METADATA", "made by hatchling from pyproject.toml"),
        (f"{INFORMATION}/licenses/LICENSE", "copied from LICENSE"),
    ]
    assert requirements(wheel) == ["numpy>=2"]
    for changed in ({**good, INIT: source + b"\n"}, {**good, "swgrm/stray.py": ""}):
        with pytest.raises(UnknownOrigin, match=r"__init__|stray"):
            own_wheel(archive(tmp_path / "y-1-py3-none-any.whl", changed))


def test_every_file_of_the_set_up_program_has_its_part(tmp_path: Path) -> None:
    python = archive(tmp_path / "cpython-3.13.5-windows.jar", {"a/os.py": "import x", "a/empty.py": ""})
    wheel = archive(
        tmp_path / "x-1-py3-none-any.whl", {"x.py": "x = 1", "x/__init__.py": "", f"{INFORMATION}/METADATA": METADATA}
    )
    folder = tmp_path / "payload"
    (folder / "Lib" / "__pycache__").mkdir(parents=True)
    (folder / "Lib" / "os.py").write_text("import x")
    (folder / "Lib" / "__pycache__" / "os.cpython-313.pyc").write_bytes(b"code")
    (folder / "Lib" / "x.py").write_text("x = 1")
    (folder / "Lib" / "x").mkdir()
    (folder / "Lib" / "x" / "__init__.py").touch()  # Python's archive has an empty file, too
    (folder / "swgrm.cmd").write_text("@python")
    (folder / "python313._pth").write_text(".")
    found = {part.name: [(file.path, file.made) for file in part.files] for part in of_folder(folder, python, [wheel])}
    assert found == {
        "Python": [("Lib/__pycache__/os.cpython-313.pyc", "compiled from os.py"), ("Lib/os.py", "unpacked")],
        "x": [("Lib/x/__init__.py", "unpacked"), ("Lib/x.py", "unpacked")],
        "set-up program": [
            ("python313._pth", "written by installer/combench/private_python.py"),
            ("swgrm.cmd", "written by installer/setup/payload.py"),
        ],
    }
    (folder / "Lib" / "stray.dll").write_bytes(b"?")
    with pytest.raises(UnknownOrigin, match=r"Lib/stray\.dll"):
        of_folder(folder, python, [wheel])


def test_differences_of_two_builds_are_named(tmp_path: Path) -> None:
    first, second = tmp_path / "1", tmp_path / "2"
    for folder, text in ((first, "a"), (second, "b")):
        folder.mkdir()
        archive(folder / "x.whl", {"same.py": "", "changed.py": text})
        archive(folder / "same.whl", {"same.py": ""})
        (folder / "program.exe").write_bytes(text.encode())
        with tarfile.open(folder / "x.tar.gz", "w:gz") as made:
            entry = tarfile.TarInfo("file.txt")
            entry.mtime, entry.size = ord(text), 1
            made.addfile(entry, io.BytesIO(b"x"))
    (second / "extra").touch()
    assert list(differences(first, second)) == [
        "extra: only in one of the builds",
        "program.exe: differs (1 and 1 bytes)",
        "x.tar.gz: differs, but only in times or order of its entries",
        "x.whl: differs in changed.py",
    ]
    assert list(differences(first, first)) == []


def test_the_hashes_are_those_of_the_files_of_this_version(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(release, "DIST", tmp_path)
    with pytest.raises(SystemExit, match=r"swgrm-1-py3-none-any\.whl does not exist\. Run `make release`"):
        release.describe("1")
    wheel = archive(tmp_path / "swgrm-1-py3-none-any.whl", {f"{INFORMATION}/METADATA": METADATA})
    for other in ("swgrm-1.tar.gz", "swgrm-1.1.tar.gz", "swgrm-1.post1-py3-none-any.whl", "swgrm-10.tar.gz"):
        (tmp_path / other).touch()
    (tmp_path / "swgrm-1-unpacked").mkdir()
    monkeypatch.setattr(release, "_write", lambda of, *_: of.with_name(f"{of.name}.cdx.json").touch())
    release.describe("1")
    named = [line.split("  ")[1] for line in (tmp_path / "SHA256SUMS").read_text("utf-8").splitlines()]
    assert named == [wheel.name, f"{wheel.name}.cdx.json", "swgrm-1.tar.gz"]


def test_package_citation_and_changelog_have_one_version(tmp_path: Path) -> None:
    assert version()
    (tmp_path / "grm" / "swgrm").mkdir(parents=True)
    (tmp_path / "grm" / "swgrm" / "__init__.py").write_text('__version__ = "1.2.0"\n', "utf-8")
    (tmp_path / "CITATION.cff").write_text("a: b\nversion: 1.2.0\n", "utf-8")
    (tmp_path / "CHANGELOG.md").write_text("## Unreleased\n## 1.2.0 – 2026-11-17\n- New.\n## 1.1.0\n- Old.\n", "utf-8")
    assert list(disagreements("1.2.0", tmp_path)) == []
    assert notes("1.2.0", tmp_path) == "- New.\n"
    assert [line.split()[0] for line in disagreements("1.1.0", tmp_path)] == ["the", "CITATION.cff", "CHANGELOG.md"]
    (tmp_path / "CHANGELOG.md").write_text("# Changelog\n\n## Unreleased\n### Added\n- Newest.\n", "utf-8")
    set_version("2.0.0", "2026-12-24", tmp_path)
    assert list(disagreements("2.0.0", tmp_path)) == []
    assert notes("2.0.0", tmp_path) == "### Added\n- Newest.\n"


def test_a_release_collects_the_change_fragments(tmp_path: Path) -> None:
    (tmp_path / "grm" / "swgrm").mkdir(parents=True)
    (tmp_path / "grm" / "swgrm" / "__init__.py").write_text('__version__ = "1.2.0"\n', "utf-8")
    (tmp_path / "CITATION.cff").write_text("a: b\nversion: 1.2.0\n", "utf-8")
    head, released = "# Changelog\n\n", "## 1.2.0 – 2026-11-17\n### Added\n- Old.\n"
    changelog = tmp_path / "CHANGELOG.md"
    changelog.write_text(f"{head}## Unreleased\n### Fixed\n- Earlier.\n\n{released}", "utf-8")
    (tmp_path / "changes").mkdir()
    for name, text in {
        "b-topic.added.md": "A sentence\nthat is wrapped.\n",
        "c.fixed.md": "- One - and\n  more.\n- Two.\n\nThree.",
        "a.added.md": "First.",
    }.items():
        (tmp_path / "changes" / name).write_text(text, "utf-8")
    set_version("1.3.0", "2026-12-24", tmp_path)
    assert changelog.read_text("utf-8") == (
        f"{head}## Unreleased\n\n## 1.3.0 – 2026-12-24\n"
        "### Added\n- First.\n- A sentence that is wrapped.\n\n"
        "### Fixed\n- Earlier.\n- One - and more.\n- Two.\n- Three.\n\n"
        f"{released}"
    )
    assert fragments(tmp_path) == []
    set_version("1.4.0", "2026-12-25", tmp_path)  # nothing is unreleased, and nothing is lost
    assert "- Three.\n\n## 1.2.0" in changelog.read_text("utf-8")


def test_a_malformed_change_fragment_stops_a_release_before_it_changes_a_file(tmp_path: Path) -> None:
    (tmp_path / "changes").mkdir()
    for name, text in {
        "Topic.md": "A sentence.",
        "a.fixed.md": "\n",
        "b.added.md": "### New",
        "c.fixed.md": "no end",
    }.items():
        (tmp_path / "changes" / name).write_text(text, "utf-8")
    with pytest.raises(SystemExit) as error:
        set_version("1.3.0", "2026-12-24", tmp_path)
    assert [line.partition(" ")[2] for line in str(error.value).splitlines()] == [
        "the name is not of the form topic-in-words.added.md, .changed.md or .fixed.md",
        "is empty",
        "has a heading; the changelog has those of its own",
        "`no end` is not a whole sentence",
    ]
    assert len(fragments(tmp_path)) == 4


def test_the_workflow_makes_the_files_of_a_release_on_every_python() -> None:
    text = (REPOSITORY / ".github" / "workflows" / "release.yml").read_text("utf-8")
    jobs = yaml.safe_load(text)["jobs"]
    assert jobs["test"]["strategy"]["matrix"]["python"] == ["3.11", "3.12", "3.13", "3.14"]
    assert jobs["attach"]["needs"] == ["build", "test"]
    for verb in re.findall(r"installer\.release (\w+)", text):
        assert f'"{verb}": lambda' in (REPOSITORY / "installer" / "release" / "__main__.py").read_text("utf-8")
    targets = set(re.findall(r"make PYTHON=python ([\w-]+)", text))
    assert targets == {"installer", "release", "site"}
    assert targets <= set(re.findall(r"^([\w-]+):", (REPOSITORY / "Makefile").read_text("utf-8"), re.MULTILINE))
