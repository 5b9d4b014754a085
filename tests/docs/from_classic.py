"""Makes the files of docs/from-classic.md: what the classic exporter and sw2robot have of an arm, and its assembly.

python -m tests.docs.from_classic
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
from tests.classic import Options, assembly_of
from tests.classic_files import classic_csv, classic_urdf
from tests.classic_xml import saved_xml

from swgrm.capture import Capture, save
from swgrm.model import Inertial, Limits, Pose, Safety, Tensor
from swgrm_addin.migration.old_robot import OldJoint, OldLink, OldRobot, old_robot
from swgrm_exporters.urdf.rotation import rpy_quaternion

FOLDER = Path(__file__).parents[2] / "docs" / "data" / "from-classic"


def link(name: str, parent: str, joint: OldJoint | None, component: str, mass: float, length: float) -> OldLink:
    """A link that is a bar along its z axis."""
    side, up = mass * 0.04**2 / 6, mass * (length**2 + 0.04**2) / 12
    inertial = Inertial(mass, (0.0, 0.01, length / 2), Tensor(up, 0.0, 0.0, up * 1.02, 0.0, side))
    system = f"Origin_{joint.name}" if joint else "Origin_global"
    joint = joint and joint._replace(axis_name="" if joint.type == "fixed" else f"Axis_{joint.name}")
    return OldLink(name, parent, joint, (component,), system, inertial)


def joint(name: str, kind: str, xyz: Any, rpy: Any, axis: Any, *limits: float) -> OldJoint:
    """A joint as the exporter writes it."""
    bounds = Limits(*limits[:2], *limits[2:]) if limits else Limits()
    safety = None if kind == "fixed" else Safety(0.0)
    return OldJoint(name, kind, Pose(xyz, rpy_quaternion(rpy)), axis, bounds, safety=safety)


def arm() -> OldRobot:
    """An arm with a turning base, an elbow, a slide and a camera."""
    half = math.pi / 2
    shoulder = joint("shoulder", "revolute", (0.0, 0.0, 0.3), (half, 0.0, 0.4), (0.0, 1.0, 0.0), -2.0, 2.0, 1.5, 40.0)
    elbow = joint("elbow", "continuous", (0.0, 0.0, 0.25), (0.0, half, 0.0), (0.0, 0.0, -1.0))
    reach = joint("reach", "prismatic", (0.0, 0.02, 0.2), (0.0, 0.0, 0.0), (0.0, 0.0, 1.0), 0.0, 0.12, 0.3, 60.0)
    mount = joint("camera_mount", "fixed", (0.0, 0.03, 0.1), (0.0, 0.3, 0.0), None)
    links = [
        link("base_link", "", None, "column-1", 4.0, 0.3),
        link("upper_link", "base_link", shoulder, "arm-1", 1.5, 0.25),
        link("fore_link", "upper_link", elbow, "arm-2", 1.2, 0.2),
        link("slide_link", "fore_link", reach, "slide-1", 0.4, 0.15),
        link("camera_link", "slide_link", mount, "camera-1", 0.1, 0.05),
    ]
    return old_robot("arm_description", "arm_description.urdf", links)


def assembly() -> Capture:
    """The assembly of the arm today: the forearm is of another material, and a gauge was added."""
    old = arm()
    heavier = [
        each._replace(inertial=Inertial(1.3, each.inertial.origin, each.inertial.tensor))
        if each.name == "fore_link" and each.inertial
        else each
        for each in old.links
    ]
    made = assembly_of(old._replace(links=tuple(heavier)), "arm", Options())
    made.saved_configuration(saved_xml(old))
    made.coordinate_system("gauge", np.eye(4))
    return made.capture()


JOINTS_YAML = """\
base: column_1
joints:
  - parent: column_1
    child:  arm_1
    type:   revolute
    lower: -2.0
    upper: 2.0
  - parent: arm_1
    child:  arm_2
    type:   continuous
  - parent: arm_2
    child:  slide_1
    type:   prismatic
  - parent: slide_1
    child:  camera_1
    type:   fixed
joint_names:
  column_1__arm_1: shoulder
"""


def write(folder: Path) -> None:
    """Write all files into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "arm_description.urdf").write_text(classic_urdf(arm()), "utf-8", newline="\n")
    (folder / "arm_description.csv").write_text(classic_csv(arm()), "utf-8", newline="")
    (folder / "arm.joints.yaml").write_text(JOINTS_YAML, "utf-8", newline="\n")
    save(assembly(), folder / "arm.swcap")


if __name__ == "__main__":
    write(FOLDER)
