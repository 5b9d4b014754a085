"""What `swgrm export` prints: what was made, what was assumed, the warnings, and where the rest is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from swgrm.findings import Finding, Severity, problems
from swgrm.meshes.uris import MESHES
from swgrm.model import Robot
from swgrm_addin.cli import report
from swgrm_addin.cli.report import plural
from swgrm_exporters.formats import FORMATS

if TYPE_CHECKING:
    from swgrm_addin.pipeline import Export

MAX_JOINTS = 8  # listed after an export; of more joints only their types are counted
SHOWN_NOTES = (  # what was assumed or needs a look
    "coupling-assumed", "file-kept", "kept-file-lacks", "limits-assumed", "mesh-elsewhere", "parked-loop",
)  # fmt: skip


def print_export(done: Export, folder: Path, asked: Iterable[str] = (), *, quiet: bool, verbose: bool) -> None:
    """Print an export; `asked` are the formats that the user named."""
    if quiet:
        counted = _counted(asked)
        wrong = [f for f in problems(done.findings) if f.format not in counted or f.severity is Severity.ERROR]
        report.print_findings(wrong, err=True)
        return
    if verbose:
        report.print_robot(done.robot, done.findings)
        click.echo("")
        for file in done.files:
            click.echo(f"{'unchanged' if file in done.same else 'wrote'} {file}")
    else:
        _print_robot(done.robot)
        click.echo(f"{folder}: {', '.join(_names(done.files, folder))}")
        _print_findings(done.findings, set(asked), done.files[-1])
    report.print_changes(done.changes, is_same=len(done.same) == len(done.files))


def _print_robot(robot: Robot) -> None:
    click.echo(report.headline(robot))
    moving = {name: frame.joint for name, frame in robot.joints.items() if frame.joint and not frame.is_rigid}
    if len(moving) <= MAX_JOINTS:
        width = max(map(len, moving), default=0)
        for name, joint in moving.items():
            click.echo(f"  {name:<{width}}  {report.joint_text(joint, robot)}")
    else:
        kinds = Counter(str(joint.type) for joint in moving.values())
        click.echo("  " + ", ".join(f"{count} {kind}" for kind, count in kinds.most_common()))
    if robot.loop_joints:
        click.echo(f"  {plural(len(robot.loop_joints), 'loop joint')}: {', '.join(_loops(robot))}")


def _loops(robot: Robot) -> list[str]:
    names = [loop.joint.name for loop in robot.loop_joints]
    return names if len(names) <= MAX_JOINTS else [*names[:MAX_JOINTS], "…"]


def _names(files: Sequence[Path], folder: Path) -> list[str]:
    """The files by their names in the folder; those of a package are counted, and so are mesh files."""
    meshes = [file for file in files if file.suffix.lower() in MESHES]
    others = [file.relative_to(folder) for file in files if file not in meshes]
    packages = {file.parent for file in others if file.name.startswith("package.xml")}
    inside = {package: sum(package in file.parents for file in others) for package in packages - {Path()}}
    names = [next((package for package in inside if package in file.parents), file) for file in others]
    listed = [f"{name}/ ({plural(inside[name], 'file')})" if name in inside else name.as_posix() for name in names]
    return [*dict.fromkeys(listed), *([plural(len(meshes), "mesh file")] if meshes else [])]


def _counted(asked: Iterable[str]) -> set[str]:
    """The formats whose findings are only counted, because the user did not name them."""
    named = set(asked)
    return {form.name for form in FORMATS.values() if form.is_counted and form.name not in named}


def _print_findings(findings: Sequence[Finding], asked: set[str], file: Path) -> None:
    """The problems and what was assumed; everything else, and what concerns formats that were not named, is counted."""
    counted = _counted(asked)
    own = [each for each in findings if each.format not in counted]
    listed = {form.name for form in FORMATS.values() if form.is_counted and form.name in asked}
    shown = [each for each in own if each.severity > Severity.NOTE or each.code in SHOWN_NOTES or each.format in listed]
    report.print_kinds(shown)
    rest = [plural(len(own) - len(shown), "more note")] if len(own) > len(shown) else []
    about = {name: [each for each in findings if each.format == name] for name in sorted(counted)}
    rest += [f"{report.counted(each)} about {FORMATS[name].title}" for name, each in about.items() if each]
    if rest:
        click.echo(f"{'; '.join(rest)}: --verbose lists them, and so does {file.name}")
