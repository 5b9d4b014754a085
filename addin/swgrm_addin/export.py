"""The main job: a source becomes a robot, and the robot a folder of files, put in place whole."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
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
    references: tuple[str, ...] = ()  # the files that SolidWorks read, where they are known


def quiet(step: str, done: float) -> None:
    """Progress for those who do not want to know."""


def export(
    source: str,
    out: Path,
    *,
    formats: tuple[str, ...] = (),
    options: Mapping[str, Mapping[str, Any]] | None = None,
    progress: Progress = quiet,
    seat: str = "",
    configuration: str = "",
) -> Exported:
    """Export a source into a folder, in the given formats (by default all); each format has its own options.

    A source that SolidWorks must open is captured by the one at `seat`, if that is given.
    """
    from swgrm_addin.sources import load_robot

    chosen = {name: load_format(name) for name in formats or FORMATS}
    progress("reading", 0.0)
    with captured(source, seat, configuration) as (file, references):
        robot, findings = load_robot(file)
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
    return Exported(robot, tuple(files), tuple(said), references)


@contextmanager
def captured(source: str, seat: str, configuration: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    """A source that needs no SolidWorks, and the files that are known to be behind it."""
    if not seat:
        yield source, ()
        return
    from swgrm_addin.batch.asking import capture

    with tempfile.TemporaryDirectory(prefix="swgrm-") as folder:
        file = Path(folder) / "document.swcap"
        yield str(file), capture(seat, Path(source), configuration, file)
