"""The command `export`, with its progress on a terminal or as events for another program."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

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

if TYPE_CHECKING:
    from swgrm_addin.pipeline import Export, Progress


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
DEFAULT_FOLDER = click.option(
    "--default-folder", type=PATH, hidden=True, help="The folder if neither -o nor settings name one."
)
INSTANCE = click.option(
    "--instance", default="", hidden=True, help="The address of the SolidWorks that opens the document."
)
EVENTS = click.option(
    "--events", is_flag=True, hidden=True, help="Progress and result as JSON lines on standard error."
)
REFUSE_EDITED = click.option(
    "--refuse-edited", is_flag=True, hidden=True, help="Exit 73 if files in the folder were edited."
)
END_WITH_INPUT = click.option("--end-with-input", is_flag=True, hidden=True, help="End when standard input ends.")


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
@DEFAULT_FOLDER
@INSTANCE
@EVENTS
@REFUSE_EDITED
@END_WITH_INPUT
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
    default_folder: Path | None,
    instance: str,
    events: bool,
    refuse_edited: bool,
    end_with_input: bool,
) -> None:
    """Export a robot into a folder, with meshes and findings. Edited files in it are kept as NAME.bak."""
    from swgrm_addin.cli import report
    from swgrm_addin.cli.export_report import print_export
    from swgrm_addin.pipeline import export as run
    from swgrm_addin.settings_file import settings_for

    if end_with_input:
        from swgrm_addin import parent_watchdog

        parent_watchdog.end_with_input()
    with _events() if events else bar() as progress:
        decided = settings_for(source, settings, options(option, complete=complete))
        folder = out or decided.export_folder or default_folder
        if folder is None:
            raise click.UsageError("No folder to write into: use -o FOLDER, or `export: {folder: ...}` in settings.")
        formats = _with_packages(names(format) or decided.formats, ros2=ros2, moveit=moveit)
        done = run(
            source, folder, formats=formats, settings=decided, configuration=configuration, instance=instance,
            progress=progress, edited="replace" if force else "refuse" if refuse_edited else "keep",
        )  # fmt: skip
        if events:
            _emit(result=_result(done))
    if json:
        data = report.summary(done.robot, done.findings)
        report.write_json({**data, "folder": str(folder), "files": [str(file) for file in done.files]})
    elif not events:
        asked = (*formats, *decided.sections)
        print_export(done, folder, asked, quiet=quiet, verbose=verbose)
    raise click.exceptions.Exit(report.exit_code(done.findings))


def _with_packages(formats: tuple[str, ...], *, ros2: bool, moveit: bool) -> tuple[str, ...]:
    """The formats, and the packages that the options add to them."""
    added = ("ros2",) * ros2 + ("moveit",) * moveit
    return (*(formats or ("default",)), *added) if added else formats


def _result(done: Export) -> dict[str, object]:
    return {
        "robot": done.robot.name,
        "links": sum(len(frame.links) for frame in done.robot.frames),
        "joints": sum(not frame.is_rigid for frame in done.robot.frames),
        "findings": [finding.plain() for finding in done.findings],
        "files": [str(file) for file in done.files],
        "references": done.references,
        "reading": done.reading,
    }


def _emit(**event: object) -> None:
    import msgspec

    sys.stderr.write(msgspec.json.encode(event).decode() + "\n")
    sys.stderr.flush()


@contextmanager
def _events() -> Iterator[Progress]:
    """Emit each step as it begins, and an error with its type, so that the caller can decide whether to retry."""
    from swgrm.errors import SwgrmError

    try:
        yield lambda step, done: _emit(step=step, done=round(done, 4))
    except SwgrmError as error:
        _emit(error=type(error).__name__, message=str(error))
        raise
