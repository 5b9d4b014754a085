"""Writes the 3D page of a robot."""

from __future__ import annotations

from pathlib import Path

from msgspec.structs import replace

from swgrm.findings import Findings
from swgrm.model import Robot
from swgrm.storage.files import write_bytes
from swgrm_exporters.format import Target
from swgrm_exporters.html import SUFFIX
from swgrm_exporters.html.options import HtmlOptions
from swgrm_exporters.html.page import page
from swgrm_exporters.html.scene import scene
from swgrm_exporters.html.shapes import Shapes


def write(robot: Robot, target: Target, options: HtmlOptions, findings: Findings) -> list[Path]:
    """Write the page, with all findings so far."""
    if not options.collisions:
        robot = _without_collisions(robot)
    shapes = Shapes(robot, target.meshes, options.max_triangles, findings)
    path = target.file(SUFFIX)
    write_bytes(path, page(scene(robot, shapes, findings), shapes.meshes).encode())
    return [path]


def _without_collisions(robot: Robot) -> Robot:
    frames = (
        replace(frame, links=tuple(replace(link, collisions=()) for link in frame.links)) for frame in robot.frames
    )
    return replace(robot, frames=tuple(frames))
