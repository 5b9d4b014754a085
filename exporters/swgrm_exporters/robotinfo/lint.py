"""What each real reader of RobotInfo refuses, found without running it.

Four programs read these files: Robot Raconteur's InfoParser; its RobotUtil, which makes a kinematic robot of what
InfoParser gives; the YAML reader of general_robotics_toolbox; and AbstractRobot, the base of real drivers, which
needs both of the first two. The rules are theirs as observed, not the standard's; a test runs them side by side.
"""

from __future__ import annotations

import math
import uuid
from collections.abc import Callable, Iterator, Mapping
from enum import StrEnum
from itertools import pairwise
from typing import Any, NamedTuple

from swgrm.findings import Finding, Severity
from swgrm_exporters.robotinfo.fit import Kind, fit
from swgrm_exporters.robotinfo.schema import (
    ENUMS,
    IN_FILES,
    NAMED_ARRAYS,
    NUMBERS,
    ROOT,
    STRUCTURES,
    FieldType,
    fields_in_files,
)

Value = Any  # what YAML holds


class Reader(StrEnum):
    """The programs that read RobotInfo."""

    INFO_PARSER = "InfoParser"
    ROBOT_UTIL = "RobotUtil"
    TOOLBOX = "general_robotics_toolbox"
    ABSTRACT_ROBOT = "AbstractRobot"


class Refusal(NamedTuple):
    """A reader that refuses the document, the place it stumbles over, and why."""

    reader: Reader
    place: str
    reason: str


Complaints = Iterator[tuple[str, str]]  # places and reasons


def lint(document: Value) -> tuple[Finding, ...]:
    """Everything about a document that a user should know before a real reader meets it."""
    fitted = [
        Finding(Severity.WARNING, f"robotinfo-{problem.kind}", problem.place, problem.message)
        for problem in fit(document).problems
    ]
    by_place: dict[tuple[str, str], list[Reader]] = {}
    for reader, place, reason in refusals(document):
        by_place.setdefault((place, reason), []).append(reader)
    refused = [
        Finding(Severity.WARNING, "robotinfo-refused", place, f"{_listed(readers)} this: {reason}")
        for (place, reason), readers in by_place.items()
    ]
    misindexed = [
        Finding(Severity.WARNING, "robotinfo-misindexed", place, reason) for place, reason in _misindexed(document)
    ]
    wrong = {finding.where for finding in refused}
    kept = [f for f in fitted if not (f.code == f"robotinfo-{Kind.WRONG}" and f.where in wrong)]
    return (*kept, *refused, *misindexed)


def refusals(document: Value) -> list[Refusal]:
    """Which readers refuse a document, where and why."""
    parser = [Refusal(Reader.INFO_PARSER, *complaint) for complaint in _parser(document, ROOT, "")]
    util = [Refusal(Reader.ROBOT_UTIL, *complaint) for complaint in _robot_util(document)] if not parser else []
    driver = [Refusal(Reader.ABSTRACT_ROBOT, *c) for c in _abstract_robot(document)] if not parser else []
    toolbox = [Refusal(Reader.TOOLBOX, *complaint) for complaint in _toolbox(document)]
    inherited = [
        Refusal(reader, each.place, each.reason) for each in (*parser, *util) for reader in _NEEDED_BY[each.reader]
    ]
    return [*parser, *util, *driver, *inherited, *toolbox]


_NEEDED_BY = {
    Reader.INFO_PARSER: (Reader.ROBOT_UTIL, Reader.ABSTRACT_ROBOT),
    Reader.ROBOT_UTIL: (Reader.ABSTRACT_ROBOT,),
}


def _listed(readers: list[Reader]) -> str:
    names = ", ".join(reader for reader in Reader if reader in readers)
    return f"{names} refuse{'s' if len(set(readers)) == 1 else ''}"


# ---- InfoParser: each value by its type


def _parser(value: Value, kind: FieldType, place: str) -> Complaints:
    where = place or "the file"
    if kind.container == "map":
        if value or not isinstance(value, dict | list | str):
            yield where, "it crashes on a map that is not empty"
    elif kind.container:
        yield from _parse_several(value, kind, where)
    elif kind.name in STRUCTURES:
        yield from _parse_structure(value, kind.name, where)
    elif kind.name in NAMED_ARRAYS:
        yield from _parse_named_array(value, kind.name, where)
    else:
        yield from _parse_scalar(value, kind.name, where)


def _parse_scalar(value: Value, name: str, place: str) -> Complaints:
    if name == "UUID" and not _is_uuid(value):
        yield place, "badly formed uuid"
    elif name in ENUMS and str(value) not in ENUMS[name]:
        yield place, f"`{str(value)[:40]}` is no value of {name}"
    elif name in NUMBERS and not _is_number(value, name):
        yield place, "expected a number"


