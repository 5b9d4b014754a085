"""What RobotUtil, general_robotics_toolbox and AbstractRobot refuse, each as its code was seen to behave."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from itertools import pairwise

from swgrm_exporters.robotinfo.info_parser import Complaints, is_number
from swgrm_exporters.robotinfo.schema import YamlValue


def util_complaints(document: Mapping[str, YamlValue]) -> Complaints:
    """What RobotUtil refuses of a document that the parser takes."""
    chains = _of(document, "chains")
    if not isinstance(chains, list) and chains not in ({}, ""):
        yield "chains", "there are no chains"
        return
    for index, chain in enumerate(chains or ()):
        yield from _chain(document, chain, f"chains[{index}]", _joint_of_util)


def toolbox_complaints(document: YamlValue) -> Complaints:
    """What the toolbox's own YAML reader refuses; it needs keys that the parser does not."""
    chains = _of(document, "chains")
    if not isinstance(chains, list) or not chains:
        yield "chains", "there are no chains"
        return
    for index, chain in enumerate(chains):
        place = f"chains[{index}]"
        missing = [key for key in _TOOLBOX_NEEDS if not isinstance(chain, dict) or key not in chain]
        yield from ((place, f"`{key}` is missing") for key in missing)
        if not missing and _has_odd_numbers(chain["joint_numbers"]):
            yield f"{place}.joint_numbers", "expected numbers"
        elif not missing:
            yield from _chain(document, chain, place, _joint_of_toolbox)
            yield from _flange(chain, place)
    info = _of(document, "device_info")
    if not isinstance(info, dict | None):
        yield "device_info", "expected a map with keys"
    elif (origin := _of(info, "device_origin_pose")) is not None:
        yield from _transform(_of(origin, "pose"), "device_info.device_origin_pose.pose")


_TOOLBOX_NEEDS = ("joint_numbers", "H", "P", "flange_identifier", "flange_pose")


def _has_odd_numbers(numbers: YamlValue) -> bool:
    """Whether comparing them fails; a single one is never looked at."""
    several = isinstance(numbers, list) and len(numbers) > 1
    return several and not all(isinstance(number, int | float) for number in numbers)


JointRule = Callable[[YamlValue, str], Complaints]


def _chain(document: YamlValue, chain: YamlValue, place: str, joint_rule: JointRule) -> Complaints:
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


def _vectors(rows: list[YamlValue], place: str, *, unit: bool) -> Complaints:
    for index, row in enumerate(rows):
        if not _has_numbers(row, "xyz"):
            yield f"{place}[{index}]", "x, y and z must be numbers"
        elif unit:
            length = math.hypot(*(math.nan if row[key] is None else float(row[key]) for key in "xyz"))
            if not abs(length - 1) <= 1e-8 + 1e-5:
                yield f"{place}[{index}]", "the axis must have length 1"


def _has_numbers(value: YamlValue, keys: str) -> bool:
    """Whether all keys are there with numbers; nothing at all counts as not-a-number, which is one."""
    return isinstance(value, dict) and all(
        key in value and (value[key] is None or is_number(value[key], "double")) for key in keys
    )


def _joint_of_util(joint: YamlValue, place: str) -> Complaints:
    if _of(joint, "joint_type") not in ("revolute", "prismatic"):
        yield f"{place}.joint_type", "only revolute and prismatic joints are known"
    if _of(joint, "joint_limits") is None:
        yield f"{place}.joint_limits", "there are no limits"


def _joint_of_toolbox(joint: YamlValue, place: str) -> Complaints:
    yield from _joint_of_util(joint, place)
    if not isinstance(joint, dict) or "joint_identifier" not in joint:
        yield place, "`joint_identifier` is missing"
    elif not _is_named(joint["joint_identifier"]):
        yield f"{place}.joint_identifier", "it has no name"
    limits = _of(joint, "joint_limits")
    for key in ("lower", "upper", "velocity", "acceleration"):
        if limits is None:
            return
        if not isinstance(limits, dict) or key not in limits:
            yield f"{place}.joint_limits", f"`{key}` is missing"
        elif limits[key] is not None and not is_number(limits[key], "double"):
            yield f"{place}.joint_limits.{key}", "expected a number"


def _flange(chain: Mapping[str, YamlValue], place: str) -> Complaints:
    links = chain.get("link_identifiers", [])
    if not isinstance(links, list | str) and links != {}:
        yield f"{place}.link_identifiers", "expected a list"
    elif links and not _is_named(links[0]):
        yield f"{place}.link_identifiers[0]", "it has no name"
    if not _is_named(chain["flange_identifier"]):
        yield f"{place}.flange_identifier", "it has no name"
    yield from _transform(chain["flange_pose"], f"{place}.flange_pose")
    tool = chain.get("current_tool")
    if not isinstance(tool, dict | None):
        yield f"{place}.current_tool", "expected a map with keys"
    elif (tcp := _of(tool, "tcp")) is not None:
        yield from _transform(tcp, f"{place}.current_tool.tcp")
        device = _of(_of(tool, "device_info"), "device")
        if _of(tool, "device_info") is not None and (device is None or not _is_named(device)):
            yield f"{place}.current_tool.device_info", "`device` has no name"


def _is_named(identifier: YamlValue) -> bool:
    return identifier is None or isinstance(identifier, str) or (isinstance(identifier, dict) and "name" in identifier)


def _transform(value: YamlValue, place: str) -> Complaints:
    is_pose = isinstance(value, dict) and "orientation" in value
    names = ("orientation", "position") if is_pose else ("rotation", "translation")
    for name, keys in zip(names, ("wxyz", "xyz"), strict=True):
        if not _has_numbers(_of(value, name), keys):
            yield place, f"`{name}` needs the numbers {', '.join(keys)}"


def driver_complaints(document: Mapping[str, YamlValue]) -> Complaints:
    """What AbstractRobot demands beyond what the parser and RobotUtil take."""
    if _of(_of(document, "device_info"), "device") is None:
        yield "device_info", "`device` is missing"
    joints = _of(document, "joint_info")
    for index, joint in enumerate(joints if isinstance(joints, list) else ()):
        if _of(joint, "joint_identifier") is None:
            yield f"joint_info[{index}]", "`joint_identifier` is missing"
        for key in ("velocity", "acceleration"):
            value = _of(_of(joint, "joint_limits"), key)
            if value is None or not is_number(value, "double") or not float(value) > 0:
                yield f"joint_info[{index}].joint_limits", f"`{key}` must be greater than 0"


def misindexed(document: YamlValue) -> Iterator[str]:
    """The places of the chains that both kinematic readers silently take for others."""
    chains = _of(document, "chains")
    for index, chain in enumerate(chains if isinstance(chains, list) else ()):
        numbers = _of(chain, "joint_numbers")
        if isinstance(numbers, list) and numbers != list(range(len(numbers))):
            yield f"chains[{index}].joint_numbers"


def _of(value: YamlValue, key: str) -> YamlValue:
    return value.get(key) if isinstance(value, dict) else None
