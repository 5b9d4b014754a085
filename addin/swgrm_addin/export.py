"""The main job: a source becomes a robot, and the robot a folder of files, put in place whole."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from swgrm.findings import Finding
from swgrm.folders import safe_name, staged
from swgrm.model import Robot
from swgrm_exporters.registry import FORMATS, load_format

Progress = Callable[[str, float], None]  # what is being done, and how much of it all is done (0 to 1); may raise


class Exported(NamedTuple):
    """The robot that was exported, the files that were written, and what there is to say."""

    robot: Robot
    files: tuple[Path, ...]
    findings: tuple[Finding, ...]


def quiet(step: str, done: float) -> None:
    """Progress for those who do not want to know."""


def export(
    source: str,
    out: Path,
    *,
    formats: tuple[str, ...] = (),
    options: Mapping[str, Mapping[str, Any]] | None = None,
    progress: Progress = quiet,
) -> Exported:
    """Export a source into a folder, in the given formats (by default all); each format has its own options."""
    from swgrm_addin.sources import load_robot

    chosen = {name: load_format(name) for name in formats or FORMATS}
    progress("reading", 0.0)
    robot, findings = load_robot(source)
    said = list(findings)
    with staged(out) as stage:
        files: list[Path] = []
        for number, (name, form) in enumerate(chosen.items()):
            progress(f"writing {form.title}", 0.5 + 0.5 * number / len(chosen))
            if form.write is not None:
                path = stage / (safe_name(robot.name) + FORMATS[name].suffixes[0])
                written = form.write(robot, path, (options or {}).get(name, {}))
                files += [out / file.relative_to(stage) for file in written.files]
                said += written.findings
        report = stage / f"{safe_name(robot.name)}.findings.json"
        report.write_bytes(msgspec.json.format(msgspec.json.encode([finding.plain() for finding in said]), indent=1))
        files.append(out / report.name)
    progress("done", 1.0)
    return Exported(robot, tuple(files), tuple(said))
