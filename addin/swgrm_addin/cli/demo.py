"""The tour: a sample assembly through the main job, as a real one goes."""

from __future__ import annotations

from pathlib import Path

import typer

SAMPLE = "mock:arm"


def register(app: typer.Typer) -> None:
    """Hang the verb into the application."""
    app.command()(demo)


def demo(
    out: Path = typer.Option(Path("swgrm-demo"), "-o", "--out", help="The folder to write into.", metavar="FOLDER"),
) -> None:
    """Export a sample assembly from the mock SolidWorks: read it, infer its joints, write every format."""
    from swgrm_addin.cli.exporting import bar, print_exported
    from swgrm_addin.export import export

    typer.echo(f"$ swgrm export {SAMPLE} -o {out}", err=True)
    with bar() as progress:
        done = export(SAMPLE, out, progress=progress)
    print_exported(done)
    typer.echo(f"\nlook into {out}, or try\n  swgrm show {SAMPLE}\n  swgrm check {out / 'arm.grm.json'}")
