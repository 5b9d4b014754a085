"""The rules of the code base: which package may import which, what importing loads, what is public.

`swgrm_addin` (production) does not import `swgrm_mocks`. It loads sample assemblies, the robot generator and mock
SolidWorks instances by name, from the tables in MOCK_TABLES. `swgrm_mocks.testing` is test support: it may import
`swgrm_addin`, and only tests and those tables name it.
"""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
import tokenize
from collections.abc import Iterator
from importlib.util import find_spec
from io import StringIO
from pathlib import Path

import click
import pytest
from installer.release.fragments import fragments, problems

import swgrm
from swgrm.capture import encode
from swgrm_addin.cli import COMMANDS, app
from swgrm_mocks.samples import sample

ROOT = Path(__file__).parents[2]
REASON = re.compile(r"noqa: [A-Z0-9, ]+ - \S")
PACKAGES = {  # each package, and our packages that it may import
    "swgrm": {"swgrm"},
    "swgrm_exporters": {"swgrm", "swgrm_exporters"},
    "swgrm_mocks": {"swgrm", "swgrm_exporters", "swgrm_mocks"},
    "swgrm_addin": {"swgrm", "swgrm_exporters", "swgrm_addin"},
}
TEST_SUPPORT = "swgrm_mocks.testing"
MOCK_TABLES = {"synthetic.py", "instances.py", "batch/instance_pool.py"}  # in swgrm_addin
NOT_IN_THE_MODEL = {"lxml", "yaml", "click", "rich", "pythoncom", "win32com", "comtypes", "xml"}


def modules(package: str) -> list[Path]:
    return sorted(folder(package).rglob("*.py"))


def folder(package: str) -> Path:
    spec = find_spec(package)
    assert spec is not None
    assert spec.origin is not None
    return Path(spec.origin).parent


def imports(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


@pytest.mark.parametrize("package", PACKAGES)
def test_dependencies_point_one_way(package: str) -> None:
    for path in modules(package):
        for name in imports(path):
            top = name.partition(".")[0]
            if path == folder("swgrm") / "__init__.py":
                continue  # it names the public API of all packages, for type checkers, and loads it when used
            allowed = PACKAGES[package] | ({"swgrm_addin"} if is_test_support(path) else set())
            assert not top.startswith("swgrm") or top in allowed, f"{path.name} imports {name}"
            assert package != "swgrm" or top not in NOT_IN_THE_MODEL, f"{path.name} imports {name}"


def is_test_support(path: Path) -> bool:
    return path.is_relative_to(folder(TEST_SUPPORT))


@pytest.mark.parametrize("package", PACKAGES)
def test_test_support_is_imported_by_itself_only(package: str) -> None:
    for path in modules(package):
        for name in imports(path):
            assert is_test_support(path) or not name.startswith(TEST_SUPPORT), f"{path.name} imports {name}"


def test_production_names_the_mocks_in_its_tables_only() -> None:
    root = folder("swgrm_addin")
    naming = {
        path.relative_to(root).as_posix()
        for path in modules("swgrm_addin")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Constant) and str(node.value).startswith("swgrm_mocks")
    }
    assert naming == MOCK_TABLES


def test_every_suppressed_lint_rule_has_a_reason() -> None:
    folders = ("grm", "exporters", "mocks", "addin", "installer", "tests", "docs")
    without = [
        f"{path.relative_to(ROOT)}:{token.start[0]}: {token.string}"
        for folder in folders
        for path in sorted((ROOT / folder).rglob("*.py"))
        for token in tokenize.generate_tokens(StringIO(path.read_text("utf-8")).readline)
        if token.type == tokenize.COMMENT and "noqa" in token.string and not REASON.search(token.string)
    ]
    assert without == []


def test_the_citation_names_this_version() -> None:
    assert f"\nversion: {swgrm.__version__}\n" in (ROOT / "CITATION.cff").read_text("utf-8")


def loaded_by(statement: str) -> set[str]:
    code = f"{statement}\nimport sys; print(' '.join({{name.partition('.')[0] for name in sys.modules}}))"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    return set(result.stdout.split())


