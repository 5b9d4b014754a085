"""The command `report`: one anonymous file with what a maintainer needs to find a problem."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from swgrm_addin.cli.options import CONFIGURATION, FORCE, JSON, PATH, files

if TYPE_CHECKING:
    from swgrm_addin.support_report import ReportFile

OUT = click.option(
    "-o", "--out", type=PATH, help="The file to write; by default swgrm-report-DATE.zip.", metavar="FILE.zip"
)
YES = click.option("--yes", "-y", is_flag=True, help="Write the file without asking.")
WITH_NAMES = click.option("--with-names", is_flag=True, help="Keep the names and shapes of the assembly.")
MOST_LINES = 8  # of a file in the preview


@click.command
@click.argument(
    "source",
    default="",
    help="What fails: an assembly, a capture or another source; by default the active SolidWorks document.",
    metavar="[SOURCE]",
    shell_complete=files,
)
@OUT
@CONFIGURATION
@YES
@WITH_NAMES
@JSON
@FORCE
def report(
    source: str,
    out: Path | None,
    configuration: str,
    yes: bool,
    with_names: bool,
    json: bool,
    force: bool,
) -> None:
    """Write a report of a problem: capture, failures, log, doctor and versions in one file.

    Names, paths and shapes are left out. What is inside is shown before the file is written.
    """
    from swgrm.errors import FileError
    from swgrm.storage.files import check_new, write_bytes
    from swgrm_addin.support_report import packed, report_files

    file = out or _default_file()
    if file.suffix.lower() != ".zip":
        raise FileError(file, "the name of a report ends in .zip", remedy=f"Write to {file.stem or 'NAME'}.zip")
    if not force:
        check_new(file)
    files = report_files(source, configuration, with_names=with_names)
    _preview(files, file if yes else None, as_json=json)
    if not yes and (json or not _is_confirmed(file)):
        click.echo("Nothing was written.", err=True)
        return
    data = packed(files)
    write_bytes(file, data)
    if not json:
        click.echo(f"wrote {file} ({_size(len(data))}); attach it to your report")


def _default_file() -> Path:
    from datetime import UTC, datetime

    from swgrm.storage.files import unused

    return unused(f"swgrm-report-{datetime.now(UTC):%Y-%m-%d}", ".zip")


def _is_confirmed(file: Path) -> bool:
    if sys.stdin is None or not sys.stdin.isatty():
        click.echo("This is what the file would contain. To write it without being asked, add --yes.", err=True)
        return False
    return click.confirm(f"Write {file}?")


def _preview(files: Sequence[ReportFile], written: Path | None, *, as_json: bool) -> None:
    """Print what is inside: the names and sizes of the files, and the beginning of those that are text."""
    if as_json:
        from swgrm_addin.cli.report import write_json

        entries = [{"name": file.name, "what": file.what, "size": len(file.data)} for file in files]
        write_json({"file": str(written or ""), "contents": entries})
        return
    for file in files:
        click.echo(f"{file.name:15}{_size(len(file.data)):>9}  {file.what}")
    for file in files[1:]:
        if not file.name.endswith(".swcap"):
            _print_text(file)


def _print_text(file: ReportFile) -> None:
    from swgrm_addin.cli.report import print_first

    click.echo(f"\n{file.name}:")
    print_first([f"  {line}" for line in file.data.decode().splitlines()], MOST_LINES)


def _size(count: int) -> str:
    return f"{count / 1000:,.1f} kB"
