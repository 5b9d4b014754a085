"""The output of the commands: robots as trees, findings as lists, and JSON."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import msgspec

from swgrm.findings import Finding, Severity, by_kind, more_like_it
from swgrm.kinematics.joint_relations import relation_text
from swgrm.meshes.uris import MESHES
from swgrm.model import Frame, Joint, JointType, Robot, UsedConvention, Why
from swgrm.model.words import axis_text, coupling_text, range_text

if TYPE_CHECKING:
    from swgrm.inference.result import HeldBody
    from swgrm.model.comparison import Comparison

MOST_IN_LOOPS = 200  # joints of a robot with loops whose degrees of freedom are computed
MOST_REASONS = 12  # lines about one body; `swgrm explain` has more
COLOURS = {Severity.ERROR: "red", Severity.WARNING: "yellow", Severity.NOTE: "cyan"}


def write_json(data: object) -> None:
    """Write data as JSON to standard output."""
    text = msgspec.json.format(msgspec.json.encode(data), indent=2) + b"\n"
    if sys.stdout is None:  # it was closed, as by `>&-`
        return
    sys.stdout.flush()
    if hasattr(sys.stdout, "buffer"):  # JSON is UTF-8, whatever the encoding of the terminal
        sys.stdout.buffer.write(text)
        sys.stdout.buffer.flush()
    else:
        sys.stdout.write(text.decode())


def print_findings(findings: Iterable[Finding], *, err: bool = False) -> None:
    """Print the findings, worst first, and their count; of each kind one in full, and the objects of the others."""
    every = list(findings)
    print_kinds(every, err=err)
    if not err:
        click.echo(counted(every))


def print_kinds(findings: Iterable[Finding], *, err: bool = False) -> None:
    """Print the findings by kind, worst first: one in full, the objects of the others, and the remedy."""
    for first, *others in by_kind(findings):
        _print_finding(first, err=err)
        if len(others) == 1 and others[0].message != first.message:
            _print_finding(others.pop(), err=err)
        if others:
            click.echo(f"{'':8}{more_like_it(others)}", err=err)
        if first.remedy:
            click.echo(f"{'':8}{first.remedy}", err=err)


def _print_finding(finding: Finding, *, err: bool) -> None:
    label = click.style(f"{finding.severity.name.lower():8}", fg=COLOURS[finding.severity])
    click.echo(f"{label}{finding.place}: {finding.message} [{finding.code}]", err=err)


def print_files(files: Sequence[Path]) -> None:
    """Print the files that were written; mesh files are counted."""
    meshes = [file for file in files if file.suffix.lower() in MESHES]
    if meshes:
        click.echo(f"wrote {plural(len(meshes), 'mesh file')} into {meshes[0].parent}")
    for file in files:
        if file not in meshes:
            click.echo(f"wrote {file}")


def print_changes(changes: Comparison | None, most: int = 12, *, is_same: bool) -> None:
    """Print the changes since the last export; nothing if there was none. `is_same`: no file was written."""
    if changes is None:
        return
    if is_same:
        click.echo("nothing changed since the last export")
    if not changes.differences:
        return
    from swgrm.model.difference_words import lines

    changed = list(lines(changes))
    click.echo(f"changed since the last export ({len(changed)}):")
    print_first([f"  {line}" for line in changed], most)


def print_first(lines: Sequence[str], most: int) -> None:
    """Print the first lines, and how many more there are."""
    for line in lines[:most]:
        click.echo(line)
    if len(lines) > most:
        click.echo(f"  … and {len(lines) - most:,} more")


def exit_code(findings: Iterable[Finding]) -> int:
    """The exit code of an export: 1 if a finding is an error, because the robot is wrong then."""
    return int(any(finding.severity is Severity.ERROR for finding in findings))


def findings_data(findings: Iterable[Finding]) -> list[dict[str, str]]:
    """Findings as JSON data."""
    return [finding.plain() for finding in findings]


def summary(robot: Robot, findings: Sequence[Finding], bodies: Sequence[HeldBody] = ()) -> dict[str, Any]:
    """A robot, its findings and what holds its bodies of several parts as JSON data."""
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
        "bodies": [body._asdict() for body in bodies],
        "conventions": list(robot.conventions),
        "findings": findings_data(findings),
    }


def _joint_data(joint: Joint) -> dict[str, Any]:
    return {
        "type": joint.type, "axis": joint.axis, "limits": joint.limits, "coupling": joint.coupling, "why": joint.why
    }  # fmt: skip


def print_robot(robot: Robot, findings: Sequence[Finding], bodies: Sequence[HeldBody] = ()) -> None:
    """Print the robot as a tree, then its joints with their reasons, what holds its bodies, and the findings."""
    click.secho(headline(robot), bold=True)
    if not any(f.code in ("frame-unreachable", "frame-duplicate", "root-missing", "root-several") for f in findings):
        for line in _robot_lines(robot):
            click.echo(line)
    for body in bodies:
        print_first(_body_lines(body), MOST_REASONS)
    print_findings(findings)


def _body_lines(body: HeldBody) -> list[str]:
    """A body of several parts, and what holds it together."""
    fixed = f", fixed in SolidWorks: {', '.join(body.fixed)}" if body.fixed else ""
    heading = click.style(body.name or "assembly", bold=True)
    reasons = [click.style(f"  {reason}", dim=True) for reason in body.reasons]
    return [f"{heading} is one body of {body.parts:,} parts{fixed}", *reasons]


def _robot_lines(robot: Robot) -> Iterable[str]:
    yield from _tree_lines(robot)
    for loop in robot.loop_joints:
        yield f"loop {loop.joint.name}: {loop.parent} – {loop.child}, {joint_text(loop.joint)}"
    for composite in robot.composite_joints:
        yield f"{composite.type} joint {composite.name}: {', '.join(composite.joints)}"
    for relation in robot.relations:
        yield f"relation: {relation_text(relation)}"
    yield from _why_lines(robot)
    for convention in robot.conventions:
        yield _convention_text(convention)


def headline(robot: Robot) -> str:
    """The robot in one line: its joints, bodies, mass and degrees of freedom."""
    moving = _count_moving_bodies(robot)
    mass = sum(_mass(frame) or 0.0 for frame in robot.frames)
    bodies = f"{moving + 1:,} {'body' if moving == 0 else 'bodies'}"
    dof = _degrees_of_freedom(robot)
    freedom = "" if dof is None else f", {dof:,} degree{'' if dof == 1 else 's'} of freedom"
    return f"{robot.name}: {plural(moving, 'moving joint')}, {bodies}, {mass:.4g} kg{freedom}"


def _count_moving_bodies(robot: Robot) -> int:
    """How many bodies of the machine move: those with a link, a component or a sensor.

    Others only express a joint of several degrees of freedom or a loop. In a robot without any of these all count.
    """
    from swgrm.errors import ModelError
    from swgrm.kinematics.bodies import carriers

    try:
        body_of = carriers(robot, lambda frame: not frame.is_rigid)
        moving = set(body_of.values()) - {robot.root.id}
    except ModelError:  # its frames are not a tree
        return sum(not frame.is_rigid for frame in robot.frames)
    occupied = {body_of.get(frame.id) for frame in robot.frames if frame.links or frame.entity or frame.sensors}
    return len(moving & occupied) if occupied else len(moving)


def _degrees_of_freedom(robot: Robot) -> int | None:
    """How many numbers decide where the robot's bodies are; None if it is not computed, or the robot is wrong."""
    from swgrm.errors import ModelError

    moving = [frame.joint for frame in robot.frames if frame.joint and not frame.is_rigid]
    if robot.loop_joints and len(moving) > MOST_IN_LOOPS:
        return None
    try:
        if robot.loop_joints:
            return robot.mechanism.loops.mobility()
        independent = robot.mechanism.kinematics.independent
    except ModelError:
        return None
    joints = (robot.joints[name].joint for name in independent)
    return sum(3 if joint and joint.type is JointType.BALL else 1 for joint in joints)


