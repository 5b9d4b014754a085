"""The rules of the house: who may import whom, what stays light, what is public."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

import swgrm

ROOMS = {  # each package, and what of ours it may import
    "swgrm": {"swgrm"},
    "swgrm_exporters": {"swgrm", "swgrm_exporters"},
    "swgrm_mocks": {"swgrm", "swgrm_exporters", "swgrm_mocks"},
    "swgrm_addin": {"swgrm", "swgrm_exporters", "swgrm_mocks", "swgrm_addin"},
}
NOT_IN_THE_MODEL = {"lxml", "yaml", "typer", "rich", "pythoncom", "win32com", "comtypes", "xml"}


def modules(package: str) -> list[Path]:
    spec = find_spec(package)
    assert spec is not None
    assert spec.origin is not None
    return sorted(Path(spec.origin).parent.rglob("*.py"))


def imports(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            yield node.module or ""


@pytest.mark.parametrize("package", ROOMS)
def test_dependencies_point_one_way(package: str) -> None:
    for path in modules(package):
        for name in imports(path):
            top = name.partition(".")[0]
            assert not top.startswith("swgrm") or top in ROOMS[package], f"{path.name} imports {name}"
            assert package != "swgrm" or top not in NOT_IN_THE_MODEL, f"{path.name} imports {name}"


def loaded_by(statement: str) -> set[str]:
    code = f"{statement}\nimport sys; print(' '.join({{name.partition('.')[0] for name in sys.modules}}))"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    return set(result.stdout.split())


@pytest.mark.parametrize("statement", ["import swgrm", "import swgrm_addin.cli", "import swgrm_exporters.formats"])
def test_importing_stays_light(statement: str) -> None:
    heavy = {"numpy", "scipy", "lxml", "trimesh", "yaml", "pythoncom", "win32com", "comtypes"}
    assert loaded_by(statement) & heavy == set()
    assert statement != "import swgrm" or not loaded_by(statement) & {"swgrm_exporters", "typer", "rich"}


@pytest.mark.parametrize("package", ROOMS)
def test_every_module_says_in_one_line_what_lives_in_it(package: str) -> None:
    for path in modules(package):
        docstring = ast.get_docstring(ast.parse(path.read_text("utf-8")))
        assert docstring, f"{path} has no docstring"
        assert docstring.splitlines()[0].endswith((".", ":")), f"{path}: {docstring.splitlines()[0]}"


def test_what_is_public_is_listed_and_there() -> None:
    lazy = set(swgrm._LATER)
    eager = {name for name, value in vars(swgrm).items() if not name.startswith("_") and _is_ours(value)} - lazy
    assert set(swgrm.__all__) == lazy | eager
    assert list(swgrm.__all__) == sorted(swgrm.__all__)
    for name in swgrm.__all__:
        assert getattr(swgrm, name) is not None
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = swgrm.nothing


def _is_ours(value: object) -> bool:
    return getattr(value, "__module__", "").startswith("swgrm") and not isinstance(value, type(sys))
