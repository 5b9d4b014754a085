"""Every test on docs/requirements.md exists, and every test of a requirement is on the page."""

from __future__ import annotations

import ast
import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
SECTION = re.compile(r"^The tests are in `(?P<path>[^`]+)`\.$", re.MULTILINE)
ROW = re.compile(r"^\| (?P<number>\d{3}\.\d+) \| (?P<text>.+) \| (?P<tests>`test_.+`) \|$", re.MULTILINE)


def sections() -> dict[str, list[re.Match[str]]]:
    """The rows of the page by the file of their tests."""
    page = (ROOT / "docs" / "requirements.md").read_text("utf-8")
    starts = list(SECTION.finditer(page))
    ends = [*(start.start() for start in starts[1:]), len(page)]
    return {start["path"]: list(ROW.finditer(page[start.end() : end])) for start, end in zip(starts, ends, strict=True)}


def functions_of(path: Path) -> set[str]:
    nodes = ast.parse(path.read_text("utf-8")).body
    return {node.name for node in nodes if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")}


def listed(rows: list[re.Match[str]]) -> set[str]:
    return {name for row in rows for name in re.findall(r"`(test_\w+)`", row["tests"])}


def test_the_page_lists_the_requirements_of_five_specifications() -> None:
    rows = [row for found in sections().values() for row in found]
    numbers = [row["number"] for row in rows]
    assert len(sections()) == 5
    assert len(numbers) == len(set(numbers)) >= 134
    assert {number.split(".")[0] for number in numbers} == {"000", "001", "002", "003", "004"}


def test_every_test_on_the_page_exists() -> None:
    for path, rows in sections().items():
        assert rows
        assert listed(rows) <= functions_of(ROOT / path), path


def test_every_test_of_a_requirement_is_on_the_page() -> None:
    folder = ROOT / "tests" / "requirements"
    for file in folder.glob("test_*.py"):
        path = file.relative_to(ROOT).as_posix()
        assert functions_of(file) == listed(sections()[path]), path
