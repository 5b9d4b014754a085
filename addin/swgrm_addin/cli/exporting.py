"""The verb `export`: the main job, with its progress on a terminal or as events for another program."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from swgrm_addin.cli.model import JSON, SOURCE

if TYPE_CHECKING:
    from swgrm_addin.export import Progress


def register(app: typer.Typer) -> None:
    """Hang the verb into the application."""
    app.command()(export)


def export(
    source: str = SOURCE,
    out: Path = typer.Option(..., "-o", "--out", help="The folder to write into.", metavar="FOLDER"),
    format: str = typer.Option("", help="Formats, separated by commas; by default all.", metavar="NAMES"),  # noqa: A002
    json: bool = JSON,
    events: bool = typer.Option(False, hidden=True, help="Progress as a JSON object per line on standard error."),
) -> None:
    """Export a robot into a folder: GRM, URDF with meshes, RobotInfo, and what was found."""
    from swgrm_addin.cli import report
    from swgrm_addin.export import export as run

    formats = tuple(name.strip() for name in format.split(",") if name.strip())
    with _events() if events else _bar() as progress:
        done = run(source, out, formats=formats, progress=progress)
    if json:
        data = report.summary(done.robot, done.findings)
        report.write_json({**data, "files": [str(file) for file in done.files]})
    else:
        report.print_robot(done.robot, done.findings)
        typer.echo("")
        for file in done.files:
            typer.echo(f"wrote {file}")


@contextmanager
def _events() -> Iterator[Progress]:
    import msgspec

    def tell(step: str, done: float) -> None:
        sys.stderr.write(msgspec.json.encode({"step": step, "done": round(done, 4)}).decode() + "\n")
        sys.stderr.flush()

    yield tell


@contextmanager
def _bar() -> Iterator[Progress]:
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
