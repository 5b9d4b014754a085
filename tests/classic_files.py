"""The files that the classic exporter writes of a robot: its URDF and its table, in its own layout."""

from __future__ import annotations

import csv
import io
from typing import Any

from swgrm.mass.inertia import tensor_matrix
from swgrm.model import Pose
from swgrm_addin.migration.old_robot import OldLink, OldRobot
from swgrm_exporters.urdf.rotation import quaternion_rpy

POSE = ("X", "Y", "Z", "Roll", "Pitch", "Yaw")
COLUMNS = [
    "Link Name", *(f"Center of Mass {place}" for place in POSE), "Mass",
    *(f"Moment I{axes}" for axes in ("xx", "xy", "xz", "yy", "yz", "zz")), *(f"Visual {place}" for place in POSE),
    "Mesh Filename", *(f"Color {name}" for name in ("Red", "Green", "Blue", "Alpha")),
    *(f"Collision {place}" for place in POSE), "Collision Mesh Filename", "Material Name", "SW Components",
    "Coordinate System", "Axis Name", "Joint Name", "Joint Type", *(f"Joint Origin {place}" for place in POSE),
    "Parent", *(f"Joint Axis {axis}" for axis in "XYZ"),
    *(f"Limit {name}" for name in ("Effort", "Velocity", "Lower", "Upper")),
    "Calibration rising", "Calibration falling", "Dynamics Damping", "Dynamics Friction", "Safety Soft Upper",
    "Safety Soft Lower", "Safety K Position", "Safety K Velocity",
]  # fmt: skip


def number(value: float | None) -> str:
    """A number as .NET writes it: fifteen digits, E-05."""
    return "" if value is None else f"{value + 0.0:.15G}"


def vector(values: Any) -> str:
    return " ".join(map(number, values))


def classic_urdf(old: OldRobot) -> str:
    """The URDF of a robot."""
    lines = ['<?xml version="1.0" encoding="utf-8"?>', f'<robot\n  name="{old.name}">']
    for link in old.links:
        lines += _link_lines(old, link)
    return "\n".join([*lines, "</robot>"])


def _origin(pose: Pose) -> str:
    return f'<origin\n        xyz="{vector(pose.pos)}"\n        rpy="{vector(quaternion_rpy(pose.rot))}" />'


def _link_lines(old: OldRobot, link: OldLink) -> list[str]:
    lines = [f'  <link\n    name="{link.name}">']
    if link.inertial is not None:
        tensor = tensor_matrix(link.inertial)
        names = {"ixx": (0, 0), "ixy": (0, 1), "ixz": (0, 2), "iyy": (1, 1), "iyz": (1, 2), "izz": (2, 2)}
        moments = " ".join(f'{name}="{number(tensor[at])}"' for name, at in names.items())
        mesh = f'<geometry><mesh filename="package://{old.name}/meshes/{link.name}.STL" /></geometry>'
        colour = '<material name=""><color rgba="0.8 0.8 0.9 1" /></material>'
        lines += [
            f"    <inertial>\n      {_origin(Pose(link.inertial.origin))}",
            f'      <mass\n        value="{number(link.inertial.mass)}" />',
            f"      <inertia {moments} />\n    </inertial>",
            f"    <visual>\n      {mesh}\n      {colour}\n    </visual>",
            f"    <collision>\n      {mesh}\n    </collision>",
        ]
    lines.append("  </link>")
    joint = link.joint
    if joint is not None and joint.origin is not None:
        limits = {name: getattr(joint.limits, name) for name in ("lower", "upper", "effort", "velocity")}
        given = " ".join(f'{name}="{number(value)}"' for name, value in limits.items() if value is not None)
        lines += [
            f'  <joint\n    name="{joint.name}"\n    type="{joint.type}">\n    {_origin(joint.origin)}',
            f'    <parent\n      link="{link.parent}" />\n    <child\n      link="{link.name}" />',
            f'    <axis\n      xyz="{vector(joint.axis or (0.0, 0.0, 0.0))}" />',
            *([f"    <limit {given} />"] if given else []),
            *(
                [f'    <safety_controller\n      k_velocity="{number(joint.safety.k_velocity)}" />']
                if joint.safety
                else []
            ),
            "  </joint>",
        ]
    return lines


def classic_csv(old: OldRobot) -> str:
    """The table of a robot."""
    text = io.StringIO()
    writer = csv.DictWriter(text, COLUMNS, restval="", lineterminator="\r\n")
    writer.writeheader()
    for link in old.links:
        row: dict[str, str] = {"Link Name": link.name, "SW Components": ";".join(link.components)}
        row |= {"Coordinate System": link.coordinate_system, "Parent": link.parent, "Safety K Velocity": "0"}
        if link.inertial is not None:
            tensor = tensor_matrix(link.inertial)
            row |= dict(
                zip(
                    COLUMNS[1:8],
                    (*map(number, link.inertial.origin), "0", "0", "0", number(link.inertial.mass)),
                    strict=True,
                )
            )
            row |= {f"Moment I{'xyz'[i]}{'xyz'[j]}": number(tensor[i, j]) for i in range(3) for j in range(i, 3)}
        if link.joint is not None:
            row |= _joint_cells(link)
        writer.writerow(row)
    return text.getvalue()


def _joint_cells(link: OldLink) -> dict[str, str]:
    joint = link.joint
    assert joint is not None
    assert joint.origin is not None
    numbers = (*joint.origin.pos, *quaternion_rpy(joint.origin.rot))
    limits = joint.limits
    return {
        "Joint Name": joint.name,
        "Joint Type": joint.type,
        "Axis Name": joint.axis_name,
        **{f"Joint Origin {place}": number(value) for place, value in zip(POSE, numbers, strict=True)},
        **{f"Joint Axis {axis}": number(x) for axis, x in zip("XYZ", joint.axis or (0.0, 0.0, 0.0), strict=True)},
        "Limit Effort": number(limits.effort),
        "Limit Velocity": number(limits.velocity),
        "Limit Lower": number(limits.lower),
        "Limit Upper": number(limits.upper),
    }
