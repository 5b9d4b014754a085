"""The joints of a robot as a table for spreadsheets (CSV), and the changes in such a table as edits of the settings.

A row is a joint, by its name in the settings. `lower` and `upper` are in the row's `unit` (deg or mm), `velocity` in
that unit per second, effort and friction in Nm or N, damping in Nms/rad or Ns/m. What a spreadsheet makes of the file
is read, too: semicolons or tabs between cells, decimal commas, a byte-order mark.
"""

from __future__ import annotations

import csv
import io
import math
import re
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from swgrm.errors import FileError, nearest
from swgrm.model import Joint, JointType, Robot
from swgrm_addin.pipeline import Understanding
from swgrm_addin.settings_edit import remove_value, set_value
from swgrm_exporters.yamltext import parse

if TYPE_CHECKING:
    from _csv import Reader

BOM = "\N{ZERO WIDTH NO-BREAK SPACE}"
NUMBERS = ("lower", "upper", "velocity", "effort", "damping", "friction")
COLUMNS = ("joint", "name", "parent", "child", "type", "unit", *NUMBERS)
TEXTS = ("joint", "name", "parent", "child", "type")
EDITABLE = ("name", "type", *NUMBERS)
FORMULA = frozenset("=+-@\t\r")  # how a cell begins that a spreadsheet takes for a formula


class RowUnits(NamedTuple):
    """The units of a row: text in the settings, and how many of it are one SI unit."""

    position: str
    scale: float
    velocity: str
    effort: str
    damping: str

    def of(self, column: str) -> tuple[str, float]:
        """The unit of a column, and how many of it are one SI unit."""
        if column in ("lower", "upper"):
            return self.position, self.scale
        if column == "velocity":
            return self.velocity, self.scale
        return (self.damping if column == "damping" else self.effort), 1.0


ROTATION = RowUnits("deg", 180 / math.pi, "deg/s", "Nm", "Nms/rad")
TRANSLATION = RowUnits("mm", 1000.0, "mm/s", "N", "Ns/m")
Row = Mapping[str, str]


def rows(done: Understanding) -> list[dict[str, str]]:
    """The moving joints of a robot, a row for each."""
    keys = {each.name: key for key, each in done.settings.model.joints.items() if each.name}
    return [
        _row(done, done.robot, keys.get(name, name), name)
        for name, frame in done.robot.joints.items()
        if not frame.is_rigid
    ]


def table(done: Understanding, *, decimal_comma: bool = False) -> str:
    """The table as CSV text; with decimal commas the cells are separated by semicolons."""
    text = io.StringIO()
    writer = csv.DictWriter(text, COLUMNS, delimiter=";" if decimal_comma else ",", lineterminator="\r\n")
    writer.writeheader()
    for row in rows(done):
        numbers = {key: row[key].replace(".", ",") if decimal_comma else row[key] for key in NUMBERS}
        texts = {key: _as_text(row[key]) for key in TEXTS}
        writer.writerow({**row, **numbers, **texts})
    return BOM + text.getvalue()


def _as_text(cell: str) -> str:
    """A cell with an apostrophe before what a spreadsheet would take for a formula; robots may come from anywhere."""
    return f"'{cell}" if cell.lstrip("'")[:1] in FORMULA else cell


def _from_text(cell: str) -> str:
    """The inverse of `_as_text`."""
    return cell[1:] if cell.startswith("'") and cell.lstrip("'")[:1] in FORMULA else cell


def _units(kind: str) -> RowUnits:
    return TRANSLATION if kind == JointType.PRISMATIC else ROTATION


def _row(done: Understanding, robot: Robot, key: str, name: str) -> dict[str, str]:
    frame = robot.joints[name]
    joint = frame.joint
    assert joint is not None  # noqa: S101 - a frame with a joint
    between = done.inference.between(key) if done.inference else None
    parent, child = between or (frame.parent or "", frame.id)
    units = _units(joint.type)
    row = {"joint": key, "name": name, "parent": parent, "child": child, "type": str(joint.type)}
    row["unit"] = units.position
    for column, value in _values(joint).items():
        row[column] = "" if value is None else f"{value * units.of(column)[1]:.9g}"
    return row


def _values(joint: Joint) -> dict[str, float | None]:
    limits, losses = joint.limits, joint.dynamics
    values = (limits.lower, limits.upper, limits.velocity, limits.effort)
    return dict(zip(NUMBERS, (*values, *((losses.damping, losses.friction) if losses else (None, None))), strict=True))


# ---- reading


class JointEdits(NamedTuple):
    """A settings text with the changes of a table, and a sentence for each."""

    text: str
    changes: tuple[str, ...]


