"""The command `swgrm`: one module per family of verbs, each loaded into one application here."""

from __future__ import annotations

import os
import sys

import typer

from swgrm.errors import SwgrmError
from swgrm_addin.cli import batching, capturing, demo, exporting, generating, installation, model, understanding

EPILOG = "Exit codes: 0 done (notes allowed), 1 problems found, 2 cannot read or wrong use, 130 cancelled."

app = typer.Typer(
    name="swgrm",
    help="From a SolidWorks assembly to a robot.",
    epilog=EPILOG,
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
for family in (exporting, capturing, batching, model, understanding, generating, demo, installation):
    family.register(app)


def _version(wanted: bool) -> None:
    if wanted:
        from swgrm import __version__

        typer.echo(f"swgrm {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: bool = typer.Option(False, "--version", callback=_version, is_eager=True, help="Show the version."),
) -> None:
    """From a SolidWorks assembly to a robot."""


def keep_to_one_thread() -> None:
    """Let numpy compute on one thread, unless the user says otherwise; it listens only before it is imported.

    Our matrices are small or many: threads that wait for each other made a closed truss of 300 bars ten times slower.
    """
    if not {"OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"} & os.environ.keys():
        os.environ["OPENBLAS_NUM_THREADS"] = "1"


def main() -> None:
    """Run the command; an error that a user can mend is a sentence, not a traceback."""
    keep_to_one_thread()
    try:
        app()
    except SwgrmError as error:
        typer.echo(f"swgrm: {error}", err=True)
        sys.exit(error.exit_code)
    except MemoryError:
        typer.echo("swgrm: The memory does not suffice. Close other programs, or take a machine with more.", err=True)
        sys.exit(SwgrmError.exit_code)
    except BrokenPipeError:  # the reader of our output went away, as `| head` does
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