def _parse_several(value: Value, kind: FieldType, place: str) -> Complaints:
    if kind.container == "array" and kind.name in NUMBERS:
        if _array_fails(value):
            yield place, "expected a list of numbers"
    elif not isinstance(value, list | dict | str):
        yield place, "expected a list"
    elif isinstance(value, dict) and value and kind.container == "array":
        yield place, "expected a list, found a map"
    else:
        for index, item in enumerate(value):
            yield from _parser(item, kind.item, f"{place}[{index}]")


def _parse_structure(value: Value, name: str, place: str) -> Complaints:
    if name == "Identifier" and isinstance(value, str | int | float):
        return
    fields = fields_in_files(name)
    if isinstance(value, dict):
        for key, kind in fields.items():
            optional = value.get(key) is None and (name, key) in IN_FILES and key not in STRUCTURES[name]
            if key in value and not optional:
                yield from _parser(value[key], kind, f"{place}.{key}" if place != "the file" else key)
    elif not isinstance(value, list | str) or name == "DeviceInfo" or any(field in value for field in fields):
        yield place, "expected a map with keys"


def _parse_named_array(value: Value, name: str, place: str) -> Complaints:
    for key, kind in NAMED_ARRAYS[name].items():
        if not isinstance(value, dict) or key not in value:
            yield place, f"`{key}` is missing"
        elif kind.name in NAMED_ARRAYS:
            yield from _parse_named_array(value[key], kind.name, f"{place}.{key}")
        elif value[key] is not None and not _is_number(value[key], "double"):
            yield f"{place}.{key}", "expected a number"


def _is_uuid(value: Value) -> bool:
    try:
        return bool(uuid.UUID(str(value)))
    except ValueError:
        return False


def _is_number(value: Value, name: str) -> bool:
    """Whether Python itself makes a number of it; everything is true or false."""
    try:
        {"bool": bool}.get(name, float)(value)
        if NUMBERS[name] is int:
            int(value, 0) if isinstance(value, str) else int(value)
    except (TypeError, ValueError, OverflowError):
        return False
    return True


def _array_fails(value: Value) -> bool:
    items = value if isinstance(value, list) else [value]
    return not all(_is_number(item, "double") and float(item) >= 0 for item in items)


# ---- RobotUtil and the toolbox: each chain as a kinematic robot


def _robot_util(document: Mapping[str, Value]) -> Complaints:
    chains = _of(document, "chains")
    if not isinstance(chains, list):
        yield "chains", "there are no chains"
        return
    for index, chain in enumerate(chains):
        yield from _chain(document, chain, f"chains[{index}]", _joint_of_util)


def _toolbox(document: Value) -> Complaints:
    chains = _of(document, "chains")
    if not isinstance(chains, list) or not chains:
        yield "chains", "there are no chains"
        return
    for index, chain in enumerate(chains):
        place = f"chains[{index}]"
        for key in ("joint_numbers", "H", "P", "flange_identifier", "flange_pose"):
            if not isinstance(chain, dict) or key not in chain:
                yield place, f"`{key}` is missing"
        yield from _chain(document, chain, place, _joint_of_toolbox)
        yield from _flange(chain, place)
    origin = _of(_of(document, "device_info"), "device_origin_pose")
    if origin is not None:
        yield from _transform(_of(origin, "pose"), "device_info.device_origin_pose.pose")


JointRule = Callable[[Value, str], Complaints]


def _chain(document: Value, chain: Value, place: str, joint_rule: JointRule) -> Complaints:
    """What both kinematic readers demand of a chain; both look joints up by their place in the chain."""
    numbers, joints = _of(chain, "joint_numbers"), _of(document, "joint_info")
    if not isinstance(numbers, list) or not isinstance(joints, list):
        yield place, "joint_numbers and joint_info must be lists"
        return
    if any(float(above) >= float(below) for above, below in pairwise(numbers)):
        yield f"{place}.joint_numbers", "joint numbers must increase"
    if any(float(number) >= len(joints) for number in numbers[1:]) or len(numbers) > len(joints):
        yield f"{place}.joint_numbers", "a joint number is out of bounds"
    for key, count in (("H", len(numbers)), ("P", len(numbers) + 1)):
        rows = _of(chain, key)
        if not isinstance(rows, list) or len(rows) != count:
            yield f"{place}.{key}", f"there must be {count} vectors"
        else:
            yield from _vectors(rows, f"{place}.{key}", unit=key == "H")
    for index, joint in enumerate(joints[: len(numbers)]):
        yield from joint_rule(joint, f"joint_info[{index}]")