def edited(text: str, done: Understanding, path: Path, data: bytes) -> JointEdits:
    """The text of the settings with what the table in a CSV file has changed; every other byte stays."""
    known = {row["joint"]: row for row in rows(done)}
    changes = []
    lines: dict[str, int] = {}
    for line, given in _read(path, data):
        key = given.get("joint", "")
        if (first := lines.setdefault(key, line)) != line:
            raise FileError(path, f"the joint `{key}` is in line {first}, too. Keep one of them", place=f"line {line}")
        if key not in known:
            raise FileError(path, f"there is no joint `{key}`.{nearest(key, list(known))}", place=f"line {line}")
        _check_unit(given, known[key], path, line)
        for column in EDITABLE:
            if column not in given or _is_same(given[column], known[key][column]):
                continue
            text, change = _with_cell(text, given, known[key], column, path, line)
            changes.append(f"{key}: {change}")
        if changes and key in (parse(text) or {}).get("joints", {}):
            text = _with_between(text, known[key], done)
    return JointEdits(text, tuple(changes))


def _with_between(text: str, row: Row, done: Understanding) -> str:
    entry = (parse(text)["joints"] or {})[row["joint"]]
    if done.inference is None or not isinstance(entry, dict) or "between" in entry or "parent" in entry:
        return text
    return set_value(text, ("joints", row["joint"], "between"), [row["parent"], row["child"]])


def _read(path: Path, data: bytes) -> Iterator[tuple[int, dict[str, str]]]:
    """The rows of a CSV file with their line numbers; headings in any order and case, more columns are ignored."""
    try:
        text = data.decode("utf-16" if data.startswith((BOM_UTF16_LE, BOM_UTF16_BE)) else "utf-8-sig")
    except UnicodeDecodeError:
        text = data.decode("cp1252", errors="replace")  # as spreadsheets on Windows save it
    lines = text.splitlines()
    if lines and re.fullmatch(r"sep=.", lines[0]):
        lines[0] = ""
    head = next((line for line in lines if line.strip()), "")
    delimiter = max(";\t,", key=head.count)
    reader = csv.reader(lines, delimiter=delimiter)
    heading: list[str] = []
    for cells in _rows_of(reader, path):
        stripped = [_from_text(cell.strip()) for cell in cells]
        if not any(stripped):
            continue
        if heading:
            yield reader.line_num, dict(zip(heading, stripped, strict=False))
            continue
        heading = [cell.casefold() for cell in stripped]
        if "joint" not in heading:
            remedy = f"Its first row must have the headings {', '.join(COLUMNS)}"
            raise FileError(path, "it is not a table of joints", place=f"line {reader.line_num}", remedy=remedy)


def _rows_of(reader: Reader, path: Path) -> Iterator[list[str]]:
    try:
        yield from reader
    except csv.Error as error:  # such as a cell of more than 131,072 characters
        raise FileError(path, f"it cannot be read as a table: {error}", place=f"line {reader.line_num}") from None


def _check_unit(given: Row, row: Row, path: Path, line: int) -> None:
    """Raise an error for a unit that is neither the row's nor that of its new type."""
    units = {row["unit"], _units(given.get("type") or row["type"]).position}
    if given.get("unit") and given["unit"] not in units:
        problem = f"the unit of {row['joint']} is {' or '.join(sorted(units))}, not `{given['unit']}`"
        raise FileError(path, problem, place=f"line {line}")


def _is_same(given: str, present: str) -> bool:
    one, other = _number(given), _number(present)
    if one is None or other is None:
        return given == present
    return math.isclose(one, other, rel_tol=1e-7, abs_tol=1e-9)


def _number(cell: str) -> float | None:
    try:
        return float(cell.replace(",", "."))
    except ValueError:
        return None


def _with_cell(text: str, given: Row, row: Row, column: str, path: Path, line: int) -> tuple[str, str]:
    """The text with one cell, and a sentence about it."""
    cell, at = given[column], ("joints", row["joint"], column)
    before = row[column] or "none"
    if not cell:
        entry = ((parse(text) or {}).get("joints") or {}).get(row["joint"]) or {}
        if column not in entry:
            raise FileError(path, f"`{column}` of {row['joint']} is inferred and cannot be empty", place=f"line {line}")
        return remove_value(text, at), f"{column} {before} -> removed"
    if column in ("name", "type"):
        return set_value(text, at, cell), f"{column} {before} -> {cell}"
    number = _number(cell)
    if number is None or not math.isfinite(number):
        raise FileError(path, f"`{cell}` in the column {column} is not a number", place=f"line {line}")
    unit = _units(given.get("type") or row["type"]).of(column)[0]
    value = f"{number:.12g} {unit}"
    return set_value(text, at, value), f"{column} {before} -> {value}"
