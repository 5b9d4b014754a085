"""Commands on the installation: doctor, register, unregister."""

from __future__ import annotations

import os

import typer

from swgrm_addin.cli.options import JSON

COLOURS = {"ok": "green", "broken": "red", "note": "cyan"}


def doctor(json: bool = JSON) -> None:
    """Check each part of the installation, from SolidWorks to the export; exit 1 if one is broken."""
    from swgrm_addin.cli import report
    from swgrm_addin.installation.doctor import Health, examine

    links = examine()
    if json:
        report.write_json([link._asdict() for link in links])
    else:
        for link in links:
            typer.echo(f"{typer.style(f'{link.health:7}', fg=COLOURS[link.health])} {link.name}: {link.seen}")
            if link.remedy:
                typer.echo(f"        {link.remedy}.")
    raise typer.Exit(1 if any(link.health is Health.BROKEN for link in links) else 0)


def register() -> None:
    """Register the add-in of this Python with SolidWorks; needs an administrator."""
    _need_windows()
    from swgrm_addin.installation import registry

    registry.register()
    typer.echo(
        "The add-in is registered. Start SolidWorks; the tab `swgrm` is beside its own. `swgrm doctor` checks it."
    )


def unregister() -> None:
    """Remove all that `swgrm register` wrote; needs an administrator."""
    _need_windows()
    from swgrm_addin.installation import registry

    registry.unregister()
    typer.echo("The add-in is no longer registered.")


def _need_windows() -> None:
    if os.name != "nt":
        from swgrm.errors import SolidWorksError

        raise SolidWorksError("The add-in needs Windows, and SolidWorks on it. `swgrm doctor` says what works here.")


COMMANDS = (doctor, register, unregister)
