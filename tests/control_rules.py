"""The rules that ros2_control has for its block in a URDF, re-stated from its parser and its resource manager.

From `hardware_interface/src/component_parser.cpp` and `resource_manager.cpp` of ros2_control, August 2026. What these
throw at, or print as an error, is a violation here.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from lxml.etree import _Element as Element

COMPONENTS = ("joint", "sensor", "gpio")
TAGS = ("hardware", "properties", "transmission", *COMPONENTS)
TYPES = ("system", "actuator", "sensor")
NUMBERS = ("min", "max", "initial_value")
BOOLEANS = ("true", "false")


class ControlBlock(NamedTuple):
    """A block, and the joints of the URDF around it by name."""

    node: Element
    joints: dict[str, Element]


Rule = Callable[[ControlBlock], Iterator[str]]


def violations(robot: Element) -> list[str]:
    """What ros2_control would refuse in an expanded URDF; empty if it takes it."""
    if robot.tag != "robot":
        return ["the robot tag is not the root element"]
    joints = {each.get("name", ""): each for each in robot.findall("joint")}
    blocks = [ControlBlock(each, joints) for each in robot.findall("ros2_control")]
    if not blocks:
        return ["no ros2_control tag"]
    found = [message for block in blocks for rule in RULES for message in rule(block)]
    return found + list(_twice(blocks))


def _attributes(block: ControlBlock) -> Iterator[str]:
    node = block.node
    for key in ("name", "type"):
        if node.get(key) is None:
            yield f"no attribute '{key}' in ros2_control"
    if node.get("type") not in (None, *TYPES):
        yield f"type '{node.get('type')}' is not known"
    if not re.fullmatch(r"\s*\d+\s*", node.get("rw_rate", "0")):
        yield "rw_rate is not a positive integer"


def _tags(block: ControlBlock) -> Iterator[str]:
    yield from (f"invalid tag name '{each.tag}'" for each in block.node if each.tag not in TAGS)


def _hardware(block: ControlBlock) -> Iterator[str]:
    hardware = block.node.findall("hardware")
    if not hardware:
        yield "no hardware"
    for each in hardware:
        plugin = each.find("plugin")
        if plugin is None:
            yield "missing <plugin> tag of <hardware>"
        elif not (plugin.text or "").strip():
            yield "no text in the plugin of the hardware"


def _params(block: ControlBlock) -> Iterator[str]:
    for each in block.node.iter("param"):
        name, text = each.get("name"), (each.text or "").strip()
        if name is None:
            yield "a param without a name"
        elif not text:
            yield f"param '{name}' has no text"
        elif name in NUMBERS and not _is_number(text):
            yield f"param '{name}' is not a number: {text}"


def _is_number(text: str) -> bool:
    """Whether C++ reads a finite number, without regard to the locale."""
    is_plain = re.fullmatch(r"-?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?", text)
    return bool(is_plain) and math.isfinite(float(text))


def _components(block: ControlBlock) -> Iterator[str]:
    for component in block.node:
        if component.tag not in COMPONENTS:
            continue
        if component.get("name") is None:
            yield f"a {component.tag} without a name"
        for interface in component:
            if interface.tag not in ("command_interface", "state_interface"):
                continue
            if interface.get("name") is None:
                yield f"an interface of '{component.get('name')}' without a name"
            if not re.fullmatch("[1-9][0-9]*", interface.get("size", "1")):
                yield f"size of an interface of '{component.get('name')}' is not a positive integer"
        for limits in component.iter("limits"):
            if limits.get("enable") not in BOOLEANS:
                yield f"limits of '{component.get('name')}' without enable"


def _joints(block: ControlBlock) -> Iterator[str]:
    listed = {each.get("name", "") for each in block.node.findall("joint")}
    for each in block.node.findall("joint"):
        name, mimic = each.get("name", ""), each.get("mimic")
        if mimic not in (None, *BOOLEANS):
            yield f"mimic of '{name}' is neither true nor false"
        urdf = block.joints.get(name)
        if urdf is None:
            if each.get("name") is not None:
                yield f"joint '{name}' not found in URDF"
            continue
        leader = urdf.find("mimic")
        if leader is None and mimic == "true":
            yield f"joint '{name}' has no mimic information in the URDF"
        if leader is not None and mimic != "false":
            if each.find("command_interface") is not None:
                yield f"mimic joint '{name}' has command interfaces"
            if leader.get("joint") not in listed:
                yield f"mimic joint '{leader.get('joint')}' not found in ros2_control tag"
        if urdf.get("type") == "fixed":
            yield f"joint '{name}' is of type 'fixed'"


def _transmissions(block: ControlBlock) -> Iterator[str]:
    listed = {each.get("name", "") for each in block.node.findall("joint")}
    for each in block.node.findall("transmission"):
        if each.get("name") is None:
            yield "a transmission without a name"
        if each.find("plugin") is None:
            yield "missing <plugin> tag of <transmission>"
        for end in (*each.findall("joint"), *each.findall("actuator")):
            missing = [key for key in ("name", "role") if end.get(key) is None]
            yield from (f"no attribute '{key}' in a {end.tag} of a transmission" for key in missing)
            if end.tag == "joint" and end.get("name", "") not in listed:
                yield f"transmission declared joint '{end.get('name')}' is not available"


RULES: tuple[Rule, ...] = (_attributes, _tags, _hardware, _params, _components, _joints, _transmissions)


def _twice(blocks: list[ControlBlock]) -> Iterator[str]:
    """Interfaces that two components have; the resource manager keeps one of them."""
    seen: set[tuple[str, str, str]] = set()
    names = set()
    for block in blocks:
        name = block.node.get("name", "")
        if name in names:
            yield f"two hardware components are called '{name}'"
        names.add(name)
        for component in block.node:
            for interface in component if component.tag in COMPONENTS else ():
                key = (component.get("name", ""), interface.tag, interface.get("name", ""))
                if interface.tag.endswith("_interface") and key in seen:
                    yield f"{key[1]} '{key[0]}/{key[2]}' already exists"
                seen.add(key)