@pytest.mark.parametrize("statement", ["import swgrm", "import swgrm_addin.cli", "import swgrm_exporters.formats"])
def test_importing_stays_light(statement: str) -> None:
    heavy = {"numpy", "scipy", "lxml", "trimesh", "yaml", "msgspec", "rich", "pythoncom", "win32com", "comtypes"}
    assert loaded_by(statement) & heavy == set()
    assert statement != "import swgrm" or not loaded_by(statement) & {"swgrm_exporters", "click", "rich"}


COMMAND = "from swgrm_addin.__main__ import main; main()"


def modules_of(code: str, *arguments: str) -> set[str]:
    """The modules in memory when a program ends; coverage, which measures child processes, would load more.

    `python -X importtime` does not list those that `importlib.import_module` loads.
    """
    listing = "import atexit, sys; atexit.register(lambda: print(*sys.modules, file=sys.stderr))\n"
    run = [sys.executable, "-c", listing + code, *arguments]
    variables = {name: value for name, value in os.environ.items() if not name.startswith("COVERAGE_")}
    result = subprocess.run(run, env=variables, capture_output=True, text=True, check=True, timeout=120)
    return set(result.stderr.splitlines()[-1].split())


def test_help_loads_little_beside_the_command_line_library() -> None:
    more = modules_of(COMMAND, "--help") - modules_of("import click")
    assert len(more) <= 21, sorted(more)


def test_the_list_of_commands_has_their_first_sentences() -> None:
    context = click.Context(app)
    listed = {name: summary for name, (_, summary) in COMMANDS.items()}
    found = {name: command.help or "" for name in listed if (command := app.get_command(context, name))}
    assert list(listed) == list(found) == app.list_commands(context)
    assert {name for name, text in found.items() if not text.startswith(listed[name].rstrip("."))} == set()


NOT_FOR_A_SMALL_ROBOT = {  # each takes as long to load as a good part of the work
    "concurrent", "email", "multiprocessing", "numpy.ma", "pydantic", "rich", "scipy", "trimesh",
}  # fmt: skip


def loaded_beside_numpy(*arguments: str) -> set[str]:
    found = modules_of(COMMAND, *arguments)
    assert found & NOT_FOR_A_SMALL_ROBOT == set()
    return found - modules_of("import numpy")


def test_showing_a_robot_loads_little() -> None:
    more = loaded_beside_numpy("show", "mock:arm")
    assert len(more) <= 279, sorted(more)  # of which 4 are folders with a docstring only


def test_a_small_export_loads_little(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SWGRM_CACHE", str(tmp_path / "cache"))
    (tmp_path / "arm.swcap").write_bytes(encode(sample("arm")))  # with limit mates
    arguments = ("export", str(tmp_path / "arm.swcap"), "-o", str(tmp_path / "arm"))
    first = modules_of(COMMAND, *arguments)
    assert first & {"trimesh", "scipy.optimize"} == set()  # scipy.spatial makes the hulls
    more = loaded_beside_numpy(*arguments)
    assert len(more) <= 325, sorted(more)


@pytest.mark.parametrize("package", PACKAGES)
def test_every_module_has_a_one_line_summary(package: str) -> None:
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


def test_a_class_name_means_one_thing() -> None:
    """No two classes have the same name, in all packages."""
    found: dict[str, list[str]] = {}
    for package in PACKAGES:
        for path in modules(package):
            for node in ast.walk(ast.parse(path.read_text("utf-8"))):
                if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                    found.setdefault(node.name, []).append(path.name)
    assert {name: paths for name, paths in found.items() if len(paths) > 1} == {}


@pytest.mark.parametrize("package", PACKAGES)
def test_functions_fit_on_a_screen(package: str) -> None:
    for path in modules(package):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.FunctionDef):
                assert (node.end_lineno or 0) - node.lineno < 50, f"{path.name}: {node.name} is longer than 50 lines"


def test_an_export_with_a_filled_cache_loads_neither_scipy_nor_trimesh(tmp_path: Path) -> None:
    statement = (
        f"import os; os.environ['SWGRM_CACHE'] = {str(tmp_path / 'cache')!r}\n"
        "from swgrm_addin.pipeline import export\n"
        f"export('mock:lead_screw', {str(tmp_path / 'out')!r})"
    )
    heavy = {"scipy", "trimesh"}
    assert loaded_by(statement) & heavy == {"scipy"}  # hulls are made
    assert loaded_by(statement) & heavy == set()


def test_every_change_fragment_is_well_formed() -> None:
    assert [sentence for path in fragments() for sentence in problems(path)] == []
