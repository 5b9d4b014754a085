"""Counts the ways in which programs start and call each other: `python -m tests.bench.processes [--where]`.

    process classes     1
    job objects         1
    hidden options      0

A process class is a place that starts a child process and keeps it (`Popen`, or a pool of processes); a program that is
only run and waited for, as `ps` is, does not count. With `--where` every place follows.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import click

PACKAGES = ("swgrm", "swgrm_exporters", "swgrm_addin")  # those of users; the mocks are tests' own
COUNTED = {  # the noun, and the functions whose calls are counted
    "process classes": {"Popen", "ProcessPoolExecutor", "Process"},
    "job objects": {"CreateJobObject"},
}


def places() -> dict[str, list[str]]:
    """The places of each noun."""
    counted: dict[str, list[str]] = {noun: [] for noun in COUNTED}
    for path, root in _modules():
        for call in _calls(path):
            for noun, functions in COUNTED.items():
                if call.name in functions:
                    counted[noun].append(f"{path.relative_to(root).as_posix()}:{call.line}")
    return counted | {"hidden options": list(_hidden_options())}


def _modules() -> Iterator[tuple[Path, Path]]:
    for package in PACKAGES:
        spec = find_spec(package)
        assert spec is not None
        assert spec.origin is not None
        folder = Path(spec.origin).parent
        for path in sorted(folder.rglob("*.py")):
            yield path, folder.parent


class _Call:
    """A call by the last name of its function."""

    def __init__(self, node: ast.Call) -> None:
        function = node.func
        self.line = node.lineno
        self.name = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")


def _calls(path: Path) -> Iterator[_Call]:
    tree = ast.parse(path.read_text("utf-8"))
    records = {node.name for node in ast.walk(tree) if isinstance(node, ast.ClassDef)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            call = _Call(node)
            if call.name not in records:  # a class of the module itself, as the record `Process` is
                yield call


def _hidden_options() -> Iterator[str]:
    from swgrm_addin.cli import app

    context = click.Context(app)
    for name in app.list_commands(context):
        command = app.get_command(context, name)
        for option in command.params if command else ():
            if isinstance(option, click.Option) and option.hidden:
                yield f"{name} {option.opts[0]}"


def main(*, where: bool) -> None:
    """Print the table."""
    for noun, found in places().items():
        sys.stdout.write(f"{noun:<18}{len(found):>4}\n")
        if where:
            sys.stdout.write("".join(f"      {place}\n" for place in found))


if __name__ == "__main__":
    main(where="--where" in sys.argv[1:])
