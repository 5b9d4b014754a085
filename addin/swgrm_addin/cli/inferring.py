"""Commands on inferred joints: settings, joints and explain."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from swgrm_addin.cli.options import FORCE, PATH, SETTINGS, SOURCE, files
from swgrm_addin.cli.robots import understood_source

if TYPE_CHECKING:
    from swgrm.model import LoopJoint
    from swgrm_addin.pipeline import Understanding


SETTINGS_OUT = click.option(
    "-o",
    "--out",
    type=PATH,
    help="The file to write; by default beside SOURCE. The settings of a sample are printed.",
    metavar="FILE",
)


@click.command
@click.argument(
    "source", help="An assembly or part, a capture (.swcap), or mock:SAMPLE.", metavar="SOURCE", shell_complete=files
)
@SETTINGS_OUT
@click.option("--complete", is_flag=True, help="Add to an existing file what it does not name.")
@click.option(
    "--from",
    "old",
    help="Another exporter's robot: its URDF, the classic exporter's CSV, sw2robot's joints.yaml, or `saved`: the "
    "classic exporter's configuration inside the assembly.",
    metavar="OLD",
    shell_complete=files,
)
@click.option("--masses", is_flag=True, help="With --from: its masses and inertias, too.")
def settings(source: str, out: Path | None, complete: bool, old: str | None, masses: bool) -> None:
    """Write a settings file with the inferred values.

    It has every key with its meaning. An existing file is never overwritten. With --from it has the names, joints,
    limits and frames of another exporter's robot.
    """
    from swgrm.storage.files import check_not_folder, decode_utf8, read_bytes, update_bytes
    from swgrm_addin.cli.report import plural
    from swgrm_addin.settings_draft import check_unwritten, completed, draft, inferred
    from swgrm_addin.settings_edit import encoded
    from swgrm_addin.settings_file import settings_path

    path = out or settings_path(source)
    if path is not None:
        check_not_folder(path)
    if old is not None or masses:
        _migrate(source, old, path, complete=complete, masses=masses)
    elif path is None:
        click.echo(draft(inferred(understood_source(source)), source), nl=False)
    elif not path.exists():
        update_bytes(path, draft(inferred(understood_source(source)), source).encode(), before=None)
        click.echo(f"wrote {path}")
    elif not complete:
        check_unwritten(path)
    else:
        data = read_bytes(path)
        before = decode_utf8(path, data)
        new = completed(before, inferred(understood_source(source, path)), source)
        update_bytes(path, encoded(new, data), before=data)
        added = len(new.splitlines()) - len(before.splitlines())
        click.echo(f"added {plural(added, 'line')} to {path}")


def _migrate(source: str, old: str | None, path: Path | None, *, complete: bool, masses: bool) -> None:
    """Write the settings that give an assembly another exporter's robot, and print the findings."""
    from swgrm.errors import FileError, SettingsError
    from swgrm.storage.files import content, decode_utf8, update_bytes
    from swgrm_addin.cli.report import plural, print_findings
    from swgrm_addin.migration.migrating import SAVED, migrate, read_old
    from swgrm_addin.migration.saved_configuration import read_saved_in
    from swgrm_addin.pipeline import read
    from swgrm_addin.settings_edit import encoded

    if not old:
        is_empty = "--from is empty: name another exporter's file, or `saved`."
        is_missing = "--masses needs --from: name the robot whose masses are wanted."
        raise SettingsError(is_missing if old is None else is_empty)
    before = None if path is None else content(path)
    data = before or b""
    if path is not None and path.exists() and not complete:
        remedy = "Use --complete to add what it does not set, or -o FILE for another file"
        raise FileError(path, "the file exists, and settings are never overwritten", remedy=remedy)
    robot = None if old == SAVED else read_old(Path(old))
    found = read(source)
    done = migrate(
        robot or read_saved_in(found), found, masses=masses, text=decode_utf8(path, data) if path else "", path=path
    )
    if path is None:
        click.echo(done.text, nl=False)
    else:
        update_bytes(path, encoded(done.text, data), before=before)
        what = f"{plural(done.links, 'link')} and {plural(done.joints, 'joint')} from {old}"
        click.echo(f"{'completed' if data else 'wrote'} {path}: {what}")
    print_findings(done.findings, err=path is None)


