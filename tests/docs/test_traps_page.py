"""No line of docs/traps.md without a test that carries its code, and no code that the page does not explain."""

from __future__ import annotations

import ast
import re
from pathlib import Path

TESTS = Path(__file__).parents[1]


def marked(path: Path) -> set[str]:
    """The codes that the tests of a file carry."""
    codes = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
            for mark in node.decorator_list:
                if isinstance(mark, ast.Call) and ast.unparse(mark.func) == "pytest.mark.trap":
                    codes |= {ast.literal_eval(code) for code in mark.args}
    return codes


def test_every_line_has_a_test_and_every_test_a_line() -> None:
    page = (TESTS.parent / "docs" / "traps.md").read_text("utf-8")
    lines = re.findall(r"^\| ([A-Z]\d+) \|", page, re.MULTILINE)
    assert len(lines) == len(set(lines)) > 60
    assert set().union(*map(marked, TESTS.rglob("test_*.py"))) == set(lines)
