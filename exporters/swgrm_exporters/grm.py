"""The GRM file as a format."""

from __future__ import annotations

from pathlib import Path

from swgrm.findings import Findings
from swgrm.model import Robot
from swgrm_exporters.format import Format, NoOptions, Target

SUFFIX = ".grm.json"
FORMAT = Format(
    name="grm",
    title="Generalized Robot Model",
    suffixes=(SUFFIX,),
    reader="swgrm_exporters.grm:read",
    writer="swgrm_exporters.grm:write",
    by_default=True,
)


def read(path: Path, findings: Findings) -> Robot:  # noqa: ARG001 - a GRM file is read exactly or refused
    """The robot in a GRM file."""
    from swgrm.grmfile import load

    return load(path)


def write(
    robot: Robot,
    target: Target,
    options: NoOptions,  # noqa: ARG001 - a GRM file has no options
    findings: Findings,  # noqa: ARG001 - and nothing is lost in it
) -> list[Path]:
    """Write the robot as a GRM file, which can hold everything."""
    from swgrm.grmfile import save

    path = target.file(SUFFIX)
    save(robot, path)
    return [path]
