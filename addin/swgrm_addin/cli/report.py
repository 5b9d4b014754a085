"""The output of the commands: robots as trees, findings as lists, and JSON."""

from __future__ import annotations

import math
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
import typer

from swgrm.findings import Finding, Severity, by_kind, more_like_it
from swgrm.joint_relations import relation_text
from swgrm.mesh_uris import MESHES
from swgrm.model import Frame, Joint, JointType, Robot, UsedConvention

if TYPE_CHECKING:
    from rich.text import Text

    from swgrm.comparison import Comparison

COLOURS = {Severity.ERROR: "red", Severity.WARNING: "yellow", Severity.NOTE: "cyan"}


def write_json(data: object) -> None:
    """Write data as JSON to standard output."""
    sys.stdout.write(msgspec.json.format(msgspec.json.encode(data), indent=2).decode() + "\n")


def print_findings(findings: Iterable[Finding], *, err: bool = False) -> None:
    """Print the findings, worst first, and their count; of each kind one in full, and the objects of the others."""
    kinds = by_kind(findings)
    for first, *others in kinds:
        _print_finding(first, err=err)
        if len(others) == 1:
            _print_finding(others.pop(), err=err)
        if others:
            typer.echo(f"{'':8}{more_like_it(others)}", err=err)
    if not err:
        typer.echo(_counted([finding for alike in kinds for finding in alike]))


def _print_finding(finding: Finding, *, err: bool) -> None:
    label = typer.style(f"{finding.severity.name.lower():8}", fg=COLOURS[finding.severity])
    typer.echo(f"{label}{finding.place}: {finding.message} [{finding.code}]", err=err)


def print_files(files: Sequence[Path]) -> None:
    """Print the files that were written; mesh files are counted."""
    meshes = [file for file in files if file.suffix.lower() in MESHES]
    if meshes:
        typer.echo(f"wrote {plural(len(meshes), 'mesh file')} into {meshes[0].parent}")
    for file in files:
        if file not in meshes:
            typer.echo(f"wrote {file}")


def print_changes(changes: Comparison | None, most: int = 20) -> None:
    """Print the changes since the last export; nothing if there was none."""
    if changes is None:
        return
    if changes.is_same:
        typer.echo("nothing changed since the last export")
        return
    typer.echo(f"changed since the last export ({len(changes.differences)}):")
    for difference in changes.differences[:most]:
        typer.echo(f"  {difference}")
    if len(changes.differences) > most:
        typer.echo(f"  … and {len(changes.differences) - most} more")


def exit_code(findings: Iterable[Finding]) -> int:
    """The exit code of an export: 1 if a finding is an error, because the robot is wrong then."""
    return int(any(finding.severity is Severity.ERROR for finding in findings))


def findings_data(findings: Iterable[Finding]) -> list[dict[str, str]]:
    """Findings as JSON data."""
    return [finding.plain() for finding in findings]


def summary(robot: Robot, findings: Sequence[Finding]) -> dict[str, Any]:
    """A robot and its findings as JSON data."""
    return {
        "robot": robot.name,
        "frames": [
            {
                "id": frame.id,
                "parent": frame.parent,
                "joint": frame.joint and {"name": frame.joint_name, **_joint_data(frame.joint)},
                "links": [link.name for link in frame.links],
                "mass": _mass(frame),
                "sensors": [sensor.name for sensor in frame.sensors],
            }
            for frame in robot.frames
        ],
        "mass": sum(_mass(frame) or 0.0 for frame in robot.frames),
        "conventions": list(robot.conventions),
        "findings": findings_data(findings),
    }


def _joint_data(joint: Joint) -> dict[str, Any]:
    return {
        "type": joint.type, "axis": joint.axis, "limits": joint.limits, "coupling": joint.coupling, "why": joint.why
    }  # fmt: skip


def print_robot(robot: Robot, findings: Sequence[Finding]) -> None:
    """Print the robot as a tree, then its joints with their reasons, and the findings."""
    from rich.console import Console

    console = Console(highlight=False, soft_wrap=True)
    links = sum(len(frame.links) for frame in robot.frames)
    moving = sum(not frame.is_rigid for frame in robot.frames)
    mass = sum(_mass(frame) or 0.0 for frame in robot.frames)
    console.print(
        f"[bold]{robot.name}[/]: {plural(len(robot.frames), 'frame')}, {plural(links, 'link')}, "
        f"{plural(moving, 'moving joint')}, {mass:.4g} kg"
    )
    if not any(f.code in ("frame-unreachable", "frame-duplicate", "root-missing", "root-several") for f in findings):
        for line in _tree_lines(robot):
            console.print(line)
        for loop in robot.loop_joints:
            console.print(f"loop {loop.joint.name}: {loop.parent} – {loop.child}, {joint_text(loop.joint)}")
        for composite in robot.composite_joints:
            console.print(f"{composite.type} joint {composite.name}: {', '.join(composite.joints)}", markup=False)
        for relation in robot.relations:
            console.print(f"relation: {relation_text(relation)}", markup=False)
        for line in _why_lines(robot):
            console.print(line)
        for convention in robot.conventions:
            console.print(_convention_text(convention), markup=False)
    print_findings(findings)


