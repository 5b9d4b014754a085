"""Verbs on robots: show, check, convert, schema."""

from __future__ import annotations

from pathlib import Path

import typer

SOURCE = typer.Argument(help="A robot file, a capture (.swcap), an assembly or part, or mock:SAMPLE.", metavar="SOURCE")
SETTINGS = typer.Option(None, "--settings", help="Settings; without it, NAME.grm.yaml beside SOURCE.", metavar="FILE")
JSON = typer.Option(False, "--json", help="Write for programs, as JSON.")


def register(app: typer.Typer) -> None:
    """Hang the verbs into the application."""
    app.command()(show)
    app.command()(check)
    app.command()(convert)
    app.command()(diff)
    app.command()(schema)


def show(
    source: str = SOURCE,
    settings: Path | None = SETTINGS,
    json: bool = JSON,
    raw: bool = typer.Option(False, "--raw", help="Show what SolidWorks said, not the robot that was understood."),
) -> None:
    """Show the tree: frames, joints with their ranges and why they are what they are, masses, and findings."""
    from swgrm_addin.cli import report
    from swgrm_addin.sources import load_robot

    if raw:
        from swgrm_addin.cli.capturing import show_capture

        show_capture(source, json=json)
        return
    loaded = load_robot(source, settings)
    if json:
        report.write_json(report.summary(loaded.robot, loaded.findings))
    else:
        report.print_robot(loaded.robot, loaded.findings)


def check(source: str = SOURCE, settings: Path | None = SETTINGS, json: bool = JSON) -> None:
    """Check a robot, its mesh files against its inertias too: exit 0 clean or notes only, 1 if there are problems."""
    from swgrm.findings import problems
    from swgrm.meshes.agreement import check_meshes
    from swgrm_addin.cli import report
    from swgrm_addin.sources import is_capture, load_robot

    loaded = load_robot(source, settings)
    findings = loaded.findings
    if not is_capture(source):
        findings = (*findings, *check_meshes(loaded.robot, Path(source).parent))
    if json:
        report.write_json(report.findings_data(findings))
    else:
        report.print_findings(findings)
    raise typer.Exit(1 if problems(findings) else 0)


def convert(
    source: str = SOURCE,
    out: Path = typer.Argument(help="The file to write; its ending says the format.", metavar="OUT"),
    root: str = typer.Option("", help="RobotInfo: the link or frame where the chain begins.", metavar="LINK"),
    tip: str = typer.Option("", help="RobotInfo: the link or frame where the chain ends.", metavar="LINK"),
    split: bool = typer.Option(False, "--split", help="RobotInfo: one file per chain."),
) -> None:
    """Convert a robot file into another format."""
    from swgrm.findings import Findings
    from swgrm.settings import converted
    from swgrm_addin.cli import report
    from swgrm_addin.sources import load_robot
    from swgrm_exporters.formats import of_file, write

    loaded = load_robot(source)
    choices = {"root": root, "tip": tip, "split": split}
    form, findings = of_file(out), Findings(loaded.findings)
    options = converted({name: value for name, value in choices.items() if value}, form.options, form.name)
    files = write(loaded.robot, out, options, findings)
    report.print_findings(findings, err=True)
    for file in files:
        typer.echo(f"wrote {file}")


def diff(
    left: str = typer.Argument(help="A robot.", metavar="OLD"),
    right: str = typer.Argument(help="Another robot.", metavar="NEW"),
    tolerance: float = typer.Option(1e-9, help="How far numbers may differ."),
    json: bool = JSON,
) -> None:
    """Compare two robots, of any formats: exit 0 if they are the same, 1 if they differ."""
    from swgrm.comparison import compare
    from swgrm_addin.cli import report
    from swgrm_addin.sources import load_robot

    found = compare(load_robot(left).robot, load_robot(right).robot, tolerance)
    if json:
        report.write_json([{"where": d.where, "old": str(d.left), "new": str(d.right)} for d in found.differences])
    else:
        typer.echo(str(found))
    raise typer.Exit(0 if found.is_same else 1)


def schema() -> None:
    """Write the JSON Schema of the GRM file."""
    from swgrm.grmfile import schema as grm_schema
    from swgrm_addin.cli import report

    report.write_json(grm_schema())
