"""The verb `export`: the main job, with its progress on a terminal or as events for another program."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from swgrm_addin.cli.model import JSON, SETTINGS, SOURCE

if TYPE_CHECKING:
    from swgrm_addin.export import Exported, Progress


def register(app: typer.Typer) -> None:
    """Hang the verb into the application."""
    app.command()(export)


def export(
    source: str = SOURCE,
    out: Path | None = typer.Option(
        None, "-o", "--out", help="The folder to write into, unless the settings name one.", metavar="FOLDER"
    ),
    format: str = typer.Option("", help="Formats, separated by commas; by default all.", metavar="NAMES"),  # noqa: A002 - the name of the option
    settings: Path | None = SETTINGS,
    ros2: bool = typer.Option(False, "--ros2", help="Make the folder a ROS 2 package with launch file and RViz view."),
    json: bool = JSON,
    configuration: str = typer.Option("", hidden=True, help="The configuration to read."),
    otherwise: Path | None = typer.Option(None, hidden=True, help="The folder if neither -o nor settings name one."),
    seat: str = typer.Option("", hidden=True, help="The address of the SolidWorks that shall open the document."),
    events: bool = typer.Option(False, hidden=True, help="Progress and result as JSON lines on standard error."),
    tethered: bool = typer.Option(False, hidden=True, help="End when standard input ends."),
) -> None:
    """Export a robot into a folder: GRM, URDF with meshes, RobotInfo, and what was found."""
    from swgrm_addin.cli import report
    from swgrm_addin.export import chosen_folder
    from swgrm_addin.export import export as run

    if tethered:
        from swgrm_addin.tether import end_with_input

        end_with_input()
    folder = out or chosen_folder(source, settings) or otherwise
    if folder is None:
        raise typer.BadParameter("Say where to write: -o FOLDER, or `export: {folder: ...}` in the settings.")
    with _events() if events else bar() as progress:
        done = run(
            source,
            folder,
            formats=names(format),
            settings=settings,
            ros2=ros2,
            progress=progress,
            seat=seat,
            configuration=configuration,
        )
        if events:
            _tell(result=_result(done))
    if json:
        data = report.summary(done.robot, done.findings)
        report.write_json({**data, "folder": str(folder), "files": [str(file) for file in done.files]})
    elif not events:
        print_exported(done)


def print_exported(done: Exported) -> None:
    """What was exported: the robot, the files, and what changed since the last time."""
    from swgrm_addin.cli import report

    report.print_robot(done.robot, done.findings)
    typer.echo("")
    for file in done.files:
        typer.echo(f"wrote {file}")
    report.print_changes(done.changes)


def names(text: str) -> tuple[str, ...]:
    """The names in a list with commas."""
    return tuple(name.strip() for name in text.split(",") if name.strip())


def _result(done: Exported) -> dict[str, object]:
    return {
        "robot": done.robot.name,
        "links": sum(len(frame.links) for frame in done.robot.frames),
        "joints": sum(not frame.is_rigid for frame in done.robot.frames),
        "findings": [finding.plain() for finding in done.findings],
        "files": [str(file) for file in done.files],
        "references": done.references,
    }


def _tell(**event: object) -> None:
    import msgspec

    sys.stderr.write(msgspec.json.encode(event).decode() + "\n")
    sys.stderr.flush()


@contextmanager
def _events() -> Iterator[Progress]:
    """Steps as they begin; an error with its kind, so that who started us knows whether to try again."""
    from swgrm.errors import SwgrmError

    try:
        yield lambda step, done: _tell(step=step, done=round(done, 4))
    except SwgrmError as error:
        _tell(error=type(error).__name__, message=str(error))
        raise


@contextmanager
def bar() -> Iterator[Progress]:
    """Progress as a bar, on a terminal."""
    if not sys.stderr.isatty():
        from swgrm_addin.export import quiet

        yield quiet
        return
    from rich.console import Console
    from rich.progress import Progress as Bar

    with Bar(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("starting", total=1.0)

        def tell(step: str, done: float) -> None:
            bar.update(task, description=step, completed=done)

        yield tell
