"""The ```python and ```console examples in README and docs/ run and print what the page shows.

A block of ```sh is not run; in docs/ the paragraph before it tells why. A console block shows each command with all
that it prints (`...` matches any text); a command with nothing below it prints nothing and succeeds. A python block
that prints is followed by a ```text block with the output, or asserts.
"""

from __future__ import annotations

import contextlib
import doctest
import io
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from unittest.mock import patch

import pytest
from tests.docs.blocks import CodeBlock, blocks

from swgrm_exporters.formats import FORMATS

ROOT = Path(__file__).parents[2]
PAGES = sorted([ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").rglob("*.md")])
LINK = re.compile(r"\]\((?!https?:|#)([^)#\s]+)")

pytestmark = pytest.mark.docs


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_examples_print_what_the_page_shows(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The blocks of a page run in order, in one folder and one namespace; docs/data/PAGE is copied there before.

    A page that has the files of another one names it: `<!-- data: PAGE -->`.
    """
    named = re.search(r"^<!-- data: ([\w-]+) -->$", page.read_text("utf-8"), re.MULTILINE)
    if (data := ROOT / "docs" / "data" / (named[1] if named else page.stem)).is_dir():
        shutil.copytree(data, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    with patch.dict(FORMATS):  # a page may register a format
        for block in blocks(page):
            if block.kind == "python" and not block.needs:
                assert_runs(block.text, block.output, names)
            elif block.kind == "console":
                for command, expected in commands(block.text):
                    assert_prints(command, expected)
    for block in blocks(page):
        if block.kind == "sh" and page.is_relative_to(ROOT / "docs"):
            assert_is_marked(block, tmp_path)


def assert_is_marked(block: CodeBlock, folder: Path) -> None:
    """A block that is not run is marked so, and the files that it names are made by the other blocks of the page."""
    assert block.is_marked, f"what is not run is marked with `> **Not run here: needs …**` before it:\n{block.text}"
    for name in block.files:
        assert list(folder.rglob(Path(name).name)), f"{block.text}\nthere is no {name}"


def assert_runs(text: str, output: str | None, names: dict[str, object]) -> None:
    """Run a python block and compare what it prints with the text block that follows it, if there is one."""
    with contextlib.redirect_stdout(io.StringIO()) as stream:
        exec(compile(text, "example", "exec"), names)  # noqa: S102 - our own documentation
    printed = stream.getvalue()
    assert not printed or output or "assert " in text, f"the page does not show what this prints:\n{text}\n{printed}"
    assert output is None or is_same(output, printed), f"{text}\nexpected:\n{output}\ngot:\n{printed}"


def commands(text: str) -> Iterator[tuple[str, str]]:
    """Each command of a console block, and the output that the block shows."""
    for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
        command, _, output = part.partition("\n")
        yield command, output


def assert_prints(command: str, expected: str) -> None:
    environment = {**os.environ, "PYTHONIOENCODING": "utf-8", "NO_COLOR": "1", "COLUMNS": "200"}
    environment["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    shell = shutil.which("sh") or "sh"
    result = subprocess.run(
        [shell, "-c", command],
        capture_output=True,
        text=True,
        encoding="utf-8",
        env=environment,
        timeout=300,
        check=False,
    )
    got = result.stdout + result.stderr
    assert "Traceback" not in got, got
    assert expected.strip() != "...", f"$ {command}\nany output would do: show a part of it"
    assert expected.strip() or result.returncode == 0, f"$ {command}\nexit code {result.returncode}\n{got}"
    assert is_same(expected, got), f"$ {command}\nexpected:\n{expected}\ngot:\n{got}"


def is_same(expected: str, got: str) -> bool:
    """Whether two outputs are equal, except for white space and what `...` matches."""
    if not expected.strip() or not got.strip():
        return not expected.strip() and not got.strip()
    return doctest.OutputChecker().check_output(expected, got, doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)


@pytest.mark.parametrize(
    ("command", "expected"),
    [("echo something", ""), ("exit 3", ""), ("echo a", "b\n"), ("echo a", "...\n")],
)
def test_a_console_block_that_shows_something_else_fails(command: str, expected: str) -> None:
    with pytest.raises(AssertionError):
        assert_prints(command, expected)


@pytest.mark.parametrize(("text", "output"), [("print(1)", None), ("print(1)", "2\n"), ("x = 1", "1\n")])
def test_a_python_block_that_shows_something_else_fails(text: str, output: str | None) -> None:
    with pytest.raises(AssertionError):
        assert_runs(text, output, {})


def test_a_block_that_is_not_marked_or_names_a_lost_file_fails(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(
        "> **Not run here: needs ROS 2.** Text.\n\n```sh\nrun a.urdf -o b.xml\n```\n\n```sh\nrun\n```\n", "utf-8"
    )
    marked, other = blocks(page)
    assert (marked.is_marked, marked.files, other.is_marked) == (True, ["a.urdf"], False)
    with pytest.raises(AssertionError, match=r"there is no a\.urdf"):
        assert_is_marked(marked, tmp_path)
    (tmp_path / "a.urdf").touch()
    assert_is_marked(marked, tmp_path)
    with pytest.raises(AssertionError, match="is marked with"):
        assert_is_marked(other, tmp_path)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_links_lead_somewhere(page: Path) -> None:
    for target in LINK.findall(page.read_text("utf-8")):
        assert (page.parent / target).exists(), f"{page.name} links to {target}"
