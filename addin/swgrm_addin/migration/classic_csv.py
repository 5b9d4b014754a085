"""The table (CSV) that the classic exporter writes beside its URDF: a row for each link."""

from __future__ import annotations

import csv
import math
from collections.abc import Iterator, Mapping
from pathlib import Path

from swgrm.errors import FileError
from swgrm.model import Calibration, Dynamics, Inertial, Limits, Pose, Safety, Tensor, Vec3
from swgrm.storage.files import read_bytes
from swgrm_addin.migration.old_robot import OldJoint, OldLink, OldRobot, old_robot
from swgrm_exporters.urdf.rotation import rpy_quaternion

KEY, PARENT, COMPONENTS = "Link Name", "Parent", "SW Components"
SYSTEM, AXIS_NAME = "Coordinate System", "Axis Name"
REQUIRED = (KEY, PARENT, "Joint Name", "Joint Type")
MOMENTS = tuple(f"Moment I{axes}" for axes in ("xx", "xy", "xz", "yy", "yz", "zz"))
Row = Mapping[str, str]


class _Row:
    """A row with its line in the file."""

    def __init__(self, path: Path, line: int, cells: Row) -> None:
        self.path, self.line, self.cells = path, line, cells

    def text(self, column: str) -> str:
        return self.cells.get(column, "")

    def number(self, column: str) -> float | None:
        """The number in a column; None if the cell is empty."""
        cell = self.text(column)
        if not cell:
            return None
        try:
            value = float(cell.replace(",", "."))
        except ValueError:
            value = math.nan
        if not math.isfinite(value):
            remedy = "Export the table again, or correct the cell"
            problem = f"`{cell}` in the column {column} is not a number"
            raise FileError(self.path, problem, place=f"line {self.line}", remedy=remedy)
        return value

    def vector(self, *columns: str) -> Vec3:
        x, y, z = (self.number(column) or 0.0 for column in columns)
        return x, y, z

    def pose(self, place: str) -> Pose:
        xyz = self.vector(*(f"{place} {axis}" for axis in "XYZ"))
        return Pose(xyz, rpy_quaternion(self.vector(*(f"{place} {angle}" for angle in ("Roll", "Pitch", "Yaw")))))


def read_csv(path: Path) -> OldRobot:
    """The robot in a table of the classic exporter; the robot's name is that of the file, as the exporter names it."""
    links = (_link(row) for row in _rows(path))
    return old_robot(path.stem, str(path), links)


def is_classic(path: Path) -> bool:
    """Whether a table has the column of the links' names; another program's has not."""
    lines = _lines(path)
    try:
        return KEY in next(_table(path, lines), (0, []))[1]
    except FileError:
        return False


def _lines(path: Path) -> list[str]:
    data = read_bytes(path)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = data.decode("cp1252", errors="replace")
    return text.splitlines()


def _table(path: Path, lines: list[str]) -> Iterator[tuple[int, list[str]]]:
    """The cells of the rows that are not empty, each with the number of its line."""
    head = next((line for line in lines if line.strip()), "")
    reader = csv.reader(lines, delimiter=";" if head.count(";") > head.count(",") else ",")
    try:
        for cells in reader:
            stripped = [cell.strip() for cell in cells]
            if any(stripped):
                yield reader.line_num, stripped
    except csv.Error as error:
        problem, remedy = f"it is not a table ({error})", "Export the table again, or correct the line"
        raise FileError(path, problem, place=f"line {reader.line_num}", remedy=remedy) from error


def _rows(path: Path) -> Iterator[_Row]:
    heading: list[str] = []
    for number, cells in _table(path, _lines(path)):
        if heading:
            yield _Row(path, number, dict(zip(heading, cells, strict=False)))
            continue
        heading = cells
        if missing := [column for column in REQUIRED if column not in heading]:
            remedy = "Name the CSV file that the classic exporter wrote beside its URDF"
            raise FileError(path, f"it has no column `{missing[0]}`", place=f"line {number}", remedy=remedy)


def _link(row: _Row) -> OldLink:
    parent = row.text(PARENT)
    components = tuple(filter(None, (each.strip() for each in row.text(COMPONENTS).split(";"))))
    joint = _joint(row) if parent else None
    return OldLink(row.text(KEY), parent, joint, components, row.text(SYSTEM), _inertial(row))


def _joint(row: _Row) -> OldJoint:
    limits = Limits(*(row.number(f"Limit {name}") for name in ("Lower", "Upper", "Velocity", "Effort")))
    damping, friction = row.number("Dynamics Damping"), row.number("Dynamics Friction")
    gain, rising, falling = (
        row.number(f"{x}") for x in ("Safety K Velocity", "Calibration rising", "Calibration falling")
    )
    others = (row.number(f"Safety {x}") or 0.0 for x in ("K Position", "Soft Lower", "Soft Upper"))
    axis = row.vector("Joint Axis X", "Joint Axis Y", "Joint Axis Z")
    return OldJoint(
        row.text("Joint Name"),
        row.text("Joint Type").lower(),
        row.pose("Joint Origin"),
        axis if any(axis) else None,
        limits,
        Dynamics(damping or 0.0, friction or 0.0) if damping is not None or friction is not None else None,
        Safety(gain, *others) if gain is not None else None,
        Calibration(rising, falling) if rising is not None or falling is not None else None,
        axis_name=row.text(AXIS_NAME),
    )


def _inertial(row: _Row) -> Inertial | None:
    mass = row.number("Mass")
    if not mass:
        return None
    pose = row.pose("Center of Mass")
    return Inertial(mass, pose.pos, Tensor(*(row.number(column) or 0.0 for column in MOMENTS)), pose.rot)
