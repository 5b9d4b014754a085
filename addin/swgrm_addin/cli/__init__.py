"""The command `swgrm`: its subcommands are in the modules of this package, which are loaded when they are used."""

from __future__ import annotations

import os
import sys
from importlib import import_module

import click

from swgrm import __version__
from swgrm.errors import Cancelled
from swgrm_addin.cli.completion import INSTALL, SHOW, VARIABLE, offer_powershell
from swgrm_addin.cli.running import run

COMMANDS = {  # the module of each, and its line in the list, so that the list needs no module
    "export": ("exporting", "Export a robot into a folder, with meshes and findings."),
    "view": ("viewing", "Show a robot in 3D, in the browser."),
    "review": ("viewing", "Correct a robot in the browser, and export it."),
    "capture": ("captures", "Save everything that is read of a document in one file."),
    "samples": ("captures", "List the sample assemblies, which need no SolidWorks."),
    "batch": ("batching", "Export every document of a folder."),
    "show": ("robots", "Show joints, ranges, reasons, masses and findings."),
    "check": ("robots", "Check a robot, and its meshes against its inertias."),
    "convert": ("robots", "Convert a robot file into another format."),
    "diff": ("robots", "Compare two robots of any formats."),
    "formats": ("robots", "List the formats that are read and written."),
    "schema": ("robots", "Write the JSON Schema of the GRM file."),
    "settings": ("inferring", "Write a settings file with the inferred values."),
    "joints": ("inferring", "Write the joints as a spreadsheet, or read its changes."),
    "explain": ("inferring", "Explain why a joint or a component moves, or does not."),
    "generate": ("generating", "Generate synthetic robots, reproducible by their seed."),
    "demo": ("demo", "Export a sample assembly."),
    "selftest": ("selftesting", "Build small assemblies in SolidWorks, move and read them."),
    "report": ("reporting", "Write a report of a problem."),
    "doctor": ("installation", "Check the installation, from SolidWorks to the export."),
    "register": ("installation", "Register the add-in of this Python with SolidWorks."),
    "unregister": ("installation", "Remove the registration of `swgrm register`."),
}
EPILOG = (
    "Exit codes: 0 success, 1 problems found (export: findings of severity error; check: warnings, too), "
    "2 error or wrong usage, 130 cancelled."
)


class _Group(click.Group):
    """Commands in the order of the table, each of which is loaded when it is used."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        return list(self.commands)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 - click's signature
        if cmd_name not in COMMANDS:
            return None
        module, _ = COMMANDS[cmd_name]
        command: click.Command = getattr(import_module(f"{__name__}.{module}"), cmd_name)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002 - click's signature
        with formatter.section("Commands"):
            formatter.write_dl([(name, summary) for name, (_, summary) in COMMANDS.items()])

    def invoke(self, ctx: click.Context) -> object:
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt as interrupt:
            raise click.exceptions.Exit(Cancelled.exit_code) from interrupt
        except BrokenPipeError as error:  # click takes it for a failure, and `run` does not
            raise SystemExit from error


@click.group(
    "swgrm",
    cls=_Group,
    commands={name: click.Command(name) for name in COMMANDS},
    epilog=EPILOG,
    context_settings={"help_option_names": ["-h", "--help"], "color": False if os.environ.get("NO_COLOR") else None},
)
@click.version_option(__version__, message="%(prog)s %(version)s", prog_name="swgrm", help="Show the version.")
@INSTALL
@SHOW
def app() -> None:
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
    if VARIABLE in os.environ:
        offer_powershell()
    sys.exit(run(lambda: app(prog_name="swgrm", windows_expand_args=False)))  # `arm[1].SLDASM` is a name, not a pattern