@click.command
@SOURCE
@click.option(
    "-o", "--out", type=PATH, help="The CSV file to write; without it, the table is printed.", metavar="FILE.csv"
)
@click.option("--read", type=PATH, help="A changed table: its changes are made in the settings.", metavar="FILE.csv")
@SETTINGS
@click.option("--decimal-comma", is_flag=True, help="Write 1,5 and separate columns by semicolons.")
@FORCE
def joints(
    source: str, out: Path | None, read: Path | None, settings: Path | None, decimal_comma: bool, force: bool
) -> None:
    """Write the joints as a spreadsheet, or read its changes.

    With --read, the changes of such a table (CSV) are made in the settings file.
    """
    from swgrm.storage.files import check_new, write_bytes
    from swgrm_addin.joint_table import BOM, table

    if read is not None:
        _read_table(source, read, settings)
        return
    if out is not None and not force:
        check_new(out)
    text = table(understood_source(source, settings), decimal_comma=decimal_comma)
    if out is None:
        click.echo(text.removeprefix(BOM).replace("\r\n", "\n"), nl=False)
        return
    write_bytes(out, text.encode())
    click.echo(f"wrote {out}")


def _read_table(source: str, table: Path, settings: Path | None) -> None:
    from swgrm.errors import FileError
    from swgrm.storage.files import content, decode_utf8, read_bytes, update_bytes
    from swgrm_addin.cli.report import plural
    from swgrm_addin.joint_table import edited
    from swgrm_addin.pipeline import understand
    from swgrm_addin.settings_edit import encoded
    from swgrm_addin.settings_file import settings_from_text, settings_path

    path = settings or settings_path(source)
    if path is None:
        raise FileError(source, "a sample has no settings file", remedy="Name one with --settings FILE")
    before = content(path)
    data = before or b""
    done = understood_source(source, path if path.exists() else None)
    new = edited(decode_utf8(path, data), done, table, read_bytes(table))
    understand(done.source, settings_from_text(path, new.text))  # a value that does not fit is an error before writing
    for change in new.changes:
        click.echo(change)
    if new.changes:
        update_bytes(path, encoded(new.text, data), before=before)
    click.echo(f"{plural(len(new.changes), 'change')} in {path}" if new.changes else "The table has no changes.")


@click.command
@SOURCE
@click.argument("name", help="The joint or component to explain.", metavar="NAME")
@SETTINGS
def explain(source: str, name: str, settings: Path | None) -> None:
    """Explain why a joint or a component moves, or does not.

    Of a joint it lists the bodies, the mates, the degrees of freedom that they leave, the decisions, and what the
    settings changed; of a component the body that it is in, what holds it there, and its mates.
    """
    for line in _explanation(understood_source(source, settings), name):
        click.echo(line)


def _explanation(understood: Understanding, name: str) -> Iterator[str]:
    """What was inferred and why, then the joint as the settings make it, where they change it."""
    from swgrm.inference import explanation
    from swgrm_addin.cli.report import joint_text

    inference = understood.inference
    loops = {loop.joint.name: loop for loop in understood.robot.loop_joints}
    if inference is None or name in loops:
        yield from _recorded(understood, name, loops.get(name))
        return
    renamed = {old: joint.name for old, joint in understood.settings.model.joints.items() if joint.name}
    inferred = {new: old for old, new in renamed.items()}.get(name, name)
    yield from explanation(inference, inferred)
    if inferred not in inference.robot.joints:
        return  # a component
    new = renamed.get(inferred, inferred)
    before, after = inference.robot.joints[inferred].joint, understood.robot.joints[new].joint
    if before is not None and after is not None and (new != inferred or joint_text(before) != joint_text(after)):
        yield f"the settings make it {new}: {joint_text(after)}"


def _recorded(understood: Understanding, name: str, loop: LoopJoint | None) -> Iterator[str]:
    """What the robot itself records about a joint, in its tree or closing a loop."""
    from swgrm.errors import ModelError, nearest_or_all
    from swgrm_addin.cli.report import joint_text

    robot = understood.robot
    frame = robot.joints.get(name)
    joint = loop.joint if loop else frame.joint if frame else None
    if joint is None:
        raise ModelError(f"There is no joint `{name}`.{nearest_or_all(name, list(robot.joints))}")
    parent, child = (loop.parent, loop.child) if loop else (frame.parent, frame.id) if frame else ("", "")
    closes = ", closes a loop" if loop else ""
    yield f"{name}: {joint_text(joint, robot)}, from `{parent}` to `{child}`{closes}"
    if joint.why is None:
        yield "the file does not contain a reason for it"
        return
    yield joint.why.freedom
    yield f"reason: {joint.why.reason}"
    yield from [f"mates: {', '.join(joint.why.mates)}"] if joint.why.mates else []
    yield "check this joint" if joint.why.needs_check else "nothing about it needs checking"