def _why_lines(robot: Robot) -> Iterable[str]:
    """The reason for each joint: its mates, their degrees of freedom, and the decision; doubtful ones are marked."""
    reasons: dict[Why, list[str]] = {}
    for name, frame in robot.joints.items():
        if frame.joint and frame.joint.why and not frame.is_rigid:
            reasons.setdefault(frame.joint.why, []).append(name)
    for why, names in reasons.items():  # a chain of joints between two bodies has one reason
        doubt = click.style(" – needs review", fg="yellow") if why.needs_check else ""
        yield click.style(", ".join(names), bold=True) + doubt
        yield f"  {why.freedom}"
        yield click.style(f"  {why.reason}" + (f" ({', '.join(why.mates)})" if why.mates else ""), dim=True)


def _convention_text(convention: UsedConvention) -> str:
    origin = "set" if convention.is_set else "default"
    return f"convention {convention.name}: {convention.choice} ({origin})" + (
        f", for {', '.join(convention.mates)}" if convention.mates else ""
    )


def _tree_lines(robot: Robot) -> Iterable[str]:
    """One line per frame, with the branches of the tree; the indentation is limited."""
    branches: dict[str, str] = {}
    for frame in robot.walk():
        if frame.parent is None:
            prefix, branches[frame.id] = "", ""
        else:
            last = robot.children(frame.parent)[-1].id == frame.id
            stem = branches[frame.parent][-60:]
            prefix, branches[frame.id] = stem + ("└─ " if last else "├─ "), stem + ("   " if last else "│  ")
        yield click.style(prefix, dim=True) + "".join(_frame_text(frame, robot))


