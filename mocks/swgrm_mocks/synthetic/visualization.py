"""Visualization of a robot in PyBullet, or as an HTML page with a drawing."""

from __future__ import annotations

import tempfile
import time
import webbrowser
from html import escape
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

from swgrm.files import write_bytes
from swgrm.model import Joint, JointType, Link, Quat, Robot

COLOURS = {
    JointType.REVOLUTE: "#2b6cb0",
    JointType.PRISMATIC: "#c05621",
    JointType.BALL: "#2f855a",
    JointType.SCREW: "#6b46c1",
}
SIZE = 800  # [px]


def show_robot(robot: Robot, urdf: str, path: Path | str | None, *, show: bool) -> Path | None:
    """Shows a robot; returns the page that was written, or None if PyBullet showed it."""
    if path is None and show and _shown_in_pybullet(urdf):
        return None
    page = Path(path) if path is not None else Path(tempfile.mkdtemp(prefix="swgrm-")) / f"{robot.name}.html"
    write_bytes(page, drawing(robot).encode())
    if show:
        webbrowser.open(page.resolve().as_uri())
    return page


def _shown_in_pybullet(urdf: str) -> bool:
    """Shows the robot until the window is closed; returns False if PyBullet or a display is missing."""
    try:
        pybullet = import_module("pybullet")
    except ImportError:
        return False
    try:
        client = pybullet.connect(pybullet.GUI)
    except pybullet.error:
        return False
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "robot.urdf"
        file.write_text(urdf, encoding="utf-8")
        pybullet.loadURDF(str(file), useFixedBase=True, physicsClientId=client)
    while pybullet.isConnected(client):
        time.sleep(0.1)
    return True


def drawing(robot: Robot) -> str:
    """Returns an HTML page with an isometric drawing of the robot, its joints at two thirds of their ranges.

    A point is drawn at (x − y)·cos 30°, z + (x + y)·sin 30°.
    """
    import numpy as np

    from swgrm.kinematics import Kinematics

    kinematics = Kinematics(robot)
    poses = kinematics.poses({name: _display_position(robot.joints[name].joint) for name in kinematics.independent})
    view = np.array([[3**0.5 / 2, -(3**0.5) / 2, 0.0], [-0.5, -0.5, -1.0]])  # y points down in SVG
    at = {frame.id: view @ poses[frame.id][:3, 3] for frame in robot.frames}
    ends = {frame.id: view @ (poses[frame.id] @ [0.0, 0.0, _length(frame.links[0]), 1.0])[:3] for frame in robot.frames}
    points = np.array([*at.values(), *ends.values()])
    low, span = points.min(axis=0), float(np.ptp(points, axis=0).max()) or 1.0

    def on_page(point: NDArray[np.float64]) -> tuple[float, float]:
        x, y = (point - low) / span * (SIZE - 80) + 40
        return round(float(x), 2), round(float(y), 2)

    lines, dots = [], []
    for frame in robot.frames:
        (x1, y1), (x2, y2) = on_page(at[frame.id]), on_page(ends[frame.id])
        lines.append(f'<line id="{escape(frame.id)}" x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}"/>')
        if frame.joint:
            name = f"{frame.joint_name}, {frame.joint.type}"
            colour = COLOURS[frame.joint.type]
            dots.append(f'<circle cx="{x1}" cy="{y1}" r="6" fill="{colour}"><title>{escape(name)}</title></circle>')
    legend = " ".join(f'<span style="color:{colour}">● {kind}</span>' for kind, colour in COLOURS.items())
    return (
        f"<!doctype html><html lang=en><meta charset=utf-8><title>{escape(robot.name)}</title>"
        f"<body style='font-family:sans-serif'><h1>{escape(robot.name)}</h1><p>{legend}</p>"
        f'<svg viewBox="0 0 {SIZE} {SIZE}" width="{SIZE}" height="{SIZE}" stroke-linecap="round">'
        f'<g stroke="#718096" stroke-width="8">{"".join(lines)}</g>{"".join(dots)}</svg></body></html>\n'
    )


def _display_position(joint: Joint | None) -> float | Quat:
    if joint is None or joint.type is JointType.BALL:
        return (0.0, 0.5, 0.0, 3**0.5 / 2)
    lower, upper = joint.limits.lower or 0.0, joint.limits.upper or 0.0
    return lower + 2 / 3 * (upper - lower)


def _length(link: Link) -> float:
    return 2 * link.inertial.origin[2] if link.inertial else 0.0
