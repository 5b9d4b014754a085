"""The command `swgrm`: its subcommands are in the modules of this package, listed in their COMMANDS."""

from __future__ import annotations

import os
import sys
from itertools import pairwise
from typing import Any

import typer
from typer.core import TyperCommand

from swgrm_addin.cli import (
    batching,
    captures,
    demo,
    exporting,
    generating,
    inferring,
    installation,
    reporting,
    robots,
    selftesting,
    viewing,
)
from swgrm_addin.cli.running import run

EPILOG = (
    "Exit codes: 0 success, 1 problems found (export: findings of severity error; check: warnings, too), "
    "2 error or wrong usage, 130 cancelled."
)

app = typer.Typer(
    name="swgrm",
    help="Turn SolidWorks assemblies into robot models.",
    epilog=EPILOG,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,  # plain help, as git and cargo print it; loading rich would take longer than all the rest
    context_settings={"help_option_names": ["-h", "--help"], "color": False if os.environ.get("NO_COLOR") else None},
)


class _Command(TyperCommand):
    """A subcommand that refuses an empty output: `-o "$UNSET"` would otherwise mean the current folder."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:  # noqa: ANN401 - the type is private to typer
        if "--out=" in args or any(flag in ("-o", "--out") and not value for flag, value in pairwise(args)):
            ctx.fail("The value of --out is empty. Is it a variable that is not set?")
        return super().parse_args(ctx, args)


for module in (
    exporting,
    viewing,
    captures,
    batching,
    robots,
    inferring,
    generating,
    demo,
    selftesting,
    reporting,
    installation,
):
    for command in module.COMMANDS:
        app.command(cls=_Command)(command)


def _version(wanted: bool) -> None:
    if wanted:
        from swgrm import __version__

        typer.echo(f"swgrm {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: bool = typer.Option(False, "--version", callback=_version, is_eager=True, help="Show the version."),
) -> None:
    """Turn SolidWorks assemblies into robot models."""


def keep_to_one_thread() -> None:
    """Limit numpy to one thread, unless the environment sets a number; must be called before numpy is imported.

    The matrices are small: threads that wait for each other made a closed truss of 300 bars ten times slower.
    """
    if not {"OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"} & os.environ.keys():
        os.environ["OPENBLAS_NUM_THREADS"] = "1"


def main() -> None:
    """Run the command; every error is printed as a sentence, without a traceback."""
    keep_to_one_thread()
    sys.exit(run(app))
