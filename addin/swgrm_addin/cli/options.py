"""Options that several commands share, and progress on a terminal."""

from __future__ import annotations

import math
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from swgrm.errors import SwgrmError
from swgrm_addin.cli.printable import printable
from swgrm_exporters.formats import FORMATS

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    from swgrm_addin.pipeline import Progress


Command = TypeVar("Command", bound=Callable[..., object])


class _Path(click.Path):
    """A path that is not empty: `-o "$UNSET"` would otherwise mean the current folder."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:  # noqa: ANN401 - as in click
        if value == "" and param is not None:
            name = param.opts[-1] if isinstance(param, click.Option) else param.human_readable_name
            self.fail(f"The value of {name} is empty. Is it a variable that is not set?", param, ctx)
        return super().convert(value, param, ctx)


class FiniteRange(click.FloatRange):
    """A number in a range, but neither infinite nor `nan`."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:  # noqa: ANN401 - as in click
        """The number; an infinite one or `nan` is refused."""
        number = super().convert(value, param, ctx)
        if not math.isfinite(number):
            self.fail(f"{value} is not a finite number.", param, ctx)
        return number


def files(_: click.Context, __: click.Parameter, word: str) -> list[CompletionItem[Any]]:
    """What the shell completes a text with that may name a file."""
    from click.shell_completion import CompletionItem

    return [CompletionItem(word, type="file")]


def _formats(_: click.Context, __: click.Parameter, word: str) -> list[str]:
    """What the shell completes the last of several formats with."""
    before, comma, last = word.rpartition(",")
    return [f"{before}{comma}{name}" for name in ("default", *FORMATS) if name.startswith(last)]


PATH = _Path(path_type=Path)
_DEFAULTS = ", ".join(form.name for form in FORMATS.values() if form.by_default)

_SOURCE = click.argument(
    "source",
    help="A robot file, a capture (.swcap), an assembly or part, or mock:SAMPLE.",
    metavar="SOURCE",
    shell_complete=files,
)


def _permit_xacro(ctx: click.Context, _: click.Parameter, is_permitted: bool) -> None:
    """For the command that runs: xacro files are expanded with the option, or after a question in a terminal."""
    from swgrm_exporters.urdf.xacro import permitting

    ctx.with_resource(permitting(lambda path: is_permitted or _ask_about_xacro(path)))


def is_terminal() -> bool:
    """Whether a person can be asked: input and error output are a terminal."""
    return all(stream is not None and stream.isatty() for stream in (sys.stdin, sys.stderr))


def _ask_about_xacro(path: Path) -> bool:
    if not is_terminal():
        return False
    question = f"{printable(str(path))} is a xacro file, whose macros can run any program on this computer. Expand it?"
    return click.confirm(question, err=True)


EXPAND_XACRO = click.option(
    "--expand-xacro",
    is_flag=True,
    expose_value=False,
    callback=_permit_xacro,
    help="Expand xacro files, whose macros can run any program: only for files that you trust.",
)


def SOURCE(command: Command) -> Command:  # noqa: N802 - a decorator beside those of click, which are constants
    """The argument SOURCE, and what permits to expand it."""
    return EXPAND_XACRO(_SOURCE(command))


CONFIGURATION = click.option(
    "--configuration", default="", help="The configuration to read; by default the active one.", metavar="NAME"
)
SETTINGS = click.option(
    "--settings", type=PATH, help="Settings; without it, NAME.grm.yaml beside SOURCE.", metavar="FILE"
)
JSON = click.option("--json", is_flag=True, help="Write JSON for programs.")
FORMAT = click.option(
    "--format",
    default="",
    help=f"Formats, separated by commas: {', '.join(FORMATS)}. By default {_DEFAULTS}; `default` means these.",
    metavar="NAMES",
    shell_complete=_formats,
)
QUIET = click.option("--quiet", "-q", is_flag=True, help="Print warnings and errors only.")
VERBOSE = click.option("--verbose", "-v", is_flag=True, help="Print the tree with reasons, all notes and all files.")
FORCE = click.option("--force", is_flag=True, help="Replace an existing file.")
OPTION = click.option(
    "-O",
    "--option",
    multiple=True,
    help="A setting, such as urdf.precision=9; takes precedence over the settings file. May be repeated.",
    metavar="SECTION.KEY=VALUE",
)

COMPLETE = click.option(
    "--complete", is_flag=True, help="Write all fields of the GRM file, also those at their defaults."
)


def names(text: str) -> tuple[str, ...]:
    """The names in a list with commas."""
    return tuple(name.strip() for name in text.split(",") if name.strip())


def options(given: Sequence[str], section: str = "", *, complete: bool = False) -> dict[str, dict[str, Any]]:
    """Options of the form SECTION.KEY=VALUE, by section; a section that is given may be left out of the key.

    `complete` is the option `grm.complete`.
    """
    found: dict[str, dict[str, Any]] = {"grm": {"complete": True}} if complete else {}
    for text in given:
        from swgrm_exporters.yamltext import parse

        key, equals, value = text.partition("=")
        *path, last = key.strip().split(".")
        if not equals or not last or len(path) > 1 or not (path or section):
            raise SwgrmError(f"The option `{text}` is not of the form SECTION.KEY=VALUE, such as urdf.precision=9.")
        found.setdefault(path[0] if path else section, {})[last] = parse(value)
    return found


def command_text(*arguments: str | Path) -> str:
    """A command of swgrm, as it is typed in the user's shell."""
    import shlex
    import subprocess

    join = subprocess.list2cmdline if sys.platform == "win32" else shlex.join
    return join(["swgrm", *map(str, arguments)])


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
        yield lambda step, done: bar.update(task, description=printable(step), completed=done)
