"""Reading and writing of the GRM file, which can hold everything."""

from __future__ import annotations

from pathlib import Path

import msgspec

from swgrm.findings import Findings
from swgrm.model import Robot
from swgrm_exporters.format import Target
from swgrm_exporters.grm import SUFFIX


class GrmOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename="camel"):
    """The options of the GRM file."""

    complete: bool = False  # also write the fields that are at their defaults


def read(path: Path, findings: Findings) -> Robot:  # noqa: ARG001 - a GRM file is read exactly or refused
    """The robot in a GRM file."""
    from swgrm.model.grmfile import load

    return load(path)


def write(
    robot: Robot,
    target: Target,
    options: GrmOptions,
    findings: Findings,  # noqa: ARG001 - nothing is lost in a GRM file
) -> list[Path]:
    """Write the robot as a GRM file."""
    from swgrm.model.grmfile import save

    path = target.file(SUFFIX)
    save(robot, path, complete=options.complete)
    return [path]
