"""The table of findings against the code: every code that is used is in it, every code in it is used, facts fit."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from string import Formatter
from typing import NamedTuple

import pytest

from swgrm.findings import codes
from swgrm.findings.codes import CODES

PACKAGES = ("swgrm", "swgrm_exporters", "swgrm_mocks", "swgrm_addin")
TABLE = Path(codes.__file__)


class Site(NamedTuple):
    """A call that makes a finding: where it is, its code (None: it is computed), and the names of its facts."""

    place: str
    code: str | None
    facts: frozenset[str] | None  # None: passed on as a mapping


def fields(code: str) -> frozenset[str]:
    return frozenset(name for _, name, _, _ in Formatter().parse(CODES[code].sentence) if name is not None)


def modules() -> Iterator[Path]:
    for package in PACKAGES:
        spec = find_spec(package)
        assert spec is not None
        assert spec.origin is not None
        yield from (path for path in sorted(Path(spec.origin).parent.rglob("*.py")) if path != TABLE)


def code_of(node: ast.expr) -> str | None:
    """The code that an argument is; None if it is computed."""
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def is_function(node: ast.AST) -> bool:
    return isinstance(node, ast.FunctionDef)


def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"))


def sites(path: Path, tree: ast.AST) -> Iterator[Site]:
    """The calls of `add(code, where, …)`, which no set or array of ours has, and of `finding(code, where, …)`."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call) or len(node.args) < 2:
            continue
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        owner = getattr(getattr(node.func, "value", None), "id", "")
        if name not in ("add", "finding") or owner == "np":
            continue
        keys = [keyword.arg for keyword in node.keywords]
        facts = None if None in keys else frozenset(str(key) for key in keys) - {"format"}
        yield Site(f"{path.name}:{node.lineno}", code_of(node.args[0]), facts)


def mentioned(tree: ast.AST) -> set[str]:
    """The codes that a module or function contains as text, except those that it only compares with."""
    compared = {id(inner) for node in ast.walk(tree) if isinstance(node, ast.Compare) for inner in ast.walk(node)}
    texts = {node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and id(node) not in compared}
    return {text for text in texts if isinstance(text, str) and text in CODES}


def all_sites() -> list[Site]:
    return [site for path in modules() for site in sites(path, parsed(path))]


def test_every_code_that_is_used_is_in_the_table() -> None:
    unknown = {site.code: site.place for site in all_sites() if site.code is not None and site.code not in CODES}
    assert unknown == {}


def test_every_code_in_the_table_is_used() -> None:
    used = {code for path in modules() for code in mentioned(parsed(path))}
    assert CODES.keys() - used == set()


def test_the_facts_are_those_of_the_sentence() -> None:
    wrong = [
        f"{site.place}: {site.code} needs {sorted(fields(site.code))}, has {sorted(site.facts)}"
        for site in all_sites()
        if site.code is not None and site.code in CODES and site.facts is not None and site.facts != fields(site.code)
    ]
    assert wrong == []


def test_a_computed_code_has_the_facts_of_every_code_that_its_function_names() -> None:
    wrong = []
    functions = [(path, node) for path in modules() for node in ast.walk(parsed(path)) if is_function(node)]
    for path, function in functions:
        found = list(sites(path, function))
        possible = mentioned(function) - {site.code for site in found}
        for site in found:
            if site.code is None and site.facts is not None:
                wrong += [f"{site.place}: {code}" for code in sorted(possible) if fields(code) != site.facts]
    assert wrong == []


def test_findings_are_made_by_the_table_alone() -> None:
    made = [
        f"{path.name}:{node.lineno}"
        for path in modules()
        if path != TABLE.with_name("__init__.py")
        for node in ast.walk(parsed(path))
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Finding"
    ]
    assert made == []


@pytest.mark.parametrize("code", CODES)
def test_sentences_and_remedies_are_whole(code: str) -> None:
    entry = CODES[code]
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", code)
    assert re.match(r"[A-Z{`<]", entry.sentence)
    assert entry.sentence.endswith((".", "}"))
    assert not entry.remedy or (entry.remedy[0].isupper() and entry.remedy.endswith("."))


def test_each_section_is_sorted() -> None:
    lines = TABLE.read_text("utf-8").partition("CODES: Mapping")[2].splitlines()
    sections: list[list[str]] = []
    for line in lines:
        if line.startswith("    # "):
            sections.append([])
        elif found := re.match(r'    "([a-z0-9-]+)": Code\(', line):
            sections[-1].append(found[1])
    assert [section for section in sections if section != sorted(section)] == []
    assert sum(map(len, sections)) == len(CODES)


@pytest.mark.parametrize("code", CODES)
def test_remedies_have_no_fields(code: str) -> None:
    """They are printed as they are: a field or an escaped brace would reach the user."""
    assert not re.search(r"\{\w*\}|\{\{|\}\}", CODES[code].remedy)
