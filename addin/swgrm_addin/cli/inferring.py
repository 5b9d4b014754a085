"""Commands on inferred joints: settings and explain."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from swgrm_addin.cli.options import SETTINGS, SOURCE
from swgrm_addin.cli.robots import understood_source

if TYPE_CHECKING:
    from swgrm.inference import Inference
    from swgrm_addin.pipeline import Understanding


def settings(
    source: str = SOURCE,
    out: Path | None = typer.Option(
        None, "-o", "--out", help="The file to write; by default beside SOURCE.", metavar="FILE"
    ),
    complete: bool = typer.Option(False, "--complete", help="Add to an existing file what it does not name."),
) -> None:
    """Write a settings file with every key, the inferred values and the reasons; never overwrites an existing one."""
    from swgrm.errors import FileError
    from swgrm.files import decode_utf8, read_bytes, write_bytes
    from swgrm_addin.settings_draft import completed, draft
    from swgrm_addin.settings_file import SUFFIX

    path = out or _beside(source, SUFFIX)
    if path is None:
        typer.echo(draft(_inference(understood_source(source)), source), nl=False)
    elif not path.exists():
        write_bytes(path, draft(_inference(understood_source(source)), source).encode())
        typer.echo(f"wrote {path}")
    elif not complete:
        raise FileError(
            path,
            "the file exists, and settings are never overwritten",
            remedy="Use --complete to add what it does not name",
        )
    else:
        old = decode_utf8(path, read_bytes(path))
        new = completed(old, _inference(understood_source(source, path)), source)
        write_bytes(path, new.encode())
        typer.echo(f"added {len(new.splitlines()) - len(old.splitlines())} lines to {path}")


def _beside(source: str, suffix: str) -> Path | None:
    from swgrm_addin.sources import MOCK

    return None if source.startswith(MOCK) else Path(source).with_name(Path(source).stem + suffix)


def _inference(understood: Understanding) -> Inference:
    from swgrm.errors import FileError

    if understood.inference is None:
        raise FileError(understood.source.name, "it is a robot file, whose joints were not inferred from mates")
    return understood.inference


def explain(
    source: str = SOURCE,
    joint: str = typer.Argument(help="The joint to explain.", metavar="JOINT"),
    settings: Path | None = SETTINGS,
) -> None:
    """Explain one joint: its bodies, mates, degrees of freedom, range, and what the settings changed."""
    for line in _explanation(understood_source(source, settings), joint):
        typer.echo(line)


def _explanation(understood: Understanding, name: str) -> Iterator[str]:
    """What was inferred and why, then the joint as the settings make it, where they change it."""
    from swgrm.inference import explain_joint
    from swgrm_addin.cli.report import joint_text

    inference = _inference(understood)
    renamed = {joint.name: old for old, joint in understood.settings.model.joints.items() if joint.name}
    inferred = renamed.get(name, name)
    yield from explain_joint(inference, inferred)
    before = inference.robot.joints[inferred].joint
    after = understood.robot.joints[name].joint
    if before is not None and after is not None and (name != inferred or joint_text(before) != joint_text(after)):
        yield f"the settings make it {name}: {joint_text(after)}"


COMMANDS = (settings, explain)