def _frame_text(frame: Frame, robot: Robot) -> Iterable[str]:
    yield click.style(frame.id, bold=not frame.is_rigid or None)
    if frame.joint and not frame.is_rigid:
        name = "" if frame.joint_name == frame.id else f" {frame.joint_name}"
        yield click.style(f" ←{name} {joint_text(frame.joint, robot)}", fg="green")
    if frame.links:
        mass = _mass(frame)
        names = ", ".join(link.name for link in frame.links)
        yield click.style(f"  [{names}{f', {mass:.4g} kg' if mass else ''}]", fg="blue")
    if frame.entity and frame.entity.kind != "component":
        yield click.style(f"  ({words(frame.entity.kind)})", dim=True)
    for sensor in frame.sensors:
        yield click.style(f"  ◉ {sensor.name} ({sensor.type})", fg="magenta")


def joint_text(joint: Joint, robot: Robot | None = None) -> str:
    """A joint in one line: type, axis unless it is z, range and coupling; `robot` has the joint that it follows."""
    parts = [str(joint.type)]
    if joint.type not in (JointType.FIXED, JointType.BALL) and joint.axis != (0.0, 0.0, 1.0):
        parts.append(f"{'along' if joint.type is JointType.PRISMATIC else 'about'} {axis_text(joint.axis)}")
    if joint.type is JointType.SCREW:
        parts.append(f"{joint.pitch * 1000:.4g} mm per turn")
    if text := range_text(joint):
        parts.append(text)
    if joint.coupling:
        leader = robot.joints.get(joint.coupling.joint) if robot else None
        parts.append(coupling_text(joint.coupling, joint.type, leader.joint.type if leader and leader.joint else None))
    return ", ".join(parts)


def _mass(frame: Frame) -> float | None:
    masses = [link.inertial.mass for link in frame.links if link.inertial]
    return sum(masses) if masses else None


def counted(findings: Sequence[Finding]) -> str:
    """The numbers of errors, warnings and notes."""
    if not findings:
        return "no findings"
    counts = [(severity, sum(f.severity is severity for f in findings)) for severity in sorted(Severity, reverse=True)]
    return ", ".join(plural(count, severity.name.lower()) for severity, count in counts if count)


def words(name: str) -> str:
    """A name of the file formats in words: `coordinateSystem` is a coordinate system."""
    return re.sub("[A-Z]", lambda letter: f" {letter[0].lower()}", name)


def plural(count: int, noun: str) -> str:
    """A number with its noun, in the plural unless the number is 1."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}"
