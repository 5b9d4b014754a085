"""Commands on robots: show, check, convert, diff, formats, schema."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from swgrm_addin.cli.options import COMPLETE, EXPAND_XACRO, FORCE, JSON, PATH, SETTINGS, SOURCE, bar, files, options

if TYPE_CHECKING:
    from swgrm.model import Robot
    from swgrm_addin.pipeline import Understanding

MAX_LINES = 40  # of differences


@click.command
@SOURCE
@SETTINGS
@JSON
@click.option("--raw", is_flag=True, help="Show the capture as read from SolidWorks, not the robot.")
def show(source: str, settings: Path | None, json: bool, raw: bool) -> None:
    """Show joints, ranges, reasons, masses and findings."""
    from swgrm_addin.cli import report

    if raw:
        from swgrm_addin.cli.captures import show_capture

        show_capture(source, json=json)
        return
    understood = understood_source(source, settings)
    bodies = understood.inference.held_bodies() if understood.inference else ()
    if json:
        report.write_json(report.summary(understood.robot, understood.findings, bodies))
    else:
        report.print_robot(understood.robot, understood.findings, bodies)


@click.command
@SOURCE
@SETTINGS
@JSON
def check(source: str, settings: Path | None, json: bool) -> None:
    """Check a robot, and its meshes against its inertias.

    Exits with 0 if there are at most notes, with 1 otherwise.
    """
    from swgrm.findings import problems
    from swgrm_addin.cli import report
    from swgrm_addin.pipeline import checked

    findings = checked(understood_source(source, settings))
    if json:
        report.write_json(report.findings_data(findings))
    else:
        report.print_findings(findings)
    raise click.exceptions.Exit(1 if problems(findings) else 0)


@click.command
@SOURCE
@click.argument("out", type=PATH, help="The file to write; its ending determines the format.", metavar="OUT")
@click.option(
    "-O",
    "--option",
    multiple=True,
    help="An option of the format, such as precision=9. May be repeated.",
    metavar="KEY=VALUE",
)
@COMPLETE
@SETTINGS
@FORCE
def convert(
    source: str,
    out: Path,
    option: tuple[str, ...],
    complete: bool,
    settings: Path | None,
    force: bool,
) -> None:
    """Convert a robot file into another format.

    An existing file is not replaced, unless --force is given.
    """
    from swgrm_addin.cli import report
    from swgrm_addin.pipeline import read, understand, write_file
    from swgrm_addin.settings_file import settings_for
    from swgrm_exporters.formats import of_file

    form = of_file(out)
    decided = settings_for(source, settings, options(option, form.name, complete=complete))
    with bar() as progress:
        done = write_file(understand(read(source), decided), out, force=force, progress=progress)
    report.print_findings(done.findings, err=True)
    report.print_files(done.files)


@click.command
@click.argument(
    "left",
    help="A robot: a file, a capture, an assembly or part, or mock:SAMPLE.",
    metavar="OLD",
    shell_complete=files,
)
@click.argument("right", help="The robot to compare it with.", metavar="NEW", shell_complete=files)
@EXPAND_XACRO
@click.option(
    "--tolerance",
    type=float,
    default=1e-9,
    show_default=True,
    help="The largest difference between numbers that is ignored.",
    metavar="NUMBER",
)
@click.option(
    "--shapes/--no-shapes",
    default=True,
    show_default=True,
    help="Compare visuals, collision shapes and materials, too.",
)
@click.option("--verbose", "-v", is_flag=True, help="List every difference.")
@JSON
def diff(left: str, right: str, tolerance: float, shapes: bool, verbose: bool, json: bool) -> None:
    """Compare two robots of any formats.

    Exits with 0 if they are the same, with 1 if they differ.

    The meshes of an assembly are made on export, so they are not compared with those of a file.
    """
    from swgrm.model.comparison import compare
    from swgrm.model.difference_words import lines
    from swgrm_addin.cli import report

    both = [understood_source(source) for source in (left, right)]
    old, new = (each.robot for each in both)
    if not shapes or len({each.capture is None for each in both}) > 1:
        old, new = without_shapes(old), without_shapes(new)
    found = compare(old, new, tolerance)
    if json:
        report.write_json([{"where": d.where, "old": str(d.left), "new": str(d.right)} for d in found.differences])
    else:
        report.print_first(list(lines(found)) or ["the same"], sys.maxsize if verbose else MAX_LINES)
    raise click.exceptions.Exit(1 if found.differences else 0)


def without_shapes(robot: Robot) -> Robot:
    """The robot without visuals, collision shapes and materials."""
    from msgspec.structs import replace

    frames = tuple(
        replace(frame, links=tuple(replace(link, visuals=(), collisions=()) for link in frame.links))
        for frame in robot.frames
    )
    return replace(robot, frames=frames, materials=())


@click.command
@JSON
def formats(json: bool) -> None:
    """List the formats that are read and written."""
    from swgrm_addin.cli import report
    from swgrm_exporters.formats import FORMATS

    rows = [
        {
            "name": form.name,
            "title": form.title,
            "endings": form.suffixes,
            "read": form.can_read,
            "written": form.can_write,
            "default": form.by_default,
        }
        for form in FORMATS.values()
    ]
    if json:
        report.write_json(rows)
        return
    for form in FORMATS.values():
        uses = [("read", form.can_read), ("written", form.can_write), ("by default", form.by_default)]
        ability = ", ".join(word for word, is_so in uses if is_so)
        click.echo(f"{form.name:<12}{', '.join(form.suffixes) or 'a folder':<20}{ability:<28}{form.title}")


@click.command
def schema() -> None:
    """Write the JSON Schema of the GRM file."""
    from swgrm.model.grmfile import schema as grm_schema
    from swgrm_addin.cli import report

    report.write_json(grm_schema())


def understood_source(source: str, settings: Path | None = None) -> Understanding:
    """A source, read and understood with its settings."""
    from swgrm_addin.pipeline import read, understand
    from swgrm_addin.settings_file import settings_for

    decided = settings_for(source, settings)
    with bar() as progress:
        progress("reading", 0.0)
        found = read(source)
        progress("inferring the joints", 0.5)
        return understand(found, decided)
