"""Verbs on what was inferred: settings, explain."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import typer

from swgrm_addin.cli.model import SETTINGS, SOURCE

if TYPE_CHECKING:
    from swgrm.inference import Inference
    from swgrm_addin.settings import Read


def register(app: typer.Typer) -> None:
    """Hang the verbs into the application."""
    app.command()(settings)
    app.command()(explain)


def settings(
    source: str = SOURCE,
    out: Path | None = typer.Option(
        None, "-o", "--out", help="The file to write; by default beside SOURCE.", metavar="FILE"
    ),
    complete: bool = typer.Option(False, "--complete", help="Append to a file that is there what it does not name."),
) -> None:
    """Write a settings file that shows what was inferred and why, as comments; an existing one is never overwritten."""
    from swgrm.errors import FileError
    from swgrm.files import read_bytes, write_bytes
    from swgrm_addin.settings import SUFFIX, draft, read_settings

    path = out or _beside(source, SUFFIX)
    if path is None:
        typer.echo(draft(_infer(source, None)[0], source), nl=False)
        return
    if not path.exists():
        write_bytes(path, draft(_infer(source, None)[0], source).encode())
        typer.echo(f"wrote {path}")
        return
    if not complete:
        raise FileError(
            path, "it is there already, and settings are never overwritten", remedy="Use --complete to append"
        )
    known = read_settings(path).settings
    old = read_bytes(path)
    more = draft(_infer(source, path)[0], source, known).encode()
    write_bytes(path, old + (b"" if old.endswith(b"\n") or not old else b"\n") + more)
    typer.echo(f"appended {len(more.splitlines())} lines to {path}")


def _beside(source: str, suffix: str) -> Path | None:
    from swgrm_addin.sources import MOCK

    return None if source.startswith(MOCK) else Path(source).with_name(Path(source).stem + suffix)


def _infer(source: str, given: Path | None) -> tuple[Inference, Read]:
    from swgrm.inference import infer
    from swgrm.inference.options import options_of
    from swgrm_addin.sources import load_capture, settings_for

    decided = settings_for(source, given)
    return infer(load_capture(source).capture, options_of(decided.settings)), decided


def explain(
    source: str = SOURCE,
    joint: str = typer.Argument(help="The joint to ask about.", metavar="JOINT"),
    settings: Path | None = SETTINGS,
) -> None:
    """Tell the whole story of one joint: bodies, mates, freedom, range, and what was decided."""
    from swgrm.inference.story import story

    seen, decided = _infer(source, settings)
    renamed = {joint.name: name for name, joint in decided.settings.joints.items() if joint.name}
    for line in story(seen, renamed.get(joint, joint)):
        typer.echo(line)
