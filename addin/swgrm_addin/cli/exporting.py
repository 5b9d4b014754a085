"""The command `export`, with its progress on a terminal."""

from __future__ import annotations

from pathlib import Path

import click

from swgrm_addin.cli.options import (
    COMPLETE,
    CONFIGURATION,
    FORMAT,
    JSON,
    OPTION,
    PATH,
    QUIET,
    SETTINGS,
    SOURCE,
    VERBOSE,
    bar,
    names,
    options,
)

OUT = click.option(
    "-o",
    "--out",
    type=PATH,
    help="The folder to write into; needed unless the settings name one (`export: folder:`).",
    metavar="FOLDER",
)
ROS2 = click.option(
    "--ros2", is_flag=True, help="Add the ROS 2 package NAME_description: short for --format default,ros2."
)
MOVEIT = click.option(
    "--moveit", is_flag=True, help="Add packages for ROS 2 and MoveIt: short for --format default,moveit."
)


@click.command
@SOURCE
@OUT
@FORMAT
@SETTINGS
@OPTION
@ROS2
@MOVEIT
@COMPLETE
@click.option("--force", is_flag=True, help="Replace existing and edited files, without a copy of them.")
@QUIET
@VERBOSE
@JSON
@CONFIGURATION
def export(
    source: str,
    out: Path | None,
    format: str,  # noqa: A002 - the option's name
    settings: Path | None,
    option: tuple[str, ...],
    ros2: bool,
    moveit: bool,
    complete: bool,
    force: bool,
    quiet: bool,
    verbose: bool,
    json: bool,
    configuration: str,
) -> None:
    """Export a robot into a folder, with meshes and findings. Edited files in it are kept as NAME.bak."""
    from swgrm_addin.cli import report
    from swgrm_addin.cli.export_report import print_export
    from swgrm_addin.pipeline import export as run
    from swgrm_addin.settings_file import settings_for

    with bar() as progress:
        decided = settings_for(source, settings, options(option, complete=complete))
        folder = out or decided.export_folder
        if folder is None:
            raise click.UsageError("No folder to write into: use -o FOLDER, or `export: {folder: ...}` in settings.")
        formats = _with_packages(names(format) or decided.formats, ros2=ros2, moveit=moveit)
        done = run(
            source, folder, formats=formats, settings=decided, configuration=configuration,
            progress=progress, edited="replace" if force else "keep",
        )  # fmt: skip
    if json:
        data = report.summary(done.robot, done.findings)
        report.write_json({**data, "folder": str(folder), "files": [str(file) for file in done.files]})
    else:
        asked = (*formats, *decided.sections)
        print_export(done, folder, asked, quiet=quiet, verbose=verbose)
    raise click.exceptions.Exit(report.exit_code(done.findings))


def _with_packages(formats: tuple[str, ...], *, ros2: bool, moveit: bool) -> tuple[str, ...]:
    """The formats, and the packages that the options add to them."""
    added = ("ros2",) * ros2 + ("moveit",) * moveit
    return (*(formats or ("default",)), *added) if added else formats
