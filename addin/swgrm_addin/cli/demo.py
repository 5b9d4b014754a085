"""The tour: a sample robot through the main job."""

from __future__ import annotations

from pathlib import Path

import typer


def register(app: typer.Typer) -> None:
    """Hang the verb into the application."""
    app.command()(demo)


def demo(
    out: Path = typer.Option(Path("swgrm-demo"), "-o", "--out", help="The folder to write into.", metavar="FOLDER"),
) -> None:
    """Make a sample robot, write it, and show it."""
    from swgrm import save
    from swgrm_addin.cli import report
    from swgrm_addin.sources import load_robot
    from swgrm_mocks.example import example_arm

    path = out / "example_arm.grm.json"
    save(example_arm(), path)
    loaded = load_robot(str(path))
    report.print_robot(loaded.robot, loaded.findings)
    typer.echo(f"\nwrote {path}: look at it with\n  swgrm show {path}\n  swgrm check {path}")
