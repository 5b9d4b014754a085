"""The command `demo`: exports a sample assembly."""

from __future__ import annotations

from pathlib import Path

import click

from swgrm_addin.cli.options import PATH, bar, command_text

SAMPLE = "mock:arm"


@click.command
@click.option(
    "-o",
    "--out",
    type=PATH,
    default=Path("swgrm-demo"),
    show_default=True,
    help="The folder to write into.",
    metavar="FOLDER",
)
def demo(out: Path) -> None:
    """Export a sample assembly.

    It is read from the mock SolidWorks, its joints are inferred, and the default formats are written.
    """
    from swgrm_addin.cli.export_report import print_export
    from swgrm_addin.pipeline import export

    click.echo(f"$ {command_text('export', SAMPLE, '-o', out)}", err=True)
    with bar() as progress:
        done = export(SAMPLE, out, progress=progress)
    print_export(done, out, quiet=False, verbose=False)
    show, check = command_text("show", SAMPLE), command_text("check", out / "arm.grm.json")
    click.echo(f"\nThe files are in {out}. Next, try:\n  {show}\n  {check}")
