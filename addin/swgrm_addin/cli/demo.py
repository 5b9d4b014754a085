"""The command `demo`: exports a sample assembly."""

from __future__ import annotations

from pathlib import Path

import typer

SAMPLE = "mock:arm"


def demo(
    out: Path = typer.Option(Path("swgrm-demo"), "-o", "--out", help="The folder to write into.", metavar="FOLDER"),
) -> None:
    """Export a sample assembly.

    It is read from the mock SolidWorks, its joints are inferred, and the default formats are written.
    """
    from swgrm_addin.cli.export_report import print_export
    from swgrm_addin.cli.options import bar
    from swgrm_addin.pipeline import export

    typer.echo(f"$ swgrm export {SAMPLE} -o {out}", err=True)
    with bar() as progress:
        done = export(SAMPLE, out, progress=progress)
    print_export(done, out, quiet=False, verbose=False)
    typer.echo(f"\nThe files are in {out}. Next, try:\n  swgrm show {SAMPLE}\n  swgrm check {out / 'arm.grm.json'}")


COMMANDS = (demo,)
