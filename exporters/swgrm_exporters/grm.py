"""The GRM file as a format among the others."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from swgrm.grmfile import load, save
from swgrm.model import Robot
from swgrm_exporters.registry import Format, Loaded, Written


def read(path: Path) -> Loaded:
    """The robot in a GRM file."""
    return Loaded(load(path))


def write(robot: Robot, path: Path, options: Mapping[str, Any]) -> Written:  # noqa: ARG001 - it has none
    """Write a robot as a GRM file."""
    save(robot, path)
    return Written((path,))


FORMAT = Format("Generalized Robot Model", read, write)
