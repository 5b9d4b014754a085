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

COMMANDS = {  # and the module that has it
    "export": "exporting",
    "view": "viewing",
    "review": "viewing",
    "capture": "captures",
    "samples": "captures",
    "batch": "batching",
    "show": "robots",
    "check": "robots",
    "convert": "robots",
    "diff": "robots",
    "formats": "robots",
    "schema": "robots",
    "settings": "inferring",
    "joints": "inferring",
    "explain": "inferring",
    "generate": "generating",
    "demo": "demo",
    "selftest": "selftesting",
    "report": "reporting",
    "doctor": "installation",
    "register": "installation",
    "unregister": "installation",
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
        command: click.Command = getattr(import_module(f"{__name__}.{COMMANDS[cmd_name]}"), cmd_name)
        return command

    def invoke(self, ctx: click.Context) -> object:
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt as interrupt:
            raise click.exceptions.Exit(Cancelled.exit_code) from interrupt
        except BrokenPipeError as error:  # `run` knows that this is no failure, and click does not
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
    sys.exit(run(app))
