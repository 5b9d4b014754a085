"""Commands on the installation: doctor, register, unregister."""

from __future__ import annotations

import os

import click

from swgrm_addin.cli.options import JSON

COLOURS = {"ok": "green", "broken": "red", "note": "cyan"}


@click.command
@JSON
def doctor(json: bool) -> None:
    """Check the installation, from SolidWorks to the export.

    Exits with 1 if a part of it does not work.
    """
    from swgrm_addin.cli import report
    from swgrm_addin.installation.doctor import CheckStatus, examine

    results = examine()
    if json:
        report.write_json([result._asdict() for result in results])
    else:
        for result in results:
            click.echo(f"{click.style(f'{result.status:7}', fg=COLOURS[result.status])} {result.name}: {result.detail}")
            if result.remedy:
                click.echo(f"        {result.remedy}.")
    raise click.exceptions.Exit(1 if any(result.status is CheckStatus.BROKEN for result in results) else 0)


@click.command
def register() -> None:
    """Register the add-in of this Python with SolidWorks.

    Needs administrator rights.
    """
    _need_windows()
    from swgrm_addin.installation import registry

    registry.register()
    click.echo(
        "The add-in is registered. Start SolidWorks and look for the tab `swgrm`. To check it, run `swgrm doctor`."
    )


@click.command
def unregister() -> None:
    """Remove the registration of `swgrm register`.

    Needs administrator rights.
    """
    _need_windows()
    from swgrm_addin.installation import registry

    registry.unregister()
    click.echo("The add-in is no longer registered.")


def _need_windows() -> None:
    if os.name != "nt":
        from swgrm.errors import SolidWorksError

        raise SolidWorksError("The add-in needs Windows and SolidWorks. `swgrm doctor` shows what works here.")