def _why_lines(robot: Robot) -> Iterable[Text]:
    """The reason for each joint: its mates, their degrees of freedom, and the decision; doubtful ones are marked."""
    from rich.text import Text

    for name, frame in robot.joints.items():
        if frame.joint and frame.joint.why and not frame.is_rigid:
            why = frame.joint.why
            yield Text.assemble((name, "bold"), (" – needs review" if why.needs_check else "", "yellow"))
            yield Text(f"  {joint_text(frame.joint)}; {why.freedom}")
            yield Text(f"  {why.reason}" + (f" ({', '.join(why.mates)})" if why.mates else ""), style="dim")


def _convention_text(convention: UsedConvention) -> str:
    origin = "set" if convention.is_set else "default"
    return f"convention {convention.name}: {convention.choice} ({origin})" + (
        f", for {', '.join(convention.mates)}" if convention.mates else ""
    )


def _tree_lines(robot: Robot) -> Iterable[Text]:
    """One line per frame, with the branches of the tree; the indentation is limited."""
    from rich.text import Text

    branches: dict[str, str] = {}
    for frame in robot.walk():
        if frame.parent is None:
            prefix, branches[frame.id] = "", ""
        else:
            last = robot.children(frame.parent)[-1].id == frame.id
            stem = branches[frame.parent][-60:]
            prefix, branches[frame.id] = stem + ("└─ " if last else "├─ "), stem + ("   " if last else "│  ")
        yield Text.assemble((prefix, "dim"), *_frame_text(frame))


def _frame_text(frame: Frame) -> Iterable[tuple[str, str]]:
    yield frame.id, "bold" if not frame.is_rigid else ""
    if frame.joint and not frame.is_rigid:
        name = "" if frame.joint_name == frame.id else f" {frame.joint_name}"
        yield f" ←{name} {joint_text(frame.joint)}", "green"
    if frame.links:
        mass = _mass(frame)
        yield f"  [{', '.join(link.name for link in frame.links)}{f', {mass:.4g} kg' if mass else ''}]", "blue"
    if frame.entity and frame.entity.kind != "component":
        yield f"  ({frame.entity.kind})", "dim"
    for sensor in frame.sensors:
        yield f"  ◉ {sensor.name} ({sensor.type})", "magenta"


def joint_text(joint: Joint) -> str:
    """A joint in one line: type, axis, range and coupling."""
    parts = [str(joint.type)]
    if joint.type not in (JointType.FIXED, JointType.BALL):
        parts.append(f"{'along' if joint.type is JointType.PRISMATIC else 'about'} {_axis_text(joint.axis)}")
    if joint.type is JointType.SCREW:
        parts.append(f"{joint.pitch * 1000:.4g} mm per turn")
    if joint.limits.lower is not None or joint.limits.upper is not None:
        parts.append(f"{_position(joint, joint.limits.lower)} to {_position(joint, joint.limits.upper)}")
    if joint.coupling:
        offset = f" {joint.coupling.offset:+.4g}" if joint.coupling.offset else ""
        parts.append(f"= {joint.coupling.ratio:.4g} · {joint.coupling.joint}{offset}")
    return ", ".join(parts)


def _axis_text(axis: tuple[float, float, float]) -> str:
    for index, name in enumerate("xyz"):
        if abs(abs(axis[index]) - 1) < 1e-9:
            return name if axis[index] > 0 else f"−{name}"
    return "({:.3g}, {:.3g}, {:.3g})".format(*axis)


def _position(joint: Joint, value: float | None) -> str:
    if value is None:
        return "∞"
    return f"{value * 1000:.4g} mm" if joint.type is JointType.PRISMATIC else f"{math.degrees(value):.4g}°"


def _mass(frame: Frame) -> float | None:
    masses = [link.inertial.mass for link in frame.links if link.inertial]
    return sum(masses) if masses else None


def _counted(findings: Sequence[Finding]) -> str:
    if not findings:
        return "no findings"
    counts = [(severity, sum(f.severity is severity for f in findings)) for severity in sorted(Severity, reverse=True)]
    return ", ".join(plural(count, severity.name.lower()) for severity, count in counts if count)


def plural(count: int, noun: str) -> str:
    """A number with its noun, in the plural unless the number is 1."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}"