def _vectors(rows: list[Value], place: str, *, unit: bool) -> Complaints:
    for index, row in enumerate(rows):
        entries = [_of(row, key) for key in "xyz"]
        if not all(entry is None or _is_number(entry, "double") for entry in entries) or not isinstance(row, dict):
            yield f"{place}[{index}]", "x, y and z must be numbers"
        elif unit:
            length = math.hypot(*(math.nan if entry is None else float(entry) for entry in entries))
            if not abs(length - 1) <= 1e-8 + 1e-5:
                yield f"{place}[{index}]", "the axis must have length 1"


def _joint_of_util(joint: Value, place: str) -> Complaints:
    if _of(joint, "joint_type") not in ("revolute", "prismatic"):
        yield f"{place}.joint_type", "only revolute and prismatic joints are known"
    if _of(joint, "joint_limits") is None:
        yield f"{place}.joint_limits", "there are no limits"


def _joint_of_toolbox(joint: Value, place: str) -> Complaints:
    yield from _joint_of_util(joint, place)
    if not isinstance(joint, dict) or "joint_identifier" not in joint:
        yield place, "`joint_identifier` is missing"
    limits = _of(joint, "joint_limits")
    for key in ("lower", "upper", "velocity", "acceleration"):
        if limits is None:
            return
        if not isinstance(limits, dict) or key not in limits:
            yield f"{place}.joint_limits", f"`{key}` is missing"
        elif limits[key] is not None and not _is_number(limits[key], "double"):
            yield f"{place}.joint_limits.{key}", "expected a number"


def _flange(chain: Value, place: str) -> Complaints:
    identifier = _of(chain, "flange_identifier")
    if identifier is not None and not _is_named(identifier):
        yield f"{place}.flange_identifier", "it has no name"
    links = _of(chain, "link_identifiers")
    if links and not (links[0] is None or _is_named(links[0])):
        yield f"{place}.link_identifiers[0]", "it has no name"
    if _of(chain, "flange_pose") is not None or (isinstance(chain, dict) and "flange_pose" in chain):
        yield from _transform(_of(chain, "flange_pose"), f"{place}.flange_pose")
    tool = _of(chain, "current_tool")
    if (tcp := _of(tool, "tcp")) is not None:
        yield from _transform(tcp, f"{place}.current_tool.tcp")
        if (info := _of(tool, "device_info")) is not None and not _is_named(_of(info, "device")):
            yield f"{place}.current_tool.device_info", "`device` has no name"


def _is_named(identifier: Value) -> bool:
    return isinstance(identifier, str) or (isinstance(identifier, dict) and "name" in identifier)


def _transform(value: Value, place: str) -> Complaints:
    names = ("orientation", "position") if isinstance(value, dict) and "orientation" in value else _AS_TRANSFORM
    for name, keys in zip(names, ("wxyz", "xyz"), strict=True):
        entries = [_of(_of(value, name), key) for key in keys]
        if not isinstance(_of(value, name), dict) or any(key not in value[name] for key in keys):
            yield place, f"`{name}` needs {', '.join(keys)}"
        elif not all(entry is None or _is_number(entry, "double") for entry in entries):
            yield f"{place}.{name}", "expected numbers"


_AS_TRANSFORM = ("rotation", "translation")


# ---- AbstractRobot, and the mistake that both kinematic readers make


def _abstract_robot(document: Mapping[str, Value]) -> Complaints:
    if not isinstance(_of(_of(document, "device_info"), "device"), dict | str | int | float):
        yield "device_info", "`device` is missing"
    joints = _of(document, "joint_info")
    for index, joint in enumerate(joints if isinstance(joints, list) else ()):
        if _of(joint, "joint_identifier") is None:
            yield f"joint_info[{index}]", "`joint_identifier` is missing"
        for key in ("velocity", "acceleration"):
            value = _of(_of(joint, "joint_limits"), key)
            if value is None or not _is_number(value, "double") or not float(value) > 0:
                yield f"joint_info[{index}].joint_limits", f"`{key}` must be greater than 0"


def _misindexed(document: Value) -> Complaints:
    chains = _of(document, "chains")
    for index, chain in enumerate(chains if isinstance(chains, list) else ()):
        numbers = _of(chain, "joint_numbers")
        if isinstance(numbers, list) and numbers != list(range(len(numbers))):
            reason = (
                "RobotUtil and general_robotics_toolbox give this chain the types, limits and names of the first "
                f"{len(numbers)} joints, whatever its joint_numbers say; write one file per chain for them."
            )
            yield f"chains[{index}].joint_numbers", reason


def _of(value: Value, key: str) -> Value:
    return value.get(key) if isinstance(value, dict) else None
