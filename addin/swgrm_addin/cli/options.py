"""Options that several commands share, and progress on a terminal."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import typer

from swgrm.errors import SwgrmError
from swgrm_exporters.formats import FORMATS

if TYPE_CHECKING:
    from swgrm_addin.pipeline import Progress

_DEFAULTS = ", ".join(form.name for form in FORMATS.values() if form.by_default)

SOURCE = typer.Argument(help="A robot file, a capture (.swcap), an assembly or part, or mock:SAMPLE.", metavar="SOURCE")
SETTINGS = typer.Option(None, "--settings", help="Settings; without it, NAME.grm.yaml beside SOURCE.", metavar="FILE")
JSON = typer.Option(False, "--json", help="Write JSON for programs.")
FORMAT = typer.Option(
    "",
    "--format",
    help=f"Formats, separated by commas: {', '.join(FORMATS)}. By default {_DEFAULTS}; `default` means these.",
    metavar="NAMES",
)
QUIET = typer.Option(False, "--quiet", "-q", help="Print warnings and errors only.")
VERBOSE = typer.Option(False, "--verbose", "-v", help="Print the tree with reasons, all notes and all files.")
FORCE = typer.Option(False, "--force", help="Replace existing and edited files, without a copy of them.")
OPTION = typer.Option(
    [],
    "-O",
    "--option",
    help="A setting, such as urdf.precision=9; takes precedence over the settings file. May be repeated.",
    metavar="SECTION.KEY=VALUE",
)

COMPLETE = typer.Option(False, "--complete", help="Write all fields of the GRM file, also those at their defaults.")


def names(text: str) -> tuple[str, ...]:
    """The names in a list with commas."""
    return tuple(name.strip() for name in text.split(",") if name.strip())


def options(given: list[str], section: str = "", *, complete: bool = False) -> dict[str, dict[str, Any]]:
    """Options of the form SECTION.KEY=VALUE, by section; a section that is given may be left out of the key.

    `complete` is the option `grm.complete`.
    """
    from swgrm_exporters.yamltext import parse

    found: dict[str, dict[str, Any]] = {"grm": {"complete": True}} if complete else {}
    for text in given:
        key, equals, value = text.partition("=")
        *path, last = key.strip().split(".")
        if not equals or not last or len(path) > 1 or not (path or section):
            raise SwgrmError(f"The option `{text}` is not of the form SECTION.KEY=VALUE, such as urdf.precision=9.")
        found.setdefault(path[0] if path else section, {})[last] = parse(value)
    return found


@contextmanager
def bar() -> Iterator[Progress]:
    """Progress as a bar, on a terminal."""
    if not sys.stderr.isatty():
        from swgrm_addin.pipeline import no_progress

        yield no_progress
        return
    from rich.console import Console
    from rich.progress import BarColumn, SpinnerColumn, TextColumn, TimeElapsedColumn
    from rich.progress import Progress as Bar

    columns = (SpinnerColumn(), TextColumn("{task.description}", markup=False), BarColumn(), TimeElapsedColumn())
    console = Console(stderr=True, no_color=True if os.environ.get("NO_COLOR") else None)
    with Bar(*columns, console=console, transient=True) as bar:
        task = bar.add_task("starting", total=1.0)
        yield lambda step, done: bar.update(task, description=step, completed=done)
