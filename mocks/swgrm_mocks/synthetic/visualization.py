"""Visualization of a robot in PyBullet, as a 3D page, or as a drawing."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import webbrowser
from html import escape
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

from swgrm.findings import Findings
from swgrm.model import Joint, JointType, Link, Quat, Robot
from swgrm.storage.files import write_bytes
from swgrm_exporters.format import Target
from swgrm_exporters.html.options import HtmlOptions
from swgrm_exporters.html.writer import write as write_page

COLOURS = {
    JointType.REVOLUTE: "#2b6cb0",
    JointType.PRISMATIC: "#c05621",
    JointType.BALL: "#2f855a",
    JointType.SCREW: "#6b46c1",
}
SIZE = 800  # [px]


def show_robot(robot: Robot, urdf: str, path: Path | str | None, *, show: bool) -> Path | None:
    """Shows a robot; returns the file that was written, or None if PyBullet showed it."""
    if path is None and show and _shown_in_pybullet(urdf):
        return None
    file = Path(path) if path is not None else Path(tempfile.mkdtemp(prefix="swgrm-")) / f"{robot.name}.html"
    if file.suffix.lower() == ".svg":
        write_bytes(file, drawing(robot).encode())
    else:
        write_page(robot, Target(file.parent, file.stem, file.suffix), HtmlOptions(), Findings(format="html"))
    if show:
        webbrowser.open(file.resolve().as_uri())
    return file


PYBULLET = """
import sys, time
import pybullet
client = pybullet.connect(pybullet.GUI)
print("connected" if client >= 0 else "", flush=True)
pybullet.loadURDF(sys.argv[1], useFixedBase=True, physicsClientId=client)
while pybullet.isConnected(client):
    time.sleep(0.1)
"""


def _shown_in_pybullet(urdf: str) -> bool:
    """Shows the robot until the window is closed; returns False if PyBullet or a display is missing.

    PyBullet runs in a process of its own: without a display it ends the process that it runs in.
    """
    if find_spec("pybullet") is None:
        return False
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "robot.urdf"
        file.write_text(urdf, encoding="utf-8")
        command = [sys.executable, "-c", PYBULLET, str(file)]
        done = subprocess.run(  # noqa: S603 - our own script
            command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=False
        )
    return "connected" in done.stdout


def drawing(robot: Robot) -> str:
    """An isometric drawing of the robot as SVG, its joints at two thirds of their ranges.

    A point is drawn at (x − y)·cos 30°, z + (x + y)·sin 30°.
    """
    import numpy as np

    kinematics = robot.mechanism.kinematics
    poses = kinematics.poses({name: _display_position(robot.joints[name].joint) for name in kinematics.independent})
    view = np.array([[3**0.5 / 2, -(3**0.5) / 2, 0.0], [-0.5, -0.5, -1.0]])  # y points down in SVG
    at = {frame.id: view @ poses[frame.id][:3, 3] for frame in robot.frames}
    ends = {frame.id: view @ (poses[frame.id] @ [0.0, 0.0, _length(frame.links[0]), 1.0])[:3] for frame in robot.frames}
    joints = {f.id: view @ (poses[f.parent] @ f.transform.matrix)[:3, 3] for f in robot.frames if f.parent is not None}
    points = np.array([*at.values(), *ends.values(), *joints.values()])
    low, span = points.min(axis=0), float(np.ptp(points, axis=0).max()) or 1.0

    def on_page(point: NDArray[np.float64]) -> tuple[float, float]:
        x, y = (point - low) / span * (SIZE - 80) + 40
        return round(float(x), 2), round(float(y), 2)

    lines, dots = [], []
    for frame in robot.frames:
        (x1, y1), (x2, y2) = on_page(at[frame.id]), on_page(ends[frame.id])
        if frame.parent is not None:  # a slide moves a link away from the end of its parent: the rail between them
            x0, y0 = on_page(joints[frame.id])
            lines.append(
                f'<line class="joint" id="{escape(frame.joint_name)}" x1="{x0}" y1="{y0}" x2="{x1}" y2="{y1}" '
                'stroke-width="3" stroke-dasharray="4 6"/>'
            )
        lines.append(f'<line class="link" id="{escape(frame.id)}" x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}"/>')
        if frame.joint:
            name = f"{frame.joint_name}, {frame.joint.type}"
            colour = COLOURS[frame.joint.type]
            dots.append(f'<circle cx="{x1}" cy="{y1}" r="6" fill="{colour}"><title>{escape(name)}</title></circle>')
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {SIZE} {SIZE}" stroke-linecap="round">'
        f'<title>{escape(robot.name)}</title><g stroke="#718096" stroke-width="8">{"".join(lines)}</g>'
        f"{''.join(dots)}</svg>\n"
    )


def _display_position(joint: Joint | None) -> float | Quat:
    if joint is None or joint.type is JointType.BALL:
        return (0.0, 0.5, 0.0, 3**0.5 / 2)
    lower, upper = joint.limits.lower or 0.0, joint.limits.upper or 0.0
    return lower + 2 / 3 * (upper - lower)


def _length(link: Link) -> float:
    return 2 * link.inertial.origin[2] if link.inertial else 0.0
